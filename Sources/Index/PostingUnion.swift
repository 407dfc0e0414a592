/// Gathers rows and containers in any order, and makes one set of them.
///
/// What is gathered lies in memory as it came, so that memory is bounded by what was read.
struct PostingUnion {
  private struct Piece {
    var number: UInt64
    var start: Int
    var count: Int
    var kind: Container.Kind
  }

  private var pieces: [Piece] = []
  private var bytes: [UInt8] = []
  private var rows: [UInt64] = []
  private var rowsAscend = true

  mutating func add(_ row: RowID) {
    if let last = rows.last, last >= row.rawValue {
      if last == row.rawValue { return }
      rowsAscend = false
    }
    rows.append(row.rawValue)
  }

  mutating func add(_ number: UInt64, _ container: Container) {
    pieces.append(
      Piece(number: number, start: bytes.count, count: container.count, kind: container.kind))
    bytes.append(copying: container.bytes)
  }

  mutating func add(_ set: PostingSet) {
    for index in set.entries.indices {
      add(set.entries[index].number, set.container(at: index))
    }
  }

  /// The set of all that was added.
  consuming func finish() -> PostingSet {
    if !rowsAscend { rows.sort() }
    addRows()
    if !zip(pieces, pieces.dropFirst()).allSatisfy({ $0.number <= $1.number }) {
      pieces.sort { $0.number < $1.number }
    }
    var builder = PostingSetBuilder()
    var bitmap = [UInt64](repeating: 0, count: Container.bitmapWordCount)
    var index = 0
    while index < pieces.count {
      let number = pieces[index].number
      let next = index + 1
      if next == pieces.count || pieces[next].number != number {
        builder.append(number, container(of: pieces[index]))
        index = next
        continue
      }
      for place in bitmap.indices { bitmap[place] = 0 }
      while index < pieces.count && pieces[index].number == number {
        container(of: pieces[index]).add(to: &bitmap)
        index += 1
      }
      builder.append(number, bitmap: bitmap)
    }
    return builder.finish()
  }

  /// Makes containers of the rows, which ascend but may repeat.
  private mutating func addRows() {
    var bitmap = [UInt64](repeating: 0, count: Container.bitmapWordCount)
    var index = 0
    while index < rows.count {
      let number = RowID(rawValue: rows[index]).containerNumber
      let start = index
      while index < rows.count && RowID(rawValue: rows[index]).containerNumber == number {
        index += 1
      }
      if index - start <= Container.arrayLimit {
        addArray(number, rows[start..<index])
      } else {
        for place in bitmap.indices { bitmap[place] = 0 }
        for row in rows[start..<index] {
          let place = Int(RowID(rawValue: row).numberInContainer)
          bitmap[place / 64] |= 1 << UInt64(place % 64)
        }
        add(number, Container(.bitmap, count: 0, bytes: bitmap.span.memory))
      }
    }
    rows = []
  }

  private mutating func addArray(_ number: UInt64, _ rows: ArraySlice<UInt64>) {
    var numbers: [UInt16] = []
    numbers.reserveCapacity(rows.count)
    for row in rows {
      let place = RowID(rawValue: row).numberInContainer
      if place != numbers.last { numbers.append(place) }
    }
    add(number, Container(.array, count: numbers.count, bytes: numbers.span.memory))
  }

  @_lifetime(borrow self)
  private func container(of piece: Piece) -> Container {
    let byteCount =
      switch piece.kind {
      case .array: 2 * piece.count
      case .bitmap: Container.bitmapByteCount
      case .runs: 4 * piece.count
      }
    return Container(
      piece.kind, count: piece.count,
      bytes: bytes.span.extracting(piece.start..<piece.start + byteCount).memory)
  }
}
