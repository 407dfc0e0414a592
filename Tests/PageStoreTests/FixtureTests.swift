import Glibc
import PageStore
import Testing

/// Opens copies of databases that earlier versions wrote, and compares all of their rows.
@Suite struct `A database of an earlier version` {
  static let names = ["format-1-closed", "format-1-crashed"]

  @Test(arguments: names)
  func `holds what went in`(name: String) throws {
    let folder = try FixtureFolder(name)
    let expected = FixtureFolder.expectedRows(of: name)
    #expect(expected.count == 5)
    for _ in 0..<2 {
      let store = try Store(path: folder.database)
      #expect(try store.contents() == expected)
      #expect(try store.check().problems == [])
      try store.write { transaction in
        try transaction.put("new", "row", in: try transaction.table("empty"))
        try transaction.delete(Array("new".utf8), in: try transaction.table("empty"))
      }
      try store.close()
      #expect(folder.names == ["a.db"])
    }
    #expect(try Store.check(path: folder.database).isClean)
  }

  @Test(arguments: names)
  func `can be read without changing it`(name: String) throws {
    let folder = try FixtureFolder(name)
    let before = folder.names.map { folder.bytes($0) }
    var options = StoreOptions()
    options.isReadOnly = true
    let store = try Store(path: folder.database, options: options)
    #expect(try store.contents() == FixtureFolder.expectedRows(of: name))
    #expect(try store.check().problems == [])
    try store.close()
    #expect(folder.names.map { folder.bytes($0) } == before)
  }

  @Test(arguments: names)
  func `is checked at rest`(name: String) throws {
    let folder = try FixtureFolder(name)
    let report = try Store.check(path: folder.database)
    #expect(report.problems == [])
    #expect(report.logTransactionCount == (name == "format-1-closed" ? 0 : 12))
  }

  @Test func `is damaged without its log`() throws {
    let folder = try FixtureFolder("format-1-crashed")
    unlink(folder.database + "-log")
    let error = storeError { _ = try Store(path: folder.database) }
    #expect(error == .logMissing(path: folder.database + "-log"))
  }
}

/// A folder with a copy of a fixture.
private struct FixtureFolder {
  private let folder: TestFolder

  var database: String { folder.database }
  var names: [String] { folder.names }
  func bytes(_ name: String) -> [UInt8]? { folder.bytes(name) }

  init(_ name: String) throws {
    folder = try TestFolder()
    copy("Tests/Fixtures/" + name, to: folder.database)
    if name.hasSuffix("crashed") {
      copy("Tests/Fixtures/" + name + "-log", to: folder.database + "-log")
      // The zeros that were cut off.
      let geometry = LogGeometry.standard
      truncate(
        folder.database + "-log", geometry.start(ofHalf: 1) + geometry.initialHalfByteCount)
    }
  }

  private func copy(_ source: String, to path: String) {
    let bytes = ProjectFiles.bytes(of: source)
    guard let file = fopen(path, "w") else { return }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
  }

  /// The rows that the text beside the fixture names.
  static func expectedRows(of name: String) -> [String: CareModel.Rows] {
    var tables: [String: CareModel.Rows] = [:]
    var table = ""
    for line in ProjectFiles.lines(of: "Tests/Fixtures/\(name).txt") {
      let words = line.split(separator: " ")
      if words.first == "table" {
        table = String(decoding: bytes(of: words[1]), as: UTF8.self)
        tables[table] = [:]
      } else if words.first == "row" {
        tables[table]?[bytes(of: words[1])] = bytes(of: words[2])
      }
    }
    return tables
  }

  private static func bytes(of text: Substring) -> [UInt8] {
    if text == "." { return [] }
    let digits = Array(text.utf8).map { $0 < 58 ? $0 - 48 : $0 - 87 }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
