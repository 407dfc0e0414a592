/// Filling the leaves of a tree anew, so that it takes no more pages than its rows need.
///
/// One such step: leaves side by side below one branch give their cells to as few pages as a sorted
/// load would make of them, until the budget is spent. Where less than a sixteenth of the pages
/// would be saved, nothing is changed.
struct Packing {
  /// How many more pages may be copied.
  var budget: Int
  /// The key to go on from; empty is the beginning.
  var start: [UInt8] = []
  /// The first key that was not looked at because the budget was spent.
  private(set) var next: [UInt8]?
  /// The pages that were written anew.
  private(set) var copiedPageCount = 0

  init(budget: Int, start: [UInt8] = []) {
    self.budget = budget
    self.start = start
  }

  /// The most bytes of cells that are looked at together.
  fileprivate static let byteLimit = 8 << 20

  fileprivate var isSpent: Bool { budget <= 0 }

  fileprivate mutating func note(_ pageCount: Int) {
    budget -= pageCount
    copiedPageCount += pageCount
  }

  fileprivate mutating func stop(before key: [UInt8]) {
    if next == nil { next = key }
    budget = 0
  }
}

/// The cells of some leaves that follow each other, shared out to as few pages as hold them.
private struct PackedLeaves {
  private(set) var cells: [LeafCell] = []
  /// Where in `cells` the next page begins, for each page but the first.
  private(set) var starts: [Int] = []
  private(set) var byteCount = 0
  private var lastByteCount = 0
  private let capacity: Int

  init(capacity: Int) { self.capacity = capacity }

  var pageCount: Int { starts.count + 1 }

  mutating func add(_ leaf: LeafPage) {
    for cell in leaf.cells() {
      let needed = cell.byteCount + LeafPage.slotByteCount
      if lastByteCount + needed > capacity {
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
      try pack(root.page, root.checksum, level: root.level, from: key, &work)
    }
    guard let id else { return }
    replaceRoot(by: id)
    try shrinkRoot()
  }

  /// Packs what lies below the branch `id`.
  ///
  /// - Returns: The number of the copy, where the branch was copied.
  private func pack(
    _ id: PageID, _ checksum: UInt32, level: Int, from key: ByteView?, _ work: inout Packing
  ) throws(StoreError) -> PageID? {
    let branch = BranchPage(try reader.page(id, checksum, level: level))
    let first = key.map { branch.childIndex(for: $0) } ?? 0
    if level == 1 { return try packLeaves(of: branch, id, checksum, from: first, &work) }
    var copy: (id: PageID, page: MutablePageBytes)?
    for index in first..<branch.count {
      if index > first && work.isSpent {
        work.stop(before: branch.separator(index - 1))
        break
      }
      let packed = try pack(
        branch.child(index), branch.checksum(index), level: level - 1,
        from: index == first ? key : nil, &work)
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

  /// Packs leaves of `branch`, the page `id`, from child `first` on.
  private func packLeaves(
    of branch: BranchPage, _ id: PageID, _ checksum: UInt32, from first: Int,
    _ work: inout Packing
  ) throws(StoreError) -> PageID? {
    var start = first
    while start < branch.count {
      let (end, packed) = try gather(branch, from: start, budget: work.budget)
      let isWorthwhile = packed.pageCount * 16 <= (end - start) * 15
      if isWorthwhile, let entries = try entries(of: branch, id, start..<end, packed) {
        if end < branch.count { work.stop(before: branch.separator(end - 1)) }
        return try write(packed, entries, in: start..<end, of: branch, id, checksum, &work)
      }
      start = end
    }
    return nil
  }

  /// The cells of leaves from child `start` on, of as many as may be packed together.
  private func gather(
    _ branch: BranchPage, from start: Int, budget: Int
  ) throws(StoreError) -> (end: Int, PackedLeaves) {
    var packed = PackedLeaves(capacity: LeafEditor.capacity(pageByteCount: pages.pageByteCount))
    var end = start
    while end < branch.count {
      packed.add(LeafPage(try reader.page(branch.child(end), branch.checksum(end), level: 0)))
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
      let leaf = try reader.page(branch.child(child), branch.checksum(child), level: 0)
      try pages.end(branch.child(child), birth: leaf.birth)
    }
    let (copyID, copy) = try pages.edit(id, checksum, level: 1, table: table)
    BranchEditor(page: copy, pageByteCount: pages.pageByteCount).fill(
      with: entries[...], level: 1, number: copyID, table: table, birth: pages.transaction)
    work.note(packed.pageCount + 1)
    return copyID
  }
}
