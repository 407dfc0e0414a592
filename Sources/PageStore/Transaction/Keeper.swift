internal import Synchronization

/// The thread that looks after a store while its process has the right to write: it runs checkpoints,
/// syncs what `.eventual` commits have left, and hands the right over to whoever asks.
final class Keeper: Sendable {
  private let core: StoreCore
  private let isStopping = Atomic<Bool>(false)
  private let thread = Guarded<BackgroundThread?>(nil)

  init(_ core: StoreCore) { self.core = core }

  /// Starts the thread, where it is not running and the system allows one.
  func start() throws(StoreError) {
    guard core.fileSystem.allowsBackgroundThreads else { return }
    try thread.withLock { thread throws(StoreError) in
      if thread != nil || isStopping.load(ordering: .relaxed) { return }
      thread = try BackgroundThread(path: core.path) { [self] in run() }
    }
  }

  /// Ends the thread, after what it is doing.
  func stop() {
    isStopping.store(true, ordering: .releasing)
    nudge()
    let running = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    running?.join()
  }

  /// Wakes the thread, so that it looks for work.
  func nudge() {
    core.shared.wantedWord.add(1)
    core.fileSystem.wake(core.shared.wantedWord)
  }

  private func run() {
    while !isStopping.load(ordering: .acquiring) {
      let wanted = core.shared.wantedCount
      work()
      if isStopping.load(ordering: .acquiring) { return }
      core.fileSystem.wait(
        on: core.shared.wantedWord, while: wanted, nanoseconds: pause)
    }
  }

  /// Does what is due.
  ///
  /// What fails here has poisoned the store, and the next caller is told so.
  func work() {
    do throws(StoreError) {
      if core.shared.isRightWanted { try core.handOver() }
      let now = core.fileSystem.nanoseconds()
      let (needsCheckpoint, oldest) = core.commits.withLock {
        ($0.wantsCheckpoint, $0.oldestUnsynced)
      }
      if needsCheckpoint { try core.checkpoint() }
      if let interval, let oldest, now > oldest, now - oldest >= interval { try core.syncTip() }
    } catch {
      // Recorded by whoever found it: `Commits.poison`, or a lock that is asked for again.
    }
  }

  /// The interval of `.eventual`, in nanoseconds.
  private var interval: UInt64? {
    guard case .eventual(let interval) = core.options.durability else { return nil }
    return interval.nanoseconds
  }

  /// How long to sleep, in nanoseconds.
  private var pause: UInt64 {
    guard let interval else { return 1_000_000_000 }
    return max(1_000_000, min(interval / 2, 1_000_000_000))
  }
}
