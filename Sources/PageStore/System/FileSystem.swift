package import Synchronization

/// What the engine asks of the operating system, and all that it asks.
///
/// Two implementations stand behind it: the POSIX one, and the tests' simulated disk. The engine
/// cannot tell them apart. Every call retries `EINTR`; an error is a `StoreError.system` that names
/// the call and the path.
package protocol FileSystem: AnyObject, Sendable {
  /// Opens the file at `path`.
  ///
  /// - Throws: `.system(.open, …)`; with `ENOENT` where there is none, `EEXIST` where
  ///   `.createNew` finds one.
  func open(_ path: String, _ mode: OpenMode) throws(StoreError) -> any StoreFile

  /// Removes the name `path`. A name that is absent is no error.
  func remove(_ path: String) throws(StoreError)

  /// Gives the file at `path` the name `newPath`, in one step.
  ///
  /// - Throws: `.system(.rename, …)` with `EEXIST` where `newPath` exists and is not to be replaced.
  func rename(_ path: String, to newPath: String, replacing: Bool) throws(StoreError)

  /// Makes the names in the folder that holds `path` durable.
  func syncDirectory(of path: String) throws(StoreError)

  /// The absolute path that `path` leads to, through every symbolic link.
  ///
  /// The file itself need not exist; its folder must.
  func resolve(_ path: String) throws(StoreError) -> String

  /// True where a file has the name `path`.
  func exists(_ path: String) throws(StoreError) -> Bool

  /// What has the name `path`, without following a link; nil where nothing has.
  func kind(of path: String) throws(StoreError) -> FileKind?

  /// How long the file is that `path` leads to, also where it may not be read; nil where that cannot
  /// be told.
  func byteCount(of path: String) -> Int?

  /// The identifier of this process, as written into lock files.
  var processID: Int32 { get }

  /// True where process `processID` exists and is not stopped, as far as one can see.
  func isResponding(_ processID: Int32) -> Bool

  /// Nanoseconds of a clock that never goes back and that all processes of the machine share.
  func nanoseconds() -> UInt64

  /// 64 random bits.
  func random() -> UInt64

  /// Sleeps until `word` no longer holds `expected`, or it was woken, or the time is over.
  ///
  /// May return early. `word` may lie in memory that processes share.
  func wait(on word: SharedWord, while expected: UInt32, nanoseconds: UInt64)

  /// Wakes all who wait on `word`, in every process.
  func wake(_ word: SharedWord)

  /// Where a copy of a store goes, whose files are here.
  var copyTarget: any FileSystem { get }

  /// True where the store may start a thread of its own for work in the background.
  ///
  /// The simulated disk says no: its tests do that work step by step.
  var allowsBackgroundThreads: Bool { get }
}

extension StoreFile {
  /// A file without holes.
  package func nextData(from offset: Int) throws(StoreError) -> Int? { offset }
}

extension FileSystem {
  /// A system of plain files.
  package func kind(of path: String) throws(StoreError) -> FileKind? {
    try exists(path) ? .file : nil
  }

  /// A system where everything may be read.
  package func byteCount(of path: String) -> Int? {
    do throws(StoreError) {
      let file = try open(path, .readOnly)
      defer { file.close() }
      return try file.byteCount()
    } catch {
      return nil
    }
  }

  /// The same system.
  package var copyTarget: any FileSystem { self }

  /// Opens the database at `path`, which is resolved; never something that is no file.
  func openDatabase(_ path: String, _ mode: OpenMode) throws(StoreError) -> any StoreFile {
    if let kind = try kind(of: path), kind != .file { throw .notADatabase(path: path, kind) }
    return try open(path, mode)
  }
}

/// How a file is opened.
package enum OpenMode: Equatable, Sendable {
  case readOnly
  case readWrite
  /// Creates the file with these permission bits (the umask applies), and fails where it exists.
  case createNew(permissions: UInt32)
  /// Opens the file, or creates it with these permission bits.
  case openOrCreate(permissions: UInt32)
}

/// An open file.
///
/// Closed by `close()`, or when the last reference goes.
///
/// All of it may be called from any thread. Offsets and counts are in bytes.
package protocol StoreFile: AnyObject, Sendable {
  /// The path that the file was opened by.
  var path: String { get }

  /// The size of the file now.
  func byteCount() throws(StoreError) -> Int

  /// The device, the file's number in it, its permission bits and how many names it has.
  func status() throws(StoreError) -> FileStatus

  /// Reads into all of `buffer`, from `offset`; fewer bytes only where the file ends.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(StoreError) -> Int

  /// Writes all of `bytes` at `offset`, or throws with an unknown part of them written.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(StoreError)

  /// The first place from `offset` on where the file may hold other bytes than zeros, or nil where
  /// there is only a hole up to its end.
  func nextData(from offset: Int) throws(StoreError) -> Int?

  /// Makes what was written durable, with the file's size (`fdatasync`).
  func sync() throws(StoreError)

  /// Begins to bring what was written in `range` to the disk, so that the next `sync` has less to
  /// wait for; promises nothing.
  func startWriting(_ range: Range<Int>)

  /// Cuts the file, or extends it by a hole, to `byteCount`.
  func truncate(to byteCount: Int) throws(StoreError)

  /// Makes the file at least `byteCount` long, with disk blocks for all of what is added.
  ///
  /// - Throws: `.system(.allocate, …)` with `ENOSPC`, `EDQUOT` or `EFBIG` where they are not to be
  ///   had; the file is then as long as before.
  func allocate(to byteCount: Int) throws(StoreError)

  /// Gives the disk blocks that lie in `range` whole back, which is within the file and whose bytes
  /// nobody needs: they read as zeros then, and writing there may find the disk full.
  ///
  /// - Throws: `.system(.allocate, …)` where the file system keeps them.
  func discard(_ range: Range<Int>) throws(StoreError)

  /// Maps the first `byteCount` bytes, shared with every process, also past the end of the file.
  ///
  /// Pages past the end must not be touched before the file has grown over them. What is mapped for
  /// writing must hold no locks, which the mapping would keep.
  func map(byteCount: Int, writable: Bool) throws(StoreError) -> any FileMapping

  /// Tries to lock `byte`, which may lie past the end of the file; true where the lock is held.
  ///
  /// Locks belong to this open file, not to the process (open-file-description locks): a second
  /// `open` in one process conflicts, closing another descriptor frees nothing. Asking for a lock
  /// that is held changes its kind, and a failed change keeps the old one.
  func tryLock(_ byte: LockByte, _ kind: LockKind) throws(StoreError) -> Bool

  /// Gives the lock on `byte` back.
  func unlock(_ byte: LockByte) throws(StoreError)

  /// True where another open file holds a lock on `byte` that conflicts with `kind`.
  func isLockedElsewhere(_ byte: LockByte, against kind: LockKind) throws(StoreError) -> Bool

  /// Closes the file; all its locks go. Later calls throw `.closed`.
  func close()
}

extension StoreFile {
  /// Does nothing, which is as good.
  package func startWriting(_ range: Range<Int>) {}

  /// Keeps the blocks.
  package func discard(_ range: Range<Int>) throws(StoreError) {
    throw .system(.allocate, path: path, errno: 95)  // EOPNOTSUPP
  }
}

/// A file mapped into memory, until the last reference goes.
package protocol FileMapping: AnyObject, Sendable {
  /// The address of the file's first byte; aligned to 2 MiB where the mapping is that large.
  var base: UnsafeMutableRawPointer { get }
  /// The length of the mapping.
  var byteCount: Int { get }

  /// Lays private, writable, zeroed memory over `range`, in place of the file's bytes.
  ///
  /// For replaying a log behind the pages of a file that must not change. `range` is aligned to
  /// 4096 bytes.
  func overlayMemory(_ range: Range<Int>) throws(StoreError)
}

/// What `status()` tells of a file.
package struct FileStatus: Equatable, Sendable {
  package var device: UInt64
  package var inode: UInt64
  package var permissions: UInt32
  package var linkCount: Int

  package init(device: UInt64, inode: UInt64, permissions: UInt32, linkCount: Int) {
    self.device = device
    self.inode = inode
    self.permissions = permissions
    self.linkCount = linkCount
  }
}

/// A place in a file that stands for a right.
package struct LockByte: Hashable, Sendable {
  package let offset: Int64
  package init(_ offset: Int64) { self.offset = offset }
}

/// Whether others may hold a lock too.
package enum LockKind: Sendable { case shared, exclusive }

/// A 32-bit word in shared memory that processes sleep on.
@safe package struct SharedWord: Sendable {
  /// The word's address, as a number so that it may pass between threads.
  private let address: UInt

  /// The word at `pointer`, which must stay mapped while anyone waits on it.
  package init(_ pointer: UnsafeMutablePointer<Atomic<UInt32>>) {
    address = UInt(bitPattern: pointer)
  }

  /// The word itself.
  package var pointer: UnsafeMutablePointer<Atomic<UInt32>> {
    // Safe: made from such a pointer, whose owner keeps it mapped.
    guard let pointer = unsafe UnsafeMutablePointer<Atomic<UInt32>>(bitPattern: address) else {
      preconditionFailure("a shared word has an address")
    }
    return unsafe pointer
  }
}
