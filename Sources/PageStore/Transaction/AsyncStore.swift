internal import Synchronization

/// The faces of a store for tasks.
///
/// A transaction's closure is synchronous here too; what a task awaits is its entry and its
/// durability. The whole of it runs on a thread of the store's own, so no executor is blocked.
/// Cancelling the task while it waits or works rolls back and throws `.cancelled`; once the commit is
/// decided it stands.
extension Store {
  /// Runs `body` in a transaction and commits it; where it throws, nothing has happened.
  @discardableResult
  public func write<Result: Sendable, Failure: StoreFailure>(
    _ body: @escaping @Sendable (inout WriteTransaction) throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    try await writeOnThread(body).get()
  }

  /// Runs `body` in a transaction and commits it; where it throws, nothing has happened.
  @discardableResult
  @_disfavoredOverload
  public func write<Result: Sendable>(
    _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result
  ) async throws -> Result {
    let outcome = await writeOnThread { (transaction) throws(AnyFailure) -> Result in
      do {
        return try body(&transaction)
      } catch {
        throw AnyFailure(any: error)
      }
    }
    switch outcome {
    case .success(let result): return result
    case .failure(let failure): throw failure.error
    }
  }

  /// Runs a whole transaction on a thread of the store's own, until it is durable.
  private func writeOnThread<Result: Sendable, Failure: StoreFailure>(
    _ body: @escaping @Sendable (inout WriteTransaction) throws(Failure) -> Result
  ) async -> Swift.Result<Result, Failure> {
    let cancellation = Cancellation()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        start(cancellation, body) { continuation.resume(returning: $0) }
      }
    } onCancel: {
      cancellation.cancel()
    }
  }

  private func start<Result: Sendable, Failure: StoreFailure>(
    _ cancellation: Cancellation,
    _ body: @escaping @Sendable (inout WriteTransaction) throws(Failure) -> Result,
    _ finish: @escaping @Sendable (Swift.Result<Result, Failure>) -> Void
  ) {
    do throws(StoreError) {
      try WorkerThreads.shared.run(path: path) { [self] in
        let outcome: Swift.Result<Result, Failure>
        do throws(Failure) {
          outcome = .success(try write(isCancelled: { cancellation.isCancelled }, body))
        } catch {
          outcome = .failure(error)
        }
        finish(outcome)
      }
    } catch {
      finish(.failure(Failure(error)))
    }
  }

  /// Runs `body` on a snapshot of the newest visible commit; readers wait for nobody.
  public func read<Result, Failure: StoreFailure>(
    _ body: (borrowing Snapshot) throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let snapshot: Snapshot
    do throws(StoreError) {
      snapshot = try self.snapshot()
    } catch {
      throw Failure(error)
    }
    return try body(snapshot)
  }

  /// Runs `body` on a snapshot of the newest visible commit; readers wait for nobody.
  @_disfavoredOverload
  public func read<Result>(
    _ body: (borrowing Snapshot) throws -> Result
  ) async throws -> Result {
    try body(try snapshot())
  }
}

/// Whether a task has been cancelled, told across threads.
private final class Cancellation: Sendable {
  private let flag = Atomic<Bool>(false)

  var isCancelled: Bool { flag.load(ordering: .acquiring) }

  func cancel() { flag.store(true, ordering: .releasing) }
}
