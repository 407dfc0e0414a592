import PageStore
import SimulatedDisk
import Testing

@testable import Index

@Suite struct `Building an index` {
  private static let rowCount = 4000

  /// Names that share long beginnings, so that prefixes are split several times.
  private func names(_ row: Int) -> [String] {
    row % 5 == 0 ? ["user\(row)", "Äxel other\(row % 7)"] : ["user\(row)"]
  }

  private func matches(_ prefix: String, atStart: Bool) -> [UInt64] {
    (0..<Self.rowCount).filter { row in
      names(row).contains { name in
        let words = NameFolding.words(of: name)
        return (atStart ? Array(words.prefix(1)) : words).contains { $0.hasPrefix(prefix) }
      }
    }.map { UInt64($0) }
  }

  private func expectNames(_ store: Store) throws {
    let index = NameIndex("names")
    let snapshot = try store.snapshot()
    let table = try snapshot.table("names")
    let prefixes = [
      "u", "us", "use", "user", "user1", "user12", "user123", "user1234", "user12345",
      "o", "other", "other3", "axel", "axelx",
    ]
    for prefix in prefixes {
      let start = try index.rows(withPrefix: prefix, at: .start, in: table)
      #expect(start.map(\.rawValue) == matches(prefix, atStart: true), "\(prefix)")
      let all = try index.rows(withPrefix: prefix, in: table)
      #expect(all.map(\.rawValue) == matches(prefix, atStart: false), "\(prefix)")
    }
    var checker = IndexChecker(index)
    for row in 0..<Self.rowCount {
      try checker.visit(RowID(rawValue: UInt64(row)), .names(names(row)), in: table)
    }
    let report = try checker.finish(in: table) { (row) throws(IndexError) in
      .names(names(Int(row.rawValue)))
    }
    #expect(report.isSound, "\(report.problems)")
    var comparison = try IndexComparison(index, in: table)
    for row in 1..<Self.rowCount {
      comparison.add(RowID(rawValue: UInt64(row)), .names(names(row)))
    }
    #expect(try !comparison.agrees(in: table))
    comparison.add(RowID(rawValue: 0), .names(names(0)))
    #expect(try comparison.agrees(in: table))
    #expect(try index.isSplit(NameWord(.start, "user"), in: table))
    #expect(try index.isSplit(NameWord(.start, "user1"), in: table))
    #expect(try !index.isSplit(NameWord(.start, "user12"), in: table))
  }

  @Test func `row by row splits what has many rows`() throws {
    let store = try Store.inMemory()
    var random = SplitMix64(seed: 3)
    let order = (0..<Self.rowCount).shuffled(using: &random)
    try store.write { (transaction) throws(IndexError) in
      let index = NameIndex("names")
      let table = try index.create(in: &transaction)
      for row in order {
        try index.insert(RowID(rawValue: UInt64(row)), names(row), in: table, of: &transaction)
      }
    }
    try expectNames(store)
    // Taking all away leaves no row in any list.
    try store.write { (transaction) throws(IndexError) in
      let index = NameIndex("names")
      let table = try index.create(in: &transaction)
      for row in order {
        try index.remove(RowID(rawValue: UInt64(row)), names(row), in: table, of: &transaction)
      }
    }
    let snapshot = try store.snapshot()
    let table = try snapshot.table("names")
    var checker = IndexChecker(NameIndex("names"))
    let report = try checker.finish(in: table) { (_) throws(IndexError) in .names([]) }
    #expect(report.isSound)
    #expect(report.pairCount == 0)
  }

  @Test(arguments: [1 << 10, 60_000, 64 << 20])
  func `at once gives what row by row gives`(byteLimit: Int) throws {
    let store = try Store.inMemory()
    var random = SplitMix64(seed: 4)
    let order = (0..<Self.rowCount).shuffled(using: &random)
    let numbers = (0..<Self.rowCount).map { Int64($0 % 777) * 1_000_003 - 300_000_000 }
    try store.write { (transaction) throws(IndexError) in
      let index = NameIndex("names")
      let table = try index.create(in: &transaction)
      var builder = NameIndexBuilder(index, byteLimit: byteLimit)
      for row in order {
        builder.add(RowID(rawValue: UInt64(row)), names(row))
        if builder.isFull { try builder.flush(in: table, of: &transaction) }
      }
      try builder.flush(in: table, of: &transaction)

      let numeric = NumericIndex("numbers")
      let numericTable = try numeric.create(in: &transaction)
      var numericBuilder = NumericIndexBuilder(numeric, byteLimit: byteLimit)
      for row in order {
        numericBuilder.add(RowID(rawValue: UInt64(row)), NumericKey(numbers[row]))
        if numericBuilder.isFull {
          try numericBuilder.flush(in: numericTable, of: &transaction)
        }
      }
      try numericBuilder.flush(in: numericTable, of: &transaction)
    }
    try expectNames(store)
    let snapshot = try store.snapshot()
    let table = try snapshot.table("numbers")
    let numeric = NumericIndex("numbers")
    for row in 0..<Self.rowCount where row % 37 == 0 {
      let found = try numeric.number(of: RowID(rawValue: UInt64(row)), in: table)
      #expect(found?.integer == numbers[row])
    }
    let middle = try numeric.rows(
      from: NumericKey(-5_000_000), through: NumericKey(99_000_000), in: table)
    #expect(
      middle.map { Int($0.rawValue) }
        == numbers.indices.filter { (-5_000_000...99_000_000).contains(numbers[$0]) })
    #expect(try numeric.count(in: table) == Self.rowCount)
  }

  @Test func `anew begins with an empty table`() throws {
    let store = try Store.inMemory()
    let index = TermIndex("terms")
    try store.write { (transaction) throws(IndexError) in
      let table = try index.create(in: &transaction)
      try index.insert(RowID(rawValue: 1), [1], in: table, of: &transaction)
      try transaction.clearIndex(table)
      var builder = TermIndexBuilder(index)
      for row in 0..<100_000 { try builder.add(RowID(rawValue: UInt64(row)), [UInt8(row % 3)]) }
      try builder.flush(in: table, of: &transaction)
    }
    let snapshot = try store.snapshot()
    let table = try snapshot.table("terms")
    #expect(try index.count(of: [1], in: table) == 33_333)
    let rows = try index.rows(with: [2], from: RowID(rawValue: 50_000), limit: 2, in: table)
    #expect(rows.map(\.rawValue) == [50_000, 50_003])
  }

  @Test func `refuses a second number and a term that is too long`() throws {
    let store = try Store.inMemory()
    let tooLong = IndexError.termTooLong(index: "t", byteCount: 509, maximum: 508)
    try store.write { (transaction) throws(IndexError) in
      let index = TermIndex("t")
      let table = try index.create(in: &transaction)
      do throws(IndexError) {
        let term = [UInt8](repeating: 0, count: 509)
        try index.insert(RowID(rawValue: 1), term, in: table, of: &transaction)
        Issue.record("a term that is too long was taken")
      } catch {
        #expect(error == tooLong)
      }
      let numeric = NumericIndex("n")
      let numericTable = try numeric.create(in: &transaction)
      var builder = NumericIndexBuilder(numeric)
      builder.add(RowID(rawValue: 7), NumericKey(1))
      builder.add(RowID(rawValue: 7), NumericKey(2))
      do throws(IndexError) {
        try builder.flush(in: numericTable, of: &transaction)
        Issue.record("two numbers were taken")
      } catch {
        #expect(error == .hasNumber(index: "n", RowID(rawValue: 7)))
      }
    }
  }
}
