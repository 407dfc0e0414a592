import CDexShim
import PageStore
import Synchronization
import Testing

/// Threads that work side by side for a while, and what went wrong in them.
final class Crew: Sendable {
  private let failures = Guarded<[String]>([])
  private let threads = Guarded<[BackgroundThread]>([])
  private let isOver = Atomic<Bool>(false)

  /// Starts a thread that calls `body` again and again, with the number of the call, until the time
  /// is over or it throws; or only `count` times.
  func start(
    _ name: String, count: Int = .max, _ body: @escaping @Sendable (Int) throws -> Void
  ) throws {
    let thread = try BackgroundThread(path: name) { [self] in
      var round = 0
      while round < count, !isOver.load(ordering: .acquiring) || count < .max {
        do {
          try body(round)
        } catch {
          failures.withLock { $0.append("\(name): \(error)") }
          isOver.store(true, ordering: .releasing)
          return
        }
        round += 1
      }
    }
    threads.withLock { $0.append(thread) }
  }

  /// Lets the threads work for so long, and on until `isEnough`, but no longer than half a minute
  /// more; then waits for all, and records what they threw.
  func finish(afterMilliseconds milliseconds: Int = 0, _ isEnough: () -> Bool = { true }) {
    let end = testMilliseconds() + milliseconds
    while !isOver.load(ordering: .acquiring) {
      let rest = end - testMilliseconds()
      if rest <= 0 && (isEnough() || rest < -30_000) { break }
      pause(milliseconds: 5)
    }
    isOver.store(true, ordering: .releasing)
    for thread in threads.withLock({ $0 }) { thread.join() }
    for failure in failures.withLock({ $0 }) { Issue.record("\(failure)") }
  }
}

/// Sleeps.
func pause(milliseconds: Int) {
  let word = WaitWord()
  word.wait(while: word.value, nanoseconds: UInt64(milliseconds) * 1_000_000)
}

/// A number that threads share.
final class SharedCount: Sendable {
  private let count = Atomic<Int>(0)

  var value: Int {
    get { count.load(ordering: .acquiring) }
    set { count.store(newValue, ordering: .releasing) }
  }

  /// Adds one, and returns the sum.
  func increment() -> Int { count.add(1, ordering: .acquiringAndReleasing).newValue }
}

/// A door that threads wait at until somebody opens it.
final class Latch: Sendable {
  private let word = WaitWord()
  private let start: UInt32

  init() { start = word.value }

  /// Lets everybody through, now and later.
  func open() {
    if !isOpen { word.ring() }
    word.wakeAll()
  }

  var isOpen: Bool { word.value != start }

  /// Waits until it is open; false after a quarter of an hour in vain.
  @discardableResult
  func wait() -> Bool {
    let end = testMilliseconds() + 900_000
    while !isOpen {
      if testMilliseconds() > end { return false }
      word.wait(while: start, nanoseconds: 10_000_000)
    }
    return true
  }
}

/// Something that a snapshot must never show.
struct Inconsistency: Error { let what: String }

/// Rows that every transaction changes together, so that a torn state shows.
///
/// After step *n* the table "rows" has *n* in each of its rows, one of which is large, and the table
/// "window" has the keys of the last 40 steps.
enum Pattern {
  static let rowCount = 100
  static let windowCount = 40
  private static let largeByteCount = 20_000

  // Loops over single bytes are slow where nothing is optimised, and wait for each other there.

  static func key(_ number: Int) -> [UInt8] {
    withUnsafeBytes(of: UInt64(number).bigEndian) { Array($0) }
  }

  /// The number that `key` made these bytes of.
  static func number(_ bytes: RawSpan) -> Int {
    if bytes.byteCount != 8 { return -1 }
    return Int(bytes.unsafeLoadUnaligned(fromByteOffset: 0, as: UInt64.self).bigEndian)
  }

  /// Writes step `step`.
  static func write(_ step: Int, to store: Store) throws(StoreError) {
    try store.write { (transaction) throws(StoreError) in
      let rows = try transaction.createTableIfNeeded("rows")
      for row in 0..<rowCount { try transaction.put(key(row), key(step), in: rows) }
      let large = [UInt8](repeating: UInt8(truncatingIfNeeded: step), count: largeByteCount)
      try transaction.put(key(rowCount), large, in: rows)
      let window = try transaction.createTableIfNeeded("window")
      try transaction.put(key(step), key(step), in: window)
      if step >= windowCount { try transaction.delete(key(step - windowCount), in: window) }
    }
  }

  /// Looks at all rows of `snapshot`, and returns the step and a checksum of everything.
  static func look(at snapshot: Snapshot) throws -> (step: Int, checksum: UInt32) {
    var checksum: UInt32 = 0
    var step: Int?
    let rows = try snapshot.table("rows")
    var count = 0
    var cursor = rows.cursor()
    while try cursor.next() {
      let value = try cursor.value
      checksum = sum(value, after: sum(cursor.key, after: checksum))
      if count < rowCount {
        let found = number(value)
        if let step, step != found { throw Inconsistency(what: "\(found) beside \(step)") }
        step = found
      } else {
        let byte = value.unsafeLoad(fromByteOffset: 0, as: UInt8.self)
        if value.byteCount != largeByteCount || byte != UInt8(truncatingIfNeeded: step ?? -1) {
          throw Inconsistency(what: "a large value of \(byte) beside \(step ?? -1)")
        }
      }
      count += 1
    }
    let number = step ?? -1
    let window = try snapshot.table("window")
    let expected = min(number + 1, windowCount)
    if count != rowCount + 1 || window.count != expected || rows.count != count {
      throw Inconsistency(what: "\(count) rows and \(window.count) of \(expected) steps")
    }
    var steps = window.cursor()
    while try steps.next() { checksum = sum(steps.key, after: checksum) }
    return (number, checksum)
  }

  private static func sum(_ bytes: RawSpan, after checksum: UInt32) -> UInt32 {
    bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { return checksum }
      return dex_crc32c(checksum, base, buffer.count)
    }
  }
}

/// Numbers under names, counted up in transactions.
enum Counters {
  /// Adds one to each of `names`; returns the first one's new value.
  @discardableResult
  static func increment(
    _ names: [String], in transaction: inout WriteTransaction
  ) throws(StoreError) -> Int {
    let table = try transaction.createTableIfNeeded("counters")
    var first: Int?
    for name in names {
      let key = Array(name.utf8)
      var old = 0
      if let bytes = try transaction.get(key.span.bytes, in: table) { old = Pattern.number(bytes) }
      try transaction.put(key, Pattern.key(old + 1), in: table)
      first = first ?? old + 1
    }
    return first ?? 0
  }

  /// The same in a transaction of its own.
  static func increment(_ names: [String], in store: Store) throws(StoreError) -> Int {
    try store.write { (transaction) throws(StoreError) in
      try increment(names, in: &transaction)
    }
  }

  /// The number under `name`; 0 where there is none.
  static func value(_ name: String, in store: Store) throws(StoreError) -> Int {
    let snapshot = try store.snapshot()
    guard try snapshot.hasTable("counters") else { return 0 }
    let table = try snapshot.table("counters")
    guard let bytes = try table.get(name) else { return 0 }
    return Pattern.number(bytes)
  }
}
