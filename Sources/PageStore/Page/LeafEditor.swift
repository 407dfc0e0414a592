/// A private leaf page, to be changed; keeps the invariants of `LeafPage`.
struct LeafEditor {
  let page: MutablePageBytes
  let pageByteCount: Int

  @inline(__always) var leaf: LeafPage { LeafPage(page.reading) }

  /// The bytes between the last slot and the lowest cell.
  @inline(__always) private var gapByteCount: Int {
    let reading = page.reading
    return reading.cellStart &- (reading.slotStart &+ reading.count &* LeafPage.slotByteCount)
  }

  /// Inserts `cell` at slot `index` without moving other cells; false where that is not possible.
  @inline(__always) func insertInPlace(_ cell: LeafCell, at index: Int) -> Bool {
    let reading = page.reading
    if gapByteCount < LeafPage.slotByteCount &+ cell.byteCount { return false }
    if reading.compareToPrefix(cell.key) != 0 { return false }
    let count = reading.count
    let slot = reading.slotStart &+ index &<< 3
    if index < count {
      page.move(from: slot, to: slot &+ 8, count: (count &- index) &<< 3)
    }
    let offset = reading.cellStart &- cell.byteCount
    write(cell, at: offset, slot: slot, prefixCount: reading.prefixCount)
    page.cellStart = offset
    page.count = count &+ 1
    page.liveByteCount = reading.liveByteCount &+ cell.byteCount
    return true
  }

  /// Puts `payload` in the place of the payload in slot `index` where it is not longer.
  @inline(__always) func replaceInPlace(_ cell: LeafCell, at index: Int) -> Bool {
    let old = leaf.cellByteCount(index)
    if cell.byteCount > old { return false }
    let offset = leaf.cell(index)
    page.setU16(offset, cell.mark)
    page.copy(cell.payload, to: offset &+ 2 &+ cell.key.count)
    page.liveByteCount = page.liveByteCount &- old &+ cell.byteCount
    return true
  }

  /// Removes the cell in slot `index`.
  func remove(at index: Int) {
    removeAll(in: index..<index &+ 1)
  }

  /// Removes the cells in the slots of `range`.
  func removeAll(in range: Range<Int>) {
    let leaf = leaf
    var removed = 0
    for index in range { removed &+= leaf.cellByteCount(index) }
    let count = leaf.count
    page.move(
      from: leaf.slot(range.upperBound), to: leaf.slot(range.lowerBound),
      count: (count &- range.upperBound) &<< 3)
    page.count = count &- range.count
    page.liveByteCount = page.liveByteCount &- removed
  }

  /// Writes `cell` at `offset` and its slot at `slot`.
  @inline(__always) private func write(
    _ cell: LeafCell, at offset: Int, slot: Int, prefixCount: Int
  ) {
    page.setU16(offset, cell.mark)
    if let whole = cell.keyAndPayload {
      page.copy(whole, to: offset &+ 2)
    } else {
      page.copy(cell.key, to: offset &+ 2)
      page.copy(cell.payload, to: offset &+ 2 &+ cell.key.count)
    }
    page.setU32(slot, cell.key.head(after: prefixCount))
    page.setU16(slot &+ 4, offset)
    page.setU16(slot &+ 6, cell.key.count)
  }

  /// The bytes that `cells` take in a page without a prefix, with their slots.
  static func byteCount(of cells: ArraySlice<LeafCell>) -> Int {
    var total = 0
    for cell in cells { total &+= cell.byteCount &+ LeafPage.slotByteCount }
    return total
  }

  /// Formats the page anew and fills it with `cells`, in key order and side by side.
  ///
  /// The cells must fit (`byteCount(of:)` at most `capacity`), and none may lie in this page. The
  /// prefix is the longest that all keys share and that leaves room; one cell alone keeps
  /// `loneKeyPrefix` bytes of its key, the guess for the keys to come.
  func fill(
    with cells: ArraySlice<LeafCell>, number: PageID, table: UInt32, birth: TransactionNumber,
    loneKeyPrefix: Int = 0
  ) {
    let used = LeafEditor.byteCount(of: cells)
    precondition(
      used <= LeafEditor.capacity(pageByteCount: pageByteCount),
      "cells of \(used) bytes for a page of \(pageByteCount)")
    var prefix = 0
    if let first = cells.first, let last = cells.last {
      let shared =
        cells.count == 1 ? loneKeyPrefix : first.key.commonPrefixCount(with: last.key)
      prefix = min(shared, StoreLimits.prefixByteCount)
      let room = pageByteCount &- PageHeader.byteCount &- used
      if (prefix &+ 7) & ~7 > room { prefix = room & ~7 }
      page.format(
        kind: PageKind.leaf, level: 0, number: number, table: table, birth: birth,
        prefix: first.key.prefix(prefix), pageByteCount: pageByteCount)
    } else {
      page.format(
        kind: PageKind.leaf, level: 0, number: number, table: table, birth: birth,
        prefix: page.reading.bytes(0, 0), pageByteCount: pageByteCount)
    }
    let live = used &- cells.count &* LeafPage.slotByteCount
    var offset = pageByteCount &- live
    var slot = page.reading.slotStart
    page.cellStart = offset
    for cell in cells {
      write(cell, at: offset, slot: slot, prefixCount: prefix)
      offset &+= cell.byteCount
      slot &+= LeafPage.slotByteCount
    }
    page.count = cells.count
    page.liveByteCount = live
  }

  /// The bytes of slots and cells that fit into a page without a prefix.
  static func capacity(pageByteCount: Int) -> Int { pageByteCount &- PageHeader.byteCount }

  /// The longest cell that a leaf takes; a larger value goes into a run of its own.
  ///
  /// At least three such cells fit into a leaf, so that every split succeeds.
  static func maximumCellByteCount(pageByteCount: Int) -> Int {
    max(pageByteCount / 4, 2 + StoreLimits.keyByteCount + OverflowReference.byteCount)
  }
}
