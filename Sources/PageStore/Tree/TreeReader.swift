internal import CDexShim

/// Where a tree begins: its root, with the checksum of its version and its level.
///
/// An empty tree has no root.
struct TreeRoot: Equatable, Sendable {
  var page: PageID
  /// The checksum of the root's version; 0 while it has not been written.
  var checksum: UInt32
  var level: Int

  static let empty = TreeRoot(page: .none, checksum: 0, level: 0)

  var isEmpty: Bool { page == .none }
}

/// One tree, to be read: of a snapshot, or of the transaction that is changing it.
///
/// Bytes that it returns live as long as the snapshot or the transaction that it was taken from.
struct TreeReader {
  let map: PageMap
  let view: PageMapView
  let root: TreeRoot
  /// The number of the table, which every page of the tree carries.
  let table: UInt32
  /// True for a transaction's view, which finds private pages before those of the file.
  let seesPrivatePages: Bool
  /// One past the last page that the state may refer to.
  let pageCount: Int
  private let generation: UInt32

  init(
    map: PageMap, root: TreeRoot, table: UInt32, seesPrivatePages: Bool, pageCount: Int
  ) {
    self.map = map
    view = map.view
    self.root = root
    self.table = table
    self.seesPrivatePages = seesPrivatePages
    self.pageCount = pageCount
    generation = map.generation
  }

  /// Page `id`, trusted, where its parent gives it `checksum` and `level`.
  @inline(__always) func page(
    _ id: PageID, _ checksum: UInt32, level: Int
  ) throws(StoreError) -> PageBytes {
    // What lies behind may be cut off the file at any moment.
    if id.index >= pageCount { throw map.damage(.outOfBounds(id, pageCount: pageCount), id) }
    if seesPrivatePages {
      if let page = view.privatePage(id) {
        if page.fits(level: level, table: table) { return page }
        throw map.misfit(page, id, level: level)
      }
      // A child that was unwritten when its private parent was made has been written since.
      if checksum == 0 && view.verifiedChecksum(of: id) != 0 {
        let page = view.mapped(id)
        if page.fits(level: level, table: table) { return page }
        throw map.misfit(page, id, level: level)
      }
    }
    if view.verifiedChecksum(of: id) == checksum && checksum != 0 {
      let page = view.mapped(id)
      if page.fits(level: level, table: table) { return page }
    }
    return try map.verify(id, checksum: checksum, level: level, table: table)
  }

  /// Throws in a child of the process that opened the store, where nothing is protected.
  @inline(__always) func checkProcess() throws(StoreError) {
    if dex_fork_generation() != generation { throw .forked(path: map.file.path) }
  }

  /// The leaf whose range holds `key`; the tree must have a root.
  @inline(__always) func leaf(for key: ByteView) throws(StoreError) -> LeafPage {
    var level = root.level
    var page = try page(root.page, root.checksum, level: level)
    while level > 0 {
      let branch = BranchPage(page)
      let index = branch.childIndex(for: key)
      level &-= 1
      let child = branch.child(index)
      if level == 0 { view.mapped(child).prefetch(0, lineCount: 5) }
      page = try self.page(child, branch.checksum(index), level: level)
    }
    return LeafPage(page)
  }

  /// The value under `key`, or nil.
  @inline(__always) func get(_ key: ByteView) throws(StoreError) -> ByteView? {
    try checkProcess()
    if root.isEmpty { return nil }
    let leaf = try leaf(for: key)
    let (index, isFound) = leaf.find(key)
    if !isFound { return nil }
    return try value(in: leaf, at: index)
  }

  /// True where the tree has `key`.
  func contains(_ key: ByteView) throws(StoreError) -> Bool {
    try checkProcess()
    if root.isEmpty { return false }
    return try leaf(for: key).find(key).isFound
  }

  /// The value in slot `index` of `leaf`, wherever it lies.
  @inline(__always) func value(
    in leaf: LeafPage, at index: Int
  ) throws(StoreError) -> ByteView {
    if !leaf.isOverflow(index) { return leaf.inlineValue(index) }
    return try overflowValue(leaf.overflow(index))
  }

  /// The value behind `reference`, checked when first read.
  func overflowValue(_ reference: OverflowReference) throws(StoreError) -> ByteView {
    let pages = reference.pageCount(pageByteCount: map.pageByteCount)
    if seesPrivatePages, let run = view.privateRun(reference.first) {
      if run.pageCount == pages { return run.bytes.bytes(0, reference.valueByteCount) }
      throw map.damage(.usedTwice(reference.first), reference.first)
    }
    if reference.first.index + pages > pageCount {
      throw map.damage(
        .outOfBounds(reference.first, pageCount: pageCount), reference.first)
    }
    if !view.isVerified(reference) { try map.verifyRun(reference) }
    return view.mapped(reference.first).bytes(0, reference.valueByteCount)
  }
}
