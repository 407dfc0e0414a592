/// Moving the pages of a tree down to lower free places, so that a file can be cut.
///
/// One such step: the pages from `limit` on are copied to the lowest free places, and so are the
/// branches above them, until the budget is spent.
struct Relocation {
  /// Pages from this number on are to be moved.
  let limit: Int
  /// True to move no pages but those of large values, which find fewer places than others.
  let onlyRuns: Bool
  /// How many more pages may be copied.
  var budget: Int
  /// The key to go on from; empty is the beginning.
  var start: [UInt8] = []
  /// The first key that was not looked at because the budget was spent.
  private(set) var next: [UInt8]?
  /// The pages that were copied, runs included.
  private(set) var movedPageCount = 0

  init(limit: Int, onlyRuns: Bool, budget: Int, from start: [UInt8] = []) {
    self.limit = limit
    self.onlyRuns = onlyRuns
    self.budget = budget
    self.start = start
  }

  fileprivate var isSpent: Bool { budget <= 0 }

  fileprivate mutating func note(_ pageCount: Int) {
    budget -= pageCount
    movedPageCount += pageCount
  }

  fileprivate mutating func stop(before key: [UInt8]) {
    if next == nil { next = key }
  }
}

extension TreeEditor {
  /// Moves pages as `work` says, beginning at the leaf for its `start`.
  ///
  /// A page stays where it is while no lower place is free. The transaction must be one that has
  /// changed nothing in this tree before.
  mutating func relocate(_ work: inout Relocation) throws(StoreError) {
    if root.isEmpty { return }
    let start = work.start
    let id = try start.withBytes { key throws(StoreError) in
      try relocate(root.page, root.checksum, level: root.level, from: key, &work)
    }
    if let id { replaceRoot(by: id) }
  }

  /// Moves page `id` and those below it.
  ///
  /// - Returns: The number of the copy, where the page was copied.
  private func relocate(
    _ id: PageID, _ checksum: UInt32, level: Int, from key: ByteView?, _ work: inout Relocation
  ) throws(StoreError) -> PageID? {
    var copy: (id: PageID, page: MutablePageBytes)?
    if id.index >= work.limit, !work.onlyRuns, let free = pages.bitmap.lowestFree, free < id {
      copy = try pages.edit(id, checksum, level: level)
      work.note(1)
    }
    let page = try reader.page(id, checksum, level: level)
    if level == 0 {
      try relocateRuns(of: LeafPage(page), id, checksum, &copy, &work)
      return copy?.id
    }
    let branch = BranchPage(page)
    let first = key.map { branch.childIndex(for: $0) } ?? 0
    for index in first..<branch.count {
      if index > first && work.isSpent {
        work.stop(before: branch.separator(index - 1))
        break
      }
      let moved = try relocate(
        branch.child(index), branch.checksum(index), level: level - 1,
        from: index == first ? key : nil, &work)
      guard let moved else { continue }
      if copy == nil {
        copy = try pages.edit(id, checksum, level: level)
        work.note(1)
      }
      if let copy {
        BranchEditor(page: copy.page, pageByteCount: pages.pageByteCount).setChild(index, to: moved)
      }
    }
    return copy?.id
  }

  /// Moves the runs behind the large values of `leaf`, the page `id`.
  private func relocateRuns(
    of leaf: LeafPage, _ id: PageID, _ checksum: UInt32,
    _ copy: inout (id: PageID, page: MutablePageBytes)?, _ work: inout Relocation
  ) throws(StoreError) {
    for index in 0..<leaf.count where leaf.isOverflow(index) {
      let reference = leaf.overflow(index)
      let pageCount = reference.pageCount(pageByteCount: pages.pageByteCount)
      if reference.first.index + pageCount <= work.limit { continue }
      let value = try reader.overflowValue(reference)
      guard let moved = try pages.moveRun(reference, of: value) else { continue }
      work.note(pageCount)
      if copy == nil {
        copy = try pages.edit(id, checksum, level: 0)
        work.note(1)
      }
      if let copy {
        moved.write(to: copy.page, at: leaf.cell(index) + 2 + leaf.keyCount(index))
      }
    }
  }
}
