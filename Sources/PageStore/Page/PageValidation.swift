/// The border between bytes from disk, of which nothing is believed, and pages that are trusted.
///
/// A page that passed is read without further checks. Nothing here traps on any bytes.
extension PageBytes {
  /// Checks a tree page of `pageByteCount` bytes that was read as page `id`.
  ///
  /// - Parameters:
  ///   - id: the number that the page must carry.
  ///   - expected: what the parent's pointer says, or nil where there is none to compare with.
  ///   - pageByteCount: the size of a page.
  ///   - pageLimit: one past the last page that a pointer may name.
  /// - Returns: what is wrong, or nil.
  func problem(
    asPage id: PageID, checksum expected: UInt32?, pageByteCount: Int, pageLimit: Int
  ) -> Damage.Problem? {
    let stored = checksum
    let computed = Checksum.ofPage(self, pageByteCount: pageByteCount)
    if stored != computed { return .checksum(stored: stored, computed: computed) }
    if let expected, expected != stored { return .staleVersion(expected: expected, found: stored) }
    return structureProblem(
      asPage: id, pageByteCount: pageByteCount, pageLimit: pageLimit, isWritten: true)
  }

  /// Checks all of a tree page but its checksum.
  ///
  /// - Parameters:
  ///   - id: the number that the page must carry.
  ///   - pageByteCount: the size of a page.
  ///   - pageLimit: one past the last page that a pointer may name.
  ///   - isWritten: false for a private page, which may not know its children's checksums.
  /// - Returns: what is wrong, or nil.
  func structureProblem(
    asPage id: PageID, pageByteCount: Int, pageLimit: Int, isWritten: Bool
  ) -> Damage.Problem? {
    if number != id { return .misplaced(number: number) }
    if prefixCount > 0 && slotStart > pageByteCount {
      return .field("prefixCount", UInt64(prefixCount))
    }
    if cellStart > pageByteCount { return .field("cellStart", UInt64(cellStart)) }
    if liveByteCount > pageByteCount - cellStart {
      return .field("liveByteCount", UInt64(liveByteCount))
    }
    switch (kind, level) {
    case (PageKind.leaf, 0):
      return LeafPage(self).problem(pageByteCount: pageByteCount, pageLimit: pageLimit)
    case (PageKind.branch, 1..<StoreLimits.levelCount):
      return BranchPage(self).problem(
        pageByteCount: pageByteCount, pageLimit: pageLimit, isWritten: isWritten)
    default:
      return .wrongKind(UInt8(kind), level: UInt8(level))
    }
  }
}

extension LeafPage {
  /// What breaks the invariants of a leaf whose header has been checked, or nil.
  fileprivate func problem(pageByteCount: Int, pageLimit: Int) -> Damage.Problem? {
    let count = count
    let slots = page.slotStart
    let cellStart = page.cellStart
    if count == 0 || slots + count * LeafPage.slotByteCount > cellStart {
      return .field("count", UInt64(count))
    }
    var live = 0
    var taken = TakenBytes()
    var previous: ByteView?
    for index in 0..<count {
      let offset = cell(index)
      let keyCount = keyCount(index)
      if offset < cellStart || offset + 2 + keyCount > pageByteCount
        || keyCount > StoreLimits.keyByteCount
      {
        return .field("cell \(index)", UInt64(offset))
      }
      let byteCount = cellByteCount(index)
      if offset + byteCount > pageByteCount || !taken.take(offset, byteCount) {
        return .field("cell \(index)", UInt64(offset))
      }
      live += byteCount
      let key = key(index)
      if !key.begins(with: page.prefix) || head(index) != key.head(after: page.prefixCount) {
        return .order(slot: index)
      }
      if let previous, previous.compare(key) >= 0 { return .order(slot: index) }
      previous = key
      if isOverflow(index) {
        let run = overflow(index)
        let pages = run.pageCount(pageByteCount: pageByteCount)
        if run.first < .firstAfterMetas || run.first.index + pages > pageLimit || pages == 0 {
          return .outOfBounds(run.first, pageCount: pageLimit)
        }
        if run.checksum == 0 { return .field("overflow checksum", 0) }
      }
    }
    return live == page.liveByteCount ? nil : .field("liveByteCount", UInt64(page.liveByteCount))
  }
}

extension BranchPage {
  /// What breaks the invariants of a branch whose header has been checked, or nil.
  fileprivate func problem(
    pageByteCount: Int, pageLimit: Int, isWritten: Bool
  ) -> Damage.Problem? {
    let count = count
    let capacity = page.capacity
    if count < 1 || count > capacity || capacity & 7 != 0
      || page.slotStart + capacity * BranchPage.entryByteCount > page.cellStart
    {
      return .field("count", UInt64(count))
    }
    for index in 0..<count {
      let child = child(index)
      if child < .firstAfterMetas || child.index >= pageLimit || child == page.number {
        return .outOfBounds(child, pageCount: pageLimit)
      }
      if isWritten && checksum(index) == 0 { return .field("child checksum", 0) }
    }
    var live = 0
    var taken = TakenBytes()
    var previous: ByteView?
    for index in 0..<count - 1 {
      let place = suffixOffset(index)
      let offset = page.u16(place)
      let length = page.u16(place + 2)
      if offset < page.cellStart || offset + length > pageByteCount
        || length + page.prefixCount > StoreLimits.keyByteCount || !taken.take(offset, length)
      {
        return .field("separator \(index)", UInt64(offset))
      }
      live += length
      let suffix = suffix(index)
      if head(index) != suffix.head(after: 0) { return .order(slot: index) }
      if let previous, previous.compare(suffix) >= 0 { return .order(slot: index) }
      previous = suffix
    }
    return live == page.liveByteCount ? nil : .field("liveByteCount", UInt64(page.liveByteCount))
  }
}

/// The bytes of a page that cells were found to take: two cells that overlap would change each
/// other.
private struct TakenBytes {
  private var words = InlineArray<256, UInt64>(repeating: 0)

  /// Takes `count` bytes from `offset` on; false where one of them was taken before.
  mutating func take(_ offset: Int, _ count: Int) -> Bool {
    var start = offset
    let end = offset + count
    while start < end {
      let word = start >> 6
      let stop = min(end, (word + 1) << 6)
      let mask = (UInt64.max >> UInt64(64 - (stop - start))) << UInt64(start & 63)
      if words[word] & mask != 0 { return false }
      words[word] |= mask
      start = stop
    }
    return true
  }
}
