/// What a word or a value of text asks for: words, and whether stars leave their ends open.
///
/// `saur` and `saur*` are starts of words, `*saur` an end of one, and `*saur*` any part of one.
struct TextPattern {
  /// The same without stars.
  private(set) var value: TermValue
  private(set) var beginsWithStar = false
  private(set) var endsInStar = false

  var hasStar: Bool { beginsWithStar || endsInStar }

  /// What `value` asks for, which stands behind `start`, such as `name:`; signs of other languages are
  /// taken for slips.
  ///
  /// - Throws: Where a sign outside of quotes means nothing here: what to write instead.
  init(_ value: TermValue, after start: String, of line: QueryLine) throws(QueryError) {
    self.value = value
    try Self.checkExpression(value, start, line)
    takeStars()
    guard let place = Self.sign(in: self.value) else { return }
    throw Self.meaningless(at: place, in: value, start, line)
  }

  /// The filter for the words of the pattern.
  func filter(_ path: FieldPath, _ words: [String], isPhrase: Bool) -> Filter {
    beginsWithStar
      ? .part(path, words, endsWord: !endsInStar) : .words(path, words, isPhrase: isPhrase)
  }

  /// What means something in the patterns of other languages; a star at an end is taken away first.
  private static let signs: [Unicode.Scalar] = ["*", "?", "%", "^", "$"]

  /// The place of the first sign in `value` that is not in quotes.
  static func sign(in value: TermValue) -> Int? { value.place(where: signs.contains) }

  private mutating func takeStars() {
    if let first = value.pieces.first, !first.isQuoted, first.text.first == "*" {
      beginsWithStar = true
      value.pieces[0].text.removeFirst()
      value.pieces[0].range = first.range.lowerBound + 1..<first.range.upperBound
    }
    if let last = value.pieces.last, !last.isQuoted, last.text.last == "*" {
      endsInStar = true
      let place = value.pieces.count - 1
      value.pieces[place].text.removeLast()
      value.pieces[place].range = last.range.lowerBound..<last.range.upperBound - 1
    }
    value.pieces.removeAll { !$0.isQuoted && $0.text.isEmpty }
  }

  /// Complains about `/regex/`.
  private static func checkExpression(
    _ value: TermValue, _ start: String, _ line: QueryLine
  ) throws(QueryError) {
    guard let first = value.pieces.first, !first.isQuoted, first.text.first == "/" else { return }
    throw line.error(
      "there are no regular expressions", at: value.range,
      help: ["for a part of a word, write " + instead(of: value, start), quoting])
  }

  private static let quoting = "to search for the sign itself, put the text in quotes"

  private static func meaningless(
    at place: Int, in value: TermValue, _ start: String, _ line: QueryLine
  ) -> QueryError {
    let sign = line.scalars[place]
    let range = place..<place + 1
    let plain = start + words(of: value).joined(separator: "-")
    let isAtEnd = place == value.range.lowerBound || place + 1 == value.range.upperBound
    if words(of: value).isEmpty {
      return line.error("nothing to search for but '\(sign)'", at: range, quoting)
    }
    switch sign {
    case "*" where !isAtEnd:
      if let error = separated(value, start, line) { return error }
      return line.error(
        "'*' stands at the start or the end of a word", at: range,
        "write " + together(terms(for: value, start), " ", value, start, line), quoting)
    case "^":
      let phrase = words(of: value).joined(separator: " ")
      return line.error(
        "'^' does not mean the start", at: range,
        "for texts that begin so, write \(start)\"\(phrase)\"", quoting)
    case "$":
      return line.error(
        "'$' does not mean the end", at: range,
        "for words that end so, write \(start)*\(words(of: value).joined(separator: "-"))", quoting)
    case "?":
      return line.error(
        "'?' does not stand for a letter", at: range,
        "for a part of a word, write " + instead(of: value, start), quoting)
    default:
      return line.error(
        "'\(sign)' does not stand for other letters", at: range,
        "for words that begin so, write \(plain)",
        "for a part of a word, write " + instead(of: value, start), quoting)
    }
  }

  /// Complains about `*saur*,*chu*`; nil where no separator is in between.
  private static func separated(
    _ value: TermValue, _ start: String, _ line: QueryLine
  ) -> QueryError? {
    let marks: [Unicode.Scalar] = [",", "|", "&"]
    guard let place = value.place(where: marks.contains) else { return nil }
    let mark = line.scalars[place]
    let terms = value.parts(separatedBy: mark).map { Self.terms(for: $0, start) }
      .filter { !$0.isEmpty }
    guard terms.count > 1 else { return nil }
    let end = line.scalars[place...].prefix { $0 == mark }.endIndex
    let both = "both: " + together(terms.flatMap { $0 }, " ", value, start, line)
    let any = terms.map { $0.joined(separator: " ") }
    let either = "either: " + together(any, " OR ", value, start, line)
    return line.error(
      "'\(line.text(place..<end))' does not separate terms", at: place..<end,
      help: mark == "&" ? [both] : mark == "|" ? [either] : [both, either])
  }

  /// The terms that ask for what stands between the stars of `value`; none where nothing does.
  ///
  /// A minus that `start` begins with is left to who puts them together.
  static func terms(for value: TermValue, _ start: String) -> [String] {
    let start = start.drop { $0 == "-" }
    let words = words(of: value)
    let isStar = { (piece: QueryToken.Piece?, end: Unicode.Scalar?) in
      piece?.isQuoted == false && end == "*"
    }
    let begins = isStar(value.pieces.first, value.pieces.first?.text.first)
    let ends = isStar(value.pieces.last, value.pieces.last?.text.last)
    return words.enumerated().map { place, word in
      let opening = place > 0 || begins ? "*" : ""
      let closing = place + 1 < words.count || ends ? "*" : ""
      return start + opening + word + closing
    }
  }

  /// The terms as one, also where a minus stands before them, in `start` or in the line.
  private static func together(
    _ terms: [String], _ separator: String, _ value: TermValue, _ start: String, _ line: QueryLine
  ) -> String {
    let text = terms.joined(separator: separator)
    let before = line.scalars[..<value.range.lowerBound].reversed()
      .prefix { !$0.properties.isWhitespace && $0 != "(" }
    let isNegated = start.hasPrefix("-")
    if terms.count == 1 { return (isNegated ? "-" : "") + text }
    if isNegated || before.last == "-" { return "-(\(text))" }
    return separator == " " ? text : "(\(text))"
  }

  /// The words of a pattern of another language, without its signs.
  static func words(of value: TermValue) -> [String] {
    let text = value.text.unicodeScalars.split { !$0.isNamePart && $0.value < 0x80 }
    return text.flatMap { QueryFolding.words($0.text) }
  }

  private static func instead(of value: TermValue, _ start: String) -> String {
    // The longest word says most.
    let word = words(of: value).max { $0.count < $1.count } ?? "saur"
    return "\(start)*\(word)*"
  }
}
