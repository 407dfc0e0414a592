internal import CDexShim
internal import Synchronization

/// The door to the one write transaction that a store has at a time, within this process.
///
/// Whoever is inside holds it as a thread; entering twice on one thread is an error, not a deadlock.
final class WriteGate: Sendable {
  private struct State {
    var owner: Int32 = 0
    var waiterCount = 0
  }

  private let state = Guarded(State())
  private let bell: WaitWord
  private let fileSystem: any FileSystem
  private let path: String

  init(fileSystem: any FileSystem, path: String) {
    self.fileSystem = fileSystem
    self.path = path
    bell = WaitWord()
  }

  /// True where the calling thread is inside.
  var isInside: Bool { state.withLock { $0.owner == dex_gettid() } }

  /// True where some thread is inside.
  var isOccupied: Bool { state.withLock { $0.owner != 0 } }

  /// Goes inside, or waits for it.
  ///
  /// - Throws: `.nestedWrite`, `.busy`, or `.cancelled` once `isCancelled` says so.
  func enter(
    _ wait: WaitTime, isCancelled: (@Sendable () -> Bool)? = nil
  ) throws(StoreError) {
    let thread = dex_gettid()
    while true {
      let heard = bell.value
      let (isInside, isNested) = state.withLock { state in
        if state.owner == 0 {
          state.owner = thread
          return (true, false)
        }
        return (false, state.owner == thread)
      }
      if isInside { return }
      if isNested { throw .nestedWrite(path: path) }
      if let isCancelled, isCancelled() { throw .cancelled }
      let now = fileSystem.nanoseconds()
      if now >= wait.deadline {
        throw .busy(
          path: path,
          holder: ProcessDescription(processID: fileSystem.processID, isResponding: true),
          milliseconds: wait.milliseconds(at: now))
      }
      state.withLock { $0.waiterCount += 1 }
      let limit: UInt64 = isCancelled == nil ? 100_000_000 : 5_000_000
      if state.withLock({ $0.owner != 0 }) {
        fileSystem.wait(
          on: bell.word, while: heard, nanoseconds: min(limit, wait.deadline - now))
      }
      state.withLock { $0.waiterCount -= 1 }
    }
  }

  /// Goes outside and lets the next one in.
  func leave() {
    let hasWaiters = state.withLock { state in
      state.owner = 0
      return state.waiterCount > 0
    }
    if hasWaiters {
      bell.ring()
      fileSystem.wake(bell.word)
    }
  }
}
