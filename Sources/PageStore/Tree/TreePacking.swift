/// Filling the leaves of a tree anew, so that it takes no more pages than its rows need.
///
/// One such step: leaves side by side below one branch give their cells to as few pages as hold
/// them with an eighth of each left free, as merges leave it, so that the next rows find room. It
/// ends where the budget does not suffice for the next branch with its leaves, or where enough
/// pages were looked at. Where less than a sixteenth of the pages would be saved, nothing is changed.
struct Packing {
  /// How many more pages may be copied, branches included.
  var budget: Int
  /// The key to go on from; empty is the beginning.
  var start: [UInt8] = []
  /// The first key that was not looked at because the budget was spent.
  private(set) var next: [UInt8]?
  /// The pages that were written anew.
  private(set) var copiedPageCount = 0
  /// How many more pages may be looked at before the step ends.
  private(set) var lookBudget: Int
  /// The pages that were looked at.
  private var seenPageCount = 0

  init(budget: Int, start: [UInt8] = [], lookBudget: Int = Packing.lookLimit) {
    self.budget = budget
    self.start = start
    self.lookBudget = lookBudget
  }

  /// The most pages that one step looks at, or a few more: as long must a writer wait.
  static let lookLimit = 1024

  /// The most bytes of cells that are looked at together.
  fileprivate static let byteLimit = 8 << 20

  fileprivate var isSpent: Bool { budget <= 0 || lookBudget <= 0 }

  fileprivate mutating func note(_ pageCount: Int) {
    budget -= pageCount
    copiedPageCount += pageCount
  }

  /// Notes a look at a page; false where that makes more pages than there are.
  fileprivate mutating func look(pageCount: Int) -> Bool {
    seenPageCount += 1
    lookBudget -= 1
    return seenPageCount <= pageCount
  }

  fileprivate mutating func stop(before key: [UInt8]) {
    if next == nil { next = key }
    budget = 0
  }
}

/// The cells of some leaves that follow each other, shared out to as few pages as hold them.
///
/// Their keys ascend strictly, since each leaf lies in the range that the branch gives it.
private struct PackedLeaves {
  private(set) var cells: [LeafCell] = []
  /// Where in `cells` the next page begins, for each page but the first.
  private(set) var starts: [Int] = []
  private(set) var byteCount = 0
  private var lastByteCount = 0
  /// The bytes that a page is filled with, unless one cell alone takes more.
  private let limit: Int

  init(pageByteCount: Int) {
    limit = LeafEditor.capacity(pageByteCount: pageByteCount) * 7 / 8
  }

  var pageCount: Int { starts.count + 1 }

  mutating func add(_ leaf: LeafPage) {
    for cell in leaf.cells() {
      let needed = cell.byteCount + LeafPage.slotByteCount
      if lastByteCount + needed > limit && lastByteCount > 0 {
        starts.append(cells.count)
        lastByteCount = 0
      }
      lastByteCount += needed
      byteCount += needed
      cells.append(cell)
    }
  }

  /// The cells of page `index`.
  func page(_ index: Int) -> ArraySlice<LeafCell> {
    let start = index == 0 ? 0 : starts[index - 1]
    return cells[start..<(index < starts.count ? starts[index] : cells.count)]
  }

  /// What separates page `index` from the next.
  func separator(after index: Int) -> ByteView {
    let start = starts[index]
    let shared = cells[start - 1].key.commonPrefixCount(with: cells[start].key)
    return cells[start].key.prefix(shared + 1)
  }
}

extension TreeEditor {
  /// Packs leaves as `work` says, beginning at the leaf for its `start`.
  ///
  /// The transaction must be one that has changed nothing in this tree before.
  mutating func pack(_ work: inout Packing) throws(StoreError) {
    if root.isEmpty || root.level == 0 { return }
    let start = work.start
    let id = try start.withBytes { key throws(StoreError) in
      try pack(root.page, root.checksum, level: root.level, from: key, KeyRange(), &work)
    }
    guard let id else { return }
    replaceRoot(by: id)
    try shrinkRoot()
  }

  /// Packs what lies below the branch `id`.
  ///
  /// - Returns: The number of the copy, where the branch was copied.
  private func pack(
    _ id: PageID, _ checksum: UInt32, level: Int, from key: ByteView?, _ range: KeyRange,
    _ work: inout Packing
  ) throws(StoreError) -> PageID? {
    let branch = BranchPage(try look(id, checksum, level: level, &work))
    // Else a branch that is named twice would be walked twice.
    if !range.holds(branch.page) { throw pages.map.damage(.range, id) }
    let first = key.map { branch.childIndex(for: $0) } ?? 0
    if level == 1 {
      // With less, the leaves could be joined in small groups only, which gains little.
      if work.copiedPageCount > 0, work.budget < branch.count + root.level,
        let lower = range.lower
      {
        work.stop(before: lower)
        return nil
      }
      return try packLeaves(of: branch, id, checksum, from: first, range, &work)
    }
    var copy: (id: PageID, page: MutablePageBytes)?
    for index in first..<branch.count {
      if index > first && work.isSpent {
        work.stop(before: branch.separator(index - 1))
        break
      }
      let packed = try pack(
        branch.child(index), branch.checksum(index), level: level - 1,
        from: index == first ? key : nil, range.child(index, of: branch), &work)
      guard let packed else { continue }
      if copy == nil {
        copy = try pages.edit(id, checksum, level: level, table: table)
        work.note(1)
      }
      if let copy {
        BranchEditor(page: copy.page, pageByteCount: pages.pageByteCount)
          .setChild(index, to: packed)
      }
    }
    return copy?.id
  }

  /// The page `id`, which is counted.
  private func look(
    _ id: PageID, _ checksum: UInt32, level: Int, _ work: inout Packing
  ) throws(StoreError) -> PageBytes {
    // More than there are: branches share their children.
    if !work.look(pageCount: reader.pageCount) { throw pages.map.damage(.usedTwice(id), id) }
    return try reader.page(id, checksum, level: level)
  }

  /// Packs leaves of `branch`, the page `id`, from child `first` on.
  private func packLeaves(
    of branch: BranchPage, _ id: PageID, _ checksum: UInt32, from first: Int,
    _ range: KeyRange, _ work: inout Packing
  ) throws(StoreError) -> PageID? {
    var start = first
    while start < branch.count {
      let (end, packed) = try gather(branch, from: start, range, &work)
      let isWorthwhile = packed.pageCount * 16 <= (end - start) * 15
      if isWorthwhile, let entries = try entries(of: branch, id, start..<end, packed) {
        if end < branch.count { work.stop(before: branch.separator(end - 1)) }
        return try write(packed, entries, in: start..<end, of: branch, id, checksum, &work)
      }
      start = end
      if work.isSpent && start < branch.count {
        work.stop(before: branch.separator(start - 1))
        return nil
      }
    }
    return nil
  }

  /// The cells of leaves from child `start` on, of as many as may be packed together.
  private func gather(
    _ branch: BranchPage, from start: Int, _ range: KeyRange, _ work: inout Packing
  ) throws(StoreError) -> (end: Int, PackedLeaves) {
    var packed = PackedLeaves(pageByteCount: pages.pageByteCount)
    // The branches above are copied too.
    let budget = work.budget - root.level
    var end = start
    while end < branch.count {
      let id = branch.child(end)
      let leaf = LeafPage(try look(id, branch.checksum(end), level: 0, &work))
      if !range.child(end, of: branch).holds(leaf.page) { throw pages.map.damage(.range, id) }
      packed.add(leaf)
      end += 1
      if packed.byteCount >= Packing.byteLimit || packed.pageCount + 1 >= budget { break }
    }
    return (end, packed)
  }

  /// What the branch is to hold, with the old numbers of the leaves that are written anew; nil where
  /// that does not fit.
  private func entries(
    of branch: BranchPage, _ id: PageID, _ range: Range<Int>, _ packed: PackedLeaves
  ) throws(StoreError) -> [BranchEntry]? {
    let nothing = branch.page.bytes(0, 0)
    var entries = (0..<range.lowerBound).map { branch.content($0) }
    for index in 0..<packed.pageCount {
      let child = branch.child(range.lowerBound + index)
      if index < packed.pageCount - 1 {
        entries.append(
          BranchEntry(
            child: child, checksum: 0, lead: nothing, tail: packed.separator(after: index)))
      } else {
        var last = branch.content(range.upperBound - 1)
        last.child = child
        last.checksum = 0
        entries.append(last)
      }
    }
    entries += (range.upperBound..<branch.count).map { branch.content($0) }
    if !BranchEditor.areAscending(entries[...]) {
      throw pages.map.damage(.order(slot: range.lowerBound), id)
    }
    let capacity = BranchEditor.capacity(pageByteCount: pages.pageByteCount)
    return BranchEditor.byteCount(of: entries[...]) <= capacity ? entries : nil
  }

  /// Writes the packed leaves in the place of those of `range`, and the branch above them.
  private func write(
    _ packed: PackedLeaves, _ entries: [BranchEntry], in range: Range<Int>,
    of branch: BranchPage, _ id: PageID, _ checksum: UInt32, _ work: inout Packing
  ) throws(StoreError) -> PageID {
    var entries = entries
    for index in 0..<packed.pageCount {
      let child = range.lowerBound + index
      let (leafID, page) = try pages.edit(
        branch.child(child), branch.checksum(child), level: 0, table: table)
      LeafEditor(page: page, pageByteCount: pages.pageByteCount).fill(
        with: packed.page(index), number: leafID, table: table, birth: pages.transaction)
      entries[child].child = leafID
    }
    for child in range.dropFirst(packed.pageCount) {
      let leaf = try pages.provenPage(
        branch.child(child), branch.checksum(child), level: 0, table: table)
      try pages.end(branch.child(child), birth: leaf.birth)
    }
    let (copyID, copy) = try pages.edit(id, checksum, level: 1, table: table)
    BranchEditor(page: copy, pageByteCount: pages.pageByteCount).fill(
      with: entries[...], level: 1, number: copyID, table: table, birth: pages.transaction)
    work.note(packed.pageCount + 1)
    return copyID
  }
}
