/// What stands right of an operator.
struct TermValue {
  var pieces: [QueryToken.Piece]
  var range: Range<Int>

  /// The value without quotes.
  var text: String { pieces.map(\.text).joined().text }

  var isQuoted: Bool { pieces.contains(where: \.isQuoted) }

  /// The value cut at a separator that is not in quotes.
  func parts(separatedBy separator: Unicode.Scalar) -> [TermValue] {
    var parts: [TermValue] = []
    var current: [QueryToken.Piece] = []
    var start = range.lowerBound
    for piece in pieces {
      if piece.isQuoted {
        current.append(piece)
        continue
      }
      var position = piece.range.lowerBound
      for part in piece.text.split(separator: separator, omittingEmptySubsequences: false) {
        if position > piece.range.lowerBound {
          parts.append(TermValue(pieces: current, range: start..<position - 1))
          current = []
          start = position
        }
        let end = position + part.count
        if !part.isEmpty {
          current.append(.init(text: Array(part), isQuoted: false, range: position..<end))
        }
        position = end + 1
      }
    }
    parts.append(TermValue(pieces: current, range: start..<range.upperBound))
    return parts
  }

  /// The place of the first of the scalars that is not in quotes.
  func place(where condition: (Unicode.Scalar) -> Bool) -> Int? {
    for piece in pieces where !piece.isQuoted {
      if let index = piece.text.firstIndex(where: condition) {
        return piece.range.lowerBound + index
      }
    }
    return nil
  }
}

extension TermValue {
  /// What a word has from a place in its first piece on; quotes may follow.
  init(of token: QueryToken, from index: Int) {
    var pieces = token.pieces
    let start = token.range.lowerBound + index
    pieces[0].text.removeFirst(index)
    pieces[0].range = start..<pieces[0].range.upperBound
    if pieces[0].text.isEmpty { pieces.removeFirst() }
    self.init(pieces: pieces, range: start..<token.range.upperBound)
  }
}

extension TermParser {
  private static let signs: Set = [":", "=", "!=", "<", "<=", ">", ">="]

  /// The parts of a word that compares a field; nil for a word that is searched.
  ///
  /// The first operator outside of quotes makes it one, unless a quote comes before it.
  func fieldTerm(of token: QueryToken, next: QueryToken?) throws(QueryError) -> FieldTerm? {
    let head = token.head
    let isMark = { (index: Int) in
      head[index].isOperator
        || head[index] == "!" && index + 1 < head.count && head[index + 1] == "="
    }
    guard let index = head.indices.first(where: isMark) else {
      try checkLooseOperator(head, token)
      return nil
    }
    let start = token.range.lowerBound + index
    let run = head[index...].prefix { $0.isOperator || $0 == "!" }
    let signRange = start..<start + run.count
    if index == 0 { throw missingField(run.text, token) }
    guard Self.signs.contains(run.text) else {
      throw foreignOperator(run.text, at: signRange, in: token)
    }
    let value = TermValue(of: token, from: index + run.count)
    let field = token.range.lowerBound..<start
    if value.pieces.isEmpty { throw missingValue(field, signRange, next) }
    try checkNumberOnTheLeft(field, run.text, signRange, value)
    if let place = value.place(where: \.isOperator) {
      let name = line.text(field).lowercased()
      let isFlag = name == "is" || name == "has"
      if !isFlag, separatedTerms(before: place, of: token, value) == nil { _ = try sum(at: field) }
      throw secondOperator(at: place, of: token, field: field, value: value)
    }
    return FieldTerm(field: field, sign: run.text, signRange: signRange, value: value)
  }

  private func checkLooseOperator(
    _ head: [Unicode.Scalar], _ token: QueryToken
  ) throws(QueryError) {
    guard head == ["≤"] || head == ["≥"] || head == ["≠"] else { return }
    throw line.error(
      "'\(head.text)' is no operator", at: token.range, "write <=, >= or !=, without spaces")
  }

  private func missingField(_ run: String, _ token: QueryToken) -> QueryError {
    let before = line.scalars[..<token.range.lowerBound]
    let name = before.reversed().drop { $0.properties.isWhitespace }
      .prefix { $0.isNamePart || $0 == "." || $0 == "+" }.reversed().text
    let rest = line.text(token.range)
    let following = line.scalars[token.range.upperBound...].drop { $0.properties.isWhitespace }
    let value =
      rest.unicodeScalars.count > run.unicodeScalars.count
      ? "" : following.prefix { !$0.properties.isWhitespace && $0 != ")" && $0 != "(" }.text
    let first = name.prefix { $0 != "." && $0 != "+" }
    guard before.last?.properties.isWhitespace == true, isField(String(first), before, name) else {
      let isNumber = (rest + value).unicodeScalars.last?.isDigit == true
      return line.error(
        "a field is missing before '\(run)'",
        at: token.range.lowerBound..<token.range.lowerBound + run.unicodeScalars.count,
        "such as hp\(isNumber ? rest + value : run + "100")")
    }
    return line.error(
      "a space before '\(run)'",
      at: token.range.lowerBound..<token.range.lowerBound + run.unicodeScalars.count,
      "write \(name)\(rest)\(value)")
  }

  /// True where `name` stands alone at the end of `text` and its first part is a field, or where it
  /// is a number, which belongs on the other side.
  private func isField(_ first: String, _ text: ArraySlice<Unicode.Scalar>, _ name: String) -> Bool
  {
    let rest = text.reversed().drop { $0.properties.isWhitespace }
      .dropFirst(name.unicodeScalars.count)
    let stands = rest.first.map { $0.properties.isWhitespace || $0 == "(" || $0 == "-" } ?? true
    return stands && entity.field(named: first) != nil
  }

  private func foreignOperator(
    _ run: String, at range: Range<Int>, in token: QueryToken
  ) -> QueryError {
    let meant: String
    if run.contains("<"), run.contains(">") {
      meant = "!="
    } else if run.contains("!") {
      meant = "!="
    } else if run.contains("<") {
      meant = run.contains("=") || run.contains(":") ? "<=" : "<"
    } else if run.contains(">") {
      meant = run.contains("=") || run.contains(":") ? ">=" : ">"
    } else {
      meant = run.contains("=") ? "=" : ":"
    }
    let left = line.text(token.range.lowerBound..<range.lowerBound)
    let right = line.text(range.upperBound..<token.range.upperBound)
    let comparison =
      patternInstead(left, meant, range.upperBound..<token.range.upperBound)
      ?? "\(left)\(meant)\(right)"
    return line.error("'\(run)' is no operator", at: range, "write \(comparison)")
  }

  /// What to write where `name!=*saur*` is meant: stars do not go with equality.
  ///
  /// Nil where there is no star, or the field is not searched by words.
  private func patternInstead(_ name: String, _ sign: String, _ value: Range<Int>) -> String? {
    guard sign == "=" || sign == "!=", entity.field(named: name)?.kind == .text else { return nil }
    let text = line.scalars[value]
    guard text.contains("*"), !text.contains("\"") else { return nil }
    let piece = QueryToken.Piece(text: Array(text), isQuoted: false, range: value)
    let terms = TextPattern.terms(for: TermValue(pieces: [piece], range: value), name + ":")
    if terms.isEmpty { return nil }
    let all = terms.joined(separator: " ")
    return sign == "=" ? all : terms.count > 1 ? "-(\(all))" : "-\(all)"
  }

  private func missingValue(
    _ field: Range<Int>, _ sign: Range<Int>, _ next: QueryToken?
  ) -> QueryError {
    let start = line.text(field.lowerBound..<sign.upperBound)
    guard let next else {
      let isNumeric = entity.field(named: line.text(field))?.isNumeric ?? true
      var example = isNumeric ? "100" : "…"
      if ["is:", "has:"].contains(start.lowercased()) {
        example = entity.flagNames(after: start.lowercased()).first ?? "…"
      }
      return line.error(
        "nothing after '\(start)'", at: field.lowerBound..<sign.upperBound,
        "write a value, such as \(start)\(example)")
    }
    if next.kind == .open, next.range.lowerBound == sign.upperBound {
      return parenthesizedValue(start, at: next.range.lowerBound)
    }
    if next.kind == .close {
      return line.error(
        "nothing after '\(start)'", at: field.lowerBound..<sign.upperBound, "write a value there")
    }
    let value = line.scalars[next.range.lowerBound...].prefix { !$0.properties.isWhitespace }.text
    var help = ["write \(start)\(value)"]
    let phrase = line.text(field.lowerBound..<next.range.upperBound)
    if line.text(sign) == ":" { help.append("to search for the words, write \"\(phrase)\"") }
    return line.error("a space after '\(line.text(sign))'", at: sign, help: help)
  }

  /// Complains about `t:(a OR b)`.
  private func parenthesizedValue(_ start: String, at open: Int) -> QueryError {
    let inside = line.scalars[(open + 1)...].prefix { $0 != ")" && $0 != "(" }
    let words = inside.split { $0.properties.isWhitespace }.map(\.text)
    let names = words.filter { !["or", "and", "|", "||"].contains($0.lowercased()) }
    let isAll = words.contains { $0.lowercased() == "and" } || names.count == words.count
    let terms = names.map { start + $0 }
    let text = terms.joined(separator: isAll ? " " : " OR ")
    return line.error(
      "a value cannot be in parentheses", at: open..<open + 1,
      "write \(terms.isEmpty ? "\(start)…" : isAll ? text : "(\(text))")")
  }

  /// Complains about `100<hp`.
  private func checkNumberOnTheLeft(
    _ field: Range<Int>, _ sign: String, _ signRange: Range<Int>, _ value: TermValue
  ) throws(QueryError) {
    guard case .value = NumberReader.read(line.scalars[field]) else { return }
    let flipped = ["<": ">", "<=": ">=", ">": "<", ">=": "<="][sign] ?? sign
    let name = value.text
    let left = line.text(field)
    throw line.error(
      "a field stands before '\(sign)', not a number", at: field,
      entity.field(named: name) != nil
        ? "write \(name)\(flipped)\(left)" : "such as hp\(flipped)\(left)")
  }

  /// Complains about `t:fire,t:water` and `t:fire|t:water`; nil where no separator is in between.
  private func separatedTerms(
    before place: Int, of token: QueryToken, _ value: TermValue
  ) -> QueryError? {
    let marks: [Unicode.Scalar] = [",", "|", "&"]
    guard let start = value.place(where: marks.contains), start < place else { return nil }
    let mark = line.scalars[start]
    let end = line.scalars[start...].prefix { $0 == mark }.endIndex
    let terms = [
      line.text(token.range.lowerBound..<start), line.text(end..<token.range.upperBound),
    ]
    let both = "both: \(terms.joined(separator: " "))"
    let either = "either: (\(terms.joined(separator: " OR ")))"
    return line.error(
      "'\(line.text(start..<end))' does not separate terms", at: start..<end,
      help: mark == "&" ? [both] : mark == "|" ? [either] : [both, either])
  }

  /// Complains about words of other languages: `||`, `&&`, and `hp~5` where `hp` is a field.
  func checkForeignWord(_ token: QueryToken) throws(QueryError) {
    guard !token.isQuoted, !token.head.isEmpty else { return }
    let head = token.head
    if let point = head.firstIndex(of: "."), point + 1 < head.count,
      Aggregate(rawValue: head[..<point].text.lowercased()) != nil,
      entity.field(named: head[(point + 1)...].text)?.isNumeric == true
    {
      throw line.error(
        "'\(head.text)' is a column and no search", at: token.range,
        "write show:\(head.text) beside group:", "to search for the words, put them in quotes")
    }
    if head.allSatisfy({ $0 == "|" }) || head.allSatisfy({ $0 == "&" }) {
      throw line.error(
        "'\(head.text)' is no operator", at: token.range,
        head[0] == "|" ? "write OR between two terms" : "leave it out: both terms must hold")
    }
    guard let index = head.firstIndex(where: { $0 == "~" || $0 == "!" }),
      index > 0, index + 1 < head.count, entity.field(named: head[..<index].text) != nil
    else { return }
    let start = token.range.lowerBound + index
    let field = head[..<index].text
    let sign = head[index] == "!" ? "!=" : ":"
    let value = start + 1..<token.range.upperBound
    throw line.error(
      "'\(head[index])' is no operator", at: start..<start + 1,
      "write " + (patternInstead(field, sign, value) ?? "\(field)\(sign)\(line.text(value))"),
      "to search for the text, put it in quotes")
  }

  /// Complains about `hp>50<100` and `name:type:null`.
  private func secondOperator(
    at place: Int, of token: QueryToken, field: Range<Int>, value: TermValue
  ) -> QueryError {
    if let separated = separatedTerms(before: place, of: token, value) { return separated }
    let rest = line.text(place..<token.range.upperBound)
    let name = line.text(field)
    let isNumeric = entity.field(named: name)?.isNumeric ?? false
    let first = line.text(token.range.lowerBound..<place)
    let text = line.text(value.range).filter { $0 != "\"" }
    return line.error(
      "a second operator in one comparison", at: place..<place + 1,
      isNumeric ? "write \(first) \(name)\(rest)" : "write \(name):\"\(text)\"")
  }
}
