import SimulatedDisk
import Testing

@testable import Entities
@testable import make_data

@Suite struct `The file of facts` {
  @Test func `is made from the tables, always the same`() throws {
    let tables = try FactFolder(path: PokedexTable.root + "Data/facts").tables()
    let bytes = try DexFilePacking.bytes(of: tables)
    #expect(try DexFilePacking.bytes(of: tables) == bytes)
    // Another version of LZ4 may find other matches, so what is compared is what they stand for.
    let committed = PokedexTable.bytes("Data/dex.bin")
    #expect(EmbeddedFacts.bytes() == committed)
    #expect(try contents(bytes) == contents(committed))
    #expect(committed.count < 250_000)
  }

  @Test func `is refused when anything of it is changed or missing`() throws {
    let file = EmbeddedFacts.bytes()
    var random = SplitMix64(seed: 1)
    for _ in 0..<200 {
      var damaged = file
      let bit = Int.random(in: 0..<file.count * 8, using: &random)
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(throws: FactsError.self) { try FactFile(untrusted: damaged) }
      let length = Int.random(in: 0..<file.count, using: &random)
      #expect(throws: FactsError.self) { try FactFile(untrusted: Array(file[..<length])) }
    }
    for length in 0..<24 {
      #expect(throws: FactsError.self) { try FactFile(untrusted: Array(file[..<length])) }
    }
  }

  @Test func `of a newer format is told from a damaged one`() throws {
    var file = EmbeddedFacts.bytes()
    file[8] = 2
    #expect(throws: FactsError.newerFormat(2)) { try FactFile(untrusted: file) }
  }

  /// All kinds of columns, in a table small enough to try every bit.
  private func smallFile() throws -> [UInt8] {
    var text = "number\ttypes\tname\tfr\tcolor\n"
    for row in 0..<24 {
      let number = row % 5 == 0 ? "" : "\(row * 40 - 300)"
      let name = "Ninja\(row)"
      text += "\(number)\t\(row % 3 == 0 ? "a,b" : "b")\t\(name)\t"
      text += "\(row % 4 == 0 ? "é\(row)" : name)\t\(row % 2 == 0 ? "red" : "blue")\n"
    }
    let table = try FactTable(name: "species", text: Array(text.utf8))
    return try DexFilePacking.bytes(of: [table])
  }

  @Test func `gives its columns back, whatever their kind`() throws {
    let table = try FactFile(untrusted: smallFile()).table(.species)
    #expect(table.columnNames == ["number", "types", "name", "fr", "color"])
    #expect(try table.integers("number")[0...2] == [nil, -260, -220])
    #expect(try table.lists("types")[0...1] == [["a", "b"], ["b"]])
    #expect(try table.texts("fr")[3...4] == ["Ninja3", "é4"])
    #expect(try table.texts("color")[0...1] == ["red", "blue"])
    #expect(throws: FactsError.missingColumn(table: "species", column: "hp")) {
      try table.integers("hp")
    }
    #expect(throws: FactsError.missingColumn(table: "species", column: "number")) {
      try table.texts("number")
    }
  }

  @Test func `with a checksum that fits does not trap, whatever else it says`() throws {
    let file = try smallFile()
    var refused = 0
    for bit in 128..<file.count * 8 {
      var damaged = file
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      if refuses(damaged) { refused += 1 }
    }
    for length in 24..<file.count {
      var cut = Array(file[..<length])
      for byte in 0..<4 { cut[16 + byte] = UInt8(truncatingIfNeeded: length >> (8 * byte)) }
      #expect(refuses(cut))
    }
    #expect(refused > file.count)
  }

  /// True where the file, its checksum put right, cannot be read to the end.
  private func refuses(_ file: [UInt8]) -> Bool {
    var file = file
    let checksum = EmbeddedFacts.checksum(of: file[16...])
    for byte in 0..<4 { file[12 + byte] = UInt8(truncatingIfNeeded: checksum >> UInt32(8 * byte)) }
    do {
      _ = try contents(file)
      return false
    } catch {
      return true
    }
  }

  /// All columns of all tables as text.
  private func contents(_ file: [UInt8]) throws(FactsError) -> [[String]] {
    let file = try FactFile(untrusted: file)
    var contents: [[String]] = []
    for name in FactFile.TableName.allCases {
      let table: FactColumns
      do {
        table = try file.table(name)
      } catch .missingTable {
        continue
      }
      for column in table.columnNames { contents.append(try cells(table, column)) }
    }
    return contents
  }

  private func cells(_ table: FactColumns, _ column: String) throws(FactsError) -> [String] {
    do {
      return try table.integers(column).map { $0.map(String.init) ?? "" }
    } catch .missingColumn {}
    do {
      return try table.lists(column).map { $0.joined(separator: ",") }
    } catch .missingColumn {}
    return try table.texts(column)
  }

  @Test(arguments: ["", "a\tb\n1\n", "a\n\u{FFFD}", "a\nb"])
  func `is not made from a table that is none`(text: String) {
    #expect(throws: FactError.self) { try FactTable(name: "x", text: Array(text.utf8)) }
  }
}
