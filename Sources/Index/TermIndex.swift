public import PageStore

/// An index from terms to the rows that have them: types, professions, or any other bytes.
///
/// A row may have any number of terms. The index is a table of the store with its name; a value of
/// this type holds nothing but that name.
public struct TermIndex: Sendable {
  /// The name of the index, and of its table.
  public let name: String

  /// The longest term that always fits, in bytes; one without bytes 0 may be twice as long.
  public static let termByteCount = (PostingList.keyLimit - 2) / 2

  /// The index in the table `name`.
  public init(_ name: String) { self.name = name }

  // MARK: Reading

  /// How many rows have `term`, by one look-up.
  public func count(of term: [UInt8], in table: Table) throws(IndexError) -> Int {
    try list(of: term).count(in: table)
  }

  /// The rows that have `term`.
  public func rows(with term: [UInt8], in table: Table) throws(IndexError) -> PostingSet {
    var cost = ReadingCost()
    return try list(of: term).rows(in: table, &cost)
  }

  /// The first rows from `start` on that have `term`, at most `limit`.
  public func rows(
    with term: [UInt8], from start: RowID, limit: Int, in table: Table
  ) throws(IndexError) -> [RowID] {
    var cost = ReadingCost()
    return try list(of: term).prefix(limit, from: start, in: table, &cost)
  }

  /// True where `row` has `term`.
  public func contains(
    _ row: RowID, with term: [UInt8], in table: Table
  ) throws(IndexError) -> Bool {
    try list(of: term).contains(row, in: table)
  }

  /// Goes through the terms that begin with `prefix`, in their order, with how many rows have each.
  ///
  /// `body` says whether to go on.
  public func forEachTerm(
    from prefix: [UInt8] = [], in table: Table,
    _ body: (_ term: [UInt8], _ count: Int) throws(IndexError) -> Bool
  ) throws(IndexError) {
    let start = [PostingList.Family.head.rawValue] + TermKey.escaped(prefix)
    try PostingHeads(index: name).forEach(from: start, to: start.endOfPrefix, in: table) {
      (key, head) throws(IndexError) in
      let key = key.extracting(droppingFirst: 1).array
      guard let term = TermKey.term(of: key) else {
        throw .corrupt(index: name, term: key, .form("key of a term"))
      }
      guard let count = PostingHead.rowCount(of: head) else {
        throw .corrupt(index: name, term: key, .form("head"))
      }
      return try body(term, count)
    }
  }

  // MARK: Changing

  /// Makes the index's table, empty, where there is none.
  public func create(in transaction: inout WriteTransaction) throws(IndexError) -> TableHandle {
    try transaction.indexTable(name)
  }

  /// Gives `row` the term.
  ///
  /// - Returns: False where it had it already.
  /// - Throws: `.termTooLong`, or what the store throws.
  @discardableResult
  public func insert(
    _ row: RowID, _ term: [UInt8], in table: TableHandle, of transaction: inout WriteTransaction
  ) throws(IndexError) -> Bool {
    let list = try checkedList(of: term)
    return try list.insert(row, in: table, of: &transaction).isNew
  }

  /// Takes the term away from `row`.
  ///
  /// - Returns: False where it did not have it.
  @discardableResult
  public func remove(
    _ row: RowID, _ term: [UInt8], in table: TableHandle, of transaction: inout WriteTransaction
  ) throws(IndexError) -> Bool {
    try list(of: term).remove(row, in: table, of: &transaction)
  }

  /// The list of `term`, unless that is too long.
  func checkedList(of term: [UInt8]) throws(IndexError) -> PostingList {
    let list = list(of: term)
    if list.key.count > PostingList.keyLimit {
      throw .termTooLong(
        index: name, byteCount: term.count, maximum: TermIndex.termByteCount)
    }
    return list
  }

  func list(of term: [UInt8]) -> PostingList {
    PostingList(index: name, key: TermKey.key(of: term))
  }
}

/// Terms as keys: a byte 0 becomes 0 and 255, and 0 and 0 end the term.
///
/// So keys sort as the terms do, and none is the beginning of another.
enum TermKey {
  static func key(of term: [UInt8]) -> [UInt8] { escaped(term) + [0, 0] }

  static func escaped(_ term: [UInt8]) -> [UInt8] {
    if !term.contains(0) { return term }
    return term.flatMap { $0 == 0 ? [0, 0xFF] : [$0] }
  }

  /// The term of `key`, or nil where it is the key of none.
  static func term(of key: [UInt8]) -> [UInt8]? {
    var term: [UInt8] = []
    var index = 0
    while index < key.count {
      if key[index] != 0 {
        term.append(key[index])
        index += 1
      } else {
        guard index + 1 < key.count else { return nil }
        if key[index + 1] == 0 { return index + 2 == key.count ? term : nil }
        guard key[index + 1] == 0xFF else { return nil }
        term.append(0)
        index += 2
      }
    }
    return nil
  }
}
