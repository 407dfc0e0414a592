internal import Glibc

/// A thread of one's own, for work that must not take a caller's time.
package final class BackgroundThread: Sendable {
  private let handle: pthread_t

  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Starts a thread that runs `body`.
  ///
  /// - Throws: `.system(.thread, …)` where the system gives no thread.
  package init(path: String, _ body: @escaping @Sendable () -> Void) throws(StoreError) {
    var handle = pthread_t()
    // Safe: the thread takes over the reference that is passed to it.
    let context = unsafe Unmanaged.passRetained(Body(body))
    let result = unsafe pthread_create(
      &handle, nil,
      { context in
        guard let context = unsafe context else { return nil }
        unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, context.toOpaque())
    if result != 0 {
      unsafe context.release()
      throw .system(.thread, path: path, errno: result)
    }
    self.handle = handle
  }

  /// Leaves the thread to itself; called once, and `join` never.
  package func detach() {
    pthread_detach(handle)
  }

  /// Waits until the thread has ended; called once.
  package func join() {
    pthread_join(handle, nil)
  }
}
