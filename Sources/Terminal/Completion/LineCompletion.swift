package import Entities

/// Completes lines of the shell, from what it is told there is.
package struct LineCompletion {
  package var commands: [any DescribedCommand]
  /// What queries can speak of; nil without a database.
  package var catalog: FieldCatalog?
  /// Names that begin with a text, by the index, no more than a few hundred.
  package var names: (_ entity: String, _ start: String) -> [String]
  /// The values that a field has in the records of an entity, where there are not too many.
  package var values: (_ entity: String, _ field: String) -> [String]
  /// The names in a folder; those of folders end in a slash.
  package var files: (_ folder: String) -> [String]
  /// The pictures of the gallery.
  package var pictures: [String]
  /// What a word is written as, so that it is read as itself.
  var quoted: (String) -> String = CommandWords.quoted

  /// Completion of lines with these commands; `names`, `values` and `files` are asked as it goes.
  package init(
    commands: [any DescribedCommand], catalog: FieldCatalog?,
    names: @escaping (_ entity: String, _ start: String) -> [String],
    values: @escaping (_ entity: String, _ field: String) -> [String] = { _, _ in [] },
    files: @escaping (_ folder: String) -> [String], pictures: [String] = []
  ) {
    self.commands = commands
    self.catalog = catalog
    self.names = names
    self.values = values
    self.files = files
    self.pictures = pictures
  }

  /// What can stand where the cursor is, which is so many scalars into the line.
  package func completion(of line: String, at cursor: Int) -> Completion {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: line.unicodeScalars.prefix(cursor))
    let before = String(view)
    let text = String(before.drop(while: \.isWhitespace))
    return text.hasPrefix(".") ? command(text) : query(text, whole: line)
  }

  // MARK: Commands

  private func command(_ text: String) -> Completion {
    let words = CommandWords(text)
    let endsInSpace = words.openQuote == nil && text.last?.isWhitespace == true
    let head = words.words.first?.text ?? ""
    if words.words.count == 1 && !endsInSpace {
      let names = commands.map { "." + $0.name }.filter { $0.hasPrefix(text) }
      return Completion(text, names.sorted().map { .init($0) })
    }
    guard
      let command = commands.first(where: {
        "." + $0.name == head || $0.aliases.contains(String(head.dropFirst()))
      })
    else { return .none }
    let arguments = Array(words.words.dropFirst())
    let done = endsInSpace ? arguments[...] : arguments.dropLast()
    let last = endsInSpace ? nil : arguments.last
    return argument(of: command, after: done.map(\.text), last, in: text)
  }

  private func argument(
    of command: any DescribedCommand, after done: [String], _ word: CommandWords.Word?,
    in text: String
  ) -> Completion {
    let start = word?.text ?? ""
    let raw = word.map { word in Self.text(text, from: word.start) } ?? ""
    let option = done.last.flatMap { name in
      command.options.first { ($0.name == name || $0.short == name) && $0.value != nil }
    }
    if let option { return value(of: option, raw, start) }
    let operandCount = operands(done, command).count
    if operandCount == 0, start.hasPrefix("-"), !ArgumentReader.isQuery(start) || start == "-" {
      let names = command.options.map(\.name) + ["--help"]
      let found = names.filter { $0.hasPrefix(start) }
      if !found.isEmpty || !command.takesQuery { return Completion(raw, found.map { .init($0) }) }
    }
    if command.takesQuery {
      let first = operands(done, command).first
      let whole = first == nil ? raw : text
      return query(whole, whole: text)
    }
    return operand(of: command, operands(done, command), raw, start)
  }

  /// What of `words` is behind the options.
  private func operands(_ words: [String], _ command: any DescribedCommand) -> ArraySlice<String> {
    var rest = words[...]
    while let word = rest.first, word.hasPrefix("-"), !ArgumentReader.isQuery(word) {
      rest = rest.dropFirst()
      if word == "--" { break }
      let option = command.options.first { $0.name == word || $0.short == word }
      if option?.value != nil { rest = rest.dropFirst() }
    }
    return rest
  }

  func value(of option: OptionDefinition, _ raw: String, _ start: String) -> Completion {
    if !option.choices.isEmpty { return words(option.choices, raw, start) }
    switch option.value {
    case "FILE", "DIR": return file(raw, start)
    case "ENTITY": return words(catalog?.entities.map(\.name) ?? [], raw, start)
    case "QUERY":
      let inner = raw.first == "'" || raw.first == "\"" ? String(raw.dropFirst()) : raw
      // Who is fought is a Pokémon, whoever fights.
      if option.name == "--enemies" { return query(inner, whole: inner + " from:pokemon") }
      return query(inner, whole: inner)
    default: return .none
    }
  }

  func operand(
    of command: any DescribedCommand, _ done: ArraySlice<String>, _ raw: String, _ start: String
  ) -> Completion {
    switch command.name {
    case "help":
      return words(
        commands.flatMap { [$0.name] + $0.aliases } + ["queries"], raw, start)
    case "mode": return words(OutputFormat.allCases.map(\.rawValue) + ["auto"], raw, start)
    case "completions": return words(["bash", "zsh", "fish"], raw, start)
    case "timer": return words(["on", "off"], raw, start)
    case "add", "set": return assignment(of: command, done, raw, start)
    case "portrait":
      if done.isEmpty {
        return words(["set", "get", "clear", "import", "gallery"], raw, start)
      }
      if done.first == "gallery" { return words(pictures, raw, start) }
      if done.first == "set", done.count == 2 {
        return either(words(pictures, raw, start), raw, start)
      }
      return done.first == "import" ? file(raw, start) : name(raw, start)
    case "schema": return words(catalog?.entities.map(\.name) ?? [], raw, start)
    case "show": return name(raw, start)
    default:
      let takesFile = ["FILE", "OUT", "DIR"].contains { command.operands.contains($0) }
      return takesFile ? file(raw, start) : .none
    }
  }

  /// `field=value`: fields, and values of closed lists.
  private func assignment(
    of command: any DescribedCommand, _ done: ArraySlice<String>, _ raw: String, _ start: String
  ) -> Completion {
    let named = done.first { !$0.contains("=") } ?? "adventurers"
    guard let catalog, let entity = catalog.entities(startingWith: named).first else {
      return .none
    }
    guard let mark = start.firstIndex(of: "=") else {
      let fields = entity.fields.filter { !$0.name.contains(":") && $0.argumentNames.isEmpty }
      var found = fields.map { Completion.Candidate($0.displayName + "=", ending: "") }
      if command.name == "add", done.isEmpty {
        found += catalog.entities.map { .init($0.name) }
      }
      return Completion(raw, found.filter { $0.text.hasPrefix(start) })
    }
    let field = String(start[..<mark])
    let value = String(start[start.index(after: mark)...])
    let rawValue = raw.firstIndex(of: "=").map { String(raw[raw.index(after: $0)...]) } ?? ""
    if field == "portrait" { return either(words(pictures, rawValue, value), rawValue, value) }
    if entity.field(named: field)?.name == "profession" {
      return words(Profession.allCases.map(\.rawValue), rawValue, value)
    }
    return words(entity.field(named: field)?.closedValues ?? [], rawValue, value)
  }

  // MARK: Words, names and files

  private func words(_ words: [String], _ raw: String, _ start: String) -> Completion {
    let found = Set(words).filter { $0.lowercased().hasPrefix(start.lowercased()) }
    return Completion(raw, found.sorted().map { .init(quoted($0), shown: $0) })
  }

  private func name(_ raw: String, _ start: String) -> Completion {
    if start.isEmpty { return .none }
    var found: [String] = []
    for entity in ["pokemon", "adventurers", "forms"] { found += names(entity, start) }
    return words(found, raw, start)
  }

  /// What `completion` has, and files as well.
  private func either(_ completion: Completion, _ raw: String, _ start: String) -> Completion {
    Completion(raw, completion.candidates + file(raw, start).candidates)
  }

  private func file(_ raw: String, _ start: String) -> Completion {
    let folder = start.lastIndex(of: "/").map { String(start[...$0]) } ?? ""
    let name = String(start.dropFirst(folder.count))
    let found = files(folder.isEmpty ? "." : folder).filter { file in
      file.hasPrefix(name) && (name.hasPrefix(".") || !file.hasPrefix("."))
    }
    return Completion(
      raw,
      found.map { file in
        .init(
          quoted(folder + file), shown: file, ending: file.hasSuffix("/") ? "" : " ")
      })
  }

  private static func text(_ text: String, from start: Int) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: text.unicodeScalars.dropFirst(start))
    return String(view)
  }
}

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
}
