internal import CDexShim

/// The pages that one write transaction makes, copies and ends.
///
/// A page that the transaction has not made itself is never changed: `edit` copies it to a private
/// buffer under a new number. Nothing here touches a file but to read, so that dropping the
/// transaction is dropping its buffers. Pages that end are only noted; whether they may be used
/// again is decided after the commit (`PendingPages`).
///
/// While a savepoint is open, pages made before it are copied like any other, and nothing that
/// ended is reused. What this transaction made and ended again, no state ever sees: it is free at
/// the latest when the transaction finishes.
final class PageWriter {
  let map: PageMap
  let view: PageMapView
  let buffers: PageBuffers
  let pageByteCount: Int
  /// The number of the transaction under way.
  private(set) var transaction = TransactionNumber.zero

  /// Pages in use, in the writer's eyes: live, pending, or made by this transaction.
  var bitmap: PageBitmap

  /// Pages in use that no tree may have: they wait for older states, were dropped, or hold the map.
  ///
  /// Only a damaged file leads to one of them, which must neither be changed nor end again.
  private var retired = PageSet()

  /// The pages that this transaction made, and the runs.
  private(set) var created: [PageID] = []
  private(set) var createdRuns: [PageRun] = []
  /// The pages of older states that it replaced or dropped.
  private(set) var ended: [PendingPage] = []
  /// Pages that it made and dropped again.
  private var reusable: [PageID] = []
  /// Pages and runs that it made and dropped again while a savepoint was open.
  private var dropped: [PageRun] = []
  /// Where each run stands in `createdRuns`, by its first page.
  private var createdRunIndices: [PageID: Int] = [:]
  private var savepoints: [Savepoint] = []
  /// Where a page was made since the innermost savepoint; empty while none is open.
  private var createdSinceSavepoint: Set<PageID> = []

  struct Savepoint {
    var createdCount: Int
    var createdRunCount: Int
    var endedCount: Int
    var droppedCount: Int
    var outer: Set<PageID>
  }

  init(map: PageMap, bitmap: PageBitmap, buffers: PageBuffers) {
    self.map = map
    view = map.view
    pageByteCount = map.pageByteCount
    self.bitmap = bitmap
    self.buffers = buffers
  }

  /// A reader of the tree of `table` under `root` as this transaction sees it.
  func reader(_ root: TreeRoot, table: UInt32) -> TreeReader {
    TreeReader(
      map: map, root: root, table: table, seesPrivatePages: true, pageCount: bitmap.pageCount)
  }

  // MARK: Pages that no tree may have

  /// Notes that the pages of `range`, which are in use, belong to no tree of the newest state.
  ///
  /// - Throws: `.corrupt` where one of them is not in use, or was noted before.
  func retire(_ range: Range<Int>) throws(StoreError) {
    retired.extend(to: bitmap.pageCount)
    for index in range {
      let id = PageID(UInt32(index))
      if !bitmap.isUsed(id) {
        retired.remove(range.lowerBound..<index)
        throw map.damage(.notMapped(id), id)
      }
      if !retired.insert(index) {
        retired.remove(range.lowerBound..<index)
        throw map.damage(.usedTwice(id), id)
      }
    }
  }

  /// Throws where the map says that the root of a tree is in no use, or waits.
  func checkLive(_ root: TreeRoot) throws(StoreError) {
    if root.isEmpty || bitmap.isUsed(root.page) && !retired.contains(root.page.index) { return }
    throw map.damage(.notMapped(root.page), root.page)
  }

  /// Marks the pages of `range` as free, of which none is private.
  func markFree(_ range: Range<Int>) {
    bitmap.markFree(range)
    retired.remove(range)
  }

  private func markFree(_ id: PageID) { markFree(id.index..<id.index + 1) }

  // MARK: Life of a transaction

  /// Begins transaction `number`.
  func begin(_ number: TransactionNumber) {
    precondition(created.isEmpty && ended.isEmpty, "the last transaction has ended")
    transaction = number
    pageEndAtBegin = pageEnd
    usedCountAtBegin = bitmap.usedCount
  }

  /// By how many pages the trees become larger, once those that wait are free.
  var grownPageCount: Int {
    bitmap.usedCount - usedCountAtBegin - ended.count - droppedPageCount
  }

  /// Forgets the transaction's lists, after its pages became part of the committed state.
  ///
  /// Frees what it made and dropped again; `created` and `createdRuns` name that no more.
  func finish() {
    savepoints.removeAll()
    reuseDropped()
    for id in reusable { markFree(id) }
    forget()
  }

  /// The pages that this transaction made and dropped again, and that are not free yet.
  var droppedPageCount: Int { dropped.reduce(reusable.count) { $0 + $1.pageCount } }

  private func forget() {
    created.removeAll(keepingCapacity: true)
    createdRuns.removeAll(keepingCapacity: true)
    createdRunIndices.removeAll(keepingCapacity: true)
    dropped.removeAll(keepingCapacity: true)
    ended.removeAll(keepingCapacity: true)
    reusable.removeAll(keepingCapacity: true)
    savepoints.removeAll()
    createdSinceSavepoint = []
  }

  /// Undoes everything that the transaction did to pages.
  func rollBack() {
    for run in ended { retired.remove(run.indices) }
    discard(createdFrom: 0, runsFrom: 0)
    // Else one transaction that was too large would ask for its room again at every later commit.
    pageEnd = pageEndAtBegin
    forget()
  }

  // MARK: Savepoints

  /// From here on `rollBackSavepoint` leads back to the present state.
  func openSavepoint() {
    savepoints.append(
      Savepoint(
        createdCount: created.count, createdRunCount: createdRuns.count, endedCount: ended.count,
        droppedCount: dropped.count, outer: createdSinceSavepoint))
    createdSinceSavepoint = []
  }

  /// Keeps what was done since the innermost savepoint.
  func releaseSavepoint() {
    guard var savepoint = savepoints.popLast() else { preconditionFailure("no savepoint is open") }
    if savepoints.isEmpty {
      createdSinceSavepoint = []
      reuseDropped()
    } else {
      // The outer set is the larger one as a rule.
      savepoint.outer.formUnion(createdSinceSavepoint)
      createdSinceSavepoint = savepoint.outer
    }
  }

  /// Undoes what was done since the innermost savepoint.
  func rollBackSavepoint() {
    guard let savepoint = savepoints.popLast() else { preconditionFailure("no savepoint is open") }
    discard(createdFrom: savepoint.createdCount, runsFrom: savepoint.createdRunCount)
    for run in ended[savepoint.endedCount...] { retired.remove(run.indices) }
    ended.removeLast(ended.count - savepoint.endedCount)
    for run in dropped[savepoint.droppedCount...] { retired.remove(run.indices) }
    dropped.removeLast(dropped.count - savepoint.droppedCount)
    createdSinceSavepoint = savepoint.outer
  }

  /// Frees the pages made since the lists were that long.
  private func discard(createdFrom: Int, runsFrom: Int) {
    for id in created[createdFrom...] {
      dropPrivate(id)
      markFree(id)
    }
    created.removeLast(created.count - createdFrom)
    for run in createdRuns[runsFrom...] {
      createdRunIndices[run.first] = nil
      free(run)
    }
    createdRuns.removeLast(createdRuns.count - runsFrom)
  }

  /// Lets go of what was dropped while a savepoint was open, now that none is.
  private func reuseDropped() {
    for run in dropped {
      if createdRunIndices[run.first] != nil {
        freeCreatedRun(run)
      } else {
        dropPrivate(run.first)
        reusable.append(run.first)
      }
    }
    dropped.removeAll(keepingCapacity: true)
  }

  // MARK: Pages

  /// A fresh page, its bytes unknown.
  ///
  /// - Throws: `.fileTooLarge` where the file may have no more pages.
  func make() throws(StoreError) -> (id: PageID, page: MutablePageBytes) {
    let id = try takeNumber()
    let page = buffers.take()
    view.setPrivateEntry(id, PrivateEntry(page))
    return (id, page)
  }

  /// One past the highest page that was ever taken here: what the file must hold.
  private(set) var pageEnd = 2
  /// What it was when the transaction began.
  private var pageEndAtBegin = 2
  private var usedCountAtBegin = 0

  /// Begins with a file of which the pages below `pageEnd` are spoken for.
  func setPageEnd(_ pageEnd: Int) { self.pageEnd = pageEnd }

  private func takeNumber() throws(StoreError) -> PageID {
    if savepoints.isEmpty, let id = reusable.popLast() {
      retired.remove(id.index..<id.index + 1)
      return id
    }
    let id = try allocate()
    created.append(id)
    if !savepoints.isEmpty { createdSinceSavepoint.insert(id) }
    return id
  }

  private func allocate() throws(StoreError) -> PageID {
    var id = bitmap.allocate()
    if id == nil {
      try extend(by: 1)
      id = bitmap.allocate()
    }
    guard let id else { preconditionFailure("an extended map has room") }
    pageEnd = max(pageEnd, id.index + 1)
    return id
  }

  /// Adds at least `pageCount` free pages at the file's end, within what the map has room for.
  private func extend(by pageCount: Int) throws(StoreError) {
    let least = bitmap.pageCount + pageCount
    if least > map.pageLimit {
      throw .fileTooLarge(path: map.file.path, maximum: map.pageLimit * pageByteCount)
    }
    bitmap.extend(to: min(least + 63, map.pageLimit))
  }

  /// The page under `id` in the tree of `table`, or a copy of it, as one that this transaction may
  /// change.
  func edit(
    _ id: PageID, _ checksum: UInt32, level: Int, table: UInt32
  ) throws(StoreError) -> (id: PageID, page: MutablePageBytes) {
    if let page = view.privatePage(id) {
      if !page.fits(level: level, table: table) { throw map.misfit(page, id, level: level) }
      if isChangeable(id, page) { return (id, changeable(page)) }
      return try copy(page, of: id)
    }
    let page = try provenPage(id, checksum, level: level, table: table)
    if isChangeable(id, page) {
      // Made by this transaction and spilled to the file since: takes it back into memory.
      let buffer = buffers.take()
      buffer.copyUsedPart(of: page, pageByteCount: pageByteCount)
      view.setPrivateEntry(id, PrivateEntry(buffer))
      return (id, buffer)
    }
    return try copy(page, of: id)
  }

  /// The page under `id` in the tree of `table`, whose checksum is computed again where it lies in
  /// the file.
  ///
  /// For pages whose content lives on elsewhere, or says what else ends: a copy gets a checksum of
  /// its own, which would vouch for what a stray write has put there since the page was verified.
  ///
  /// - Throws: `.corrupt` where the bytes are no longer those that were verified.
  func provenPage(
    _ id: PageID, _ checksum: UInt32, level: Int, table: UInt32
  ) throws(StoreError) -> PageBytes {
    let page = try reader(TreeRoot(page: id, checksum: checksum, level: level), table: table)
      .page(id, checksum, level: level)
    // A private page may have gone to the file meanwhile: what was returned decides.
    // Safe: addresses are compared, and not followed.
    let isInFile = unsafe page.start == view.mapped(id).start
    if isInFile { try map.prove(page, id, checksum: checksum) }
    return page
  }

  @inline(__always) private func isChangeable(_ id: PageID, _ page: PageBytes) -> Bool {
    page.birth == transaction && (savepoints.isEmpty || createdSinceSavepoint.contains(id))
  }

  private func copy(
    _ page: PageBytes, of id: PageID
  ) throws(StoreError) -> (id: PageID, page: MutablePageBytes) {
    let birth = page.birth
    // A map that calls a live page free, or says that it waits, would have it overwritten.
    try end(id, birth: birth)
    let (newID, buffer) = try make()
    buffer.copyUsedPart(of: page, pageByteCount: pageByteCount)
    buffer.setU32(PageHeader.number, newID.rawValue)
    buffer.setU64(PageHeader.birth, transaction.rawValue)
    return (newID, buffer)
  }

  /// Notes that page `id` is not part of the tree any more.
  ///
  /// - Throws: `.corrupt` where the map says that it was not before, or it has ended already.
  func end(_ id: PageID, birth: TransactionNumber) throws(StoreError) {
    if birth != transaction {
      try noteEnded(PageRun(first: id, birth: birth))
      return
    }
    try retire(id.index..<id.index + 1)
    if savepoints.isEmpty {
      dropPrivate(id)
      reusable.append(id)
    } else {
      dropped.append(PageRun(first: id, birth: birth))
    }
  }

  /// Notes that older states see `run`, and this one does not.
  ///
  /// A birth in the future is a lie of the file's.
  private func noteEnded(_ run: PageRun) throws(StoreError) {
    try retire(run.indices)
    ended.append(
      PendingPage(
        first: run.first, pageCount: UInt32(run.pageCount),
        birth: min(run.birth, TransactionNumber(transaction.rawValue - 1)), end: transaction))
  }

  /// Drops the private copy of page `id`, or of the run that starts there, where there is one.
  func dropPrivate(_ id: PageID) {
    let entry = view.privateEntry(id)
    if entry.rawValue == 0 { return }
    view.setPrivateEntry(id, .none)
    takeBack(entry)
  }

  /// True while no savepoint is open.
  var hasNoSavepoint: Bool { savepoints.isEmpty }

  /// The private page `page`, to be changed.
  @inline(__always) func changeable(_ page: PageBytes) -> MutablePageBytes {
    // Safe: private pages lie in buffers that this writer owns.
    unsafe MutablePageBytes(UnsafeMutableRawPointer(mutating: page.start))
  }

  /// A scratch buffer, to be given back to `buffers`.
  func scratch() -> MutablePageBytes { buffers.take() }

  // MARK: Runs

  /// Writes `value` to a fresh overflow run.
  ///
  /// - Throws: `.fileTooLarge` where the file may not have as many pages.
  func makeRun(of value: ByteView) throws(StoreError) -> OverflowReference {
    let pageCount = (value.count + pageByteCount - 1) / pageByteCount
    let first = try allocateRun(pageCount)
    createdRunIndices[first] = createdRuns.count
    createdRuns.append(PageRun(first: first, pageCount: pageCount, birth: transaction))
    let buffer = buffers.takeRun(pageCount: pageCount)
    buffer.copy(value, to: 0)
    buffer.clear(value.count, count: pageCount * pageByteCount - value.count)
    view.setPrivateEntry(first, PrivateEntry(buffer, runPageCount: pageCount))
    return OverflowReference(
      first: first, valueByteCount: value.count, checksum: Checksum.of(value), birth: transaction)
  }

  /// A copy of the run behind `reference`, which holds `value`, in the lowest place that it fits in;
  /// nil where there is none, or with `onlyDown` none before the old one.
  func moveRun(
    _ reference: OverflowReference, of value: ByteView, onlyDown: Bool
  ) throws(StoreError) -> OverflowReference? {
    let pageCount = reference.pageCount(pageByteCount: pageByteCount)
    guard let first = bitmap.allocateRun(pageCount) else { return nil }
    let place = first.index..<first.index + pageCount
    bitmap.markFree(place)
    if onlyDown && first >= reference.first { return nil }
    let moved = try makeRun(of: value)
    if moved.checksum != reference.checksum {
      throw map.damage(
        .checksum(stored: reference.checksum, computed: moved.checksum), reference.first)
    }
    try endRun(reference)
    return moved
  }

  private func allocateRun(_ pageCount: Int) throws(StoreError) -> PageID {
    var first = bitmap.allocateRun(pageCount)
    if first == nil {
      try extend(by: pageCount)
      first = bitmap.allocateRun(pageCount)
    }
    guard let first else { preconditionFailure("an extended map has room") }
    pageEnd = max(pageEnd, first.index + pageCount)
    return first
  }

  /// A run for the map of space, which belongs to no transaction.
  func takeMapRun(pageCount: Int) throws(StoreError) -> PageRun {
    let run = PageRun(first: try allocateRun(pageCount), pageCount: pageCount, birth: transaction)
    try retire(run.indices)
    return run
  }

  /// Takes back the buffer of `entry`, which is not private any more.
  func takeBack(_ entry: PrivateEntry) {
    // Safe: the buffer came from here, and nobody reads it any more.
    let page = unsafe MutablePageBytes(
      UnsafeMutableRawPointer(bitPattern: entry.address).unsafelyUnwrapped)
    if entry.isRun {
      buffers.giveBackRun(page, pageCount: entry.runPageCount)
    } else {
      buffers.giveBack(page)
    }
  }

  /// Notes that the run behind `reference` is not part of a tree any more.
  ///
  /// - Throws: `.corrupt` where the map says that it was not before, or it has ended already.
  func endRun(_ reference: OverflowReference) throws(StoreError) {
    let run = PageRun(reference, pageByteCount: pageByteCount)
    guard let index = createdRunIndices[run.first] else {
      try noteEnded(run)
      return
    }
    if createdRuns[index].pageCount != run.pageCount {
      throw map.damage(.usedTwice(run.first), run.first)
    }
    if savepoints.isEmpty {
      freeCreatedRun(run)
    } else {
      try retire(run.indices)
      dropped.append(run)
    }
  }

  /// Frees a run that this transaction made; no savepoint may be open, since the order is lost.
  private func freeCreatedRun(_ run: PageRun) {
    guard let index = createdRunIndices.removeValue(forKey: run.first) else {
      preconditionFailure("the run at \(run.first) is not of \(transaction)")
    }
    let last = createdRuns.removeLast()
    if index < createdRuns.count {
      createdRuns[index] = last
      createdRunIndices[last.first] = index
    }
    free(run)
  }

  /// Frees a page or run, and its private memory.
  func free(_ run: PageRun) {
    dropPrivate(run.first)
    markFree(run.indices)
  }
}

extension MutablePageBytes {
  /// Sets what lies between the slots and the cells of a tree page to zero.
  func clearGap() {
    let page = reading
    let slotsEnd =
      page.level == 0
      ? page.slotStart &+ page.count &* LeafPage.slotByteCount
      : page.slotStart &+ page.capacity &* BranchPage.entryByteCount
    clear(slotsEnd, count: page.cellStart &- slotsEnd)
  }

  /// Copies a tree page, without the gap between its slots and cells.
  @inline(__always) func copyUsedPart(of page: PageBytes, pageByteCount: Int) {
    let slots = page.slotStart
    let slotsEnd =
      page.level == 0
      ? slots &+ page.count &* LeafPage.slotByteCount
      : slots &+ page.capacity &* BranchPage.entryByteCount
    let cells = page.cellStart
    copy(page.bytes(0, slotsEnd), to: 0)
    copy(page.bytes(cells, pageByteCount &- cells), to: cells)
  }
}
