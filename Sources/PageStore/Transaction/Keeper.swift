internal import Synchronization

/// The thread that looks after a store while its process has the right to write: it runs checkpoints,
/// syncs what `.eventual` commits have left, marks the log when it is quiet, and hands the right over
/// to whoever asks.
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

  /// How long one job may wait for the gate, in nanoseconds, while the others wait for this thread.
  private static let patience: UInt64 = 50_000_000

  /// Does what is due.
  ///
  /// The sync comes first, since it waits for nobody who is inside the gate: a long transaction does
  /// not make the loss longer that a crash would be. What one job cannot do keeps no other from its
  /// turn, and is tried again when the thread wakes next.
  func work() {
    attempt { () throws(StoreError) in
      let oldest = core.commits.withLock { $0.oldestUnsynced }
      let now = core.fileSystem.nanoseconds()
      if let interval, let oldest, now > oldest, now - oldest >= interval { try core.syncTip() }
    }
    attempt { () throws(StoreError) in
      if core.shared.isRightWanted { try core.handOver(patience: Self.patience) }
    }
    attempt { () throws(StoreError) in
      if core.commits.withLock({ $0.wantsCheckpoint }) {
        try core.checkpoint(patience: Self.patience)
      }
    }
    core.markQuietLog()
  }

  private func attempt(_ job: () throws(StoreError) -> Void) {
    do throws(StoreError) {
      try job()
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
    guard let interval, let oldest = core.commits.withLock({ $0.oldestUnsynced }) else {
      return 1_000_000_000
    }
    let (due, now) = (
      oldest.addingReportingOverflow(interval).partialValue, core.fileSystem.nanoseconds()
    )
    return due > now ? min(max(due - now, 1_000_000), 1_000_000_000) : 1_000_000
  }
}
