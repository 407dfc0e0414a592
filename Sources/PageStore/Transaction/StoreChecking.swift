internal import Synchronization

/// Checking a store, whether it is in use or at rest.
extension Store {
  /// Looks at every page of the newest state, and says what is wrong.
  ///
  /// Reading and writing go on meanwhile. Where this process can have the right to write, it takes
  /// it for a moment and makes the newest commit durable, so that the account of all pages is exact;
  /// nothing else changes. Elsewhere the durable map of space is compared where it fits the state.
  ///
  /// - Parameter progress: Told how far it is, every 64 pages; false ends the check.
  /// - Returns: What was found.
  /// - Throws: What is no damage, such as `.closed`; `.cancelled` where `progress` has ended it.
  /// - Complexity: O(*n*) in the pages of the state, all of which are read from the file.
  public func check(
    progress: ((PageCheckProgress) -> Bool)? = nil
  ) throws(StoreError) -> CheckReport {
    try core.check(progress)
  }

  /// Looks at every page of the database at `path`, which is at rest, and says what is wrong.
  ///
  /// Changes nothing, and survives whatever the file holds. A file that cannot be opened for what it
  /// holds is a problem in the report. What is in the log of a file that was not closed is read, but
  /// not applied. A database that is in use is checked through a store opened for reading.
  ///
  /// - Parameters:
  ///   - path: Where the database is.
  ///   - progress: Told how far it is, every 64 pages; false ends the check.
  /// - Returns: What was found.
  /// - Throws: What is no damage: `.system` where there is no file, `.busy`, `.unsupportedVersion`;
  ///   `.cancelled` where `progress` has ended it.
  public static func check(
    path: String, progress: ((PageCheckProgress) -> Bool)? = nil
  ) throws(StoreError) -> CheckReport {
    try check(path: path, fileSystem: PosixFileSystem(), progress)
  }

  /// Looks at every page of the database at `path` of `fileSystem`.
  package static func check(
    path: String, fileSystem: any FileSystem, _ progress: ((PageCheckProgress) -> Bool)? = nil
  ) throws(StoreError) -> CheckReport {
    let path = try fileSystem.resolve(path)
    let file = try FileAtRest.open(path, fileSystem)
    defer { file.close() }
    if try FileAtRest.claim(file) { return try FileCheck(file, path, fileSystem).run(progress) }
    file.close()
    var options = StoreOptions()
    options.isReadOnly = true
    options.createsFile = false
    let store = try Store(path: path, options: options, fileSystem: fileSystem)
    let report = try store.check(progress: progress)
    try store.close()
    return report
  }
}

/// A file that nobody has open, to be looked at.
enum FileAtRest {
  /// Opens the main file, for writing where that is allowed, since only then it can be locked.
  static func open(
    _ path: String, _ fileSystem: any FileSystem
  ) throws(StoreError) -> any StoreFile {
    do throws(StoreError) {
      return try fileSystem.openDatabase(path, .readWrite)
    } catch {
      guard case .system(.open, _, let errno) = error, isRefusal(errno)
      else { throw error }
      return try fileSystem.open(path, .readOnly)
    }
  }

  /// Keeps others from opening the file, until it is closed; false where somebody has it open.
  static func claim(_ file: any StoreFile) throws(StoreError) -> Bool {
    typealias Locks = StoreCore.Locks
    do throws(StoreError) {
      guard try file.tryLock(Locks.door, .exclusive) else { return false }
      return try file.tryLock(Locks.presence, .exclusive)
    } catch {
      // A file that is open for reading takes shared locks only.
      guard case .system(.lock, _, _) = error else { throw error }
      if try file.isLockedElsewhere(Locks.write, against: .exclusive) { return false }
      return try file.tryLock(Locks.door, .shared)
    }
  }
}

/// The check of a file at rest, by its bytes alone.
private struct FileCheck {
  let file: any StoreFile
  let path: String
  let fileSystem: any FileSystem

  init(_ file: any StoreFile, _ path: String, _ fileSystem: any FileSystem) {
    self.file = file
    self.path = path
    self.fileSystem = fileSystem
  }

  func run(
    _ progress: ((PageCheckProgress) -> Bool)?
  ) throws(StoreError) -> CheckReport {
    let fileByteCount = try file.byteCount()
    let metas: [(page: Int, meta: MetaPage?)]
    do throws(StoreError) {
      let first = try StoreCore.firstMeta(of: file)
      metas = [
        (0, try MetaPair.read(file, at: 0)), (1, try MetaPair.read(file, at: first.pageByteCount)),
      ]
    } catch {
      guard error.isDamage else { throw error }
      var report = CheckReport()
      report.fileByteCount = fileByteCount
      report.note(error)
      return report
    }
    let whole = metas.compactMap(\.meta)
    guard let newest = whole.max(by: { $0.transaction < $1.transaction }) else {
      throw .corrupt(Damage(path: path, .noMetaPage))
    }
    let map = try PageMap(resting: file, pageByteCount: newest.pageByteCount)
    var checker = StoreChecker(map: map, fileByteCount: fileByteCount)
    for (page, meta) in metas {
      if let problem = MetaPair.problem(of: meta, page: page, beside: newest) {
        checker.note(.corrupt(Damage(path: path, page: PageID(UInt32(page)), problem)))
      }
    }
    checker.checkLength(of: newest)
    let spaceMap = try checker.spaceMap(of: newest)
    try checker.checkTrees(
      of: TreeState(newest, nextTableID: 1), nextTableID: spaceMap?.nextTableID, progress)
    if let spaceMap {
      checker.compare(StoreChecker.Accounts(spaceMap, of: newest))
    }
    var report = checker.report
    try checkLog(of: newest, &report)
    return report
  }

  /// Reads the log that goes on from `meta`.
  private func checkLog(of meta: MetaPage, _ report: inout CheckReport) throws(StoreError) {
    if meta.logSalt == 0 { return }
    do throws(StoreError) {
      let log = try LogFile.open(
        in: fileSystem, path: StoreCore.logPath(of: path), identity: meta.identity,
        salt: LogSalt(meta.logSalt), mode: .readOnly)
      defer { log.close() }
      var replay = try LogReplay(
        log, from: try StoreCore.replayStart(meta, path: path), after: meta.transaction)
      while let frame = try replay.next() {
        report.logTransactionCount += 1
        // Safe: the body is read before the next frame is asked for.
        var operations = unsafe OperationReader(untrusted: frame.body, path: log.path)
        while try operations.next() != nil {}
      }
    } catch {
      guard error.isDamage || error == .alreadyExists(path: StoreCore.logPath(of: path)) else {
        throw error
      }
      report.note(error)
    }
  }
}

extension MetaPair {
  /// What is wrong with meta page `page`, where the other one or it itself says `newest`.
  static func problem(
    of meta: MetaPage?, page: Int, beside newest: MetaPage
  ) -> Damage.Problem? {
    guard let meta else { return .field("meta page", UInt64(page)) }
    if meta.identity != newest.identity { return .field("identity", meta.identity.low) }
    if meta.pageByteCount != newest.pageByteCount {
      return .field("page size", UInt64(meta.pageByteCount))
    }
    return nil
  }
}

extension StoreChecker.Accounts {
  /// What the durable map says.
  init(_ spaceMap: SpaceMap, of meta: MetaPage) {
    self.init(
      bitmap: spaceMap.bitmap, pending: spaceMap.pending,
      mapRun: PageRun(first: meta.mapPage, pageCount: meta.mapPageCount))
  }
}

extension StoreCore {
  /// What is fixed for a check before others go on.
  private struct Basis {
    let pin: SnapshotPin
    /// The file's pages, looked at once; all those of the pinned state are among them.
    var checker: StoreChecker
    /// The durable state, where no checkpoint can have replaced it while this was made.
    var durable: MetaPage?
    /// The durable map of space, where that state is the pinned one and its map is whole.
    ///
    /// Read by now, since a later checkpoint may use its pages again.
    var spaceMap: SpaceMap?
    /// The writer's account of all pages in the pinned state.
    var accounts: StoreChecker.Accounts?
  }

  func check(
    _ progress: ((PageCheckProgress) -> Bool)?
  ) throws(StoreError) -> CheckReport {
    try checkOpen()
    let basis: Basis
    do throws(StoreError) {
      basis = try exactBasis()
    } catch {
      switch error {
      case .closed, .forked: throw error
      default: basis = try basisFromOutside()
      }
    }
    return try check(basis, progress)
  }

  private func check(
    _ basis: Basis, _ progress: ((PageCheckProgress) -> Bool)?
  ) throws(StoreError) -> CheckReport {
    var checker = basis.checker
    try checker.checkTrees(
      of: state(of: basis), nextTableID: basis.spaceMap?.nextTableID, progress)
    if let spaceMap = basis.spaceMap, let durable = basis.durable {
      checker.compare(StoreChecker.Accounts(spaceMap, of: durable))
    }
    if let accounts = basis.accounts { checker.compare(accounts) }
    return checker.report
  }

  /// The state to be looked at: the pinned one, or the durable one.
  ///
  /// A state that was replayed in memory has pages that no file has.
  private func state(of basis: Basis) -> TreeState {
    guard basis.pin.map !== map, let durable = basis.durable else { return basis.pin.state }
    return TreeState(durable, nextTableID: 1)
  }

  /// A basis on `pin`, with what the meta pages say; nothing may replace them meanwhile.
  private func basis(
    on pin: SnapshotPin, metas: [MetaPage?], accounts: StoreChecker.Accounts? = nil
  ) throws(StoreError) -> Basis {
    var basis = Basis(
      pin: pin, checker: StoreChecker(map: map, fileByteCount: try file.byteCount()),
      accounts: accounts)
    basis.durable = metas.compactMap { $0 }.max { $0.transaction < $1.transaction }
    for (page, meta) in metas.enumerated() {
      let problem =
        basis.durable.map { MetaPair.problem(of: meta, page: page, beside: $0) } ?? .noMetaPage
      if let problem {
        basis.checker.note(.corrupt(Damage(path: path, page: PageID(UInt32(page)), problem)))
      }
    }
    guard let durable = basis.durable else { return basis }
    basis.checker.checkLength(of: durable)
    if durable.transaction == state(of: basis).transaction {
      basis.spaceMap = try basis.checker.spaceMap(of: durable)
    }
    return basis
  }

  /// Makes the tip durable and notes the writer's account of its pages, inside the gate.
  private func exactBasis() throws(StoreError) -> Basis {
    try enterGate(isCancelled: nil)
    defer { gate.leave() }
    // Safe: the caller is inside the gate, which guards the writer.
    guard let writer = unsafe writer else { throw .readOnly(path: path) }
    try waitForCheckpoint()
    if commits.withLock({ $0.checkpointed.transaction != $0.tip.transaction }) {
      try checkpointInside(writer, log: .keep)
    }
    collect(writer)
    return try basis(
      on: try pinSnapshot(), metas: try bothMetas(),
      accounts: StoreChecker.Accounts(
        bitmap: writer.pages.bitmap, pending: writer.pending.all, mapRun: writer.mapRun))
  }

  /// Pins the published state, and looks whether it is the durable one.
  private func basisFromOutside() throws(StoreError) -> Basis {
    for _ in 0..<8 {
      // Whatever the durable state needs is left alone until the next one is in both meta pages.
      let metas = try bothMetas()
      let basis = try basis(on: try pinSnapshot(), metas: metas)
      if try bothMetas() == metas { return basis }
    }
    let pin = try pinSnapshot()
    return Basis(
      pin: pin, checker: StoreChecker(map: map, fileByteCount: try file.byteCount()))
  }

  private func bothMetas() throws(StoreError) -> [MetaPage?] {
    [try MetaPair.read(file, at: 0), try MetaPair.read(file, at: map.pageByteCount)]
  }
}
