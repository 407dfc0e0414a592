package import Entities

/// Completes lines of the shell, from what it is told there is.
package struct LineCompletion {
  package var commands: [any DescribedCommand]
  /// What queries can speak of; nil without a database.
  package var catalog: FieldCatalog?
  /// Names that begin with a text, or else have it elsewhere, no more than a few hundred.
  package var names: (_ entity: String, _ start: String) -> [KnownName]
  /// The values that a field has in the records of an entity, where there are not too many.
  package var values: (_ entity: String, _ field: String) -> [String]
  /// The names in a folder; those of folders end in a slash.
  package var files: (_ folder: String) -> [String]
  /// The pictures of the gallery.
  package var pictures: [String]
  /// The commands of the program's own shell, for options that take a line of it.
  package var shellCommands: [any DescribedCommand] = []
  /// What a word is written as, so that it is read as itself.
  var quoted: (String) -> String = CommandWords.quoted
  /// Completes a line of the program's own shell that is a word of another's.
  var shellLine: (String) -> Completion = { _ in .none }

  /// Completion of lines with these commands; `names`, `values` and `files` are asked as it goes.
  package init(
    commands: [any DescribedCommand], catalog: FieldCatalog?,
    names: @escaping (_ entity: String, _ start: String) -> [KnownName],
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
      let found = commands.filter { ("." + $0.name).hasPrefix(text) }
      return Completion(
        text,
        found.sorted { $0.name < $1.name }.map { .init("." + $0.name, help: $0.summary) })
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
      let options = command.options + [OptionDefinition("--help", "show help")]
      let found = options.filter { $0.name.hasPrefix(start) }
      if !found.isEmpty || !command.takesQuery {
        return Completion(raw, found.map { .init($0.name, help: $0.help) })
      }
    }
    if command.takesQuery {
      let first = operands(done, command).first
      // In single quotes stands the whole of a query, as in other shells.
      if first == nil, raw.hasPrefix("'") {
        let inner = String(raw.dropFirst())
        return query(inner, whole: inner)
      }
      return query(first == nil ? raw : text, whole: text)
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
    if !option.choices.isEmpty {
      return words(option.choices, raw, start) { OutputFormat(rawValue: $0)?.meaning }
    }
    switch option.value {
    case "FILE": return file(raw, start)
    case "DIR": return file(raw, start) { $0.hasSuffix("/") }
    case "LINE": return shellLine(start)
    case "ENTITY": return entity(raw, start)
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
      return words(commands.flatMap { [$0.name] + $0.aliases } + ["queries"], raw, start) { word in
        word == "queries"
          ? "the language of searches"
          : commands.first { $0.name == word || $0.aliases.contains(word) }?.summary
      }
    case "mode":
      return words(OutputFormat.allCases.map(\.rawValue) + ["auto"], raw, start) { word in
        word == "auto" ? "what suits the output" : OutputFormat(rawValue: word)?.meaning
      }
    case "completions": return words(CompletionScript.shells, raw, start)
    case "timer": return words(["on", "off"], raw, start)
    case "add", "set": return assignment(of: command, done, raw, start)
    case "portrait": return portrait(Array(done), raw, start)
    case "diff": return done.count < 2 ? file(raw, start) : .none
    case "schema": return entity(raw, start)
    case "show": return done.isEmpty ? name(raw, start) : .none
    default:
      if command.operands.contains("PART…") { return file(raw, start) }
      let takesFile = ["FILE", "OUT", "DUMP"].contains { command.operands.contains($0) }
      return takesFile && done.isEmpty ? file(raw, start) : .none
    }
  }

  private static let portraitVerbs = [
    "set": "give somebody a portrait", "get": "write it as PNG", "clear": "take it away",
    "import": "PNG files of a folder, for Pokémon", "gallery": "what there is to choose from",
  ]

  private func portrait(_ done: [String], _ raw: String, _ start: String) -> Completion {
    switch (done.first, done.count) {
    case (nil, _):
      return words(Array(Self.portraitVerbs.keys), raw, start) { Self.portraitVerbs[$0] }
    case ("gallery", 1): return words(pictures, raw, start)
    case ("import", 1): return file(raw, start) { $0.hasSuffix("/") }
    case ("set", 1), ("get", 1), ("clear", 1): return name(raw, start)
    case ("set", 2): return picture(raw, start)
    default: return .none
    }
  }

  /// A portrait of the gallery, or a file that can hold one.
  private func picture(_ raw: String, _ start: String) -> Completion {
    let files = file(raw, start) { $0.hasSuffix("/") || $0.lowercased().hasSuffix(".png") }
    return Completion(raw, words(pictures, raw, start).candidates + files.candidates)
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
      var found = fields.map {
        Completion.Candidate($0.displayName + "=", ending: "", help: $0.meaning)
      }
      if command.name == "add", done.isEmpty {
        found += catalog.entities.map { .init($0.name) }
      }
      return Completion(raw, found.filter { $0.text.hasPrefix(start) })
    }
    let field = String(start[..<mark])
    let value = String(start[start.index(after: mark)...])
    let rawValue = raw.firstIndex(of: "=").map { String(raw[raw.index(after: $0)...]) } ?? ""
    if field == "portrait" { return picture(rawValue, value) }
    if entity.field(named: field)?.name == "profession" {
      return words(Profession.allCases.map(\.rawValue), rawValue, value)
    }
    return words(entity.field(named: field)?.closedValues ?? [], rawValue, value)
  }

  // MARK: Words, names and files

  private func words(
    _ words: [String], _ raw: String, _ start: String, help: (String) -> String? = { _ in nil }
  ) -> Completion {
    let found = Set(words).filter { $0.lowercased().hasPrefix(start.lowercased()) }
    return Completion(
      raw, found.sorted().map { .init(quoted($0), shown: $0, help: help($0) ?? "") })
  }

  private func entity(_ raw: String, _ start: String) -> Completion {
    let entities = catalog?.entities ?? []
    return words(entities.map(\.name), raw, start) { name in
      entities.first { $0.name == name }?.meaning
    }
  }

  private func name(_ raw: String, _ start: String) -> Completion {
    if start.isEmpty { return .none }
    var found: [KnownName] = []
    for entity in ["pokemon", "adventurers", "forms"] { found += names(entity, start) }
    // Inner words count where no name of any entity begins so.
    let words = NearestName.foldedWords(of: start)
    let first = found.filter { KnownName.has(words, in: $0.text, atStart: true) }
    if !first.isEmpty { found = first }
    let unique = Dictionary(found.map { ($0.text, $0) }) { first, _ in first }
    return Completion(
      raw,
      unique.values.sorted { $0.text < $1.text }.map {
        .init(quoted($0.text), shown: $0.text, help: $0.help)
      })
  }

  private func file(
    _ raw: String, _ start: String, where fits: (String) -> Bool = { _ in true }
  ) -> Completion {
    let folder = start.lastIndex(of: "/").map { String(start[...$0]) } ?? ""
    let name = String(start.dropFirst(folder.count))
    let found = files(folder.isEmpty ? "." : folder).filter { file in
      file.hasPrefix(name) && (name.hasPrefix(".") || !file.hasPrefix(".")) && fits(file)
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
