/// The writes of tasks that wait for one store, in the order in which they came.
///
/// A task that waits has no thread. Two threads at most are at the gate, one inside and one that is
/// the next; a third waits until what they have committed is durable, for all of it together. So a
/// store that is busy takes no thread from another, a write that waits too long is told so in time,
/// and commits share their syncs.
final class WriteQueue: Sendable {
  /// A write that waits for its turn.
  final class Entry: Sendable {
    /// Runs the transaction; gives what is to be done once it is durable, or nil where it has failed
    /// and the task knows.
    fileprivate let run: @Sendable () -> Committed?
    /// Tells the task why its transaction was never run.
    fileprivate let refuse: @Sendable (StoreError) -> Void

    init(
      run: @escaping @Sendable () -> Committed?, refuse: @escaping @Sendable (StoreError) -> Void
    ) {
      self.run = run
      self.refuse = refuse
    }
  }

  /// A transaction that is committed, and not durable yet.
  struct Committed: Sendable {
    /// The number to wait for, or nil where there is nothing to wait for.
    let number: TransactionNumber?
    /// Tells the task what has become of it.
    let finish: @Sendable (StoreError?) -> Void
  }

  private struct State {
    var waiting: [Entry] = []
    /// The threads that are at the gate.
    var threadCount = 0
    var committed: [Committed] = []
    /// True while a thread waits until they are durable.
    var isSettling = false
  }

  private static let threadLimit = 2
  private let state = Guarded(State())

  /// Has `entry` run when its turn comes.
  func append(_ entry: Entry, to core: StoreCore) {
    let needsThread = state.withLock { state in
      state.waiting.append(entry)
      if state.threadCount == Self.threadLimit { return false }
      state.threadCount += 1
      return true
    }
    if !needsThread { return }
    do throws(StoreError) {
      try WorkerThreads.shared.run(path: core.path) { [self] in work(core) }
    } catch {
      // Where another thread is at work, it comes to those that wait.
      let stranded = state.withLock { state in
        state.threadCount -= 1
        if state.threadCount > 0 { return [Entry]() }
        defer { state.waiting = [] }
        return state.waiting
      }
      for entry in stranded { entry.refuse(error) }
    }
  }

  /// Takes `entry` out of the queue where it still waits, and tells its task that it was cancelled.
  func cancel(_ entry: Entry) {
    if take(entry) { entry.refuse(.cancelled) }
  }

  private func take(_ entry: Entry) -> Bool {
    state.withLock { state in
      guard let index = state.waiting.firstIndex(where: { $0 === entry }) else { return false }
      state.waiting.remove(at: index)
      return true
    }
  }

  /// Runs transactions until none waits.
  private func work(_ core: StoreCore) {
    while let entry = next() {
      guard let committed = entry.run() else { continue }
      let (isSettler, isLast) = state.withLock { state in
        state.committed.append(committed)
        if state.isSettling { return (false, false) }
        state.isSettling = true
        if state.waiting.isEmpty { state.threadCount -= 1 }
        return (true, state.waiting.isEmpty)
      }
      if !isSettler { continue }
      if isLast { return settle(core) }
      do throws(StoreError) {
        try WorkerThreads.shared.run(path: core.path) { [self] in settle(core) }
      } catch {
        settle(core)
      }
    }
  }

  private func next() -> Entry? {
    state.withLock { state in
      if state.waiting.isEmpty {
        state.threadCount -= 1
        return nil
      }
      return state.waiting.removeFirst()
    }
  }

  /// Waits until what was committed is durable, as long as there is something.
  private func settle(_ core: StoreCore) {
    while true {
      let batch = state.withLock { state in
        let batch = state.committed
        state.committed = []
        if batch.isEmpty { state.isSettling = false }
        return batch
      }
      if batch.isEmpty { return }
      var failure: StoreError?
      do throws(StoreError) {
        if let newest = batch.lazy.compactMap(\.number).max() { try core.settle(newest) }
        try core.settleAfterCommit()
      } catch {
        failure = error
      }
      for committed in batch {
        committed.finish(failure.flatMap { core.outcome(of: committed.number, after: $0) })
      }
    }
  }
}

extension StoreCore {
  /// Waits until the commit `number` is what the durability of the store promises.
  func settle(_ number: TransactionNumber) throws(StoreError) {
    if options.durability == .immediate { try waitUntilDurable(number) }
  }

  /// What to tell of commit `number` after `error` of its group: nothing where it was durable before.
  fileprivate func outcome(of number: TransactionNumber?, after error: StoreError) -> StoreError? {
    guard let number else { return nil }
    do throws(StoreError) {
      try settle(number)
      return nil
    } catch {}
    return error
  }
}
