import Testing

@testable import PageStore

/// One tree in a file in memory, its writer, and a dictionary that says what it should hold.
final class TreeTestStore {
  static let table: UInt32 = 7

  let map: PageMap
  let pages: PageWriter
  var editor: TreeEditor
  var model: [[UInt8]: [UInt8]] = [:]
  private(set) var transaction: UInt64 = 0
  private var savepoints: [(root: TreeRoot, model: [[UInt8]: [UInt8]])] = []
  private var committed: (root: TreeRoot, model: [[UInt8]: [UInt8]]) = (.empty, [:])
  private let files = MemoryFileSystem()

  init(pageByteCount: Int, reservedByteCount: Int = 1 << 30) throws {
    let file = try files.open("tree", .createNew(permissions: 0o600))
    map = try PageMap(
      file: file, pageByteCount: pageByteCount, reservedByteCount: reservedByteCount)
    pages = PageWriter(
      map: map, bitmap: PageBitmap(), buffers: PageBuffers(pageByteCount: pageByteCount))
    editor = TreeEditor(pages: pages, table: Self.table, root: .empty)
  }

  deinit {
    rollBack()
    try? publish()
  }

  // MARK: Changes

  @discardableResult func put(_ key: [UInt8], _ value: [UInt8]) throws -> Bool {
    let isNew = try key.withBytes { key throws(StoreError) in
      try value.withBytes { value throws(StoreError) in try editor.put(key, value) }
    }
    #expect(isNew == (model[key] == nil))
    model[key] = value
    return isNew
  }

  @discardableResult func delete(_ key: [UInt8]) throws -> Bool {
    let wasThere = try key.withBytes { key throws(StoreError) in try editor.delete(key) }
    #expect(wasThere == (model[key] != nil))
    model[key] = nil
    return wasThere
  }

  func deleteRange(from lower: [UInt8], to upper: [UInt8]?) throws {
    var from: [UInt8]? = lower
    var deleted = 0
    while let start = from {
      let (count, next) = try start.withBytes { start throws(StoreError) in
        guard let upper else { return try editor.deleteInLeaf(from: start, to: nil) }
        return try upper.withBytes { upper throws(StoreError) in
          try editor.deleteInLeaf(from: start, to: upper)
        }
      }
      deleted += count
      from = next
    }
    let gone = model.keys.filter { key in
      !key.sorts(before: lower) && upper.map { key.sorts(before: $0) } ?? true
    }
    #expect(deleted == gone.count)
    for key in gone { model[key] = nil }
  }

  func deleteAll() throws {
    try editor.deleteAll()
    model = [:]
  }

  // MARK: Transactions

  func begin() {
    transaction += 1
    pages.begin(TransactionNumber(transaction))
    newEditor(committed.root)
  }

  func newEditor(_ root: TreeRoot) {
    editor = TreeEditor(pages: pages, table: Self.table, root: root)
  }

  /// Commits; no older state lives, so what ended is free at once.
  func commit() {
    while !savepoints.isEmpty { releaseSavepoint() }
    let ended = pages.ended
    pages.finish()
    for run in ended {
      pages.free(PageRun(run))
    }
    committed = (editor.root, model)
  }

  func rollBack() {
    savepoints = []
    pages.rollBack()
    model = committed.model
    newEditor(committed.root)
  }

  func openSavepoint() {
    pages.openSavepoint()
    savepoints.append((editor.root, model))
  }

  func releaseSavepoint() {
    pages.releaseSavepoint()
    savepoints.removeLast()
  }

  func rollBackSavepoint() {
    pages.rollBackSavepoint()
    let savepoint = savepoints.removeLast()
    newEditor(savepoint.root)
    model = savepoint.model
  }

  /// The keys of the model, ascending.
  var sortedKeys: [[UInt8]] { model.keys.sorted { $0.sorts(before: $1) } }

  var savepointCount: Int { savepoints.count }

  // MARK: Publishing

  /// Writes the committed tree's private pages to the file, children first.
  func publish() throws {
    if committed.root.isEmpty { return }
    committed.root.checksum = try write(committed.root.page, committed.root.checksum)
    newEditor(committed.root)
    #expect(pages.buffers.lentByteCount == 0)
  }

  /// Writes the transaction's private pages to the file, as one does that is too large for memory.
  func spill() throws {
    if editor.root.isEmpty { return }
    var root = editor.root
    root.checksum = try write(root.page, root.checksum)
    newEditor(root)
  }

  /// Writes page `id` where it is private; its checksum in any case.
  private func write(_ id: PageID, _ known: UInt32) throws -> UInt32 {
    guard let page = map.view.privatePage(id) else {
      return known == 0 ? map.view.verifiedChecksum(of: id) : known
    }
    let copy = pages.scratch()
    defer { pages.buffers.giveBack(copy) }
    copy.clear(0, count: map.pageByteCount)
    copy.copyUsedPart(of: page, pageByteCount: map.pageByteCount)
    if page.level > 0 {
      let branch = BranchPage(page)
      for index in 0..<branch.count where branch.checksum(index) == 0 {
        let checksum = try write(branch.child(index), 0)
        copy.setU32(branch.checksumOffset(index), checksum)
      }
    } else {
      let leaf = LeafPage(page)
      for index in 0..<leaf.count where leaf.isOverflow(index) {
        try writeRun(leaf.overflow(index))
      }
    }
    let checksum = Checksum.ofPage(copy.reading, pageByteCount: map.pageByteCount)
    copy.setU32(PageHeader.checksum, checksum)
    try write(copy.reading.bytes(0, map.pageByteCount), at: id)
    map.view.setVerified(id, checksum)
    pages.dropPrivate(id)
    return checksum
  }

  private func writeRun(_ reference: OverflowReference) throws {
    guard let run = map.view.privateRun(reference.first) else { return }
    let count = reference.pageCount(pageByteCount: map.pageByteCount)
    try write(run.bytes.bytes(0, count * map.pageByteCount), at: reference.first)
    pages.dropPrivate(reference.first)
  }

  private func write(_ bytes: ByteView, at id: PageID) throws {
    try map.file.write(bytes.buffer, at: id.index * map.pageByteCount)
  }

  /// Changes a byte of page `id` in the file, and repairs nothing.
  func damage(_ id: PageID, at offset: Int) throws {
    var byte: [UInt8] = [0]
    let place = id.index * map.pageByteCount + offset
    _ = try byte.withUnsafeMutableBytes { try map.file.read(into: $0, at: place) }
    byte[0] ^= 0x40
    try byte.withUnsafeBytes { try map.file.write($0, at: place) }
  }

  // MARK: Checks

  var reader: TreeReader { editor.reader }

  /// Checks the tree, counts its rows and accounts for every page.
  @discardableResult func check() throws -> TreeChecker.Report {
    var used: Set<Int> = [0, 1]
    var twice: [Int] = []
    var checker = TreeChecker(
      reader, table: Self.table, name: "test", newest: TransactionNumber(transaction))
    let report = try checker.check { run in
      var isNew = true
      for index in run.indices where !used.insert(index).inserted {
        twice.append(index)
        isNew = false
      }
      return isNew
    }
    for run in pages.ended {
      for index in run.indices where !used.insert(index).inserted { twice.append(index) }
    }
    try #require(report.damages == [])
    try #require(twice == [])
    try #require(report.rowCount == model.count)
    let areUsed = used.allSatisfy { pages.bitmap.isUsed(PageID(UInt32($0))) }
    try #require(areUsed)
    try #require(pages.bitmap.usedCount == used.count + pages.droppedPageCount)
    return report
  }

  /// Compares every row with the model, by a scan and by its key.
  func compareRows() throws {
    let keys = sortedKeys
    let reader = reader
    var cursor = TreeCursor(reader, from: nil, to: nil)
    for key in keys {
      let isFound = try cursor.next()
      try #require(isFound)
      try #require(cursor.key.array == key)
      let value = try reader.value(in: cursor.leaf, at: cursor.index).array
      try #require(value == model[key])
      let same = try key.withBytes { key throws(StoreError) in try reader.get(key)?.array }
      try #require(same == value)
    }
    let isMore = try cursor.next()
    try #require(!isMore)
  }
}

extension TreeCursor {
  mutating func next() throws(StoreError) -> Bool {
    index += 1
    return index < end ? true : try moveToNextLeaf()
  }

  mutating func previous() throws(StoreError) -> Bool {
    index -= 1
    return index >= begin ? true : try moveToPreviousLeaf()
  }
}

extension [UInt8] {
  func sorts(before other: [UInt8]) -> Bool { lexicographicallyPrecedes(other) }
}
