/// The contents of pages as lists, for packing them anew: views into pages that must stay as they
/// are while the list is used.
extension LeafPage {
  /// All cells.
  func cells() -> [LeafCell] { (0..<count).map { content($0) } }

  /// All cells, with `cell` at `index`.
  func cells(inserting cell: LeafCell, at index: Int) -> [LeafCell] {
    var cells: [LeafCell] = []
    cells.reserveCapacity(count + 1)
    for slot in 0..<index { cells.append(content(slot)) }
    cells.append(cell)
    for slot in index..<count { cells.append(content(slot)) }
    return cells
  }
}

extension LeafEditor {
  /// Where to cut `cells` so that both halves fit: near the middle in bytes, where the separator is
  /// short, so that branches hold more children.
  static func splitPoint(of cells: [LeafCell]) -> Int {
    let middle = middle(of: cells.count) { cells[$0].byteCount + LeafPage.slotByteCount }
    var best = middle
    var bestCount = Int.max
    let slack = byteCount(of: cells[...]) / 16
    // Outward to the right and back from the middle to the left, as far as the slack goes.
    for isRight in [true, false] {
      var left = slack
      var index = middle
      while index > 0 && index < cells.count && left >= 0 {
        let shared = cells[index - 1].key.commonPrefixCount(with: cells[index].key)
        if shared < bestCount {
          bestCount = shared
          best = index
        }
        if !isRight { index -= 1 }
        left -= cells[index].byteCount + LeafPage.slotByteCount
        if isRight { index += 1 }
      }
    }
    return best
  }
}

extension BranchPage {
  /// All children, with `child` behind child `index` and `separator` between them.
  func entries(inserting child: PageID, separator: ByteView, after index: Int) -> [BranchEntry] {
    var entries: [BranchEntry] = []
    entries.reserveCapacity(count + 1)
    for place in 0..<count {
      var entry = content(place)
      if place == index {
        let moved = BranchEntry(child: child, checksum: 0, lead: entry.lead, tail: entry.tail)
        entry.lead = separator.prefix(0)
        entry.tail = separator
        entries.append(entry)
        entries.append(moved)
      } else {
        entries.append(entry)
      }
    }
    return entries
  }

  /// The children of this page and then of `right`, which separator `index` of `parent` divides.
  func entries(
    joinedBy parent: BranchPage, separator index: Int, with right: BranchPage
  ) -> [BranchEntry] {
    var entries = (0..<count).map { content($0) }
    entries[count - 1].lead = parent.page.prefix
    entries[count - 1].tail = parent.suffix(index)
    entries += (0..<right.count).map { right.content($0) }
    return entries
  }
}

extension BranchEditor {
  /// Where to cut `entries`, of which the one behind `place` is new, so that both halves fit: near
  /// the middle in bytes, or near the end of a tree that grows there.
  ///
  /// Cut at the new separator, both halves hold no more than the page did that they came from.
  /// That is the way out where the new one destroys a prefix that made the page roomy.
  static func splitPoint(
    of entries: [BranchEntry], insertedAfter place: Int, pageByteCount: Int
  ) -> Int {
    if place + 2 == entries.count { return place + 1 }
    let middle = middle(of: entries.count) {
      entries[$0].separatorCount + BranchPage.entryByteCount
    }
    let capacity = capacity(pageByteCount: pageByteCount)
    let fits =
      byteCount(of: entries[..<middle]) <= capacity && byteCount(of: entries[middle...]) <= capacity
    return fits ? middle : place + 1
  }
}

/// Where to cut `count` pieces of `byteCount(index)` bytes in two parts near their middle in bytes,
/// neither of them empty.
private func middle(of count: Int, _ byteCount: (Int) -> Int) -> Int {
  var total = 0
  for index in 0..<count { total += byteCount(index) }
  var left = 0
  var index = 0
  while index < count - 1 {
    let size = byteCount(index)
    if index > 0 && left + size / 2 >= total / 2 { break }
    left += size
    index += 1
  }
  return index
}
