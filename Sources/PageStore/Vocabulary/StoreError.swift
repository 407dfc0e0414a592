/// What can go wrong in a store.
///
/// Cases carry what happened and where, as values; `description` says the same in a sentence.
public enum StoreError: Error, Equatable, Sendable {
  // The disk and the system
  /// Bytes of the database break the format.
  case corrupt(Damage)
  /// The system refused `call` on the file at `path`.
  case system(_ call: SystemCall, path: String, errno: Int32)
  /// No room for `byteCount` more bytes; the transaction failed whole and reading goes on.
  ///
  /// `oldestReader` names the snapshot that keeps the most pages from being reused, if one does.
  case diskFull(path: String, byteCount: Int, oldestReader: ReaderDescription?)
  /// The file would outgrow the cap that the store was opened with, in bytes; or it is longer than
  /// the range of addresses that this process got for it.
  case fileTooLarge(path: String, maximum: Int)
  /// A write or a sync failed, so what is on disk is unknown until the store is opened again.
  case poisoned(path: String)

  // Opening
  /// What is at `path` is no database of this kind: a folder, a pipe, or a file that holds
  /// something else.
  case notADatabase(path: String, FileKind)
  /// The file was written by a newer format than `supported`.
  case unsupportedVersion(path: String, found: Int, supported: Int)
  /// The database was not closed and its log is not beside it.
  case logMissing(path: String)
  /// The log at `path` belongs to another database, or to another copy of this one.
  case foreignLog(path: String)
  /// Acknowledged transactions cannot be read from the log any more.
  case lostTransactions(path: String, first: TransactionNumber, last: TransactionNumber)
  /// Other processes have the database open, but its lock file is not the one they use.
  case lockFileMissing(path: String)
  /// A file stands where one was to be created.
  case alreadyExists(path: String)

  // Processes
  /// Another process holds the right to write, and kept it for `milliseconds`.
  case busy(path: String, holder: ProcessDescription?, milliseconds: Int)
  /// The store belongs to the process that opened it, and this is a forked child.
  case forked(path: String)
  /// No room for another process or snapshot in the lock file.
  case tooManyReaders(path: String, maximum: Int)

  // Callers
  /// The store, or what was taken from it, has been closed.
  case closed(path: String)
  /// The store was opened for reading only, or could not be opened for more.
  case readOnly(path: String)
  /// This thread, or this task, is inside a write transaction of the same store already.
  case nestedWrite(path: String)
  /// The task was cancelled; nothing was written.
  case cancelled
  /// A key of `byteCount` bytes is over the limit.
  case keyTooLong(byteCount: Int, maximum: Int)
  /// A value of `byteCount` bytes is over the limit.
  case valueTooLong(byteCount: Int, maximum: Int)
  /// A table's name is empty or over the limit, in bytes of UTF-8.
  case invalidTableName(byteCount: Int, maximum: Int)
  /// The store holds as many tables as it may.
  case tooManyTables(maximum: Int)
  /// The store has no table of that name.
  case noSuchTable(String)
  /// The store has a table of that name already.
  case tableExists(String)
  /// An option has a value that means nothing: its name, the value, and what it must be.
  case invalidOption(String)
}

/// An error that can carry a store's error upward.
public protocol StoreFailure: Error {
  /// The error that stands for `error`.
  init(_ error: StoreError)
}

extension StoreError: StoreFailure {
  /// The error itself.
  public init(_ error: StoreError) { self = error }
}

/// Where the bytes of a database break the format, and how.
public struct Damage: Equatable, Sendable {
  /// The damaged file.
  public var path: String
  /// The damaged page, where the damage is in one.
  public var page: PageID?
  /// The table that the page belongs to, where that is known.
  public var table: String?
  /// What is wrong.
  public var problem: Problem

  /// Damage of the kind `problem` in the file at `path`.
  public init(path: String, page: PageID? = nil, table: String? = nil, _ problem: Problem) {
    self.path = path
    self.page = page
    self.table = table
    self.problem = problem
  }

  /// The ways in which bytes can break the format.
  public enum Problem: Equatable, Sendable {
    /// The page's own checksum does not fit its bytes.
    case checksum(stored: UInt32, computed: UInt32)
    /// The page is whole, but not the version that its parent points to.
    case staleVersion(expected: UInt32, found: UInt32)
    /// The page carries another page's number.
    case misplaced(number: PageID)
    /// The page is of a kind or level that does not belong where it was found.
    case wrongKind(UInt8, level: UInt8)
    /// A pointer leads out of the file.
    case outOfBounds(PageID, pageCount: Int)
    /// A field of the page has a value that no writer writes.
    case field(String, UInt64)
    /// Keys of the page are not in ascending order, from `slot` on.
    case order(slot: Int)
    /// The page lies outside the range of keys that its parent gives it.
    case range
    /// The page is reached twice.
    case usedTwice(PageID)
    /// The page is in use but the map of space says that it is free.
    case notMapped(PageID)
    /// The page is neither in use, nor pending, nor free.
    case leaked(PageID)
    /// A stored count differs from what is there.
    case count(String, stored: UInt64, found: UInt64)
    /// The file ends before the bytes that it should hold.
    case truncated(byteCount: Int)
    /// Both meta pages are unreadable.
    case noMetaPage
    /// The device could not read the bytes.
    case unreadable(errno: Int32)
  }
}

/// What can have a name in a file system.
public enum FileKind: Sendable {
  case file, folder, pipe, socket, device, link
}

/// The calls by which the engine asks something of the operating system.
public enum SystemCall: String, Sendable {
  case open, read, write, sync, truncate, allocate, map, lock, rename, remove, status, list
  case directorySync, memory, thread
}

/// A process, as others see it in the lock file.
public struct ProcessDescription: Equatable, Sendable, CustomStringConvertible {
  /// The process's identifier in its own namespace.
  public var processID: Int32
  /// True where the process answers; false where it was stopped or has died.
  public var isResponding: Bool

  /// The process `processID`.
  public init(processID: Int32, isResponding: Bool) {
    self.processID = processID
    self.isResponding = isResponding
  }

  /// For example `process 4711 (stopped or dead)`.
  public var description: String {
    "process \(processID)" + (isResponding ? "" : " (stopped or dead)")
  }
}

/// A reader that keeps pages from being reused.
public struct ReaderDescription: Equatable, Sendable {
  /// The process that reads.
  public var processID: Int32
  /// The state that it reads.
  public var transaction: TransactionNumber
  /// How long it has been reading, in milliseconds.
  public var ageMilliseconds: Int
  /// The bytes of pages that would be free without it.
  public var pinnedByteCount: Int

  /// A reader of `transaction` in the process `processID`.
  public init(
    processID: Int32, transaction: TransactionNumber, ageMilliseconds: Int, pinnedByteCount: Int
  ) {
    self.processID = processID
    self.transaction = transaction
    self.ageMilliseconds = ageMilliseconds
    self.pinnedByteCount = pinnedByteCount
  }
}
