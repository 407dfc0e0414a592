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
  /// Where to cut `cells` so that both halves fit, near the middle in bytes.
  static func splitPoint(of cells: [LeafCell]) -> Int {
    let total = byteCount(of: cells[...])
    var left = 0
    var index = 0
    while index < cells.count - 1 {
      let size = cells[index].byteCount + LeafPage.slotByteCount
      if index > 0 && left + size / 2 >= total / 2 { break }
      left += size
      index += 1
    }
    return index
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
  /// Where to cut `entries` in two pages: near the middle in bytes, or near the end of a tree that
  /// grows there.
  static func splitPoint(of entries: [BranchEntry], isAppend: Bool) -> Int {
    if isAppend { return entries.count - 1 }
    let total = byteCount(of: entries[...])
    var left = 0
    var index = 0
    while index < entries.count - 1 {
      let size = entries[index].separatorCount + BranchPage.entryByteCount
      if index > 0 && left + size / 2 >= total / 2 { break }
      left += size
      index += 1
    }
    return index
  }
}
