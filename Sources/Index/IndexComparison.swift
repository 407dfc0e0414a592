package import PageStore

/// Tells whether an index holds what its rows say, without telling what differs.
///
/// Pass each row once, in any order, and then ask. Both sides are added up, so that nothing is looked
/// up; the memory is that of the marks of long prefixes, one for a thousand rows or more. Where the
/// answer is no, `IndexChecker` finds out what is wrong.
package struct IndexComparison {
  private let kind: Kind
  private let start = TermHash.start
  private var lists = PairSum()
  private var slices = PairSum()
  /// The prefixes of names below which longer ones have lists.
  private var splits: Set<TermHash> = []
  private var rowTerms: [TermHash] = []

  private enum Kind {
    case terms(TermIndex)
    case names(NameIndex)
    case numbers(NumericIndex)
  }

  /// A comparison of `index` with rows to come.
  package init(_ index: TermIndex) { kind = .terms(index) }

  /// A comparison of `index` with rows to come.
  package init(_ index: NumericIndex) { kind = .numbers(index) }

  /// A comparison of `index` in `table` with rows to come.
  ///
  /// - Throws: What the store throws.
  package init(_ index: NameIndex, in table: Table) throws(IndexError) {
    kind = .names(index)
    let family = NameWord.splitFamily
    do throws(StoreError) {
      var marks = table.cursor(from: [family], to: [family + 1])
      while try marks.next() { splits.insert(start.folding(marks.key, from: 1)) }
    } catch {
      throw .store(error)
    }
  }

  // MARK: The rows

  /// Notes what `row` should be found under.
  package mutating func add(_ row: RowID, _ value: IndexedValue) {
    switch (kind, value) {
    case (.terms, .terms(let terms)):
      rowTerms.removeAll(keepingCapacity: true)
      for term in terms { rowTerms.append(start.folding(TermKey.key(of: term))) }
      addTerms(row)
    case (.numbers, .number(let number)):
      guard let number else { return }
      lists.add(start.folding(number.rawValue), row.rawValue)
      slices.add(start.folding(number.rawValue), row.rawValue)
    case (.names, .names(let names)):
      rowTerms.removeAll(keepingCapacity: true)
      for name in names { addWords(of: name) }
      addTerms(row)
    default: preconditionFailure("\(value) in an index of another kind")
    }
  }

  /// Adds the row under all terms that were gathered, under each once.
  private mutating func addTerms(_ row: RowID) {
    if rowTerms.count < 32 {
      for place in rowTerms.indices where !rowTerms[..<place].contains(rowTerms[place]) {
        lists.add(rowTerms[place], row.rawValue)
      }
    } else {
      for term in Set(rowTerms) { lists.add(term, row.rawValue) }
    }
  }

  private mutating func addWords(of name: String) {
    var place = NameWord.Kind.start
    for word in NameFolding.words(of: name) {
      for alternative in NameFolding.alternatives(of: word) {
        let kept = alternative.nameWord
        if place == .start { addLists(of: kept, .start) }
        addLists(of: kept, .anywhere)
      }
      place = .anywhere
    }
  }

  /// Adds the list of a word, and those of its prefixes that have one.
  private mutating func addLists(of word: String, _ kind: NameWord.Kind) {
    var whole = start
    whole.fold(kind.rawValue)
    var prefix = start
    prefix.fold(kind.prefixRawValue)
    var length = 0
    var isListed = true
    for byte in word.utf8 {
      if byte & 0xC0 != 0x80 {
        if length > 0, isListed { rowTerms.append(prefix.ended) }
        if length >= NameIndex.listedPrefixLength { isListed = isListed && splits.contains(whole) }
        length += 1
      }
      whole.fold(byte)
      prefix.fold(byte)
    }
    if length > 0, isListed { rowTerms.append(prefix.ended) }
    rowTerms.append(whole.ended)
  }

  // MARK: The index

  /// True where the index holds what came, no more and no less, and is sound in itself.
  ///
  /// `visit` is called with each list and each container.
  ///
  /// - Throws: What the store or `visit` throws; damage of the index is an answer.
  package func agrees(
    in table: Table, _ visit: () throws(StoreError) -> Void = {}
  ) throws(IndexError) -> Bool {
    do throws(IndexError) {
      guard try sumOfLists(in: table, visit) == lists else { return false }
      guard case .numbers(let index) = kind else { return true }
      guard try index.count(in: table) == lists.count else { return false }
      var found = PairSum()
      try NumericSlices(index: index.name).forEachNumber(in: table, visit: visit) { row, number in
        found.add(start.folding(number), row)
      }
      return found == slices
    } catch {
      if case .corrupt = error { return false }
      throw error
    }
  }

  /// The sum over all lists, whose heads and containers are walked side by side; nil where they do
  /// not belong together.
  private func sumOfLists(
    in table: Table, _ visit: () throws(StoreError) -> Void
  ) throws(IndexError) -> PairSum? {
    var sum = PairSum()
    var rows: [UInt64] = []
    let family = PostingList.Family.container.rawValue
    do throws(StoreError) {
      var heads = table.cursor(from: [PostingList.Family.head.rawValue], to: [family])
      var cells = table.cursor(from: [family], to: [family + 1])
      var isThere = try cells.next()
      while try heads.next() {
        try visit()
        let head = try heads.value
        let term = start.folding(heads.key, from: 1)
        rows.removeAll(keepingCapacity: true)
        if PostingHead.appendRows(of: head, to: &rows) {
          for row in rows { sum.add(term, row) }
          continue
        }
        guard !PostingHead.isInline(head), let count = PostingHead.rowCount(of: head) else {
          return nil
        }
        let before = sum.count
        while isThere, let number = cells.key.containerNumber(ofList: heads.key) {
          try visit()
          guard let container = Container(untrusted: try cells.value) else { return nil }
          for place in container.numbers { sum.add(term, RowID(number, place).rawValue) }
          isThere = try cells.next()
        }
        if sum.count - before != count { return nil }
      }
      return isThere ? nil : sum
    } catch {
      throw .store(error)
    }
  }
}

extension TermHash {
  /// The hash of a key whose term ends here.
  fileprivate var ended: TermHash {
    var hash = self
    hash.fold(0)
    hash.fold(0)
    return hash
  }
}

extension RawSpan {
  /// The container's number in a key, if that is one of the list whose head has the key `head`.
  fileprivate func containerNumber(ofList head: RawSpan) -> UInt64? {
    guard byteCount == head.byteCount + PostingList.numberByteCount else { return nil }
    for place in 1..<max(1, head.byteCount) where byte(at: place) != head.byte(at: place) {
      return nil
    }
    return containerNumber(at: head.byteCount)
  }
}
