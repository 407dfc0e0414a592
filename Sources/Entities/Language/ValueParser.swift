/// Makes a filter of a field, an operator and a value, by the field's kind.
struct ValueParser {
  let term: TermParser.FieldTerm
  let parser: TermParser

  private var line: QueryLine { parser.line }
  private var value: TermValue { term.value }
  private var fieldName: String { line.text(term.field) }

  func filter() throws(QueryError) -> Filter {
    let (paths, field) = try parser.sum(at: term.field)
    switch field.kind {
    case .number, .date: return try number(paths, field)
    case .category(let range): return try category(paths, field, range)
    case .flag: return try flag(paths[0])
    case .text: return try text(paths[0])
    case .whole: return try whole(paths[0])
    case .name(let names): return try name(paths[0], field, names)
    case .names(let names): return try severalNames(paths[0], field, names)
    case .opaque:
      throw line.error(
        "'\(fieldName)' cannot be compared", at: term.field, "write has:\(field.name)")
    }
  }

  // Numbers

  private var comparison: Comparison {
    Comparison(rawValue: term.sign == ":" ? "=" : term.sign) ?? .equal
  }

  private func number(
    _ paths: [FieldPath], _ field: CatalogField
  ) throws(QueryError) -> Filter {
    try checkSeparators(isSet: false)
    if !value.isQuoted, value.text.contains("..") { return try range(paths, field) }
    if let days = days(value, of: field, paths) { return days }
    switch value.isQuoted ? .notANumber : read(line.scalars[value.range], field) {
    case .value(let number):
      return .number(paths, comparison, paths.count == 1 ? kept(number, field) : number)
    case .outOfRange: throw parser.outOfRange(value.range)
    case .notANumber: return try fields(paths, field)
    }
  }

  /// A number; of a category such as a generation also in Roman numerals, as people write them.
  private func read(
    _ scalars: some Collection<Unicode.Scalar>, _ field: CatalogField
  ) -> NumberReader.Outcome {
    if case .category = field.kind,
      let index = Self.romanNumerals.firstIndex(of: scalars.text.uppercased())
    {
      return .value(Number(Int64(index + 1)))
    }
    return NumberReader.read(scalars)
  }

  private static let romanNumerals = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"]

  /// The number as a field keeps it that is asked to be equal: in 1/256, 1.1 is 282/256.
  private func kept(_ number: Number, _ field: CatalogField) -> Number {
    guard comparison == .equal || comparison == .notEqual, let denominator = field.denominator
    else { return number }
    return number.rounded(toParts: denominator) ?? number
  }

  /// A comparison of fields, `hp<maxhp`.
  private func fields(_ paths: [FieldPath], _ field: CatalogField) throws(QueryError) -> Filter {
    let scalars = line.scalars[value.range]
    let name = scalars.prefix { $0 != "." && $0 != "+" }.text
    guard !value.isQuoted, parser.entity.field(named: name) != nil else {
      let names = parser.entity.fields.filter(\.isNumeric).map(\.displayName)
      throw line.error(
        "'\(value.text)' is neither a number nor a field", at: value.range,
        help: parser.suggestion(for: name, among: names) ?? [
          field.kind == .date
            ? "'\(fieldName)' is compared with days, such as \(fieldName)>=2025-01-31"
            : numbersInstead(field)
        ])
    }
    let (others, last) = try parser.sum(at: value.range)
    guard last.isNumeric else {
      throw line.error(
        "'\(value.text)' is no number", at: value.range,
        numbersInstead(field))
    }
    return .fields(paths, comparison, others)
  }

  private func numbersInstead(_ field: CatalogField) -> String {
    let ends = value.text.split(separator: "-", omittingEmptySubsequences: false)
    if ends.count == 2, ends.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isNumber) }) {
      return "write \(fieldName):\(ends[0])..\(ends[1])"
    }
    return "'\(fieldName)' is compared with numbers, such as \(field.example(fieldName))"
  }

  /// A range, `bst:525..540`.
  private func range(_ paths: [FieldPath], _ field: CatalogField) throws(QueryError) -> Filter {
    let scalars = Array(value.text.unicodeScalars)
    let start = value.range.lowerBound
    let dots =
      scalars.indices.dropLast().first { scalars[$0] == "." && scalars[$0 + 1] == "." } ?? 0
    guard [":", "=", "!="].contains(term.sign) else {
      throw line.error(
        "a range does not go with '\(term.sign)'", at: term.signRange,
        "write \(fieldName):\(value.text)")
    }
    if scalars.count == 2 {
      throw line.error(
        "a range needs an end", at: value.range, "such as \(fieldName):100.. or \(fieldName):..100")
    }
    let lower = try end(start..<start + dots, field, isLower: true)
    let upper = try end(start + dots + 2..<value.range.upperBound, field, isLower: false)
    if let lower, let upper, upper < lower {
      let texts = [scalars[..<dots].text, scalars[(dots + 2)...].text]
      throw line.error(
        "the range ends before it begins", at: value.range,
        "write \(fieldName)\(term.sign)\(texts[1])..\(texts[0])")
    }
    return ranged(paths, lower, upper)
  }

  private func ranged(_ paths: [FieldPath], _ lower: Number?, _ upper: Number?) -> Filter {
    if term.sign != "!=" { return .range(paths, from: lower, through: upper) }
    var outside: [Filter] = []
    if let lower { outside.append(.number(paths, .less, lower)) }
    if let upper { outside.append(.number(paths, .greater, upper)) }
    return outside.count == 1 ? outside[0] : .any(outside)
  }

  private func end(
    _ range: Range<Int>, _ field: CatalogField, isLower: Bool
  ) throws(QueryError) -> Number? {
    if range.isEmpty { return nil }
    if field.kind == .date, let day = DateReader.day(line.text(range)) {
      return Number(isLower ? day.lowerBound : day.upperBound)
    }
    switch read(line.scalars[range], field) {
    case .value(let number): return number
    case .outOfRange: throw parser.outOfRange(range)
    case .notANumber:
      throw line.error(
        "'\(line.text(range))' is no number", at: range, "a range is written \(fieldName):1..100")
    }
  }

  /// A comparison with a day; nil where the value is none, or the field holds no dates.
  private func days(_ value: TermValue, of field: CatalogField, _ paths: [FieldPath]) -> Filter? {
    guard field.kind == .date, let day = DateReader.day(value.text) else { return nil }
    let (first, last) = (Number(day.lowerBound), Number(day.upperBound))
    switch comparison {
    case .equal, .notEqual: return ranged(paths, first, last)
    case .less: return .number(paths, .less, first)
    case .lessOrEqual: return .number(paths, .lessOrEqual, last)
    case .greater: return .number(paths, .greater, last)
    case .greaterOrEqual: return .number(paths, .greaterOrEqual, first)
    }
  }

  private func category(
    _ paths: [FieldPath], _ field: CatalogField, _ range: ClosedRange<Int64>
  ) throws(QueryError) -> Filter {
    let filter = try number(paths, field)
    let asksForOne = comparison == .equal || comparison == .notEqual
    if paths.count == 1, asksForOne, case .number(_, _, let number) = filter {
      let isKnown = number.denominator == 1 && range.contains(number.numerator)
      if !isKnown, !value.text.contains("..") {
        throw line.error(
          "no \(field.displayName) \(value.text)", at: value.range,
          "it goes from \(range.lowerBound) to \(range.upperBound)")
      }
    }
    return filter
  }

  // Texts and flags

  private func flag(_ path: FieldPath) throws(QueryError) -> Filter {
    try checkEquality()
    let isTrue: Bool
    switch value.text.lowercased() {
    case "true", "yes", "1": isTrue = true
    case "false", "no", "0": isTrue = false
    default:
      throw line.error(
        "'\(value.text)' is neither yes nor no", at: value.range,
        "write \(fieldName):yes or \(fieldName):no")
    }
    return isTrue == (term.sign != "!=")
      ? .flag(path) : .all([.present(path), .not(.flag(path))])
  }

  private func text(_ path: FieldPath) throws(QueryError) -> Filter {
    try checkEquality()
    let start = fieldName + term.sign
    let name = (term.sign == "!=" ? "-" : "") + fieldName
    let pattern = try TextPattern(value, after: name + ":", of: line)
    try checkSeparators(isSet: false)
    let words = try foldedWords(pattern.value)
    if term.sign == ":" { return pattern.filter(path, words, isPhrase: value.isQuoted) }
    if pattern.hasStar {
      throw line.error(
        "'*' does not go with '\(term.sign)', which compares the whole text", at: value.range,
        "write \(term.sign == "=" ? "" : "-")\(fieldName):\(line.text(value.range))",
        "or without the star: \(start)\(QueryPrinter.value(words.joined(separator: " ")))")
    }
    return complemented(.text(path, words.joined(separator: " ")))
  }

  private func whole(_ path: FieldPath) throws(QueryError) -> Filter {
    try checkEquality()
    try checkSeparators(isSet: false)
    try checkWhole(value, among: parser.catalog.values(parser.entity, path, like: value))
    let text = try foldedWords(value).joined(separator: " ")
    try checkKnown(value, path, text)
    return complemented(.text(path, text))
  }

  private func complemented(_ filter: Filter) -> Filter {
    term.sign == "!=" ? .not(filter) : filter
  }

  /// Complains about signs that would stand for other letters, where values are whole.
  private func checkWhole(_ part: TermValue, among names: [String]) throws(QueryError) {
    guard let place = TextPattern.sign(in: part) else { return }
    let words = TextPattern.words(of: part)
    let fitting = names.filter { name in words.allSatisfy { name.lowercased().contains($0) } }
    let start = fieldName + term.sign
    let known = fitting.prefix(6).map { start + (QueryPrinter.value($0)) }
    throw line.error(
      "'\(line.scalars[place])' stands for nothing here: '\(fieldName)' is compared as a whole",
      at: place..<place + 1,
      known.isEmpty
        ? "write a whole value, or put it in quotes" : "write \(known.joined(separator: " or "))")
  }

  private func foldedWords(_ value: TermValue) throws(QueryError) -> [String] {
    let words = QueryFolding.words(value.text)
    if words.isEmpty {
      throw line.error(
        "nothing to compare with in \(line.text(value.range))", at: value.range,
        "a text needs a letter or a digit")
    }
    return words
  }

  // Names

  private func name(
    _ path: FieldPath, _ field: CatalogField, _ names: [String]
  ) throws(QueryError) -> Filter {
    try checkEquality()
    try checkSeparators(isSet: false)
    return complemented(.text(path, try known(value, field, names)))
  }

  private func severalNames(
    _ path: FieldPath, _ field: CatalogField, _ names: [String]?
  ) throws(QueryError) -> Filter {
    try checkEquality()
    try checkSeparators(isSet: true)
    var chosen: [String] = []
    for part in value.parts(separatedBy: "/") {
      if part.pieces.isEmpty {
        throw line.error(
          "a name is missing beside '/'", at: value.range, "such as \(fieldName):fire/flying")
      }
      let name: String
      if let names {
        name = try known(part, field, names)
      } else {
        try checkWhole(part, among: parser.catalog.values(parser.entity, path, like: part))
        name = try foldedWords(part).joined(separator: "-")
        try checkKnown(part, path, name)
      }
      if !chosen.contains(name) { chosen.append(name) }
    }
    return term.sign == ":" ? .has(path, chosen) : complemented(.exactly(path, chosen))
  }

  /// Complains where nothing can have the value, though no closed list says so.
  private func checkKnown(
    _ part: TermValue, _ path: FieldPath, _ name: String
  ) throws(QueryError) {
    guard let names = parser.catalog.namesInstead?(parser.entity.name, path.name, name) else {
      return
    }
    throw line.error(
      "no \(path.name == "family" ? "family of" : fieldName) '\(part.text)'", at: part.range,
      help: parser.suggestion(for: part.text, among: names)
        ?? ["no name is near; such as \(fieldName):\(names.first ?? "…")"])
  }

  /// The name of the closed list that `part` is.
  private func known(
    _ part: TermValue, _ field: CatalogField, _ names: [String]
  ) throws(QueryError) -> String {
    try checkWhole(part, among: names)
    let name = QueryFolding.plain(part.text)
    if let exact = names.first(where: { QueryFolding.plain($0) == name }) { return exact }
    let phrase = fieldName + term.sign + part.text
    let folded = QueryFolding.words(phrase)
    let isMisleading = parser.catalog.misleadingNames.first { misleading in
      let words = QueryFolding.words(misleading)
      return folded.count > 1 && folded.count <= words.count
        && words.starts(with: folded.dropLast())
        && words[folded.count - 1].hasPrefix(folded[folded.count - 1])
    }
    throw line.error(
      "no \(field.displayName) '\(part.text)'", at: part.range,
      help: isMisleading.map { ["for the Pokémon write \"\($0.lowercased())\""] }
        ?? parser.suggestion(for: part.text, among: names)
        ?? ["one of " + names.joined(separator: ", ")])
  }

  // Operators and separators

  private func checkEquality() throws(QueryError) {
    if [":", "=", "!="].contains(term.sign) { return }
    throw line.error(
      "'\(fieldName)' is no number, so '\(term.sign)' does not compare it", at: term.signRange,
      "write \(fieldName):\(value.text)")
  }

  /// A comma separates nothing, and a slash only names that a record can have several of.
  private func checkSeparators(isSet: Bool) throws(QueryError) {
    let separators: [Unicode.Scalar] = isSet ? [",", "|", "&"] : [",", "|", "&", "/"]
    guard let place = value.place(where: separators.contains) else { return }
    let separator = line.scalars[place]
    let parts = value.parts(separatedBy: separator).map { line.text($0.range) }
      .filter { !$0.isEmpty }
    let start = fieldName + term.sign
    let either = "(" + parts.map { start + $0 }.joined(separator: " OR ") + ")"
    var help = ["either: \(either)"]
    if isSet {
      let word = parts.count == 2 ? "both" : "all"
      help.insert("\(word) \(fieldNoun): \(start)\(parts.joined(separator: "/"))", at: 0)
    }
    if parts.count < 2 { help = ["leave it out, or put the value in quotes"] }
    throw line.error("'\(separator)' does not separate values", at: place..<place + 1, help: help)
  }

  /// What the field holds, as a plural.
  private var fieldNoun: String {
    let name = parser.entity.field(named: fieldName)?.displayName ?? fieldName
    return name.hasSuffix("y") ? name.dropLast() + "ies" : name.hasSuffix("s") ? name : name + "s"
  }
}
