/// Saving what survives of a damaged database.
extension Store {
  /// Copies what can be read of the damaged database at `path` to a new one at `newPath`.
  ///
  /// The damaged files are only read, and nobody who could change them opens them meanwhile. Nothing
  /// that they say is believed without its checksum. Damaged parts of a tree are left out; below a
  /// damaged branch, rows are looked for in all pages of the file. Without meta pages the newest state that can be found is
  /// taken, and then, or with a damaged map of space, rows that were deleted may be back: the report
  /// says so. Transactions in the log are applied, past those that are lost; where the log itself is
  /// damaged, the report says that too. The new database is written as a backup is.
  ///
  /// - Parameters:
  ///   - path: The damaged database.
  ///   - newPath: Where the new one is to be.
  ///   - progress: Called now and then with how many rows were saved; false gives up, nothing is
  ///     left behind, and `.cancelled` is thrown.
  /// - Returns: What was saved, and what is missing.
  /// - Throws: `.notADatabase` where nothing can be found, `.alreadyExists`, `.busy` while the
  ///   database is in use, `.unsupportedVersion`, `.diskFull`, `.cancelled`, `.system`.
  public static func salvage(
    from path: String, to newPath: String, progress: ((Int) -> Bool)? = nil
  ) throws(StoreError) -> SalvageReport {
    try salvage(from: path, to: newPath, fileSystem: PosixFileSystem(), progress: progress)
  }

  /// Copies what can be read of the database at `path` to a new one at `newPath`, and lets `repair`
  /// change that before anybody sees it.
  package static func salvage(
    from path: String, to newPath: String, progress: ((Int) -> Bool)?,
    repair: (inout WriteTransaction, SalvageReport) throws(StoreError) -> Void
  ) throws(StoreError) -> SalvageReport {
    try salvage(
      from: path, to: newPath, fileSystem: PosixFileSystem(), progress: progress, repair: repair)
  }

  /// Copies what can be read of the database at `path` of `fileSystem` to a new one at `newPath`.
  package static func salvage(
    from path: String, to newPath: String, fileSystem: any FileSystem,
    progress: ((Int) -> Bool)? = nil,
    repair: (inout WriteTransaction, SalvageReport) throws(StoreError) -> Void = {
      _, _ throws(StoreError) in
    }
  ) throws(StoreError) -> SalvageReport {
    let path = try fileSystem.resolve(path)
    let file = try fileSystem.openDatabase(path, .readOnly)
    defer { file.close() }
    typealias Locks = StoreCore.Locks
    // Whoever would open the database for writing meanwhile waits outside.
    guard try file.tryLock(Locks.door, .shared) else {
      throw .busy(path: path, holder: nil, milliseconds: 0)
    }
    if try file.isLockedElsewhere(Locks.presence, against: .exclusive) {
      throw .busy(path: path, holder: nil, milliseconds: 0)
    }
    let source = try SalvageSource(file, path: path)
    var options = StoreOptions()
    options.pageByteCount = source.map.pageByteCount
    options.permissions = try file.status().permissions & 0o666 | 0o600
    let target = try NewStoreFile(
      newPath, options: options, sourceByteCount: try file.byteCount(), fileSystem: fileSystem)
    try target.refuse(sourcePath: path)
    return try target.write { transaction throws(StoreError) in
      var salvage = Salvage(source, fileSystem, progress)
      try salvage.run(&transaction)
      try repair(&transaction, salvage.report)
      return salvage.report
    }
  }
}

/// One salvage: the walk over all trees, the search for what no branch leads to, and the log.
private struct Salvage {
  private let source: SalvageSource
  private let fileSystem: any FileSystem
  private(set) var report = SalvageReport()
  private var state: TreeState
  /// The pages that the walks have come to.
  private var reached: PageSet
  private var handles: [UInt32: TableHandle] = [:]
  /// The place of each table in the report.
  private var places: [UInt32: Int] = [:]
  /// The names that are taken, as bytes: what Unicode calls equal are names of two tables.
  private var names: Set<[UInt8]> = []
  /// The ranges of keys below damaged branches.
  private var searchedRanges: [UInt32: [SalvageReport.KeyRange]] = [:]
  private var isCatalogDamaged = false
  private let progress: ((Int) -> Bool)?
  private var rowCount = 0

  init(
    _ source: SalvageSource, _ fileSystem: any FileSystem, _ progress: ((Int) -> Bool)?
  ) {
    self.source = source
    self.progress = progress
    self.fileSystem = fileSystem
    state = TreeState(transaction: .zero, catalog: .empty, pageCount: 2, nextTableID: 1)
    reached = PageSet(pageCount: source.filePageCount)
  }

  mutating func run(_ transaction: inout WriteTransaction) throws(StoreError) {
    for problem in source.problems { report.note(problem) }
    state = try source.state()
    report.transaction = state.transaction
    report.mayHoldDeletedRows = source.meta == nil
    for (name, record) in try readCatalog() {
      try salvageTable(record, name: name, &transaction)
    }
    if isCatalogDamaged || !searchedRanges.isEmpty {
      // Without the map of space, an old version of a page looks like a lost one.
      if source.livePages == nil { report.mayHoldDeletedRows = true }
      let orphans = try source.orphans(notIn: reached, upTo: state.transaction)
      if isCatalogDamaged { try salvageLostTables(orphans, &transaction) }
      for table in searchedRanges.keys.sorted() {
        try salvageOrphans(orphans.filter { $0.table == table && $0.level == 0 }, &transaction)
      }
    }
    try replayLog(&transaction)
  }

  /// Counts rows that were saved, and says so now and then.
  private mutating func noteRow() throws(StoreError) {
    rowCount += 1
    if rowCount % 1024 == 0, let progress, !progress(rowCount) { throw .cancelled }
  }

  // MARK: Trees

  private mutating func readCatalog() throws(StoreError) -> [(String, TableRecord)] {
    if source.meta == nil && state.catalog.isEmpty { isCatalogDamaged = true }
    var records: [(String, TableRecord)] = []
    var losses: [Damage] = []
    var reached = PageSet()
    swap(&reached, &self.reached)
    defer { swap(&reached, &self.reached) }
    let walk = SurvivorWalk(
      map: source.map, table: TableRecord.catalogTable, pageCount: source.filePageCount)
    try walk.walk(state.catalog) {
      reached.insert($0.index)
    } leaf: { leaf in
      for index in 0..<leaf.count {
        // Safe: the key's bytes are copied into the string.
        let name = unsafe String(decoding: leaf.key(index).buffer, as: UTF8.self)
        if !leaf.isOverflow(index),
          let record = TableRecord(
            untrusted: leaf.inlineValue(index), pageLimit: source.map.pageLimit)
        {
          records.append((name, record))
        } else {
          losses.append(Damage(path: source.path, table: name, .field("table record", 0)))
        }
      }
    } loss: { loss in
      losses.append(Damage(path: source.path, page: loss.page, loss.problem))
    }
    for loss in losses { report.note(.corrupt(loss)) }
    if !losses.isEmpty { isCatalogDamaged = true }
    return records
  }

  private mutating func salvageTable(
    _ record: TableRecord, name: String, _ transaction: inout WriteTransaction
  ) throws(StoreError) {
    guard let handle = try makeTable(name, record.id, &transaction) else { return }
    var table = SalvageReport.Table(name: handle.name)
    table.expectedRowCount = Int(clamping: record.rowCount)
    try walk(record.root, of: record.id, into: handle, &table, &transaction)
    report.tables.append(table)
  }

  /// Makes a table for the one with number `id`; nil where there cannot be one.
  private mutating func makeTable(
    _ name: String, _ id: UInt32, _ transaction: inout WriteTransaction
  ) throws(StoreError) -> TableHandle? {
    if handles[id] != nil {
      report.note(
        .corrupt(Damage(path: source.path, table: name, .field("table number", UInt64(id)))))
      return nil
    }
    var unique = name
    if name.isEmpty || name.utf8.count > StoreLimits.tableNameByteCount { unique = "table \(id)" }
    var attempt = 1
    while names.contains(Array(unique.utf8)) {
      unique = "table \(id) \(attempt)"
      attempt += 1
    }
    do throws(StoreError) {
      let handle = try transaction.createTable(unique)
      names.insert(Array(unique.utf8))
      handles[id] = handle
      places[id] = report.tables.count
      return handle
    } catch {
      guard case .tooManyTables = error else { throw error }
      report.note(error)
      return nil
    }
  }

  /// Copies what can be read of the tree under `root`.
  private mutating func walk(
    _ root: TreeRoot, of id: UInt32, into handle: TableHandle,
    _ table: inout SalvageReport.Table, _ transaction: inout WriteTransaction
  ) throws(StoreError) {
    var reached = PageSet()
    swap(&reached, &self.reached)
    defer { swap(&reached, &self.reached) }
    var searched: [SalvageReport.KeyRange] = []
    let values = ValueReader(source: source)
    let walk = SurvivorWalk(map: source.map, table: id, pageCount: source.filePageCount)
    try walk.walk(root) {
      reached.insert($0.index)
    } leaf: { leaf throws(StoreError) in
      for index in 0..<leaf.count {
        let key = leaf.key(index)
        guard let value = try values.value(in: leaf, at: index, &reached) else {
          table.noteLost(key.array)
          continue
        }
        // Safe: leaf and value stay in place until the next one is asked for.
        try unsafe transaction.put(key.buffer, value.buffer, in: handle)
        table.rowCount += 1
        try noteRow()
      }
    } loss: { loss throws(StoreError) in
      table.note(loss, path: source.path)
      if loss.level > 0 {
        searched.append(SalvageReport.KeyRange(lower: loss.lower, upper: loss.upper))
      }
    }
    if !searched.isEmpty { searchedRanges[id] = searched }
  }

  // MARK: Orphans

  /// Copies the trees of tables whose records are lost.
  private mutating func salvageLostTables(
    _ orphans: [SalvageSource.Orphan], _ transaction: inout WriteTransaction
  ) throws(StoreError) {
    let oldNames = try namesOfOldCatalogs(orphans)
    var roots: [UInt32: SalvageSource.Orphan] = [:]
    // The root is the highest page in use; where it is not known what is, the newest.
    let isHigher: (SalvageSource.Orphan, SalvageSource.Orphan) -> Bool =
      source.livePages != nil
      ? { (UInt64($0.level), $0.birth) > (UInt64($1.level), $1.birth) }
      : { ($0.birth, $0.level) > ($1.birth, $1.level) }
    for orphan in orphans where orphan.table != TableRecord.catalogTable {
      if handles[orphan.table] != nil { continue }
      if let known = roots[orphan.table], !isHigher(orphan, known) { continue }
      roots[orphan.table] = orphan
    }
    for (id, root) in roots.sorted(by: { $0.key < $1.key }) {
      let name = oldNames[id] ?? "table \(id)"
      guard let handle = try makeTable(name, id, &transaction) else { continue }
      var table = SalvageReport.Table(name: handle.name)
      table.damages.append(Damage(path: source.path, table: handle.name, .field("table record", 0)))
      table.missingRanges.append(SalvageReport.KeyRange(lower: nil, upper: nil))
      try walk(
        TreeRoot(page: root.page, checksum: root.checksum, level: root.level), of: id,
        into: handle, &table, &transaction)
      report.tables.append(table)
    }
  }

  /// The names that older versions of the catalog's leaves give to tables.
  private func namesOfOldCatalogs(
    _ orphans: [SalvageSource.Orphan]
  ) throws(StoreError) -> [UInt32: String] {
    var names: [UInt32: String] = [:]
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: source.map.pageByteCount, alignment: 64)
    // Safe: nothing keeps a view of the memory, which holds a page.
    defer { unsafe memory.deallocate() }
    for orphan in orphans.sorted(by: { $0.birth > $1.birth })
    where orphan.table == TableRecord.catalogTable && orphan.level == 0 {
      guard let page = try source.whole(orphan.page, in: unsafe MutablePageBytes(memory)) else {
        continue
      }
      let leaf = LeafPage(page)
      for index in 0..<leaf.count where !leaf.isOverflow(index) {
        guard
          let record = TableRecord(
            untrusted: leaf.inlineValue(index), pageLimit: source.map.pageLimit)
        else { continue }
        if names[record.id] == nil {
          names[record.id] = unsafe String(decoding: leaf.key(index).buffer, as: UTF8.self)
        }
      }
    }
    return names
  }

  /// Copies rows below damaged branches from the leaves of one table that no branch leads to.
  ///
  /// A leaf speaks for all keys between its first and its last, and the newest leaf wins.
  private mutating func salvageOrphans(
    _ leaves: [SalvageSource.Orphan], _ transaction: inout WriteTransaction
  ) throws(StoreError) {
    guard let id = leaves.first?.table, let handle = handles[id], let place = places[id],
      let ranges = searchedRanges[id]
    else { return }
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: source.map.pageByteCount, alignment: 64)
    // Safe: nothing keeps a view of the memory, which holds a page.
    defer { unsafe memory.deallocate() }
    var cover = KeyCover()
    let values = ValueReader(source: source)
    for orphan in leaves.sorted(by: { $0.birth > $1.birth }) where reached.insert(orphan.page.index)
    {
      guard let page = try source.whole(orphan.page, in: unsafe MutablePageBytes(memory)) else {
        continue
      }
      let leaf = LeafPage(page)
      for index in 0..<leaf.count {
        let key = leaf.key(index).array
        if !ranges.contains(where: { $0.contains(key) }) || cover.contains(key) { continue }
        guard let value = try values.value(in: leaf, at: index, &reached) else {
          report.tables[place].noteLost(key)
          continue
        }
        try unsafe transaction.put(leaf.key(index).buffer, value.buffer, in: handle)
        report.tables[place].rowCount += 1
        report.tables[place].orphanRowCount += 1
        try noteRow()
      }
      cover.insert(leaf.key(0).array, leaf.key(leaf.count - 1).array)
    }
  }

  // MARK: The log

  private mutating func replayLog(_ transaction: inout WriteTransaction) throws(StoreError) {
    guard let meta = source.meta, meta.logSalt != 0 else { return }
    do throws(StoreError) {
      let log = try LogFile.open(
        in: fileSystem, path: StoreCore.logPath(of: source.path), identity: meta.identity,
        salt: LogSalt(meta.logSalt), mode: .readOnly, salvage: true)
      defer { log.close() }
      if let damage = log.damage { report.note(damage) }
      var replay = try LogReplay(
        log, from: try StoreCore.replayStart(meta, path: source.path), after: meta.transaction,
        salvage: true)
      while let frame = try replay.next() {
        // Safe: the body is read before the next frame is asked for.
        var operations = unsafe OperationReader(untrusted: frame.body, path: log.path)
        while let operation = try operations.next() { try apply(operation, &transaction) }
        report.replayedTransactionCount += 1
      }
      report.lostTransactions = replay.missing
    } catch {
      // What the log keeps to itself is lost; what the file has is saved all the same.
      let path = StoreCore.logPath(of: source.path)
      switch error {
      case .alreadyExists(path): break
      case .system(.open, path, _), .system(.read, path, _), .system(.status, path, _): break
      default: guard error.isDamage else { throw error }
      }
      report.note(error)
    }
  }

  private mutating func apply(
    _ operation: LogOperation, _ transaction: inout WriteTransaction
  ) throws(StoreError) {
    do throws(StoreError) {
      // Safe: the bytes are the frame's, which stays until the next one is asked for.
      switch operation {
      case .put(let table, let key, let value):
        try unsafe transaction.put(key, value, in: try handle(table))
      case .delete(let table, let key):
        try unsafe transaction.delete(Array(key), in: try handle(table))
      case .deleteRange(let table, let lower, let upper):
        try unsafe transaction.deleteRange(
          from: Array(lower), to: upper.map { unsafe Array($0) }, in: try handle(table))
      case .createTable(let id, let name):
        if handles[id] != nil { throw .tableExists("\(id)") }
        handles[id] = try transaction.createTable(unsafe String(decoding: name, as: UTF8.self))
      case .dropTable(let id):
        try transaction.drop(try handle(id))
        handles[id] = nil
      case .renameTable(let id, let name):
        try transaction.rename(
          try handle(id), to: unsafe String(decoding: name, as: UTF8.self))
      }
    } catch {
      switch error {
      case .noSuchTable, .tableExists, .invalidTableName, .tooManyTables, .keyTooLong,
        .valueTooLong:
        report.skippedOperationCount += 1
      default:
        throw error
      }
    }
  }

  private func handle(_ id: UInt32) throws(StoreError) -> TableHandle {
    guard let handle = handles[id] else { throw .noSuchTable("table \(id)") }
    return handle
  }
}
