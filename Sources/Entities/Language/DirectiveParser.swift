/// Puts directives into a query.
struct DirectiveParser {
  let terms: TermParser

  private var line: QueryLine { terms.line }
  private var entity: CatalogEntity { terms.entity }

  func apply(_ directives: [Directive], to query: inout Query) throws(QueryError) {
    // What may be shown and sorted depends on the groups.
    for directive in directives where directive.name == .group {
      let parts = directive.value.parts(separatedBy: ",")
      for part in parts {
        let key = try group(part)
        if query.groups.contains(key) {
          throw line.error(
            "'\(part.text)' stands twice in 'group'", at: part.range, "leave one of them out")
        }
        query.groups.append(key)
      }
    }
    for directive in directives {
      let value = directive.value
      switch directive.name {
      case .from, .group: break
      case .limit: query.limit = try count(value, directive.name)
      case .offset: query.offset = try count(value, directive.name)
      case .lang: query.language = try language(value)
      case .show:
        let parts = value.parts(separatedBy: ",")
        query.columns = try parts.mapThrowing { part throws(QueryError) in try column(part) }
        try checkColumns(query, parts)
      case .sort: break
      }
    }
    for directive in directives where directive.name == .sort {
      let isGrouped = query.isGrouped
      query.order = try directive.value.parts(separatedBy: ",").mapThrowing {
        part throws(QueryError) in
        try sortKey(part, isGrouped ? query : nil)
      }
    }
  }

  private func count(_ value: TermValue, _ name: Directive.Name) throws(QueryError) -> Int {
    let text = value.text
    guard !value.isQuoted, text.unicodeScalars.allSatisfy(\.isDigit) else {
      throw line.error(
        "'\(text)' is no count", at: value.range, "write digits, such as \(name.example)")
    }
    guard let count = Int(text) else { throw terms.outOfRange(value.range) }
    return count
  }

  private func language(_ value: TermValue) throws(QueryError) -> String {
    let languages = terms.catalog.languages
    if languages.isEmpty { return value.text }
    let name = value.text.lowercased()
    if let known = languages.first(where: { $0.lowercased() == name }) { return known }
    throw line.error(
      "no language '\(value.text)'", at: value.range,
      help: terms.suggestion(for: name, among: languages)
        ?? ["one of " + languages.joined(separator: ", ")])
  }

  private func group(_ part: TermValue) throws(QueryError) -> FieldPath {
    try checkItem(part, .group)
    try checkSum(part.range, "grouped by", [])
    let found = try terms.path(at: part.range)
    if found.field.kind == .opaque {
      throw line.error(
        "'\(line.text(part.range))' has no values to group by", at: part.range,
        "group by a field such as type")
    }
    return found.path
  }

  /// Complains about a sum where only one field can stand.
  private func checkSum(
    _ range: Range<Int>, _ use: String, _ instead: [String]
  ) throws(QueryError) {
    guard line.scalars[range].contains("+") else { return }
    let start = aggregate(range).map { "\($0.aggregate.rawValue)." } ?? ""
    let sum = aggregate(range)?.rest ?? range
    let parts = line.scalars[sum].split(separator: "+").map { start + $0.text }
    throw line.error(
      "a sum cannot be \(use)", at: range,
      help: ["each by itself: \(parts.joined(separator: ","))"] + instead)
  }

  private func checkItem(_ part: TermValue, _ name: Directive.Name) throws(QueryError) {
    if part.pieces.isEmpty {
      let place = part.range.lowerBound
      throw line.error(
        "a field is missing in '\(name)'", at: max(0, place - 1)..<max(1, place),
        "such as \(name.example)")
    }
    if part.isQuoted {
      throw line.error("the name of a field has no quotes", at: part.range, "write \(part.text)")
    }
  }

  // Columns

  private func column(_ part: TermValue) throws(QueryError) -> Column {
    try checkItem(part, .show)
    let isPlain = aggregate(part.range) == nil
    try checkSum(part.range, "shown", isPlain ? ["sort:\(line.text(part.range)) sorts by it"] : [])
    return try column(at: part.range)
  }

  private func column(at range: Range<Int>) throws(QueryError) -> Column {
    if line.text(range) == "*" {
      throw line.error(
        "'*' is no column", at: range, "leave it out for the usual ones, or name them: show:name")
    }
    if isCount(range) { return .count }
    if let (aggregate, rest) = aggregate(range) {
      let (path, field) = try terms.path(at: rest)
      guard field.isNumeric else {
        throw line.error(
          "'\(line.text(rest))' is no number", at: rest,
          "\(aggregate.rawValue). goes before a number, such as \(aggregate.rawValue).bst")
      }
      return .aggregate(aggregate, path)
    }
    return .field(try terms.path(at: range).path)
  }

  private func isCount(_ range: Range<Int>) -> Bool {
    line.text(range).lowercased() == "count" && entity.field(named: "count") == nil
  }

  /// `avg.bst`, where no field is called `avg`.
  private func aggregate(_ range: Range<Int>) -> (aggregate: Aggregate, rest: Range<Int>)? {
    let scalars = line.scalars[range]
    guard let point = scalars.firstIndex(of: "."),
      let aggregate = Aggregate(rawValue: scalars[..<point].text.lowercased()),
      entity.field(named: aggregate.rawValue) == nil
    else { return nil }
    return (aggregate, point + 1..<range.upperBound)
  }

  /// Beside groups, only their keys and what is counted of them can be shown.
  private func checkColumns(_ query: Query, _ parts: [TermValue]) throws(QueryError) {
    guard query.isGrouped else { return }
    for (column, part) in zip(query.columns, parts) {
      if case .field(let path) = column, !query.groups.contains(path) {
        throw line.error(
          "'\(part.text)' differs within a group", at: part.range,
          "show count or such as avg.\(part.text), or add it to group:")
      }
    }
  }

  // Order

  private func sortKey(_ part: TermValue, _ grouped: Query?) throws(QueryError) -> SortKey {
    let isDescending = part.pieces.first?.text.first == "-"
    var rest = part
    if isDescending, part.range.count == 1 { rest.pieces = [] }
    rest.range = part.range.lowerBound + (isDescending ? 1 : 0)..<part.range.upperBound
    try checkItem(rest, .sort)
    if let grouped { return try groupedKey(rest.range, isDescending, grouped) }
    if isCount(rest.range) || aggregate(rest.range) != nil {
      throw line.error(
        "'\(line.text(rest.range))' is known of groups only", at: rest.range,
        "add group: and a field, such as group:type")
    }
    let (paths, field) = try terms.sum(at: rest.range)
    if field.kind == .opaque {
      throw line.error(
        "'\(line.text(rest.range))' has no order", at: rest.range, "sort by another field")
    }
    return SortKey(paths, isDescending: isDescending)
  }

  private func groupedKey(
    _ range: Range<Int>, _ isDescending: Bool, _ query: Query
  ) throws(QueryError) -> SortKey {
    try checkSum(range, "sorted by beside group:", [])
    let column = try column(at: range)
    if case .field(let path) = column, !query.groups.contains(path) {
      throw line.error(
        "'\(line.text(range))' differs within a group", at: range,
        "sort by a key of the group, count, or such as avg.\(line.text(range))")
    }
    return SortKey(column, isDescending: isDescending)
  }
}

extension Array {
  /// Like `map`, for what can fail.
  func mapThrowing<Result, Failure: Error>(
    _ transform: (Element) throws(Failure) -> Result
  ) throws(Failure) -> [Result] {
    var results: [Result] = []
    for element in self { results.append(try transform(element)) }
    return results
  }
}
