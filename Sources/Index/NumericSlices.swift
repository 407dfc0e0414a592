internal import PageStore

/// The numbers of all rows, cut in slices: for each bit the rows whose number has it.
///
/// A range of any width is found by going once through the slices of each container, however many
/// numbers it holds. The slices of a container lie side by side, from the lowest bit up, and last
/// the rows that have a number at all.
///
/// - Source: O'Neil and Quass, "Improved query performance with variant indexes", 1997, § 3.
struct NumericSlices {
  let index: String

  /// The slice of the rows that have a number.
  private static let presence: UInt8 = 64

  private static func prefix(_ number: UInt64) -> [UInt8] {
    [PostingList.Family.slice.rawValue] + number.containerKeyBytes
  }

  private func corrupt(_ key: [UInt8], _ problem: IndexError.Problem) -> IndexError {
    .corrupt(index: index, term: key, problem)
  }

  /// The number of `row`, or nil where it has none.
  func number(of row: RowID, in table: Table) throws(IndexError) -> NumericKey? {
    var number: UInt64 = 0
    var isPresent = false
    try forEachSlice(of: row.containerNumber, in: table) { slice, container in
      if !container.contains(row.numberInContainer) { return }
      if slice == NumericSlices.presence { isPresent = true } else { number |= 1 << UInt64(slice) }
    }
    return isPresent ? NumericKey(rawValue: number) : nil
  }

  private func forEachSlice(
    of number: UInt64, in table: Table, _ body: (UInt8, Container) -> Void
  ) throws(IndexError) {
    var cost = ReadingCost()
    try forEachSlice(window: number...number, within: nil, in: table, &cost) {
      (_, slice, container) in body(slice, container)
    }
  }

  /// Sets or clears the bits of `row`'s number.
  func change(
    _ row: RowID, _ number: NumericKey, isSet: Bool, in table: TableHandle,
    of transaction: inout WriteTransaction
  ) throws(IndexError) {
    let prefix = NumericSlices.prefix(row.containerNumber)
    let (word, bit) = row.bitmapPlace
    for slice in 0...NumericSlices.presence {
      let isPresence = slice == NumericSlices.presence
      if !isPresence && number.rawValue >> UInt64(slice) & 1 == 0 { continue }
      let key = prefix + [slice]
      var bitmap = try transaction.bitmap(key, in: table) { () -> IndexError in
        corrupt(key, .container(number: row.containerNumber))
      }
      if isSet { bitmap[word] |= bit } else { bitmap[word] &= ~bit }
      try transaction.put(bitmap: bitmap, key, in: table)
    }
  }

  /// The rows whose numbers are from `lower` through `upper`.
  ///
  /// Where there is a `set`, only its containers are looked at.
  func forEachMatch(
    from lower: NumericKey, through upper: NumericKey, window: ContainerWindow,
    within set: PostingSet?, in table: Table, _ cost: inout ReadingCost,
    _ body: (_ number: UInt64, _ rows: [UInt64]) -> Void
  ) throws(IndexError) {
    var comparison = SliceComparison(lower, upper)
    try forEachSlice(window: window, within: set, in: table, &cost) { number, slice, container in
      if slice == NumericSlices.presence {
        body(number, comparison.finish(container))
      } else {
        comparison.fold(slice, container)
      }
    }
  }

  /// Calls `body` with each slice of the containers in `window`, and of these in `set` only.
  private func forEachSlice(
    window: ContainerWindow, within set: PostingSet?, in table: Table, _ cost: inout ReadingCost,
    _ body: (_ number: UInt64, _ slice: UInt8, Container) throws(IndexError) -> Void
  ) throws(IndexError) {
    var cursor = SliceCursor(
      self, in: table, from: NumericSlices.prefix(window.lowerBound))
    var index = 0
    var isThere = try cursor.next()
    while isThere {
      let number = cursor.number
      if number > window.upperBound { break }
      if let set {
        index = set.firstIndex(from: number, after: index)
        if index == set.entries.count { break }
        let wanted = set.entries[index].number
        if wanted != number {
          isThere = try cursor.seek(NumericSlices.prefix(wanted))
          continue
        }
      }
      var last: UInt8 = 0
      while isThere && cursor.number == number {
        last = cursor.slice
        try body(number, last, try cursor.container)
        isThere = try cursor.next()
      }
      if last != NumericSlices.presence {
        throw corrupt(NumericSlices.prefix(number), .stray(number: number))
      }
    }
    cost.cellCount += cursor.cellCount
  }

  /// How many rows have a number, and the first container in which rows without one have bits.
  func census(in table: Table) throws(IndexError) -> (rowCount: Int, stray: UInt64?) {
    var cost = ReadingCost()
    var rowCount = 0
    var stray: UInt64?
    var bits = [UInt64](repeating: 0, count: Container.bitmapWordCount)
    try forEachSlice(window: .everything, within: nil, in: table, &cost) {
      number, slice, container in
      if slice != NumericSlices.presence {
        container.add(to: &bits)
        return
      }
      var present = [UInt64](repeating: 0, count: Container.bitmapWordCount)
      container.add(to: &present)
      rowCount += present.bitmapRowCount
      if stray == nil, zip(bits, present).contains(where: { $0 & ~$1 != 0 }) { stray = number }
      for place in bits.indices { bits[place] = 0 }
    }
    return (rowCount, stray)
  }

  /// Calls `body` with each row that has a number, and `visit` with each container of rows.
  ///
  /// - Throws: What `visit` throws; `.corrupt`, also where a row without a number has bits.
  func forEachNumber(
    in table: Table, visit: () throws(StoreError) -> Void,
    _ body: (_ row: UInt64, _ number: UInt64) -> Void
  ) throws(IndexError) {
    var cost = ReadingCost()
    var numbers = [UInt64](repeating: 0, count: Container.rowCount)
    var stray: UInt64?
    try forEachSlice(window: .everything, within: nil, in: table, &cost) {
      (number, slice, container) throws(IndexError) in
      if slice != NumericSlices.presence {
        for place in container.numbers { numbers[Int(place)] |= 1 << UInt64(slice) }
        return
      }
      do throws(StoreError) {
        try visit()
      } catch {
        throw .store(error)
      }
      for place in container.numbers {
        body(RowID(number, place).rawValue, numbers[Int(place)])
        numbers[Int(place)] = 0
      }
      for place in numbers.indices where numbers[place] != 0 {
        if stray == nil { stray = number }
        numbers[place] = 0
      }
    }
    if let stray { throw corrupt(NumericSlices.prefix(stray), .stray(number: stray)) }
  }

  /// Adds numbers of many rows, which ascend.
  func insert(
    _ rows: [(row: UInt64, number: UInt64)], in table: TableHandle,
    of transaction: inout WriteTransaction
  ) throws(IndexError) {
    var index = 0
    while index < rows.count {
      let number = RowID(rawValue: rows[index].row).containerNumber
      let start = index
      var bits: UInt64 = 0
      while index < rows.count && RowID(rawValue: rows[index].row).containerNumber == number {
        bits |= rows[index].number
        index += 1
      }
      let prefix = NumericSlices.prefix(number)
      for slice in 0...NumericSlices.presence {
        let isPresence = slice == NumericSlices.presence
        if !isPresence && bits >> UInt64(slice) & 1 == 0 { continue }
        let key = prefix + [slice]
        var bitmap = try transaction.bitmap(key, in: table) { () -> IndexError in
          corrupt(key, .container(number: number))
        }
        for entry in rows[start..<index] {
          if !isPresence && entry.number >> UInt64(slice) & 1 == 0 { continue }
          let (word, bit) = RowID(rawValue: entry.row).bitmapPlace
          if isPresence && bitmap[word] & bit != 0 {
            throw .hasNumber(index: self.index, RowID(rawValue: entry.row))
          }
          bitmap[word] |= bit
        }
        try transaction.put(bitmap: bitmap, key, in: table)
      }
    }
  }
}

/// A place among the slices of an index.
struct SliceCursor: ~Copyable, ~Escapable {
  private var cursor: Cursor
  private let slices: NumericSlices
  private(set) var number: UInt64 = 0
  private(set) var slice: UInt8 = 0
  private(set) var cellCount = 0

  @_lifetime(copy table)
  init(_ slices: NumericSlices, in table: Table, from key: [UInt8]) {
    self.slices = slices
    cursor = table.cursor(from: key, to: [PostingList.Family.slice.rawValue + 1])
  }

  @_lifetime(self: copy self)
  mutating func next() throws(IndexError) -> Bool {
    let isThere: Bool
    do throws(StoreError) {
      isThere = try cursor.next()
    } catch {
      throw .store(error)
    }
    return try follow(isThere)
  }

  @_lifetime(self: copy self)
  mutating func seek(_ key: [UInt8]) throws(IndexError) -> Bool {
    let isThere: Bool
    do throws(StoreError) {
      isThere = try cursor.seek(key)
    } catch {
      throw .store(error)
    }
    return try follow(isThere)
  }

  @_lifetime(self: copy self)
  private mutating func follow(_ isThere: Bool) throws(IndexError) -> Bool {
    if !isThere { return false }
    cellCount += 1
    let key = cursor.key
    guard key.byteCount == 2 + PostingList.numberByteCount else {
      throw .corrupt(index: slices.index, term: key.array, .form("key of a slice"))
    }
    slice = key.byte(at: 1 + PostingList.numberByteCount)
    guard let number = key.containerNumber(at: 1), slice <= 64 else {
      throw .corrupt(index: slices.index, term: key.array, .form("key of a slice"))
    }
    self.number = number
    return true
  }

  /// The container of the slice.
  var container: Container {
    @_lifetime(copy self) get throws(IndexError) {
      let value: RawSpan
      do throws(StoreError) {
        value = try cursor.value
      } catch {
        throw .store(error)
      }
      guard let container = Container(untrusted: value) else {
        throw .corrupt(index: slices.index, term: cursor.key.array, .container(number: number))
      }
      return container
    }
  }
}

/// Compares the numbers of one container with two bounds, slice by slice from the lowest.
private struct SliceComparison {
  private let lower: UInt64
  private let upper: UInt64
  /// The rows whose lower bits are at least, and at most, those of the bounds.
  private var atLeast = [UInt64](repeating: .max, count: Container.bitmapWordCount)
  private var atMost = [UInt64](repeating: .max, count: Container.bitmapWordCount)
  /// The next slice; those left out hold no row.
  private var next: UInt8 = 0

  init(_ lower: NumericKey, _ upper: NumericKey) {
    self.lower = lower.rawValue
    self.upper = upper.rawValue
  }

  mutating func fold(_ slice: UInt8, _ container: Container) {
    skip(to: slice)
    container.compareSlice(
      lowerBit: lower >> UInt64(slice) & 1 == 1, upperBit: upper >> UInt64(slice) & 1 == 1,
      atLeast: &atLeast, atMost: &atMost)
    next = slice + 1
  }

  /// Takes the slices before `slice` as empty: no row has one of their bits.
  private mutating func skip(to slice: UInt8) {
    if slice <= next { return }
    let mask = (slice == 64 ? .max : (UInt64(1) << UInt64(slice)) - 1) & (.max << UInt64(next))
    if lower & mask != 0 { for place in atLeast.indices { atLeast[place] = 0 } }
    if upper & mask != 0 { for place in atMost.indices { atMost[place] = .max } }
  }

  /// The rows that pass both bounds, among those that have a number; begins anew.
  mutating func finish(_ presence: Container) -> [UInt64] {
    skip(to: 64)
    var rows = [UInt64](repeating: 0, count: Container.bitmapWordCount)
    presence.add(to: &rows)
    for place in rows.indices { rows[place] &= atLeast[place] & atMost[place] }
    next = 0
    for place in atLeast.indices {
      atLeast[place] = .max
      atMost[place] = .max
    }
    return rows
  }
}
