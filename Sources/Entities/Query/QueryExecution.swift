internal import Index
internal import PageStore

/// Answers one query.
struct QueryExecution {
  let query: Query
  let context: ReadingContext
  let layout: EntityLayout
  let test: FilterTest
  let order: SortOrder
  /// What the indexes say; nil where they say nothing.
  let plan: FilterPlan?

  /// Makes the query ready; where its records are known already, without asking the indexes.
  init(
    _ query: Query, _ context: ReadingContext, asksIndexes: Bool = true
  ) throws(DatabaseError) {
    self.query = query
    self.context = context
    layout = try context.schemas.layout(named: query.entity)
    let filter = try FilterRewriting(layout: layout, context: context).rewritten(query.filter)
    test = try FilterCompiler(layout: layout, language: query.language).compile(filter)
    order = try SortOrder(
      query.isGrouped ? [] : query.order, searches: test.searches, in: layout)
    let planner = FilterPlanner(layout: layout, context: context, language: query.language)
    plan = asksIndexes ? try planner.plan(filter) : nil
    if query.offset < 0 || (query.limit ?? 0) < 0 { throw .invalidQuery("a negative limit") }
  }

  /// How many records are needed until the page is full.
  var wanted: Int { query.offset.addingSaturating(query.limit ?? .max) }

  // MARK: Answers

  /// How many records satisfy the filter, whatever the limit.
  func count() throws(DatabaseError) -> Int {
    if case .everything = test { return try context.count(layout) }
    if let plan, plan.isExact { return try countRows(plan.query) }
    var count = 0
    try forEachMatch { _ throws(DatabaseError) in
      count += 1
      return true
    }
    return count
  }

  /// The numbers of the records, in order.
  func ids() throws(DatabaseError) -> [EntityID] {
    if query.limit == 0 { return [] }
    if let ids = try idsFromIndexes() { return ids }
    if order.isByID { return try idsInOrder() }
    let bound = wanted < 1 << 20 ? max(1024, 2 * wanted) : .max
    var places: [SortOrder.Place] = []
    try forEachMatch { row throws(DatabaseError) in
      places.append(try order.place(of: &row))
      if places.count >= bound {
        // What is beyond the page now stays beyond it.
        places.sort(by: order.precedes)
        places.removeSubrange(wanted...)
      }
      return true
    }
    places.sort(by: order.precedes)
    return places.dropFirst(query.offset).prefix(query.limit ?? .max).map(\.id)
  }

  private func idsInOrder() throws(DatabaseError) -> [EntityID] {
    var ids: [EntityID] = []
    var skipped = 0
    try forEachMatch { row throws(DatabaseError) in
      if skipped < query.offset {
        skipped += 1
        return true
      }
      ids.append(row.id)
      return ids.count < query.limit ?? .max
    }
    return ids
  }

  /// The records with their columns, or the groups.
  func result() throws(DatabaseError) -> QueryResult {
    if query.isGrouped {
      return try Grouping(self).result()
    }
    return try result(try ids())
  }

  /// The columns of these records.
  func result(_ ids: [EntityID]) throws(DatabaseError) -> QueryResult {
    let columns = try shownColumns()
    let accesses = columns.map(\.access)
    let hasSearches = !test.searches.isEmpty
    var rows: [ResultRow] = []
    rows.reserveCapacity(ids.count)
    try context.source.visitTable(layout.name) { table throws(DatabaseError) in
      for id in ids {
        try context.checkInterruption()
        let bytes: RawSpan
        do throws(StoreError) {
          let key = id.inlineKey
          guard let found = try table.get(key.rawSpan) else { continue }
          bytes = found
        } catch {
          throw .store(error)
        }
        var row = RecordRow(id: id, untrusted: bytes, layout: layout, context: context)
        var values: [FieldValue?] = []
        values.reserveCapacity(accesses.count)
        for place in accesses.indices { values.append(try row.value(accesses[place])) }
        rows.append(
          ResultRow(id: id, values: values, match: hasSearches ? try match(&row) : nil))
      }
    }
    return QueryResult(columns: columns.map(\.column), rows: rows)
  }

  /// The columns of records: those that were asked for, or the number and all stored fields.
  private func shownColumns() throws(DatabaseError)
    -> [(column: ResultColumn, access: FieldAccess)]
  {
    var paths: [FieldPath] = []
    for case .field(let path) in query.columns { paths.append(path) }
    if query.columns.isEmpty {
      if layout.field(named: "id") == nil { paths.append(FieldPath("id")) }
      paths += layout.schema.fields.map { FieldPath($0.name) }
    }
    var columns: [(column: ResultColumn, access: FieldAccess)] = []
    for path in paths {
      let access = try FieldAccess.resolve(path, in: layout)
      columns.append(
        (
          ResultColumn(.field(path), title: path.title, kind: access.kind, unit: access.unit),
          access
        ))
    }
    return columns
  }

  /// The text by which the record was found, where it stands in a field of translations.
  private func match(_ row: inout RecordRow) throws(DatabaseError) -> Translation? {
    for search in test.searches {
      if let (text, language) = try search.firstMatch(&row, atStart: false) {
        return language.map { Translation(language: $0, text: text) }
      }
    }
    return nil
  }

  // MARK: Records

  /// Runs `body` on each record that satisfies the filter, ascending, until it returns false.
  func forEachMatch(
    _ body: (inout RecordRow) throws(DatabaseError) -> Bool
  ) throws(DatabaseError) {
    if case .everything = test {} else if let plan { return try forEachFound(plan, body) }
    try context.forEachRecord(layout) { id, bytes throws(DatabaseError) in
      var row = RecordRow(id: id, untrusted: bytes, layout: layout, context: context)
      guard try test.matches(&row) else { return true }
      return try body(&row)
    }
  }

  /// Looks at the records that the indexes name.
  private func forEachFound(
    _ plan: FilterPlan, _ body: (inout RecordRow) throws(DatabaseError) -> Bool
  ) throws(DatabaseError) {
    let found = try rows(plan.query)
    _ = try context.source.withTable(layout.name) { table throws(DatabaseError) in
      for number in found {
        try context.checkInterruption()
        let id = EntityID(number.rawValue)
        let goesOn = try table.withValue(id.key) { bytes throws(DatabaseError) in
          var row = RecordRow(id: id, untrusted: bytes, layout: layout, context: context)
          if !plan.isExact, try !test.matches(&row) { return true }
          return try body(&row)
        }
        if goesOn == nil && plan.isExact {
          throw .corruptIndex(
            entity: layout.name, field: "*", "record \(id) is in an index, but not there")
        }
        if goesOn == false { return }
      }
    }
  }
}
