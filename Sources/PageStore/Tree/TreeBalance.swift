/// What keeps leaves and branches well filled: sparse ones are merged, and a full leaf gives cells to
/// a neighbour that has room before it is split.
extension TreeEditor {
  // MARK: Sharing

  /// Spreads `cells`, which are too many for the leaf `id` of the path, over it and a neighbour.
  ///
  /// - Returns: False where no neighbour has the room; nothing has changed then.
  mutating func shareWithNeighbour(
    _ cells: [LeafCell], of editor: LeafEditor, id: PageID
  ) throws(StoreError) -> Bool {
    if root.level == 0 { return false }
    let capacity = LeafEditor.capacity(pageByteCount: pages.pageByteCount)
    let used = LeafEditor.byteCount(of: cells[...])
    let parent = branch(1)
    let place = path[1].index
    for neighbour in [place + 1, place - 1]
    where neighbour >= 0 && neighbour < parent.branch.count {
      let child = parent.branch.child(neighbour)
      let checksum = parent.branch.checksum(neighbour)
      let other = LeafPage(try reader.page(child, checksum, level: 0))
      if other.usedByteCount + used > capacity * 5 / 3 { continue }
      let source = pages.scratch()
      defer { pages.buffers.giveBack(source) }
      source.copyUsedPart(of: other.page, pageByteCount: pages.pageByteCount)
      let theirs = LeafPage(source.reading).cells()
      let all = neighbour < place ? theirs + cells : cells + theirs
      let middle = LeafEditor.splitPoint(of: all)
      // Large cells may not divide well.
      if LeafEditor.byteCount(of: all[..<middle]) > capacity
        || LeafEditor.byteCount(of: all[middle...]) > capacity
      {
        continue
      }
      let shared = all[middle - 1].key.commonPrefixCount(with: all[middle].key)
      let separator = all[middle].key.prefix(shared + 1)
      if !replaceSeparator(min(neighbour, place), by: separator, of: parent) { continue }
      let (otherID, otherPage) = try pages.edit(child, checksum, level: 0, table: table)
      parent.setChild(neighbour, to: otherID)
      let otherEditor = LeafEditor(page: otherPage, pageByteCount: pages.pageByteCount)
      let isOtherFirst = neighbour < place
      (isOtherFirst ? otherEditor : editor).fill(
        with: all[..<middle], number: isOtherFirst ? otherID : id, table: table,
        birth: pages.transaction)
      (isOtherFirst ? editor : otherEditor).fill(
        with: all[middle...], number: isOtherFirst ? id : otherID, table: table,
        birth: pages.transaction)
      return true
    }
    return false
  }

  /// Puts `separator` in the place of separator `index` of the path's lowest branch; false where it
  /// does not fit.
  private func replaceSeparator(
    _ index: Int, by separator: ByteView, of parent: BranchEditor
  ) -> Bool {
    if parent.replaceSeparatorInPlace(index, by: separator) { return true }
    let source = pages.scratch()
    defer { pages.buffers.giveBack(source) }
    source.copyUsedPart(of: parent.page.reading, pageByteCount: pages.pageByteCount)
    let old = BranchPage(source.reading)
    var entries = (0..<old.count).map { old.content($0) }
    entries[index].lead = separator.prefix(0)
    entries[index].tail = separator
    if !BranchEditor.areAscending(entries[...])
      || BranchEditor.byteCount(of: entries[...])
        > BranchEditor.capacity(pageByteCount: pages.pageByteCount)
    {
      return false
    }
    parent.fill(
      with: entries[...], level: old.page.level, number: old.page.number, table: table,
      birth: pages.transaction)
    return true
  }

  // MARK: Merges

  /// Merges the leaf of the path with a neighbour where it has become sparse, and drops it where it
  /// is empty.
  mutating func settle(leaf id: PageID, _ editor: LeafEditor) throws(StoreError) {
    lastLeaf = nil
    let leaf = editor.leaf
    let capacity = LeafEditor.capacity(pageByteCount: pages.pageByteCount)
    if leaf.count == 0 {
      try dropChild(id, birth: leaf.page.birth, atLevel: 1)
      return
    }
    if root.level == 0 || leaf.usedByteCount >= capacity / 4 { return }
    let parent = branch(1).branch
    let index = path[1].index
    for neighbour in [index - 1, index + 1] where neighbour >= 0 && neighbour < parent.count {
      let other = LeafPage(
        try reader.page(parent.child(neighbour), parent.checksum(neighbour), level: 0))
      if leaf.usedByteCount + other.usedByteCount > capacity * 7 / 8 { continue }
      _ = try pages.provenPage(
        parent.child(neighbour), parent.checksum(neighbour), level: 0, table: table)
      let source = pages.scratch()
      defer { pages.buffers.giveBack(source) }
      source.copyUsedPart(of: leaf.page, pageByteCount: pages.pageByteCount)
      let mine = LeafPage(source.reading).cells()
      let theirs = other.cells()
      let cells = neighbour < index ? theirs + mine : mine + theirs
      editor.fill(with: cells[...], number: id, table: table, birth: pages.transaction)
      try join(id, to: neighbour, birth: other.page.birth, atLevel: 1)
      return
    }
  }

  /// Ends the page `id` below the path's branch at `level`, and takes it out of there.
  private mutating func dropChild(
    _ id: PageID, birth: TransactionNumber, atLevel level: Int
  ) throws(StoreError) {
    try pages.end(id, birth: birth)
    if level > root.level {
      root = .empty
      return
    }
    let parent = branch(level)
    if parent.branch.count == 1 {
      try dropChild(path[level].id, birth: pages.transaction, atLevel: level + 1)
      return
    }
    try removeChild(path[level].index, atLevel: level)
  }

  /// Takes child `index` out of the path's branch at `level`, which has more, and settles that.
  private mutating func removeChild(_ index: Int, atLevel level: Int) throws(StoreError) {
    let editor = branch(level)
    editor.remove(at: index)
    let branch = editor.branch
    let id = path[level].id
    if level == root.level {
      if branch.count == 1 {
        root = TreeRoot(page: branch.child(0), checksum: branch.checksum(0), level: level - 1)
        try pages.end(id, birth: pages.transaction)
        try shrinkRoot()
      }
      return
    }
    let capacity = BranchEditor.capacity(pageByteCount: pages.pageByteCount)
    if branch.usedByteCount >= capacity / 4 { return }
    let parent = self.branch(level + 1).branch
    let place = path[level + 1].index
    for neighbour in [place - 1, place + 1] where neighbour >= 0 && neighbour < parent.count {
      let other = BranchPage(
        try reader.page(parent.child(neighbour), parent.checksum(neighbour), level: level))
      let source = pages.scratch()
      defer { pages.buffers.giveBack(source) }
      source.copyUsedPart(of: branch.page, pageByteCount: pages.pageByteCount)
      let mine = BranchPage(source.reading)
      let left = min(neighbour, place)
      let entries = (neighbour < place ? other : mine).entries(
        joinedBy: parent, separator: left, with: neighbour < place ? mine : other)
      if !BranchEditor.areAscending(entries[...]) {
        throw pages.map.damage(.order(slot: left), id)
      }
      if BranchEditor.byteCount(of: entries[...]) > capacity * 7 / 8 { continue }
      _ = try pages.provenPage(
        parent.child(neighbour), parent.checksum(neighbour), level: level, table: table)
      editor.fill(
        with: entries[...], level: level, number: id, table: table, birth: pages.transaction)
      try join(id, to: neighbour, birth: other.page.birth, atLevel: level + 1)
      return
    }
  }

  /// Lets the page `id`, which the path took at `level` and which now holds the entries of
  /// `neighbour` too, have both their ranges, and ends the neighbour.
  private mutating func join(
    _ id: PageID, to neighbour: Int, birth: TransactionNumber, atLevel level: Int
  ) throws(StoreError) {
    let parent = branch(level)
    try pages.end(parent.branch.child(neighbour), birth: birth)
    let left = min(neighbour, path[level].index)
    parent.setChild(left, to: id)
    try removeChild(left + 1, atLevel: level)
  }

  /// Makes the only child of a root the root, as often as there is only one.
  mutating func shrinkRoot() throws(StoreError) {
    while root.level > 0 {
      let branch = BranchPage(
        try pages.provenPage(root.page, root.checksum, level: root.level, table: table))
      if branch.count > 1 { return }
      let old = root.page
      root = TreeRoot(page: branch.child(0), checksum: branch.checksum(0), level: root.level - 1)
      try pages.end(old, birth: branch.page.birth)
    }
  }
}
