internal import CDexShim

/// Memory for private pages: buffers of one page each, used again before new ones are asked for.
///
/// The buffers are cut from slabs, the first of them small, the others as large as a huge page of
/// the system's, which costs one fault instead of hundreds. All slabs but the first are given back
/// once no buffer is lent out.
///
/// Belongs to whoever holds the right to write; not to be shared.
@safe final class PageBuffers {
  let pageByteCount: Int
  /// Buffers that are lent out, in bytes, runs included.
  private(set) var lentByteCount = 0
  // Safe: no bytes at all.
  private var spare: [UnsafeMutableRawPointer] = unsafe []
  private var slabs: [Slab] = []
  /// How many slabs stay while no buffer is lent out.
  private let keptSlabCount: Int

  private struct Slab {
    /// Where the memory begins.
    let address: UInt
    let byteCount: Int
  }

  init(pageByteCount: Int, keptSlabCount: Int = 18) {
    self.pageByteCount = pageByteCount
    self.keptSlabCount = keptSlabCount
  }

  deinit {
    // Pages of a store that failed may still be read, and have nobody to give them back.
    if lentByteCount > 0 { return }
    while let slab = slabs.popLast() { PageBuffers.free(slab) }
  }

  /// A buffer of one page, its content unknown.
  @inline(__always) func take() -> MutablePageBytes {
    lentByteCount &+= pageByteCount
    // Safe: a spare buffer is lent to nobody.
    if let buffer = unsafe spare.popLast() { return unsafe MutablePageBytes(buffer) }
    return takeFromNewSlab()
  }

  @inline(never) private func takeFromNewSlab() -> MutablePageBytes {
    let largest = 2 << 20
    let byteCount = min((256 << 10) << min(slabs.count, 3), largest)
    // Safe: the slab stays until no buffer of it is lent out, and buffers do not meet.
    let start = unsafe dex_slab_allocate(byteCount)
    slabs.append(Slab(address: UInt(bitPattern: start), byteCount: byteCount))
    // The last one is taken first, so that memory is used from its beginning on.
    var offset = byteCount - pageByteCount
    while offset > 0 {
      unsafe spare.append(start + offset)
      offset -= pageByteCount
    }
    return unsafe MutablePageBytes(start)
  }

  /// Takes back what `take` gave.
  @inline(__always) func giveBack(_ page: MutablePageBytes) {
    lentByteCount &-= pageByteCount
    // Safe: a buffer that `take` gave, and the caller is done with it.
    unsafe spare.append(page.start)
    if lentByteCount == 0 && slabs.count > keptSlabCount { freeSlabs() }
  }

  @inline(never) private func freeSlabs() {
    // Safe: no buffer is lent out, and what is left of the spare ones lies in other slabs.
    unsafe spare.removeAll(keepingCapacity: false)
    while slabs.count > keptSlabCount, let slab = slabs.popLast() { PageBuffers.free(slab) }
    for slab in slabs {
      for offset in stride(from: 0, to: slab.byteCount, by: pageByteCount) {
        // Safe: within the slab, which stays.
        unsafe spare.append(
          UnsafeMutableRawPointer(bitPattern: slab.address).unsafelyUnwrapped + offset)
      }
    }
  }

  private static func free(_ slab: Slab) {
    // Safe: allocated as a slab, and no buffer of it is lent out.
    unsafe dex_slab_free(UnsafeMutableRawPointer(bitPattern: slab.address).unsafelyUnwrapped)
  }

  /// Memory for a run of `pageCount` pages.
  func takeRun(pageCount: Int) -> MutablePageBytes {
    if pageCount == 1 { return take() }
    lentByteCount &+= pageCount &* pageByteCount
    // Safe: new memory, of the run's length.
    return unsafe MutablePageBytes(
      UnsafeMutableRawPointer.allocate(byteCount: pageCount &* pageByteCount, alignment: 64))
  }

  /// Takes back what `takeRun` gave.
  func giveBackRun(_ run: MutablePageBytes, pageCount: Int) {
    if pageCount == 1 { return giveBack(run) }
    lentByteCount &-= pageCount &* pageByteCount
    // Safe: it was allocated by `takeRun`, and the caller is done with it.
    unsafe run.start.deallocate()
  }
}
