import Entities
import PageStore
import Terminal

/// Wakes the screen whenever somebody commits, in this process or another.
final class BrowseWatch: Sendable {
  private let isStopped = Guarded(false)

  /// How long a sleep is at most, in nanoseconds: how late the thread finds that it is not needed.
  private static let pause: UInt64 = 200_000_000

  init(_ database: Database) {
    let isStopped = isStopped
    let store = database.store
    do throws(StoreError) {
      let thread = try BackgroundThread(path: store.path) {
        var heard = store.publicationSequence
        while !isStopped.withLock({ $0 }) {
          store.waitForPublication(after: heard, nanoseconds: Self.pause)
          let now = store.publicationSequence
          if now != heard { Screen.wake() }
          heard = now
        }
      }
      thread.detach()
    } catch {
      // Without a thread, the screen is up to date after the next key that needs it.
    }
  }

  func stop() { isStopped.withLock { $0 = true } }
}
