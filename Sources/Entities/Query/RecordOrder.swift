internal import Index

/// The records that answer a query by their places in its order, as far as they are known.
///
/// Rows that lie close together take two bytes each or less, others eight.
///
/// Invariant: `starts` has the place of the first record of each part, and `end` that after the last.
public struct RecordOrder: Sendable, Equatable {
  private enum Part: Sendable, Equatable {
    case set(PostingSet)
    case list([EntityID])
    case unknown(Int)

    var count: Int {
      switch self {
      case .set(let set): set.count
      case .list(let list): list.count
      case .unknown(let count): count
      }
    }
  }

  private var parts: [Part] = []
  private var starts: [Int] = []
  private var end = 0
  /// How many records at the beginning are no part of the answer, and how many it has at most.
  private var offset = 0
  private var limit = Int.max
  private var isWhole = true

  /// How many records a list has before another one is begun.
  private static let listCount = 4096

  /// An answer without records, to which some are added.
  public init() {}

  // MARK: Asking

  /// How many records the answer has; at least, where these are not all.
  public var count: Int { max(0, min(end - offset, limit)) }

  /// True where it is known how many there are.
  public var isCounted: Bool { isWhole || end - offset >= limit }

  /// True where it is known which record is at each place.
  public var isComplete: Bool {
    isCounted
      && !parts.contains {
        if case .unknown = $0 { return true }
        return false
      }
  }

  /// The records at `places`, as far as there are so many; nil where one of them is not known yet.
  ///
  /// - Complexity: O(*p* + *n*), *p* being the parts of the order and the containers of one part.
  public func ids(at places: Range<Int>) -> [EntityID]? {
    let wanted = places.clamped(to: 0..<count)
    if wanted.isEmpty { return [] }
    let lower = wanted.lowerBound + offset
    let upper = wanted.upperBound + offset
    var result: [EntityID] = []
    result.reserveCapacity(wanted.count)
    var index = part(at: lower)
    while index < parts.count, starts[index] < upper {
      let part = parts[index]
      let inner = max(0, lower - starts[index])..<min(part.count, upper - starts[index])
      switch part {
      case .set(let set):
        result += set.rows(at: inner).map { EntityID($0.rawValue) }
      case .list(let list): result += list[inner]
      case .unknown:
        if !inner.isEmpty { return nil }
      }
      index += 1
    }
    return result
  }

  /// The first place of a record; nil where it is not among those that are known.
  public func place(of id: EntityID) -> Int? {
    for (index, part) in parts.enumerated() {
      let inner: Int?
      switch part {
      case .set(let set): inner = set.place(of: id.row)
      case .list(let list): inner = list.firstIndex(of: id)
      case .unknown: inner = nil
      }
      if let inner {
        let place = starts[index] + inner - offset
        return (0..<count).contains(place) ? place : nil
      }
    }
    return nil
  }

  /// The last part that begins at or before `place`.
  private func part(at place: Int) -> Int {
    var low = 0
    var high = starts.count
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] <= place { low = middle + 1 } else { high = middle }
    }
    return max(0, low - 1)
  }

  // MARK: Making

  /// The same without the first `offset`, and with `limit` at most.
  func cut(offset: Int, limit: Int?) -> RecordOrder {
    var order = self
    order.offset = offset
    order.limit = limit ?? .max
    return order
  }

  /// The same, with more to come.
  var unfinished: RecordOrder {
    var order = self
    order.isWhole = false
    return order
  }

  mutating func finish() { isWhole = true }

  mutating func append(_ set: PostingSet) {
    if set.isEmpty { return }
    // Few records lie in a list, so that there are not very many parts.
    if set.count < 64 {
      for row in set { append(EntityID(row.rawValue)) }
    } else {
      append(.set(set))
    }
  }

  mutating func append(_ list: [EntityID]) {
    for id in list { append(id) }
  }

  mutating func append(_ id: EntityID) {
    if let index = parts.indices.last, case .list(var list) = parts[index],
      list.count < Self.listCount
    {
      // Taken out meanwhile, so that it is not copied.
      parts[index] = .unknown(0)
      list.append(id)
      parts[index] = .list(list)
      end += 1
    } else {
      append(.list([id]))
    }
  }

  mutating func appendUnknown(_ count: Int) {
    if count > 0 { append(.unknown(count)) }
  }

  private mutating func append(_ part: Part) {
    starts.append(end)
    end += part.count
    parts.append(part)
  }
}
