/// Looks up a group of keys side by side: while the memory of one is on its way, another is searched.
@safe final class MultiGet {
  /// The most keys that are looked up side by side.
  static let groupCount = 24

  private let reader: TreeReader
  /// For each key the address of the page that it has come to, and then its slot there or -1.
  private let places: UnsafeMutablePointer<(page: UInt, slot: Int)>

  init(_ reader: TreeReader) {
    self.reader = reader
    // Safe: freed with the object.
    unsafe places = .allocate(capacity: MultiGet.groupCount)
  }

  // Safe: allocated in the initialiser; the places hold nothing to be released.
  deinit { unsafe places.deallocate() }

  /// Finds the values of `keys`, at most `groupCount` of them, and gives each to `body` with its
  /// index, in order.
  func find(
    _ keys: UnsafeBufferPointer<UnsafeRawBufferPointer>,
    _ body: (_ index: Int, _ value: ByteView?) throws(StoreError) -> Void
  ) throws(StoreError) {
    try reader.checkProcess()
    let root = reader.root
    let count = keys.count
    if root.isEmpty {
      for index in 0..<count { try body(index, nil) }
      return
    }
    // Safe: all places below `count` are set first, to pages that were verified; the caller keeps
    // the keys in place.
    let rootPage = try reader.page(root.page, root.checksum, level: root.level)
    let rootAddress = unsafe UInt(bitPattern: rootPage.start)
    for index in 0..<count { unsafe (places + index).initialize(to: (rootAddress, -1)) }
    var level = root.level
    while level > 0 {
      level &-= 1
      for index in 0..<count {
        let branch = BranchPage(page(index))
        let child = unsafe branch.childIndex(for: ByteView(keys[index]))
        let next = try reader.page(branch.child(child), branch.checksum(child), level: level)
        next.prefetch(0, lineCount: level == 0 ? 5 : 2)
        unsafe places[index].page = UInt(bitPattern: next.start)
      }
    }
    for index in 0..<count {
      let leaf = LeafPage(page(index))
      let slot = unsafe leaf.likelySlot(of: ByteView(keys[index]))
      unsafe places[index].slot = slot
      if slot >= 0 { leaf.page.prefetch(leaf.cell(slot), lineCount: 2) }
    }
    for index in 0..<count {
      let slot = unsafe places[index].slot
      let value = slot < 0 ? nil : try unsafe value(of: ByteView(keys[index]), index, slot)
      try body(index, value)
    }
  }

  /// The value under `key`, which is in `slot` of its leaf unless another key shares its head.
  @inline(__always) private func value(
    of key: ByteView, _ index: Int, _ slot: Int
  ) throws(StoreError) -> ByteView? {
    let leaf = LeafPage(page(index))
    if leaf.key(slot).equals(key) { return try reader.value(in: leaf, at: slot) }
    let (place, isFound) = leaf.find(key)
    return isFound ? try reader.value(in: leaf, at: place) : nil
  }

  @inline(__always) private func page(_ index: Int) -> PageBytes {
    // Safe: `find` put the address of a verified page there.
    unsafe PageBytes(UnsafeRawPointer(bitPattern: places[index].page).unsafelyUnwrapped)
  }
}
