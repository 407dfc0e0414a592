/// When a commit returns, and what it then survives.
public enum Durability: Equatable, Sendable {
  /// When it is on disk: it survives the end of the process and the loss of power.
  ///
  /// Commits of several threads share one sync.
  case immediate
  /// At once; it is on disk after `interval` at the latest.
  ///
  /// A loss of power takes the last moments, whole transactions from the end; the end of the
  /// process alone takes nothing that other processes could see.
  case eventual(interval: Duration)
}

/// How a store is opened.
public struct StoreOptions: Sendable {
  /// When commits return.
  public var durability = Durability.immediate
  /// True to open for reading only; the database and its log are never changed then.
  public var isReadOnly = false
  /// False to fail where there is no database, instead of creating one.
  public var createsFile = true
  /// The size of a page in bytes, for a database that is created: 4096, 8192 or 16384.
  ///
  /// A database that exists keeps the size that it was created with.
  public var pageByteCount = 8192
  /// The most bytes that the main file may have, above 0, or nil for no cap.
  public var maximumByteCount: Int?
  /// How long a write waits for the right to write that another transaction or process has.
  public var busyTimeout = Duration.seconds(10)
  /// How much memory changed pages may take before a transaction moves them into the file, in bytes;
  /// above 0.
  public var writeBufferByteCount = 256 << 20
  /// Permission bits of a file that is created, reading and writing for its owner among them; the
  /// umask applies.
  public var permissions: UInt32 = 0o666
  /// Called after what the store does, on the thread that did it; it must not use the store.
  public var trace: (@Sendable (TraceEvent) -> Void)?

  /// The range of addresses that the store reserves for its file, in bytes.
  package var reservedByteCount = 1 << 40
  /// The length of each half of a new log, in bytes.
  package var logHalfByteCount = 1 << 20
  /// The length that no half of the log outgrows, in bytes; the same whenever a store is opened.
  package var logHalfCapacity = 64 << 20

  /// The defaults.
  public init() {}

  /// Throws where an option has a value that means nothing.
  ///
  /// - Throws: `.invalidOption`, with the option's name and value.
  func validate() throws(StoreError) {
    func check(_ isValid: Bool, _ name: String, _ value: Any, _ rule: String) throws(StoreError) {
      if !isValid { throw .invalidOption("\(name) \(value): must be \(rule)") }
    }
    try check(
      StoreLimits.pageByteCounts.contains(pageByteCount), "pageByteCount", pageByteCount,
      "4096, 8192 or 16384")
    if let maximumByteCount {
      try check(maximumByteCount > 0, "maximumByteCount", maximumByteCount, "above 0, or nil")
    }
    try check(busyTimeout >= .zero, "busyTimeout", busyTimeout, "0 or more")
    try check(writeBufferByteCount > 0, "writeBufferByteCount", writeBufferByteCount, "above 0")
    try check(
      permissions & ~0o777 == 0 && permissions & 0o600 == 0o600, "permissions",
      "0o" + String(permissions, radix: 8), "0o600 to 0o777, with the owner's 0o600")
    if case .eventual(let interval) = durability {
      try check(interval >= .zero, "durability interval", interval, "0 or more")
    }
  }
}

/// Something that a store did.
public enum TraceEvent: Equatable, Sendable {
  /// A transaction was committed; its frame has that many bytes, or 0 where it needed a checkpoint.
  case commit(TransactionNumber, frameByteCount: Int)
  /// A transaction was rolled back.
  case rollback
  /// The log was synced through a transaction, for so many commits at once.
  case sync(TransactionNumber, commitCount: Int)
  /// A state became visible, and so many pages were written for it.
  case publish(TransactionNumber, pageCount: Int)
  /// A state became the durable one, in so many nanoseconds.
  case checkpoint(TransactionNumber, nanoseconds: UInt64)
  /// The log of a process that had died was replayed.
  case recovery(TransactionNumber, transactionCount: Int)
  /// The right to write was taken or handed over.
  case tenure(isHeld: Bool)
}
