internal import CDexShim
internal import Synchronization

/// The pages of the main file as this process sees them: mapped once, checked when first read.
///
/// A page's address is `base + number × pageByteCount` for the life of the store, also when the file
/// grows. Beside the mapping stands the checksum of each page's version that this process has
/// verified (0: none): a page is trusted where that is the checksum in its parent's pointer, and is
/// otherwise read through `pread`, so that a bad sector is an error and no signal, and checked.
final class PageMap: Sendable {
  let file: any StoreFile
  let pageByteCount: Int
  let pageShift: Int
  /// One past the last page that the reserved range of addresses has room for.
  let pageLimit: Int
  let view: PageMapView
  /// The newest transaction that any page may have been born in.
  private let newestTransaction = Atomic<UInt64>(0)
  /// The fork generation of the process that mapped the file.
  let generation: UInt32
  private let mapping: any FileMapping
  private let verifiedTable: LazyTable
  private let verifiedRunTable: LazyTable
  private let privateTable: LazyTable

  /// Maps `file` over at least `reservedByteCount` bytes of addresses.
  init(file: any StoreFile, pageByteCount: Int, reservedByteCount: Int) throws(StoreError) {
    let mapping = try file.map(byteCount: reservedByteCount, writable: false)
    let pageLimit = min(reservedByteCount / pageByteCount, Int(UInt32.max))
    let verified = try LazyTable(byteCount: pageLimit * 4, path: file.path)
    let verifiedRuns = try LazyTable(byteCount: pageLimit * 8, path: file.path)
    let privatePages = try LazyTable(byteCount: pageLimit * 8, path: file.path)
    self.file = file
    self.pageByteCount = pageByteCount
    self.pageShift = pageByteCount.trailingZeroBitCount
    self.pageLimit = pageLimit
    self.mapping = mapping
    generation = dex_fork_generation()
    verifiedTable = verified
    verifiedRunTable = verifiedRuns
    privateTable = privatePages
    // Safe: the tables are zeroed memory for that many atomics and live as long as the map.
    unsafe view = PageMapView(
      base: UnsafeRawPointer(mapping.base), shift: pageByteCount.trailingZeroBitCount,
      verified: verified.pointer.bindMemory(to: Atomic<UInt32>.self, capacity: pageLimit),
      verifiedRuns: verifiedRuns.pointer.bindMemory(to: Atomic<UInt64>.self, capacity: pageLimit),
      privatePages: privatePages.pointer.bindMemory(to: Atomic<UInt>.self, capacity: pageLimit))
  }

  /// Notes that there is a state as new as `transaction`, so that pages may have been born in it.
  func noteState(_ transaction: TransactionNumber) {
    newestTransaction.max(transaction.rawValue, ordering: .acquiringAndReleasing)
  }

  /// Maps `file` over `byteCount` bytes of addresses, or over fewer where the process has none left
  /// for so many, but for at least 1 GiB and four times the file.
  convenience init(
    reserving byteCount: Int, for file: any StoreFile, pageByteCount: Int
  ) throws(StoreError) {
    let least = max(1 << 30, try file.byteCount().multipliedReportingOverflow(by: 4).partialValue)
    var byteCount = byteCount
    while true {
      do throws(StoreError) {
        try self.init(file: file, pageByteCount: pageByteCount, reservedByteCount: byteCount)
        return
      } catch {
        let isShort =
          switch error {
          case .system(.map, _, let errno), .system(.memory, _, let errno): errno == 12  // ENOMEM
          default: false
          }
        if !isShort || byteCount / 2 < least { throw error }
        byteCount /= 2
      }
    }
  }

  /// Lays private memory over the pages of `range`, for replaying a log that cannot be written.
  func overlayMemory(_ range: Range<Int>) throws(StoreError) {
    try mapping.overlayMemory(range.lowerBound << pageShift..<range.upperBound << pageShift)
  }

  /// The address of page `id` where it was overlaid with memory.
  func overlaidPage(_ id: PageID) -> MutablePageBytes {
    // Safe: the caller overlaid the page before.
    unsafe MutablePageBytes(mapping.base + id.index << pageShift)
  }

  /// Reads and checks page `id`, and remembers that it was.
  ///
  /// - Throws: `.corrupt` with the page and what is wrong; `.system(.read, …)` becomes
  ///   `.unreadable` damage, since it is this page that cannot be read.
  func verify(
    _ id: PageID, checksum: UInt32, level: Int, table: UInt32
  ) throws(StoreError) -> PageBytes {
    if id < .firstAfterMetas || id.index >= pageLimit {
      throw damage(.outOfBounds(id, pageCount: pageLimit), id)
    }
    let mapped = view.mapped(id)
    if view.verifiedChecksum(of: id) != checksum || checksum == 0 {
      // Safe: freed when this is done, and nothing keeps it.
      let memory = UnsafeMutableRawPointer.allocate(byteCount: pageByteCount, alignment: 64)
      defer { unsafe memory.deallocate() }
      let buffer = unsafe MutablePageBytes(memory)
      try read(id, into: buffer)
      let page = buffer.reading
      if let problem = page.problem(
        asPage: id, checksum: checksum, pageByteCount: pageByteCount, pageLimit: pageLimit)
      {
        throw damage(problem, id)
      }
      if !page.fits(level: level, table: table) { throw misfit(page, id, level: level) }
      if page.birth.rawValue > newestTransaction.load(ordering: .acquiring) {
        throw damage(.field("birth", page.birth.rawValue), id)
      }
      view.setVerified(id, checksum)
    } else if !mapped.fits(level: level, table: table) {
      throw misfit(mapped, id, level: level)
    }
    return mapped
  }

  /// Reads and checks the overflow run behind `reference`.
  func verifyRun(_ reference: OverflowReference) throws(StoreError) {
    let pages = reference.pageCount(pageByteCount: pageByteCount)
    let id = reference.first
    if id < .firstAfterMetas || id.index + pages > pageLimit {
      throw damage(.outOfBounds(id, pageCount: pageLimit), id)
    }
    // Read in pieces, so that a lying length cannot ask for memory.
    var crc: UInt32 = 0
    var done = 0
    let piece = min(1 << 20, reference.valueByteCount)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: max(piece, 1), alignment: 16)
    // Safe: nothing keeps it.
    defer { unsafe buffer.deallocate() }
    while done < reference.valueByteCount {
      let length = min(piece, reference.valueByteCount - done)
      // Safe: `length` is at most the buffer's.
      let part = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[0..<length])
      let count = try unsafe readBytes(into: part, at: id.index << pageShift + done, of: id)
      if count < length { throw damage(.truncated(byteCount: done + count), id) }
      // Safe: the bytes were just read.
      crc = unsafe dex_crc32c(crc, UnsafeRawPointer(part.baseAddress.unsafelyUnwrapped), length)
      done += length
    }
    let computed = crc == 0 ? 1 : crc
    if computed != reference.checksum {
      throw damage(.checksum(stored: reference.checksum, computed: computed), id)
    }
    view.setVerifiedRun(reference)
  }

  /// The error that says that `problem` is in page `id`.
  func damage(_ problem: Damage.Problem, _ id: PageID) -> StoreError {
    .corrupt(Damage(path: file.path, page: id, problem))
  }

  /// The error that says that `page` is none of `level`, or of another table's tree.
  func misfit(_ page: PageBytes, _ id: PageID, level: Int) -> StoreError {
    if page.level == level { return damage(.field("table", UInt64(page.table)), id) }
    return damage(.wrongKind(UInt8(page.kind), level: UInt8(page.level)), id)
  }

  /// The pages that the file has and that this map has room for.
  func filePageCount() throws(StoreError) -> Int {
    min(try file.byteCount() / pageByteCount, pageLimit)
  }

  /// Throws where a state of `pageCount` pages has some that this map has no room for.
  func checkRoom(forPages pageCount: Int) throws(StoreError) {
    if pageCount > pageLimit {
      throw .fileTooLarge(path: file.path, maximum: pageLimit * pageByteCount)
    }
  }

  /// Reads page `id` from the file into `buffer`, without checking it.
  func read(_ id: PageID, into buffer: MutablePageBytes) throws(StoreError) {
    // Safe: the buffer holds a whole page.
    let whole = unsafe UnsafeMutableRawBufferPointer(start: buffer.start, count: pageByteCount)
    let count = try unsafe readBytes(into: whole, at: id.index << pageShift, of: id)
    if count < pageByteCount { throw damage(.truncated(byteCount: count), id) }
  }

  /// Reads, and turns a device's refusal into damage of page `id`.
  private func readBytes(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int, of id: PageID
  ) throws(StoreError) -> Int {
    do throws(StoreError) {
      // Safe: the caller lends the buffer.
      return try unsafe file.read(into: buffer, at: offset)
    } catch {
      if case .system(.read, _, let errno) = error { throw damage(.unreadable(errno: errno), id) }
      throw error
    }
  }
}

/// The addresses by which pages are found, as plain numbers for the hot paths.
///
/// A value is good as long as its `PageMap` lives.
@safe struct PageMapView: Sendable {
  private let base: UInt
  let shift: Int
  private let verified: UInt
  private let verifiedRuns: UInt
  private let privatePages: UInt

  init(
    base: UnsafeRawPointer, shift: Int, verified: UnsafeMutablePointer<Atomic<UInt32>>,
    verifiedRuns: UnsafeMutablePointer<Atomic<UInt64>>,
    privatePages: UnsafeMutablePointer<Atomic<UInt>>
  ) {
    self.base = UInt(bitPattern: base)
    self.shift = shift
    self.verified = UInt(bitPattern: verified)
    self.verifiedRuns = UInt(bitPattern: verifiedRuns)
    self.privatePages = UInt(bitPattern: privatePages)
  }

  /// Page `id` in the mapping, good to read once it was verified.
  @inline(__always) func mapped(_ id: PageID) -> PageBytes {
    // Safe: page numbers from validated pages are below the map's limit.
    unsafe PageBytes(
      UnsafeRawPointer(bitPattern: base &+ UInt(id.rawValue) &<< UInt(shift)).unsafelyUnwrapped)
  }

  /// The checksum of the version of page `id` that was verified here, or 0.
  @inline(__always) func verifiedChecksum(of id: PageID) -> UInt32 {
    // Safe: as above, and the table has an entry for every page of the map.
    unsafe UnsafePointer<Atomic<UInt32>>(bitPattern: verified &+ UInt(id.rawValue) &<< 2)
      .unsafelyUnwrapped.pointee.load(ordering: .acquiring)
  }

  func setVerified(_ id: PageID, _ checksum: UInt32) {
    // Safe: as above.
    unsafe UnsafePointer<Atomic<UInt32>>(bitPattern: verified &+ UInt(id.rawValue) &<< 2)
      .unsafelyUnwrapped.pointee.store(checksum, ordering: .releasing)
  }

  /// True where the run was verified here with the checksum and the length of `reference`.
  @inline(__always) func isVerified(_ reference: OverflowReference) -> Bool {
    // Safe: as above.
    let verified =
      unsafe UnsafePointer<Atomic<UInt64>>(
        bitPattern: verifiedRuns &+ UInt(reference.first.rawValue) &<< 3
      ).unsafelyUnwrapped.pointee.load(ordering: .acquiring)
    return verified == PageMapView.version(of: reference)
  }

  func setVerifiedRun(_ reference: OverflowReference) {
    // Safe: as above.
    unsafe UnsafePointer<Atomic<UInt64>>(
      bitPattern: verifiedRuns &+ UInt(reference.first.rawValue) &<< 3
    ).unsafelyUnwrapped.pointee.store(PageMapView.version(of: reference), ordering: .releasing)
  }

  /// What tells a run's version: a checksum alone would let a longer reference pass.
  @inline(__always) private static func version(of reference: OverflowReference) -> UInt64 {
    UInt64(reference.checksum) &<< 32 | UInt64(truncatingIfNeeded: reference.valueByteCount)
  }

  /// The writer's private copy of tree page `id`, where it has one that is not in the file yet.
  @inline(__always) func privatePage(_ id: PageID) -> PageBytes? {
    let entry = privateEntry(id)
    if entry.rawValue == 0 || entry.isRun { return nil }
    // Safe: an entry is a live buffer's address or 0.
    return unsafe PageBytes(UnsafeRawPointer(bitPattern: entry.address).unsafelyUnwrapped)
  }

  /// The writer's private copy of the run that starts at `id`, with its length in pages.
  func privateRun(_ id: PageID) -> (bytes: PageBytes, pageCount: Int)? {
    let entry = privateEntry(id)
    if !entry.isRun { return nil }
    // Safe: as above.
    let bytes = unsafe PageBytes(UnsafeRawPointer(bitPattern: entry.address).unsafelyUnwrapped)
    return (bytes, entry.runPageCount)
  }

  /// What is private under the number `id`.
  @inline(__always) func privateEntry(_ id: PageID) -> PrivateEntry {
    // Safe: the table has an entry for every page of the map.
    PrivateEntry(
      rawValue: unsafe UnsafePointer<Atomic<UInt>>(
        bitPattern: privatePages &+ UInt(id.rawValue) &<< 3
      ).unsafelyUnwrapped.pointee.load(ordering: .acquiring))
  }

  /// Enters or clears what is private under the number `id`.
  func setPrivateEntry(_ id: PageID, _ entry: PrivateEntry) {
    // Safe: as above.
    unsafe UnsafePointer<Atomic<UInt>>(bitPattern: privatePages &+ UInt(id.rawValue) &<< 3)
      .unsafelyUnwrapped.pointee.store(entry.rawValue, ordering: .releasing)
  }
}

/// A buffer that is entered under a page's number: the private copy of a tree page or of a run.
///
/// The address, a multiple of 64 below 2^48, in the lower 42 bits, and above it the length of a run
/// in pages, or 0 for a page of a tree. So a run is never taken for a page, nor for a longer one,
/// whatever a file says.
@safe struct PrivateEntry {
  let rawValue: UInt

  static let none = PrivateEntry(rawValue: 0)

  @inline(__always) init(rawValue: UInt) { self.rawValue = rawValue }

  /// The tree page at `page`, or with `runPageCount` the run.
  init(_ page: MutablePageBytes, runPageCount: Int = 0) {
    // Safe: the number is turned back while the buffer is lent.
    let address = unsafe UInt(bitPattern: page.start)
    precondition(address & 63 == 0 && address >> 48 == 0, "a buffer at \(address)")
    precondition(runPageCount >> 22 == 0, "a run of \(runPageCount) pages")
    rawValue = address >> 6 | UInt(runPageCount) << 42
  }

  @inline(__always) var isRun: Bool { rawValue >> 42 != 0 }
  /// The length of the run in pages; 0 for a page of a tree.
  var runPageCount: Int { Int(rawValue >> 42) }
  @inline(__always) var address: UInt { (rawValue &<< 22) &>> 16 }
}

/// Zeroed memory of which only what is touched costs anything.
@safe final class LazyTable: Sendable {
  private let address: UInt
  private let byteCount: Int

  init(byteCount: Int, path: String) throws(StoreError) {
    var pointer: UnsafeMutableRawPointer?
    // Safe: a fresh anonymous mapping that belongs to this object.
    let result = unsafe dex_map_private(byteCount, &pointer)
    if result < 0 { throw .system(.memory, path: path, errno: -result) }
    address = UInt(bitPattern: pointer)
    self.byteCount = byteCount
  }

  /// The first byte.
  var pointer: UnsafeMutableRawPointer {
    // Safe: mapped in the initialiser, until the table goes.
    unsafe UnsafeMutableRawPointer(bitPattern: address).unsafelyUnwrapped
  }

  deinit {
    // Safe: mapped in the initialiser, and nobody holds the table any more.
    unsafe dex_unmap(pointer, byteCount)
  }
}
