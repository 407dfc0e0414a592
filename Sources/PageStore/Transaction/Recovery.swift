internal import Synchronization

/// What happens after a process died with the right to write.
///
/// Recovery is one transaction, numbered above everything that the log or the lock file mentions,
/// so that no number ever stands for two states. It applies the frames after the durable state
/// through the ordinary write path, makes the result durable in both meta pages, first in the one
/// that it did not start from, and only then lets go of the log.
extension StoreCore {
  /// Begins a tenure on what a dead process left; the lock on the right is held.
  func recover(from metas: MetaPair) throws(StoreError) -> Writer {
    let meta = metas.newest
    let log = try openOldLog(of: meta, mode: .readWrite)
    let spaceMap = try durableSpaceMap(of: meta)
    let dead = try shared.published()
    let (newest, evidence) = try survey(log, of: meta)
    let number = try recoveryNumber(
      above: [
        newest, shared.tip, meta.transaction, dead.transaction, spaceMap.highestTransaction,
      ])
    // Frames may be in the page cache alone. What was acknowledged is not, so no state depends on this;
    // a disk that fails says so before anything of the file is changed.
    if let log { try log.sync() }
    // The page cache may show a meta page that never reached the disk: both are written again
    // before anything is reused that the other one needs.
    try file.write(meta, toPage: metas.otherPage)
    try file.write(meta, toPage: 1 - metas.otherPage)
    let writer = try makeWriter(from: meta, spaceMap, recovery: number)
    shared.raiseTip(to: number)
    writer.begin(number, living: try livingStates(writer))
    let count: Int
    let state: TreeState
    let mapRun: PageRun
    do throws(StoreError) {
      count = try replay(log, of: meta, evidence, into: writer) { writer throws(StoreError) in
        try self.spill(writer)
      }
      state = try writer.close()
      try reserveFile(writer, pageCount: writer.pages.pageEnd, spare: 0)
      mapRun = try placeMap(writer)
    } catch {
      writer.rollBack()
      throw error
    }
    writer.finish(state)
    commits.withLock { commits in
      commits.tip = state
      commits.published = TreeState(dead)
    }
    var checkpoint = try planCheckpoint(writer, mapRun: mapRun, log: .end, publishesEarly: false)
    checkpoint.firstMeta = metas.otherPage
    try runCheckpoint(checkpoint)
    collect(writer)
    if let log { try removeLog(log) }
    trace(.recovery(number, transactionCount: count))
    return writer
  }

  /// The number of a recovery above all of `numbers`.
  private func recoveryNumber(
    above numbers: [TransactionNumber]
  ) throws(StoreError) -> TransactionNumber {
    let newest = numbers.reduce(.zero, max)
    if newest.next >= .limit || newest.next == .zero {
      throw .corrupt(Damage(path: path, .field("transaction", newest.rawValue)))
    }
    return newest.next
  }

  /// The log that goes on from `meta`, or nil where it names none.
  func openOldLog(of meta: MetaPage, mode: OpenMode) throws(StoreError) -> LogFile? {
    if meta.logSalt == 0 { return nil }
    return try LogFile.open(
      in: fileSystem, path: logPath, identity: identity, salt: LogSalt(meta.logSalt), mode: mode,
      geometry: logGeometry)
  }

  /// Where replay of the log begins.
  static func replayStart(_ meta: MetaPage, path: String) throws(StoreError) -> LogPosition {
    guard
      let position = LogPosition(
        untrustedHalf: UInt8(meta.logHalf), epoch: meta.logEpoch,
        offset: UInt32(clamping: meta.logOffset))
    else { throw .corrupt(Damage(path: path, .field("log epoch", UInt64(meta.logEpoch)))) }
    return position
  }

  /// The newest transaction that the log mentions, taken or not, and what else the whole of it says.
  private func survey(
    _ log: LogFile?, of meta: MetaPage
  ) throws(StoreError) -> (TransactionNumber, LogScanner.Evidence?) {
    guard let log else { return (meta.transaction, nil) }
    var replay = try LogReplay(
      log, from: try Self.replayStart(meta, path: path), after: meta.transaction)
    while try replay.next() != nil {}
    return (replay.newestTransactionSeen, replay.evidence)
  }

  /// Applies the transactions of `log` after `meta`; `afterEach` is called between them.
  ///
  /// - Returns: How many there were.
  func replay(
    _ log: LogFile?, of meta: MetaPage, _ evidence: LogScanner.Evidence? = nil,
    into writer: Writer, afterEach: (Writer) throws(StoreError) -> Void
  ) throws(StoreError) -> Int {
    guard let log else { return 0 }
    var replay = try LogReplay(
      log, from: try Self.replayStart(meta, path: path), after: meta.transaction)
    replay.evidence = evidence
    var tables = ReplayedTables()
    var count = 0
    while let frame = try replay.next() {
      // Safe: the frame's body is used before the next one is asked for.
      var operations = unsafe OperationReader(untrusted: frame.body, path: logPath)
      while let operation = try operations.next() {
        do throws(StoreError) {
          try apply(operation, to: writer, &tables)
        } catch {
          throw asDamage(error)
        }
      }
      count += 1
      try afterEach(writer)
    }
    return count
  }

  /// `error`, told as damage of the log where a caller's mistake would be the reason otherwise: no
  /// writer logs what it has refused.
  private func asDamage(_ error: StoreError) -> StoreError {
    let field: (String, Int)
    switch error {
    case .keyTooLong(let byteCount, _): field = ("key length", byteCount)
    case .valueTooLong(let byteCount, _): field = ("value length", byteCount)
    case .invalidTableName(let byteCount, _): field = ("name length", byteCount)
    case .tooManyTables(let maximum): field = ("number of tables", maximum)
    case .tableExists(let name), .noSuchTable(let name):
      return .corrupt(Damage(path: logPath, table: name, .field("table", 0)))
    default: return error
    }
    return .corrupt(Damage(path: logPath, .field(field.0, UInt64(field.1))))
  }

  private func apply(
    _ operation: LogOperation, to writer: Writer, _ tables: inout ReplayedTables
  ) throws(StoreError) {
    // Safe: the bytes are the frame's, which stays until the next one is asked for.
    switch operation {
    case .put(let table, let key, let value):
      let table = try self.table(table, of: writer, &tables)
      try unsafe writer.put(ByteView(key), ByteView(value), into: table)
    case .delete(let table, let key):
      let table = try self.table(table, of: writer, &tables)
      _ = try unsafe writer.delete(ByteView(key), from: table)
    case .deleteRange(let table, let lower, let upper):
      let table = try self.table(table, of: writer, &tables)
      _ = try unsafe writer.deleteRange(
        from: ByteView(lower), to: upper.map { unsafe ByteView($0) }, in: table
      ) { () throws(StoreError) in }
    case .createTable(let id, let name):
      let name = unsafe String(decoding: name, as: UTF8.self)
      tables.places[id] = try writer.createTable(name, id: id)
    case .dropTable(let id):
      try writer.dropTable(at: try index(of: id, in: writer, &tables))
    case .renameTable(let id, let name):
      try writer.renameTable(
        at: try index(of: id, in: writer, &tables),
        to: unsafe String(decoding: name, as: UTF8.self))
    }
  }

  /// The tables that a replay has come to, so that each is looked for once.
  private struct ReplayedTables {
    /// Their places among the open ones.
    var places: [UInt32: Int] = [:]
    /// The names of those in the catalog, once it has been read for them.
    var names: [UInt32: String]?
  }

  private func table(
    _ id: UInt32, of writer: Writer, _ tables: inout ReplayedTables
  ) throws(StoreError) -> OpenTable {
    // Looking for the table may open it, so the tables are asked for afterwards.
    let index = try index(of: id, in: writer, &tables)
    return writer.openTables[index]
  }

  /// The place of the table with number `id` among the open ones.
  private func index(
    of id: UInt32, in writer: Writer, _ tables: inout ReplayedTables
  ) throws(StoreError) -> Int {
    if let index = tables.places[id], !writer.openTables[index].isDropped { return index }
    if tables.names == nil {
      var names: [UInt32: String] = [:]
      try Catalog(reader: writer.catalog.reader).visit { name, record throws(StoreError) in
        names[record.id] = name
      }
      tables.names = names
    }
    // A table of that name that came later has another number.
    if let name = tables.names?[id], let index = try writer.table(named: name),
      writer.id(at: index) == id
    {
      tables.places[id] = index
      return index
    }
    throw .corrupt(Damage(path: logPath, .field("table", UInt64(id))))
  }
}
