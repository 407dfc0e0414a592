internal import Synchronization

/// How a store stands: sizes, states and readers.
public struct StoreStatistics: Equatable, Sendable {
  /// The size of a page, in bytes.
  public var pageByteCount: Int
  /// The size of the main file, in bytes.
  public var fileByteCount: Int
  /// The size of the log, in bytes; 0 where there is none.
  public var logByteCount: Int
  /// The pages of the newest state: its trees, and the values beside them.
  public var livePageCount: Int
  /// The pages that wait until nobody sees them any more.
  public var pendingPageCount: Int
  /// The pages that hold nothing.
  public var freePageCount: Int
  /// The pages that hold the map of space.
  public var mapPageCount: Int
  /// The newest state that readers see.
  public var published: TransactionNumber
  /// The newest commit of this process, or the published state where another process writes.
  public var tip: TransactionNumber
  /// The state that opening starts from.
  public var durable: TransactionNumber
  /// The snapshots that are open, in all processes.
  public var readerCount: Int
  /// The snapshot of the oldest state, where there is one.
  public var oldestReader: ReaderDescription?
  /// True while this process has the right to write.
  public var holdsRight: Bool
}

/// How large one table is.
public struct TableStatistics: Equatable, Sendable {
  /// The table's name.
  public var name: String
  /// Its rows.
  public var rowCount = 0
  /// The levels of its tree; 0 where it is empty.
  public var levelCount = 0
  /// The pages that route.
  public var branchPageCount = 0
  /// The pages that hold rows.
  public var leafPageCount = 0
  /// The pages that hold large values.
  public var overflowPageCount = 0
  /// The share of the leaves' bytes that rows take, from 0 to 1.
  public var fill = 0.0
}

extension Store {
  /// How the store stands at this moment.
  ///
  /// Waits for a transaction under way in this process. The pages are those of the writer's account
  /// where this process has the right to write, and otherwise those of the durable state.
  ///
  /// - Throws: `.corrupt` where the map of space cannot be read, `.busy`, `.closed`, `.system`.
  public func statistics() throws(StoreError) -> StoreStatistics { try core.statistics() }

  /// How large the table `name` is; reads all of its pages.
  ///
  /// - Throws: `.noSuchTable`, `.corrupt`.
  public func tableStatistics(_ name: String) throws(StoreError) -> TableStatistics {
    try snapshot().tableStatistics(name)
  }
}

extension Snapshot {
  /// How large the table `name` is; reads all of its pages.
  ///
  /// - Throws: `.noSuchTable`, `.corrupt`.
  public func tableStatistics(_ name: String) throws(StoreError) -> TableStatistics {
    let table = try table(name)
    var statistics = TableStatistics(name: name)
    let root = table.reader.root
    if root.isEmpty { return statistics }
    statistics.levelCount = root.level + 1
    var usedByteCount = 0
    try table.reader.measure(root, &statistics, &usedByteCount)
    let byteCount =
      statistics.leafPageCount
      * LeafEditor.capacity(pageByteCount: table.reader.map.pageByteCount)
    statistics.fill = Double(usedByteCount) / Double(byteCount)
    return statistics
  }
}

extension TreeReader {
  /// Adds the pages of the tree under `root` to `statistics`.
  fileprivate func measure(
    _ root: TreeRoot, _ statistics: inout TableStatistics, _ usedByteCount: inout Int
  ) throws(StoreError) {
    let page = try page(root.page, root.checksum, level: root.level)
    // More than there are: branches share their children.
    if statistics.branchPageCount + statistics.leafPageCount >= pageCount {
      throw map.damage(.usedTwice(root.page), root.page)
    }
    if root.level > 0 {
      statistics.branchPageCount += 1
      let branch = BranchPage(page)
      for index in 0..<branch.count {
        let child = TreeRoot(
          page: branch.child(index), checksum: branch.checksum(index), level: root.level - 1)
        try measure(child, &statistics, &usedByteCount)
      }
      return
    }
    let leaf = LeafPage(page)
    statistics.leafPageCount += 1
    statistics.rowCount += leaf.count
    usedByteCount += leaf.usedByteCount
    for index in 0..<leaf.count where leaf.isOverflow(index) {
      statistics.overflowPageCount +=
        leaf.overflow(index).pageCount(pageByteCount: map.pageByteCount)
    }
  }
}

extension StoreCore {
  /// The durable state and its map of space, as seen from outside.
  private func durableSpace() throws(StoreError) -> (MetaPage, SpaceMap) {
    while true {
      let metas = try readMetas()
      do throws(StoreError) {
        return (metas.newest, try durableSpaceMap(of: metas.newest))
      } catch {
        // A checkpoint of another process may have come meanwhile, and the map's place been used.
        if try readMetas().newest == metas.newest { throw error }
      }
    }
  }

  /// The size of the log that another process writes or has left, or 0 where it cannot be told.
  private func byteCountOfLog() -> Int {
    do throws(StoreError) {
      let log = try fileSystem.open(logPath, .readOnly)
      defer { log.close() }
      return try log.byteCount()
    } catch {
      return 0
    }
  }

  func statistics() throws(StoreError) -> StoreStatistics {
    try checkOpen()
    // Whoever is inside a transaction may look too.
    let mustEnter = !gate.isInside
    if mustEnter { try gate.enter(waitTime()) }
    defer { if mustEnter { gate.leave() } }
    let fileByteCount = try file.byteCount()
    let scan = try shared.scanReaders()
    var logByteCount = try commits.withLock { $0.log }?.byteCount() ?? 0
    let usedCount: Int
    let mapPageCount: Int
    var pending: PendingPages
    var durable = commits.withLock { $0.checkpointed.transaction }
    var tip = commits.withLock { $0.tip.transaction }
    // Safe: this thread is inside the gate, which guards the writer.
    let writer = unsafe self.writer
    if let writer {
      usedCount = writer.pages.bitmap.usedCount
      mapPageCount = writer.mapRun.pageCount
      pending = writer.pending
    } else {
      let (meta, spaceMap) = try durableSpace()
      usedCount = spaceMap.bitmap.usedCount
      mapPageCount = meta.mapPageCount
      let living = LivingStates(scan.pins + [meta.transaction, scan.published.transaction])
      pending = PendingPages(spaceMap.pending, living: living)
      durable = meta.transaction
      tip = max(scan.published.transaction, meta.transaction)
      if meta.logSalt != 0 { logByteCount = byteCountOfLog() }
    }
    var published = scan.published.transaction
    // What this process alone shows, since it could only read the log and not recover.
    if let replayed = replayed.withLock({ $0 }), replayed.durable == published {
      published = replayed.state.transaction
      tip = max(tip, published)
    }
    return StoreStatistics(
      pageByteCount: map.pageByteCount, fileByteCount: fileByteCount,
      logByteCount: logByteCount,
      livePageCount: max(0, usedCount - pending.pageCount - mapPageCount - 2),
      pendingPageCount: pending.pageCount,
      freePageCount: max(0, fileByteCount / map.pageByteCount - usedCount),
      mapPageCount: mapPageCount, published: published, tip: tip,
      durable: durable, readerCount: scan.readers.count,
      oldestReader: oldestReader { pending.pageCount(pinnedBy: $0) },
      holdsRight: writer != nil)
  }
}
