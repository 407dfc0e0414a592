internal import Index
internal import PageStore

/// What the indexes can say to a filter: rows among which all matching ones are.
struct FilterPlan {
  var query: IndexQuery
  /// True where all those rows match, so that no record needs to be looked at.
  var isExact: Bool
}

/// Finds what the indexes of an entity can say to filters.
struct FilterPlanner {
  let layout: EntityLayout
  let context: ReadingContext
  let language: String?

  /// The rows of the filter; nil where no index helps.
  func plan(_ filter: Filter, depth: Int = 0) throws(DatabaseError) -> FilterPlan? {
    if depth > FilterCompiler.depthLimit { return nil }
    switch filter {
    case .everything: return FilterPlan(query: .everything, isExact: true)
    case .all(let filters): return try all(filters, depth)
    case .any(let filters): return try any(filters, depth)
    case .not(let filter):
      guard let plan = try plan(filter, depth: depth + 1), plan.isExact else { return nil }
      return FilterPlan(query: .not(plan.query), isExact: true)
    case .id(let id): return one(EntityID(id))
    case .fields: return nil
    default: return try leaf(filter)
    }
  }

  private func all(_ filters: [Filter], _ depth: Int) throws(DatabaseError) -> FilterPlan? {
    var queries: [IndexQuery] = []
    var isExact = true
    for filter in filters {
      if let plan = try plan(filter, depth: depth + 1) {
        queries.append(plan.query)
        isExact = isExact && plan.isExact
      } else {
        isExact = false
      }
    }
    if queries.isEmpty && !isExact { return nil }
    return FilterPlan(query: .all(queries), isExact: isExact)
  }

  private func any(_ filters: [Filter], _ depth: Int) throws(DatabaseError) -> FilterPlan? {
    var queries: [IndexQuery] = []
    var isExact = true
    for filter in filters {
      guard let plan = try plan(filter, depth: depth + 1) else { return nil }
      queries.append(plan.query)
      isExact = isExact && plan.isExact
    }
    return FilterPlan(query: .any(queries), isExact: isExact)
  }

  /// One row, which may not be there.
  private func one(_ id: EntityID) -> FilterPlan {
    let rows = id <= .limit ? PostingSet([id.row]) : .empty
    return FilterPlan(query: .rows(rows), isExact: false)
  }

  // MARK: Stored fields

  private func leaf(_ filter: Filter) throws(DatabaseError) -> FilterPlan? {
    switch filter {
    case .number(let paths, let comparison, let number):
      return try numbers(paths, comparison, number)
    case .range(let paths, let lower, let upper):
      guard let (field, index) = try numeric(paths) else { return nil }
      return range(NumericBounds(from: lower, through: upper, field.kind), index)
    case .has(let path, let names): return try terms(path, names, isExact: true)
    case .exactly(let path, let names): return try terms(path, names, isExact: false)
    case .flag(let path):
      guard let (_, index) = try indexed(path, .terms) else { return nil }
      return FilterPlan(query: .term(index: index, [1]), isExact: true)
    case .present(let path):
      guard let (_, index) = try indexed(path, .numbers) else { return nil }
      return FilterPlan(query: .range(index: index, from: nil, through: nil), isExact: true)
    case .text(let path, let text):
      if let (_, index) = try indexed(path, .words) { return whole(text, index) }
      return try terms(path, [text], isExact: true)
    case .words(let path, let words, let isPhrase):
      guard let (_, index) = try indexed(path, .words) else { return nil }
      return self.words(words, isPhrase, index)
    case .part(let path, let words, let endsWord):
      guard let (_, index) = try indexed(path, .words) else { return nil }
      return try part(words, endsWord, index)
    default: return nil
    }
  }

  /// The stored field of `path` and the name of its index, where that is of this kind.
  private func indexed(
    _ path: FieldPath, _ kind: FieldIndex
  ) throws(DatabaseError) -> (field: FieldDefinition, index: String)? {
    guard case .stored(let field) = try FieldAccess.resolve(path, in: layout),
      field.heldIndex == kind
    else { return nil }
    return (field, IndexMaintenance.tableName(entity: layout.name, field: field.name))
  }

  private func numeric(
    _ paths: [FieldPath]
  ) throws(DatabaseError) -> (field: FieldDefinition, index: String)? {
    paths.count == 1 ? try indexed(paths[0], .numbers) : nil
  }

  private func range(_ bounds: NumericBounds, _ index: String) -> FilterPlan {
    if bounds.isEmpty { return FilterPlan(query: .nothing, isExact: true) }
    return FilterPlan(
      query: .range(index: index, from: bounds.lower, through: bounds.upper), isExact: true)
  }

  private func numbers(
    _ paths: [FieldPath], _ comparison: Comparison, _ number: Number
  ) throws(DatabaseError) -> FilterPlan? {
    if comparison == .equal, paths.count == 1,
      case .id = try FieldAccess.resolve(paths[0], in: layout)
    {
      guard number.numerator >= 0, number.numerator % number.denominator == 0 else {
        return FilterPlan(query: .nothing, isExact: true)
      }
      return one(EntityID(UInt64(number.numerator / number.denominator)))
    }
    if comparison == .equal, paths.count == 1, let (_, index) = try indexed(paths[0], .terms) {
      return term(number, index)
    }
    guard let (field, index) = try numeric(paths) else { return nil }
    let kind = field.kind
    switch comparison {
    case .equal: return range(NumericBounds(from: number, through: number, kind), index)
    case .less:
      return range(NumericBounds(from: nil, through: number, isBelow: true, kind), index)
    case .lessOrEqual: return range(NumericBounds(from: nil, through: number, kind), index)
    case .greater:
      return range(NumericBounds(from: number, isAbove: true, through: nil, kind), index)
    case .greaterOrEqual: return range(NumericBounds(from: number, through: nil, kind), index)
    case .notEqual:
      let equal = range(NumericBounds(from: number, through: number, kind), index)
      return FilterPlan(
        query: .all([.range(index: index, from: nil, through: nil), .not(equal.query)]),
        isExact: true)
    }
  }

  /// The rows whose whole number is just this one: of a reference, those that lead to that record.
  private func term(_ number: Number, _ index: String) -> FilterPlan {
    let (value, rest) = number.numerator.quotientAndRemainder(dividingBy: number.denominator)
    if rest != 0 { return FilterPlan(query: .nothing, isExact: true) }
    let terms = IndexTerms.terms(of: .integer(value))
    return FilterPlan(query: .all(terms.map { .term(index: index, $0) }), isExact: true)
  }

  private func terms(
    _ path: FieldPath, _ names: [String], isExact: Bool
  ) throws(DatabaseError) -> FilterPlan? {
    guard let (field, index) = try indexed(path, .terms) else { return nil }
    // Texts that are searched with the field are not in its index.
    if layout.schema.fields.contains(where: { $0.searchedAs == field.name }) { return nil }
    let terms = names.map { IndexTerms.term(of: $0) }
    if terms.isEmpty { return nil }
    let areWhole = terms.allSatisfy { $0.count < IndexTerms.byteLimit }
    return FilterPlan(
      query: .all(terms.map { .term(index: index, $0) }), isExact: isExact && areWhole)
  }

  private func whole(_ text: String, _ index: String) -> FilterPlan? {
    let words = NameFolding.words(of: text)
    if words.isEmpty { return nil }
    return FilterPlan(
      query: .all(
        words.enumerated().map { place, word in
          .word(index: index, word, at: place == 0 ? .start : .anywhere)
        }), isExact: false)
  }

  private func words(_ words: [String], _ isPhrase: Bool, _ index: String) -> FilterPlan? {
    guard let last = words.last, !last.isEmpty else { return nil }
    var queries: [IndexQuery] = words.dropLast().enumerated().map { place, word in
      .word(index: index, word, at: isPhrase && place == 0 ? .start : .anywhere)
    }
    queries.append(
      .prefix(index: index, last, at: isPhrase && words.count == 1 ? .start : .anywhere))
    let isShort = last.utf8.count <= NameFolding.wordByteCount
    return FilterPlan(
      query: .all(queries), isExact: words.count == 1 && isShort && language == nil)
  }

  /// The rows of consecutive words, of which the first may begin before; they are looked for at once.
  private func part(
    _ words: [String], _ endsWord: Bool, _ index: String
  ) throws(DatabaseError) -> FilterPlan? {
    let most = NameIndex.wholeWordByteCount
    guard let first = words.first, let last = words.last,
      words.allSatisfy({ !$0.isEmpty && $0.utf8.count <= most })
    else { return nil }
    let isOne = words.count == 1
    let found = try rows(withPart: first, endsWord: endsWord || !isOne, index)
    let query = IndexQuery.part(index: index, first, endsWord: endsWord || !isOne, found.rows)
    if isOne { return FilterPlan(query: query, isExact: found.isExact && language == nil) }
    var queries = [query]
    for word in words.dropFirst().dropLast() {
      queries.append(.word(index: index, word, at: .anywhere))
    }
    queries.append(
      endsWord
        ? .word(index: index, last, at: .anywhere) : .prefix(index: index, last, at: .anywhere))
    return FilterPlan(query: .all(queries), isExact: false)
  }

  private func rows(
    withPart part: String, endsWord: Bool, _ index: String
  ) throws(DatabaseError) -> (rows: PostingSet, isExact: Bool) {
    do throws(IndexError) {
      return try IndexSource(source: context.source).withTable(index) { table throws(IndexError) in
        try NameIndex(index).rows(withPart: part, endsWord: endsWord, in: table) {
          () throws(IndexError) in
          if context.isInterrupted?() == true { throw .store(.cancelled) }
        }
      }
    } catch {
      throw DatabaseError(error, entity: layout.name, field: "*")
    }
  }

  // MARK: Ranking

  /// The rows with a text that begins with what one of the searches wants; nil where no index knows.
  func starts(_ filter: Filter) throws(DatabaseError) -> IndexQuery? {
    switch filter {
    case .words(let path, let words, _):
      guard words.count == 1, language == nil, let (_, index) = try indexed(path, .words),
        let plan = self.words(words, true, index), plan.isExact
      else { return nil }
      return plan.query
    case .part(let path, let words, let endsWord):
      guard words.count == 1, language == nil, let (_, index) = try indexed(path, .words),
        words[0].utf8.count <= NameIndex.wholeWordByteCount
      else { return nil }
      return endsWord
        ? .word(index: index, words[0], at: .start) : .prefix(index: index, words[0], at: .start)
    case .all(let filters), .any(let filters):
      var queries: [IndexQuery] = []
      for filter in filters {
        if filter.searches.isEmpty { continue }
        guard let query = try starts(filter) else { return nil }
        queries.append(query)
      }
      return queries.isEmpty ? nil : .any(queries)
    default: return nil
    }
  }

  /// The index by which records can be sorted; nil where there is none.
  func sortIndex(_ key: SortKey) throws(DatabaseError) -> String? {
    try numeric(key.fields)?.index
  }
}

extension Filter {
  /// The filters of words that a record may owe its place to.
  fileprivate var searches: [Filter] {
    switch self {
    case .words, .part: [self]
    case .all(let filters), .any(let filters): filters.flatMap(\.searches)
    default: []
    }
  }
}
