/// A part of a query that says how to answer rather than what is wanted, such as `limit:10`.
struct Directive {
  enum Name: String, CaseIterable {
    case from, limit, offset, sort, show, group, lang

    /// The directive called `name` in any case.
    init?(_ name: String) {
      let name = name.lowercased()
      guard let found = name == "order" ? .sort : Self(rawValue: name) else { return nil }
      self = found
    }

    /// What to write when the value is missing.
    var example: String {
      switch self {
      case .from: "from:adventurers"
      case .limit: "limit:10"
      case .offset: "offset:20"
      case .sort: "sort:-bst,name"
      case .show: "show:name,type,bst"
      case .group: "group:type"
      case .lang: "lang:en"
      }
    }
  }

  var name: Name
  var range: Range<Int>
  /// Without quotes; never empty.
  var value: TermValue
}

/// Takes the directives out of a line, wherever at its top level they stand.
enum DirectiveScanner {
  struct Result {
    var found: [Directive] = []
    /// All other tokens.
    var rest: [QueryToken] = []

    /// The entity that `from:` names, or the default.
    func entity(
      in catalog: FieldCatalog, of line: QueryLine
    ) throws(QueryError) -> CatalogEntity {
      guard let from = found.first(where: { $0.name == .from }) else {
        if let entity = catalog.entities.first(where: { $0.name == catalog.defaultEntity }) {
          return entity
        }
        throw line.error(
          "the query names no entity", at: 0..<line.scalars.count,
          "add from: and one of " + catalog.entities.map(\.name).joined(separator: ", "))
      }
      let matches = catalog.entities(startingWith: from.value.text)
      if matches.count == 1 { return matches[0] }
      let names = catalog.entities.map(\.name)
      if matches.count > 1 {
        throw line.error(
          "'\(from.value.text)' begins several entities", at: from.value.range,
          "one of " + matches.map(\.name).joined(separator: ", "))
      }
      throw line.error(
        "no entity '\(from.value.text)'", at: from.value.range,
        NearestName.of(from.value.text, among: names).map { "did you mean '\($0)'?" }
          ?? "one of " + names.joined(separator: ", "))
    }
  }

  static func scan(_ tokens: [QueryToken], of line: QueryLine) throws(QueryError) -> Result {
    var result = Result()
    var depth = 0
    for (index, token) in tokens.enumerated() {
      if token.kind == .open { depth += 1 }
      if token.kind == .close { depth -= 1 }
      guard let (name, length) = directive(token) else {
        result.rest.append(token)
        continue
      }
      let text = line.text(token.range)
      if index > 0, tokens[index - 1].kind == .minus {
        throw line.error(
          "'\(name)' cannot be negated", at: token.range, "write \(text) without '-'")
      }
      if depth > 0 {
        throw line.error(
          "'\(name)' stands in parentheses", at: token.range, "write \(text) outside of them")
      }
      if result.found.contains(where: { $0.name == name }) {
        throw line.error("'\(name)' stands twice", at: token.range, "leave one of them out")
      }
      let value = TermValue(of: token, from: length)
      if value.pieces.isEmpty {
        throw missingValue(
          name, token, next: index + 1 < tokens.count ? tokens[index + 1] : nil, line)
      }
      result.found.append(Directive(name: name, range: token.range, value: value))
    }
    return result
  }

  /// Which directive a word is, and how long its name is with the colon.
  private static func directive(_ token: QueryToken) -> (name: Directive.Name, length: Int)? {
    let head = token.head
    guard let colon = head.firstIndex(of: ":"), let name = Directive.Name(head[..<colon].text)
    else { return nil }
    return (name, colon + 1)
  }

  private static func missingValue(
    _ name: Directive.Name, _ token: QueryToken, next: QueryToken?, _ line: QueryLine
  ) -> QueryError {
    let start = line.text(token.range)
    guard let next, next.kind == .word || next.kind == .minus,
      next.range.lowerBound > token.range.upperBound
    else {
      return line.error(
        "nothing after '\(start)'", at: token.range, "write a value, such as \(name.example)")
    }
    let value = line.scalars[next.range.lowerBound...].prefix { !$0.properties.isWhitespace }.text
    return line.error(
      "a space after ':'", at: token.range.upperBound - 1..<token.range.upperBound,
      "write \(start)\(value)")
  }
}
