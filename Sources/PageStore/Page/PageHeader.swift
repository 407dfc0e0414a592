/// What a page is.
enum PageKind {
  static let branch = 1
  static let leaf = 2
}

/// The fields that every tree page starts with, little-endian.
///
/// After them: the common prefix of the page's keys, padded to a multiple of 8; then the slots,
/// growing up; a gap; and the cells, growing down from the page's end.
package enum PageHeader {
  static let checksum = 0  // u32: CRC-32C of the rest of the page; 0 is written as 1
  static let kind = 4  // u8
  static let level = 5  // u8: 0 for a leaf
  static let count = 6  // u16: cells of a leaf, children of a branch
  static let number = 8  // u32: the page's own number
  static let table = 12  // u32: the table's number; 0 is the catalog
  static let birth = 16  // u64: the transaction that wrote the page
  static let cellStart = 24  // u16: offset of the lowest cell
  static let liveByteCount = 26  // u16: bytes of the cells that slots refer to
  static let prefixCount = 28  // u8: length of the common prefix; then a zero byte
  static let capacity = 30  // u16: a branch's room for children; 0 in a leaf
  package static let byteCount = 32

  /// The lines of the table in FORMAT.md.
  package static let rows = [
    FieldRow("checksum", at: checksum, 4, "CRC-32C of the rest of the page; 0 is written as 1"),
    FieldRow("kind", at: kind, 1, "1: branch, 2: leaf"),
    FieldRow("level", at: level, 1, "0 for a leaf"),
    FieldRow("count", at: count, 2, "cells of a leaf, children of a branch"),
    FieldRow("number", at: number, 4, "the page's own number"),
    FieldRow("table", at: table, 4, "the table's number; 0 is the catalog"),
    FieldRow("birth", at: birth, 8, "the transaction that wrote the page"),
    FieldRow("cellStart", at: cellStart, 2, "offset of the lowest cell"),
    FieldRow("liveByteCount", at: liveByteCount, 2, "bytes of the cells that slots refer to"),
    FieldRow("prefixCount", at: prefixCount, 1, "length of the common prefix"),
    FieldRow("capacity", at: capacity, 2, "a branch's room for children; 0 in a leaf"),
  ]
}

extension PageBytes {
  @inline(__always) var checksum: UInt32 { u32(PageHeader.checksum) }
  @inline(__always) var kind: Int { u8(PageHeader.kind) }
  @inline(__always) var level: Int { u8(PageHeader.level) }
  @inline(__always) var count: Int { u16(PageHeader.count) }
  @inline(__always) var number: PageID { PageID(u32(PageHeader.number)) }
  @inline(__always) var table: UInt32 { u32(PageHeader.table) }
  @inline(__always) var birth: TransactionNumber { TransactionNumber(u64(PageHeader.birth)) }
  @inline(__always) var cellStart: Int { u16(PageHeader.cellStart) }
  @inline(__always) var liveByteCount: Int { u16(PageHeader.liveByteCount) }
  @inline(__always) var prefixCount: Int { u8(PageHeader.prefixCount) }
  @inline(__always) var capacity: Int { u16(PageHeader.capacity) }

  /// True where a tree of `table` may have the page at `level`.
  @inline(__always) func fits(level: Int, table: UInt32) -> Bool {
    self.level == level && self.table == table
  }

  /// Where the slots begin: after the header and the padded prefix.
  @inline(__always) var slotStart: Int { PageHeader.byteCount &+ (prefixCount &+ 7) & ~7 }

  /// The prefix that all keys of the page share.
  @inline(__always) var prefix: ByteView { bytes(PageHeader.byteCount, prefixCount) }

  /// How a key stands to the page's prefix: zero where it begins with it, else negative or positive
  /// as the key sorts before or after every key of the page.
  @inline(__always) func compareToPrefix(_ key: ByteView) -> Int {
    let length = prefixCount
    if length == 0 || key.begins(with: bytes(PageHeader.byteCount, length)) { return 0 }
    let order = key.prefix(min(key.count, length)).compare(prefix)
    return order < 0 ? -1 : 1
  }
}

extension MutablePageBytes {
  /// Writes the header and the prefix of an empty page.
  func format(
    kind: Int, level: Int, number: PageID, table: UInt32, birth: TransactionNumber,
    prefix: ByteView, pageByteCount: Int
  ) {
    clear(0, count: PageHeader.byteCount &+ (prefix.count &+ 7) & ~7)
    setU8(PageHeader.kind, kind)
    setU8(PageHeader.level, level)
    setU32(PageHeader.number, number.rawValue)
    setU32(PageHeader.table, table)
    setU64(PageHeader.birth, birth.rawValue)
    setU16(PageHeader.cellStart, pageByteCount)
    setU8(PageHeader.prefixCount, prefix.count)
    copy(prefix, to: PageHeader.byteCount)
  }

  @inline(__always) var count: Int {
    get { reading.count }
    nonmutating set { setU16(PageHeader.count, newValue) }
  }

  @inline(__always) var cellStart: Int {
    get { reading.cellStart }
    nonmutating set { setU16(PageHeader.cellStart, newValue) }
  }

  @inline(__always) var liveByteCount: Int {
    get { reading.liveByteCount }
    nonmutating set { setU16(PageHeader.liveByteCount, newValue) }
  }
}
