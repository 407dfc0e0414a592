/// Memory for private pages: buffers of one page each, used again before new ones are asked for.
///
/// Belongs to whoever holds the right to write; not to be shared.
@safe final class PageBuffers {
  let pageByteCount: Int
  /// Buffers that are lent out, in bytes, runs included.
  private(set) var lentByteCount = 0
  // Safe: no bytes at all.
  private var spare: [UnsafeMutableRawPointer] = unsafe []
  /// How many spare buffers are kept.
  private let spareLimit: Int

  init(pageByteCount: Int, spareLimit: Int = 4096) {
    self.pageByteCount = pageByteCount
    self.spareLimit = spareLimit
  }

  deinit {
    // Safe: spare buffers are lent to nobody.
    while let buffer = unsafe spare.popLast() { unsafe buffer.deallocate() }
  }

  /// A buffer of one page, its content unknown.
  func take() -> MutablePageBytes {
    lentByteCount &+= pageByteCount
    // Safe: a spare buffer is lent to nobody, and a new one is as long as a page.
    if let buffer = unsafe spare.popLast() { return unsafe MutablePageBytes(buffer) }
    return unsafe MutablePageBytes(
      UnsafeMutableRawPointer.allocate(byteCount: pageByteCount, alignment: 64))
  }

  /// Takes back what `take` gave.
  func giveBack(_ page: MutablePageBytes) {
    lentByteCount &-= pageByteCount
    // Safe: a buffer that `take` gave, and the caller is done with it.
    if unsafe spare.count < spareLimit {
      unsafe spare.append(page.start)
    } else {
      unsafe page.start.deallocate()
    }
  }

  /// Memory for a run of `pageCount` pages.
  func takeRun(pageCount: Int) -> MutablePageBytes {
    lentByteCount &+= pageCount &* pageByteCount
    // Safe: new memory, of the run's length.
    return unsafe MutablePageBytes(
      UnsafeMutableRawPointer.allocate(byteCount: pageCount &* pageByteCount, alignment: 64))
  }

  /// Takes back what `takeRun` gave.
  func giveBackRun(_ run: MutablePageBytes, pageCount: Int) {
    lentByteCount &-= pageCount &* pageByteCount
    // Safe: it was allocated by `takeRun`, and the caller is done with it.
    unsafe run.start.deallocate()
  }
}
