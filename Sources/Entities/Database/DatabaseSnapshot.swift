public import PageStore

/// All entities as of one commit, to be read for as long as one likes.
///
/// It may be kept, copied and passed between threads; nothing changes it.
public struct DatabaseSnapshot: Sendable, DatabaseReading {
  let snapshot: Snapshot
  let schemas: SchemaSet
  private var isInterrupted: (@Sendable () -> Bool)?

  init(snapshot: Snapshot, schemas: SchemaSet) {
    self.snapshot = snapshot
    self.schemas = schemas
  }

  /// The same, whose queries throw `.store(.cancelled)` once `isInterrupted` is true.
  ///
  /// It is called for each record that is looked at, and so should take no time to speak of.
  public func interrupted(when isInterrupted: @escaping @Sendable () -> Bool) -> DatabaseSnapshot {
    var copy = self
    copy.isInterrupted = isInterrupted
    return copy
  }

  /// The newest transaction that the snapshot holds.
  public var transaction: TransactionNumber { snapshot.transaction }

  /// Lends what is read from.
  public func withReader<Result>(
    _ body: (borrowing DatabaseReader) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    try body(
      DatabaseReader(
        ReadingContext(
          source: .snapshot(snapshot), schemas: schemas, isInterrupted: isInterrupted)))
  }
}
