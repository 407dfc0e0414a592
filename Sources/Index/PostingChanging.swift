internal import PageStore

extension PostingList {
  /// Adds `row`.
  ///
  /// - Returns: Whether the row was new, and how many rows the list has now.
  func insert(
    _ row: RowID, in table: TableHandle, of transaction: inout WriteTransaction
  ) throws(IndexError) -> (isNew: Bool, count: Int) {
    switch try head(in: table, of: transaction) {
    case nil:
      try put(.inline([row.rawValue]), in: table, of: &transaction)
      return (true, 1)
    case .inline(var rows):
      let place = rows.firstIndex { $0 >= row.rawValue } ?? rows.count
      if place < rows.count && rows[place] == row.rawValue { return (false, rows.count) }
      rows.insert(row.rawValue, at: place)
      try putShort(rows, in: table, of: &transaction)
      return (true, rows.count)
    case .containers(let count):
      let number = row.containerNumber
      var bitmap = try bitmap(number, in: table, of: transaction)
      let (place, bit) = row.bitmapPlace
      if bitmap[place] & bit != 0 { return (false, count) }
      bitmap[place] |= bit
      try put(bitmap, number, in: table, of: &transaction)
      try put(.containers(count: count + 1), in: table, of: &transaction)
      return (true, count + 1)
    }
  }

  /// Takes `row` away.
  ///
  /// - Returns: Whether it was there.
  func remove(
    _ row: RowID, in table: TableHandle, of transaction: inout WriteTransaction
  ) throws(IndexError) -> Bool {
    switch try head(in: table, of: transaction) {
    case nil: return false
    case .inline(var rows):
      guard let place = rows.firstIndex(of: row.rawValue) else { return false }
      rows.remove(at: place)
      try putShort(rows, in: table, of: &transaction)
      return true
    case .containers(let count):
      let number = row.containerNumber
      var bitmap = try bitmap(number, in: table, of: transaction)
      let (place, bit) = row.bitmapPlace
      if bitmap[place] & bit == 0 { return false }
      if count < 2 { throw corrupt(.count(stored: UInt64(count), found: 2)) }
      bitmap[place] &= ~bit
      try put(bitmap, number, in: table, of: &transaction)
      if count - 1 > PostingList.inlineRowCount {
        try put(.containers(count: count - 1), in: table, of: &transaction)
      } else {
        try shorten(in: table, of: &transaction)
      }
      return true
    }
  }

  /// Adds many rows at once, which ascend strictly.
  ///
  /// - Returns: How many rows the list has now.
  func insert(
    _ rows: [UInt64], in table: TableHandle, of transaction: inout WriteTransaction
  ) throws(IndexError) -> Int {
    switch try head(in: table, of: transaction) {
    case nil:
      try putShort(rows, in: table, of: &transaction)
      return rows.count
    case .inline(let old):
      let all = Array(Set(old).union(rows)).sorted()
      try putShort(all, in: table, of: &transaction)
      return all.count
    case .containers(let count):
      let added = try putContainers(rows, isFresh: false, in: table, of: &transaction)
      try put(.containers(count: count + added), in: table, of: &transaction)
      return count + added
    }
  }

  /// Adds many rows at once, but for the containers of a list that is new, which are to follow.
  ///
  /// - Returns: How many rows the list has now, and whether `insertContainers` must follow.
  func insertHead(
    _ rows: [UInt64], in table: TableHandle, of transaction: inout WriteTransaction
  ) throws(IndexError) -> (count: Int, isPending: Bool) {
    guard try head(in: table, of: transaction) == nil else {
      return (try insert(rows, in: table, of: &transaction), false)
    }
    if let coding = PostingHead.shortCoding(of: rows) {
      try put(headKey, coding, in: table, of: &transaction)
      return (rows.count, false)
    }
    try put(.containers(count: rows.count), in: table, of: &transaction)
    return (rows.count, true)
  }

  /// Writes the containers of a list whose head is there.
  func insertContainers(
    _ rows: [UInt64], in table: TableHandle, of transaction: inout WriteTransaction
  ) throws(IndexError) {
    _ = try putContainers(rows, isFresh: true, in: table, of: &transaction)
  }

  /// Writes a list that is short, or was until now.
  private func putShort(
    _ rows: [UInt64], in table: TableHandle, of transaction: inout WriteTransaction
  ) throws(IndexError) {
    if rows.isEmpty {
      do throws(StoreError) {
        try transaction.delete(headKey, in: table)
      } catch {
        throw .store(error)
      }
      return
    }
    if let coding = PostingHead.shortCoding(of: rows) {
      try put(headKey, coding, in: table, of: &transaction)
      return
    }
    try put(.containers(count: rows.count), in: table, of: &transaction)
    _ = try putContainers(rows, isFresh: true, in: table, of: &transaction)
  }

  /// Adds rows to containers, and counts those that were not there.
  private func putContainers(
    _ rows: [UInt64], isFresh: Bool, in table: TableHandle, of transaction: inout WriteTransaction
  ) throws(IndexError) -> Int {
    var index = 0
    var added = 0
    while index < rows.count {
      let number = RowID(rawValue: rows[index]).containerNumber
      var bitmap =
        isFresh
        ? [UInt64](repeating: 0, count: Container.bitmapWordCount)
        : try bitmap(number, in: table, of: transaction)
      while index < rows.count && RowID(rawValue: rows[index]).containerNumber == number {
        let (place, bit) = RowID(rawValue: rows[index]).bitmapPlace
        if bitmap[place] & bit == 0 { added += 1 }
        bitmap[place] |= bit
        index += 1
      }
      try put(bitmap, number, in: table, of: &transaction)
    }
    return added
  }

  /// Moves the rows from containers into the head.
  private func shorten(
    in table: TableHandle, of transaction: inout WriteTransaction
  ) throws(IndexError) {
    let rows = try currentRows(in: table, of: transaction)
    do throws(StoreError) {
      let prefix = containerPrefix
      try transaction.deleteRange(from: prefix, to: prefix.endOfPrefix, in: table)
    } catch {
      throw .store(error)
    }
    try putShort(rows, in: table, of: &transaction)
  }

  private func currentRows(
    in table: TableHandle, of transaction: borrowing WriteTransaction
  ) throws(IndexError) -> [UInt64] {
    let view: Table
    do throws(StoreError) {
      view = try transaction.reading(table)
    } catch {
      throw .store(error)
    }
    var cost = ReadingCost()
    return try rows(in: view, &cost).map(\.rawValue)
  }

  private func head(
    in table: TableHandle, of transaction: borrowing WriteTransaction
  ) throws(IndexError) -> PostingHead? {
    let key = headKey
    let value: RawSpan?
    do throws(StoreError) {
      value = try transaction.get(key.span.memory, in: table)
    } catch {
      throw .store(error)
    }
    guard let value else { return nil }
    guard let head = PostingHead(untrusted: value) else { throw corrupt(.form("head")) }
    return head
  }

  /// The bits of container `number`, none where there is no such container.
  private func bitmap(
    _ number: UInt64, in table: TableHandle, of transaction: borrowing WriteTransaction
  ) throws(IndexError) -> [UInt64] {
    try transaction.bitmap(containerKey(number), in: table) { () -> IndexError in
      corrupt(.container(number: number))
    }
  }

  private func put(
    _ head: PostingHead, in table: TableHandle, of transaction: inout WriteTransaction
  ) throws(IndexError) {
    try put(headKey, head.coding, in: table, of: &transaction)
  }

  private func put(
    _ bitmap: [UInt64], _ number: UInt64, in table: TableHandle,
    of transaction: inout WriteTransaction
  ) throws(IndexError) {
    try transaction.put(bitmap: bitmap, containerKey(number), in: table)
  }

  private func put(
    _ key: [UInt8], _ value: [UInt8], in table: TableHandle, of transaction: inout WriteTransaction
  ) throws(IndexError) {
    do throws(StoreError) {
      try transaction.put(key, value, in: table)
    } catch {
      throw .store(error)
    }
  }
}

extension WriteTransaction {
  /// The bits of the container under `key`, none where there is no such container.
  func bitmap(
    _ key: [UInt8], in table: TableHandle, orThrow failure: () -> IndexError
  ) throws(IndexError) -> [UInt64] {
    var bitmap = [UInt64](repeating: 0, count: Container.bitmapWordCount)
    let value: RawSpan?
    do throws(StoreError) {
      value = try get(key.span.memory, in: table)
    } catch {
      throw .store(error)
    }
    if let value {
      guard let container = Container(untrusted: value) else { throw failure() }
      container.add(to: &bitmap)
    }
    return bitmap
  }

  /// Puts a container with these bits under `key`, or deletes it where there are none.
  mutating func put(
    bitmap: [UInt64], _ key: [UInt8], in table: TableHandle
  ) throws(IndexError) {
    let rowCount = bitmap.bitmapRowCount
    do throws(StoreError) {
      if rowCount == 0 {
        try delete(key, in: table)
      } else {
        try put(key, Container.coding(ofBitmap: bitmap, rowCount: rowCount), in: table)
      }
    } catch {
      throw .store(error)
    }
  }
}

extension RowID {
  /// The word and the bit of the row in its container's bitmap.
  var bitmapPlace: (word: Int, bit: UInt64) {
    let number = Int(numberInContainer)
    return (number / 64, 1 << UInt64(number % 64))
  }
}
