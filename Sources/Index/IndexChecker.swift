public import PageStore

/// What a row should be found under, in an index of the kind that is checked.
public enum IndexedValue: Sendable, Equatable {
  /// The terms of the row in a `TermIndex`.
  case terms([[UInt8]])
  /// The names of the row in a `NameIndex`.
  case names([String])
  /// The number of the row in a `NumericIndex`; nil where it has none.
  case number(NumericKey?)
}

/// Compares an index with the rows that it should hold, in memory that does not grow with either.
///
/// Pass each row once, and then finish. Rows that the index lacks are found as they come. If the
/// index holds more pairs than came, its own pairs are gone through, and the caller is asked about
/// the row of each.
public struct IndexChecker {
  private let kind: Kind
  private let limit: Int
  private var report: IndexReport
  private var expectedPairCount = 0

  private enum Kind {
    case terms(TermIndex)
    case names(NameIndex)
    case numbers(NumericIndex)
  }

  /// A checker of `index` that reports at most `limit` problems.
  public init(_ index: TermIndex, limit: Int = 20) {
    self.init(.terms(index), index.name, limit)
  }

  /// A checker of `index` that reports at most `limit` problems.
  public init(_ index: NameIndex, limit: Int = 20) {
    self.init(.names(index), index.name, limit)
  }

  /// A checker of `index` that reports at most `limit` problems.
  public init(_ index: NumericIndex, limit: Int = 20) {
    self.init(.numbers(index), index.name, limit)
  }

  private init(_ kind: Kind, _ name: String, _ limit: Int) {
    self.kind = kind
    self.limit = limit
    report = IndexReport(index: name)
  }

  // MARK: The rows

  /// Looks whether the index has `row` under all that it should be found under.
  ///
  /// - Throws: What the store throws; damage of the index goes into the report.
  public mutating func visit(
    _ row: RowID, _ value: IndexedValue, in table: Table
  ) throws(IndexError) {
    do throws(IndexError) {
      for key in try keys(of: value, in: table) {
        expectedPairCount += 1
        let list = PostingList(index: report.index, key: key)
        if try !list.contains(row, in: table) { note(.missing(row, term: name(of: key))) }
      }
      if case .numbers(let index) = kind, case .number(let number) = value {
        let found = try index.number(of: row, in: table)
        if found != number { noteSlices(row, found: found, expected: number) }
      }
    } catch {
      try noteDamage(error)
    }
  }

  private mutating func noteSlices(
    _ row: RowID, found: NumericKey?, expected: NumericKey?
  ) {
    if let expected { note(.missing(row, term: "the slices of \(name(of: expected.term))")) }
    if let found { note(.extra(row, term: "the slices of \(name(of: found.term))")) }
  }

  /// The keys of the lists that should have a row.
  private func keys(
    of value: IndexedValue, in table: Table
  ) throws(IndexError) -> Set<[UInt8]> {
    switch (kind, value) {
    case (.terms, .terms(let terms)): return Set(terms.map { TermKey.key(of: $0) })
    case (.numbers, .number(let number)): return Set(number.map { [$0.term] } ?? [])
    case (.names(let index), .names(let names)):
      let words = NameWord.words(of: names)
      var keys = Set(words.map { $0.list(of: index.name).key })
      for prefix in try index.prefixes(of: words, in: table) {
        keys.insert(prefix.prefixList(of: index.name).key)
      }
      return keys
    default: preconditionFailure("\(value) in an index of another kind")
    }
  }

  /// The term of a key, for a reader.
  private func name(of key: [UInt8]) -> String {
    switch kind {
    case .terms: (TermKey.term(of: key) ?? key).printable
    case .numbers: "number 0x" + key.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    case .names: NameWord.description(ofKey: key)
    }
  }

  // MARK: The index

  /// Goes through the index itself, and says what was found in all.
  ///
  /// `value` says what a row should be found under; it is asked only where the index holds pairs
  /// that did not come.
  public mutating func finish<Failure: IndexFailure>(
    in table: Table, value: (RowID) throws(Failure) -> IndexedValue
  ) throws(Failure) -> IndexReport {
    do throws(IndexError) {
      report.pairCount = try countPairs(in: table)
    } catch {
      throw Failure(error)
    }
    if report.pairCount > expectedPairCount || report.problemCount > 0 {
      try findExtras(in: table, value: value)
    }
    if case .numbers(let index) = kind {
      do throws(IndexError) {
        try checkTotal(of: index, in: table)
      } catch {
        throw Failure(error)
      }
    }
    return report
  }

  /// How many pairs all lists have, whose counts are compared with their containers.
  private mutating func countPairs(in table: Table) throws(IndexError) -> Int {
    var pairCount = 0
    var keys: [[UInt8]] = []
    let family = PostingList.Family.head.rawValue
    var start = [family]
    // Some heads at a time, since their containers lie elsewhere.
    while true {
      keys.removeAll(keepingCapacity: true)
      try PostingHeads(index: report.index).forEach(from: start, to: [family + 1], in: table) {
        (key, _) throws(IndexError) in
        keys.append(key.extracting(droppingFirst: 1).array)
        return keys.count < 1000
      }
      guard let last = keys.last else { break }
      for key in keys { pairCount += try countRows(of: key, in: table) }
      start = [family] + last + [0]
    }
    try findStrays(in: table)
    return pairCount
  }

  private mutating func countRows(of key: [UInt8], in table: Table) throws(IndexError) -> Int {
    let list = PostingList(index: report.index, key: key)
    do throws(IndexError) {
      var cost = ReadingCost()
      let stored = try list.count(in: table)
      let found = try list.rows(in: table, &cost).count
      if stored != found {
        throw list.corrupt(.count(stored: UInt64(stored), found: UInt64(found)))
      }
      return found
    } catch {
      try noteDamage(error)
      return 0
    }
  }

  /// Looks for containers of lists that have no head, or whose rows stand in it.
  private mutating func findStrays(in table: Table) throws(IndexError) {
    let family = PostingList.Family.container.rawValue
    var last: [UInt8] = []
    try PostingHeads(index: report.index).forEach(from: [family], to: [family + 1], in: table) {
      (key, _) throws(IndexError) in
      let bytes = key.extracting(droppingFirst: 1).array
      let list = bytes.dropLast(PostingList.numberByteCount)
      if list.elementsEqual(last) { return true }
      last = Array(list)
      var cost = ReadingCost()
      let owner = PostingList(index: report.index, key: last)
      let head = try owner.headOrNil(in: table, &cost)
      if case .containers = head { return true }
      let number = bytes.suffix(PostingList.numberByteCount).reduce(UInt64(0)) {
        $0 << 8 | UInt64($1)
      }
      try noteDamage(owner.corrupt(.stray(number: number)))
      return true
    }
  }

  /// Looks for pairs of the index that its rows do not have.
  private mutating func findExtras<Failure: IndexFailure>(
    in table: Table, value: (RowID) throws(Failure) -> IndexedValue
  ) throws(Failure) {
    var start = [PostingList.Family.head.rawValue]
    while true {
      let list: (key: [UInt8], rows: PostingSet)?
      do throws(IndexError) {
        list = try nextList(from: start, in: table)
      } catch {
        throw Failure(error)
      }
      guard let (key, rows) = list else { return }
      start = [PostingList.Family.head.rawValue] + key + [0]
      for row in rows {
        let expected = try value(row)
        do throws(IndexError) {
          if try !keys(of: expected, in: table).contains(key) {
            note(.extra(row, term: name(of: key)))
          }
        } catch {
          throw Failure(error)
        }
      }
    }
  }

  /// The first list whose head is not before `start`; without rows where it is damaged, which has
  /// been reported.
  private func nextList(
    from start: [UInt8], in table: Table
  ) throws(IndexError) -> (key: [UInt8], rows: PostingSet)? {
    var found: [UInt8]?
    let end = [PostingList.Family.head.rawValue + 1]
    try PostingHeads(index: report.index).forEach(from: start, to: end, in: table) {
      (key, _) throws(IndexError) in
      found = key.extracting(droppingFirst: 1).array
      return false
    }
    guard let found else { return nil }
    do throws(IndexError) {
      var cost = ReadingCost()
      return (found, try PostingList(index: report.index, key: found).rows(in: table, &cost))
    } catch {
      if case .corrupt = error { return (found, .empty) }
      throw error
    }
  }

  private mutating func checkTotal(
    of index: NumericIndex, in table: Table
  ) throws(IndexError) {
    do throws(IndexError) {
      let total = try index.count(in: table)
      if total != report.pairCount { noteCount(total, of: []) }
      let slices = [PostingList.Family.slice.rawValue]
      let (rowCount, stray) = try NumericSlices(index: index.name).census(in: table)
      if rowCount != report.pairCount { noteCount(rowCount, of: slices) }
      if let stray {
        note(.damaged(.corrupt(index: index.name, term: slices, .stray(number: stray))))
      }
    } catch {
      try noteDamage(error)
    }
  }

  private mutating func noteCount(_ stored: Int, of term: [UInt8]) {
    let problem = IndexError.Problem.count(
      stored: UInt64(stored), found: UInt64(report.pairCount))
    note(.damaged(.corrupt(index: report.index, term: term, problem)))
  }

  // MARK: The report

  private mutating func note(_ problem: IndexReport.Problem) {
    report.problemCount += 1
    if report.problems.count < limit { report.problems.append(problem) }
  }

  /// Reports damage of the index; other errors are thrown on.
  private mutating func noteDamage(_ error: IndexError) throws(IndexError) {
    guard case .corrupt = error else { throw error }
    note(.damaged(error))
  }
}
