import Entities
import PageStore
import Terminal

/// Wakes the screen whenever somebody commits, in this process or another, and where another file
/// takes the place of the one that is shown.
final class BrowseWatch: Sendable {
  private let isStopped = Guarded(false)
  private let path: String
  private let identity: [UInt64]?

  /// How long a sleep is at most, in nanoseconds: how late the thread finds that it is not needed.
  private static let pause: UInt64 = 200_000_000

  /// True where the path leads to another file by now.
  var isReplaced: Bool {
    let now = SystemCalls.identity(ofFile: path)
    return now != nil && now != identity
  }

  /// True where the path leads nowhere any more.
  var isRemoved: Bool { SystemCalls.identity(ofFile: path) == nil }

  init(_ database: Database) {
    path = database.store.path
    identity = SystemCalls.identity(ofFile: path)
    let isStopped = isStopped
    let store = database.store
    do throws(StoreError) {
      let thread = try BackgroundThread(path: store.path) { [path, identity] in
        var heard = store.publicationSequence
        var told = identity
        while !isStopped.withLock({ $0 }) {
          store.waitForPublication(after: heard, nanoseconds: Self.pause)
          let now = store.publicationSequence
          let file = SystemCalls.identity(ofFile: path)
          // A file that nobody opens would go on being another one, or gone.
          let isOther = file != told
          if now != heard || isOther { Screen.wake() }
          heard = now
          if isOther { told = file }
        }
      }
      thread.detach()
    } catch {
      // Without a thread, the screen is up to date after the next key that needs it.
    }
  }

  func stop() { isStopped.withLock { $0 = true } }
}
