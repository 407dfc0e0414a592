/// The file of facts: a header with a checksum, a directory of tables, and the compressed tables.
///
/// Data/README.md describes the bytes. Opening checks the header, the checksum and the directory;
/// a table is decompressed when it is asked for.
struct FactFile {
  /// The numbers by which the directory knows the tables.
  enum TableName: UInt16, CaseIterable {
    case species = 1
    case forms = 2
    case names = 3
    case typechart = 4
    case moves = 5
  }

  /// What the directory says of a table.
  private struct Entry {
    let columnCount: Int
    let rowCount: Int
    let stored: Range<Int>
    let byteCount: Int
  }

  /// The newest format that this program knows.
  private static let version: UInt32 = 1
  /// More than any table may become, so that no file makes the program ask for much memory.
  private static let tableByteLimit = 1 << 22
  private static let rowLimit = 1 << 16

  private let bytes: [UInt8]
  private var entries: [UInt16: Entry] = [:]

  /// Takes the bytes of a file, believing nothing they say.
  init(untrusted bytes: [UInt8]) throws(FactsError) {
    self.bytes = bytes
    var reader = FactReader(bytes[...], table: "header")
    guard bytes.count >= 24, try reader.bytes(8).elementsEqual("DEXFACTS".utf8) else {
      throw .notTheFacts
    }
    let version = try reader.number(UInt32.self)
    guard version <= Self.version else { throw .newerFormat(version) }
    let checksum = try reader.number(UInt32.self)
    guard version > 0, checksum == EmbeddedFacts.checksum(of: reader.rest),
      Int(try reader.number(UInt32.self)) == bytes.count
    else { throw .notTheFacts }
    for _ in 0..<(try reader.number(UInt32.self)) {
      let number = try reader.number(UInt16.self)
      entries[number] = try Self.entry(&reader, fileByteCount: bytes.count)
    }
  }

  private static func entry(
    _ reader: inout FactReader, fileByteCount: Int
  ) throws(FactsError) -> Entry {
    let columnCount = Int(try reader.number(UInt16.self))
    let rowCount = Int(try reader.number(UInt32.self))
    let start = Int(try reader.number(UInt32.self))
    let storedCount = Int(try reader.number(UInt32.self))
    let byteCount = Int(try reader.number(UInt32.self))
    _ = try reader.number(UInt32.self)
    guard start + storedCount <= fileByteCount, byteCount <= tableByteLimit, rowCount <= rowLimit
    else { throw reader.failure(.cutShort) }
    return Entry(
      columnCount: columnCount, rowCount: rowCount, stored: start..<start + storedCount,
      byteCount: byteCount)
  }

  /// The table of that name.
  func table(_ name: TableName) throws(FactsError) -> FactColumns {
    guard let entry = entries[name.rawValue] else { throw .missingTable("\(name)") }
    let stored = bytes[entry.stored]
    if stored.count == entry.byteCount {
      return try FactColumns(
        untrusted: stored, table: "\(name)", columnCount: entry.columnCount,
        rowCount: entry.rowCount)
    }
    guard let plain = EmbeddedFacts.decompress(stored, byteCount: entry.byteCount) else {
      throw .damaged(table: "\(name)", column: nil, .compression)
    }
    return try FactColumns(
      untrusted: plain[...], table: "\(name)", columnCount: entry.columnCount,
      rowCount: entry.rowCount)
  }
}
