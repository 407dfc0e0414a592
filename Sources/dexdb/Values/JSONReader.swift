import Terminal

/// Reads records as JSON (RFC 8259): an array of objects, or an object a line.
struct JSONReader {
  private var bytes: [UInt8]
  private var position = 0
  private var line = 1
  private var lineStart = 0
  private var place = Place.start

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  /// What can follow in an array of objects, which comes in parts.
  private enum Place {
    case start, first, next, separator, end
  }

  /// Runs `body` on each object of the next part of the array that the file is.
  mutating func forEachElement(_ body: (ImportedRow) throws -> Void) throws {
    while true {
      skipSpace()
      if position == bytes.count { return }
      switch place {
      case .start:
        try expect("[", "an array of objects")
        place = .first
      case .first where take("]"): place = .end
      case .first, .next:
        try body(try object())
        place = .separator
      case .separator where take("]"): place = .end
      case .separator:
        try expect(",", "',' or ']'")
        place = .next
      case .end: throw failure("something after the end of the array")
      }
    }
  }

  /// Complains where the file ends within the array.
  mutating func finishElements() throws {
    switch place {
    case .start: try expect("[", "an array of objects")
    case .first, .next: throw failure("an object is missing")
    case .separator: throw failure("',' or ']' is missing")
    case .end: break
    }
  }

  /// Goes on with the next part of a file.
  mutating func take(part: [UInt8]) {
    // A part of an array may end within a line.
    lineStart -= position
    position = 0
    if line == 1, lineStart == 0, part.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    bytes = part
  }

  /// Runs `body` on each object of a file of lines.
  mutating func forEachLine(_ body: (ImportedRow) throws -> Void) throws {
    skipSpace()
    while position < bytes.count {
      try body(try object())
      skipSpace()
    }
  }

  private mutating func object() throws -> ImportedRow {
    var row = ImportedRow(line: line, values: [])
    try expect("{", "an object")
    skipSpace()
    if take("}") { return row }
    repeat {
      skipSpace()
      let column = position - lineStart + 1
      let name = try string()
      skipSpace()
      try expect(":", "':'")
      skipSpace()
      if row.values.contains(where: { $0.name == name }) {
        throw failure("'\(TerminalText.excerpt(name))' stands twice in an object")
      }
      row.values.append((name, try value(), column))
      skipSpace()
    } while take(",")
    try expect("}", "',' or '}'")
    return row
  }

  private mutating func value() throws -> OutputValue {
    switch position < bytes.count ? bytes[position] : 0 {
    case UInt8(ascii: "\""): return .text(try string())
    case UInt8(ascii: "["): return .list(try list())
    case UInt8(ascii: "{"): return .map(try map())
    case UInt8(ascii: "t"): return try word("true", .flag(true))
    case UInt8(ascii: "f"): return try word("false", .flag(false))
    case UInt8(ascii: "n"): return try word("null", .absent)
    default: return .number(try number())
    }
  }

  private mutating func word(_ word: String, _ value: OutputValue) throws -> OutputValue {
    guard bytes[position...].starts(with: word.utf8) else { throw failure("no value") }
    position += word.utf8.count
    return value
  }

  private mutating func list() throws -> [String] {
    try expect("[", "'['")
    skipSpace()
    var items: [String] = []
    if take("]") { return items }
    repeat {
      skipSpace()
      try refuseNesting("a list")
      items.append(try string())
      skipSpace()
    } while take(",")
    try expect("]", "',' or ']'")
    return items
  }

  private mutating func map() throws -> [OutputValue.Entry] {
    try expect("{", "'{'")
    skipSpace()
    var entries: [OutputValue.Entry] = []
    if take("}") { return entries }
    repeat {
      skipSpace()
      let key = try string()
      skipSpace()
      try expect(":", "':'")
      skipSpace()
      try refuseNesting("an object in a record")
      entries.append(.init(key: key, text: try string()))
      skipSpace()
    } while take(",")
    try expect("}", "',' or '}'")
    return entries
  }

  /// No field holds more than texts: a deeper value is refused before anything looks into it.
  private func refuseNesting(_ holder: String) throws {
    guard position < bytes.count, bytes[position] != UInt8(ascii: "\"") else { return }
    let isNested = bytes[position] == UInt8(ascii: "[") || bytes[position] == UInt8(ascii: "{")
    throw failure(
      isNested ? "\(holder) cannot hold lists and objects" : "\(holder) holds texts alone")
  }

  private mutating func number() throws -> String {
    let start = position
    let allowed = Set("+-.0123456789eE".utf8)
    while position < bytes.count, allowed.contains(bytes[position]) { position += 1 }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    guard Double(text) != nil else {
      position = start
      throw failure("no value")
    }
    return text
  }

  private mutating func string() throws -> String {
    try expect("\"", "a text in quotes")
    var content: [UInt8] = []
    let start = position
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let text = String(validating: content, as: UTF8.self) else {
          position = start
          throw failure("the text is not UTF-8")
        }
        return text
      case UInt8(ascii: "\\"): content += Array(String(Character(try escape())).utf8)
      case 0..<0x20:
        throw failure("a control character in a text")
      default: content.append(byte)
      }
    }
    position = start
    throw failure("the text is not closed")
  }

  private mutating func escape() throws -> Unicode.Scalar {
    let byte = position < bytes.count ? bytes[position] : 0
    position += 1
    switch byte {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      let first = try unit()
      if let scalar = Unicode.Scalar(first) { return scalar }
      guard first < 0xDC00, take("\\"), take("u") else { throw failure("half of a character") }
      let second = try unit()
      guard (0xDC00..<0xE000).contains(second),
        let scalar = Unicode.Scalar(
          0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
      else { throw failure("half of a character") }
      return scalar
    default: throw failure("no such escape")
    }
  }

  private mutating func unit() throws -> UInt16 {
    let digits = bytes[position...].prefix(4)
    guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw failure("\\u needs four digits") }
    position += 4
    return unit
  }

  // Bytes

  private mutating func skipSpace() {
    while position < bytes.count, [9, 10, 13, 32].contains(bytes[position]) {
      position += 1
      if bytes[position - 1] == 10 {
        line += 1
        lineStart = position
      }
    }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard position < bytes.count, UInt32(bytes[position]) == character.value else { return false }
    position += 1
    return true
  }

  private mutating func expect(_ character: Unicode.Scalar, _ what: String) throws {
    if !take(character) { throw failure("\(what) is missing") }
  }

  private func failure(_ message: String) -> ImportError {
    ImportError(line: line, column: max(1, position - lineStart + 1), message: message)
  }
}
