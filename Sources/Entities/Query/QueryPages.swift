internal import Index
internal import PageStore

/// Answers that come from indexes alone, in order and no further than they are needed.
extension QueryExecution {
  /// The first records, where the indexes know both which they are and their order; else nil.
  func idsFromIndexes() throws(DatabaseError) -> [EntityID]? {
    guard let plan, plan.isExact else { return nil }
    if order.isByID { return page(try first(wanted, plan.query)) }
    guard query.limit != nil else { return nil }
    if order.keys.isEmpty { return try rankedIDs(plan.query) }
    return try sortedIDs(plan.query)
  }

  private func page(_ rows: [RowID]) -> [EntityID] {
    rows.dropFirst(query.offset).map { EntityID($0.rawValue) }
  }

  /// Those whose text begins with what was searched, and then the others.
  private func rankedIDs(_ found: IndexQuery) throws(DatabaseError) -> [EntityID]? {
    guard let starts = try planner.starts(query.filter) else { return nil }
    var rows = try first(wanted, .all([found, starts]))
    if rows.count < wanted {
      rows += try first(wanted - rows.count, .all([found, .not(starts)]))
    }
    return page(rows)
  }

  /// By the one number by which an index sorts, and then those that have none.
  private func sortedIDs(_ found: IndexQuery) throws(DatabaseError) -> [EntityID]? {
    guard query.order.count == 1, let index = try planner.sortIndex(query.order[0]) else {
      return nil
    }
    let isDescending = query.order[0].isDescending
    var among: PostingSet?
    if case .everything = test {
    } else {
      among = try rows(found)
      // Few records are sorted sooner than they are found in the index.
      if let among, among.count <= max(256, wanted) { return nil }
    }
    let limit = wanted
    var sorted = try indexing { () throws(IndexError) in
      try indexes.withTable(index) { table throws(IndexError) in
        try NumericIndex(index).ordered(
          descending: isDescending, among: among, limit: limit, in: table)
      }
    }
    if sorted.count < limit {
      let rest = IndexQuery.all([found, .not(.range(index: index, from: nil, through: nil))])
      sorted += try first(limit - sorted.count, rest)
    }
    return page(sorted)
  }

  // MARK: Indexes

  var planner: FilterPlanner {
    FilterPlanner(layout: layout, context: context, language: query.language)
  }

  private var indexes: IndexSource { IndexSource(source: context.source) }

  private var universe: IndexQuery {
    .term(index: IndexMaintenance.everyName(entity: layout.name), [])
  }

  func first(_ limit: Int, _ query: IndexQuery) throws(DatabaseError) -> [RowID] {
    if limit == .max { return Array(try rows(query)) }
    return try indexing { () throws(IndexError) in
      try query.first(limit, in: indexes, universe: universe)
    }
  }

  func rows(_ query: IndexQuery) throws(DatabaseError) -> PostingSet {
    try indexing { () throws(IndexError) in try query.rows(in: indexes, universe: universe) }
  }

  func countRows(_ query: IndexQuery) throws(DatabaseError) -> Int {
    try indexing { () throws(IndexError) in try query.count(in: indexes, universe: universe) }
  }

  private func indexing<Result>(
    _ body: () throws(IndexError) -> Result
  ) throws(DatabaseError) -> Result {
    do throws(IndexError) {
      return try body()
    } catch {
      throw DatabaseError(error, entity: layout.name, field: "*")
    }
  }

  // MARK: Explanation

  /// How the query is answered, a step a line; the indexes are asked for it.
  func explanation() throws(DatabaseError) -> [String] {
    var lines: [String] = []
    if let plan {
      let (_, steps) = try indexing { () throws(IndexError) in
        let isCut = plan.isExact && order.isByID
        return try plan.query.explained(
          limit: isCut ? query.limit.map { _ in wanted } : nil, in: indexes, universe: universe)
      }
      lines += steps.description.split(separator: "\n").map(String.init)
      if !plan.isExact { lines.append("test each record that was found") }
    } else {
      lines.append("test each of \(try context.count(layout)) records of \(layout.name)")
    }
    if !query.groups.isEmpty {
      lines.append("group by " + query.groups.map(\.title).joined(separator: ", "))
    } else if !order.keys.isEmpty {
      let keys = query.order.map { key in
        (key.isDescending ? "-" : "") + key.fields.map(\.title).joined(separator: "+")
      }
      lines.append("sort by " + keys.joined(separator: ", "))
    } else if !order.searches.isEmpty {
      lines.append("matches at the start of a text first")
    }
    if let limit = query.limit { lines.append("at most \(limit)") }
    return lines
  }
}

/// The tables of indexes in a snapshot or a transaction.
struct IndexSource: IndexTables {
  let source: RowSource

  func withTable<Result>(
    _ name: String, _ body: (Table) throws(IndexError) -> Result
  ) throws(IndexError) -> Result {
    let found = try source.withTable(name) { table throws(IndexError) in try body(table) }
    guard let found else { throw .store(.noSuchTable(name)) }
    return found
  }
}
