internal import Synchronization

/// How far a compaction has come.
public struct CompactionProgress: Equatable, Sendable {
  /// The pages that were moved or filled anew so far.
  public var movedPageCount: Int
  /// The size of the main file now, in bytes.
  public var fileByteCount: Int
}

extension Store {
  /// Gives the space of free pages back to the system, while readers and writers go on.
  ///
  /// Leaves that are not full are joined, which leaves an eighth of each free for rows to come, and
  /// pages at the end of the file are moved to free places before it, in transactions that change
  /// no row; then the file is cut. A writer waits for one such transaction at most, which copies a few
  /// megabytes; one that moves pages may have to read whole trees to find them. What a snapshot
  /// still sees stays where it is, so beside one less is gained. The file never ends up larger, and
  /// at whatever point the process dies, nothing is lost.
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
/// First the leaves are packed, so that those that deletions left half empty become few and full.
/// Then it goes over all trees from the lowest key on, in passes. A pass has a limit, the size that
/// the file could have, and moves every page from there on below it. Each step is one transaction
/// that takes no more free pages than there are below the limit, and that commits by a checkpoint:
/// then the places that it left are free, but for those that a reader sees. A step copies a bounded
/// number of pages, and while leaves are packed it also looks at a bounded number. Where large
/// values find no place, the lowest pages are cleared away, and the values move down through the
/// gap.
private struct Compaction {
  private let core: StoreCore
  private let progress: ((CompactionProgress) -> Bool)?
  private var movedPageCount = 0
  private var isCancelled = false
  /// The free pages that packing leaves to the moves beside readers, who keep what it replaces.
  private var roomToLeave: Int?
  /// The pages that the file had.
  private let firstPageCount: Int

  /// The most pages that one step copies.
  private static let stepPageCount = 2048
  /// With fewer free pages nothing is packed: a branch of each level may have to be copied too.
  private static let leastPackingBudget = 8
  /// No more passes are made, whatever others do to the file meanwhile.
  private static let passLimit = 16

  /// Where a pass has come to.
  private struct Place {
    /// The tables that are still to be looked at, the next one last.
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
    // What only the older durable state needs is free then.
    try core.checkpoint()
    try pack()
    var lastEnd = Int.max
    for _ in 0..<Self.passLimit {
      let (end, limit) = try look()
      if end <= limit || end >= lastEnd || isCancelled { break }
      lastEnd = end
      // Large values first, since they need free pages that follow each other.
      try pass(.runsDown, from: limit)
      try pass(.down, from: limit)
      if try look().end <= limit || isCancelled { break }
      // Free pages below the limit lie too scattered for what is above it.
      if try makeGap() {
        try pass(.runsDown, from: 2)
        try pass(.down, from: limit)
      }
    }
    try cut()
  }

  /// Fills the leaves of all tables anew, as far as free pages in the file allow.
  private mutating func pack() throws(StoreError) {
    var place = Place(tables: try core.tableOrder())
    while !place.tables.isEmpty && !isCancelled {
      if try !packStep(&place) { break }
      try report()
    }
  }

  /// One transaction; false where there is no room.
  private mutating func packStep(_ place: inout Place) throws(StoreError) -> Bool {
    try core.enterGate(isCancelled: nil)
    defer { core.gate.leave() }
    let writer = try core.begin()
    var copied = 0
    do throws(StoreError) {
      let room = try packingRoom(writer)
      if room <= Self.leastPackingBudget {
        writer.rollBack()
        return false
      }
      var budget = min(Self.stepPageCount, room)
      var lookBudget = Packing.lookLimit
      while budget > Self.leastPackingBudget, lookBudget > 0, let table = place.tables.last {
        // A changed table costs a page of the catalog.
        var work = Packing(budget: budget - 1, start: place.key, lookBudget: lookBudget)
        if let table, let index = try writer.table(named: table) {
          try writer.packTable(at: index, &work)
        }
        copied += work.copiedPageCount
        if work.copiedPageCount > 0 { budget -= work.copiedPageCount + 1 }
        lookBudget = work.lookBudget
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
    if copied == 0 {
      writer.rollBack()
      return true
    }
    movedPageCount += copied
    writer.requireCheckpoint()
    _ = try core.commit(writer)
    return true
  }

  /// The free pages that may be filled.
  ///
  /// What is replaced beside a reader is not free afterwards, so half of the room is left to moves.
  private mutating func packingRoom(_ writer: Writer) throws(StoreError) -> Int {
    let room =
      writer.pages.bitmap.freeCount(below: end(writer)) - core.reservePageCount(writer)
    let isPinned = try !core.shared.scanReaders().pins.isEmpty || writer.living.states.count > 1
    if !isPinned { return room }
    let left = roomToLeave ?? room / 2
    roomToLeave = left
    return room - left
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
    bitmap.markFree(writer.mapRun.indices)
    return bitmap.highestUsed.index + 1
  }

  /// Moves what `kind` says of the pages from `limit` on.
  private mutating func pass(
    _ kind: Relocation.Kind, from limit: Int
  ) throws(StoreError) {
    var place = Place(tables: try core.tableOrder())
    while !place.tables.isEmpty && !isCancelled {
      if try !step(kind, from: limit, &place) { break }
      try report()
    }
  }

  /// Frees the lowest pages of the file, in one transaction, so that large values find a place; false
  /// where there is no room for what lies there.
  private mutating func makeGap() throws(StoreError) -> Bool {
    let tables = try core.tableOrder()
    try core.enterGate(isCancelled: nil)
    defer { core.gate.leave() }
    let writer = try core.begin()
    let fileEnd = writer.filePageCount
    let room = writer.pages.bitmap.freeCount(below: fileEnd) / 4 - core.reservePageCount(writer)
    let gap = 2..<2 + min(Self.stepPageCount, max(0, room))
    if gap.isEmpty || gap.upperBound >= fileEnd {
      writer.rollBack()
      return false
    }
    let count = movedPageCount
    // What is free in the gap is kept free, and what lies behind the file is not asked for.
    let kept = writer.pages.bitmap.freePages(in: gap)
    for page in kept { writer.pages.bitmap.markUsed(page) }
    do throws(StoreError) {
      for table in tables {
        var work = Relocation(.away, from: gap, budget: .max)
        try relocate(table, of: writer, &work)
        movedPageCount += work.movedPageCount
        if writer.pages.pageEnd > fileEnd { break }
      }
    } catch {
      for page in kept { writer.pages.bitmap.markFree(page) }
      writer.rollBack()
      throw error
    }
    for page in kept { writer.pages.bitmap.markFree(page) }
    if movedPageCount == count || writer.pages.pageEnd > fileEnd {
      movedPageCount = count
      writer.rollBack()
      writer.pages.setPageEnd(min(writer.pages.pageEnd, fileEnd))
      return false
    }
    writer.requireCheckpoint()
    _ = try core.commit(writer)
    return true
  }

  private mutating func report() throws(StoreError) {
    guard let progress else { return }
    let byteCount = try core.file.byteCount()
    isCancelled = !progress(
      CompactionProgress(movedPageCount: movedPageCount, fileByteCount: byteCount))
  }

  /// One transaction; false where nothing lies at or above `limit`, or where there is no room.
  private mutating func step(
    _ kind: Relocation.Kind, from limit: Int, _ place: inout Place
  ) throws(StoreError) -> Bool {
    try core.enterGate(isCancelled: nil)
    defer { core.gate.leave() }
    let writer = try core.begin()
    let end = end(writer)
    let room =
      writer.pages.bitmap.freeCount(below: kind == .runsDown ? end : limit)
      - core.reservePageCount(writer)
    if room < 1 || end <= limit {
      writer.rollBack()
      return false
    }
    var budget = min(Self.stepPageCount, room)
    var moved = 0
    do throws(StoreError) {
      while budget > 0, let table = place.tables.last {
        var work = Relocation(kind, from: limit..<Int.max, budget: budget, start: place.key)
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
    writer.requireCheckpoint()
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
      writer.requireCheckpoint()
      _ = try core.commit(writer)
      // Looks for readers anew, after both meta pages are durable.
      writer.begin(writer.base.transaction.next, living: try core.livingStates(writer))
    }
    writer.rollBack()
    core.trimFile(writer, limit: firstPageCount)
  }
}

extension StoreCore {
  /// The tables of the newest published state, in the order in which they are taken from the end of
  /// the list; nil is the catalog.
  fileprivate func tableOrder() throws(StoreError) -> [String?] {
    let names = try Snapshot(try pinSnapshot()).tableNames()
    return [nil] + names.reversed().map { $0 }
  }
}
