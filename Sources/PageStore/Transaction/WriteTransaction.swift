/// A transaction that changes the store: all of its changes become visible together, or none.
///
/// It is lent to the closure that was passed to `Store.write` and cannot leave it. It reads its own
/// changes. Bytes that were read from it stay as they are until its next change, which the compiler
/// sees to.
public struct WriteTransaction: ~Copyable {
  private let core: StoreCore
  private let writer: Writer
  private let isCancelled: (@Sendable () -> Bool)?

  init(_ core: StoreCore, _ writer: Writer, isCancelled: (@Sendable () -> Bool)?) {
    self.core = core
    self.writer = writer
    self.isCancelled = isCancelled
  }

  /// The number that the transaction has, if it commits.
  public var number: TransactionNumber { writer.pages.transaction }

  /// The transaction to be read, by code that cannot borrow it; see `TransactionView`.
  package var view: TransactionView { TransactionView(core, writer) }

  // MARK: Tables

  /// The table `name`, to be changed.
  ///
  /// - Throws: `.noSuchTable`.
  public mutating func table(_ name: String) throws(StoreError) -> TableHandle {
    try handle(named: name)
  }

  private func handle(named name: String) throws(StoreError) -> TableHandle {
    try core.checkProcess()
    guard let index = try writer.table(named: name) else { throw .noSuchTable(name) }
    return TableHandle(index: index, id: writer.id(at: index), name: name)
  }

  /// True where there is a table `name`.
  ///
  /// - Throws: `.corrupt`.
  public mutating func hasTable(_ name: String) throws(StoreError) -> Bool {
    try writer.table(named: name) != nil
  }

  /// Makes an empty table.
  ///
  /// - Throws: `.tableExists`, `.invalidTableName`, `.tooManyTables`, `.corrupt`, `.forked`.
  /// - Complexity: O(log *n*) in the tables.
  public mutating func createTable(_ name: String) throws(StoreError) -> TableHandle {
    try core.checkProcess()
    let index = try writer.createTable(name)
    return TableHandle(index: index, id: writer.id(at: index), name: name)
  }

  /// The table `name`, made where there was none.
  ///
  /// - Throws: `.invalidTableName`, `.tooManyTables`, `.corrupt`, `.forked`.
  public mutating func createTableIfNeeded(_ name: String) throws(StoreError) -> TableHandle {
    try hasTable(name) ? try table(name) : try createTable(name)
  }

  /// Drops the table with all its rows.
  ///
  /// - Throws: `.noSuchTable`, `.corrupt`, `.cancelled`, `.diskFull`.
  /// - Complexity: O(*n*) in the pages of the table.
  public mutating func drop(_ table: TableHandle) throws(StoreError) {
    _ = try open(table)
    try writer.dropTable(at: table.index)
    try afterChange()
  }

  /// Gives the table another name; the handle stays good.
  ///
  /// - Throws: `.tableExists`, `.invalidTableName`, `.noSuchTable`, `.corrupt`.
  public mutating func rename(_ table: TableHandle, to name: String) throws(StoreError) {
    _ = try open(table)
    try writer.renameTable(at: table.index, to: name)
  }

  /// The names of all tables, in the order of their UTF-8.
  ///
  /// - Throws: `.corrupt`.
  /// - Complexity: O(*n*) in the tables.
  public mutating func tableNames() throws(StoreError) -> [String] {
    try Catalog(reader: writer.catalog.reader).names()
  }

  // MARK: Reading

  /// The table as it stands now, with the transaction's own changes, to be read.
  ///
  /// - Throws: `.noSuchTable`.
  @_lifetime(borrow self)
  public func reading(_ table: TableHandle) throws(StoreError) -> Table {
    let open = try open(table)
    let view = Table(open.editor.reader, count: Int(clamping: open.rowCount))
    // Safe: while the transaction is borrowed it changes nothing.
    return unsafe _overrideLifetime(view, borrowing: self)
  }

  /// The table `name` as it stands now, to be read.
  ///
  /// - Throws: `.noSuchTable`.
  @_lifetime(borrow self)
  public func reading(named name: String) throws(StoreError) -> Table {
    try reading(handle(named: name))
  }

  /// The value under `key`, or nil.
  ///
  /// - Throws: `.noSuchTable`, `.corrupt`.
  /// - Complexity: O(log *n*) in the rows of the table.
  @_lifetime(borrow self)
  public func get(_ key: RawSpan, in table: TableHandle) throws(StoreError) -> RawSpan? {
    let open = try open(table)
    let value = try key.withBytes { key throws(StoreError) in try open.editor.reader.get(key) }
    guard let value else { return nil }
    // Safe: as above.
    let span = unsafe RawSpan(_unsafeStart: value.start, byteCount: value.count)
    return unsafe _overrideLifetime(span, borrowing: self)
  }

  /// The number of the table's rows.
  ///
  /// - Throws: `.noSuchTable`.
  /// - Complexity: O(1).
  public func count(of table: TableHandle) throws(StoreError) -> Int {
    Int(clamping: try open(table).rowCount)
  }

  // MARK: Changing

  /// Puts `value` under `key`, in the place of what was there.
  ///
  /// - Throws: `.keyTooLong`, `.valueTooLong`, `.noSuchTable`, `.corrupt`, `.cancelled`, `.diskFull`,
  ///   `.fileTooLarge`.
  /// - Complexity: O(log *n*) in the rows of the table, and O(*n*) in the length of the value.
  public mutating func put(
    _ key: RawSpan, _ value: RawSpan, in table: TableHandle
  ) throws(StoreError) {
    try key.withBytes { key throws(StoreError) in
      try value.withBytes { value throws(StoreError) in try put(key, value, table) }
    }
  }

  private func put(
    _ key: ByteView, _ value: ByteView, _ table: TableHandle
  ) throws(StoreError) {
    let table = try open(table)
    try writer.put(key, value, into: table)
    try afterChange()
    if writer.pages.buffers.lentByteCount > Writer.streamByteCount {
      try core.stream(table, of: writer)
    }
  }

  /// Puts `value` under `key`, in the place of what was there.
  public mutating func put(
    _ key: [UInt8], _ value: [UInt8], in table: TableHandle
  ) throws(StoreError) {
    try key.withBytes { key throws(StoreError) in
      try value.withBytes { value throws(StoreError) in try put(key, value, table) }
    }
  }

  /// Puts `value` under `key`, in the place of what was there; both must stay in place meanwhile.
  ///
  /// - Throws: As `put(_:_:in:)` of spans.
  public mutating func put(
    _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, in table: TableHandle
  ) throws(StoreError) {
    // Safe: the caller keeps the bytes in place during the call.
    try unsafe put(ByteView(key), ByteView(value), table)
  }

  /// Puts the UTF-8 of `value` under that of `key`.
  ///
  /// - Throws: As `put(_:_:in:)` of spans.
  public mutating func put(
    _ key: String, _ value: String, in table: TableHandle
  ) throws(StoreError) {
    try put(Array(key.utf8), Array(value.utf8), in: table)
  }

  /// Deletes `key`; true where it was there.
  ///
  /// - Throws: `.noSuchTable`, `.corrupt`, `.cancelled`, `.diskFull`.
  /// - Complexity: O(log *n*) in the rows of the table.
  @discardableResult
  public mutating func delete(
    _ key: RawSpan, in table: TableHandle
  ) throws(StoreError) -> Bool {
    try key.withBytes { key throws(StoreError) in try delete(key, table) }
  }

  private func delete(_ key: ByteView, _ table: TableHandle) throws(StoreError) -> Bool {
    let isThere = try writer.delete(key, from: try open(table))
    try afterChange()
    return isThere
  }

  /// Deletes `key`; true where it was there.
  ///
  /// - Throws: `.noSuchTable`, `.corrupt`, `.cancelled`, `.diskFull`.
  /// - Complexity: O(log *n*) in the rows of the table.
  @discardableResult
  public mutating func delete(
    _ key: [UInt8], in table: TableHandle
  ) throws(StoreError) -> Bool {
    try key.withBytes { key throws(StoreError) in try delete(key, table) }
  }

  /// Deletes the rows whose keys are at least `lower` and below `upper`; nil is no bound.
  ///
  /// A bound may be longer than a key.
  ///
  /// - Returns: How many there were.
  /// - Throws: `.noSuchTable`, `.corrupt`, `.cancelled`, `.diskFull`.
  /// - Complexity: O(*n*) in the leaves of the range, and O(log *n*) in the rows of the table.
  @discardableResult
  public mutating func deleteRange(
    from lower: [UInt8]?, to upper: [UInt8]?, in table: TableHandle
  ) throws(StoreError) -> Int {
    let open = try open(table)
    var (lower, upper) = (lower, upper)
    if let bound = lower, bound.count > StoreLimits.keyByteCount {
      guard let key = bound.firstKeyAbove else { return 0 }
      lower = key
    }
    if let bound = upper, bound.count > StoreLimits.keyByteCount { upper = bound.firstKeyAbove }
    return try (lower ?? []).withBytes { lower throws(StoreError) in
      guard let upper else { return try deleteRange(lower, nil, open) }
      return try upper.withBytes { upper throws(StoreError) in
        try deleteRange(lower, upper, open)
      }
    }
  }

  private func deleteRange(
    _ lower: ByteView, _ upper: ByteView?, _ table: OpenTable
  ) throws(StoreError) -> Int {
    try writer.deleteRange(from: lower, to: upper, in: table) { () throws(StoreError) in
      try afterChange()
    }
  }

  /// Walks the rows from `lower` on and below `upper`, and does with each what `body` says.
  ///
  /// The walk sees rows as they were before it came to them; keys and values are good for the call.
  ///
  /// - Returns: How many rows were walked.
  /// - Throws: What `body` throws, and what `put` and `delete` do; rows before that stay changed.
  /// - Complexity: O(*k* log *n*) for *k* rows walked, in the rows of the table.
  @discardableResult
  public mutating func edit<Failure: StoreFailure>(
    from lower: [UInt8]? = nil, to upper: [UInt8]? = nil, in table: TableHandle,
    _ body: (_ key: RawSpan, _ value: RawSpan) throws(Failure) -> RowEdit
  ) throws(Failure) -> Int {
    var from = lower
    var count = 0
    while true {
      let step: (key: [UInt8], edit: RowEdit)?
      step = try nextEdit(from: from, to: upper, in: table, body)
      guard let (key, edit) = step else { return count }
      count += 1
      do throws(StoreError) {
        switch edit {
        case .keep: break
        case .delete: try delete(key, in: table)
        case .replace(let value): try put(key, value, in: table)
        case .stop: return count
        }
      } catch {
        throw Failure(error)
      }
      from = key + [0]
    }
  }

  /// What is to be done with the first row from `from` on.
  private func nextEdit<Failure: StoreFailure>(
    from: [UInt8]?, to upper: [UInt8]?, in table: TableHandle,
    _ body: (_ key: RawSpan, _ value: RawSpan) throws(Failure) -> RowEdit
  ) throws(Failure) -> (key: [UInt8], edit: RowEdit)? {
    let row: (key: ByteView, value: ByteView)?
    do throws(StoreError) {
      row = try firstRow(from: from, to: upper, in: table)
    } catch {
      throw Failure(error)
    }
    guard let row else { return nil }
    // Safe: the transaction changes nothing while `body` has the spans, which cannot leave it.
    let key = unsafe RawSpan(_unsafeStart: row.key.start, byteCount: row.key.count)
    let value = unsafe RawSpan(_unsafeStart: row.value.start, byteCount: row.value.count)
    return (row.key.array, try body(key, value))
  }

  private func firstRow(
    from: [UInt8]?, to upper: [UInt8]?, in table: TableHandle
  ) throws(StoreError) -> (key: ByteView, value: ByteView)? {
    let reader = try open(table).editor.reader
    var cursor = TreeCursor(reader, from: from, to: upper)
    guard try cursor.seekFirst() else { return nil }
    return (cursor.key, try reader.value(in: cursor.leaf, at: cursor.index))
  }

  // MARK: Savepoints

  /// Runs `body`; where it throws, its changes are undone, and the transaction may go on.
  ///
  /// - Throws: What `body` throws, and what kept an earlier change from being whole.
  public mutating func savepoint<Result, Failure: StoreFailure>(
    _ body: (inout WriteTransaction) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if let failure = writer.failure { throw Failure(failure) }
    writer.openSavepoint()
    do throws(Failure) {
      let result = try body(&self)
      writer.releaseSavepoint()
      return result
    } catch {
      writer.rollBackSavepoint()
      throw error
    }
  }

  // MARK: Helpers

  @inline(__always) private func open(_ table: TableHandle) throws(StoreError) -> OpenTable {
    try core.checkProcess()
    return try writer.table(at: table.index, id: table.id, name: table.name)
  }

  /// Looks whether the transaction was cancelled, and whether its pages must leave memory.
  @inline(__always) private func afterChange() throws(StoreError) {
    if let isCancelled, isCancelled() { throw .cancelled }
    if writer.pages.buffers.lentByteCount > core.options.writeBufferByteCount {
      try core.spill(writer)
    }
  }
}

/// A table in a write transaction; good for nothing else than the calls of that transaction.
public struct TableHandle: Sendable {
  let index: Int
  let id: UInt32
  let name: String
}

/// What to do with a row that `WriteTransaction.edit` walks over.
public enum RowEdit: Equatable, Sendable {
  /// Leaves it as it is.
  case keep
  /// Deletes it.
  case delete
  /// Puts other bytes in the place of its value.
  case replace([UInt8])
  /// Leaves it as it is, and ends the walk.
  case stop
}
