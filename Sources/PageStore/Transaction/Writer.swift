/// The one write transaction of a store, and what carries over from each to the next: the map of
/// space, the pending pages, and the state that the next one starts from.
///
/// Belongs to whoever is inside the gate while this process has the right to write. Nothing here
/// writes to a file; `StoreCore` does, by what stands here.
final class Writer {
  let pages: PageWriter
  var pending: PendingPages
  /// The committed state that the transaction started from.
  private(set) var base: TreeState
  /// The states that lived when the transaction began.
  private(set) var living: LivingStates
  /// The run that holds the durable map of space.
  var mapRun: PageRun
  /// The pages that the file has blocks for.
  var filePageCount: Int

  /// True once this tenure has made a commit of its own.
  var hasCommitted = false

  private(set) var catalog: TreeEditor
  private let state = HeapValue(State())

  /// What is touched for every row.
  private struct State {
    var tables: [OpenTable] = []
    var operations = OperationBuffer()
    var frameLimit = 0
    var needsCheckpoint = false
    var onlyDeletes = true
    var hasDeleted = false
    var hasFailed = false
  }

  /// By the UTF-8 of the name, as the catalog compares: strings compare by canonical equivalence.
  private var tableIndices: [[UInt8]: Int] = [:]
  private var nextTableID: UInt32
  /// True once the transaction must commit by a checkpoint: its frame is too long, or its pages
  /// have been moved into the file.
  private(set) var needsCheckpoint: Bool {
    @inline(__always) get { state.value.needsCheckpoint }
    @inline(__always) set { state.value.needsCheckpoint = newValue }
  }
  /// The private pages of keys that are being appended are moved into the file from this size on.
  static let streamByteCount = 4 << 20
  /// True while the transaction has done nothing but delete.
  private(set) var onlyDeletes: Bool {
    @inline(__always) get { state.value.onlyDeletes }
    @inline(__always) set { state.value.onlyDeletes = newValue }
  }
  /// True once it has deleted something.
  private var hasDeleted: Bool {
    @inline(__always) get { state.value.hasDeleted }
    @inline(__always) set { state.value.hasDeleted = newValue }
  }
  /// True where the transaction may use the reserve: it has deleted, and leaves the trees no larger.
  ///
  /// An index puts a shorter list of rows where one of them is deleted.
  var mayUseReserve: Bool { onlyDeletes || hasDeleted && pages.grownPageCount <= 0 }
  /// The error that left a tree in pieces; the transaction cannot commit any more.
  private(set) var failure: StoreError? {
    didSet { state.value.hasFailed = failure != nil }
  }

  private var tables: [OpenTable] {
    @inline(__always) _read { yield state.value.tables }
    @inline(__always) _modify { yield &state.value.tables }
  }
  private(set) var operations: OperationBuffer {
    @inline(__always) _read { yield state.value.operations }
    @inline(__always) _modify { yield &state.value.operations }
  }
  /// The most bytes of operations that one frame may carry.
  var frameLimit: Int {
    @inline(__always) get { state.value.frameLimit }
    @inline(__always) set { state.value.frameLimit = newValue }
  }
  private var savepoints: [Savepoint] = []
  /// What has cost the transaction pages of its own; no savepoint brings them back.
  private var loss: StoreError?

  private struct Savepoint {
    let tables: [OpenTable.Memory]
    let tableIndices: [[UInt8]: Int]
    let catalog: TreeEditor
    let operationByteCount: Int
    let onlyDeletes: Bool
    let hasDeleted: Bool
  }

  init(
    pages: PageWriter, pending: PendingPages, base: TreeState, mapRun: PageRun,
    filePageCount: Int
  ) {
    self.pages = pages
    self.pending = pending
    self.base = base
    self.mapRun = mapRun
    self.filePageCount = filePageCount
    living = LivingStates([base.transaction])
    pages.map.noteState(base.transaction)
    catalog = TreeEditor(pages: pages, table: TableRecord.catalogTable, root: base.catalog)
    nextTableID = base.nextTableID
  }

  // MARK: Life of a transaction

  /// Begins transaction `number`, after freeing the pages that no state in `living` sees.
  func begin(_ number: TransactionNumber, living: LivingStates) {
    self.living = living
    releasePending()
    pages.begin(number)
    catalog = TreeEditor(pages: pages, table: TableRecord.catalogTable, root: base.catalog)
    nextTableID = base.nextTableID
    needsCheckpoint = false
    onlyDeletes = true
    hasDeleted = false
    loss = nil
    failure = nil
  }

  /// Frees the pending pages that no living state sees.
  func releasePending() {
    pending.release(living: living) { free(PageRun($0)) }
  }

  /// True where the transaction has changed something.
  var hasChanges: Bool { !operations.isEmpty || needsCheckpoint }

  /// Writes the changed tables' records into the catalog.
  ///
  /// - Returns: The state to commit.
  func close() throws(StoreError) -> TreeState {
    if let failure { throw failure }
    for table in tables where table.isChanged && !table.isDropped {
      let name = Array(table.name.utf8)
      try guarding { () throws(StoreError) in
        _ = try name.withBytes { name throws(StoreError) in
          try table.record.bytes.withBytes { record throws(StoreError) in
            try catalog.put(name, record)
          }
        }
      }
    }
    try pages.checkLive(catalog.root)
    return TreeState(
      transaction: pages.transaction, catalog: catalog.root, pageCount: pages.pageEnd,
      nextTableID: nextTableID)
  }

  /// Makes `state` the one that the next transaction starts from.
  func finish(_ state: TreeState) {
    for page in pages.ended where pending.add(page, living: living) { free(PageRun(page)) }
    pages.finish()
    base = state
    forgetTransaction()
  }

  /// Undoes the transaction.
  func rollBack() {
    pages.rollBack()
    forgetTransaction()
  }

  /// Starts from `state` next, which is the base as it was published.
  func rebase(_ state: TreeState) {
    if state.transaction == base.transaction { base = state }
  }

  private func forgetTransaction() {
    tables.removeAll(keepingCapacity: true)
    tableIndices.removeAll(keepingCapacity: true)
    operations.removeAll()
    savepoints.removeAll()
    needsCheckpoint = false
  }

  /// Gives the pages of `run` back to the map.
  func free(_ run: PageRun) {
    pages.free(run)
  }

  /// Drops the private copies of pages that are not part of the committed state any more.
  func dropPrivatePages() {
    for page in pending.all { pages.dropPrivate(page.first) }
  }

  /// Lets the transaction commit by a checkpoint only: no frame can tell what was done to its pages.
  func requireCheckpoint() { needsCheckpoint = true }

  /// Ends the transaction, from which pages are lost; it can only be rolled back.
  func lose(_ error: StoreError) {
    loss = error
    failure = error
  }

  /// Runs a change of a tree; an error in the middle of it ends the transaction.
  @inline(__always) private func guarding<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    if state.value.hasFailed, let failure { throw failure }
    do throws(StoreError) {
      return try body()
    } catch {
      failure = error
      throw error
    }
  }

  // MARK: Moving pages

  /// Moves pages of the open table at `index` down, as far as `work` says.
  func relocateTable(at index: Int, _ work: inout Relocation) throws(StoreError) {
    let table = tables[index]
    let count = work.movedPageCount
    try guarding { () throws(StoreError) in try table.editor.relocate(&work) }
    if work.movedPageCount > count { table.isChanged = true }
  }

  /// Packs leaves of the table, as far as `work` says.
  func packTable(at index: Int, _ work: inout Packing) throws(StoreError) {
    let table = tables[index]
    let count = work.copiedPageCount
    try guarding { () throws(StoreError) in try table.editor.pack(&work) }
    if work.copiedPageCount > count { table.isChanged = true }
  }

  /// Moves pages of the catalog down, as far as `work` says.
  func relocateCatalog(_ work: inout Relocation) throws(StoreError) {
    try guarding { () throws(StoreError) in try catalog.relocate(&work) }
  }

  // MARK: Savepoints

  func openSavepoint() {
    pages.openSavepoint()
    savepoints.append(
      Savepoint(
        tables: tables.map(\.memory), tableIndices: tableIndices, catalog: catalog,
        operationByteCount: operations.byteCount,
        onlyDeletes: onlyDeletes, hasDeleted: hasDeleted))
  }

  func releaseSavepoint() {
    pages.releaseSavepoint()
    savepoints.removeLast()
  }

  func rollBackSavepoint() {
    guard let savepoint = savepoints.popLast() else { preconditionFailure("no savepoint is open") }
    pages.rollBackSavepoint()
    tables.removeLast(tables.count - savepoint.tables.count)
    for (table, memory) in zip(tables, savepoint.tables) { table.restore(memory) }
    tableIndices = savepoint.tableIndices
    catalog = savepoint.catalog
    // Numbers of tables are not given out again: a handle from inside must not fit another table.
    // A frame that had grown too long before was dropped, and stays so.
    if !needsCheckpoint { operations.truncate(to: savepoint.operationByteCount) }
    onlyDeletes = savepoint.onlyDeletes
    hasDeleted = savepoint.hasDeleted
    failure = loss
  }

  // MARK: Tables

  /// The place of table `name` among the open ones, or nil where there is none.
  func table(named name: String) throws(StoreError) -> Int? {
    if let index = tableIndices[Array(name.utf8)] { return index }
    guard let record = try catalogRecord(of: name) else { return nil }
    return open(
      OpenTable(
        id: record.id, name: name,
        editor: TreeEditor(pages: pages, table: record.id, root: record.root),
        rowCount: record.rowCount, isChanged: false))
  }

  private func open(_ table: OpenTable) -> Int {
    tables.append(table)
    tableIndices[Array(table.name.utf8)] = tables.count - 1
    return tables.count - 1
  }

  private func catalogRecord(of name: String) throws(StoreError) -> TableRecord? {
    try Catalog(reader: catalog.reader).record(of: name)
  }

  /// The open table at `index`.
  func table(at index: Int, id: UInt32, name: String) throws(StoreError) -> OpenTable {
    if index < tables.count {
      let table = tables[index]
      if table.id == id && !table.isDropped { return table }
    }
    throw .noSuchTable(name)
  }

  /// The number of the open table at `index`.
  func id(at index: Int) -> UInt32 { tables[index].id }

  /// How many numbers of tables were given out: no fewer than there are tables.
  var tableNumberCount: Int { Int(nextTableID) - 1 }

  /// Every open table.
  var openTables: [OpenTable] { tables }

  func createTable(_ name: String, id: UInt32? = nil) throws(StoreError) -> Int {
    try checkName(name)
    if try table(named: name) != nil { throw .tableExists(name) }
    if try tableCount() >= StoreLimits.tableCount {
      throw .tooManyTables(maximum: StoreLimits.tableCount)
    }
    let id = id ?? nextTableID
    if id == UInt32.max { throw .tooManyTables(maximum: StoreLimits.tableCount) }
    nextTableID = max(nextTableID, id + 1)
    let table = OpenTable(
      id: id, name: name, editor: TreeEditor(pages: pages, table: id, root: .empty), rowCount: 0,
      isChanged: true)
    try writeRecord(table)
    onlyDeletes = false
    operations.createTable(id, name: name)
    return open(table)
  }

  func dropTable(at index: Int) throws(StoreError) {
    let table = tables[index]
    try guarding { () throws(StoreError) in
      try table.editor.deleteAll()
      try removeRecord(table.name)
    }
    table.isDropped = true
    hasDeleted = true
    tableIndices[Array(table.name.utf8)] = nil
    operations.dropTable(table.id)
    limitFrame()
  }

  func renameTable(at index: Int, to name: String) throws(StoreError) {
    try checkName(name)
    let table = tables[index]
    if name.utf8.elementsEqual(table.name.utf8) { return }
    if try self.table(named: name) != nil { throw .tableExists(name) }
    try guarding { () throws(StoreError) in try removeRecord(table.name) }
    tableIndices[Array(table.name.utf8)] = nil
    table.name = name
    table.isChanged = true
    onlyDeletes = false
    try writeRecord(table)
    tableIndices[Array(name.utf8)] = index
    operations.renameTable(table.id, name: name)
    limitFrame()
  }

  private func writeRecord(_ table: OpenTable) throws(StoreError) {
    let name = Array(table.name.utf8)
    _ = try guarding { () throws(StoreError) in
      try name.withBytes { name throws(StoreError) in
        try table.record.bytes.withBytes { record throws(StoreError) in
          try catalog.put(name, record)
        }
      }
    }
  }

  private func removeRecord(_ name: String) throws(StoreError) {
    _ = try Array(name.utf8).withBytes { key throws(StoreError) in try catalog.delete(key) }
  }

  private func checkName(_ name: String) throws(StoreError) {
    let count = name.utf8.count
    if count == 0 || count > StoreLimits.tableNameByteCount {
      throw .invalidTableName(byteCount: count, maximum: StoreLimits.tableNameByteCount)
    }
  }

  private func tableCount() throws(StoreError) -> Int {
    var cursor = TreeCursor(catalog.reader, from: nil, to: nil)
    var count = 0
    while true {
      if count == 0 {
        guard try cursor.seekFirst() else { return 0 }
      } else {
        guard try cursor.moveToNextLeaf() else { return count }
      }
      count += cursor.end - cursor.begin
      cursor.index = cursor.end - 1
    }
  }

  // MARK: Rows

  func put(_ key: ByteView, _ value: ByteView, into table: OpenTable) throws(StoreError) {
    if key.count > StoreLimits.keyByteCount {
      throw .keyTooLong(byteCount: key.count, maximum: StoreLimits.keyByteCount)
    }
    if value.count > StoreLimits.valueByteCount {
      throw .valueTooLong(byteCount: value.count, maximum: StoreLimits.valueByteCount)
    }
    let isNew = try guarding { () throws(StoreError) in try table.editor.put(key, value) }
    if isNew { table.rowCount &+= 1 }
    table.isChanged = true
    onlyDeletes = false
    if !needsCheckpoint {
      if value.count > frameLimit {
        needsCheckpoint = true
        operations.removeAll()
      } else {
        // Safe: both are copied by the call.
        unsafe operations.put(table: table.id, key: key.buffer, value: value.buffer)
        limitFrame()
      }
    }
  }

  func delete(_ key: ByteView, from table: OpenTable) throws(StoreError) -> Bool {
    if key.count > StoreLimits.keyByteCount { return false }
    let isThere = try guarding { () throws(StoreError) in try table.editor.delete(key) }
    if !isThere { return false }
    table.rowCount &-= 1
    table.isChanged = true
    hasDeleted = true
    if !needsCheckpoint {
      // Safe: the key is copied by the call.
      unsafe operations.delete(table: table.id, key: key.buffer)
      limitFrame()
    }
    return true
  }

  /// Deletes the keys from `lower` on and below `upper`, one leaf at a time; `step` is called
  /// between them.
  func deleteRange(
    from lower: ByteView, to upper: ByteView?, in table: OpenTable,
    step: () throws(StoreError) -> Void
  ) throws(StoreError) -> Int {
    for bound in [lower, upper ?? lower] where bound.count > StoreLimits.keyByteCount {
      throw .keyTooLong(byteCount: bound.count, maximum: StoreLimits.keyByteCount)
    }
    var total = 0
    var next: [UInt8]? = lower.array
    while let from = next {
      let part = try from.withBytes { from throws(StoreError) in
        try guarding { () throws(StoreError) in
          try table.editor.deleteInLeaf(from: from, to: upper)
        }
      }
      total += part.count
      table.rowCount &-= UInt64(part.count)
      next = part.next
      // Rows are gone that no operation tells of yet, so the transaction ends with an error here.
      try guarding { () throws(StoreError) in try step() }
    }
    if total > 0 {
      table.isChanged = true
      hasDeleted = true
      if !needsCheckpoint {
        // Safe: both keys are copied by the call.
        unsafe operations.deleteRange(table: table.id, lower: lower.buffer, upper: upper?.buffer)
        limitFrame()
      }
    }
    return total
  }

  /// Gives the frame up once it is longer than a frame may be.
  @inline(__always) private func limitFrame() {
    if operations.byteCount > frameLimit && !needsCheckpoint {
      needsCheckpoint = true
      operations.removeAll()
    }
  }
}
