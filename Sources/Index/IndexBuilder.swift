public import PageStore

// Builders make an index, or add to one, from many rows in any order. They gather in memory until
// they are full; then `flush` writes. For an index that is built anew, clear its table before.

/// What adds many rows to an index at once, whichever kind it is.
public protocol IndexBuilder {
  /// About how many bytes have been gathered.
  var byteCount: Int { get }
  /// Writes what was added.
  ///
  /// - Throws: What the index throws; then the transaction is not to be committed.
  mutating func flush(
    in table: TableHandle, of transaction: inout WriteTransaction
  ) throws(IndexError)
}

/// Adds many rows to a `TermIndex` at once.
public struct TermIndexBuilder: IndexBuilder {
  private let index: TermIndex
  private let byteLimit: Int
  private var batch: PostingBatch

  /// A builder that is full at about `byteLimit` bytes.
  public init(_ index: TermIndex, byteLimit: Int = 64 << 20) {
    self.index = index
    self.byteLimit = byteLimit
    batch = PostingBatch(index: index.name)
  }

  /// About how many bytes have been gathered.
  public var byteCount: Int { batch.byteCount }

  /// True once `flush` should be called.
  public var isFull: Bool { byteCount >= byteLimit }

  /// Gives `row` the term.
  ///
  /// - Throws: `.termTooLong`.
  public mutating func add(_ row: RowID, _ term: [UInt8]) throws(IndexError) {
    batch.add(try index.checkedList(of: term).key, row)
  }

  /// Writes what was added.
  public mutating func flush(
    in table: TableHandle, of transaction: inout WriteTransaction
  ) throws(IndexError) {
    try batch.write(in: table, of: &transaction)
  }
}

/// Adds many rows to a `NumericIndex` at once.
public struct NumericIndexBuilder: IndexBuilder {
  private let index: NumericIndex
  private let byteLimit: Int
  private var rows: [(row: UInt64, number: UInt64)] = []

  /// A builder that is full at about `byteLimit` bytes.
  public init(_ index: NumericIndex, byteLimit: Int = 64 << 20) {
    self.index = index
    self.byteLimit = byteLimit
  }

  /// About how many bytes have been gathered, and will be to write them.
  public var byteCount: Int { rows.count * 48 }

  /// True once `flush` should be called.
  public var isFull: Bool { byteCount >= byteLimit }

  /// Gives `row`, which has none, its number.
  public mutating func add(_ row: RowID, _ number: NumericKey) {
    rows.append((row.rawValue, number.rawValue))
  }

  /// Writes what was added.
  ///
  /// - Throws: `.hasNumber`, and the transaction is not to be committed then.
  public mutating func flush(
    in table: TableHandle, of transaction: inout WriteTransaction
  ) throws(IndexError) {
    rows.sort { $0.number != $1.number ? $0.number < $1.number : $0.row < $1.row }
    var writer = PostingListWriter(index: index.name)
    var start = 0
    while start < rows.count {
      let number = rows[start].number
      var list: [UInt64] = []
      while start < rows.count, rows[start].number == number {
        if list.last != rows[start].row { list.append(rows[start].row) }
        start += 1
      }
      _ = try writer.add(
        NumericKey(rawValue: number).term, list, in: table, of: &transaction)
    }
    try writer.finish(in: table, of: &transaction)
    rows.sort { $0.row < $1.row }
    for (first, second) in zip(rows, rows.dropFirst()) where first.row == second.row {
      throw .hasNumber(index: index.name, RowID(rawValue: first.row))
    }
    try NumericSlices(index: index.name).insert(rows, in: table, of: &transaction)
    if !rows.isEmpty { try index.addToTotal(rows.count, in: table, of: &transaction) }
    rows.removeAll()
  }
}

/// Adds many rows to a `NameIndex` at once.
public struct NameIndexBuilder: IndexBuilder {
  private let index: NameIndex
  private let byteLimit: Int
  private var batch: PostingBatch

  /// A builder that is full at about `byteLimit` bytes.
  public init(_ index: NameIndex, byteLimit: Int = 64 << 20) {
    self.index = index
    self.byteLimit = byteLimit
    batch = PostingBatch(index: index.name)
  }

  /// About how many bytes have been gathered.
  public var byteCount: Int { batch.byteCount }

  /// True once `flush` should be called.
  public var isFull: Bool { byteCount >= byteLimit }

  /// Gives `row`, which has none, all its names.
  public mutating func add(_ row: RowID, _ names: [String]) {
    // A word that stands there twice is added twice, and written once.
    for name in names {
      var isFirst = true
      for word in NameFolding.words(of: name) {
        for alternative in NameFolding.alternatives(of: word) {
          let kept = alternative.nameWord
          if isFirst { batch.add(NameWord.Kind.start.rawValue, kept, row) }
          batch.add(NameWord.Kind.anywhere.rawValue, kept, row)
        }
        isFirst = false
      }
    }
  }

  /// Writes what was added.
  public mutating func flush(
    in table: TableHandle, of transaction: inout WriteTransaction
  ) throws(IndexError) {
    var words: [(NameWord, [UInt64])] = []
    try batch.write(in: table, of: &transaction) { key, rows, _ in
      if let word = NameWord(key: key) { words.append((word, rows)) }
    }
    try writePrefixes(of: words, in: table, of: &transaction)
  }

  /// Adds the rows of `words` to the lists of the words' beginnings.
  private func writePrefixes(
    of words: [(NameWord, [UInt64])], in table: TableHandle,
    of transaction: inout WriteTransaction
  ) throws(IndexError) {
    var splits: [NameWord: Bool] = [:]
    var lists: [(prefix: NameWord, list: PostingList, rows: [UInt64])] = []
    // By their length: where in `lists` the prefix of the word at hand has its rows. The words
    // ascend, so that those with one prefix follow one another.
    var places: [Int] = []
    for (word, rows) in words {
      let prefixes = try index.prefixes(of: word, &splits, in: table, of: transaction)
      for (length, prefix) in prefixes.enumerated() {
        if length < places.count && lists[places[length]].prefix == prefix {
          lists[places[length]].rows += rows
        } else {
          places.removeSubrange(min(length, places.count)...)
          places.append(lists.count)
          lists.append((prefix, prefix.prefixList(of: index.name), rows))
        }
      }
    }
    lists.sort { $0.list.key.lexicographicallyPrecedes($1.list.key) }
    var counts: [(NameWord, Int)] = []
    for (prefix, list, rows) in lists {
      counts.append((prefix, try list.insert(rows.sortedOnce(), in: table, of: &transaction)))
    }
    for (prefix, count) in counts {
      try index.split(prefix, rowCount: count, in: table, of: &transaction)
    }
  }
}

extension WriteTransaction {
  /// Empties the table of an index, to build it anew.
  public mutating func clearIndex(_ table: TableHandle) throws(IndexError) {
    do throws(StoreError) {
      try deleteRange(from: nil, to: nil, in: table)
    } catch {
      throw .store(error)
    }
  }
}
