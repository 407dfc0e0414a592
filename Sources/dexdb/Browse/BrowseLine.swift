import Entities

/// Changes to a query line that leave the rest of it as somebody typed it.
enum BrowseLine {
  /// The parts of a line between blanks; what stands in quotes or parentheses is one part.
  static func parts(of text: String) -> [String] {
    var parts: [String] = []
    var current = ""
    var depth = 0
    var isQuoted = false
    var isEscaped = false
    for character in text {
      if character.isWhitespace, depth <= 0, !isQuoted {
        if !current.isEmpty { parts.append(current) }
        current = ""
        continue
      }
      current.append(character)
      if isEscaped {
        isEscaped = false
      } else if character == "\"" {
        isQuoted.toggle()
      } else if isQuoted {
        isEscaped = character == "\\"
      } else if character == "(" {
        depth += 1
      } else if character == ")" {
        depth -= 1
      }
    }
    if !current.isEmpty { parts.append(current) }
    return parts
  }

  /// The types that the line asks for together, in its order.
  static func types(in text: String) -> [String] {
    let parts = parts(of: text)
    if hasAlternatives(parts) { return [] }
    var types: [String] = []
    for type in parts.flatMap({ Self.types(ofPart: $0) ?? [] }) where !types.contains(type) {
      types.append(type)
    }
    return types
  }

  /// The line with these types instead of those that it asks for.
  static func withTypes(_ types: [String], in text: String) -> String {
    var parts = parts(of: text)
    if hasAlternatives(parts) {
      if types.isEmpty { return text }
      // What is added must hold beside each of the alternatives.
      let directives = parts.filter(isDirective)
      let rest = parts.filter { !isDirective($0) }.joined(separator: " ")
      parts = ["(\(rest))"] + directives
    } else {
      parts = parts.enumerated().filter { index, part in
        let isInner = index > 0 && index < parts.count - 1
        return Self.types(ofPart: part) == nil && !(isInner && part.lowercased() == "and")
      }.map(\.element)
    }
    let place = parts.firstIndex(where: isDirective) ?? parts.count
    parts.insert(contentsOf: types.map { "t:\($0)" }, at: place)
    return parts.joined(separator: " ")
  }

  /// The line sorted by these keys, such as `-bst`; nil for the usual order.
  static func withSort(_ keys: String?, in text: String) -> String {
    var parts = parts(of: text).filter { sort(ofPart: $0) == nil }
    if let keys { parts.append("sort:\(keys)") }
    return parts.joined(separator: " ")
  }

  /// What the line is sorted by, as it says that.
  static func sort(in text: String) -> String? {
    parts(of: text).compactMap { sort(ofPart: $0) }.first
  }

  private static func hasAlternatives(_ parts: [String]) -> Bool {
    parts.dropFirst().dropLast().contains { $0.lowercased() == "or" }
  }

  private static func isDirective(_ part: String) -> Bool {
    guard let colon = part.firstIndex(of: ":") else { return false }
    return ["from", "limit", "offset", "sort", "order", "show", "group", "lang"]
      .contains(part[..<colon].lowercased())
  }

  private static func sort(ofPart part: String) -> String? {
    guard let colon = part.firstIndex(of: ":"),
      ["sort", "order"].contains(part[..<colon].lowercased())
    else { return nil }
    return String(part[part.index(after: colon)...])
  }

  private static func types(ofPart part: String) -> [String]? {
    guard let colon = part.firstIndex(of: ":"),
      ["t", "type", "types"].contains(part[..<colon].lowercased())
    else { return nil }
    let names = part[part.index(after: colon)...].lowercased().split(
      separator: "/", omittingEmptySubsequences: false
    ).map(String.init)
    let isKnown = names.allSatisfy { name in PokemonType.allCases.contains { $0.name == name } }
    return isKnown ? names : nil
  }
}
