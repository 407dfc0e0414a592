/// A database in one file: named tables of keys and values, ordered by their keys.
///
/// One transaction at a time writes, in whichever process; any number of snapshots read, and neither
/// waits for the other. See `Durability` for what a commit survives. Beside the file stand two more
/// while it is open, its log and its lock file; a database at rest is one file.
///
/// All of it may be called from any thread. A store belongs to the process that opened it: in a
/// forked child every call throws `.forked`.
public final class Store: Sendable {
  let core: StoreCore

  /// Opens the database at `path`, creating it where the options say so.
  ///
  /// Symbolic links are followed. A database that was not closed is recovered first.
  ///
  /// - Throws: `.invalidOption`, `.notADatabase`, `.unsupportedVersion`, `.corrupt`, `.logMissing`,
  ///   `.foreignLog`, `.lostTransactions`, `.lockFileMissing`, `.alreadyExists` where something that
  ///   this library has not made has the name of a side file, `.busy`, `.diskFull`,
  ///   `.fileTooLarge`, `.system`.
  public convenience init(path: String, options: StoreOptions = StoreOptions()) throws(StoreError) {
    try self.init(path: path, options: options, fileSystem: PosixFileSystem())
  }

  /// Opens the database at `path` of `fileSystem`.
  package init(
    path: String, options: StoreOptions = StoreOptions(), fileSystem: any FileSystem
  ) throws(StoreError) {
    core = try StoreCore.open(path, options, fileSystem)
    let keeper = Keeper(core)
    core.keeper.withLock { $0 = keeper }
  }

  deinit {
    do throws(StoreError) {
      try core.close()
    } catch {
      // Whoever wants to know calls `close()`.
    }
  }

  /// A store in memory, which goes when it is closed: the same code over files without a disk.
  ///
  /// - Throws: `.invalidOption` also where the options ask for one that is there already.
  public static func inMemory(options: StoreOptions = StoreOptions()) throws(StoreError) -> Store {
    if options.isReadOnly {
      throw .invalidOption("isReadOnly true: must be false for a store in memory, which is empty")
    }
    if !options.createsFile {
      throw .invalidOption("createsFile false: must be true for a store in memory, which is new")
    }
    return try Store(path: "memory", options: options, fileSystem: MemoryFileSystem())
  }

  /// The path of the main file, without symbolic links.
  public var path: String { core.path }

  /// Makes everything durable and closes the store; calls after it throw `.closed`.
  ///
  /// Snapshots that are still held read on, and the files stay open for them.
  ///
  /// - Throws: What kept the last commits from becoming durable; the store is closed all the same.
  public func close() throws(StoreError) { try core.close() }

  // MARK: Reading

  /// The store as of its newest visible commit.
  ///
  /// - Throws: `.tooManyReaders`, `.closed`, `.forked`, `.corrupt` where the lock file is damaged,
  ///   `.system`.
  /// - Complexity: O(1).
  public func snapshot() throws(StoreError) -> Snapshot { Snapshot(try core.pinSnapshot()) }

  /// Runs `body` on a snapshot of the newest visible commit.
  public func read<Result, Failure: StoreFailure>(
    _ body: (borrowing Snapshot) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let snapshot: Snapshot
    do throws(StoreError) {
      snapshot = try self.snapshot()
    } catch {
      throw Failure(error)
    }
    return try body(snapshot)
  }

  /// Runs `body` on a snapshot of the newest visible commit.
  @_disfavoredOverload
  public func read<Result>(
    _ body: (borrowing Snapshot) throws -> Result
  ) throws -> Result {
    try body(try snapshot())
  }

  // MARK: Writing

  /// Runs `body` in a transaction and commits it; where it throws, nothing has happened.
  ///
  /// Returns once the commit is what the store's durability promises.
  ///
  /// - Throws: What `body` throws; `.busy` where the right to write was not to be had in time,
  ///   `.nestedWrite`, `.diskFull`, `.fileTooLarge`, `.poisoned`, `.readOnly`, `.corrupt`, `.closed`,
  ///   `.forked`, `.system`.
  @discardableResult
  public func write<Result, Failure: StoreFailure>(
    _ body: (inout WriteTransaction) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try write(isCancelled: nil, body)
  }

  /// Runs `body` in a transaction and commits it; where it throws, nothing has happened.
  @discardableResult
  @_disfavoredOverload
  public func write<Result>(
    _ body: (inout WriteTransaction) throws -> Result
  ) throws -> Result {
    do throws(AnyFailure) {
      return try write(isCancelled: nil) { (transaction) throws(AnyFailure) in
        do {
          return try body(&transaction)
        } catch {
          throw AnyFailure(any: error)
        }
      }
    } catch {
      throw error.error
    }
  }

  func write<Result, Failure: StoreFailure>(
    isCancelled: (@Sendable () -> Bool)?,
    _ body: (inout WriteTransaction) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let (result, number) = try writeInside(isCancelled: isCancelled, body)
    do throws(StoreError) {
      if let number { try core.settle(number) }
      try core.settleAfterCommit()
    } catch {
      throw Failure(error)
    }
    return result
  }

  /// Runs `body` in a transaction and commits it, without waiting until it is durable.
  func writeInside<Result, Failure: StoreFailure>(
    isCancelled: (@Sendable () -> Bool)?, wait: WaitTime? = nil,
    _ body: (inout WriteTransaction) throws(Failure) -> Result
  ) throws(Failure) -> (result: Result, number: TransactionNumber?) {
    let writer: Writer
    do throws(StoreError) {
      try core.enterGate(isCancelled: isCancelled, wait: wait)
      do throws(StoreError) {
        writer = try core.begin()
      } catch {
        core.gate.leave()
        throw error
      }
    } catch {
      throw Failure(error)
    }
    defer { core.gate.leave() }
    let result: Result
    do throws(Failure) {
      var transaction = WriteTransaction(core, writer, isCancelled: isCancelled)
      result = try body(&transaction)
    } catch {
      writer.rollBack()
      core.trace(.rollback)
      throw error
    }
    do throws(StoreError) {
      if let isCancelled, isCancelled() {
        writer.rollBack()
        core.trace(.rollback)
        throw .cancelled
      }
      let number = try core.commit(writer)
      if core.options.durability != .immediate { try core.flushLog() }
      return (result, number)
    } catch {
      throw Failure(error)
    }
  }

  /// Makes everything that was committed durable.
  ///
  /// - Throws: `.poisoned` where a write or the sync fails or has failed, `.closed`, `.forked`.
  public func sync() throws(StoreError) {
    try core.checkOpen()
    try core.syncTip()
  }

  /// Makes the newest committed state the one that opening starts from, and frees its log.
  ///
  /// - Throws: `.busy`, `.diskFull`, `.fileTooLarge`, `.poisoned`, `.readOnly`, `.nestedWrite`,
  ///   `.closed`, `.forked`, `.corrupt`.
  /// - Complexity: O(*n*) in the pages that changed since the last one, and in the map of space.
  public func checkpoint() throws(StoreError) { try core.checkpoint() }

  /// Does what the store's own thread would do now, where the system allows it none.
  package func performBackgroundWork() { core.keeper.withLock { $0 }?.work() }
}

/// Carries any error through code that throws typed ones.
struct AnyFailure: StoreFailure {
  let error: any Error
  init(_ error: StoreError) { self.error = error }
  init(any error: any Error) { self.error = error }
}
