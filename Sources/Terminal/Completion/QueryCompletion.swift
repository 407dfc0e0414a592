internal import Entities

/// Completion within a query: directives, fields, values and names.
extension LineCompletion {
  private static let directives = [
    ("from:", "which entity is asked"), ("sort:", "the order of rows; - for descending"),
    ("limit:", "at most so many rows"), ("offset:", "leave out so many rows first"),
    ("show:", "which columns"), ("group:", "how many of each value"),
    ("lang:", "names of one language"), ("is:", "what a record is"), ("has:", "what a record has"),
  ]

  private static let languageNames = [
    "de": "German", "en": "English", "es": "Spanish", "es-419": "Spanish of Latin America",
    "fr": "French", "it": "Italian", "ja": "Japanese", "ja-Hrkt": "Japanese, in kana",
    "ja-Latn": "Japanese, in Latin letters", "ko": "Korean", "zh-Hans": "Chinese, simplified",
    "zh-Hant": "Chinese, traditional",
  ]

  /// What can stand at the end of `text`; `whole` says which entity is asked.
  func query(_ text: String, whole: String) -> Completion {
    guard let catalog, let entity = asked(whole, catalog) else { return .none }
    let token = Self.lastToken(of: text)
    var term = token.drop { $0 == "-" || $0 == "(" }
    if token.isEmpty { term = token[...] }
    if term.hasPrefix("\"") { return names(of: entity, quoted: String(term.dropFirst()), term) }
    guard let mark = term.firstIndex(where: { ":=<>!".contains($0) }) else {
      return phrase(at: text, entity) ?? head(String(term), entity)
    }
    let field = String(term[..<mark])
    let value = term[term.index(after: mark)...].drop { "=".contains($0) }
    return values(of: field, String(value), entity, catalog)
  }

  /// The part of the line behind the last space that is not between quotation marks.
  private static func lastToken(of text: String) -> String {
    var token = ""
    var isQuoted = false
    for character in text {
      if character == "\"" { isQuoted.toggle() }
      if character.isWhitespace, !isQuoted { token = "" } else { token.append(character) }
    }
    return token
  }

  private func asked(_ line: String, _ catalog: FieldCatalog) -> CatalogEntity? {
    for word in line.split(whereSeparator: \.isWhitespace)
    where word.lowercased().hasPrefix("from:") {
      let found = catalog.entities(startingWith: String(word.dropFirst(5)))
      if found.count == 1 { return found[0] }
    }
    return catalog.entities.first { $0.name == catalog.defaultEntity }
  }

  /// Names that begin with several words at the end of `text`, which no marks hold together.
  private func phrase(at text: String, _ entity: CatalogEntity) -> Completion? {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    for count in [3, 2] where words.count >= count {
      let part = words.suffix(count)
      let isPlain = part.allSatisfy { word in
        !word.isEmpty && !word.hasPrefix("-") && !word.contains { ":=<>!\"()".contains($0) }
      }
      if !isPlain { continue }
      let start = part.joined(separator: " ")
      let folded = NearestName.foldedWords(of: start)
      let found = names(entity.name, start).filter {
        KnownName.has(folded, in: $0.text, atStart: true)
      }
      if !found.isEmpty { return Completion(start, found.map(Self.quotedCandidate)) }
    }
    return nil
  }

  /// The start of a term: what a field, a directive or a name could begin with.
  private func head(_ start: String, _ entity: CatalogEntity) -> Completion {
    let lowered = start.lowercased()
    var found: [Completion.Candidate] = []
    for field in entity.fields where !field.name.contains(":") {
      if !field.argumentNames.isEmpty {
        let dot = field.name + "."
        if lowered.hasPrefix(dot) {
          found += field.argumentNames.map { .init(dot + $0, ending: "", help: field.meaning) }
        } else {
          found.append(.init(dot, ending: "", help: field.meaning))
        }
        continue
      }
      for name in Set([field.displayName, field.name] + field.aliases) where name != "#" {
        let isUsual = name == field.displayName
        if isUsual || (!lowered.isEmpty && name.hasPrefix(lowered)) {
          let isText = !field.takesComparison
          found.append(.init(isText ? name + ":" : name, ending: "", help: field.meaning))
        }
      }
    }
    found += Self.directives.map { .init($0, ending: "", help: $1) }
    found = Set(found).filter { $0.text.hasPrefix(lowered) }.sorted { $0.text < $1.text }
    // One letter begins too many names; one character of other writings says more.
    if start.utf8.count >= 2 {
      found += names(entity.name, start).map { Self.nameCandidate($0) }
    }
    return Completion(start, found)
  }

  private static func nameCandidate(_ name: KnownName) -> Completion.Candidate {
    let isWord = name.text.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == "-"
    }
    return isWord ? .init(name.text, help: name.help) : quotedCandidate(name)
  }

  private static func quotedCandidate(_ name: KnownName) -> Completion.Candidate {
    .init("\"" + escaped(name.text) + "\"", shown: name.text, help: name.help)
  }

  private static func escaped(_ name: String) -> String {
    String(name.flatMap { "\"\\".contains($0) ? ["\\", $0] : [$0] })
  }

  private func names(
    of entity: CatalogEntity, quoted start: String, _ part: Substring
  ) -> Completion {
    Completion(part, names(entity.name, start).map(Self.quotedCandidate))
  }

  private func values(
    of field: String, _ value: String, _ entity: CatalogEntity, _ catalog: FieldCatalog
  ) -> Completion {
    switch field.lowercased() {
    case "from":
      return choices(catalog.entities.map(\.name), value) { name in
        catalog.entities.first { $0.name == name }?.meaning
      }
    case "lang": return choices(catalog.languages, value) { Self.languageNames[$0] }
    case "is", "has": return choices(entity.flagNames(after: field.lowercased() + ":"), value)
    case "sort", "order", "show", "group":
      let part = value.split(separator: ",", omittingEmptySubsequences: false).last ?? ""
      let names = entity.fields.filter { !$0.name.contains(":") && $0.argumentNames.isEmpty }
      return choices(
        names.map(\.displayName), String(part.drop { $0 == "-" }), ending: ""
      ) { name in names.first { $0.displayName == name }?.meaning }
    default: break
    }
    guard let known = entity.field(named: field) else { return .none }
    let part = value.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    let list = known.closedValues
    if !list.isEmpty { return choices(list, String(part)) }
    switch known.kind {
    case .names: return choices(self.values(entity.name, known.name), String(part))
    case .text where known.name != "name":
      return Completion(
        value,
        self.values(entity.name, known.name).filter {
          $0.lowercased().hasPrefix(value.lowercased())
        }.map { Self.nameCandidate(KnownName($0)) })
    default: break
    }
    guard known.name == "name" || known.name == "family", value.count >= 1 else { return .none }
    if value.hasPrefix("\"") {
      return names(of: entity, quoted: String(value.dropFirst()), value[...])
    }
    return Completion(value, names(entity.name, value).map { Self.nameCandidate($0) })
  }

  private func choices(
    _ words: [String], _ start: String, ending: String = " ",
    help: (String) -> String? = { _ in nil }
  ) -> Completion {
    let found = Set(words).filter { $0.lowercased().hasPrefix(start.lowercased()) }
    return Completion(
      start, found.sorted().map { .init($0, ending: ending, help: help($0) ?? "") })
  }
}
