internal import PageStore

/// The containers that a reading is restricted to, by number.
typealias ContainerWindow = ClosedRange<UInt64>

extension ContainerWindow {
  static let everything: ContainerWindow = 0...RowID.limit.containerNumber
}

/// What reading cost so far.
struct ReadingCost {
  /// How many cells were looked at.
  var cellCount = 0
}

extension PostingList {
  /// The list's head, or nil where no row has the term.
  func head(in table: Table, _ cost: inout ReadingCost) throws(IndexError) -> PostingHead? {
    cost.cellCount += 1
    let value: RawSpan?
    do throws(StoreError) {
      value = try table.get(headKey)
    } catch {
      throw .store(error)
    }
    guard let value else { return nil }
    guard let head = PostingHead(untrusted: value) else { throw corrupt(.form("head")) }
    return head
  }

  /// The list's head, or nil where there is none that can be read.
  func headOrNil(
    in table: Table, _ cost: inout ReadingCost
  ) throws(IndexError) -> PostingHead? {
    do throws(IndexError) {
      return try head(in: table, &cost)
    } catch {
      if case .corrupt = error { return nil }
      throw error
    }
  }

  /// How many rows have the term.
  func count(in table: Table) throws(IndexError) -> Int {
    let value: RawSpan?
    do throws(StoreError) {
      value = try table.get(headKey)
    } catch {
      throw .store(error)
    }
    guard let value else { return 0 }
    guard let count = PostingHead.rowCount(of: value) else { throw corrupt(.form("head")) }
    return count
  }

  /// True where `row` has the term.
  func contains(_ row: RowID, in table: Table) throws(IndexError) -> Bool {
    var cost = ReadingCost()
    switch try head(in: table, &cost) {
    case nil: return false
    case .inline(let rows): return rows.contains(row.rawValue)
    case .containers:
      let value: RawSpan?
      do throws(StoreError) {
        value = try table.get(containerKey(row.containerNumber))
      } catch {
        throw .store(error)
      }
      guard let value else { return false }
      guard let container = Container(untrusted: value) else {
        throw corrupt(.container(number: row.containerNumber))
      }
      return container.contains(row.numberInContainer)
    }
  }

  /// The rows that have the term, as far as they lie in `window`.
  func rows(
    in table: Table, window: ContainerWindow = .everything, _ cost: inout ReadingCost
  ) throws(IndexError) -> PostingSet {
    switch try head(in: table, &cost) {
    case nil: return .empty
    case .inline(let rows): return PostingSet(inline: rows, window: window)
    case .containers:
      var builder = PostingSetBuilder()
      var cursor = ContainerCursor(self, in: table, from: window.lowerBound)
      while try cursor.next() {
        if cursor.number > window.upperBound { break }
        builder.append(cursor.number, try cursor.container)
      }
      cost.cellCount += cursor.cellCount
      return builder.finish()
    }
  }

  /// Adds the rows that have the term to a union.
  func add(
    to union: inout PostingUnion, in table: Table, window: ContainerWindow,
    _ cost: inout ReadingCost
  ) throws(IndexError) {
    switch try head(in: table, &cost) {
    case nil: break
    case .inline(let rows): union.add(PostingSet(inline: rows, window: window))
    case .containers:
      var cursor = ContainerCursor(self, in: table, from: window.lowerBound)
      while try cursor.next() {
        if cursor.number > window.upperBound { break }
        union.add(cursor.number, try cursor.container)
      }
      cost.cellCount += cursor.cellCount
    }
  }

  /// The first rows from `start` on that have the term, at most `limit`.
  func prefix(
    _ limit: Int, from start: RowID, in table: Table, _ cost: inout ReadingCost
  ) throws(IndexError) -> [RowID] {
    switch try head(in: table, &cost) {
    case nil: return []
    case .inline(let rows):
      return rows.lazy.filter { $0 >= start.rawValue }.prefix(limit).map { RowID(rawValue: $0) }
    case .containers:
      var result: [RowID] = []
      var cursor = ContainerCursor(self, in: table, from: start.containerNumber)
      while result.count < limit, try cursor.next() {
        for number in try cursor.container.numbers {
          let row = RowID(cursor.number, number)
          if row < start { continue }
          if result.count == limit { break }
          result.append(row)
        }
      }
      cost.cellCount += cursor.cellCount
      return result
    }
  }

  /// Calls `body` with each entry of `set` and the container of this list beside it.
  func forEachMatch(
    with set: PostingSet, in table: Table, _ cost: inout ReadingCost,
    _ body: (_ index: Int, _ container: Container) -> Void
  ) throws(IndexError) {
    guard let first = set.entries.first else { return }
    switch try head(in: table, &cost) {
    case nil: return
    case .inline(let rows):
      let other = PostingSet(inline: rows, window: .everything)
      var place = 0
      for index in other.entries.indices {
        place = set.firstIndex(from: other.entries[index].number, after: place)
        if place == set.entries.count { return }
        if set.entries[place].number == other.entries[index].number {
          body(place, other.container(at: index))
        }
      }
    case .containers:
      var cursor = ContainerCursor(self, in: table, from: first.number)
      var isThere = try cursor.next()
      var index = 0
      while isThere {
        index = set.firstIndex(from: cursor.number, after: index)
        if index == set.entries.count { break }
        if set.entries[index].number == cursor.number {
          body(index, try cursor.container)
          index += 1
          if index == set.entries.count { break }
        }
        isThere = try cursor.advance(to: set.entries[index].number)
      }
      cost.cellCount += cursor.cellCount
    }
  }

  /// The rows of `set` that have the term.
  func intersection(
    with set: PostingSet, in table: Table, _ cost: inout ReadingCost
  ) throws(IndexError) -> PostingSet {
    var builder = PostingSetBuilder()
    try forEachMatch(with: set, in: table, &cost) { index, container in
      builder.append(
        set.entries[index].number, set.container(at: index), .intersection, container)
    }
    return builder.finish()
  }

  /// How many rows of `set` have the term.
  func intersectionCount(
    with set: PostingSet, in table: Table, _ cost: inout ReadingCost
  ) throws(IndexError) -> Int {
    var count = 0
    try forEachMatch(with: set, in: table, &cost) { index, container in
      count += Container.countOf(set.container(at: index), .intersection, container)
    }
    return count
  }

  /// The rows of `set` that do not have the term.
  func subtracted(
    from set: PostingSet, in table: Table, _ cost: inout ReadingCost
  ) throws(IndexError) -> PostingSet {
    var builder = PostingSetBuilder()
    var done = 0
    try forEachMatch(with: set, in: table, &cost) { index, container in
      builder.append(set, done..<index)
      builder.append(set.entries[index].number, set.container(at: index), .subtraction, container)
      done = index + 1
    }
    builder.append(set, done..<set.entries.count)
    return builder.finish()
  }

  /// Calls `body` with the containers that two lists both have, where they lie.
  ///
  /// Both lists must be in containers.
  func forEachMatch(
    in table: Table, with other: PostingList, in otherTable: Table, window: ContainerWindow,
    _ cost: inout ReadingCost, _ body: (UInt64, Container, Container) -> Void
  ) throws(IndexError) {
    var left = ContainerCursor(self, in: table, from: window.lowerBound)
    var right = ContainerCursor(other, in: otherTable, from: window.lowerBound)
    var isThere = try left.next()
    if isThere { isThere = try right.next() }
    while isThere {
      let number = max(left.number, right.number)
      if number > window.upperBound { break }
      if left.number == right.number {
        body(number, try left.container, try right.container)
        isThere = try left.next()
      } else if left.number < number {
        isThere = try left.advance(to: number)
      } else {
        isThere = try right.advance(to: number)
      }
    }
    cost.cellCount += left.cellCount + right.cellCount
  }
}

extension PostingSet {
  /// The rows of a head, as far as they lie in `window`.
  init(inline rows: [UInt64], window: ContainerWindow) {
    var union = PostingUnion()
    for row in rows where window.contains(RowID(rawValue: row).containerNumber) {
      union.add(RowID(rawValue: row))
    }
    self = union.finish()
  }

  /// The rows that lie in `window`.
  func clipped(to window: ContainerWindow) -> PostingSet {
    if window == .everything { return self }
    var builder = PostingSetBuilder()
    let first = firstIndex(from: window.lowerBound, after: 0)
    let end = firstIndex(from: window.upperBound + 1, after: first)
    builder.append(self, first..<end)
    return builder.finish()
  }
}
