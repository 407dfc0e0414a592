public import PageStore

/// A search by name that is narrowed as its text grows, without starting over.
///
/// A text finds the names in which its words stand side by side, the last as a prefix. The search
/// keeps the rows of the words that are complete, and of the last one the words of the index that
/// begin with it, once these are few: each further letter only picks among those.
///
/// All calls must pass the table of one snapshot.
public struct NameSearch: Sendable {
  /// The index that is searched.
  public let index: NameIndex
  /// The folded words of the text.
  public private(set) var words: [String] = []
  /// How often the index was asked for the rows of a prefix.
  public private(set) var lookupCount = 0

  /// The rows with all words but the last; nil where there is only one.
  private var completeRows: PostingSet?
  private var last = Last.lists

  /// What is known of the last word.
  private enum Last: Sendable {
    /// Its rows have lists of their own, in the index.
    case lists
    /// The words that begin with it, with the rows of each.
    case words([Word])
  }

  private struct Word: Sendable {
    var word: NameWord
    var rows: [UInt64]
  }

  /// A search for nothing yet.
  public init(_ index: NameIndex) { self.index = index }

  /// Makes `text` what is searched for, keeping what still holds.
  public mutating func search(_ text: String, in table: Table) throws(IndexError) {
    let old = words
    words = NameFolding.words(of: text).map(\.nameWord)
    guard let prefix = words.last else {
      completeRows = nil
      return
    }
    let complete = words.dropLast()
    if !complete.elementsEqual(old.dropLast(), by: { $0.utf8.elementsEqual($1.utf8) }) {
      try findCompleteRows(keeping: old.dropLast(), in: table)
    } else if case .words(let found) = last, let before = old.last,
      prefix.utf8.starts(with: before.utf8)
    {
      last = .words(found.filter { $0.word.text.utf8.starts(with: prefix.utf8) })
      return
    }
    try findLast(prefix, in: table)
  }

  /// Finds the rows with all words but the last, from those with the first of them.
  private mutating func findCompleteRows(
    keeping old: ArraySlice<String>, in table: Table
  ) throws(IndexError) {
    let complete = words.dropLast()
    var done = 0
    var rows: PostingSet?
    if let completeRows, complete.count >= old.count,
      complete.prefix(old.count).elementsEqual(old, by: { $0.utf8.elementsEqual($1.utf8) })
    {
      rows = completeRows
      done = old.count
    }
    for word in complete.dropFirst(done) {
      let found = try index.rows(withWord: word, in: table)
      rows = rows?.intersection(found) ?? found
    }
    completeRows = rows
  }

  private mutating func findLast(_ prefix: String, in table: Table) throws(IndexError) {
    lookupCount += 1
    var cost = ReadingCost()
    var found: [Word] = []
    for kind in [NameWord.Kind.start, .anywhere] {
      let prefix = NameWord(kind, prefix)
      if case .list = try index.matches(prefix, in: table, &cost) {
        last = .lists
        return
      }
      try index.forEachHead(of: prefix, in: table) { (word, head) throws(IndexError) in
        var rows: [UInt64] = []
        if !PostingHead.appendRows(of: head, to: &rows) {
          rows = try word.list(of: index.name).rows(in: table, &cost).map(\.rawValue)
        }
        found.append(Word(word: word, rows: rows))
        return true
      }
    }
    last = .words(found)
  }

  /// The rows that have all the words; of several words, not necessarily side by side.
  public func candidates(in table: Table) throws(IndexError) -> PostingSet {
    guard let prefix = words.last else { return .empty }
    let rows: PostingSet =
      switch last {
      case .lists: try index.rows(withPrefix: prefix, in: table)
      case .words(let found):
        PostingSet(
          found.lazy.filter { $0.word.kind == .anywhere }.flatMap(\.rows)
            .map { RowID(rawValue: $0) })
      }
    return completeRows?.intersection(rows) ?? rows
  }

  /// The first rows, at most `limit`: those of which a name begins with the text, then others, by ID.
  ///
  /// `verify` says whether a name of the row has the words side by side, at the start or anywhere; it
  /// is asked only where there are several words.
  public func first(
    _ limit: Int, in table: Table,
    verify: (_ row: RowID, _ words: [String], _ place: WordPlace) throws(IndexError) -> Bool
  ) throws(IndexError) -> [RowID] {
    guard let prefix = words.last else { return [] }
    if words.count == 1 {
      guard case .words(let found) = last else {
        return try index.first(limit, withPrefix: prefix, in: table)
      }
      var result: [RowID] = []
      for kind in [NameWord.Kind.start, .anywhere] {
        let rows = found.lazy.filter { $0.word.kind == kind }.flatMap(\.rows)
        var cost = ReadingCost()
        result += try NameMatches.words(Array(rows))
          .first(limit - result.count, excluding: result, in: table, &cost)
      }
      return result
    }
    let candidates = try candidates(in: table)
    let atStart = try index.rows(withWord: words[0], at: .start, in: table)
    var result: [RowID] = []
    for row in candidates.intersection(atStart) where result.count < limit {
      if try verify(row, words, .start) { result.append(row) }
    }
    let first = PostingSet(result)
    for row in candidates where result.count < limit && !first.contains(row) {
      if try verify(row, words, .anywhere) { result.append(row) }
    }
    return result
  }
}
