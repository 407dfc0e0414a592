internal import Synchronization

/// The faces of a store for tasks.
///
/// A transaction's closure is synchronous here too; what a task awaits is its entry and its
/// durability. The whole of it runs on threads of the store's own, so no executor is blocked.
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

  /// Runs a whole transaction on threads of the store's own, until it is durable.
  private func writeOnThread<Result: Sendable, Failure: StoreFailure>(
    _ body: @escaping @Sendable (inout WriteTransaction) throws(Failure) -> Result
  ) async -> Swift.Result<Result, Failure> {
    let cancellation = Cancellation(core.writeQueue)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let entry = entry(cancellation, body) { continuation.resume(returning: $0) }
        core.writeQueue.append(entry, to: core)
        cancellation.follow(entry)
      }
    } onCancel: {
      cancellation.cancel()
    }
  }

  private func entry<Result: Sendable, Failure: StoreFailure>(
    _ cancellation: Cancellation,
    _ body: @escaping @Sendable (inout WriteTransaction) throws(Failure) -> Result,
    _ finish: @escaping @Sendable (Swift.Result<Result, Failure>) -> Void
  ) -> WriteQueue.Entry {
    // The time in the queue is part of the time that a write may wait.
    let wait = core.waitTime()
    return WriteQueue.Entry { [self] in
      do throws(Failure) {
        let (result, number) = try writeInside(
          isCancelled: { cancellation.isCancelled }, wait: wait,
          body)
        return WriteQueue.Committed(number: number) { error in
          finish(error.map { .failure(Failure($0)) } ?? .success(result))
        }
      } catch {
        finish(.failure(error))
        return nil
      }
    } refuse: { error in
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
  private struct State {
    var isCancelled = false
    /// The queue keeps it for as long as it waits.
    weak var entry: WriteQueue.Entry?
  }

  private let queue: WriteQueue
  private let state = Guarded(State())
  private let flag = Atomic<Bool>(false)

  init(_ queue: WriteQueue) { self.queue = queue }

  var isCancelled: Bool { flag.load(ordering: .acquiring) }

  /// Takes `entry` out of the queue once the task is cancelled, or now where it is already.
  func follow(_ entry: WriteQueue.Entry) {
    let isCancelled = state.withLock { state in
      state.entry = entry
      return state.isCancelled
    }
    if isCancelled { queue.cancel(entry) }
  }

  func cancel() {
    flag.store(true, ordering: .releasing)
    let entry = state.withLock { state in
      state.isCancelled = true
      return state.entry
    }
    if let entry { queue.cancel(entry) }
  }
}
