/// A set of rows, held in memory.
///
/// Rows that lie close together take two bytes each, and never more than one bit of their range.
/// The value is immutable and may be passed between threads; copies share their memory.
///
/// Invariants:
/// 1. Entries ascend by number, and each has at least one row.
/// 2. An entry's rows lie in `words` from its start on: a bitmap of 128 words, or an array.
public struct PostingSet: Sendable {
  /// One container of the set.
  struct Entry: Sendable {
    /// The rows are those from `number` * 8192 on.
    var number: UInt64
    /// The first of its words.
    var start: UInt32
    var rowCount: UInt16
    var isBitmap: Bool
  }

  let entries: [Entry]
  let words: [UInt64]
  /// How many rows the set has.
  public let count: Int

  /// The set without rows.
  public static let empty = PostingSet(entries: [], words: [], count: 0)

  init(entries: [Entry], words: [UInt64], count: Int) {
    self.entries = entries
    self.words = words
    self.count = count
  }

  /// The set of `rows`, in any order and any number of times each.
  ///
  /// - Complexity: O(*n*) where they ascend, O(*n* log *n*) otherwise.
  public init(_ rows: some Sequence<RowID>) {
    var union = PostingUnion()
    for row in rows { union.add(row) }
    self = union.finish()
  }

  /// True where the set has no rows.
  public var isEmpty: Bool { count == 0 }

  /// The least row, or nil.
  public var min: RowID? { makeIterator().nextOrNil() }

  /// The greatest row, or nil.
  public var max: RowID? {
    guard let index = entries.indices.last else { return nil }
    return container(at: index).numbers.last.map { RowID(entries[index].number, $0) }
  }

  /// True where the set has `row`.
  ///
  /// - Complexity: O(log *n*).
  public func contains(_ row: RowID) -> Bool {
    let index = firstIndex(from: row.containerNumber, after: 0)
    guard index < entries.count, entries[index].number == row.containerNumber else { return false }
    return container(at: index).contains(row.numberInContainer)
  }

  /// The rows from `start` on, ascending.
  public func rows(from start: RowID) -> Iterator { Iterator(self, from: start) }

  /// The first rows from `start` on, at most `limit`.
  public func prefix(_ limit: Int, from start: RowID = RowID(rawValue: 0)) -> [RowID] {
    var result: [RowID] = []
    var rows = rows(from: start)
    while result.count < limit, let row = rows.next() { result.append(row) }
    return result
  }

  /// The container of the entry at `index`.
  @_lifetime(borrow self)
  func container(at index: Int) -> Container {
    let entry = entries[index]
    let start = Int(entry.start)
    let wordCount = entry.isBitmap ? Container.bitmapWordCount : (Int(entry.rowCount) + 3) / 4
    let bytes = words.span.extracting(start..<start + wordCount).memory
    return Container(
      entry.isBitmap ? .bitmap : .array, count: entry.isBitmap ? 0 : Int(entry.rowCount),
      bytes: bytes)
  }

  /// The index of the first entry from `index` on whose number is at least `number`.
  ///
  /// - Complexity: O(log *d*), *d* being how far that is.
  func firstIndex(from number: UInt64, after index: Int) -> Int {
    var low = index
    var high = index
    var step = 1
    while high < entries.count && entries[high].number < number {
      low = high + 1
      high += step
      step *= 2
    }
    high = Swift.min(high, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension PostingSet: Equatable {
  /// True where both have the same rows.
  public static func == (left: PostingSet, right: PostingSet) -> Bool {
    left.count == right.count && left.intersectionCount(right) == left.count
  }
}

extension PostingSet: Sequence {
  /// The rows, ascending.
  public func makeIterator() -> Iterator { Iterator(self, from: RowID(rawValue: 0)) }

  /// How many rows the set has.
  public var underestimatedCount: Int { count }

  /// Goes through the rows of a set, ascending.
  public struct Iterator: IteratorProtocol {
    private let set: PostingSet
    private var index: Int
    /// Of an array the next place; of a bitmap the word whose bits `rest` has.
    private var place = 0
    private var rest: UInt64 = 0

    fileprivate init(_ set: PostingSet, from start: RowID) {
      self.set = set
      index = set.firstIndex(from: start.containerNumber, after: 0)
      enter()
      guard index < set.entries.count, set.entries[index].number == start.containerNumber else {
        return
      }
      skip(to: Int(start.numberInContainer))
    }

    private mutating func enter() {
      place = 0
      guard index < set.entries.count, set.entries[index].isBitmap else { return }
      rest = set.words[Int(set.entries[index].start)]
    }

    private mutating func skip(to number: Int) {
      let entry = set.entries[index]
      if entry.isBitmap {
        place = number / 64
        rest = set.words[Int(entry.start) + place] & (~0 << UInt64(number % 64))
      } else {
        while place < Int(entry.rowCount) && Int(set.number(in: entry, at: place)) < number {
          place += 1
        }
      }
    }

    /// The next row, or nil after the last.
    public mutating func next() -> RowID? {
      while index < set.entries.count {
        let entry = set.entries[index]
        if entry.isBitmap {
          while rest == 0 && place + 1 < Container.bitmapWordCount {
            place += 1
            rest = set.words[Int(entry.start) + place]
          }
          if rest != 0 {
            let bit = rest.trailingZeroBitCount
            rest &= rest - 1
            return RowID(entry.number, UInt16(64 * place + bit))
          }
        } else if place < Int(entry.rowCount) {
          place += 1
          return RowID(entry.number, set.number(in: entry, at: place - 1))
        }
        index += 1
        enter()
      }
      return nil
    }

    fileprivate consuming func nextOrNil() -> RowID? { next() }
  }

  /// The number at `place` of an entry that is an array.
  fileprivate func number(in entry: Entry, at place: Int) -> UInt16 {
    let word = words[Int(entry.start) + place / 4]
    return UInt16(truncatingIfNeeded: word >> UInt64(16 * (place % 4)))
  }
}

extension RowID {
  /// The number of the container that the row lies in.
  var containerNumber: UInt64 { rawValue >> UInt64(Container.rowBits) }

  /// The row's number in its container.
  var numberInContainer: UInt16 {
    UInt16(truncatingIfNeeded: rawValue & UInt64(Container.rowCount - 1))
  }

  /// The row `number` of container `container`.
  init(_ container: UInt64, _ number: UInt16) {
    self.init(rawValue: container << UInt64(Container.rowBits) | UInt64(number))
  }
}
