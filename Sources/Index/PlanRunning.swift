internal import PageStore

extension PlanStep {
  /// The step's rows in `window`.
  mutating func rows<Tables: IndexTables & ~Copyable>(
    window: ContainerWindow, in tables: borrowing Tables
  ) throws(IndexError) -> PostingSet {
    let result: PostingSet
    switch kind {
    case .rows(let rows): result = rows.clipped(to: window)
    case .list(let list):
      var cost = ReadingCost()
      result = try tables.withTable(list.index) { (table) throws(IndexError) in
        try list.rows(in: table, window: window, &cost)
      }
      self.cost.cellCount += cost.cellCount
    case .range(let range):
      var cost = ReadingCost()
      result = try tables.withTable(range.index.name) { (table) throws(IndexError) in
        try range.rows(window: window, in: table, &cost)
      }
      self.cost.cellCount += cost.cellCount
    case .intersection(let positiveCount):
      result = try intersectionRows(positiveCount, window: window, in: tables)
    case .union:
      var union = PostingUnion()
      for index in children.indices {
        union.add(try children[index].rows(window: window, in: tables))
      }
      result = union.finish()
    }
    note(result.count)
    return result
  }

  private mutating func note(_ count: Int) { rowCount = (rowCount ?? 0) + count }

  private mutating func intersectionRows<Tables: IndexTables & ~Copyable>(
    _ positiveCount: Int, window: ContainerWindow, in tables: borrowing Tables
  ) throws(IndexError) -> PostingSet {
    var (rows, next) = try firstRows(positiveCount, window: window, in: tables)
    while next < children.count && !rows.isEmpty {
      rows =
        next < positiveCount
        ? try children[next].intersection(with: rows, in: tables)
        : try children[next].subtracted(from: rows, in: tables)
      next += 1
    }
    return rows
  }

  /// The rows of the first step, or of the first two where both are lists, and the next step.
  private mutating func firstRows<Tables: IndexTables & ~Copyable>(
    _ positiveCount: Int, window: ContainerWindow, in tables: borrowing Tables
  ) throws(IndexError) -> (PostingSet, next: Int) {
    guard positiveCount > 1, let (left, right) = listPair else {
      return (try children[0].rows(window: window, in: tables), 1)
    }
    var builder = PostingSetBuilder()
    try forEachMatch(left, right, window: window, in: tables) { number, left, right in
      builder.append(number, left, .intersection, right)
    }
    let rows = builder.finish()
    children[1].note(rows.count)
    return (rows, 2)
  }

  /// The lists of the first two steps, where both are lists in containers.
  private var listPair: (PostingList, PostingList)? {
    guard case .list(let left) = children[0].kind, case .list(let right) = children[1].kind,
      children[0].estimate > PostingList.inlineByteCount
    else { return nil }
    return (left, right)
  }

  private mutating func forEachMatch<Tables: IndexTables & ~Copyable>(
    _ left: PostingList, _ right: PostingList, window: ContainerWindow, in tables: borrowing Tables,
    _ body: (UInt64, Container, Container) -> Void
  ) throws(IndexError) {
    var cost = ReadingCost()
    try tables.withTable(left.index) { (table) throws(IndexError) in
      try tables.withTable(right.index) { (other) throws(IndexError) in
        try left.forEachMatch(
          in: table, with: right, in: other, window: window, &cost, body)
      }
    }
    self.cost.cellCount += cost.cellCount
  }

  /// The rows of `set` that the step has.
  mutating func intersection<Tables: IndexTables & ~Copyable>(
    with set: PostingSet, in tables: borrowing Tables
  ) throws(IndexError) -> PostingSet {
    let result: PostingSet
    switch kind {
    case .rows(let rows): result = set.intersection(rows)
    case .list(let list):
      var cost = ReadingCost()
      result = try tables.withTable(list.index) { (table) throws(IndexError) in
        try list.intersection(with: set, in: table, &cost)
      }
      self.cost.cellCount += cost.cellCount
    case .range(let range):
      var cost = ReadingCost()
      result = try tables.withTable(range.index.name) { (table) throws(IndexError) in
        try range.intersection(with: set, in: table, &cost)
      }
      self.cost.cellCount += cost.cellCount
    case .intersection(let positiveCount):
      var rows = set
      for index in children.indices where !rows.isEmpty {
        rows =
          index < positiveCount
          ? try children[index].intersection(with: rows, in: tables)
          : try children[index].subtracted(from: rows, in: tables)
      }
      result = rows
    case .union:
      var union = PostingUnion()
      for index in children.indices {
        union.add(try children[index].intersection(with: set, in: tables))
      }
      result = union.finish()
    }
    note(result.count)
    return result
  }

  /// The rows of `set` that the step does not have.
  mutating func subtracted<Tables: IndexTables & ~Copyable>(
    from set: PostingSet, in tables: borrowing Tables
  ) throws(IndexError) -> PostingSet {
    let result: PostingSet
    switch kind {
    case .rows(let rows): result = set.subtracting(rows)
    case .list(let list):
      var cost = ReadingCost()
      result = try tables.withTable(list.index) { (table) throws(IndexError) in
        try list.subtracted(from: set, in: table, &cost)
      }
      self.cost.cellCount += cost.cellCount
    case .range, .intersection:
      return set.subtracting(try intersection(with: set, in: tables))
    case .union:
      var rows = set
      for index in children.indices where !rows.isEmpty {
        rows = try children[index].subtracted(from: rows, in: tables)
      }
      result = rows
    }
    note(set.count - result.count)
    return result
  }

  /// How many rows the step has.
  mutating func count<Tables: IndexTables & ~Copyable>(
    in tables: borrowing Tables
  ) throws(IndexError) -> Int {
    switch kind {
    case .rows(let rows): return rows.count
    case .list:
      // The list's head has its count, which the estimate is.
      note(estimate)
      return estimate
    case .range(let range):
      var cost = ReadingCost()
      let count = try tables.withTable(range.index.name) { (table) throws(IndexError) in
        try range.count(in: table, &cost)
      }
      self.cost.cellCount += cost.cellCount
      note(count)
      return count
    case .intersection(let positiveCount):
      let count = try intersectionCount(positiveCount, in: tables)
      note(count)
      return count
    case .union: return try rows(window: .everything, in: tables).count
    }
  }

  /// Counts the last step's share of what the steps before it leave, without making a set of it.
  private mutating func intersectionCount<Tables: IndexTables & ~Copyable>(
    _ positiveCount: Int, in tables: borrowing Tables
  ) throws(IndexError) -> Int {
    if children.count == 2 && positiveCount == 2, let (left, right) = listPair {
      var count = 0
      try forEachMatch(left, right, window: .everything, in: tables) { _, left, right in
        count += Container.countOf(left, .intersection, right)
      }
      return count
    }
    var (rows, next) = try firstRows(positiveCount, window: .everything, in: tables)
    while next < children.count - 1 && !rows.isEmpty {
      rows =
        next < positiveCount
        ? try children[next].intersection(with: rows, in: tables)
        : try children[next].subtracted(from: rows, in: tables)
      next += 1
    }
    if rows.isEmpty || next == children.count { return rows.count }
    let common = try children[next].intersectionCount(with: rows, in: tables)
    return next < positiveCount ? common : rows.count - common
  }

  /// How many rows of `set` the step has.
  private mutating func intersectionCount<Tables: IndexTables & ~Copyable>(
    with set: PostingSet, in tables: borrowing Tables
  ) throws(IndexError) -> Int {
    let count: Int
    switch kind {
    case .rows(let rows): count = set.intersectionCount(rows)
    case .list(let list):
      var cost = ReadingCost()
      count = try tables.withTable(list.index) { (table) throws(IndexError) in
        try list.intersectionCount(with: set, in: table, &cost)
      }
      self.cost.cellCount += cost.cellCount
    case .range(let range):
      var cost = ReadingCost()
      count = try tables.withTable(range.index.name) { (table) throws(IndexError) in
        try range.intersectionCount(with: set, in: table, &cost)
      }
      self.cost.cellCount += cost.cellCount
    case .intersection, .union:
      return try intersection(with: set, in: tables).count
    }
    note(count)
    return count
  }

  /// The first rows from `start` on, at most `limit`.
  ///
  /// Looks at a few containers first, and at four times as many whenever these were not enough.
  mutating func first<Tables: IndexTables & ~Copyable>(
    _ limit: Int, from start: RowID, in tables: borrowing Tables
  ) throws(IndexError) -> [RowID] {
    var result: [RowID] = []
    let last = ContainerWindow.everything.upperBound
    var lower = start.containerNumber
    var width: UInt64 = 4
    while result.count < limit {
      let upper = min(last, lower + width - 1)
      let rows = try rows(window: lower...upper, in: tables)
      result += rows.prefix(limit - result.count, from: start)
      if upper == last { break }
      lower = upper + 1
      width *= 4
    }
    return result
  }
}
