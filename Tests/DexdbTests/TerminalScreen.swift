/// What a terminal would show of the bytes that a program wrote: a plain reader of the common
/// sequences, which leaves colours out.
struct TerminalScreen {
  private(set) var columns: Int
  private(set) var rows: Int
  private var cells: [[Character]]
  private(set) var column = 0
  private(set) var row = 0
  /// True while the other screen is shown, which programs that fill it use.
  private(set) var isAlternate = false
  private(set) var takesPaste = false
  private var saved = (column: 0, row: 0)
  private var pending: [UInt8] = []
  /// Lines that went out at the top.
  private(set) var gone: [String] = []

  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
  }

  /// The lines of the screen without the spaces at their ends.
  var lines: [String] { cells.map(Self.line) }

  /// The line where the cursor is, up to it.
  var beforeCursor: String { String(cells[row].prefix(column)) }

  /// Everything that has been shown.
  var all: String { (gone + lines).joined(separator: "\n") }

  private static func line(_ cells: [Character]) -> String {
    var cells = cells[...]
    while cells.last == " " { cells.removeLast() }
    return String(cells.filter { $0 != "\0" })
  }

  mutating func resize(columns: Int, rows: Int) {
    while cells.count > rows {
      gone.append(Self.line(cells.removeFirst()))
      row = max(0, row - 1)
    }
    while cells.count < rows { cells.append([]) }
    self.columns = columns
    self.rows = rows
    for index in cells.indices {
      cells[index] = Array(cells[index].prefix(columns))
      cells[index] += Array(repeating: " ", count: columns - cells[index].count)
    }
    column = min(column, columns - 1)
  }

  mutating func take(_ bytes: [UInt8]) {
    pending += bytes
    var position = 0
    while position < pending.count, let end = step(from: position) { position = end }
    pending.removeFirst(position)
  }

  /// Takes what begins at `start`; nil where its end has not come yet.
  private mutating func step(from start: Int) -> Int? {
    let byte = pending[start]
    if byte == 0x1B { return escape(from: start + 1) }
    if byte < 0x20 || byte == 0x7F {
      control(byte)
      return start + 1
    }
    let count = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
    guard start + count <= pending.count else { return nil }
    put(String(decoding: pending[start..<start + count], as: UTF8.self).first ?? "?")
    return start + count
  }

  private mutating func control(_ byte: UInt8) {
    switch byte {
    case 8: column = max(0, column - 1)
    case 9: column = min(columns - 1, column / 8 * 8 + 8)
    case 10: lineFeed()
    case 13: column = 0
    default: break
    }
  }

  private mutating func lineFeed() {
    if row + 1 < rows {
      row += 1
    } else {
      let first = cells.removeFirst()
      if !isAlternate { gone.append(Self.line(first)) }
      cells.append(Array(repeating: " ", count: columns))
    }
  }

  private mutating func put(_ character: Character) {
    let isWide = character.unicodeScalars.first.map { $0.value >= 0x1100 && $0.value < 0xFFE0 }
    let isBox = character.unicodeScalars.first.map { (0x2000..<0x2E80).contains($0.value) }
    let width = isWide == true && isBox != true ? 2 : 1
    if column + width > columns {
      column = 0
      lineFeed()
    }
    cells[row][column] = character
    if width == 2 { cells[row][column + 1] = "\0" }
    column += width
  }

  private mutating func escape(from start: Int) -> Int? {
    guard start < pending.count else { return nil }
    switch pending[start] {
    case UInt8(ascii: "["): return sequence(from: start + 1)
    case UInt8(ascii: "]"):
      guard let end = pending[start...].firstIndex(of: 7) else { return nil }
      return end + 1
    case UInt8(ascii: "("), UInt8(ascii: ")"): return start + 1 < pending.count ? start + 2 : nil
    case UInt8(ascii: "7"): saved = (column, row)
    case UInt8(ascii: "8"): (column, row) = saved
    case UInt8(ascii: "M"): row = max(0, row - 1)
    default: break
    }
    return start + 1
  }

  private mutating func sequence(from start: Int) -> Int? {
    guard let end = pending[start...].firstIndex(where: { (0x40...0x7E).contains($0) }) else {
      return nil
    }
    let text = String(decoding: pending[start..<end], as: UTF8.self)
    let numbers = text.drop { $0 == "?" }.split(
      separator: ";", omittingEmptySubsequences: false
    ).map { Int($0) ?? 0 }
    let letter = Character(Unicode.Scalar(pending[end]))
    if text.hasPrefix("?") {
      for number in numbers { mode(number, letter == "h") }
    } else {
      move(letter, numbers)
    }
    return end + 1
  }

  private mutating func mode(_ number: Int, _ isOn: Bool) {
    if number == 2004 { takesPaste = isOn }
    if number == 1049 || number == 47 {
      isAlternate = isOn
      if isOn { erase(0, 0, rows - 1, columns) }
    }
  }

  private mutating func move(_ letter: Character, _ numbers: [Int]) {
    let count = max(1, numbers.first ?? 1)
    switch letter {
    case "A": row = max(0, row - count)
    case "B": row = min(rows - 1, row + count)
    case "C": column = min(columns - 1, column + count)
    case "D": column = max(0, min(column, columns - 1) - count)
    case "G", "`": column = min(columns - 1, count - 1)
    case "d": row = min(rows - 1, count - 1)
    case "H", "f":
      row = min(rows - 1, count - 1)
      column = min(columns - 1, max(1, numbers.count > 1 ? numbers[1] : 1) - 1)
    case "J":
      if numbers.first == 2 {
        erase(0, 0, rows - 1, columns)
      } else if numbers.first == 1 {
        erase(0, 0, row, column + 1)
      } else {
        erase(row, column, rows - 1, columns)
      }
    case "K":
      let from = (numbers.first ?? 0) == 0 ? column : 0
      erase(row, from, row, numbers.first == 1 ? column + 1 : columns)
    case "X": erase(row, column, row, column + count)
    case "P":
      cells[row].removeSubrange(column..<min(columns, column + count))
      cells[row] += Array(repeating: " ", count: columns - cells[row].count)
    case "@":
      cells[row].insert(contentsOf: Array(repeating: " ", count: count), at: column)
      cells[row] = Array(cells[row].prefix(columns))
    default: break
    }
  }

  /// Empties the cells from the one place up to before the other.
  private mutating func erase(_ row: Int, _ column: Int, _ lastRow: Int, _ end: Int) {
    for index in row...max(row, lastRow) {
      let from = index == row ? min(column, columns) : 0
      let upper = index == lastRow ? min(end, columns) : columns
      if from < upper { for place in from..<upper { cells[index][place] = " " } }
    }
  }
}
