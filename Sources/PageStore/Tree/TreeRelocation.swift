/// Moving the pages of a tree down to lower free places, so that a file can be cut.
///
/// One such step: the pages in `source` are copied to the lowest free places, and so are the branches
/// above them, until the budget is spent.
struct Relocation {
  /// The numbers of the pages that are to be moved.
  let source: Range<Int>
  /// What is moved, and where to.
  let kind: Kind
  /// How many more pages may be copied.
  var budget: Int
  /// The key to go on from; empty is the beginning.
  var start: [UInt8] = []
  /// The first key that was not looked at because the budget was spent.
  private(set) var next: [UInt8]?
  /// The pages that were copied, runs included.
  private(set) var movedPageCount = 0
  /// The pages of trees that were looked at.
  fileprivate var seenPageCount = 0

  enum Kind {
    /// Pages of trees and runs, each to a lower place.
    case down
    /// Runs only, each to a lower place: they find fewer places than single pages.
    case runsDown
    /// Pages of trees and runs, to any place.
    case away
  }

  init(_ kind: Kind, from source: Range<Int>, budget: Int, start: [UInt8] = []) {
    self.kind = kind
    self.source = source
    self.budget = budget
    self.start = start
  }

  /// A step that has moved as much may end early.
  fileprivate static let worthwhilePageCount = 16

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
  /// A page stays where it is while no place is free that it may have. The transaction must be one that has
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
    // More than there are: branches share their children.
    if work.seenPageCount >= reader.pageCount { throw pages.map.damage(.usedTwice(id), id) }
    work.seenPageCount += 1
    var copy: (id: PageID, page: MutablePageBytes)?
    if work.source.contains(id.index), work.kind != .runsDown,
      let free = pages.bitmap.lowestFree, free < id || work.kind == .away
    {
      copy = try pages.edit(id, checksum, level: level, table: table)
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
        copy = try pages.edit(id, checksum, level: level, table: table)
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
      let place = reference.first.index..<reference.first.index + pageCount
      if !work.source.overlaps(place) { continue }
      let value = try reader.overflowValue(reference)
      guard
        let moved = try pages.moveRun(reference, of: value, onlyDown: work.kind != .away)
      else {
        if work.kind != .runsDown || work.movedPageCount < Relocation.worthwhilePageCount {
          continue
        }
        // What was moved has left room, but only once this transaction has ended.
        work.stop(before: leaf.key(index).array)
        work.budget = 0
        break
      }
      work.note(pageCount)
      if copy == nil {
        copy = try pages.edit(id, checksum, level: 0, table: table)
        work.note(1)
      }
      if let copy {
        moved.write(to: copy.page, at: leaf.cell(index) + 2 + leaf.keyCount(index))
      }
    }
  }
}
