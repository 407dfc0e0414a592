import Entities
import PageStore
import Synchronization

/// How long an answer is waited for: until somebody types, or the screen has to show what was
/// typed.
final class BrowsePatience: Sendable {
  private struct Limit {
    var end: ContinuousClock.Instant?
    var hasInput: @Sendable () -> Bool
  }

  private let limit = Guarded<Limit?>(nil)
  private let records = Atomic(0)

  /// Records between two looks at the clock and the keyboard, which take longer than a record.
  private static let stride = 256

  /// Runs `body`, which reads, and gives it up at the first key, or after so long; nil then.
  func run<Result>(
    atMost time: Duration?, unless hasInput: @escaping @Sendable () -> Bool,
    _ body: () throws -> Result
  ) throws -> Result? {
    records.store(0, ordering: .relaxed)
    limit.withLock { $0 = Limit(end: time.map { ContinuousClock.now + $0 }, hasInput: hasInput) }
    defer { limit.withLock { $0 = nil } }
    do {
      return try body()
    } catch DatabaseError.store(.cancelled) {
      return nil
    }
  }

  /// Asked for each record that is looked at.
  @Sendable func isOver() -> Bool {
    if records.wrappingAdd(1, ordering: .relaxed).oldValue % Self.stride != 0 { return false }
    return limit.withLock { limit in
      guard let limit else { return false }
      return limit.end.map { ContinuousClock.now >= $0 } ?? false || limit.hasInput()
    }
  }
}
