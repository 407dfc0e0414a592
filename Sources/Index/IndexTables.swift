public import PageStore

/// Where the tables of indexes are found: a snapshot, or a transaction with its own changes.
public protocol IndexTables: ~Copyable {
  /// Lends the table `name` for the time of `body`.
  func withTable<Result>(
    _ name: String, _ body: (Table) throws(IndexError) -> Result
  ) throws(IndexError) -> Result
}

extension Snapshot: IndexTables {
  /// Lends the table `name` for the time of `body`.
  public func withTable<Result>(
    _ name: String, _ body: (Table) throws(IndexError) -> Result
  ) throws(IndexError) -> Result {
    let table: Table
    do throws(StoreError) {
      table = try self.table(name)
    } catch {
      throw .store(error)
    }
    return try body(table)
  }
}

extension WriteTransaction: IndexTables {
  /// Lends the table `name`, as it stands now, for the time of `body`.
  public func withTable<Result>(
    _ name: String, _ body: (Table) throws(IndexError) -> Result
  ) throws(IndexError) -> Result {
    let table: Table
    do throws(StoreError) {
      table = try reading(named: name)
    } catch {
      throw .store(error)
    }
    return try body(table)
  }
}
