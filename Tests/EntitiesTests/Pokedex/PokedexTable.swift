import Glibc
import Testing

/// A table of tab-separated cells in this package, read apart from the library.
struct PokedexTable: Sendable {
  let columns: [String]
  let rows: [[String]]

  static let species = PokedexTable("Data/facts/species.tsv")
  static let forms = PokedexTable("Data/facts/forms.tsv")
  static let names = PokedexTable("Data/facts/names.tsv")
  static let typechart = PokedexTable("Data/facts/typechart.tsv")
  static let moves = PokedexTable("Data/facts/moves.tsv")
  static let oracle = PokedexTable("Data/expected/oracle.tsv")
  static let quests = PokedexTable("Data/expected/quests.tsv")
  static let questEvents = PokedexTable("Data/expected/questevents.tsv")

  /// The folder that the package is in, with a slash at its end.
  static let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/") + "/"

  init(_ path: String) {
    let text = String(decoding: Self.bytes(path), as: UTF8.self)
    let lines = text.split(separator: "\n").map { line in
      line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    columns = lines.first ?? []
    rows = Array(lines.dropFirst())
  }

  /// The rows as cells by the names of their columns.
  var records: [[String: String]] {
    rows.map { Dictionary(uniqueKeysWithValues: zip(columns, $0)) }
  }

  static func bytes(_ path: String) -> [UInt8] {
    guard let file = fopen(root + path, "r") else {
      Issue.record("there is no \(path)")
      return []
    }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      if count <= 0 { return bytes }
      bytes += buffer[..<count]
    }
  }
}

extension [String: String] {
  /// The cell of that column, which must be there.
  func cell(_ column: String) -> String {
    guard let cell = self[column] else {
      Issue.record("no column \(column)")
      return ""
    }
    return cell
  }

  /// The number in that column.
  func number(_ column: String) -> Int { Int(cell(column)) ?? .min }

  /// The names in that column.
  func list(_ column: String) -> [String] { cell(column).split(separator: ",").map(String.init) }
}
