/// Where a value lies that is too large for a leaf: a run of whole pages that holds nothing else.
///
/// The value starts at the first byte of `first`, so that a reader gets one span, and the run is as
/// long as it needs. 24 bytes in a leaf's cell: first page (u32), byte count (u32), CRC-32C of the
/// value (u32; 0 is written as 1), zero (u32), birth of the run (u64).
struct OverflowReference: Equatable {
  static let byteCount = 24

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
