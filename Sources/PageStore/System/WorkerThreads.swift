internal import Synchronization

/// Threads on which blocking work runs for tasks, so that it takes none of those that Swift's own
/// executors have.
///
/// Threads are started as they are needed, and end after a while without work. How many there may
/// be is up to those who have work: a limit for all would let one of them starve the others.
package final class WorkerThreads: Sendable {
  /// The threads of this process.
  package static let shared = WorkerThreads()

  private struct State {
    var jobs: [(number: Int, run: @Sendable () -> Void)] = []
    var jobCount = 0
    var threadCount = 0
    var idleCount = 0
  }

  private let state = Guarded(State())
  private let bell = WaitWord()
  /// How long a thread waits for work before it ends, in nanoseconds.
  private static let patience: UInt64 = 5_000_000_000

  /// Runs `job` on one of the threads.
  ///
  /// - Throws: `.system(.thread, …)` where there is no thread and none can be started.
  package func run(
    path: String, _ job: @escaping @Sendable () -> Void
  ) throws(StoreError) {
    let (number, needsThread) = state.withLock { state in
      state.jobCount += 1
      state.jobs.append((state.jobCount, job))
      return (state.jobCount, state.idleCount < state.jobs.count)
    }
    bell.ring()
    bell.wakeAll()
    if !needsThread { return }
    do throws(StoreError) {
      let thread = try BackgroundThread(path: path) { [self] in work() }
      state.withLock { $0.threadCount += 1 }
      thread.detach()
    } catch {
      // A thread that runs comes to the job in time.
      let isStranded = state.withLock { state in
        if state.threadCount > 0 { return false }
        guard let index = state.jobs.firstIndex(where: { $0.number == number }) else {
          return false
        }
        state.jobs.remove(at: index)
        return true
      }
      if isStranded { throw error }
    }
  }

  private func work() {
    var waited: UInt64 = 0
    while true {
      let heard = bell.value
      let job = state.withLock { state -> (@Sendable () -> Void)? in
        if state.jobs.isEmpty { return nil }
        return state.jobs.removeFirst().run
      }
      if let job {
        waited = 0
        job()
        continue
      }
      let mayLeave = waited >= Self.patience
      let isLeaving = state.withLock { state in
        if mayLeave && state.jobs.isEmpty {
          state.threadCount -= 1
          return true
        }
        state.idleCount += 1
        return false
      }
      if isLeaving { return }
      bell.wait(while: heard, nanoseconds: Self.patience)
      state.withLock { $0.idleCount -= 1 }
      waited = bell.value == heard ? waited + Self.patience : 0
    }
  }
}
