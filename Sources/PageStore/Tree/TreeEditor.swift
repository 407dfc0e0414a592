/// Changes one tree within a write transaction.
///
/// A change goes down from the root and makes each page on its way one that the transaction may
/// change; pages are split on the way back up, and merged where a deletion left them sparse. After
/// every call the tree is whole. An error in the middle leaves it in pieces: the transaction that
/// it happened in is lost.
struct TreeEditor {
  let pages: PageWriter
  let table: UInt32
  var root: TreeRoot

  /// The branches above the leaf that is being changed: page and the child that was taken.
  var path = InlineArray<32, Step>(repeating: Step())

  /// The last leaf, where the path to it is known to be private and the last of every branch.
  var lastLeaf: PageID?

  /// How many keys in a row were put behind the last one of the tree.
  private(set) var appendedCount = 0

  /// Where the last put of a new key went, to tell keys that ascend from others.
  private var lastPut = (page: PageID.none, index: 0)

  struct Step {
    var id = PageID.none
    /// The address of the page's private bytes.
    var start: UInt = 0
    var index = 0
  }

  init(pages: PageWriter, table: UInt32, root: TreeRoot) {
    self.pages = pages
    self.table = table
    self.root = root
  }

  var reader: TreeReader { pages.reader(root, table: table) }

  /// Goes on from a copy of the root.
  mutating func replaceRoot(by id: PageID) {
    root = TreeRoot(page: id, checksum: 0, level: root.level)
    lastLeaf = nil
  }

  // MARK: Put

  /// Puts `value` under `key`; true where the key is new.
  mutating func put(_ key: ByteView, _ value: ByteView) throws(StoreError) -> Bool {
    let limit = LeafEditor.maximumCellByteCount(pageByteCount: pages.pageByteCount)
    if 2 &+ key.count &+ value.count <= limit {
      let cell = LeafCell(key: key, mark: value.count, payload: value)
      if let isNew = try append(cell) { return isNew }
      return try put(cell)
    }
    let reference = try pages.makeRun(of: value)
    return try withUnsafeTemporaryBytes(of: reference) { bytes throws(StoreError) in
      try put(LeafCell(key: key, mark: LeafPage.overflowMark, payload: bytes))
    }
  }

  /// Puts `cell` behind the last key of the tree, where that is where it belongs and where the last
  /// put ended; nil where not.
  @inline(__always) private mutating func append(_ cell: LeafCell) throws(StoreError) -> Bool? {
    guard let id = lastLeaf, pages.hasNoSavepoint, let page = pages.view.privatePage(id) else {
      return nil
    }
    let editor = LeafEditor(page: pages.changeable(page), pageByteCount: pages.pageByteCount)
    let count = editor.leaf.count
    if count == 0 || editor.leaf.key(count &- 1).compare(cell.key) >= 0 { return nil }
    if !editor.insertInPlace(cell, at: count) { return nil }
    appendedCount &+= 1
    return true
  }

  private mutating func put(_ cell: LeafCell) throws(StoreError) -> Bool {
    if root.isEmpty {
      let (id, page) = try pages.make()
      LeafEditor(page: page, pageByteCount: pages.pageByteCount).fill(
        with: [cell], number: id, table: table, birth: pages.transaction)
      root = TreeRoot(page: id, checksum: 0, level: 0)
      return true
    }
    let (id, page, isLast) = try descend(to: cell.key)
    let editor = LeafEditor(page: page, pageByteCount: pages.pageByteCount)
    let (index, isFound) = editor.leaf.find(cell.key)
    if !isLast || index < editor.leaf.count { appendedCount = 0 }
    if isFound {
      if editor.leaf.isOverflow(index) { try pages.endRun(editor.leaf.overflow(index)) }
      if editor.replaceInPlace(cell, at: index) { return false }
      editor.remove(at: index)
    }
    if !editor.insertInPlace(cell, at: index) {
      lastLeaf = nil
      try insertMovingCells(cell, at: index, of: editor, id: id)
    } else {
      lastPut = (id, index)
      if isLast && pages.hasNoSavepoint { lastLeaf = id }
    }
    return !isFound
  }

  /// Goes down to the leaf for `key`, and makes every page on the way changeable.
  private mutating func descend(
    to key: ByteView
  ) throws(StoreError) -> (id: PageID, page: MutablePageBytes, isLast: Bool) {
    var level = root.level
    var (id, page) = try pages.edit(
      root.page, root.checksum, level: level, table: table)
    // A page that was spilled and taken back keeps its number, and changes all the same.
    if id != root.page || root.checksum != 0 {
      lastLeaf = nil
      root = TreeRoot(page: id, checksum: 0, level: level)
    }
    var isLast = true
    while level > 0 {
      let editor = BranchEditor(page: page, pageByteCount: pages.pageByteCount)
      let branch = editor.branch
      let index = branch.childIndex(for: key)
      // Safe: the page is private to the transaction, and stays for its life.
      path[level] = unsafe Step(id: id, start: UInt(bitPattern: page.start), index: index)
      isLast = isLast && index == branch.count &- 1
      let child = branch.child(index)
      let checksum = branch.checksum(index)
      level &-= 1
      let (newID, newPage) = try pages.edit(
        child, checksum, level: level, table: table)
      if newID != child || checksum != 0 { editor.setChild(index, to: newID) }
      id = newID
      page = newPage
    }
    return (id, page, isLast)
  }

  /// The branch at `level` of the path.
  func branch(_ level: Int) -> BranchEditor {
    // Safe: `descend` entered the page, and it has been private since.
    unsafe BranchEditor(
      page: MutablePageBytes(
        UnsafeMutableRawPointer(bitPattern: path[level].start).unsafelyUnwrapped),
      pageByteCount: pages.pageByteCount)
  }

  /// Inserts `cell` where it does not fit in place: packs the leaf anew, or splits it.
  private mutating func insertMovingCells(
    _ cell: LeafCell, at index: Int, of editor: LeafEditor, id: PageID
  ) throws(StoreError) {
    let old = editor.leaf
    let capacity = LeafEditor.capacity(pageByteCount: pages.pageByteCount)
    let needed = old.usedByteCount &+ cell.byteCount &+ LeafPage.slotByteCount
    let isAscending = lastPut.page == id && lastPut.index &+ 1 == index
    if needed > capacity && index == old.count && index > 0 && (isAscending || isPathLast) {
      // Behind the last key: the old page stays as it is, and full, and a new one begins.
      try startLeaf(with: cell, after: old)
      return
    }
    let source = pages.scratch()
    defer { pages.buffers.giveBack(source) }
    source.copyUsedPart(of: editor.page.reading, pageByteCount: pages.pageByteCount)
    let cells = LeafPage(source.reading).cells(inserting: cell, at: index)
    if needed <= capacity {
      editor.fill(with: cells[...], number: id, table: table, birth: pages.transaction)
      return
    }
    if try shareWithNeighbour(cells, of: editor, id: id) { return }
    let middle = LeafEditor.splitPoint(of: cells)
    let (rightID, rightPage) = try pages.make()
    let right = LeafEditor(page: rightPage, pageByteCount: pages.pageByteCount)
    editor.fill(with: cells[..<middle], number: id, table: table, birth: pages.transaction)
    right.fill(with: cells[middle...], number: rightID, table: table, birth: pages.transaction)
    let shared = cells[middle - 1].key.commonPrefixCount(with: cells[middle].key)
    try insertChild(
      rightID, separator: cells[middle].key.prefix(shared + 1), atLevel: 1, after: id)
  }

  /// Begins a new leaf with `cell`, after the leaf `old` whose keys all lie before.
  private mutating func startLeaf(with cell: LeafCell, after old: LeafPage) throws(StoreError) {
    let (id, page) = try pages.make()
    let shared = old.key(old.count - 1).commonPrefixCount(with: cell.key)
    LeafEditor(page: page, pageByteCount: pages.pageByteCount).fill(
      with: [cell], number: id, table: table, birth: pages.transaction, loneKeyPrefix: shared)
    let isLast = isPathLast
    try insertChild(id, separator: cell.key.prefix(shared + 1), atLevel: 1, after: old.page.number)
    lastLeaf = isLast && pages.hasNoSavepoint ? id : nil
  }

  /// True where the path took the last child of every branch.
  private var isPathLast: Bool {
    for level in 1..<root.level + 1 where path[level].index != branch(level).branch.count - 1 {
      return false
    }
    return true
  }

  // MARK: Splits of branches

  /// Puts `child` behind the child that the path took at `level`, with `separator` between.
  private mutating func insertChild(
    _ child: PageID, separator: ByteView, atLevel level: Int, after left: PageID
  ) throws(StoreError) {
    if level > root.level {
      try growRoot(left: left, separator: separator, right: child)
      return
    }
    let editor = branch(level)
    let index = path[level].index
    if editor.insertInPlace(child, separator: separator, after: index) { return }
    let source = pages.scratch()
    defer { pages.buffers.giveBack(source) }
    source.copyUsedPart(of: editor.page.reading, pageByteCount: pages.pageByteCount)
    let entries = BranchPage(source.reading).entries(
      inserting: child, separator: separator, after: index)
    let id = path[level].id
    if !BranchEditor.areAscending(entries[...]) { throw pages.map.damage(.order(slot: index), id) }
    if BranchEditor.byteCount(of: entries[...])
      <= BranchEditor.capacity(pageByteCount: pages.pageByteCount)
    {
      editor.fill(
        with: entries[...], level: level, number: id, table: table, birth: pages.transaction)
      return
    }
    let middle = BranchEditor.splitPoint(
      of: entries, insertedAfter: index, pageByteCount: pages.pageByteCount)
    let (rightID, rightPage) = try pages.make()
    editor.fill(
      with: entries[..<middle], level: level, number: id, table: table,
      birth: pages.transaction)
    BranchEditor(page: rightPage, pageByteCount: pages.pageByteCount).fill(
      with: entries[middle...], level: level, number: rightID, table: table,
      birth: pages.transaction)
    try entries[middle - 1].separator.withBytes { upward throws(StoreError) in
      try insertChild(rightID, separator: upward, atLevel: level + 1, after: id)
    }
  }

  /// Puts a new root over the old one and its new neighbour.
  private mutating func growRoot(
    left: PageID, separator: ByteView, right: PageID
  ) throws(StoreError) {
    let level = root.level + 1
    if level >= StoreLimits.levelCount {
      throw pages.map.damage(.field("level", UInt64(level)), root.page)
    }
    let (id, page) = try pages.make()
    let empty = separator.prefix(0)
    BranchEditor(page: page, pageByteCount: pages.pageByteCount).fill(
      with: [
        BranchEntry(child: left, checksum: 0, lead: empty, tail: separator),
        BranchEntry(child: right, checksum: 0, lead: empty, tail: empty),
      ], level: level, number: id, table: table, birth: pages.transaction)
    root = TreeRoot(page: id, checksum: 0, level: level)
  }

  // MARK: Delete

  /// Deletes `key`; true where it was there.
  mutating func delete(_ key: ByteView) throws(StoreError) -> Bool {
    if root.isEmpty { return false }
    let (_, isThere) = try reader.leaf(for: key).find(key)
    if !isThere { return false }
    let (id, page, _) = try descend(to: key)
    let editor = LeafEditor(page: page, pageByteCount: pages.pageByteCount)
    let (index, _) = editor.leaf.find(key)
    if editor.leaf.isOverflow(index) { try pages.endRun(editor.leaf.overflow(index)) }
    editor.remove(at: index)
    try settle(leaf: id, editor)
    return true
  }

  /// Deletes the entries of the leaf for `lower` that lie from `lower` on and below `upper`.
  ///
  /// - Returns: how many were deleted, and the key to go on from; nil where the range is done.
  mutating func deleteInLeaf(
    from lower: ByteView, to upper: ByteView?
  ) throws(StoreError) -> (count: Int, next: [UInt8]?) {
    if root.isEmpty { return (0, nil) }
    var cursor = TreeCursor(reader, from: nil, to: nil)
    guard try cursor.seek(lower) else { return (0, nil) }
    let first = cursor.key.array
    return try first.withBytes { first throws(StoreError) in
      if let upper, first.compare(upper) >= 0 { return (0, nil) }
      let (id, page, _) = try descend(to: first)
      let editor = LeafEditor(page: page, pageByteCount: pages.pageByteCount)
      let leaf = editor.leaf
      let (start, isFound) = leaf.find(first)
      // The leaf that the separators lead to is not the one that has the key.
      if !isFound { throw pages.map.damage(.range, id) }
      let end = upper.map { leaf.find($0).index } ?? leaf.count
      let isDone = end < leaf.count
      // A key from which the next leaf is found: the last deleted one, which is gone by then.
      let last = leaf.key(end - 1).array
      for index in start..<end where leaf.isOverflow(index) {
        try pages.endRun(leaf.overflow(index))
      }
      editor.removeAll(in: start..<end)
      try settle(leaf: id, editor)
      return (end - start, isDone ? nil : last)
    }
  }

  /// Ends every page of the tree.
  mutating func deleteAll() throws(StoreError) {
    if !root.isEmpty { try endSubtree(root) }
    root = .empty
    lastLeaf = nil
  }

  private func endSubtree(_ subtree: TreeRoot) throws(StoreError) {
    let page = try pages.provenPage(
      subtree.page, subtree.checksum, level: subtree.level, table: table)
    if subtree.level == 0 {
      let leaf = LeafPage(page)
      for index in 0..<leaf.count where leaf.isOverflow(index) {
        try pages.endRun(leaf.overflow(index))
      }
    } else {
      let branch = BranchPage(page)
      for index in 0..<branch.count {
        try endSubtree(
          TreeRoot(
            page: branch.child(index), checksum: branch.checksum(index), level: subtree.level - 1))
      }
    }
    try pages.end(subtree.page, birth: page.birth)
  }

  /// Lends the 24 bytes of `reference` for the time of `body`.
  private func withUnsafeTemporaryBytes<Result>(
    of reference: OverflowReference, _ body: (ByteView) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let buffer = pages.scratch()
    defer { pages.buffers.giveBack(buffer) }
    reference.write(to: buffer, at: 0)
    return try body(buffer.reading.bytes(0, OverflowReference.byteCount))
  }
}
