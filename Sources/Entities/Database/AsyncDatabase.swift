internal import PageStore

/// The faces of a database for tasks: the closures are synchronous, entry and durability awaited.
extension Database {
  /// Runs `body` in a transaction and commits it; where it throws, nothing has happened.
  ///
  /// Cancelling the task while it waits or works rolls back.
  @discardableResult
  public func write<Result: Sendable, Failure: DatabaseFailure>(
    _ body: @escaping @Sendable (inout DatabaseTransaction) throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let result = try await store.write { [self] (transaction) throws(Failure) in
      try run(&transaction, body)
    }
    changes.noteCommit()
    return result
  }

  /// Runs `body` in a transaction and commits it; where it throws, nothing has happened.
  @discardableResult
  @_disfavoredOverload
  public func write<Result: Sendable>(
    _ body: @escaping @Sendable (inout DatabaseTransaction) throws -> Result
  ) async throws -> Result {
    do throws(AnyDatabaseFailure) {
      return try await write { (transaction) throws(AnyDatabaseFailure) in
        do {
          return try body(&transaction)
        } catch {
          throw AnyDatabaseFailure(any: error)
        }
      }
    } catch {
      throw error.error
    }
  }

  /// Runs `body` on the newest visible commit; readers wait for nobody.
  public func read<Result, Failure: DatabaseFailure>(
    _ body: (DatabaseSnapshot) throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let snapshot: DatabaseSnapshot
    do throws(DatabaseError) {
      snapshot = try self.snapshot()
    } catch {
      throw Failure(error)
    }
    return try body(snapshot)
  }

  /// Runs `body` on the newest visible commit; readers wait for nobody.
  @_disfavoredOverload
  public func read<Result>(
    _ body: (DatabaseSnapshot) throws -> Result
  ) async throws -> Result {
    try body(try snapshot())
  }
}
