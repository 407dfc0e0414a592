/// A piece of a query's line: a parenthesis, a minus, or a run of bare and quoted text.
struct QueryToken: Equatable {
  enum Kind { case open, close, minus, word }

  /// Part of a word, which was in quotes or not; quoted text without its quotes and escapes.
  struct Piece: Equatable {
    var text: [Unicode.Scalar]
    var isQuoted: Bool
    /// Where it stands in the line, with its quotes.
    var range: Range<Int>
  }

  var kind: Kind
  var range: Range<Int>
  var pieces: [Piece] = []

  /// What stands before the first quote.
  var head: [Unicode.Scalar] { pieces.first.map { $0.isQuoted ? [] : $0.text } ?? [] }

  var isQuoted: Bool { pieces.contains(where: \.isQuoted) }

  /// The text of all pieces, without quotes.
  var text: String { pieces.map(\.text).joined().text }

  /// True for that word without quotes, in any case.
  func isKeyword(_ keyword: String) -> Bool {
    kind == .word && !isQuoted && text.lowercased() == keyword
  }
}

extension Sequence<Unicode.Scalar> {
  var text: String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: self)
    return String(view)
  }
}

extension Unicode.Scalar {
  var isOperator: Bool { self == ":" || self == "=" || self == "<" || self == ">" }

  var isDigit: Bool { (48...57).contains(value) }

  /// True for what a name can begin with.
  var isNameStart: Bool { properties.isAlphabetic }

  var isNamePart: Bool { properties.isAlphabetic || isDigit || self == "-" || self == "_" }
}
