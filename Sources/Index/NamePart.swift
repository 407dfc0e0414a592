public import PageStore

extension NameIndex {
  /// The longest word, in bytes, that an index surely keeps whole: one that is cut may lose as much as
  /// a character more than it must.
  public static let wholeWordByteCount = NameFolding.wordByteCount - 4

  /// The rows with a word in which `part`, which is folded, stands anywhere, or only at its end.
  ///
  /// `check` is called now and then, and ends the search by what it throws.
  ///
  /// - Returns: The rows, and whether these are exactly those: of words longer than an index keeps
  ///   the rest is not known, and their rows are all among those that are returned.
  /// - Complexity: O(*w* + *r*), *w* being the bytes of all words of the index and *r* the rows
  ///   that are found.
  public func rows(
    withPart part: String, endsWord: Bool, in table: Table,
    check: () throws(IndexError) -> Void
  ) throws(IndexError) -> (rows: PostingSet, isExact: Bool) {
    let part = Array(part.utf8)
    var union = PostingUnion()
    var long: [PostingList] = []
    var isExact = true
    var wordCount = 0
    var rows: [UInt64] = []
    let start = [PostingList.Family.head.rawValue, NameWord.Kind.anywhere.rawValue]
    try PostingHeads(index: name).forEach(from: start, to: start.endOfPrefix, in: table) {
      (key, head) throws(IndexError) in
      wordCount += 1
      if wordCount % 1024 == 0 { try check() }
      // No word has a zero, so that it stands in its key as it is, before two of them.
      let end = max(start.count, key.byteCount - 2)
      let text = key.extracting(start.count..<end)
      let isWhole = text.byteCount <= NameIndex.wholeWordByteCount
      if !isWhole, endsWord || !text.contains(part) {
        isExact = false
      } else if !(endsWord ? text.ends(with: part) : text.contains(part)) {
        return true
      }
      rows.removeAll(keepingCapacity: true)
      if PostingHead.appendRows(of: head, to: &rows) {
        for row in rows { union.add(RowID(rawValue: row)) }
        return true
      }
      let list = PostingList(index: name, key: key.extracting(droppingFirst: 1).array)
      if PostingHead.isInline(head) { throw list.corrupt(.form("head")) }
      long.append(list)
      return true
    }
    var cost = ReadingCost()
    for list in long {
      try check()
      union.add(try list.rows(in: table, &cost))
    }
    return (union.finish(), isExact)
  }
}

extension RawSpan {
  fileprivate func contains(_ part: [UInt8]) -> Bool {
    guard let first = part.first else { return true }
    var place = 0
    while place + part.count <= byteCount {
      if byte(at: place) == first, has(part, at: place) { return true }
      place += 1
    }
    return false
  }

  fileprivate func ends(with part: [UInt8]) -> Bool {
    byteCount >= part.count && has(part, at: byteCount - part.count)
  }

  private func has(_ part: [UInt8], at start: Int) -> Bool {
    for place in part.indices where byte(at: start + place) != part[place] { return false }
    return true
  }
}
