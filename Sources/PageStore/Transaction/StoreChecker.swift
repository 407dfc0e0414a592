/// Checks one state of a file: its trees, the map of space, and that each fits the other.
///
/// Works on the bytes of the file alone and remembers nothing of what was verified before. Whatever
/// they say, it neither traps nor takes more than a bit of memory for each page of the file; and it
/// goes on after damage, beside what is damaged.
struct StoreChecker {
  let map: PageMap
  private(set) var report = CheckReport()
  private let filePageCount: Int
  /// The pages of trees and their values.
  private var reached: PageSet
  /// False once something could not be read that may have led to other pages.
  private var seesEverything = true

  /// Which pages are in use, for what.
  struct Accounts {
    let bitmap: PageBitmap
    let pending: [PendingPage]
    let mapRun: PageRun
  }

  init(map: PageMap, fileByteCount: Int) {
    self.map = map
    filePageCount = min(fileByteCount / map.pageByteCount, map.pageLimit)
    reached = PageSet(pageCount: filePageCount)
    report.pageByteCount = map.pageByteCount
    report.fileByteCount = fileByteCount
  }

  mutating func note(_ problem: StoreError) { report.note(problem) }

  private mutating func note(_ problem: Damage.Problem, _ page: PageID?, table: String? = nil) {
    report.note(.corrupt(Damage(path: map.file.path, page: page, table: table, problem)))
  }

  // MARK: The file

  /// Notes where the file is shorter than `meta` says; what a snapshot says of that may be out of date
  /// since the file was cut behind all that it needs.
  mutating func checkLength(of meta: MetaPage) {
    if meta.pageCount > filePageCount { note(.truncated(byteCount: report.fileByteCount), nil) }
  }

  // MARK: The map of space

  /// The map of space that `meta` names, or nil where it is damaged.
  mutating func spaceMap(of meta: MetaPage) throws(StoreError) -> SpaceMap? {
    do throws(StoreError) {
      return try map.spaceMap(of: meta, filePageCount: filePageCount)
    } catch {
      guard error.isDamage else { throw error }
      report.note(error)
      return nil
    }
  }

  // MARK: Trees

  /// Walks the catalog of `state` and every table that it names.
  ///
  /// - Parameters:
  ///   - state: The state.
  ///   - nextTableID: The number that a new table would get, where that is known.
  ///   - progress: Told how far this is, every 64 pages; false ends the check.
  /// - Throws: What is no damage; `.cancelled` where `progress` has ended it.
  mutating func checkTrees(
    of state: TreeState, nextTableID: UInt64?, _ progress: ((PageCheckProgress) -> Bool)?
  ) throws(StoreError) {
    report.transaction = state.transaction
    let pageCount = min(state.pageCount, filePageCount)
    _ = try checkTree(
      state.catalog, table: TableRecord.catalogTable, name: nil, newest: state.transaction,
      pageCount: pageCount, progress)
    var numbers: Set<UInt32> = []
    for (name, record) in try records(of: state, pageCount: pageCount) {
      guard let record else {
        note(.field("table record", 0), nil, table: name)
        seesEverything = false
        continue
      }
      if !numbers.insert(record.id).inserted || UInt64(record.id) >= nextTableID ?? .max {
        note(.field("table number", UInt64(record.id)), nil, table: name)
      }
      let tree = try checkTree(
        record.root, table: record.id, name: name, newest: state.transaction, pageCount: pageCount,
        progress)
      let pages = tree.pageCounts.reduce(tree.overflowPageCount, +)
      report.tables.append(
        CheckReport.Table(name: name, rowCount: tree.rowCount, pageCount: pages))
      if tree.damageCount == 0 && UInt64(tree.rowCount) != record.rowCount {
        note(
          .count("rows", stored: record.rowCount, found: UInt64(tree.rowCount)), nil, table: name)
      }
    }
  }

  private mutating func checkTree(
    _ root: TreeRoot, table: UInt32, name: String?, newest: TransactionNumber, pageCount: Int,
    _ progress: ((PageCheckProgress) -> Bool)?
  ) throws(StoreError) -> TreeChecker.Report {
    let reader = TreeReader(
      map: map, root: root, table: table, seesPrivatePages: false, pageCount: pageCount)
    var checker = TreeChecker(reader, table: table, name: name ?? "", newest: newest)
    var reached = PageSet()
    swap(&reached, &self.reached)
    var again: [PageID] = []
    var againCount = 0
    var liveCount = 0
    var isCancelled = false
    let before = report.livePageCount
    let tree = try checker.check { run in
      if isCancelled { return false }
      var isNew = true
      for index in run.indices {
        if reached.insert(index) {
          liveCount += 1
          if liveCount % 64 == 0, let progress {
            let now = PageCheckProgress(
              pageCount: before + liveCount, totalPageCount: max(pageCount, before + liveCount))
            if !progress(now) { isCancelled = true }
          }
          continue
        }
        isNew = false
        againCount += 1
        if again.count < CheckReport.problemLimit { again.append(PageID(UInt32(index))) }
      }
      return isNew
    }
    swap(&reached, &self.reached)
    if isCancelled { throw .cancelled }
    report.livePageCount += liveCount
    for var damage in tree.damages {
      if name == nil { damage.table = nil }
      report.note(.corrupt(damage))
    }
    for page in again { note(.usedTwice(page), page, table: name) }
    report.problemCount += tree.damageCount - tree.damages.count + againCount - again.count
    if tree.damageCount > 0 || againCount > 0 { seesEverything = false }
    return tree
  }

  /// The records of all tables that can be read; nil for one that does not decode.
  private func records(
    of state: TreeState, pageCount: Int
  ) throws(StoreError) -> [(name: String, record: TableRecord?)] {
    var records: [(name: String, record: TableRecord?)] = []
    var visited = PageSet(pageCount: pageCount)
    let walk = SurvivorWalk(map: map, table: TableRecord.catalogTable, pageCount: pageCount)
    try walk.walk(state.catalog) {
      visited.insert($0.index)
    } leaf: { leaf in
      for index in 0..<leaf.count {
        // Safe: the key's bytes are copied into the string.
        let name = unsafe String(decoding: leaf.key(index).buffer, as: UTF8.self)
        let isInline = !leaf.isOverflow(index)
        records.append(
          (
            name,
            isInline
              ? TableRecord(untrusted: leaf.inlineValue(index), pageLimit: map.pageLimit) : nil
          ))
      }
    } loss: { _ in
      // The checker of the catalog's tree has said so.
    }
    return records
  }

  // MARK: Accounts

  /// Compares what `accounts` say of each page with what was reached.
  mutating func compare(_ accounts: Accounts) {
    report.mapPageCount = accounts.mapRun.pageCount
    report.pendingPageCount = accounts.pending.reduce(0) { $0 + Int($1.pageCount) }
    let bitmap = accounts.bitmap
    report.freePageCount = max(0, filePageCount - bitmap.usedCount)
    var others = PageSet(pageCount: max(bitmap.pageCount, filePageCount))
    for run in accounts.pending.map({ PageRun($0) }) + [accounts.mapRun] {
      for index in run.indices {
        let page = PageID(UInt32(index))
        if !others.insert(index) || reached.contains(index) { note(.usedTwice(page), page) }
        if !bitmap.isUsed(page) { note(.notMapped(page), page) }
      }
    }
    for index in reached.indices {
      let page = PageID(UInt32(index))
      if !bitmap.isUsed(page) { note(.notMapped(page), page) }
    }
    if !seesEverything { return }
    for range in bitmap.usedRanges {
      for index in range where index >= 2 && !others.contains(index) && !reached.contains(index) {
        note(.leaked(PageID(UInt32(index))), PageID(UInt32(index)))
      }
    }
    report.isComplete = true
  }
}

extension PageMap {
  /// A map of the damaged or resting `file`, with room for its pages and no more.
  convenience init(resting file: any StoreFile, pageByteCount: Int) throws(StoreError) {
    let byteCount = min(max(try file.byteCount(), 1), StoreOptions().reservedByteCount)
    try self.init(
      file: file, pageByteCount: pageByteCount,
      reservedByteCount: ((byteCount - 1) >> 21 + 1) << 21)
  }
}

extension StoreError {
  /// True where the error speaks of the bytes that were found, and not of how they were asked for.
  var isDamage: Bool {
    switch self {
    case .corrupt, .notADatabase, .logMissing, .foreignLog, .lostTransactions: true
    default: false
    }
  }
}
