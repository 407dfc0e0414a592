internal import PageStore

extension PlanStep {
  /// The step's rows in `window`.
  mutating func rows<Tables: IndexTables & ~Copyable>(
    window: ContainerWindow, in tables: borrowing Tables
  ) throws(IndexError) -> PostingSet {
    let result: PostingSet
    switch kind {
    case .rows(let rows): result = rows.clipped(to: window)
    case .lists(let index, let lists):
      var cost = ReadingCost()
      result = try tables.withTable(index) { (table) throws(IndexError) in
        try lists.rows(window: window, in: table, &cost)
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

  /// The lists of the first two steps, where both are long lists of about one length.
  private var listPair: ((index: String, PostingList), (index: String, PostingList))? {
    guard case .lists(let left, let leftLists) = children[0].kind, leftLists.rows.isEmpty,
      leftLists.lists.count == 1,
      case .lists(let right, let rightLists) = children[1].kind, rightLists.rows.isEmpty,
      rightLists.lists.count == 1, children[0].estimate > PostingList.inlineByteCount
    else { return nil }
    return ((left, leftLists.lists[0]), (right, rightLists.lists[0]))
  }

  private mutating func forEachMatch<Tables: IndexTables & ~Copyable>(
    _ left: (index: String, PostingList), _ right: (index: String, PostingList),
    window: ContainerWindow, in tables: borrowing Tables,
    _ body: (UInt64, Container, Container) -> Void
  ) throws(IndexError) {
    var cost = ReadingCost()
    try tables.withTable(left.index) { (table) throws(IndexError) in
      try tables.withTable(right.index) { (other) throws(IndexError) in
        try left.1.forEachMatch(
          in: table, with: right.1, in: other, window: window, &cost, body)
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
    case .lists(let index, let lists):
      var cost = ReadingCost()
      result = try tables.withTable(index) { (table) throws(IndexError) in
        try lists.intersection(with: set, in: table, &cost)
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
    case .lists(let index, let lists):
      var cost = ReadingCost()
      result = try tables.withTable(index) { (table) throws(IndexError) in
        try lists.subtracted(from: set, in: table, &cost)
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
    case .lists(_, let lists) where lists.lists.count + (lists.rows.isEmpty ? 0 : 1) == 1:
      // The head of one list has its count, which the estimate is.
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
    case .lists, .union: return try rows(window: .everything, in: tables).count
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
    case .lists(let index, let lists) where lists.lists.count == 1 && lists.rows.isEmpty:
      var cost = ReadingCost()
      count = try tables.withTable(index) { (table) throws(IndexError) in
        try lists.lists[0].intersectionCount(with: set, in: table, &cost)
      }
      self.cost.cellCount += cost.cellCount
    case .range(let range):
      var cost = ReadingCost()
      count = try tables.withTable(range.index.name) { (table) throws(IndexError) in
        try range.intersectionCount(with: set, in: table, &cost)
      }
      self.cost.cellCount += cost.cellCount
    case .lists, .intersection, .union:
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

extension NameLists {
  /// The rows of `set` that are in one of the lists.
  func intersection(
    with set: PostingSet, in table: Table, _ cost: inout ReadingCost
  ) throws(IndexError) -> PostingSet {
    if rows.isEmpty && lists.count == 1 {
      return try lists[0].intersection(with: set, in: table, &cost)
    }
    var union = PostingUnion()
    union.add(rows.intersection(set))
    for list in lists { union.add(try list.intersection(with: set, in: table, &cost)) }
    return union.finish()
  }

  /// The rows of `set` that are in none of the lists.
  func subtracted(
    from set: PostingSet, in table: Table, _ cost: inout ReadingCost
  ) throws(IndexError) -> PostingSet {
    var result = rows.isEmpty ? set : set.subtracting(rows)
    for list in lists { result = try list.subtracted(from: result, in: table, &cost) }
    return result
  }
}
