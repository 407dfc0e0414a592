internal import CDexShim
internal import CLZ4

/// All tables in one file, each compressed by itself.
///
/// Data/README.md describes the bytes.
enum DexFilePacking {
  /// The columns that hold several names in a cell.
  private static let listColumns: Set = ["types", "abilities", "egg_groups", "differs"]

  /// The file that holds `tables`; the same tables always give the same bytes.
  static func bytes(of tables: [FactTable]) throws(FactError) -> [UInt8] {
    var directory = ByteSink()
    var contents = ByteSink()
    let contentsStart = 24 + 24 * tables.count
    for (number, table) in tables.enumerated() {
      let plain = try columns(of: table)
      let stored = compressed(plain)
      directory.put(UInt16(number + 1))
      directory.put(UInt16(table.columns.count))
      directory.put(UInt32(table.rows.count))
      directory.put(UInt32(contentsStart + contents.bytes.count))
      directory.put(UInt32(stored.count))
      directory.put(UInt32(plain.count))
      directory.put(UInt32(0))
      contents.put(stored)
    }
    var body = ByteSink()
    body.put(UInt32(contentsStart + contents.bytes.count))
    body.put(UInt32(tables.count))
    body.put(directory.bytes)
    body.put(contents.bytes)
    var file = ByteSink()
    file.put("DEXFACTS".utf8)
    file.put(UInt32(1))
    file.put(checksum(body.bytes))
    file.put(body.bytes)
    return file.bytes
  }

  /// The columns of `table` behind each other, each with its name, kind and length.
  private static func columns(of table: FactTable) throws(FactError) -> [UInt8] {
    var sink = ByteSink()
    for (place, column) in table.columns.enumerated() {
      let packing = try ColumnPacking(
        table.cells(of: column), isLists: listColumns.contains(column),
        earlier: table.columns[..<place].map(table.cells(of:)))
      sink.put(UInt8(column.utf8.count))
      sink.put(column.utf8)
      sink.put(packing.kind.rawValue)
      sink.put(UInt32(packing.bytes.count))
      sink.put(packing.bytes)
    }
    return sink.bytes
  }

  /// `plain` as an LZ4 block, or itself where that is not shorter.
  private static func compressed(_ plain: [UInt8]) -> [UInt8] {
    var block = [UInt8](repeating: 0, count: Int(LZ4_compressBound(CInt(plain.count))))
    let capacity = CInt(block.count)
    // Safe: both buffers are alive, and as long as the call is told.
    let count = unsafe plain.withUnsafeBytes { source in
      unsafe block.withUnsafeMutableBytes { target in
        unsafe LZ4_compress_HC(
          source.baseAddress, target.baseAddress, CInt(source.count), capacity, LZ4HC_CLEVEL_MAX)
      }
    }
    return count > 0 && count < plain.count ? Array(block[..<Int(count)]) : plain
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    // Safe: the buffer is alive, and as long as the call is told.
    unsafe bytes.withUnsafeBytes { buffer in
      guard let start = buffer.baseAddress else { return 0 }
      return unsafe dex_crc32c(0, start, buffer.count)
    }
  }
}
