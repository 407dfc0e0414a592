internal import PageStore

/// One step of answering a query, with what is known of it before and after.
///
/// Steps are made once for a query: nested ones of a kind are joined, double negations fall away,
/// and the steps of an intersection are ordered from the one with the fewest rows.
struct PlanStep {
  enum Kind {
    case rows(PostingSet)
    /// The union of lists of one index.
    case lists(index: String, NameLists)
    case range(NumericRange)
    /// The rows of the first `positiveCount` children that the other children do not have.
    case intersection(positiveCount: Int)
    case union
  }

  let kind: Kind
  let operation: String
  var estimate: Int
  var rowCount: Int?
  var cost = ReadingCost()
  var children: [PlanStep] = []

  init(_ kind: Kind, _ operation: String, estimate: Int, children: [PlanStep] = []) {
    self.kind = kind
    self.operation = operation
    self.estimate = estimate
    self.children = children
  }

  /// The step that answers `query`.
  init<Tables: IndexTables & ~Copyable>(
    _ query: IndexQuery, universe: IndexQuery, in tables: borrowing Tables
  ) throws(IndexError) {
    switch query {
    case .everything: self = try PlanStep(universe, universe: .nothing, in: tables)
    case .nothing: self.init(.rows(.empty), "nothing", estimate: 0)
    case .rows(let rows): self.init(.rows(rows), "given rows", estimate: rows.count)
    case .term(let index, let term):
      let list = TermIndex(index).list(of: term)
      try self.init(
        index, NameLists(lists: [list], rows: .empty), "term \(term.printable) of \(index)",
        in: tables)
    case .word(let index, let word, let place):
      try self.init(
        index, NameIndex(index).lists(forWord: word, at: place),
        "word '\(word)' \(place.name)of \(index)", in: tables)
    case .prefix(let index, let prefix, let place):
      var cost = ReadingCost()
      let lists = try tables.withTable(index) { (table) throws(IndexError) in
        try NameIndex(index).lists(forPrefix: prefix, at: place, in: table, &cost)
      }
      try self.init(index, lists, "prefix '\(prefix)' \(place.name)of \(index)", in: tables)
      self.cost.cellCount += cost.cellCount
    case .range(let index, let lower, let upper):
      let range = NumericIndex(index).range(lower, upper)
      var cost = ReadingCost()
      let estimate = try tables.withTable(index) { (table) throws(IndexError) in
        try range.estimate(in: table, &cost)
      }
      self.init(.range(range), "range of \(index)", estimate: estimate)
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

  /// The step that joins `lists`.
  private init<Tables: IndexTables & ~Copyable>(
    _ index: String, _ lists: NameLists, _ operation: String, in tables: borrowing Tables
  ) throws(IndexError) {
    var estimate = lists.rows.count
    try tables.withTable(index) { (table) throws(IndexError) in
      for list in lists.lists { estimate += try list.count(in: table) }
    }
    self.init(.lists(index: index, lists), operation, estimate: estimate)
    cost.cellCount = lists.lists.count
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
      .intersection(positiveCount: positives.count),
      negatives.isEmpty ? "intersect" : "intersect and subtract the last \(negatives.count)",
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
      .union, "unite", estimate: children.reduce(0) { $0 + $1.estimate }, children: children)
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
