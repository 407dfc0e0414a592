internal import Glibc

/// A folder with the files of the tables of facts.
struct FactFolder {
  let path: String

  /// The tables that make up the file, in their order.
  func tables() throws(FactError) -> [FactTable] {
    var tables: [FactTable] = []
    for name in ["species", "forms", "names", "typechart", "moves"] {
      let table = try FactTable(name: name, text: Self.read("\(path)/\(name).tsv"))
      tables.append(name == "names" ? try table.spreadByLanguage() : table)
    }
    return tables
  }

  private static func read(_ path: String) throws(FactError) -> [UInt8] {
    // Safe: the file is closed once, after its last use.
    guard let file = unsafe fopen(path, "r") else { throw FactError(table: path, "cannot be read") }
    defer { unsafe fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      // Safe: the buffer is as long as the call is told.
      let count = unsafe fread(&buffer, 1, buffer.count, file)
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
  }

  /// Writes `bytes` to the file at `path`, in place of what it held.
  static func write(_ bytes: [UInt8], to path: String) throws(FactError) {
    // Safe: the file is closed once, after its last use.
    guard let file = unsafe fopen(path, "w") else {
      throw FactError(table: path, "cannot be written")
    }
    // Safe: as many bytes are written as there are.
    let count = unsafe fwrite(bytes, 1, bytes.count, file)
    let closed = unsafe fclose(file)
    guard count == bytes.count, closed == 0 else {
      throw FactError(table: path, "cannot be written whole")
    }
  }
}
