/// Makes a filter of one word of a query: a field with a value, a flag, a number, or a search.
struct TermParser {
  let line: QueryLine
  let entity: CatalogEntity
  let catalog: FieldCatalog

  /// A field, an operator and a value, by where they stand in the line.
  struct FieldTerm {
    var field: Range<Int>
    var sign: String
    var signRange: Range<Int>
    var value: TermValue
  }

  func filter(of token: QueryToken, next: QueryToken?) throws(QueryError) -> Filter {
    guard let term = try fieldTerm(of: token, next: next) else { return try search(token) }
    let prefix = line.text(term.field).lowercased() + term.sign
    if prefix == "is:" || prefix == "has:" { return try flag(prefix, term) }
    let written = line.text(term.field)
    if let name = Directive.Name(written), entity.field(named: written) == nil {
      throw line.error(
        "'\(name.rawValue)' is followed by ':'", at: term.signRange,
        "write \(name.rawValue):\(term.value.text)")
    }
    return try ValueParser(term: term, parser: self).filter()
  }

  // Words

  private func search(_ token: QueryToken) throws(QueryError) -> Filter {
    if token.head.first == "#", !token.isQuoted, token.head.count > 1,
      token.head.dropFirst().allSatisfy(\.isDigit)
    {
      guard let number = UInt64(token.text.dropFirst()), number <= UInt64(Int64.max) else {
        throw outOfRange(token.range)
      }
      return numbered(number)
    }
    try checkForeignWord(token)
    let value = TermValue(pieces: token.pieces, range: token.range)
    let pattern = try TextPattern(value, after: "", of: line)
    let words = QueryFolding.words(pattern.value.text)
    if words.isEmpty {
      throw line.error(
        "nothing to search for in \(line.text(token.range))", at: token.range,
        token.text == "*"
          ? "for every record, leave it out" : "a search needs a letter or a digit")
    }
    guard let field = entity.searchedField else {
      throw line.error(
        "\(entity.name) has no text to search", at: token.range, "compare a field, such as id:1")
    }
    let search = pattern.filter(FieldPath(field.name), words, isPhrase: token.isQuoted)
    if !token.isQuoted, !pattern.hasStar, words.count == 1,
      words[0].utf8.allSatisfy({ (48...57).contains($0) }),
      token.text.unicodeScalars.allSatisfy({ $0.properties.numericType == .decimal }),
      let number = UInt64(words[0]), number <= UInt64(Int64.max)
    {
      return .any([search, numbered(number)])
    }
    return search
  }

  private func numbered(_ number: UInt64) -> Filter { Self.numbered(number, in: entity) }

  /// The records of that number.
  static func numbered(_ number: UInt64, in entity: CatalogEntity) -> Filter {
    guard let field = entity.field(named: "number"), field.isNumeric, field.name != "id" else {
      return .id(number)
    }
    return .number([FieldPath(field.name)], .equal, Number(Int64(number)))
  }

  func outOfRange(_ range: Range<Int>) -> QueryError {
    line.error(
      "the number is out of range", at: range,
      "numbers have up to 18 digits, before and after the point together")
  }

  // Flags

  private func flag(_ prefix: String, _ term: FieldTerm) throws(QueryError) -> Filter {
    let name = term.value.text.lowercased()
    if let field = entity.fields.first(where: { $0.name.lowercased() == prefix + name }) {
      return .flag(FieldPath(field.name))
    }
    if !term.value.isQuoted, name.allSatisfy({ $0 != ":" }) {
      if prefix == "has:", let field = entity.field(named: name), field.argumentNames.isEmpty {
        return .present(FieldPath(field.name))
      }
      if prefix == "is:",
        let field = entity.field(named: name) ?? entity.field(named: "is_" + name),
        field.kind == .flag
      {
        return .flag(FieldPath(field.name))
      }
    }
    let names = entity.flagNames(after: prefix)
    throw line.error(
      "nothing is called '\(prefix)\(term.value.text)' in \(entity.name)", at: term.value.range,
      help: suggestion(for: name, among: names, prefix: prefix)
        ?? otherEntity(
          help: prefix + name, has: { $0.fields.contains { $0.name == prefix + name } })
        ?? [
          names.isEmpty
            ? "\(entity.name) has nothing after \(prefix)"
            : "one of " + names.map { prefix + $0 }.joined(separator: ", ")
        ])
  }

  // Fields

  /// The field that a name or a name with an argument stands for.
  func path(at range: Range<Int>) throws(QueryError) -> (path: FieldPath, field: CatalogField) {
    let parts = line.scalars[range].split(separator: ".", omittingEmptySubsequences: false)
    let name = parts[0].text
    guard let field = entity.field(named: name), !field.name.contains(":") else {
      throw unknownField(name, at: range.lowerBound..<range.lowerBound + parts[0].count)
    }
    let example = field.argumentNames.first.map { "\(field.displayName).\($0)" }
    if parts.count == 1 {
      guard let example else { return (FieldPath(field.name), field) }
      throw line.error("'\(name)' needs a name after a point", at: range, "such as \(example)")
    }
    let argument = parts.dropFirst().joined(separator: ["."]).text
    let place = range.lowerBound + parts[0].count + 1..<range.upperBound
    guard example != nil else {
      throw line.error(
        "'\(name)' takes nothing after a point", at: place.lowerBound - 1..<place.upperBound,
        "write \(name)")
    }
    let known = field.argumentNames.first { $0.lowercased() == argument.lowercased() }
    guard let known else {
      throw line.error(
        "no '\(argument)' for '\(name)'", at: place.isEmpty ? range : place,
        help: suggestion(for: argument, among: field.argumentNames)
          ?? ["one of " + field.argumentNames.joined(separator: ", ")])
    }
    return (FieldPath(field.name, known), field)
  }

  /// The fields of a sum; more than one must be numbers.
  func sum(at range: Range<Int>) throws(QueryError) -> (paths: [FieldPath], field: CatalogField) {
    var paths: [FieldPath] = []
    var last: (path: FieldPath, field: CatalogField)?
    let parts = line.scalars[range].split(separator: "+", omittingEmptySubsequences: false)
    for part in parts {
      let place = part.startIndex..<part.endIndex
      try checkName(place, in: range)
      let found = try path(at: place)
      if parts.count > 1, !found.field.isNumeric {
        throw line.error(
          "'\(part.text)' is no number", at: place, "only numbers can be added")
      }
      paths.append(found.path)
      last = found
    }
    guard let last else { preconditionFailure("a split has a part") }
    return (paths, last.field)
  }

  /// Complains where what should be the name of a field is none.
  private func checkName(_ part: Range<Int>, in range: Range<Int>) throws(QueryError) {
    let scalars = line.scalars[part]
    if scalars.text == "#" { return }
    let names = scalars.split(separator: ".", omittingEmptySubsequences: false)
    if names[0].first?.isNameStart == true, names[0].allSatisfy(\.isNamePart) { return }
    if scalars.isEmpty {
      throw line.error(
        "a field is missing beside '+'", at: range, "such as hp+def")
    }
    throw line.error(
      "'\(scalars.text)' is no name of a field", at: part,
      "a name is a letter, then letters, digits, '-' and '_'",
      "to search for the text, put it in quotes")
  }

  func unknownField(_ name: String, at range: Range<Int>) -> QueryError {
    line.error(
      "no field '\(name)' in \(entity.name)", at: range,
      help: difference(name) ?? otherEntity(help: name, has: { $0.field(named: name) != nil })
        ?? ForeignName.help(with: name, at: range, in: self)
        ?? (NearestName.of(name, among: entity.callableNames)
        ?? NearestName.completing(name, among: entity.callableNames))
        .map { ["did you mean '\($0)'?"] }
        ?? [
          "the fields are "
            + NearestName.sorted(entity.displayNames, for: name).joined(separator: ", ")
        ])
  }

  /// What to say of `hp-def`.
  private func difference(_ name: String) -> [String]? {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false).map { String($0) }
    guard parts.count > 1, parts.allSatisfy({ entity.field(named: $0)?.isNumeric == true })
    else { return nil }
    return [
      "there are sums, such as \(parts.joined(separator: "+")), and no differences",
      "to compare fields, write \(parts[0])>\(parts[1])",
    ]
  }

  private func otherEntity(help name: String, has: (CatalogEntity) -> Bool) -> [String]? {
    let owners = catalog.entities.filter(has).map(\.name)
    // Of several, the one that is meant where a query says nothing.
    let usual = owners.first { $0 == catalog.defaultEntity }
    guard let owner = usual ?? owners.first else { return nil }
    let from = line.source.split(whereSeparator: \.isWhitespace)
      .first { $0.lowercased().hasPrefix("from:") }
    guard let from else { return ["'\(name)' belongs to \(owner): add from:\(owner)"] }
    return ["'\(name)' belongs to \(owner): write from:\(owner) in the place of \(from)"]
  }

  func suggestion(
    for name: String, among names: [String], prefix: String = ""
  ) -> [String]? {
    NearestName.of(name, among: names).map { ["did you mean '\(prefix)\($0)'?"] }
  }
}
