internal import PageStore

/// One step of answering a query, with what is known of it before and after.
///
/// Steps are made once for a query: nested ones of a kind are joined, double negations fall away,
/// and the steps of an intersection are ordered from the one with the fewest rows.
struct PlanStep {
  enum Kind {
    case rows(PostingSet)
    case list(PostingList)
    case range(NumericRange)
    /// The rows of the first `positiveCount` children that the other children do not have.
    case intersection(positiveCount: Int)
    case union
  }

  let kind: Kind
  /// What the step answers, where it is a leaf.
  let query: IndexQuery?
  var estimate: Int
  var rowCount: Int?
  var cost = ReadingCost()
  var children: [PlanStep] = []

  init(_ kind: Kind, _ query: IndexQuery?, estimate: Int, children: [PlanStep] = []) {
    self.kind = kind
    self.query = query
    self.estimate = estimate
    self.children = children
  }

  /// The step that answers `query`.
  init<Tables: IndexTables & ~Copyable>(
    _ query: IndexQuery, universe: IndexQuery, in tables: borrowing Tables
  ) throws(IndexError) {
    switch query {
    case .everything: self = try PlanStep(universe, universe: .nothing, in: tables)
    case .nothing: self.init(.rows(.empty), query, estimate: 0)
    case .rows(let rows), .part(_, _, _, let rows):
      self.init(.rows(rows), query, estimate: rows.count)
    case .term(let index, let term):
      try self.init(TermIndex(index).list(of: term), query, in: tables)
    case .word(let index, let word, let place):
      try self.init(NameIndex(index).list(ofWord: word, at: place), query, in: tables)
    case .prefix(let index, let prefix, let place):
      self = try PlanStep.prefix(NameIndex(index), prefix, place, query, in: tables)
    case .range(let index, let lower, let upper):
      let range = NumericIndex(index).range(lower, upper)
      var cost = ReadingCost()
      let estimate = try tables.withTable(index) { (table) throws(IndexError) in
        try range.estimate(in: table, &cost)
      }
      self.init(.range(range), query, estimate: estimate)
      self.cost = cost
    case .all(let queries):
      self = try PlanStep.intersection(of: queries, universe: universe, in: tables)
    case .any(let queries):
      self = try PlanStep.union(of: queries, universe: universe, in: tables)
    case .not(.not(let query)): self = try PlanStep(query, universe: universe, in: tables)
    case .not:
      self = try PlanStep.intersection(of: [query], universe: universe, in: tables)
    }
  }

  /// The step that reads `list`.
  private init<Tables: IndexTables & ~Copyable>(
    _ list: PostingList, _ query: IndexQuery, in tables: borrowing Tables
  ) throws(IndexError) {
    let estimate = try tables.withTable(list.index) { (table) throws(IndexError) in
      try list.count(in: table)
    }
    self.init(.list(list), query, estimate: estimate)
    cost.cellCount = 1
  }

  /// The step that finds words by their beginning: by a list, or from a few words at once.
  private static func prefix<Tables: IndexTables & ~Copyable>(
    _ index: NameIndex, _ prefix: String, _ place: WordPlace, _ query: IndexQuery,
    in tables: borrowing Tables
  ) throws(IndexError) -> PlanStep {
    var cost = ReadingCost()
    let matches = try tables.withTable(index.name) { (table) throws(IndexError) in
      try index.matches(NameWord(place.kind, prefix.nameWord), in: table, &cost)
    }
    var step: PlanStep
    switch matches {
    case .list(let list): step = try PlanStep(list, query, in: tables)
    case .words(let rows):
      let rows = PostingSet(rows.lazy.map { RowID(rawValue: $0) })
      step = PlanStep(.rows(rows), query, estimate: rows.count)
    }
    step.cost.cellCount += cost.cellCount
    return step
  }

  private static func intersection<Tables: IndexTables & ~Copyable>(
    of queries: [IndexQuery], universe: IndexQuery, in tables: borrowing Tables
  ) throws(IndexError) -> PlanStep {
    var positives: [PlanStep] = []
    var negatives: [PlanStep] = []
    for query in queries.flatMap(\.conjuncts) {
      switch query {
      case .everything: continue
      case .not(.any(let excluded)):
        for query in excluded {
          negatives.append(try PlanStep(query, universe: universe, in: tables))
        }
      case .not(let excluded):
        negatives.append(try PlanStep(excluded, universe: universe, in: tables))
      default: positives.append(try PlanStep(query, universe: universe, in: tables))
      }
    }
    if positives.isEmpty {
      positives = [try PlanStep(universe, universe: .nothing, in: tables)]
    }
    positives.sort { $0.estimate < $1.estimate }
    // What takes the most away comes first.
    negatives.sort { $0.estimate > $1.estimate }
    if positives.count == 1 && negatives.isEmpty { return positives[0] }
    return PlanStep(
      .intersection(positiveCount: positives.count), nil,
      estimate: positives[0].estimate, children: positives + negatives)
  }

  private static func union<Tables: IndexTables & ~Copyable>(
    of queries: [IndexQuery], universe: IndexQuery, in tables: borrowing Tables
  ) throws(IndexError) -> PlanStep {
    var children: [PlanStep] = []
    for query in queries.flatMap(\.disjuncts) {
      children.append(try PlanStep(query, universe: universe, in: tables))
    }
    if children.count == 1 { return children[0] }
    return PlanStep(
      .union, nil, estimate: children.reduce(0) { $0 + $1.estimate }, children: children)
  }
}

extension IndexQuery {
  /// The queries that must all hold, through nested ones.
  fileprivate var conjuncts: [IndexQuery] {
    switch self {
    case .all(let queries): queries.flatMap(\.conjuncts)
    case .not(.not(let query)): query.conjuncts
    default: [self]
    }
  }

  /// The queries of which one must hold, through nested ones.
  fileprivate var disjuncts: [IndexQuery] {
    switch self {
    case .any(let queries): queries.flatMap(\.disjuncts)
    case .not(.not(let query)): query.disjuncts
    default: [self]
    }
  }
}

extension PlanStep {
  /// What the step does, for a reader.
  var operation: String {
    switch kind {
    case .union: return "unite"
    case .intersection(let positiveCount):
      let excludedCount = children.count - positiveCount
      return "intersect" + (excludedCount > 0 ? " and subtract the last \(excludedCount)" : "")
    case .rows, .list, .range:
      switch query {
      case .term(let index, let term): return "term \(term.printable) of \(index)"
      case .word(let index, let word, let place):
        return "word '\(word)' \(place.name)of \(index)"
      case .prefix(let index, let prefix, let place):
        return "prefix '\(prefix)' \(place.name)of \(index)"
      case .part(let index, let part, let endsWord, _):
        return "words \(endsWord ? "that end in" : "with") '\(part)' of \(index)"
      case .range(let index, _, _): return "range of \(index)"
      case .rows: return "given rows"
      default: return "nothing"
      }
    }
  }
}

extension WordPlace {
  fileprivate var name: String { self == .start ? "at the start " : "" }
}

extension [UInt8] {
  /// The bytes as text where they are plain, and in hexadecimal digits where not.
  var printable: String {
    if let text = String(validating: self, as: UTF8.self),
      text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    {
      return "'\(text)'"
    }
    return "0x" + map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
