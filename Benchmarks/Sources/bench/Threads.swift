import Glibc
import Synchronization

/// Runs `body` on `count` threads at once, each with its number, and adds up what they saw.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Digest) throws -> Digest {
  if count == 1 { return try body(0) }
  let shares = (0..<count).map { Share(thread: $0, body: body) }
  var threads: [pthread_t] = []
  for share in shares {
    var thread = pthread_t()
    let status = pthread_create(
      &thread, nil, { @Sendable in Share.run($0) }, Unmanaged.passUnretained(share).toOpaque())
    guard status == 0 else { fatalError("no thread: error \(status)") }
    threads.append(thread)
  }
  for thread in threads { pthread_join(thread, nil) }
  return try shares.reduce(Digest()) { try $0 + $1.result() }
}

/// What one thread has to do, and how it went.
private final class Share: Sendable {
  private let thread: Int
  private let body: @Sendable (Int) throws -> Digest
  private let outcome = Mutex<Result<Digest, any Error>>(.success(Digest()))

  init(thread: Int, body: @escaping @Sendable (Int) throws -> Digest) {
    self.thread = thread
    self.body = body
  }

  func result() throws -> Digest { try outcome.withLock { $0 }.get() }

  static func run(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    let share = Unmanaged<Share>.fromOpaque(context).takeUnretainedValue()
    let outcome = Result { try share.body(share.thread) }
    share.outcome.withLock { $0 = outcome }
    return nil
  }
}
