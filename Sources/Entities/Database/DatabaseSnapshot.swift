public import PageStore

/// All entities as of one commit, to be read for as long as one likes.
///
/// It may be kept, copied and passed between threads; nothing changes it.
public struct DatabaseSnapshot: Sendable, DatabaseReading {
  let snapshot: Snapshot
  let schemas: SchemaSet

  /// The newest transaction that the snapshot holds.
  public var transaction: TransactionNumber { snapshot.transaction }

  /// Lends what is read from.
  public func withReader<Result>(
    _ body: (borrowing DatabaseReader) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    try body(DatabaseReader(ReadingContext(source: .snapshot(snapshot), schemas: schemas)))
  }
}
