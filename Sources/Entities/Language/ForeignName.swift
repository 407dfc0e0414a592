/// Words of other query languages in the place of a field, and how this one says the same.
enum ForeignName {
  /// What to write instead of the unknown field `name`; nil where nothing is known of it.
  static func help(with name: String, at range: Range<Int>, in terms: TermParser) -> [String]? {
    let value = terms.line.scalars[range.upperBound...]
      .drop { $0.isOperator || $0 == "!" }
      .prefix { !$0.properties.isWhitespace && $0 != "(" && $0 != ")" }.text
    switch name.lowercased() {
    case "having":
      return [
        "groups cannot be chosen by what is counted of them",
        "the largest of them: group:type sort:-count limit:5",
      ]
    case "dir", "direction":
      let key = sorted(terms.line) ?? terms.entity.fields.first(where: \.isNumeric)?.displayName
      let isDescending = !value.lowercased().hasPrefix("asc")
      return ["write sort:\(isDescending ? "-" : "")\(key ?? "id") in the place of both"]
    case "orderby", "order_by", "sortby", "sort_by", "orders": return ["write sort:\(value)"]
    case "groupby", "group_by": return ["write group:\(value)"]
    case "select", "columns", "cols", "fields", "return": return ["write show:\(value)"]
    case "where", "filter", "query", "q": return ["leave it out: terms stand alone, such as hp>100"]
    case "top", "first", "take": return ["write limit:\(value)"]
    case "move", "moves", "learns", "m":
      guard terms.catalog.entities.contains(where: { $0.name == "moves" }) else { return nil }
      return ["who learns a move is not kept; the moves themselves: from:moves \(value)"]
    case let name:
      guard let meant = short[name], terms.entity.field(named: meant) != nil else { return nil }
      return ["write \(meant):\(value)"]
    }
  }

  /// Short names that others give to fields that have a longer one here.
  private static let short = [
    "a": "ability", "ab": "ability", "c": "color", "colour": "color", "h": "height",
    "w": "weight", "s": "stage", "lv": "level", "lvl": "level", "l": "level",
  ]

  /// What a line is sorted by.
  private static func sorted(_ line: QueryLine) -> String? {
    for word in line.source.split(whereSeparator: \.isWhitespace) {
      for start in ["order:", "sort:"] where word.lowercased().hasPrefix(start) {
        return String(word.dropFirst(start.count).drop { $0 == "-" })
      }
    }
    return nil
  }
}
