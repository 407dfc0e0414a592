public import PageStore

/// An index from numbers to the rows that have them, for ranges and for sorted answers.
///
/// A row has one number at most. The rows of each number are a list, and the numbers of all rows lie
/// in slices of bits beside that, so that neither a narrow nor a wide range needs many lists.
public struct NumericIndex: Sendable {
  /// The name of the index, and of its table.
  public let name: String

  /// The most numbers whose lists are joined for a range, instead of comparing slices.
  static let joinedListLimit = 64
  /// The most rows that are joined from more than a few lists.
  static let joinedRowLimit = 20_000
  /// The most numbers whose counts are added up for a range.
  static let countedListLimit = 1024

  /// The index in the table `name`.
  public init(_ name: String) { self.name = name }

  // MARK: Reading

  /// How many rows have a number.
  public func count(in table: Table) throws(IndexError) -> Int {
    let value: RawSpan?
    do throws(StoreError) {
      value = try table.get([PostingList.Family.total.rawValue])
    } catch {
      throw .store(error)
    }
    guard let value else { return 0 }
    guard let count = PostingHead.rowCount(of: value) else {
      throw .corrupt(index: name, term: [], .form("total"))
    }
    return count
  }

  /// The number of `row`, or nil where it has none.
  public func number(of row: RowID, in table: Table) throws(IndexError) -> NumericKey? {
    try NumericSlices(index: name).number(of: row, in: table)
  }

  /// The rows whose numbers are from `lower` through `upper`; nil is no end.
  public func rows(
    from lower: NumericKey?, through upper: NumericKey?, in table: Table
  ) throws(IndexError) -> PostingSet {
    var cost = ReadingCost()
    return try range(lower, upper).rows(in: table, &cost)
  }

  /// How many rows have numbers from `lower` through `upper`; nil is no end.
  public func count(
    from lower: NumericKey?, through upper: NumericKey?, in table: Table
  ) throws(IndexError) -> Int {
    var cost = ReadingCost()
    return try range(lower, upper).count(in: table, &cost)
  }

  /// The least number, or nil where no row has one.
  public func min(in table: Table) throws(IndexError) -> NumericKey? {
    try edge(backwards: false, in: table)
  }

  /// The greatest number, or nil where no row has one.
  public func max(in table: Table) throws(IndexError) -> NumericKey? {
    try edge(backwards: true, in: table)
  }

  private func edge(backwards: Bool, in table: Table) throws(IndexError) -> NumericKey? {
    var edge: NumericKey?
    try forEachNumber(descending: backwards, in: table) { number, _ in
      edge = number
      return false
    }
    return edge
  }

  /// Goes through the numbers in their order, with how many rows have each.
  ///
  /// `body` says whether to go on.
  public func forEachNumber(
    from lower: NumericKey? = nil, through upper: NumericKey? = nil, descending: Bool = false,
    in table: Table, _ body: (_ number: NumericKey, _ count: Int) throws(IndexError) -> Bool
  ) throws(IndexError) {
    try range(lower, upper).forEachHead(backwards: descending, in: table) {
      (number, head) throws(IndexError) in
      guard let count = PostingHead.rowCount(of: head) else {
        throw .corrupt(index: name, term: number.term, .form("head"))
      }
      return try body(number, count)
    }
  }

  // MARK: Changing

  /// Makes the index's table, empty, where there is none.
  public func create(in transaction: inout WriteTransaction) throws(IndexError) -> TableHandle {
    try transaction.indexTable(name)
  }

  /// Gives `row` its number.
  ///
  /// - Returns: False where it had that number already.
  /// - Throws: `.hasNumber` where the row has another one.
  @discardableResult
  public func insert(
    _ row: RowID, _ number: NumericKey, in table: TableHandle,
    of transaction: inout WriteTransaction
  ) throws(IndexError) -> Bool {
    if let old = try self.number(of: row, in: table, of: transaction) {
      if old == number { return false }
      throw .hasNumber(index: name, row)
    }
    _ = try list(of: number).insert(row, in: table, of: &transaction)
    try NumericSlices(index: name).change(row, number, isSet: true, in: table, of: &transaction)
    try addToTotal(1, in: table, of: &transaction)
    return true
  }

  /// Takes its number away from `row`.
  ///
  /// - Returns: False where it did not have that number.
  @discardableResult
  public func remove(
    _ row: RowID, _ number: NumericKey, in table: TableHandle,
    of transaction: inout WriteTransaction
  ) throws(IndexError) -> Bool {
    guard try list(of: number).remove(row, in: table, of: &transaction) else { return false }
    try NumericSlices(index: name).change(row, number, isSet: false, in: table, of: &transaction)
    try addToTotal(-1, in: table, of: &transaction)
    return true
  }

  private func number(
    of row: RowID, in table: TableHandle, of transaction: borrowing WriteTransaction
  ) throws(IndexError) -> NumericKey? {
    let view: Table
    do throws(StoreError) {
      view = try transaction.reading(table)
    } catch {
      throw .store(error)
    }
    return try number(of: row, in: view)
  }

  /// Changes how many rows have a number.
  func addToTotal(
    _ change: Int, in table: TableHandle, of transaction: inout WriteTransaction
  ) throws(IndexError) {
    let key = [PostingList.Family.total.rawValue]
    let count = try total(in: table, of: transaction) + change
    if count < 0 { throw .corrupt(index: name, term: [], .form("total")) }
    do throws(StoreError) {
      if count == 0 {
        try transaction.delete(key, in: table)
      } else {
        try transaction.put(key, PostingHead.containers(count: count).coding, in: table)
      }
    } catch {
      throw .store(error)
    }
  }

  private func total(
    in table: TableHandle, of transaction: borrowing WriteTransaction
  ) throws(IndexError) -> Int {
    let view: Table
    do throws(StoreError) {
      view = try transaction.reading(table)
    } catch {
      throw .store(error)
    }
    return try count(in: view)
  }

  func list(of number: NumericKey) -> PostingList { PostingList(index: name, key: number.term) }

  func range(_ lower: NumericKey?, _ upper: NumericKey?) -> NumericRange {
    NumericRange(index: self, lower: lower ?? .least, upper: upper ?? .greatest)
  }
}
