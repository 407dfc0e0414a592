import Terminal

/// A file of rows in parts that end where a row does, so that a file of any length can be read.
struct RecordChunks {
  /// What rows look like.
  enum Shape {
    /// A row is a line, whatever is in it.
    case lines
    /// Rows of CSV, where a line end between quotation marks belongs to a cell.
    case cells(separator: UInt8)
    /// Objects of JSON, which may go over several lines.
    case objects
    /// An array of objects of JSON.
    case elements
  }

  /// How much is read before a part is given out.
  static let usualByteCount = 1 << 20
  /// The most bytes of a part.
  static let maximumByteCount = 1 << 28

  private let descriptor: Int32
  private let path: String
  private var shape: Shape
  /// The byte that ends a line: of old files from a Macintosh a carriage return alone.
  private(set) var lineEnd = UInt8(ascii: "\n")
  private var pending: [UInt8] = []
  private var isAtEnd = false
  /// How many bytes were given out.
  private(set) var byteCount = 0

  init(_ descriptor: Int32, path: String, shape: Shape) throws(FileFailure) {
    self.descriptor = descriptor
    self.path = path
    self.shape = shape
    switch shape {
    case .cells:
      try readFirstLine()
      self.shape = .cells(separator: Self.separator(of: pending))
    case .lines: try readFirstLine()
    case .objects, .elements: break
    }
  }

  /// What stands between the cells.
  var separator: UInt8 {
    if case .cells(let separator) = shape { return separator }
    return UInt8(ascii: "\t")
  }

  private mutating func readFirstLine() throws(FileFailure) {
    var end: Int?
    var searched = 0
    while pending.count < Self.maximumByteCount {
      end = pending[searched...].firstIndex { $0 == 10 || $0 == 13 }
      // What follows a carriage return says what it is.
      if let end, pending[end] == 10 || end + 1 < pending.count || isAtEnd { break }
      if isAtEnd { break }
      searched = end ?? pending.count
      try readMore()
    }
    guard let end, pending[end] == 13 else { return }
    if end + 1 == pending.count || pending[end + 1] != 10 { lineEnd = 13 }
  }

  private mutating func readMore() throws(FileFailure) {
    let more: [UInt8]
    do throws(FileFailure) {
      more = try SystemCalls.read(descriptor)
    } catch {
      throw FileFailure(path: path, reason: error.reason)
    }
    isAtEnd = more.isEmpty
    pending += more
  }

  /// The separator of CSV as people write it: whichever of comma, semicolon and tab the first line
  /// has most of, or what a line `sep=;` before it says.
  static func separator(of bytes: [UInt8]) -> UInt8 {
    let line = bytes.prefix { $0 != 10 && $0 != 13 }
    if let chosen = announcedSeparator(Array(line)) { return chosen }
    var counts: [UInt8: Int] = [:]
    var isQuoted = false
    for byte in line {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if !isQuoted { counts[byte, default: 0] += 1 }
    }
    let comma = UInt8(ascii: ",")
    var best = comma
    for other in [UInt8(ascii: ";"), 9] where counts[other, default: 0] > counts[best, default: 0] {
      best = other
    }
    return best
  }

  /// What a first line `sep=;` says, which spreadsheets write.
  static func announcedSeparator(_ line: [UInt8]) -> UInt8? {
    var line = line[...]
    if line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
    if line.last == 13 { line.removeLast() }
    guard line.count == 5, line.dropLast().elementsEqual("sep=".utf8) else { return nil }
    return line.last
  }

  /// The next part; nil at the end of the file.
  mutating func next() throws(FileFailure) -> [UInt8]? {
    var end = 0
    var searched = 0
    var state = State()
    while true {
      for place in pending[searched...].indices
      where state.endsRow(pending[place], shape, lineEnd) { end = place + 1 }
      searched = pending.count
      if isAtEnd {
        if pending.isEmpty { return nil }
        end = pending.count
      }
      if end > 0, isAtEnd || pending.count >= Self.usualByteCount {
        let part = Array(pending[..<end])
        pending.removeFirst(end)
        byteCount += part.count
        return part
      }
      if pending.count > Self.maximumByteCount {
        throw FileFailure(path: path, reason: "a row of more than \(Self.maximumByteCount) bytes")
      }
      try readMore()
    }
  }

  /// Where in a row a byte stands.
  private struct State {
    private var isQuoted = false
    private var isEscaped = false
    private var isAtStart = true
    private var depth = 0

    /// True where a row ends with `byte`.
    mutating func endsRow(_ byte: UInt8, _ shape: Shape, _ lineEnd: UInt8) -> Bool {
      switch shape {
      case .lines: return byte == lineEnd
      case .cells(let separator):
        // A mark within a cell that does not begin with one means nothing.
        if byte == UInt8(ascii: "\""), isQuoted || isAtStart { isQuoted.toggle() }
        isAtStart =
          !isQuoted && (byte == separator || byte == lineEnd)
          || byte == UInt8(ascii: "\"") && !isQuoted
        return byte == lineEnd && !isQuoted
      case .objects: return endsObject(byte)
      case .elements: return endsElement(byte)
      }
    }

    /// True where a closed object ends, whatever stands between it and the next.
    private mutating func endsElement(_ byte: UInt8) -> Bool {
      _ = endsObject(byte)
      return !isQuoted && depth <= 0 && byte == UInt8(ascii: "}")
    }

    private mutating func endsObject(_ byte: UInt8) -> Bool {
      if isEscaped {
        isEscaped = false
      } else if isQuoted {
        if byte == UInt8(ascii: "\\") { isEscaped = true }
        if byte == UInt8(ascii: "\"") { isQuoted = false }
      } else {
        switch byte {
        case UInt8(ascii: "\""): isQuoted = true
        case UInt8(ascii: "{"): depth += 1
        case UInt8(ascii: "}"): depth -= 1
        case 10: return depth <= 0
        default: break
        }
      }
      return false
    }
  }
}
