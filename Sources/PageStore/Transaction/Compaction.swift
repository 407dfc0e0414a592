internal import Synchronization

/// How far a compaction has come.
public struct CompactionProgress: Equatable, Sendable {
  /// The pages that were moved so far.
  public var movedPageCount: Int
  /// The size of the main file now, in bytes.
  public var fileByteCount: Int
}

extension Store {
  /// Gives the space of free pages back to the system, while readers and writers go on.
  ///
  /// Pages at the end of the file are moved to free places before it, in small transactions that
  /// change no row; then the file is cut. What a snapshot still sees stays where it is, so beside an
  /// old one less is gained. The file never ends up larger, and at whatever point the process dies,
  /// nothing is lost.
  ///
  /// - Parameter progress: Called after each step; false ends the compaction.
  /// - Returns: The bytes that the file has become shorter by.
  /// - Throws: `.readOnly`, `.busy`, `.corrupt`, `.poisoned`, `.nestedWrite`, `.system`.
  @discardableResult
  public func compact(
    progress: ((CompactionProgress) -> Bool)? = nil
  ) throws(StoreError) -> Int {
    let before = try core.file.byteCount()
    var compaction = Compaction(core, fileByteCount: before, progress)
    try compaction.run()
    return max(0, before - (try core.file.byteCount()))
  }
}

/// One compaction, from its first look at the free pages to the cut.
///
/// It goes over all trees from the lowest key on, in passes. A pass has a limit, the size that the
/// file could have, and moves every page from there on below it. Each step is one transaction of
/// bounded size that takes no more free pages than there are below the limit, and that commits by a
/// checkpoint: then the places that it left are free, but for those that a reader sees.
private struct Compaction {
  private let core: StoreCore
  private let progress: ((CompactionProgress) -> Bool)?
  private var movedPageCount = 0
  private var isCancelled = false
  /// The pages that the file had.
  private let firstPageCount: Int

  /// The most pages that one step copies.
  private static let stepPageCount = 2048
  /// No more passes are made, whatever others do to the file meanwhile.
  private static let passLimit = 16

  /// Where a pass has come to.
  private struct Place {
    /// The tables that are still to be looked at, the next one last; nil is the catalog.
    var tables: [String?]
    /// The key to go on from in the next one.
    var key: [UInt8] = []
  }

  init(_ core: StoreCore, fileByteCount: Int, _ progress: ((CompactionProgress) -> Bool)?) {
    self.core = core
    self.progress = progress
    firstPageCount = fileByteCount / core.map.pageByteCount
  }

  mutating func run() throws(StoreError) {
    var lastEnd = Int.max
    for _ in 0..<Self.passLimit {
      let (end, limit) = try look()
      if end <= limit || end >= lastEnd || isCancelled { break }
      lastEnd = end
      // Large values first, since they need free pages that follow each other.
      let hasMovedRuns = try pass(limit: limit, onlyRuns: true)
      let hasMoved = try pass(limit: limit, onlyRuns: false)
      if !hasMovedRuns && !hasMoved { break }
    }
    try cut()
  }

  /// The end of the pages in use, and what it could be.
  private func look() throws(StoreError) -> (end: Int, limit: Int) {
    try core.enterGate(isCancelled: nil)
    defer { core.gate.leave() }
    let writer = try core.begin()
    writer.rollBack()
    let usedCount = writer.pages.bitmap.usedCount
    let spare = 2 * core.reservePageCount(writer) + usedCount / 64
    return (end(writer), usedCount + spare)
  }

  /// The end of the pages in use, but for the map of space, which every checkpoint puts anew.
  private func end(_ writer: Writer) -> Int {
    var bitmap = writer.pages.bitmap
    for index in writer.mapRun.indices { bitmap.markFree(PageID(UInt32(index))) }
    return bitmap.highestUsed.index + 1
  }

  /// Moves what lies at or above `limit`; false where nothing could be moved.
  private mutating func pass(limit: Int, onlyRuns: Bool) throws(StoreError) -> Bool {
    let names = try core.tableNames()
    var place = Place(tables: [nil] + names.reversed().map { $0 })
    let count = movedPageCount
    while !place.tables.isEmpty && !isCancelled {
      if try !step(limit: limit, onlyRuns: onlyRuns, &place) { break }
      try report()
    }
    return movedPageCount > count
  }

  private mutating func report() throws(StoreError) {
    guard let progress else { return }
    let byteCount = try core.file.byteCount()
    isCancelled = !progress(
      CompactionProgress(movedPageCount: movedPageCount, fileByteCount: byteCount))
  }

  /// One transaction; false where there is no room below `limit` to move anything to.
  private mutating func step(
    limit: Int, onlyRuns: Bool, _ place: inout Place
  ) throws(StoreError) -> Bool {
    try core.enterGate(isCancelled: nil)
    defer { core.gate.leave() }
    let writer = try core.begin()
    let room = writer.pages.bitmap.freeCount(below: limit) - core.reservePageCount(writer)
    if room < 1 || end(writer) <= limit {
      writer.rollBack()
      return false
    }
    var budget = min(Self.stepPageCount, room)
    var moved = 0
    do throws(StoreError) {
      while budget > 0, let table = place.tables.last {
        var work = Relocation(
          limit: limit, onlyRuns: onlyRuns, budget: budget, from: place.key)
        try relocate(table, of: writer, &work)
        moved += work.movedPageCount
        // A changed table costs a page of the catalog.
        budget = work.budget - (work.movedPageCount > 0 ? 1 : 0)
        if let next = work.next {
          place.key = next
          break
        }
        place.tables.removeLast()
        place.key = []
      }
    } catch {
      writer.rollBack()
      throw error
    }
    if moved == 0 {
      writer.rollBack()
      return true
    }
    movedPageCount += moved
    writer.noteSpill()
    _ = try core.commit(writer)
    return true
  }

  private func relocate(
    _ table: String?, of writer: Writer, _ work: inout Relocation
  ) throws(StoreError) {
    guard let table else { return try writer.relocateCatalog(&work) }
    guard let index = try writer.table(named: table) else { return }
    try writer.relocateTable(at: index, &work)
  }

  /// Makes the smaller number of pages durable in both meta pages, and cuts the file.
  private func cut() throws(StoreError) {
    try core.enterGate(isCancelled: nil)
    defer { core.gate.leave() }
    let writer = try core.begin()
    let end = end(writer)
    let durable = core.commits.withLock { $0.checkpointed }
    let isBehind = core.commits.withLock { $0.tip.transaction != durable.transaction }
    if isBehind || durable.pageCount > end {
      // A transaction that changes nothing: its checkpoint names no page behind the last in use.
      writer.pages.setPageEnd(max(end, writer.mapRun.indices.upperBound))
      writer.noteSpill()
      _ = try core.commit(writer)
      // Looks for readers anew, after both meta pages are durable.
      writer.begin(writer.base.transaction.next, living: try core.livingStates(writer))
    }
    writer.rollBack()
    core.trimFile(writer, limit: firstPageCount)
  }
}

extension StoreCore {
  /// The names of the tables in the newest published state.
  fileprivate func tableNames() throws(StoreError) -> [String] {
    try Snapshot(try pinSnapshot()).tableNames()
  }
}
