internal import PageStore

/// Where rows are read from: a snapshot, or the transaction under way.
enum RowSource {
  case snapshot(Snapshot)
  /// Lent by a `DatabaseTransaction`, which changes nothing while anything that was read is in use.
  case transaction(TransactionView)

  /// Runs `body` on the table; nil where there is none.
  func withTable<Result, Failure: StoreFailure>(
    _ name: String, _ body: (borrowing Table) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    switch self {
    case .snapshot(let snapshot): try snapshot.withTable(name, body)
    case .transaction(let view): try view.withTable(name, body)
    }
  }
}

extension RowSource {
  /// Runs `body` on the table unless there is none; without a result, which makes it faster.
  func visitTable(
    _ name: String, _ body: (borrowing Table) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    guard case .snapshot(let snapshot) = self else {
      _ = try withTable(name, body)
      return
    }
    let table: Table
    do throws(StoreError) {
      table = try snapshot.table(name)
    } catch {
      if case .noSuchTable = error { return }
      throw .store(error)
    }
    try body(table)
  }
}

extension Table {
  /// Runs `body` on the value under `key`; nil where there is none.
  func withValue<Result>(
    _ key: [UInt8], _ body: (RawSpan) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result? {
    let value: RawSpan
    do throws(StoreError) {
      guard let found = try get(key) else { return nil }
      value = found
    } catch {
      throw .store(error)
    }
    return try body(value)
  }

  /// Runs `body` on each row of the range in ascending order until it returns false.
  func forEachRow(
    from lower: [UInt8]? = nil, to upper: [UInt8]? = nil,
    _ body: (_ key: RawSpan, _ value: RawSpan) throws(DatabaseError) -> Bool
  ) throws(DatabaseError) {
    var cursor = self.cursor(from: lower, to: upper)
    while true {
      let value: RawSpan
      do throws(StoreError) {
        guard try cursor.next() else { return }
        value = try cursor.value
      } catch {
        throw .store(error)
      }
      guard try body(cursor.key, value) else { return }
    }
  }
}
