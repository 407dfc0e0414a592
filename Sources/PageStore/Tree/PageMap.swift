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
  /// for so many, but for some more than the file has.
  ///
  /// - Throws: `.system` with `ENOMEM` where there are not even so many.
  convenience init(
    reserving byteCount: Int, for file: any StoreFile, pageByteCount: Int
  ) throws(StoreError) {
    let fileByteCount = min(try file.byteCount(), byteCount)
    // Mappings are aligned to 2 MiB.
    let least =
      ((fileByteCount + fileByteCount / 4 + Self.leastSpareByteCount) >> 21 + 1) << 21
    var byteCount = byteCount
    do throws(StoreError) {
      try self.init(file: file, pageByteCount: pageByteCount, reservedByteCount: byteCount)
      return
    } catch {
      if !error.isLackOfMemory || byteCount <= least { throw error }
    }
    var isRoom = false
    while !isRoom && byteCount > least {
      byteCount = max(byteCount / 2, least)
      isRoom = try Self.isRoom(for: file, byteCount)
    }
    // Half of what there is stays for the rest of the process.
    byteCount = max(byteCount / 2, least)
    try self.init(file: file, pageByteCount: pageByteCount, reservedByteCount: byteCount)
  }

  /// True where `file` can be mapped over `byteCount` bytes of addresses now.
  private static func isRoom(
    for file: any StoreFile, _ byteCount: Int
  ) throws(StoreError) -> Bool {
    do throws(StoreError) {
      _ = try file.map(byteCount: byteCount, writable: false)
      return true
    } catch {
      if error.isLackOfMemory { return false }
      throw error
    }
  }

  /// The least room for the file to grow, in bytes.
  private static let leastSpareByteCount = 16 << 20

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

  /// Computes the checksum of `page`, which was verified as `id`, once more.
  ///
  /// Forgets that it was verified where the bytes are others by now, so that readers find out too.
  ///
  /// `checksum` is that of its version, or 0 where the parent does not know it yet.
  ///
  /// - Throws: `.corrupt` where it differs.
  func prove(_ page: PageBytes, _ id: PageID, checksum: UInt32) throws(StoreError) {
    let expected = checksum != 0 ? checksum : view.verifiedChecksum(of: id)
    let computed = Checksum.ofPage(page, pageByteCount: pageByteCount)
    if computed == expected { return }
    // A parent in memory still takes the checksum from there.
    if checksum != 0 { view.setVerified(id, 0) }
    throw damage(.checksum(stored: expected, computed: computed), id)
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

  /// Forgets what was verified of the pages from `pageCount` on, which are about to be cut off.
  ///
  /// No state that is whole has pages there; one that points there is to find that out.
  func forget(pagesFrom pageCount: Int) {
    let end: Int
    do throws(StoreError) {
      end = try filePageCount()
    } catch {
      return
    }
    if pageCount >= end { return }
    for index in pageCount..<end { view.setVerified(PageID(UInt32(index)), 0) }
    for index in 0..<end {
      view.forgetRun(PageID(UInt32(index)), endingAfter: pageCount << pageShift)
    }
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

extension StoreError {
  /// True where the system has no memory, or no addresses: ENOMEM.
  fileprivate var isLackOfMemory: Bool {
    switch self {
    case .system(.map, _, let errno), .system(.memory, _, let errno): errno == 12
    default: false
    }
  }
}
