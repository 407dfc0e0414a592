public import PageStore

/// The rows of a numeric index in the order of their numbers; of one number by ID.
extension NumericIndex {
  /// From how many rows on that are left out it is asked from which end they are sooner passed.
  private static let nearOffset = 1024

  /// The rows from place `offset` on in the order of their numbers, at most `limit`.
  ///
  /// Where there are `rows`, they are chosen from those. If these are few among many numbers, to
  /// sort them is faster. What is left out is counted and not read, from the nearer end.
  ///
  /// - Complexity: O(*d* + *n*), *d* being the numbers between the nearer end and the last of the
  ///   *n* rows that are returned.
  public func ordered(
    descending: Bool = false, among rows: PostingSet? = nil, offset: Int = 0, limit: Int,
    in table: Table
  ) throws(IndexError) -> [RowID] {
    if offset <= Self.nearOffset {
      return try page(offset, limit, descending, backwards: false, among: rows, in: table)
    }
    let total = try count(among: rows, in: table)
    let start = Swift.min(offset, total)
    let end = total - start <= limit ? total : start + limit
    let isNearEnd = total - end < start
    return try page(
      isNearEnd ? total - end : start, end - start, isNearEnd != descending,
      backwards: isNearEnd, among: rows, in: table)
  }

  /// How many rows, among those of a set, have a number.
  func count(among rows: PostingSet?, in table: Table) throws(IndexError) -> Int {
    guard let rows else { return try count(in: table) }
    var cost = ReadingCost()
    return try range(nil, nil).intersectionCount(with: rows, in: table, &cost)
  }

  /// The page that begins after `skipped` rows; backwards these are the last of the order.
  private func page(
    _ skipped: Int, _ limit: Int, _ isDescending: Bool, backwards: Bool, among rows: PostingSet?,
    in table: Table
  ) throws(IndexError) -> [RowID] {
    var chunks: [[RowID]] = []
    var skipped = skipped
    var missing = limit
    if missing <= 0 { return [] }
    var rest = rows?.count ?? .max
    try forEachNumber(descending: isDescending, in: table) { (number, count) throws(IndexError) in
      if rows == nil, count <= skipped {
        skipped -= count
        return true
      }
      if rows == nil, !backwards, skipped == 0, missing < count {
        var cost = ReadingCost()
        let list = list(of: number)
        chunks.append(try list.prefix(missing, from: RowID(rawValue: 0), in: table, &cost))
        missing = 0
        return false
      }
      let found = try self.rows(of: number, among: rows, in: table)
      rest -= found.count
      let taken = Swift.min(missing, Swift.max(0, found.count - skipped))
      let first = backwards ? found.count - skipped - taken : skipped
      if taken > 0 { chunks.append(found.rows(at: first..<first + taken)) }
      skipped = Swift.max(0, skipped - found.count)
      missing -= taken
      return missing > 0 && rest > 0
    }
    return Array((backwards ? chunks.reversed() : chunks).joined())
  }

  /// Calls `body` with the rows of each number, in the order of the numbers, until it returns false.
  ///
  /// Where there are `rows`, they are chosen from those.
  public func forEachSet(
    descending: Bool = false, among rows: PostingSet? = nil, in table: Table,
    _ body: (PostingSet) throws(IndexError) -> Bool
  ) throws(IndexError) {
    var rest = rows?.count ?? .max
    try forEachNumber(descending: descending, in: table) { (number, _) throws(IndexError) in
      if rest == 0 { return false }
      var cost = ReadingCost()
      let list = list(of: number)
      let found = try self.rows(of: number, among: rows, in: table)
      rest -= found.count
      return try body(found)
    }
  }

  private func rows(
    of number: NumericKey, among rows: PostingSet?, in table: Table
  ) throws(IndexError) -> PostingSet {
    var cost = ReadingCost()
    let list = list(of: number)
    if let rows { return try list.intersection(with: rows, in: table, &cost) }
    return try list.rows(in: table, &cost)
  }
}
