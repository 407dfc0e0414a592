internal import CDexShim
internal import Synchronization

/// A value that one thread at a time may touch: a lock, and what it guards.
///
/// Like `Synchronization.Mutex`, with two differences: what the closure returns need not be sent
/// away from the value, and the whole of it is compiled here, so that the thread sanitizer sees
/// that it locks. The lock word is 0 while free, 1 while held, 2 while held and waited for.
/// Source: Ulrich Drepper, "Futexes Are Tricky", § 6.
package final class Guarded<Value>: Sendable {
  // Safe: touched only inside `withLock`.
  private nonisolated(unsafe) var value: Value
  private let word = WaitWord()

  /// Guards `value` from now on.
  package init(_ value: sending Value) {
    // Safe: nobody else has the object yet.
    unsafe self.value = value
  }

  /// Runs `body` on the value, while no other thread does.
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock()
    defer { unlock() }
    // Safe: the lock is held.
    return try unsafe body(&value)
  }

  @inline(__always) private func lock() {
    if word.exchange(0, for: 1) { return }
    lockSlowly()
  }

  @inline(never) private func lockSlowly() {
    for _ in 0..<40 {
      if word.value == 0 && word.exchange(0, for: 1) { return }
    }
    while word.swap(2) != 0 { word.wait(while: 2, nanoseconds: 1_000_000_000) }
  }

  @inline(__always) private func unlock() {
    if word.swap(0) == 2 { word.wake() }
  }
}

/// A word of memory that the threads of this process sleep on.
@safe package final class WaitWord: Sendable {
  private let address: UInt

  package init() {
    let pointer = UnsafeMutablePointer<Atomic<UInt32>>.allocate(capacity: 1)
    // Safe: just allocated, for one value.
    unsafe pointer.initialize(to: Atomic(0))
    address = UInt(bitPattern: pointer)
  }

  // Safe: allocated in the initialiser, and nobody holds the word any more.
  deinit { unsafe pointer.deallocate() }

  @inline(__always) private var pointer: UnsafeMutablePointer<Atomic<UInt32>> {
    // Safe: allocated in the initialiser.
    unsafe UnsafeMutablePointer<Atomic<UInt32>>(bitPattern: address).unsafelyUnwrapped
  }

  /// The word, for a file system's `wait` and `wake`.
  // Safe: whoever waits on the word holds this object.
  package var word: SharedWord { unsafe SharedWord(pointer) }

  // Safe: the memory lives as long as this object.
  package var value: UInt32 { unsafe pointer.pointee.load(ordering: .acquiring) }

  /// Changes the word, so that nobody goes to sleep on what it was.
  package func ring() {
    // Safe: as in `value`.
    unsafe _ = pointer.pointee.wrappingAdd(1, ordering: .acquiringAndReleasing)
  }

  @inline(__always) fileprivate func exchange(_ expected: UInt32, for value: UInt32) -> Bool {
    // Safe: as in `value`.
    unsafe pointer.pointee.compareExchange(
      expected: expected, desired: value, ordering: .acquiringAndReleasing
    ).exchanged
  }

  @inline(__always) fileprivate func swap(_ value: UInt32) -> UInt32 {
    // Safe: as in `value`.
    unsafe pointer.pointee.exchange(value, ordering: .acquiringAndReleasing)
  }

  /// Sleeps until the word is no longer `expected`, or it was woken, or the time is over.
  package func wait(while expected: UInt32, nanoseconds: UInt64) {
    // Safe: as in `value`.
    unsafe dex_futex_wait(pointer, expected, nanoseconds)
  }

  /// Wakes all who sleep on the word.
  package func wakeAll() { wake() }

  // Safe: as in `value`.
  fileprivate func wake() { unsafe dex_futex_wake(pointer) }
}
