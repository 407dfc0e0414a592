internal import PageStore

/// Rows of many lists, gathered in memory in any order and then written by ascending key.
///
/// Sorted writes fill their pages, and each cell is written once for all of its rows.
struct PostingBatch {
  let index: String
  private var entries: [Entry] = []
  private var keys: [UInt8] = []

  private struct Entry {
    /// The first eight bytes of the key, so that most comparisons need no more.
    var head: UInt64
    var row: UInt64
    var start: UInt32
    var length: UInt16
  }

  init(index: String) { self.index = index }

  /// About how much memory the batch takes.
  var byteCount: Int { entries.count * MemoryLayout<Entry>.stride + keys.count }

  var isEmpty: Bool { entries.isEmpty }

  mutating func add(_ key: [UInt8], _ row: RowID) {
    let start = keys.count
    keys.append(contentsOf: key)
    append(row, from: start)
  }

  /// Adds a row under a word: the key is `kind`, the word and its end.
  mutating func add(_ kind: UInt8, _ word: String, _ row: RowID) {
    if word.utf8.contains(0) {
      add([kind] + TermKey.key(of: Array(word.utf8)), row)
      return
    }
    let start = keys.count
    keys.append(kind)
    keys.append(contentsOf: word.utf8)
    keys.append(0)
    keys.append(0)
    append(row, from: start)
  }

  /// Adds a row under the key that stands in `keys` from `start` on.
  private mutating func append(_ row: RowID, from start: Int) {
    var head: UInt64 = 0
    for place in start..<start + 8 {
      head = head << 8 | UInt64(place < keys.count ? keys[place] : 0)
    }
    entries.append(
      Entry(
        head: head, row: row.rawValue, start: UInt32(start), length: UInt16(keys.count - start)))
  }

  /// Calls `body` with each key and its rows, both ascending, and forgets them all.
  mutating func drain(
    _ body: (_ key: [UInt8], _ rows: [UInt64]) throws(IndexError) -> Void
  ) throws(IndexError) {
    let keys = self.keys
    entries.sort { left, right in
      if left.head != right.head { return left.head < right.head }
      let order = Self.compare(left, right, in: keys)
      return order == 0 ? left.row < right.row : order < 0
    }
    var index = 0
    while index < entries.count {
      let first = entries[index]
      var rows: [UInt64] = []
      while index < entries.count, entries[index].head == first.head,
        Self.compare(first, entries[index], in: keys) == 0
      {
        if rows.last != entries[index].row { rows.append(entries[index].row) }
        index += 1
      }
      let start = Int(first.start)
      try body(Array(keys[start..<start + Int(first.length)]), rows)
    }
    entries.removeAll()
    self.keys.removeAll()
  }

  private static func compare(_ left: Entry, _ right: Entry, in keys: [UInt8]) -> Int {
    let count = Int(min(left.length, right.length))
    let (first, second) = (Int(left.start), Int(right.start))
    var place = min(8, count)
    while place < count {
      let (x, y) = (keys[first + place], keys[second + place])
      if x != y { return x < y ? -1 : 1 }
      place += 1
    }
    return Int(left.length) - Int(right.length)
  }

  /// Writes all rows, the heads of new lists before their containers.
  mutating func write(
    in table: TableHandle, of transaction: inout WriteTransaction,
    _ body: (_ key: [UInt8], _ rows: [UInt64], _ count: Int) -> Void = { _, _, _ in }
  ) throws(IndexError) {
    var writer = PostingListWriter(index: index)
    try drain { (key, rows) throws(IndexError) in
      body(key, rows, try writer.add(key, rows, in: table, of: &transaction))
    }
    try writer.finish(in: table, of: &transaction)
  }
}

/// Adds rows to lists that come by ascending key, the heads of new lists before their containers.
struct PostingListWriter {
  let index: String
  private var long: [(PostingList, [UInt64])] = []

  init(index: String) { self.index = index }

  /// Adds rows, which ascend strictly, to a list; its containers may be written at the end only.
  ///
  /// - Returns: How many rows the list has now.
  mutating func add(
    _ key: [UInt8], _ rows: [UInt64], in table: TableHandle, of transaction: inout WriteTransaction
  ) throws(IndexError) -> Int {
    let list = PostingList(index: index, key: key)
    let (count, isPending) = try list.insertHead(rows, in: table, of: &transaction)
    if isPending { long.append((list, rows)) }
    return count
  }

  /// Writes the containers that are left.
  mutating func finish(
    in table: TableHandle, of transaction: inout WriteTransaction
  ) throws(IndexError) {
    for (list, rows) in long {
      try list.insertContainers(rows, in: table, of: &transaction)
    }
    long = []
  }
}
