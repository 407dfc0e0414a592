internal import Synchronization

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

  /// Forgets the run that starts at page `id`, where it ends after `end` bytes of the file.
  func forgetRun(_ id: PageID, endingAfter end: Int) {
    // Safe: as above.
    let entry = unsafe UnsafePointer<Atomic<UInt64>>(
      bitPattern: verifiedRuns &+ UInt(id.rawValue) &<< 3
    ).unsafelyUnwrapped
    let version = unsafe entry.pointee.load(ordering: .relaxed)
    if version != 0 && id.index << shift + Int(version & 0xFFFF_FFFF) > end {
      // Safe: as above.
      unsafe entry.pointee.store(0, ordering: .releasing)
    }
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
