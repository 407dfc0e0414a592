internal import PageStore

/// Tells observers that something was committed, by this process or another.
///
/// A change has a number; whoever has seen number *n* waits until there is a greater one. While
/// somebody waits, a thread sleeps on the store's bell, which every process rings when it publishes.
final class ChangeWatch: Sendable {
  private let store: Store
  private let state = Guarded(State())

  private struct State {
    var change: UInt64 = 0
    var nextWaiter: UInt64 = 0
    var waiters: [UInt64: CheckedContinuation<Bool, Never>] = [:]
    var isStopped = false
    var hasThread = false
  }

  init(_ store: Store) { self.store = store }

  /// The number of the newest change that is known of.
  var current: UInt64 { state.withLock { $0.change } }

  /// True once the database is closed.
  var isStopped: Bool { state.withLock { $0.isStopped } }

  /// How many wait.
  var waiterCount: Int { state.withLock { $0.waiters.count } }

  /// Something was committed by this process.
  func noteCommit() { wake(isStopping: false) }

  /// Ends all waiting.
  func stop() { wake(isStopping: true) }

  private func wake(isStopping: Bool) {
    let waiters = state.withLock { state in
      state.change += 1
      if isStopping { state.isStopped = true }
      defer { state.waiters = [:] }
      return Array(state.waiters.values)
    }
    let isOpen = !isStopping
    for waiter in waiters { waiter.resume(returning: isOpen) }
  }

  /// Waits until there is a change after `change`.
  ///
  /// - Returns: False where the database was closed, or the task was cancelled.
  func wait(after change: UInt64) async -> Bool {
    let waiter = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        enter(waiter, after: change, continuation)
      }
    } onCancel: {
      leave(waiter)
    }
  }

  private func enter(
    _ waiter: UInt64, after change: UInt64, _ continuation: CheckedContinuation<Bool, Never>
  ) {
    let answer = state.withLock { state -> Bool? in
      if state.isStopped || Task.isCancelled { return false }
      if state.change > change { return true }
      state.waiters[waiter] = continuation
      return nil
    }
    if let answer { return continuation.resume(returning: answer) }
    startThread()
    // The task may have been cancelled before its continuation was there to be found.
    if Task.isCancelled { leave(waiter) }
  }

  private func leave(_ waiter: UInt64) {
    state.withLock { $0.waiters.removeValue(forKey: waiter) }?.resume(returning: false)
  }

  // MARK: Other processes

  /// How long the thread sleeps at most, in nanoseconds: how late it finds that nobody waits.
  private static let pause: UInt64 = 200_000_000

  private func startThread() {
    let sequence = store.publicationSequence
    let isNeeded = state.withLock { state in
      defer { state.hasThread = true }
      return !state.hasThread && store.allowsBackgroundThreads
    }
    if !isNeeded { return }
    do throws(StoreError) {
      let thread = try BackgroundThread(path: store.path) { [weak self] in
        var heard = sequence
        while let next = self?.listen(after: heard) { heard = next }
      }
      thread.detach()
      // What was published before the thread was there has been missed.
      wake(isStopping: false)
    } catch {
      // Without a thread, commits of this process are still seen.
      state.withLock { $0.hasThread = false }
    }
  }

  /// Sleeps for a while; returns what was published meanwhile, or nil where nobody waits any more.
  private func listen(after sequence: UInt64) -> UInt64? {
    store.waitForPublication(after: sequence, nanoseconds: ChangeWatch.pause)
    let now = store.publicationSequence
    if now != sequence {
      wake(isStopping: false)
      return now
    }
    let isIdle = state.withLock { state in
      if !state.waiters.isEmpty && !state.isStopped { return false }
      state.hasThread = false
      return true
    }
    return isIdle ? nil : now
  }
}
