/// The map of space, as a checkpoint stores it: which pages are in use, and which of them only wait.
///
/// Bytes, little-endian: the header of `Layout`, the bitmap, and the pending pages in ascending
/// order of their place, 24 bytes each: first page (4), page count (4), birth (8), end (8). The
/// bitmap is either its words, 8 bytes each, or the lengths of its runs in LEB128, used and free in
/// turn from page 0 on, whichever is shorter. The page run that holds the bytes may be longer.
///
/// Checksums are not the map's: the reference to the run carries one for all of it.
package struct SpaceMap: Equatable, Sendable {
  /// The pages in use; those that hold the map are among them.
  package var bitmap: PageBitmap
  /// The pending pages, in use too.
  package var pending: [PendingPage]
  /// The number that the next new table gets; numbers of tables are never given out again.
  package var nextTableID: UInt64
  /// The newest transaction number that was ever given out.
  package var highestTransaction: TransactionNumber
  /// The most pages that the file ever had.
  package var highestPageCount: Int

  package init(
    bitmap: PageBitmap, pending: [PendingPage], nextTableID: UInt64,
    highestTransaction: TransactionNumber, highestPageCount: Int
  ) {
    self.bitmap = bitmap
    self.pending = pending
    self.nextTableID = nextTableID
    self.highestTransaction = highestTransaction
    self.highestPageCount = highestPageCount
  }

  /// The offsets of the header's fields.
  package enum Layout {
    package static let version = 0  // UInt16: 1
    package static let encoding = 2  // UInt16: 0 words, 1 runs
    package static let pageCount = 4  // UInt32
    package static let usedCount = 8  // UInt32
    package static let bitmapByteCount = 12  // UInt32
    package static let pendingCount = 16  // UInt32
    package static let highestPageCount = 20  // UInt32
    package static let nextTableID = 24  // UInt64
    package static let highestTransaction = 32  // UInt64
    package static let byteCount = 40  // UInt64: of all
    package static let headerByteCount = 48
    package static let pendingByteCount = 24
    package static let currentVersion: UInt64 = 1

    /// The lines of the header's table in FORMAT.md.
    package static let rows = [
      FieldRow("version", at: version, 2, "1"),
      FieldRow("encoding", at: encoding, 2, "of the bitmap; 0: words, 1: runs"),
      FieldRow("page count", at: pageCount, 4, "pages that the bitmap speaks of"),
      FieldRow("used count", at: usedCount, 4, "pages in use among them"),
      FieldRow("bitmap size", at: bitmapByteCount, 4, "bytes of the bitmap"),
      FieldRow("pending count", at: pendingCount, 4, "pending runs behind the bitmap"),
      FieldRow("highest page count", at: highestPageCount, 4, "not below the page count"),
      FieldRow("next table", at: nextTableID, 8, "the number that the next new table gets"),
      FieldRow("highest transaction", at: highestTransaction, 8, "newest number given out"),
      FieldRow("size", at: byteCount, 8, "bytes of header, bitmap and pending runs"),
    ]
    /// The lines of the table of a pending run in FORMAT.md.
    package static let pendingRows = [
      FieldRow("first page", at: 0, 4, "number of the run's first page"),
      FieldRow("page count", at: 4, 4, "length of the run, in pages"),
      FieldRow("birth", at: 8, 8, "the first state that sees it"),
      FieldRow("end", at: 16, 8, "the first state that does not see it any more"),
    ]
  }

  /// How the bitmap is written.
  enum BitmapEncoding: UInt64 {
    case words = 0
    case runs = 1
  }
}

// MARK: - Encoding

extension SpaceMap {
  /// No encoding is longer, in bytes.
  package var encodedByteCount: Int {
    Self.encodedByteCount(bitmapPageCount: bitmap.pageCount, pendingCount: pending.count)
  }

  /// The pages that a run must have so that the map still fits once the run itself is in it.
  ///
  /// - Parameters:
  ///   - bytesPerPage: What a page of the run holds of the map.
  ///   - addedPending: How many pending runs may still be added, such as the old map's own.
  /// - Returns: The length of the run, in pages.
  package func runPageCount(bytesPerPage: Int, addedPending: Int = 0) -> Int {
    Self.runPageCount(
      bytesPerPage: bytesPerPage, bitmapPageCount: bitmap.pageCount,
      pendingCount: pending.count + addedPending)
  }

  /// The same for any map whose bitmap speaks of `bitmapPageCount` pages, with `pendingCount` pending
  /// runs.
  package static func runPageCount(
    bytesPerPage: Int, bitmapPageCount: Int, pendingCount: Int
  ) -> Int {
    precondition(bytesPerPage > 1, "\(bytesPerPage) bytes a page")
    var count = 1
    while true {
      let bytes = encodedByteCount(
        bitmapPageCount: bitmapPageCount + count, pendingCount: pendingCount)
      let needed = (bytes + bytesPerPage - 1) / bytesPerPage
      if needed <= count { return count }
      count = needed
    }
  }

  private static func encodedByteCount(bitmapPageCount: Int, pendingCount: Int) -> Int {
    Layout.headerByteCount + (bitmapPageCount + 63) / 64 * 8
      + pendingCount * Layout.pendingByteCount
  }

  /// The map as bytes, `encodedByteCount` at most.
  package func encoded() -> [UInt8] {
    let pending = pending.sorted { $0.first < $1.first }
    checkPending(pending)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(encodedByteCount)
    let wordsByteCount = bitmap.words.count * 8
    let runs = encodedRuns(shorterThan: wordsByteCount)
    let encoding: BitmapEncoding = runs == nil ? .words : .runs
    let bitmapByteCount = runs?.count ?? wordsByteCount
    bytes.append(Layout.currentVersion, byteCount: 2)
    bytes.append(encoding.rawValue, byteCount: 2)
    bytes.append(UInt64(bitmap.pageCount), byteCount: 4)
    bytes.append(UInt64(bitmap.usedCount), byteCount: 4)
    bytes.append(UInt64(bitmapByteCount), byteCount: 4)
    bytes.append(UInt64(pending.count), byteCount: 4)
    bytes.append(UInt64(highestPageCount), byteCount: 4)
    bytes.append(nextTableID, byteCount: 8)
    bytes.append(highestTransaction.rawValue, byteCount: 8)
    let byteCount =
      Layout.headerByteCount + bitmapByteCount + pending.count * Layout.pendingByteCount
    bytes.append(UInt64(byteCount), byteCount: 8)
    if let runs {
      bytes += runs
    } else {
      for word in bitmap.words { bytes.append(word, byteCount: 8) }
    }
    for page in pending {
      bytes.append(UInt64(page.first.rawValue), byteCount: 4)
      bytes.append(UInt64(page.pageCount), byteCount: 4)
      bytes.append(page.birth.rawValue, byteCount: 8)
      bytes.append(page.end.rawValue, byteCount: 8)
    }
    precondition(bytes.count == byteCount, "\(bytes.count) bytes, not \(byteCount)")
    return bytes
  }

  /// Asserts of the sorted pages what `init(untrusted:)` will demand of them.
  private func checkPending(_ pending: [PendingPage]) {
    precondition(
      (bitmap.pageCount...PageBitmap.maximumPageCount).contains(highestPageCount),
      "\(highestPageCount) pages at most, \(bitmap.pageCount) now")
    var end = 2
    for page in pending {
      precondition(page.birth < page.end, "\(page)")
      precondition(page.first.index >= end, "\(page) overlaps the pages before \(end)")
      precondition(bitmap.isUsed(page.indices), "\(page) waits, but is free")
      end = page.indices.upperBound
    }
  }

  private func encodedRuns(shorterThan limit: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    var position = 0
    for range in bitmap.usedRanges {
      if range.lowerBound > position { bytes.appendVariable(range.lowerBound - position) }
      bytes.appendVariable(range.count)
      position = range.upperBound
      guard bytes.count < limit else { return nil }
    }
    if position < bitmap.pageCount { bytes.appendVariable(bitmap.pageCount - position) }
    return bytes.count < limit ? bytes : nil
  }
}

extension [UInt8] {
  /// Appends the low `byteCount` bytes of `value`, lowest first.
  fileprivate mutating func append(_ value: UInt64, byteCount: Int) {
    precondition(byteCount == 8 || value >> UInt64(byteCount * 8) == 0, "\(value) is too large")
    for index in 0..<byteCount { append(UInt8(truncatingIfNeeded: value >> UInt64(index * 8))) }
  }

  /// Appends `value` in LEB128.
  fileprivate mutating func appendVariable(_ value: Int) {
    var rest = UInt64(value)
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }
}
