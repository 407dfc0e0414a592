public import PageStore

extension NameIndex {
  /// Makes the index's table, empty, where there is none.
  public func create(in transaction: inout WriteTransaction) throws(IndexError) -> TableHandle {
    try transaction.indexTable(name)
  }

  /// Gives `row` the names `newNames` in the place of `oldNames`, which must be those it has.
  ///
  /// All names of a row come together, since one word may stand in several of them. Only what
  /// differs is written.
  public func update(
    _ row: RowID, from oldNames: [String], to newNames: [String], in table: TableHandle,
    of transaction: inout WriteTransaction
  ) throws(IndexError) {
    let old = NameWord.words(of: oldNames)
    let new = NameWord.words(of: newNames)
    if old == new { return }
    var splits: [NameWord: Bool] = [:]
    let oldPrefixes = try prefixes(of: old, &splits, in: table, of: transaction)
    let newPrefixes = try prefixes(of: new, &splits, in: table, of: transaction)
    for word in old.subtracting(new) {
      _ = try word.list(of: name).remove(row, in: table, of: &transaction)
    }
    for prefix in oldPrefixes.subtracting(newPrefixes) {
      _ = try prefix.prefixList(of: name).remove(row, in: table, of: &transaction)
    }
    for word in new.subtracting(old) {
      _ = try word.list(of: name).insert(row, in: table, of: &transaction)
    }
    for prefix in newPrefixes.subtracting(oldPrefixes) {
      let count = try prefix.prefixList(of: name).insert(row, in: table, of: &transaction).count
      try split(prefix, rowCount: count, in: table, of: &transaction)
    }
  }

  /// Gives `row` its names.
  public func insert(
    _ row: RowID, _ names: [String], in table: TableHandle, of transaction: inout WriteTransaction
  ) throws(IndexError) {
    try update(row, from: [], to: names, in: table, of: &transaction)
  }

  /// Takes its names away from `row`.
  public func remove(
    _ row: RowID, _ names: [String], in table: TableHandle, of transaction: inout WriteTransaction
  ) throws(IndexError) {
    try update(row, from: names, to: [], in: table, of: &transaction)
  }

  /// The prefixes of `words` that have lists.
  func prefixes(
    of words: Set<NameWord>, _ splits: inout [NameWord: Bool], in table: TableHandle,
    of transaction: borrowing WriteTransaction
  ) throws(IndexError) -> Set<NameWord> {
    try prefixes(of: words, &splits) { (prefix) throws(IndexError) in
      try isSplit(prefix, in: table, of: transaction)
    }
  }

  /// The prefixes of `word` that have lists, by their length from 1 on.
  func prefixes(
    of word: NameWord, _ splits: inout [NameWord: Bool], in table: TableHandle,
    of transaction: borrowing WriteTransaction
  ) throws(IndexError) -> [NameWord] {
    try prefixes(of: word, &splits) { (prefix) throws(IndexError) in
      try isSplit(prefix, in: table, of: transaction)
    }
  }

  private func isSplit(
    _ prefix: NameWord, in table: TableHandle, of transaction: borrowing WriteTransaction
  ) throws(IndexError) -> Bool {
    let key = prefix.splitKey
    do throws(StoreError) {
      return try transaction.get(key.span.memory, in: table) != nil
    } catch {
      throw .store(error)
    }
  }

  /// Gives lists to the prefixes one character longer than `prefix`, where that has many rows.
  func split(
    _ prefix: NameWord, rowCount: Int, in table: TableHandle,
    of transaction: inout WriteTransaction
  ) throws(IndexError) {
    let length = prefix.text.unicodeScalars.count
    if rowCount < NameIndex.splitRowCount || length < NameIndex.listedPrefixLength { return }
    if try isSplit(prefix, in: table, of: transaction) { return }
    do throws(StoreError) {
      try transaction.put(prefix.splitKey, [1], in: table)
    } catch {
      throw .store(error)
    }
    for (child, rows) in try children(of: prefix, in: table, of: transaction) {
      let count = try child.prefixList(of: name).insert(rows, in: table, of: &transaction)
      try split(child, rowCount: count, in: table, of: &transaction)
    }
  }

  /// The prefixes one character longer than `prefix`, with the rows of each.
  private func children(
    of prefix: NameWord, in table: TableHandle, of transaction: borrowing WriteTransaction
  ) throws(IndexError) -> [(NameWord, [UInt64])] {
    let view: Table
    do throws(StoreError) {
      view = try transaction.reading(table)
    } catch {
      throw .store(error)
    }
    let length = prefix.text.unicodeScalars.count + 1
    var children: [(NameWord, [UInt64])] = []
    try forEachHead(of: prefix, in: view) { (word, head) throws(IndexError) in
      guard let child = word.prefix(length) else { return true }
      if children.last?.0 != child { children.append((child, [])) }
      let last = children.count - 1
      if PostingHead.isInline(head) {
        guard PostingHead.appendRows(of: head, to: &children[last].1) else {
          throw .corrupt(index: name, term: Array(word.text.utf8), .form("head"))
        }
      } else {
        var cost = ReadingCost()
        children[last].1 += try word.list(of: name).rows(in: view, &cost).map(\.rawValue)
      }
      return true
    }
    return children.map { ($0.0, $0.1.sortedOnce()) }
  }
}

extension [UInt64] {
  /// The numbers ascending, each once.
  func sortedOnce() -> [UInt64] {
    var result: [UInt64] = []
    result.reserveCapacity(count)
    for number in sorted() where number != result.last { result.append(number) }
    return result
  }
}
