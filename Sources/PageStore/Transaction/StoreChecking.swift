internal import Synchronization

/// Checking a store, whether it is in use or at rest.
extension Store {
  /// Looks at every page of the newest state, and says what is wrong.
  ///
  /// Reading and writing go on meanwhile. Where this process can have the right to write, it takes
  /// it for a moment and makes the newest commit durable, so that the account of all pages is exact;
  /// nothing else changes. Elsewhere the durable map of space is compared where it fits the state.
  ///
  /// - Throws: What is no damage, such as `.closed`.
  /// - Complexity: O(*n*) in the pages of the state, all of which are read from the file.
  public func check() throws(StoreError) -> CheckReport { try core.check() }

  /// Looks at every page of the database at `path`, which is at rest, and says what is wrong.
  ///
  /// Changes nothing, and survives whatever the file holds. A file that cannot be opened for what it
  /// holds is a problem in the report. What is in the log of a file that was not closed is read, but
  /// not applied. A database that is in use is checked through a store opened for reading.
  ///
  /// - Throws: What is no damage: `.system` where there is no file, `.busy`, `.unsupportedVersion`.
  public static func check(path: String) throws(StoreError) -> CheckReport {
    try check(path: path, fileSystem: PosixFileSystem())
  }

  /// Looks at every page of the database at `path` of `fileSystem`.
  package static func check(
    path: String, fileSystem: any FileSystem
  ) throws(StoreError) -> CheckReport {
    let path = try fileSystem.resolve(path)
    let file = try FileAtRest.open(path, fileSystem)
    defer { file.close() }
    if try FileAtRest.claim(file) { return try FileCheck(file, path, fileSystem).run() }
    file.close()
    var options = StoreOptions()
    options.isReadOnly = true
    options.createsFile = false
    let store = try Store(path: path, options: options, fileSystem: fileSystem)
    let report = try store.check()
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

  func run() throws(StoreError) -> CheckReport {
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
    let spaceMap = try checker.spaceMap(of: newest)
    try checker.checkTrees(
      of: TreeState(newest, nextTableID: 1), nextTableID: spaceMap?.nextTableID)
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
      guard error.isDamage else { throw error }
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
    /// The meta pages, each where it is whole.
    let metas: [MetaPage?]
    /// True where no checkpoint can have changed the meta pages meanwhile.
    let isStill: Bool
    /// The writer's account of all pages in the pinned state.
    let accounts: StoreChecker.Accounts?
  }

  func check() throws(StoreError) -> CheckReport {
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
    return try check(basis)
  }

  private func check(_ basis: Basis) throws(StoreError) -> CheckReport {
    var checker = StoreChecker(map: map, fileByteCount: try file.byteCount())
    let whole = basis.metas.compactMap { $0 }
    let newest = whole.max { $0.transaction < $1.transaction }
    if basis.isStill {
      for (page, meta) in basis.metas.enumerated() {
        let problem =
          newest.map { MetaPair.problem(of: meta, page: page, beside: $0) } ?? .noMetaPage
        if let problem {
          checker.note(.corrupt(Damage(path: path, page: PageID(UInt32(page)), problem)))
        }
      }
    }
    // A state that was replayed in memory has pages that no file has; then the durable one is looked at.
    var state = basis.pin.state
    if basis.pin.map !== map, let newest { state = TreeState(newest, nextTableID: 1) }
    let durable = newest.flatMap { $0.transaction == state.transaction && basis.isStill ? $0 : nil }
    var spaceMap: SpaceMap?
    if let durable { spaceMap = try checker.spaceMap(of: durable) }
    try checker.checkTrees(of: state, nextTableID: spaceMap?.nextTableID)
    if let spaceMap, let durable {
      checker.compare(StoreChecker.Accounts(spaceMap, of: durable))
    }
    if let accounts = basis.accounts { checker.compare(accounts) }
    return checker.report
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
    let pin = try pinSnapshot()
    return Basis(
      pin: pin, metas: try bothMetas(), isStill: true,
      accounts: StoreChecker.Accounts(
        bitmap: writer.pages.bitmap, pending: writer.pending.all, mapRun: writer.mapRun))
  }

  /// Pins the published state, and looks whether it is the durable one.
  private func basisFromOutside() throws(StoreError) -> Basis {
    for _ in 0..<8 {
      let before = try bothMetas()
      let pin = try pinSnapshot()
      let after = try bothMetas()
      if before == after { return Basis(pin: pin, metas: before, isStill: true, accounts: nil) }
    }
    return Basis(pin: try pinSnapshot(), metas: [], isStill: false, accounts: nil)
  }

  private func bothMetas() throws(StoreError) -> [MetaPage?] {
    [try MetaPair.read(file, at: 0), try MetaPair.read(file, at: map.pageByteCount)]
  }
}
