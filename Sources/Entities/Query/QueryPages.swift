internal import Index
internal import PageStore

/// Answers that come from indexes alone, in order and no further than they are needed.
extension QueryExecution {
  /// The first records, where the indexes know both which they are and their order; else nil.
  func idsFromIndexes() throws(DatabaseError) -> [EntityID]? {
    guard let plan, plan.isExact else { return nil }
    if order.isByID {
      if isDeep { return page(try rows(plan.query), offset: query.offset, limit: query.limit) }
      return page(try first(wanted, plan.query))
    }
    guard query.limit != nil else { return nil }
    if order.keys.isEmpty { return try rankedIDs(plan.query) }
    return try sortedIDs()
  }

  /// True where so many are left out that to find them all at once is faster than one after another.
  private var isDeep: Bool { query.offset > 1024 }

  private func page(_ rows: [RowID]) -> [EntityID] {
    rows.dropFirst(query.offset).map { EntityID($0.rawValue) }
  }

  private func page(_ rows: PostingSet, offset: Int, limit: Int?) -> [EntityID] {
    rows.rows(at: offset..<max(offset, offset.addingSaturating(limit ?? .max))).map {
      EntityID($0.rawValue)
    }
  }

  /// Those whose text begins with what was searched, and then the others.
  private func rankedIDs(_ found: IndexQuery) throws(DatabaseError) -> [EntityID]? {
    guard let starts = try planner.starts(query.filter) else { return nil }
    if isDeep, let limit = query.limit {
      let all = try rows(found)
      let best = try rows(.all([.rows(all), starts]))
      let ids = page(best, offset: query.offset, limit: limit)
      if ids.count == limit { return ids }
      let offset = max(0, query.offset - best.count)
      return ids + page(all.subtracting(best), offset: offset, limit: limit - ids.count)
    }
    var rows = try first(wanted, .all([found, starts]))
    if rows.count < wanted {
      rows += try first(wanted - rows.count, .all([found, .not(starts)]))
    }
    return page(rows)
  }

  private func sortedIDs() throws(DatabaseError) -> [EntityID]? {
    guard let limit = query.limit, let sort = try indexedSort() else { return nil }
    return try page(sort, offset: query.offset, limit: limit)
  }

  /// A sort by the one number that an index has, and then those that have none.
  struct IndexedSort {
    var index: String
    var isDescending: Bool
    /// The records that are sorted; nil for all.
    var among: PostingSet?
    /// How many these are.
    var total: Int
  }

  /// How an index sorts the answer; nil where none does, or where sorting is faster without.
  func indexedSort() throws(DatabaseError) -> IndexedSort? {
    guard let plan, plan.isExact, query.order.count == 1,
      let index = try planner.sortIndex(query.order[0])
    else { return nil }
    var among: PostingSet?
    if case .everything = test {
    } else {
      among = try rows(plan.query)
      // Few records are sorted sooner than they are found in the index.
      if let among, among.count <= max(256, min(wanted, 4096)) { return nil }
    }
    let all = try context.count(layout)
    return IndexedSort(
      index: index, isDescending: query.order[0].isDescending, among: among,
      total: among?.count ?? all)
  }

  /// Some of the records of such a sort.
  func page(
    _ sort: IndexedSort, offset: Int, limit: Int
  ) throws(DatabaseError) -> [EntityID] {
    let sorted = try indexing { () throws(IndexError) in
      try indexes.withTable(sort.index) { table throws(IndexError) in
        try NumericIndex(sort.index).ordered(
          descending: sort.isDescending, among: sort.among, offset: offset, limit: limit, in: table)
      }
    }
    let ids = sorted.map { EntityID($0.rawValue) }
    if ids.count == limit { return ids }
    let rest = try rest(of: sort)
    let skipped = max(0, offset - (sort.total - rest.count))
    return ids + page(rest, offset: skipped, limit: limit - ids.count)
  }

  /// The records of such a sort that have no number.
  func rest(of sort: IndexedSort) throws(DatabaseError) -> PostingSet {
    let count = try indexing { () throws(IndexError) in
      try indexes.withTable(sort.index) { table throws(IndexError) in
        try NumericIndex(sort.index).count(in: table)
      }
    }
    if count == (try context.count(layout)) { return .empty }
    return try rows(
      .all([
        sort.among.map { .rows($0) } ?? .everything,
        .not(.range(index: sort.index, from: nil, through: nil)),
      ]))
  }

  /// Calls `body` with the records that have the same number, in the order of the sort.
  func forEachSet(
    _ sort: IndexedSort, _ body: (PostingSet) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    var failure: DatabaseError?
    try indexing { () throws(IndexError) in
      try indexes.withTable(sort.index) { table throws(IndexError) in
        try NumericIndex(sort.index).forEachSet(
          descending: sort.isDescending, among: sort.among, in: table
        ) { set throws(IndexError) in
          do throws(DatabaseError) {
            try body(set)
          } catch {
            failure = error
          }
          return failure == nil
        }
      }
    }
    if let failure { throw failure }
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
      lines.append("test each of \(try context.count(layout).counted("record")) of \(layout.name)")
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
