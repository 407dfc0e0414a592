/// Where a value lies that is too large for a leaf: a run of whole pages that holds nothing else.
///
/// The value starts at the first byte of `first`, so that a reader gets one span, and the run is as
/// long as it needs. The reference stands in a leaf's cell, little-endian.
package struct OverflowReference: Equatable {
  /// The bytes of a reference.
  package static let byteCount = 24

  /// The lines of the table in FORMAT.md.
  package static let rows = [
    FieldRow("first page", at: 0, 4, "number of the run's first page"),
    FieldRow("byte count", at: 4, 4, "length of the value"),
    FieldRow("checksum", at: 8, 4, "CRC-32C of the value; 0 is written as 1"),
    FieldRow("reserved", at: 12, 4, "zero"),
    FieldRow("birth", at: 16, 8, "the transaction that wrote the run"),
  ]

  var first: PageID
  var valueByteCount: Int
  var checksum: UInt32
  var birth: TransactionNumber

  init(first: PageID, valueByteCount: Int, checksum: UInt32, birth: TransactionNumber) {
    self.first = first
    self.valueByteCount = valueByteCount
    self.checksum = checksum
    self.birth = birth
  }

  /// Reads the reference at `offset` of `page`.
  init(in page: PageBytes, at offset: Int) {
    first = PageID(page.u32(offset))
    valueByteCount = Int(page.u32(offset &+ 4))
    checksum = page.u32(offset &+ 8)
    birth = TransactionNumber(page.u64(offset &+ 16))
  }

  /// Writes the reference at `offset` of `page`.
  func write(to page: MutablePageBytes, at offset: Int) {
    page.setU32(offset, first.rawValue)
    page.setU32(offset &+ 4, UInt32(truncatingIfNeeded: valueByteCount))
    page.setU32(offset &+ 8, checksum)
    page.setU32(offset &+ 12, 0)
    page.setU64(offset &+ 16, birth.rawValue)
  }

  /// The length of the run, in pages of `pageByteCount` bytes.
  func pageCount(pageByteCount: Int) -> Int {
    (valueByteCount &+ pageByteCount &- 1) / pageByteCount
  }
}
