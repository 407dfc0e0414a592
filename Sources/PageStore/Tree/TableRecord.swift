/// What the catalog says of a table: the value under its name.
///
/// Little-endian; the checksum of a root that is not written yet is 0.
package struct TableRecord: Equatable, Sendable {
  /// The bytes of a record.
  package static let byteCount = 32

  /// The lines of the table in FORMAT.md.
  package static let rows = [
    FieldRow("number", at: 0, 4, "the table's number, not 0"),
    FieldRow("root", at: 4, 4, "root page; 0: the table is empty"),
    FieldRow("checksum", at: checksumOffset, 4, "of the root; 0 where there is none"),
    FieldRow("level", at: 12, 1, "of the root"),
    FieldRow("row count", at: 16, 8, "number of rows"),
    FieldRow("reserved", at: 24, 8, "zero"),
  ]

  static let checksumOffset = 8
  /// The number of the catalog itself.
  static let catalogTable: UInt32 = 0

  var id: UInt32
  var root: TreeRoot
  var rowCount: UInt64

  init(id: UInt32, root: TreeRoot, rowCount: UInt64) {
    self.id = id
    self.root = root
    self.rowCount = rowCount
  }

  /// The record in `value`, or nil where the bytes are none of a store of `pageLimit` pages at most.
  ///
  /// With `isWritten` the bytes are a file's, where every root has its checksum.
  init?(untrusted value: ByteView, pageLimit: Int, isWritten: Bool = true) {
    guard value.count == TableRecord.byteCount else { return nil }
    // Safe: the length was just checked.
    let page = unsafe PageBytes(value.start)
    id = page.u32(0)
    root = TreeRoot(page: PageID(page.u32(4)), checksum: page.u32(8), level: page.u8(12))
    rowCount = page.u64(16)
    let isRooted = root.page != .none
    if root.level >= StoreLimits.levelCount || id == TableRecord.catalogTable { return nil }
    if isRooted && (root.page < .firstAfterMetas || root.page.index >= pageLimit) { return nil }
    if isRooted && isWritten && root.checksum == 0 { return nil }
    if !isRooted && (rowCount != 0 || root.level != 0) { return nil }
  }

  /// The record as bytes.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(TableRecord.byteCount)
    func append(_ value: UInt64, _ count: Int) {
      for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * index))) }
    }
    append(UInt64(id), 4)
    append(UInt64(root.page.rawValue), 4)
    append(UInt64(root.checksum), 4)
    append(UInt64(root.level), 4)
    append(rowCount, 8)
    append(0, 8)
    return bytes
  }
}
