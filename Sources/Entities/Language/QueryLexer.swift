/// Cuts a line into parentheses, minuses and words.
///
/// A minus is one only where a word would begin; inside a word it is a part of it.
struct QueryLexer {
  private let line: QueryLine
  private var position = 0
  private var tokens: [QueryToken] = []

  static func tokens(of line: QueryLine) throws(QueryError) -> [QueryToken] {
    var lexer = QueryLexer(line: line)
    try lexer.run()
    return lexer.tokens
  }

  private init(line: QueryLine) { self.line = line }

  private var scalar: Unicode.Scalar? {
    position < line.scalars.count ? line.scalars[position] : nil
  }

  private mutating func run() throws(QueryError) {
    while let scalar {
      let start = position
      if scalar.properties.isWhitespace {
        position += 1
      } else if scalar == "(" || scalar == ")" {
        position += 1
        tokens.append(QueryToken(kind: scalar == "(" ? .open : .close, range: start..<position))
      } else if scalar == "-" {
        position += 1
        tokens.append(QueryToken(kind: .minus, range: start..<position))
        try checkMinus(at: start)
      } else {
        tokens.append(try word())
      }
    }
  }

  /// A minus stands right before what it negates.
  private func checkMinus(at start: Int) throws(QueryError) {
    if let next = scalar, !next.properties.isWhitespace, next != ")" { return }
    let rest = line.scalars[position...].drop { $0.properties.isWhitespace }
      .prefix { !$0.properties.isWhitespace }
    let isFollowed = !rest.isEmpty && scalar != ")"
    throw line.error(
      isFollowed ? "a space after '-'" : "nothing after '-'", at: start..<start + 1,
      isFollowed ? "write -\(rest.text)" : "'-' stands before what is not wanted, such as -t:fire")
  }

  private mutating func word() throws(QueryError) -> QueryToken {
    let start = position
    var pieces: [QueryToken.Piece] = []
    while let scalar, !endsWord(scalar) {
      pieces.append(scalar == "\"" ? try quoted() : bare())
    }
    return QueryToken(kind: .word, range: start..<position, pieces: pieces)
  }

  private func endsWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || scalar == "(" || scalar == ")"
  }

  private mutating func bare() -> QueryToken.Piece {
    let start = position
    while let scalar, !endsWord(scalar), scalar != "\"" { position += 1 }
    return .init(
      text: Array(line.scalars[start..<position]), isQuoted: false, range: start..<position)
  }

  private mutating func quoted() throws(QueryError) -> QueryToken.Piece {
    let start = position
    var text: [Unicode.Scalar] = []
    position += 1
    while let scalar, scalar != "\"" {
      position += 1
      if scalar != "\\" {
        text.append(scalar)
        continue
      }
      guard let escaped = self.scalar else { break }
      guard escaped == "\"" || escaped == "\\" else {
        throw line.error(
          "no escape '\\\(escaped)'", at: position - 1..<position + 1,
          "in quotes, write \\\" for a quote and \\\\ for a backslash")
      }
      text.append(escaped)
      position += 1
    }
    guard scalar != nil else {
      throw line.error(
        "the quote is not closed", at: start..<start + 1, "end it with another \"")
    }
    position += 1
    return .init(text: text, isQuoted: true, range: start..<position)
  }
}
