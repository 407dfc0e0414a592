/// A private branch page, to be changed; keeps the invariants of `BranchPage`.
struct BranchEditor {
  let page: MutablePageBytes
  let pageByteCount: Int

  @inline(__always) var branch: BranchPage { BranchPage(page.reading) }

  /// Points child `index` to `child`, whose checksum is not known before it is written.
  @inline(__always) func setChild(_ index: Int, to child: PageID) {
    page.setU32(branch.childOffset(index), child.rawValue)
    page.setU32(branch.checksumOffset(index), 0)
  }

  /// Inserts `child` after child `index`, with `separator` between them, where the page has room
  /// for one more without moving anything but its arrays.
  func insertInPlace(_ child: PageID, separator: ByteView, after index: Int) -> Bool {
    let reading = page.reading
    let count = reading.count
    let capacity = reading.capacity
    if count == capacity || count == 1 || reading.compareToPrefix(separator) != 0 { return false }
    let suffix = separator.dropFirst(reading.prefixCount)
    let arrays = reading.slotStart
    let offset = reading.cellStart &- suffix.count
    if offset < arrays &+ capacity &* BranchPage.entryByteCount { return false }
    // Separator `index` is the new one; child `index + 1` is the new one.
    openGap(array: 0, at: index, count: count &- 1, capacity: capacity, arrays: arrays)
    openGap(array: 1, at: index &+ 1, count: count, capacity: capacity, arrays: arrays)
    openGap(array: 2, at: index &+ 1, count: count, capacity: capacity, arrays: arrays)
    openGap(array: 3, at: index, count: count &- 1, capacity: capacity, arrays: arrays)
    page.copy(suffix, to: offset)
    page.setU32(arrays &+ index &<< 2, separator.head(after: reading.prefixCount))
    page.setU32(arrays &+ (capacity &+ index &+ 1) &<< 2, child.rawValue)
    page.setU32(arrays &+ (capacity &<< 1 &+ index &+ 1) &<< 2, 0)
    page.setU16(arrays &+ (capacity &* 3 &+ index) &<< 2, offset)
    page.setU16(arrays &+ (capacity &* 3 &+ index) &<< 2 &+ 2, suffix.count)
    page.cellStart = offset
    page.count = count &+ 1
    page.liveByteCount = reading.liveByteCount &+ suffix.count
    return true
  }

  /// Puts `separator` in the place of separator `index`, or where it is longer, below the others;
  /// false where there is no room.
  func replaceSeparatorInPlace(_ index: Int, by separator: ByteView) -> Bool {
    let reading = page.reading
    if reading.compareToPrefix(separator) != 0 { return false }
    let suffix = separator.dropFirst(reading.prefixCount)
    let old = branch.suffix(index)
    let place = branch.suffixOffset(index)
    var offset = reading.u16(place)
    if suffix.count > old.count {
      offset = reading.cellStart &- suffix.count
      let arraysEnd = reading.slotStart &+ reading.capacity &* BranchPage.entryByteCount
      if offset < arraysEnd { return false }
      page.cellStart = offset
    }
    page.copy(suffix, to: offset)
    page.setU16(place, offset)
    page.setU16(place &+ 2, suffix.count)
    page.setU32(reading.slotStart &+ index &<< 2, suffix.head(after: 0))
    page.liveByteCount = reading.liveByteCount &- old.count &+ suffix.count
    return true
  }

  /// Moves the entries of an array from `index` on one place up.
  private func openGap(array: Int, at index: Int, count: Int, capacity: Int, arrays: Int) {
    let place = arrays &+ (array &* capacity &+ index) &<< 2
    page.move(from: place, to: place &+ 4, count: (count &- index) &<< 2)
  }

  /// Moves the entries of an array after `index` one place down.
  private func closeGap(array: Int, at index: Int, count: Int, capacity: Int, arrays: Int) {
    let place = arrays &+ (array &* capacity &+ index) &<< 2
    page.move(from: place &+ 4, to: place, count: (count &- index &- 1) &<< 2)
  }

  /// Removes child `index` and the separator before it, or after it where it is the first.
  ///
  /// The page must have another child.
  func remove(at index: Int) {
    let reading = page.reading
    let count = reading.count
    precondition(count > 1, "the last child of a branch goes with the branch")
    let capacity = reading.capacity
    let arrays = reading.slotStart
    let separator = index == 0 ? 0 : index &- 1
    let suffixCount = branch.suffix(separator).count
    closeGap(array: 0, at: separator, count: count &- 1, capacity: capacity, arrays: arrays)
    closeGap(array: 1, at: index, count: count, capacity: capacity, arrays: arrays)
    closeGap(array: 2, at: index, count: count, capacity: capacity, arrays: arrays)
    closeGap(array: 3, at: separator, count: count &- 1, capacity: capacity, arrays: arrays)
    page.setU32(arrays &+ (count &- 2) &<< 2, UInt32.max)
    page.count = count &- 1
    page.liveByteCount = reading.liveByteCount &- suffixCount
  }

  /// The bytes that `entries` take in a page, at the least: with the prefix that saves the most,
  /// and no spare room.
  ///
  /// Never more than a page takes that holds them, or them among others.
  static func byteCount(of entries: ArraySlice<BranchEntry>) -> Int {
    var total = (entries.count &+ 7) & ~7 &* BranchPage.entryByteCount
    for entry in entries.dropLast() { total &+= entry.separatorCount }
    return total &- savedByteCount(by: prefixCount(of: entries), separatorCount: entries.count &- 1)
  }

  /// The bytes of prefix, arrays and separators that fit into a page.
  static func capacity(pageByteCount: Int) -> Int { pageByteCount &- PageHeader.byteCount }

  /// Formats the page anew and fills it with `entries`, none of which may lie in this page.
  ///
  /// They must fit: `byteCount(of:)` at most `capacity`. The separator of the last one is not
  /// stored. What room is left goes, up to an eighth, into spare places of the arrays.
  func fill(
    with entries: ArraySlice<BranchEntry>, level: Int, number: PageID, table: UInt32,
    birth: TransactionNumber
  ) {
    let count = entries.count
    let needed = BranchEditor.byteCount(of: entries)
    precondition(
      count > 0 && needed <= BranchEditor.capacity(pageByteCount: pageByteCount),
      "\(count) children of \(needed) bytes for a page of \(pageByteCount)")
    let prefixCount = BranchEditor.prefixCount(of: entries)
    page.format(
      kind: PageKind.branch, level: level, number: number, table: table, birth: birth,
      prefix: page.reading.bytes(0, 0), pageByteCount: pageByteCount)
    page.setU8(PageHeader.prefixCount, prefixCount)
    page.clear(PageHeader.byteCount, count: (prefixCount &+ 7) & ~7)
    if let first = entries.first {
      for index in 0..<prefixCount {
        page.setU8(PageHeader.byteCount &+ index, Int(first.separatorByte(index)))
      }
    }
    let arrays = page.reading.slotStart
    var suffixes = 0
    for entry in entries.dropLast() { suffixes &+= entry.separatorCount &- prefixCount }
    let room = pageByteCount &- arrays &- suffixes
    let tight = (count &+ 7) & ~7
    let wished = (count &+ max(8, count / 8) &+ 7) & ~7
    let roomy = (room &- max(64, suffixes / 8)) / BranchPage.entryByteCount & ~7
    let capacity = max(tight, min(wished, roomy))
    page.setU16(PageHeader.capacity, capacity)
    var offset = pageByteCount
    var place = arrays
    for (index, entry) in entries.enumerated() {
      page.setU32(place &+ capacity &<< 2, entry.child.rawValue)
      page.setU32(place &+ capacity &<< 3, entry.checksum)
      if index < count &- 1 {
        let length = entry.separatorCount &- prefixCount
        offset &-= length
        copySeparator(of: entry, from: prefixCount, to: offset)
        page.setU32(place, page.reading.bytes(offset, length).head(after: 0))
        page.setU16(place &+ capacity &* 12, offset)
        page.setU16(place &+ capacity &* 12 &+ 2, length)
      }
      place &+= 4
    }
    for index in count &- 1..<capacity { page.setU32(arrays &+ index &<< 2, UInt32.max) }
    page.cellStart = offset
    page.count = count
    page.liveByteCount = suffixes
  }

  /// Copies the bytes of `entry`'s separator from `start` on to `offset`.
  private func copySeparator(of entry: BranchEntry, from start: Int, to offset: Int) {
    let lead = entry.lead.count
    if start >= lead {
      page.copy(entry.tail.dropFirst(start &- lead), to: offset)
    } else {
      page.copy(entry.lead.dropFirst(start), to: offset)
      page.copy(entry.tail, to: offset &+ lead &- start)
    }
  }

  /// True where the separators of `entries` ascend, as those of every tree do that was not forged.
  static func areAscending(_ entries: ArraySlice<BranchEntry>) -> Bool {
    var previous: BranchEntry?
    for entry in entries.dropLast() {
      if let previous, !isAscending(previous, entry) { return false }
      previous = entry
    }
    return true
  }

  private static func isAscending(_ first: BranchEntry, _ second: BranchEntry) -> Bool {
    for index in 0..<min(first.separatorCount, second.separatorCount) {
      let (one, other) = (first.separatorByte(index), second.separatorByte(index))
      if one != other { return one < other }
    }
    return first.separatorCount < second.separatorCount
  }

  /// The length of the prefix that saves the most: all that the separators share, or that without
  /// what would begin another 8 bytes.
  private static func prefixCount(of entries: ArraySlice<BranchEntry>) -> Int {
    let separators = entries.dropLast()
    guard separators.count > 1, let first = separators.first, let last = separators.last else {
      return 0
    }
    let shared = first.commonPrefixCount(with: last)
    let padded = shared & ~7
    return savedByteCount(by: shared, separatorCount: separators.count)
      >= savedByteCount(by: padded, separatorCount: separators.count) ? shared : padded
  }

  /// The bytes that a prefix of `prefixCount` saves, its own padded length taken off.
  private static func savedByteCount(by prefixCount: Int, separatorCount: Int) -> Int {
    prefixCount &* separatorCount &- (prefixCount &+ 7) & ~7
  }
}
