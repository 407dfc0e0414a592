public import PageStore

/// Where in a name a word stands.
public enum WordPlace: Sendable, Hashable {
  /// At the start of one of the row's names.
  case start
  /// Anywhere in one of the row's names, the start included.
  case anywhere
}

/// An index from names to their rows, by the start of any word.
///
/// Names are folded and cut into words by `NameFolding`; a row may have many names. Words that begin
/// a name are kept a second time apart, since a match at the start ranks first. A prefix
/// of up to three characters has a list of its own, and so has a longer one where many rows share
/// what comes before its last character; all others are short ranges of words.
public struct NameIndex: Sendable {
  /// The name of the index, and of its table.
  public let name: String

  /// The most characters of prefixes that always have lists of their own.
  static let listedPrefixLength = 3
  /// The rows of a prefix from which on the prefixes one character longer have lists too.
  static let splitRowCount = 1024

  /// The index in the table `name`.
  public init(_ name: String) { self.name = name }

  // MARK: Reading

  /// The rows with a word that begins with `prefix`, which is folded.
  public func rows(
    withPrefix prefix: String, at place: WordPlace = .anywhere, in table: Table
  ) throws(IndexError) -> PostingSet {
    var cost = ReadingCost()
    switch try matches(NameWord(place.kind, prefix.nameWord), in: table, &cost) {
    case .list(let list): return try list.rows(in: table, &cost)
    case .words(let rows): return PostingSet(rows.lazy.map { RowID(rawValue: $0) })
    }
  }

  /// The rows with the word `word`, which is folded.
  public func rows(
    withWord word: String, at place: WordPlace = .anywhere, in table: Table
  ) throws(IndexError) -> PostingSet {
    var cost = ReadingCost()
    return try list(ofWord: word, at: place).rows(in: table, &cost)
  }

  /// The first rows with a word that begins with `prefix`, which is folded: at most `limit`.
  ///
  /// Rows of which a name begins with it come first, then those where another word does; among
  /// them by ID.
  ///
  /// - Complexity: bounded by `limit` and by how many rows a prefix without a list can have, but not
  ///   by how many rows match.
  public func first(
    _ limit: Int, withPrefix prefix: String, in table: Table
  ) throws(IndexError) -> [RowID] {
    var cost = ReadingCost()
    let prefix = prefix.nameWord
    var result = try matches(NameWord(.start, prefix), in: table, &cost)
      .first(limit, excluding: [], in: table, &cost)
    if result.count < limit {
      result += try matches(NameWord(.anywhere, prefix), in: table, &cost)
        .first(limit - result.count, excluding: result, in: table, &cost)
    }
    return result
  }

  /// Goes through the words from `prefix` on that begin with it, with how many rows have each.
  ///
  /// `body` says whether to go on.
  public func forEachWord(
    withPrefix prefix: String, at place: WordPlace = .anywhere, in table: Table,
    _ body: (_ word: String, _ count: Int) throws(IndexError) -> Bool
  ) throws(IndexError) {
    try forEachHead(of: NameWord(place.kind, prefix), in: table) {
      (word, head) throws(IndexError) in
      guard let count = PostingHead.rowCount(of: head) else {
        throw .corrupt(index: name, term: Array(word.text.utf8), .form("head"))
      }
      return try body(word.text, count)
    }
  }

  // MARK: Lists

  /// The list of the rows with a word.
  func list(ofWord word: String, at place: WordPlace) -> PostingList {
    NameWord(place.kind, word.nameWord).list(of: name)
  }

  /// The rows of one kind of words that begin with a prefix.
  func matches(
    _ prefix: NameWord, in table: Table, _ cost: inout ReadingCost
  ) throws(IndexError) -> NameMatches {
    let length = prefix.text.unicodeScalars.count
    if length > 0 {
      if length <= NameIndex.listedPrefixLength { return .list(prefix.prefixList(of: name)) }
      cost.cellCount += 1
      if try isSplit(prefix.shortened, in: table) { return .list(prefix.prefixList(of: name)) }
    }
    var rows: [UInt64] = []
    var long: [PostingList] = []
    let start = [PostingList.Family.head.rawValue] + prefix.keyPrefix
    try PostingHeads(index: name).forEach(from: start, to: start.endOfPrefix, in: table) {
      (key, head) throws(IndexError) in
      cost.cellCount += 1
      // Which words these are is of no interest, only their rows are.
      if PostingHead.appendRows(of: head, to: &rows) { return true }
      let list = PostingList(index: name, key: key.extracting(droppingFirst: 1).array)
      if PostingHead.isInline(head) { throw list.corrupt(.form("head")) }
      long.append(list)
      return true
    }
    for list in long {
      rows += try list.rows(in: table, &cost).lazy.map(\.rawValue)
    }
    return .words(rows)
  }

  /// The prefixes of `words` that have lists.
  func prefixes(
    of words: Set<NameWord>, in table: Table
  ) throws(IndexError) -> Set<NameWord> {
    var splits: [NameWord: Bool] = [:]
    return try prefixes(of: words, &splits) { (prefix) throws(IndexError) in
      try isSplit(prefix, in: table)
    }
  }

  /// The prefixes of `words` that have lists, where `isSplit` tells which have longer ones below.
  func prefixes(
    of words: Set<NameWord>, _ splits: inout [NameWord: Bool],
    isSplit: (NameWord) throws(IndexError) -> Bool
  ) throws(IndexError) -> Set<NameWord> {
    var prefixes: Set<NameWord> = []
    for word in words { prefixes.formUnion(try self.prefixes(of: word, &splits, isSplit: isSplit)) }
    return prefixes
  }

  /// The prefixes of `word` that have lists, by their length from 1 on.
  func prefixes(
    of word: NameWord, _ splits: inout [NameWord: Bool],
    isSplit: (NameWord) throws(IndexError) -> Bool
  ) throws(IndexError) -> [NameWord] {
    var prefixes: [NameWord] = []
    while let prefix = word.prefix(prefixes.count + 1) {
      if prefixes.count >= NameIndex.listedPrefixLength, let parent = prefixes.last {
        if splits[parent] == nil { splits[parent] = try isSplit(parent) }
        if splits[parent] != true { break }
      }
      prefixes.append(prefix)
    }
    return prefixes
  }

  /// True where the prefixes one character longer than this one have lists.
  func isSplit(_ prefix: NameWord, in table: Table) throws(IndexError) -> Bool {
    do throws(StoreError) {
      return try table.get(prefix.splitKey) != nil
    } catch {
      throw .store(error)
    }
  }

  /// Calls `body` with the words of one kind that begin with `prefix`, and the heads of their lists.
  func forEachHead(
    of prefix: NameWord, in table: Table,
    _ body: (NameWord, RawSpan) throws(IndexError) -> Bool
  ) throws(IndexError) {
    let start = [PostingList.Family.head.rawValue] + prefix.keyPrefix
    try PostingHeads(index: name).forEach(from: start, to: start.endOfPrefix, in: table) {
      (key, head) throws(IndexError) in
      let key = key.extracting(droppingFirst: 1).array
      guard let word = NameWord(key: key) else {
        throw .corrupt(index: name, term: key, .form("key of a word"))
      }
      return try body(word, head)
    }
  }
}

/// The rows of a prefix: a list of their own, or those of a short range of words, in any order and
/// any number of times each.
enum NameMatches {
  case list(PostingList)
  case words([UInt64])

  /// The first rows, at most `limit`, without those in `excluded`.
  func first(
    _ limit: Int, excluding excluded: [RowID], in table: Table, _ cost: inout ReadingCost
  ) throws(IndexError) -> [RowID] {
    var result: [RowID] = []
    switch self {
    case .list(let list):
      // No more than those excluded can be in the way.
      for row in try list.prefix(
        limit + excluded.count, from: RowID(rawValue: 0), in: table, &cost)
      where !excluded.contains(row) {
        if result.count == limit { break }
        result.append(row)
      }
    case .words(let rows):
      // No more than those excluded can be in the way.
      for row in rows.least(limit + excluded.count).lazy.map({ RowID(rawValue: $0) }) {
        if result.count == limit { break }
        if !excluded.contains(row) { result.append(row) }
      }
    }
    return result
  }
}

extension [UInt64] {
  /// The `limit` least numbers, ascending, each once.
  ///
  /// Most numbers are only compared with the greatest of those found so far, so that few are moved
  /// where few are wanted.
  func least(_ limit: Int) -> [UInt64] {
    if limit >= count / 4 { return Array(sortedOnce().prefix(limit)) }
    if limit <= 0 { return [] }
    var found: [UInt64] = []
    found.reserveCapacity(limit + 1)
    for number in self {
      if found.count == limit, number >= found[limit - 1] { continue }
      var place = found.count
      while place > 0 && found[place - 1] > number { place -= 1 }
      if place > 0 && found[place - 1] == number { continue }
      found.insert(number, at: place)
      if found.count > limit { found.removeLast() }
    }
    return found
  }
}

extension WordPlace {
  /// The kind of words that are found there.
  var kind: NameWord.Kind { self == .start ? .start : .anywhere }
}
