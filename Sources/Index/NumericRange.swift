internal import PageStore

/// The rows of a numeric index whose numbers lie between two bounds, both included.
struct NumericRange {
  let index: NumericIndex
  let lower: NumericKey
  let upper: NumericKey

  /// How the rows of a range are found.
  enum Way: Equatable {
    /// By joining the lists of its numbers, which have that many rows in all.
    case lists([NumericKey], rowCount: Int)
    /// By comparing slices.
    case slices
  }

  private var slices: NumericSlices { NumericSlices(index: index.name) }

  /// Chooses the way by looking at the heads of no more lists than would be joined.
  func way(in table: Table, _ cost: inout ReadingCost) throws(IndexError) -> Way {
    var numbers: [NumericKey] = []
    var rowCount = 0
    var isLong = false
    try forEachHead(in: table) { (number, head) throws(IndexError) in
      rowCount += try self.rowCount(of: head, number)
      numbers.append(number)
      isLong =
        numbers.count > NumericIndex.joinedListLimit
        || numbers.count > 4 && rowCount > NumericIndex.joinedRowLimit
      return !isLong
    }
    cost.cellCount += numbers.count
    return isLong ? .slices : .lists(numbers, rowCount: rowCount)
  }

  func rows(
    window: ContainerWindow = .everything, in table: Table, _ cost: inout ReadingCost
  ) throws(IndexError) -> PostingSet {
    switch try way(in: table, &cost) {
    case .lists(let numbers, _):
      var union = PostingUnion()
      for number in numbers {
        try index.list(of: number).add(to: &union, in: table, window: window, &cost)
      }
      return union.finish()
    case .slices:
      var builder = PostingSetBuilder()
      try slices.forEachMatch(
        from: lower, through: upper, window: window, within: nil, in: table, &cost
      ) { number, bitmap in
        builder.append(number, wide: bitmap)
      }
      return builder.finish()
    }
  }

  /// The rows of `set` that lie in the range.
  func intersection(
    with set: PostingSet, in table: Table, _ cost: inout ReadingCost
  ) throws(IndexError) -> PostingSet {
    if set.isEmpty { return .empty }
    if case .lists = try way(in: table, &cost) {
      return set.intersection(try rows(in: table, &cost))
    }
    var builder = PostingSetBuilder()
    try forEachMatch(with: set, in: table, &cost) { entry, rows in
      builder.append(set.entries[entry].number, set.container(at: entry), .intersection, rows)
    }
    return builder.finish()
  }

  /// How many rows of `set` lie in the range.
  func intersectionCount(
    with set: PostingSet, in table: Table, _ cost: inout ReadingCost
  ) throws(IndexError) -> Int {
    if set.isEmpty { return 0 }
    if case .lists = try way(in: table, &cost) {
      return set.intersectionCount(try rows(in: table, &cost))
    }
    var count = 0
    try forEachMatch(with: set, in: table, &cost) { entry, rows in
      count += Container.countOf(set.container(at: entry), .intersection, rows)
    }
    return count
  }

  private func forEachMatch(
    with set: PostingSet, in table: Table, _ cost: inout ReadingCost,
    _ body: (_ entry: Int, _ rows: Container) -> Void
  ) throws(IndexError) {
    guard let first = set.entries.first, let last = set.entries.last else { return }
    var entry = 0
    try slices.forEachMatch(
      from: lower, through: upper, window: first.number...last.number, within: set, in: table,
      &cost
    ) { number, bitmap in
      entry = set.firstIndex(from: number, after: entry)
      body(entry, Container(.bitmap, count: 0, bytes: bitmap.span.memory))
    }
  }

  /// How many rows lie in the range.
  func count(in table: Table, _ cost: inout ReadingCost) throws(IndexError) -> Int {
    if let count = try countByHeads(in: table, &cost) { return count }
    var count = 0
    try slices.forEachMatch(
      from: lower, through: upper, window: .everything, within: nil, in: table, &cost
    ) { _, bitmap in
      count += bitmap.bitmapRowCount
    }
    return count
  }

  /// About how many rows lie in the range: exactly for few numbers, else as if they lay evenly.
  func estimate(in table: Table, _ cost: inout ReadingCost) throws(IndexError) -> Int {
    if lower > upper { return 0 }
    let total = try index.count(in: table)
    if lower == .least && upper == .greatest { return total }
    if let count = try countByHeads(in: table, &cost) { return count }
    guard let least = try index.min(in: table), let greatest = try index.max(in: table) else {
      return 0
    }
    let from = max(lower, least).rawValue
    let through = min(upper, greatest).rawValue
    if from > through { return 0 }
    let part = (Double(through - from) + 1) / (Double(greatest.rawValue - least.rawValue) + 1)
    return min(total, Int(part * Double(total)))
  }

  /// The sum of the counts of all numbers in the range; nil where these are too many.
  private func countByHeads(
    in table: Table, _ cost: inout ReadingCost
  ) throws(IndexError) -> Int? {
    var count = 0
    var headCount = 0
    try forEachHead(in: table) { (number, head) throws(IndexError) in
      count += try rowCount(of: head, number)
      headCount += 1
      return headCount <= NumericIndex.countedListLimit
    }
    cost.cellCount += headCount
    return headCount <= NumericIndex.countedListLimit ? count : nil
  }

  private func rowCount(of head: RawSpan, _ number: NumericKey) throws(IndexError) -> Int {
    guard let count = PostingHead.rowCount(of: head) else {
      throw .corrupt(index: index.name, term: number.term, .form("head"))
    }
    return count
  }

  /// Calls `body` with the numbers of the range and the heads of their lists.
  func forEachHead(
    backwards: Bool = false, in table: Table,
    _ body: (NumericKey, RawSpan) throws(IndexError) -> Bool
  ) throws(IndexError) {
    if lower > upper { return }
    let family = PostingList.Family.head.rawValue
    let end = upper.next.map { [family] + $0.term } ?? [family + 1]
    let heads = PostingHeads(index: index.name)
    try heads.forEach(from: [family] + lower.term, to: end, backwards: backwards, in: table) {
      (key, head) throws(IndexError) in
      guard key.byteCount == 9 else {
        throw .corrupt(index: index.name, term: key.array, .form("key of a number"))
      }
      var number: UInt64 = 0
      for offset in 1...8 { number = number << 8 | UInt64(key.byte(at: offset)) }
      return try body(NumericKey(rawValue: number), head)
    }
  }
}
