import PageStore
import SimulatedDisk
import Testing

@testable import Index

/// What every row has, in plain collections.
struct RowModel {
  var terms: [UInt64: Set<[UInt8]>] = [:]
  var numbers: [UInt64: Int64] = [:]
  var names: [UInt64: [String]] = [:]

  var rowNumbers: [UInt64] { Set(terms.keys).union(numbers.keys).union(names.keys).sorted() }

  func rows(where isIn: (UInt64) -> Bool) -> [UInt64] { rowNumbers.filter(isIn) }

  /// The rows by number, those of one number by their own.
  func sortedByNumber(descending: Bool) -> [UInt64] {
    numbers.sorted { left, right in
      if left.value != right.value { return (left.value < right.value) != descending }
      return left.key < right.key
    }.map(\.key)
  }

  /// True where a word of one of the row's names begins with `prefix`.
  func has(_ row: UInt64, prefix: String, atStart: Bool) -> Bool {
    (names[row] ?? []).contains { name in
      let words = NameFolding.words(of: name)
      return (atStart ? Array(words.prefix(1)) : words).contains {
        $0.utf8.starts(with: prefix.utf8)
      }
    }
  }
}

/// The three kinds of index over the same rows.
struct Indexes {
  let terms = TermIndex("terms")
  let numbers = NumericIndex("numbers")
  let names = NameIndex("names")

  func create(in transaction: inout WriteTransaction) throws(IndexError) {
    _ = try terms.create(in: &transaction)
    _ = try numbers.create(in: &transaction)
    _ = try names.create(in: &transaction)
  }

  func check(_ model: RowModel, in snapshot: Snapshot) throws -> [IndexReport] {
    let (terms, numbers, names) = try (
      snapshot.table("terms"), snapshot.table("numbers"), snapshot.table("names")
    )
    var checkers = (IndexChecker(self.terms), IndexChecker(self.numbers), IndexChecker(self.names))
    for row in model.rowNumbers {
      let id = RowID(rawValue: row)
      try checkers.0.visit(id, model.indexedTerms(row), in: terms)
      try checkers.1.visit(id, model.indexedNumber(row), in: numbers)
      try checkers.2.visit(id, .names(model.names[row] ?? []), in: names)
    }
    return [
      try checkers.0.finish(in: terms) { (row) throws(IndexError) in
        model.indexedTerms(row.rawValue)
      },
      try checkers.1.finish(in: numbers) { (row) throws(IndexError) in
        model.indexedNumber(row.rawValue)
      },
      try checkers.2.finish(in: names) { (row) throws(IndexError) in
        .names(model.names[row.rawValue] ?? [])
      },
    ]
  }
}

extension RowModel {
  func indexedTerms(_ row: UInt64) -> IndexedValue { .terms(Array(terms[row] ?? [])) }
  func indexedNumber(_ row: UInt64) -> IndexedValue {
    .number(numbers[row].map { NumericKey($0) })
  }
}

/// Random changes of rows, made to indexes and model alike.
struct RowEdits {
  let indexes = Indexes()
  var random: SplitMix64
  /// How far apart rows lie.
  let spread: UInt64

  static let terms: [[UInt8]] = [
    [], [0], [0, 0], [0, 0xFF], [0xFF], [0xFF, 0xFF], Array("fire".utf8), Array("fir".utf8),
    Array("fire\0".utf8), Array("water".utf8), [UInt8](repeating: 0, count: 508),
  ]
  static let words = [
    "ana", "anna", "an", "a", "bo", "boa", "pikachu", "pikapika", "ピカチュウ", "ピ", "flabébé", "x-y",
    "nidoran♀", "o’neil",
  ]

  mutating func edit(
    _ model: inout RowModel, in transaction: inout WriteTransaction
  ) throws(IndexError) {
    let row = UInt64(random.number(in: 0..<400)) * spread
    let id = RowID(rawValue: row)
    do throws(StoreError) {
      let terms = try transaction.table("terms")
      let numbers = try transaction.table("numbers")
      let names = try transaction.table("names")
      do throws(IndexError) {
        switch random.number(in: 0..<3) {
        case 0: try editTerm(id, &model, terms, &transaction)
        case 1: try editNumber(id, &model, numbers, &transaction)
        default: try editNames(id, &model, names, &transaction)
        }
      } catch {
        Issue.record("\(error)")
      }
    } catch {
      throw .store(error)
    }
  }

  private mutating func editTerm(
    _ row: RowID, _ model: inout RowModel, _ table: TableHandle,
    _ transaction: inout WriteTransaction
  ) throws(IndexError) {
    let term = Self.terms[random.number(in: 0..<Self.terms.count)]
    if random.chance(60) {
      let isNew = try indexes.terms.insert(row, term, in: table, of: &transaction)
      #expect(isNew == model.terms[row.rawValue, default: []].insert(term).inserted)
    } else {
      let wasThere = try indexes.terms.remove(row, term, in: table, of: &transaction)
      #expect(wasThere == (model.terms[row.rawValue]?.remove(term) != nil))
    }
  }

  private mutating func editNumber(
    _ row: RowID, _ model: inout RowModel, _ table: TableHandle,
    _ transaction: inout WriteTransaction
  ) throws(IndexError) {
    let extremes: [Int64] = [.min, .max, 0, -1]
    let number =
      random.chance(10) ? extremes[random.number(in: 0..<4)] : Int64(random.number(in: -9..<90))
    if let old = model.numbers[row.rawValue] {
      if old != number {
        do throws(IndexError) {
          _ = try indexes.numbers.insert(row, NumericKey(number), in: table, of: &transaction)
          Issue.record("a second number was taken")
        } catch {
          #expect(error == .hasNumber(index: "numbers", row))
        }
      }
      let isRemoved = try indexes.numbers.remove(
        row, NumericKey(old), in: table, of: &transaction)
      #expect(isRemoved)
      model.numbers[row.rawValue] = nil
    }
    if random.chance(70) {
      let isNew = try indexes.numbers.insert(row, NumericKey(number), in: table, of: &transaction)
      #expect(isNew)
      model.numbers[row.rawValue] = number
    }
  }

  private mutating func editNames(
    _ row: RowID, _ model: inout RowModel, _ table: TableHandle,
    _ transaction: inout WriteTransaction
  ) throws(IndexError) {
    var names: [String] = []
    for _ in 0..<random.number(in: 0..<3) {
      var words: [String] = []
      for _ in 0..<random.number(in: 1..<4) {
        words.append(Self.words[random.number(in: 0..<Self.words.count)])
      }
      names.append(words.joined(separator: " "))
    }
    try indexes.names.update(
      row, from: model.names[row.rawValue] ?? [], to: names, in: table, of: &transaction)
    model.names[row.rawValue] = names
  }
}

struct Undone: Error, StoreFailure, IndexFailure {
  init() {}
  init(_ error: StoreError) { Issue.record("\(error)") }
  init(_ error: IndexError) { Issue.record("\(error)") }
}

@Suite struct `Three indexes` {
  @Test(arguments: UInt64(0)..<12)
  func `agree with a model after any run of edits, also undone ones`(seed: UInt64) throws {
    let store = try Store.inMemory()
    var edits = RowEdits(
      random: SplitMix64(seed: seed), spread: [1, 97, 1 << 20, 1 << 39][Int(seed % 4)])
    var model = RowModel()
    try store.write { (transaction) throws(IndexError) in
      try edits.indexes.create(in: &transaction)
    }
    for round in 0..<6 {
      try store.write { (transaction) throws(IndexError) in
        for _ in 0..<200 { try edits.edit(&model, in: &transaction) }
        do throws(Undone) {
          try transaction.savepoint { (transaction) throws(Undone) in
            var lost = model
            do throws(IndexError) {
              for _ in 0..<50 { try edits.edit(&lost, in: &transaction) }
            } catch {
              throw Undone(error)
            }
            throw Undone()
          }
        } catch {}
      }
      let snapshot = try store.snapshot()
      try compare(edits.indexes, model, in: snapshot)
      for report in try edits.indexes.check(model, in: snapshot) {
        #expect(report.isSound, "round \(round): \(report.index): \(report.problems)")
      }
    }
  }

  private func compare(
    _ indexes: Indexes, _ model: RowModel, in snapshot: Snapshot
  ) throws {
    let terms = try snapshot.table("terms")
    for term in RowEdits.terms {
      let expected = model.rows { model.terms[$0]?.contains(term) ?? false }
      let rows = try indexes.terms.rows(with: term, in: terms)
      #expect(rows.map(\.rawValue) == expected)
      let count = try indexes.terms.count(of: term, in: terms)
      #expect(count == expected.count)
      let part = try indexes.terms.rows(
        with: term, from: RowID(rawValue: expected.last ?? 5), limit: 3, in: terms)
      #expect(part.map(\.rawValue) == Array(expected.suffix(1)))
    }
    var seen: [[UInt8]] = []
    try indexes.terms.forEachTerm(in: terms) { term, count in
      seen.append(term)
      #expect(count == model.rows { model.terms[$0]?.contains(term) ?? false }.count)
      return true
    }
    let all = Set(model.terms.values.flatMap { $0 })
    #expect(seen == all.sorted { $0.lexicographicallyPrecedes($1) })

    let numbers = try snapshot.table("numbers")
    let ends: [Int64?] = [nil, .min, -5, 0, 17, 40, .max]
    for lower in ends {
      for upper in ends {
        let expected = model.rows { row in
          guard let number = model.numbers[row] else { return false }
          return number >= lower ?? .min && number <= upper ?? .max
        }
        let bounds = (lower.map { NumericKey($0) }, upper.map { NumericKey($0) })
        let rows = try indexes.numbers.rows(from: bounds.0, through: bounds.1, in: numbers)
        #expect(rows.map(\.rawValue) == expected)
        let count = try indexes.numbers.count(from: bounds.0, through: bounds.1, in: numbers)
        #expect(count == expected.count)
        let range = indexes.numbers.range(bounds.0, bounds.1)
        var bySlices: [UInt64] = []
        var cost = ReadingCost()
        if range.lower <= range.upper {
          try NumericSlices(index: "numbers").forEachMatch(
            from: range.lower, through: range.upper, window: .everything, within: nil,
            in: numbers, &cost
          ) { number, rows in
            bySlices += rows.bitmapNumbers.map { RowID(number, $0).rawValue }
          }
        }
        #expect(bySlices == expected)
      }
    }
    let byNumber: [UInt64] = model.sortedByNumber(descending: false)
    let ascending = try indexes.numbers.ordered(limit: 25, in: numbers)
    #expect(ascending.map(\.rawValue) == Array(byNumber.prefix(25)))
    let chosen: [UInt64] = model.sortedByNumber(descending: true).filter { $0 % 3 == 0 }
    let some = PostingSet(chosen.map { RowID(rawValue: $0) })
    let descending = try indexes.numbers.ordered(
      descending: true, among: some, limit: 25, in: numbers)
    #expect(descending.map(\.rawValue) == Array(chosen.prefix(25)))
    let edges = (
      try indexes.numbers.min(in: numbers)?.integer, try indexes.numbers.max(in: numbers)?.integer
    )
    #expect(edges.0 == model.numbers.values.min())
    #expect(edges.1 == model.numbers.values.max())

    let names = try snapshot.table("names")
    for prefix in [
      "a", "an", "ana", "anna", "b", "bo", "boa", "p", "pik", "pika", "pikap", "ピ",
      "ピカ", "flabebe", "y", "nidoranf", "oneil", "zzz", "pikachux",
    ] {
      for place in [WordPlace.start, .anywhere] {
        let spellings = prefix == "nidoranf" ? [prefix, "nidoran♀"] : [prefix]
        let expected = model.rows { row in
          spellings.contains { model.has(row, prefix: $0, atStart: place == .start) }
        }
        let rows = try indexes.names.rows(withPrefix: prefix, at: place, in: names)
        #expect(rows.map(\.rawValue) == expected, "\(prefix)")
      }
      if prefix == "nidoranf" { continue }
      let first = model.rows { model.has($0, prefix: prefix, atStart: true) }
      let other = model.rows { row in
        model.has(row, prefix: prefix, atStart: false)
          && !model.has(row, prefix: prefix, atStart: true)
      }
      let found = try indexes.names.first(20, withPrefix: prefix, in: names)
      #expect(found.map(\.rawValue) == Array((first + other).prefix(20)), "\(prefix)")
    }
  }
}
