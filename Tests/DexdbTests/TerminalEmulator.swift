/// What a terminal would show of the bytes that a program sends: enough of one for what the screen
/// library makes of `xterm` and its like.
struct TerminalEmulator {
  private(set) var columns: Int
  private(set) var rows: Int
  private var cells: [[String]]
  private var column = 0
  private var row = 0
  private var saved = (column: 0, row: 0)
  private var region: ClosedRange<Int>
  private var pending: [UInt8] = []
  private var last = " "
  private var other: [[String]]?
  /// How often the page for whole screens came or went.
  private(set) var pageChanges = 0
  private(set) var isCursorShown = true
  /// True while it says where what is pasted begins and ends.
  private(set) var marksPastes = false {
    didSet { pasteChanges += 1 }
  }
  /// How often that was said.
  private(set) var pasteChanges = 0
  /// True while the page for whole screens is shown.
  var isOnOtherPage: Bool { other != nil }
  /// Sequences that are not known here, which a test wants to be none.
  private(set) var unknown: [String] = []

  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    cells = Self.blank(columns, rows)
    region = 0...rows - 1
  }

  private static func blank(_ columns: Int, _ rows: Int) -> [[String]] {
    Array(repeating: Array(repeating: " ", count: columns), count: rows)
  }

  var lines: [String] {
    cells.map { row in
      var text = row.joined()
      while text.last == " " { text.removeLast() }
      return text
    }
  }

  var text: String { lines.joined(separator: "\n") }

  mutating func resize(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    cells = Self.blank(columns, rows)
    region = 0...rows - 1
  }

  mutating func receive(_ bytes: [UInt8]) {
    pending += bytes
    var position = 0
    while position < pending.count, let length = take(pending[position...]) { position += length }
    pending.removeFirst(position)
  }

  /// Takes one character or sequence; nil where the rest of it is still to come.
  private mutating func take(_ bytes: ArraySlice<UInt8>) -> Int? {
    let first = bytes[bytes.startIndex]
    switch first {
    case 0x1B: return takeEscape(Array(bytes.prefix(256)))
    case 0x0D: column = 0
    case 0x0A: lineFeed()
    case 0x08: column = max(0, column - 1)
    case 0x09: column = min(columns - 1, (column / 8 + 1) * 8)
    case 0..<0x20, 0x7F: break
    default:
      let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
      if bytes.count < length { return nil }
      show(String(decoding: bytes.prefix(length), as: UTF8.self))
      return length
    }
    return 1
  }

  private mutating func show(_ text: String) {
    let width = ScreenWidth.of(text)
    if width == 0 {
      if column > 0 { cells[row][min(column, columns) - 1] += text }
      return
    }
    if column + width > columns {
      column = 0
      lineFeed()
    }
    cells[row][column] = text
    if width == 2, column + 1 < columns { cells[row][column + 1] = "" }
    column += width
    last = text
  }

  private mutating func lineFeed() {
    if row == region.upperBound { scroll(1) } else { row = min(rows - 1, row + 1) }
  }

  private mutating func scroll(_ count: Int) {
    for _ in 0..<count.magnitude {
      cells.remove(at: count > 0 ? region.lowerBound : region.upperBound)
      cells.insert(
        Array(repeating: " ", count: columns),
        at: count > 0 ? region.upperBound : region.lowerBound)
    }
  }

  private mutating func takeEscape(_ bytes: [UInt8]) -> Int? {
    if bytes.count < 2 { return nil }
    switch bytes[1] {
    case UInt8(ascii: "["):
      guard let end = bytes.dropFirst(2).firstIndex(where: { (0x40..<0x7F).contains($0) }) else {
        return nil
      }
      control(
        String(decoding: bytes[2..<end], as: UTF8.self), Character(Unicode.Scalar(bytes[end])))
      return end + 1
    case UInt8(ascii: "("), UInt8(ascii: ")"): return bytes.count < 3 ? nil : 3
    case UInt8(ascii: "7"): saved = (column, row)
    case UInt8(ascii: "8"): (column, row) = saved
    case UInt8(ascii: "M"):
      if row == region.lowerBound { scroll(-1) } else { row = max(0, row - 1) }
    case UInt8(ascii: "="), UInt8(ascii: ">"): break
    default: unknown.append("ESC \(bytes[1])")
    }
    return 2
  }

  private mutating func control(_ parameters: String, _ final: Character) {
    let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false)
      .map { Int($0) ?? 0 }
    let count = max(1, numbers.first ?? 1)
    switch final {
    case "H":
      row = min(rows, count) - 1
      column = min(columns, max(1, numbers.count > 1 ? numbers[1] : 1)) - 1
    case "d": row = min(rows, count) - 1
    case "G": column = min(columns, count) - 1
    case "A": row = max(0, row - count)
    case "B": row = min(rows - 1, row + count)
    case "C": column = min(columns - 1, column + count)
    case "D": column = max(0, column - count)
    case "J": erase(numbers.first ?? 0)
    case "K": eraseLine(numbers.first ?? 0)
    case "X": for place in column..<min(columns, column + count) { cells[row][place] = " " }
    case "b": for _ in 0..<count { show(last) }
    case "P", "@": shift(final == "P" ? count : -count)
    case "L", "M", "S", "T": scrollLines(final, count)
    case "r":
      // What was meant for a larger terminal is cut to this one.
      let end = min(rows, max(1, numbers.count > 1 ? numbers[1] : rows))
      region = min(count, end) - 1...end - 1
    case "h", "l": setMode(parameters, isOn: final == "h")
    case "m", "t", "n", "c": break
    default: unknown.append("CSI \(parameters)\(final)")
    }
  }

  private mutating func scrollLines(_ final: Character, _ count: Int) {
    let whole = region
    if final == "L" || final == "M" { region = row...region.upperBound }
    scroll(final == "M" || final == "S" ? count : -count)
    region = whole
  }

  private mutating func shift(_ count: Int) {
    for _ in 0..<count.magnitude {
      if count > 0 {
        cells[row].remove(at: min(column, columns - 1))
        cells[row].append(" ")
      } else {
        cells[row].insert(" ", at: column)
        cells[row].removeLast()
      }
    }
  }

  private mutating func erase(_ kind: Int) {
    eraseLine(kind)
    for line in 0..<rows where kind == 2 || (kind == 0 ? line > row : line < row) {
      cells[line] = Array(repeating: " ", count: columns)
    }
  }

  private mutating func eraseLine(_ kind: Int) {
    for place in 0..<columns where kind == 2 || (kind == 0 ? place >= column : place <= column) {
      cells[row][place] = " "
    }
  }

  private mutating func setMode(_ parameters: String, isOn: Bool) {
    for mode in parameters.dropFirst().split(separator: ";") {
      switch mode {
      case "25": isCursorShown = isOn
      case "2004": marksPastes = isOn
      case "1049":
        if isOn {
          if other == nil {
            other = cells
            pageChanges += 1
          }
          cells = Self.blank(columns, rows)
        } else if let before = other {
          cells = before.count == rows && before[0].count == columns ? before : cells
          other = nil
          pageChanges += 1
        }
      default: break
      }
    }
  }
}

/// Widths as a terminal counts them, apart from those of the program.
private enum ScreenWidth {
  static func of(_ text: String) -> Int {
    guard let scalar = text.unicodeScalars.first else { return 0 }
    switch scalar.value {
    case 0x300...0x36F, 0x200B...0x200F, 0xFE00...0xFE0F: return 0
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xFF00...0xFF60, 0x1F300...0x1F9FF:
      return 2
    default: return 1
    }
  }
}
