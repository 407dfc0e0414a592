import PageStore
import SimulatedDisk
import Testing

@testable import Index

/// An index whose cells were changed behind its back: never a trap, and `check` finds it.
@Suite struct `A damaged index` {
  private static let rowCount: UInt64 = 700

  private static func makeStore() throws -> Store {
    let store = try Store.inMemory()
    try store.write { (transaction) throws(IndexError) in
      let terms = try TermIndex("terms").create(in: &transaction)
      let numbers = try NumericIndex("numbers").create(in: &transaction)
      let names = try NameIndex("names").create(in: &transaction)
      for row in 0..<rowCount {
        let id = RowID(rawValue: row * 40)
        try TermIndex("terms").insert(id, term(row), in: terms, of: &transaction)
        try NumericIndex("numbers").insert(
          id, NumericKey(number(row)), in: numbers, of: &transaction)
        try NameIndex("names").insert(id, [name(row)], in: names, of: &transaction)
      }
    }
    return store
  }

  private static func term(_ row: UInt64) -> [UInt8] { [UInt8(row % 2)] }
  private static func number(_ row: UInt64) -> Int64 { Int64(row % 100) - 50 }
  private static func name(_ row: UInt64) -> String { "pi\(row % 3) ra\(row)" }

  private struct Row: Equatable {
    var key: [UInt8]
    var value: [UInt8]
  }

  private static func cells(of name: String, in store: Store) throws -> [Row] {
    let snapshot = try store.snapshot()
    let table = try snapshot.table(name)
    var rows: [Row] = []
    var cursor = table.cursor()
    while try cursor.next() {
      let value = try cursor.value
      rows.append(Row(key: cursor.key.array, value: value.array))
    }
    return rows
  }

  /// Does all that can be done with the index; errors of the index are well.
  private static func use(_ name: String, _ store: Store) throws -> IndexReport? {
    let snapshot = try store.snapshot()
    let queries: [IndexQuery] =
      switch name {
      case "terms": [.term(index: name, [0]), .term(index: name, [1])]
      case "numbers":
        [
          .range(index: name, from: nil, through: nil),
          .range(index: name, from: NumericKey(3), through: NumericKey(4)),
        ]
      default:
        [
          .prefix(index: name, "p", at: .anywhere), .prefix(index: name, "ra12", at: .anywhere),
          .word(index: name, "pi1", at: .start),
        ]
      }
    for query in queries + [.any(queries), .all(queries)] {
      do throws(IndexError) {
        _ = try query.rows(in: snapshot, universe: .nothing)
        _ = try query.count(in: snapshot, universe: .nothing)
        _ = try query.first(5, in: snapshot, universe: .nothing)
      } catch {
        guard case .corrupt(let index, _, _) = error else {
          Issue.record("\(error)")
          continue
        }
        #expect(index == name)
      }
    }
    return try check(name, in: snapshot)
  }

  private static func value(_ name: String, _ row: UInt64) -> IndexedValue {
    switch name {
    case "terms": .terms(row % 40 == 0 && row / 40 < rowCount ? [term(row / 40)] : [])
    case "numbers":
      .number(row % 40 == 0 && row / 40 < rowCount ? NumericKey(number(row / 40)) : nil)
    default: .names(row % 40 == 0 && row / 40 < rowCount ? [self.name(row / 40)] : [])
    }
  }

  /// What a comparison says, which tells nothing but whether the index is sound.
  private static func agrees(
    _ name: String, _ table: Table, _ visit: () throws(StoreError) -> Void = {}
  ) throws -> Bool {
    var comparison =
      switch name {
      case "terms": IndexComparison(TermIndex(name))
      case "numbers": IndexComparison(NumericIndex(name))
      default: try IndexComparison(NameIndex(name), in: table)
      }
    for row in 0..<rowCount {
      comparison.add(RowID(rawValue: row * 40), value(name, row * 40))
    }
    return try comparison.agrees(in: table, visit)
  }

  private static func check(_ name: String, in snapshot: Snapshot) throws -> IndexReport? {
    let table = try snapshot.table(name)
    let agrees = try agrees(name, table)
    var checker =
      switch name {
      case "terms": IndexChecker(TermIndex(name), limit: 5)
      case "numbers": IndexChecker(NumericIndex(name), limit: 5)
      default: IndexChecker(NameIndex(name), limit: 5)
      }
    do throws(IndexError) {
      for row in 0..<rowCount {
        try checker.visit(RowID(rawValue: row * 40), value(name, row * 40), in: table)
      }
      let report = try checker.finish(in: table) { (row) throws(IndexError) in
        value(name, row.rawValue)
      }
      #expect(report.problems.count == min(5, report.problemCount))
      #expect(agrees == report.isSound, "\(report.problems)")
      return report
    } catch {
      guard case .corrupt = error else {
        Issue.record("\(error)")
        return nil
      }
      #expect(!agrees)
      return nil
    }
  }

  @Test(arguments: ["terms", "numbers", "names"])
  func `is sound before it was damaged`(name: String) throws {
    let store = try Self.makeStore()
    let report = try #require(try Self.use(name, store))
    #expect(report.isSound, "\(report.problems)")
    let listed = report.pairCount
    #expect(listed >= Int(Self.rowCount))
  }

  @Test(arguments: ["terms", "numbers", "names"], UInt64(0)..<6)
  func `never traps and is found out`(name: String, seed: UInt64) throws {
    let store = try Self.makeStore()
    var random = SplitMix64(seed: seed)
    let cells = try Self.cells(of: name, in: store)
    for _ in 0..<25 {
      let cell = cells[random.number(in: 0..<cells.count)]
      var damaged = cell
      switch random.number(in: 0..<5) {
      case 0: damaged.value = Array(cell.value.prefix(random.number(in: 0..<cell.value.count)))
      case 1:
        let bit = random.number(in: 0..<8 * cell.value.count)
        damaged.value[bit / 8] ^= 1 << UInt8(bit % 8)
      case 2:
        let bit = random.number(in: 0..<8 * cell.key.count)
        damaged.key[bit / 8] ^= 1 << UInt8(bit % 8)
      case 3: damaged.key.append(7)
      default: damaged.key = Array(cell.key.dropLast())
      }
      if damaged == cell || damaged.key.isEmpty { continue }
      let overwritten = cells.first { $0.key == damaged.key }
      try Self.change(store, name, from: cell, to: damaged)
      if let report = try Self.use(name, store) {
        // A mark of a split prefix may go where nothing needs it; here there are none.
        #expect(!report.isSound, "\(cell) became \(damaged)")
      }
      try Self.change(store, name, from: damaged, to: cell)
      if let overwritten { try Self.change(store, name, from: overwritten, to: overwritten) }
    }
    let report = try #require(try Self.use(name, store))
    #expect(report.isSound)
  }

  @Test(arguments: EvenDamage.allCases)
  func `is found out where all counts are as they were`(damage: EvenDamage) throws {
    let store = try Self.makeStore()
    let before = try #require(try Self.check(damage.index, in: try store.snapshot()))
    try store.write { (transaction) throws(IndexError) in
      let table: TableHandle
      do throws(StoreError) {
        table = try transaction.table(damage.index)
      } catch {
        throw .store(error)
      }
      try damage.apply(to: table, of: &transaction)
    }
    let snapshot = try store.snapshot()
    #expect(try !Self.agrees(damage.index, try snapshot.table(damage.index)))
    let after = try #require(try Self.check(damage.index, in: snapshot))
    #expect(after.pairCount == before.pairCount)
    #expect(!after.isSound)
  }

  @Test func `stops being compared when one is asked to`() throws {
    let store = try Self.makeStore()
    let snapshot = try store.snapshot()
    for name in ["terms", "numbers", "names"] {
      let table = try snapshot.table(name)
      var visitCount = 0
      #expect(try Self.agrees(name, table) { () throws(StoreError) in visitCount += 1 })
      for last in [1, visitCount] {
        var count = 0
        #expect(throws: IndexError.store(.cancelled)) {
          try Self.agrees(name, table) { () throws(StoreError) in
            count += 1
            if count == last { throw .cancelled }
          }
        }
        #expect(count == last)
      }
    }
  }

  private static func change(
    _ store: Store, _ name: String, from old: Row, to new: Row
  ) throws {
    try store.write { transaction in
      let table = try transaction.table(name)
      try transaction.delete(old.key, in: table)
      try transaction.put(new.key, new.value, in: table)
    }
  }
}

/// Damages that leave every count of an index as it was, so that only what is counted gives them
/// away.
enum EvenDamage: CaseIterable {
  case movedTerm, exchangedTerms, otherRowWithTerm
  case exchangedNumbers, exchangedNumbersInLists, exchangedNumbersInSlices, otherRowWithNumber
  case exchangedNames, otherRowWithName, movedToOtherPrefix

  var index: String {
    switch self {
    case .movedTerm, .exchangedTerms, .otherRowWithTerm: "terms"
    case .exchangedNumbers, .exchangedNumbersInLists, .exchangedNumbersInSlices,
      .otherRowWithNumber:
      "numbers"
    case .exchangedNames, .otherRowWithName, .movedToOtherPrefix: "names"
    }
  }

  /// Rows 40 and 80 have terms 1 and 0, numbers -49 and -48, and the names below; 41 is no row.
  func apply(to table: TableHandle, of transaction: inout WriteTransaction) throws(IndexError) {
    let (first, second, stranger) = (RowID(rawValue: 40), RowID(rawValue: 80), RowID(rawValue: 41))
    let terms = TermIndex("terms")
    let numbers = NumericIndex("numbers")
    let names = NameIndex("names")
    let (low, high) = (NumericKey(-49), NumericKey(-48))
    let (one, two) = (["pi1 ra1"], ["pi2 ra2"])
    switch self {
    case .movedTerm:
      _ = try terms.remove(first, [1], in: table, of: &transaction)
      _ = try terms.insert(first, [0], in: table, of: &transaction)
    case .exchangedTerms:
      _ = try terms.remove(first, [1], in: table, of: &transaction)
      _ = try terms.remove(second, [0], in: table, of: &transaction)
      _ = try terms.insert(first, [0], in: table, of: &transaction)
      _ = try terms.insert(second, [1], in: table, of: &transaction)
    case .otherRowWithTerm:
      _ = try terms.remove(first, [1], in: table, of: &transaction)
      _ = try terms.insert(stranger, [1], in: table, of: &transaction)
    case .exchangedNumbers:
      try numbers.remove(first, low, in: table, of: &transaction)
      try numbers.remove(second, high, in: table, of: &transaction)
      try numbers.insert(first, high, in: table, of: &transaction)
      try numbers.insert(second, low, in: table, of: &transaction)
    case .exchangedNumbersInLists:
      _ = try numbers.list(of: low).remove(first, in: table, of: &transaction)
      _ = try numbers.list(of: high).remove(second, in: table, of: &transaction)
      _ = try numbers.list(of: low).insert(second, in: table, of: &transaction)
      _ = try numbers.list(of: high).insert(first, in: table, of: &transaction)
    case .exchangedNumbersInSlices:
      let slices = NumericSlices(index: "numbers")
      try slices.change(first, low, isSet: false, in: table, of: &transaction)
      try slices.change(second, high, isSet: false, in: table, of: &transaction)
      try slices.change(first, high, isSet: true, in: table, of: &transaction)
      try slices.change(second, low, isSet: true, in: table, of: &transaction)
    case .otherRowWithNumber:
      try numbers.remove(first, low, in: table, of: &transaction)
      try numbers.insert(stranger, low, in: table, of: &transaction)
    case .exchangedNames:
      try names.update(first, from: one, to: two, in: table, of: &transaction)
      try names.update(second, from: two, to: one, in: table, of: &transaction)
    case .otherRowWithName:
      try names.remove(first, one, in: table, of: &transaction)
      try names.insert(stranger, one, in: table, of: &transaction)
    case .movedToOtherPrefix:
      let (right, wrong) = (NameWord(.anywhere, "ra1"), NameWord(.anywhere, "ra2"))
      _ = try right.prefixList(of: "names").remove(first, in: table, of: &transaction)
      _ = try wrong.prefixList(of: "names").insert(first, in: table, of: &transaction)
    }
  }
}

/// A name index of which one prefix has so many rows that longer ones have lists.
@Suite struct `A split prefix` {
  private static let rowCount: UInt64 = 1100

  private static func name(_ row: UInt64) -> String { "abc\(row % 7)" }

  private static func check(_ store: Store) throws -> Bool {
    let snapshot = try store.snapshot()
    let table = try snapshot.table("names")
    var comparison = try IndexComparison(NameIndex("names"), in: table)
    for row in 0..<rowCount { comparison.add(RowID(rawValue: row), .names([name(row)])) }
    return try comparison.agrees(in: table)
  }

  @Test(arguments: [false, true])
  func `is missed, and its mark is`(isMark: Bool) throws {
    let store = try Store.inMemory()
    try store.write { (transaction) throws(IndexError) in
      let table = try NameIndex("names").create(in: &transaction)
      for row in 0..<Self.rowCount {
        try NameIndex("names").insert(
          RowID(rawValue: row), [Self.name(row)], in: table, of: &transaction)
      }
    }
    #expect(try Self.check(store))
    let isThere = try store.write { transaction in
      let table = try transaction.table("names")
      let split = NameWord(.anywhere, "abc")
      let list = NameWord(.anywhere, "abc3").prefixList(of: "names")
      return try transaction.delete(isMark ? split.splitKey : list.headKey, in: table)
    }
    #expect(isThere)
    #expect(try !Self.check(store))
  }
}
