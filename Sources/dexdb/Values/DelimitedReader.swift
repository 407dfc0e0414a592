import PageStore
import Terminal

/// A row of a file, and where it stands.
struct ImportedRow {
  /// Counted from 1; the line that the row begins on.
  var line: Int
  /// The names of the columns with their values and the columns that these begin in, from 1.
  var values: [(name: String, value: OutputValue, column: Int)]
}

/// What is wrong with a file, and where.
struct ImportError: Error, Equatable {
  var line: Int
  var column: Int
  var field: String?
  var message: String
}

/// Reads CSV (RFC 4180, and with other separators) and TSV as this program writes them; the first
/// row names the columns.
struct DelimitedReader {
  private var bytes: [UInt8] = []
  private let isCSV: Bool
  private let separator: UInt8
  private let lineEnd: UInt8
  private var position = 0
  private var line = 1
  private var lineStart = 0
  /// The names of the columns, once they have been read.
  private var names: [String]?
  /// The first thing that is wrong with the row's cells, though the row's end is certain.
  private var flaw: ImportError?

  init(isCSV: Bool, separator: UInt8, lineEnd: UInt8 = 10) {
    self.isCSV = isCSV
    self.separator = separator
    self.lineEnd = lineEnd
  }

  private typealias Cell = (value: OutputValue, column: Int)

  /// Runs `body` on each row of the next part of the file, which ends where a row does, and `head`
  /// on the row of names; `refuse` decides about a row that is wrong and whose end is certain.
  mutating func forEachRow(
    in part: [UInt8], head: (ImportedRow) throws -> Void = { _ in },
    refuse: (ImportError) throws -> Void = { throw $0 },
    _ body: (ImportedRow) throws -> Void
  ) throws {
    bytes = part
    position = 0
    lineStart = 0
    if names == nil { try readNames(head) }
    guard let names else { return }
    while position < bytes.count {
      let start = line
      let cells = try row()
      if let flaw {
        try refuse(flaw)
        continue
      }
      if cells.count == 1, cells[0].value == .absent { continue }
      guard cells.count == names.count else {
        try refuse(
          ImportError(
            line: start, column: 1,
            message: "\(cells.count.counted("cell")) where \(names.count) should be"))
        continue
      }
      try body(
        ImportedRow(
          line: start,
          values: zip(names, cells).map { (name: $0, value: $1.value, column: $1.column) }))
    }
  }

  /// Ends the file.
  func finish() throws {
    if names == nil { throw ImportError(line: 1, column: 1, message: "the file is empty") }
  }

  private mutating func readNames(_ head: (ImportedRow) throws -> Void) throws {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      position = 3
      lineStart = 3
    }
    let first = Array(bytes[position...].prefix { $0 != lineEnd })
    if isCSV, RecordChunks.announcedSeparator(first) != nil {
      position = min(bytes.count, position + first.count + 1)
      line += 1
      lineStart = position
    }
    guard position < bytes.count else { return }
    let start = line
    let cells = try row()
    if let flaw { throw flaw }
    let names = cells.map(\.value.cell)
    if let empty = names.firstIndex(of: "") {
      throw ImportError(
        line: start, column: cells[empty].column, message: "column \(empty + 1) has no name")
    }
    self.names = names
    try head(
      ImportedRow(
        line: start,
        values: cells.map { (name: $0.value.cell, value: $0.value, column: $0.column) }))
  }

  private mutating func row() throws -> [Cell] {
    var cells: [Cell] = []
    cells.reserveCapacity(names?.count ?? 8)
    flaw = nil
    while true {
      let column = position - lineStart + 1
      let value =
        isCSV && position < bytes.count && bytes[position] == UInt8(ascii: "\"")
        ? try quoted() : bare()
      cells.append((value, column))
      guard position < bytes.count else { return cells }
      let byte = bytes[position]
      position += 1
      if byte == separator { continue }
      if byte == 13, position < bytes.count, bytes[position] == 10 { position += 1 }
      line += 1
      lineStart = position
      return cells
    }
  }

  private mutating func bare() -> OutputValue {
    let start = position
    while position < bytes.count, bytes[position] != separator, bytes[position] != lineEnd {
      if bytes[position] == 13, position + 1 < bytes.count, bytes[position + 1] == 10 { break }
      position += 1
    }
    let slice = bytes[start..<position]
    if slice.isEmpty { return .absent }
    if isCSV || !slice.contains(UInt8(ascii: "\\")) { return text(slice, at: start) }
    return text(unescaped(slice), at: start)
  }

  private mutating func quoted() throws -> OutputValue {
    let start = position
    let startLine = line
    var content: [UInt8] = []
    position += 1
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == UInt8(ascii: "\"") {
        guard position < bytes.count, bytes[position] == byte else {
          let isEnd =
            position == bytes.count || [10, 13, separator].contains(bytes[position])
          if !isEnd { try skipTail() }
          return text(content, at: start)
        }
        position += 1
      }
      if byte == lineEnd {
        line += 1
        lineStart = position
      }
      content.append(byte)
    }
    throw ImportError(line: startLine, column: 1, message: "a quote is not closed")
  }

  /// Goes past what stands between a closing quote and the cell's end, which another quote would
  /// make uncertain.
  private mutating func skipTail() throws {
    let failure = failure("text after the closing quote", at: position)
    let start = position
    _ = bare()
    if bytes[start..<position].contains(UInt8(ascii: "\"")) { throw failure }
    flaw = flaw ?? failure
  }

  private mutating func unescaped(_ slice: ArraySlice<UInt8>) -> [UInt8] {
    if slice.elementsEqual("\\e".utf8) { return [] }
    var content: [UInt8] = []
    var index = slice.startIndex
    while index < slice.endIndex {
      guard slice[index] == UInt8(ascii: "\\") else {
        content.append(slice[index])
        index += 1
        continue
      }
      switch index + 1 < slice.endIndex ? slice[index + 1] : 0 {
      case UInt8(ascii: "t"): content.append(9)
      case UInt8(ascii: "n"): content.append(10)
      case UInt8(ascii: "r"): content.append(13)
      case UInt8(ascii: "\\"): content.append(UInt8(ascii: "\\"))
      default: note("a backslash before something else than t, n, r or \\", at: index)
      }
      index += 2
    }
    return content
  }

  private mutating func text(_ content: some Collection<UInt8>, at place: Int) -> OutputValue {
    guard let text = String(validating: content, as: UTF8.self) else {
      note("the text is not UTF-8", at: place)
      return .absent
    }
    return .text(text)
  }

  /// Notes what is wrong with a cell; the first one is what counts.
  private mutating func note(_ message: String, at place: Int) {
    if flaw == nil { flaw = failure(message, at: place) }
  }

  private func failure(_ message: String, at place: Int) -> ImportError {
    ImportError(line: line, column: max(1, place - lineStart + 1), message: message)
  }
}
