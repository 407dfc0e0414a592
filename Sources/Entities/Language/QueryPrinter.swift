/// Writes queries so that `QueryParser` reads the same query again.
///
/// Of a query that the parser made, exactly the same; of another, one with the same answers
/// (groups of one filter lose their parentheses, for example).
public struct QueryPrinter {
  private let catalog: FieldCatalog
  private let entity: CatalogEntity?

  /// `query` as a line.
  public static func text(of query: Query, in catalog: FieldCatalog) -> String {
    let printer = QueryPrinter(
      catalog: catalog, entity: catalog.entities.first { $0.name == query.entity })
    var parts: [String] = []
    if query.entity != catalog.defaultEntity { parts.append("from:\(query.entity)") }
    let filter = printer.filter(query.filter, in: .top)
    if !filter.isEmpty { parts.append(filter) }
    if let language = query.language { parts.append("lang:\(language)") }
    if !query.groups.isEmpty { parts.append("group:" + list(query.groups.map(\.title))) }
    if !query.columns.isEmpty { parts.append("show:" + list(query.columns.map(\.title))) }
    if !query.order.isEmpty { parts.append("sort:" + list(query.order.map(sortKey))) }
    if let limit = query.limit { parts.append("limit:\(limit)") }
    if query.offset != 0 { parts.append("offset:\(query.offset)") }
    return parts.joined(separator: " ")
  }

  private static func list(_ items: [String]) -> String { items.joined(separator: ",") }

  private static func sortKey(_ key: SortKey) -> String {
    let name =
      switch key.source {
      case .fields(let fields): sum(fields)
      case .column(let column): column.title
      }
    return (key.isDescending ? "-" : "") + name
  }

  private static func sum(_ paths: [FieldPath]) -> String {
    paths.map(\.title).joined(separator: "+")
  }

  /// Where a filter stands, which decides about parentheses.
  private enum Place { case top, or, and, not }

  private func filter(_ filter: Filter, in place: Place) -> String {
    switch filter {
    case .everything: place == .top ? "" : "id>=0"
    case .all(let parts): group(parts, " ", .and, in: place, empty: "id>=0")
    case .any(let parts):
      number(parts) ?? group(parts, " OR ", .or, in: place, empty: "id<0")
    case .not(let inner): not(inner)
    case .number(let paths, let comparison, let value):
      self.comparison(paths, comparison.rawValue, value)
    case .range(let paths, let lower, let upper): range(paths, lower, upper)
    case .fields(let left, let comparison, let right):
      Self.sum(left) + comparison.rawValue + Self.sum(right)
    case .has(let path, let names):
      "\(path.title):" + names.map { Self.value($0) }.joined(separator: "/")
    case .exactly(let path, let names):
      "\(path.title)=" + names.map { Self.value($0) }.joined(separator: "/")
    case .words(let path, let words, let isPhrase): self.words(path, words, isPhrase)
    case .part(let path, let words, let endsWord):
      "\(self.start(of: path))*\(unquoted(words.joined(separator: "-")))\(endsWord ? "" : "*")"
    case .text(let path, let text): "\(path.title)=" + Self.value(text)
    case .present(let path): "has:\(path.title)"
    case .flag(let path): flag(path)
    case .id(let id): self.id(id)
    }
  }

  /// `#7` where that means the record's own number, and not a field called `number`.
  private func id(_ id: UInt64) -> String {
    guard let entity, TermParser.numbered(id, in: entity) != .id(id) else { return "#\(id)" }
    return "id=\(id)"
  }

  private func group(
    _ parts: [Filter], _ separator: String, _ inner: Place, in place: Place, empty: String
  ) -> String {
    if parts.isEmpty { return empty }
    if parts.count == 1 { return filter(parts[0], in: place) }
    let text = parts.map { filter($0, in: inner) }.joined(separator: separator)
    let isBare = place == .top || place == .or && inner == .and
    return isBare ? text : "(\(text))"
  }

  private func not(_ inner: Filter) -> String { "-" + filter(inner, in: .not) }

  private func comparison(_ paths: [FieldPath], _ sign: String, _ value: Number) -> String {
    if let text = value.decimalText { return Self.sum(paths) + sign + text }
    // No decimal fraction is the same; 18 digits are as near as the language comes.
    return Self.sum(paths) + sign + value.roundedText
  }

  private func range(_ paths: [FieldPath], _ lower: Number?, _ upper: Number?) -> String {
    guard lower != nil || upper != nil else {
      return "(" + Self.sum(paths) + ":0.. OR " + Self.sum(paths) + "<0)"
    }
    let ends = [lower, upper].map { $0.map { $0.decimalText ?? $0.roundedText } ?? "" }
    return "\(Self.sum(paths)):\(ends[0])..\(ends[1])"
  }

  private func flag(_ path: FieldPath) -> String {
    path.name.contains(":") ? path.name : "is:\(path.title)"
  }

  // Words

  /// What stands before the words of a field: nothing where bare words search it.
  private func start(of path: FieldPath) -> String {
    let isSearched = path.argument == nil && path.name == entity?.searchedField?.name
    return isSearched ? "" : "\(path.title):"
  }

  private func words(_ path: FieldPath, _ words: [String], _ isPhrase: Bool) -> String {
    let start = start(of: path)
    if isPhrase { return start + Self.quoted(words.joined(separator: " ")) }
    let text = unquoted(words.joined(separator: "-"))
    // In quotes it would be a phrase.
    if !start.isEmpty { return start + text }
    // What would be read as something else ends in a hyphen, which folding takes away again.
    let isNumber = text.utf8.allSatisfy { (48...57).contains($0) }
    let isSpecial = ["or", "and", "not"].contains(text) || isNumber || !Self.isPlain(text)
    return isSpecial ? text + "-" : text
  }

  /// The same with symbols that mean something to the parser, such as `<` and `~`, in their wide
  /// forms, which folding makes the same again.
  private func unquoted(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          scalar.isASCII && !scalar.isNamePart
            ? Unicode.Scalar(scalar.value + 0xFEE0) ?? scalar : scalar
        }))
  }

  /// A search for a number that also finds the record of that number.
  private func number(_ parts: [Filter]) -> String? {
    guard parts.count == 2, case .words(let path, let words, false) = parts[0],
      path.name == entity?.searchedField?.name, words.count == 1, let number = UInt64(words[0]),
      let entity, parts[1] == TermParser.numbered(number, in: entity)
    else { return nil }
    return words[0]
  }

  /// `text` as a value, in quotes where it needs them.
  static func value(_ text: String) -> String { isPlain(text) ? text : quoted(text) }

  /// True where the text means itself without quotes.
  private static func isPlain(_ text: String) -> Bool {
    !text.isEmpty && text.unicodeScalars.allSatisfy { $0.isNamePart }
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { result += "\\" }
      result.unicodeScalars.append(scalar)
    }
    return result + "\""
  }
}

extension Number {
  /// The nearest decimal fraction toward zero with six digits.
  fileprivate var roundedText: String {
    let whole = numerator / denominator
    let rest = (numerator % denominator).magnitude
    // The rest is smaller than the denominator, so the quotient has six digits at most.
    let scaled = rest.multipliedFullWidth(by: 1_000_000)
    let digits = String(denominator.magnitude.dividingFullWidth(scaled).quotient)
    let sign = numerator < 0 && whole == 0 ? "-" : ""
    return "\(sign)\(whole)." + String(repeating: "0", count: 6 - digits.count) + digits
  }
}
