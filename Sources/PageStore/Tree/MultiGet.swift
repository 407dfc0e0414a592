/// Looks up a group of keys side by side: while the memory of one is on its way, another is searched.
struct MultiGet {
  /// The most keys that are looked up side by side.
  static let groupCount = 24

  private let reader: TreeReader
  private var pages = InlineArray<24, UInt>(repeating: 0)
  /// The value of each key, or nil.
  private(set) var values = InlineArray<24, ByteView?>(repeating: nil)

  init(_ reader: TreeReader) { self.reader = reader }

  /// Finds the values of `keys`, at most `groupCount` of them.
  mutating func find(_ keys: ArraySlice<UnsafeRawBufferPointer>) throws(StoreError) {
    try reader.checkProcess()
    let root = reader.root
    if root.isEmpty { return }
    // Safe: the caller keeps the keys, and the snapshot the pages.
    let first = unsafe keys.startIndex
    let count = unsafe keys.count
    let rootPage = try reader.page(root.page, root.checksum, level: root.level)
    for index in 0..<count { pages[index] = unsafe UInt(bitPattern: rootPage.start) }
    var level = root.level
    while level > 0 {
      level &-= 1
      for index in 0..<count {
        let branch = BranchPage(page(index))
        // Safe: the caller keeps the keys in place.
        let child = unsafe branch.childIndex(for: ByteView(keys[first &+ index]))
        let next = try reader.page(branch.child(child), branch.checksum(child), level: level)
        next.prefetch(0, lineCount: level == 0 ? 5 : 2)
        pages[index] = unsafe UInt(bitPattern: next.start)
      }
    }
    var slots = InlineArray<24, Int>(repeating: -1)
    for index in 0..<count {
      let leaf = LeafPage(page(index))
      // Safe: as above.
      let slot = unsafe leaf.likelySlot(of: ByteView(keys[first &+ index]))
      slots[index] = slot
      if slot >= 0 { leaf.page.prefetch(leaf.cell(slot), lineCount: 2) }
    }
    for index in 0..<count where slots[index] >= 0 {
      let leaf = LeafPage(page(index))
      // Safe: as above.
      let key = unsafe ByteView(keys[first &+ index])
      var slot = slots[index]
      if !leaf.key(slot).equals(key) {
        let (place, isFound) = leaf.find(key)
        if !isFound { continue }
        slot = place
      }
      values[index] = try reader.value(in: leaf, at: slot)
    }
  }

  @inline(__always) private func page(_ index: Int) -> PageBytes {
    // Safe: `find` put the address of a verified page there.
    unsafe PageBytes(UnsafeRawPointer(bitPattern: pages[index]).unsafelyUnwrapped)
  }
}
