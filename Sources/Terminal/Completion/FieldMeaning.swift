internal import Entities

extension CatalogField {
  /// The values of a closed list; empty where any may be written.
  var closedValues: [String] {
    switch kind {
    case .name(let names), .names(.some(let names)): names
    case .category(let range): range.map { String($0) }
    case .flag: ["yes", "no"]
    default: []
    }
  }

  /// True for what is compared as a number rather than asked for by `:`.
  var takesComparison: Bool {
    switch kind {
    case .number, .category, .date: true
    default: false
    }
  }

  /// What a list says of the field: its whole name where it is called otherwise, and what it holds.
  var meaning: String {
    let content =
      switch kind {
      case .number: argumentNames.isEmpty ? "a number" : "a number for each of them"
      case .category(let range): "\(range.lowerBound) to \(range.upperBound)"
      case .date: "a day"
      case .flag: "yes or no"
      case .text: "a text, by the start of its words"
      case .whole: "a whole text"
      case .name(let names): Self.shown(names)
      case .names(let names?): Self.shown(names)
      case .names(nil): "names"
      case .opaque: "has: finds it"
      }
    if displayName == name { return content }
    return name.split(separator: "_").joined(separator: " ") + ": " + content
  }

  private static func shown(_ names: [String]) -> String {
    names.prefix(3).joined(separator: ", ") + (names.count > 3 ? " …" : "")
  }
}

extension CatalogEntity {
  /// What a list says of the entity: the first of its fields.
  var meaning: String {
    fields.prefix(4).map(\.displayName).joined(separator: ", ") + (fields.count > 4 ? " …" : "")
  }
}
