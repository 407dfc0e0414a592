/// The whole store as of one commit, to be read for as long as one likes.
///
/// Nothing changes a snapshot: not later commits, not other processes, not compaction. It may be
/// kept, copied and passed between threads. The pages that only it still needs are not reused until
/// the last copy is gone.
public struct Snapshot: Sendable {
  let pin: SnapshotPin

  init(_ pin: SnapshotPin) { self.pin = pin }

  /// The newest transaction that the snapshot holds.
  public var transaction: TransactionNumber { pin.state.transaction }

  /// The table `name`.
  ///
  /// Give the snapshot a name first: on `try store.snapshot().table("towns")`, in one expression, the
  /// compiler of Swift 6.3 crashes ("instruction does not dominate all uses").
  ///
  /// - Throws: `.noSuchTable`, `.corrupt`, or `.forked`.
  /// - Complexity: O(log *n*) in the tables.
  @_lifetime(borrow self)
  public func table(_ name: String) throws(StoreError) -> Table {
    guard let record = try catalog.record(of: name) else { throw .noSuchTable(name) }
    let reader = reader(record.root, table: record.id)
    let table = Table(reader, count: Int(clamping: record.rowCount))
    // Safe: the pin, which this snapshot holds, keeps the table's pages.
    return unsafe _overrideLifetime(table, borrowing: self)
  }

  /// True where there is a table `name`.
  ///
  /// - Throws: `.corrupt`, or `.forked`.
  public func hasTable(_ name: String) throws(StoreError) -> Bool {
    try catalog.record(of: name) != nil
  }

  /// The names of all tables, in the order of their UTF-8.
  ///
  /// - Throws: `.corrupt`, or `.forked`.
  /// - Complexity: O(*n*) in the tables.
  public func tableNames() throws(StoreError) -> [String] { try catalog.names() }

  var catalog: Catalog {
    Catalog(reader: reader(pin.state.catalog, table: TableRecord.catalogTable))
  }

  private func reader(_ root: TreeRoot, table: UInt32) -> TreeReader {
    TreeReader(
      map: pin.map, root: root, table: table, seesPrivatePages: false,
      pageCount: pin.state.pageCount)
  }
}
