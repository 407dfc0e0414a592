internal import Index
internal import PageStore

/// What is known of an order while another thread is still finding it.
public final class RecordProgress: Sendable {
  private let order = Guarded(RecordOrder().unfinished)

  /// Nothing is known yet.
  public init() {}

  /// What is known by now; it only grows.
  public var known: RecordOrder { order.withLock { $0 } }

  func note(_ known: RecordOrder) { order.withLock { $0 = known } }

  func change(_ body: (inout RecordOrder) -> Void) { order.withLock { body(&$0) } }
}

/// Finds all records that answer a query, with the first of them as soon as they are known.
struct RecordOrdering {
  private let execution: QueryExecution
  private let query: Query
  private let progress: RecordProgress?

  /// How many records of either end are found before all others.
  private static let endCount = 1024

  init(_ execution: QueryExecution, _ progress: RecordProgress?) {
    self.execution = execution
    query = execution.query
    self.progress = progress
  }

  /// The order; without the middle of it where `isWhole` is false and that takes longer.
  func order(isWhole: Bool) throws(DatabaseError) -> RecordOrder {
    if let sets = try sets() { return cut(sets) }
    if let sorted = try sorted(isWhole: isWhole) { return cut(sorted) }
    return try execution.order.isByID ? scanned() : cut(sorted())
  }

  private func cut(_ order: RecordOrder) -> RecordOrder {
    order.cut(offset: query.offset, limit: query.limit)
  }

  private func note(_ order: RecordOrder) { progress?.note(cut(order)) }

  // MARK: By indexes

  /// From indexes alone, where these know both which records they are and their order.
  private func sets() throws(DatabaseError) -> RecordOrder? {
    guard let plan = execution.plan, plan.isExact, execution.order.keys.isEmpty else { return nil }
    var order = RecordOrder()
    if execution.order.isByID {
      order.append(try execution.rows(plan.query))
      return order
    }
    guard let starts = try execution.planner.starts(query.filter) else { return nil }
    let found = try execution.rows(plan.query)
    let first = try execution.rows(.all([.rows(found), starts]))
    order.append(first)
    order.append(found.subtracting(first))
    return order
  }

  /// By the one number by which an index sorts.
  private func sorted(isWhole: Bool) throws(DatabaseError) -> RecordOrder? {
    guard let sort = try execution.indexedSort() else { return nil }
    let total = sort.total
    var ends = RecordOrder()
    let count = Self.endCount
    ends.append(try execution.page(sort, offset: 0, limit: count))
    if total > count {
      let tail = max(count, total - count)
      ends.appendUnknown(tail - count)
      ends.append(try execution.page(sort, offset: tail, limit: count))
    }
    if !isWhole || total <= 2 * count { return ends }
    note(ends)
    var order = RecordOrder()
    try execution.forEachSet(sort) { set throws(DatabaseError) in
      try execution.context.checkInterruption()
      order.append(set)
    }
    order.append(try execution.rest(of: sort))
    return order
  }

  // MARK: By looking at records

  private func scanned() throws(DatabaseError) -> RecordOrder {
    let progress = progress ?? RecordProgress()
    progress.note(cut(RecordOrder()).unfinished)
    try execution.forEachMatch { row throws(DatabaseError) in
      let id = row.id
      progress.change { $0.append(id) }
      return true
    }
    var order = progress.known
    order.finish()
    return order
  }

  private func sorted() throws(DatabaseError) -> RecordOrder {
    var places: [SortOrder.Place] = []
    try execution.forEachMatch { row throws(DatabaseError) in
      places.append(try execution.order.place(of: &row))
      if places.count % 1024 == 0 {
        var order = RecordOrder()
        order.appendUnknown(places.count)
        note(order.unfinished)
      }
      return true
    }
    try noteFirst(of: places)
    try sort(&places)
    var order = RecordOrder()
    for place in places { order.append(place.id) }
    return order
  }

  /// Tells of the first records before all are sorted.
  private func noteFirst(of places: [SortOrder.Place]) throws(DatabaseError) {
    let count = Self.endCount
    if progress == nil || places.count < 8 * count { return }
    var first: [SortOrder.Place] = []
    for place in places {
      if first.count >= count, !execution.order.precedes(place, first[count - 1]) { continue }
      first.append(place)
      if first.count >= 2 * count {
        try execution.context.checkInterruption()
        first.sort(by: execution.order.precedes)
        first.removeSubrange(count...)
      }
    }
    first.sort(by: execution.order.precedes)
    var order = RecordOrder()
    for place in first.prefix(count) { order.append(place.id) }
    order.appendUnknown(places.count - min(count, first.count))
    note(order)
  }

  /// Sorts, and gives that up where somebody wants the work to end.
  private func sort(_ places: inout [SortOrder.Place]) throws(DatabaseError) {
    let context = execution.context
    var isOver = false
    do {
      var comparisons = 0
      try places.sort { left, right in
        comparisons += 1
        if comparisons % 1024 == 0 { try context.checkInterruption() }
        return execution.order.precedes(left, right)
      }
    } catch {
      isOver = true
    }
    if isOver { throw .store(.cancelled) }
  }
}

extension DatabaseReading where Self: ~Copyable {
  /// The records that answer a query, by their places in its order.
  ///
  /// Another thread may look at `progress` meanwhile. Where `isWhole` is false, records that are far
  /// from both ends may be left unknown if finding them takes longer.
  ///
  /// - Throws: as `findIDs`.
  public func order(
    of query: Query, isWhole: Bool = true, progress: RecordProgress? = nil
  ) throws(DatabaseError) -> RecordOrder {
    try withReader { reader throws(DatabaseError) in
      try RecordOrdering(try QueryExecution(query, reader.context), progress)
        .order(isWhole: isWhole)
    }
  }

  /// The columns of records that answer a query, in the order of `ids`; those that are gone are left
  /// out.
  ///
  /// - Throws: as `find`.
  public func find(_ query: Query, ids: [EntityID]) throws(DatabaseError) -> QueryResult {
    try withReader { reader throws(DatabaseError) in
      try QueryExecution(query, reader.context, asksIndexes: false).result(ids)
    }
  }
}
