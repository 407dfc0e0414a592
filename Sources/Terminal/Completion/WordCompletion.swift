internal import Entities

/// Completes the words behind the program's name, as a shell has taken them apart.
package struct WordCompletion {
  private let lines: LineCompletion
  private let globals: [OptionDefinition]
  private let files: FileRequest

  /// Notes that file names could stand where the cursor is; the shell knows these best.
  private final class FileRequest {
    var isMade = false
  }

  /// Completion from what `lines` knows; `globals` are the options of the program.
  package init(_ lines: LineCompletion, globals: [OptionDefinition]) {
    let request = FileRequest()
    var shell = lines
    shell.commands = lines.shellCommands
    var lines = lines
    lines.shellLine = { shell.completion(of: $0, at: $0.unicodeScalars.count) }
    lines.quoted = { $0 }
    lines.files = { _ in
      request.isMade = true
      return []
    }
    self.lines = lines
    self.globals = globals
    files = request
  }

  /// What can stand in the place of the last of `words`, a line each: the whole word, with a space
  /// behind it where it is complete, a tabulator, and what it is.
  ///
  /// The line `:files` says that names of files can stand there too.
  package func text(of words: [String]) -> String {
    files.isMade = false
    let current = words.last ?? ""
    let completion = completion(of: Array(words.dropLast()), current)
    var text = ""
    for candidate in completion.candidates {
      guard let word = Self.word(candidate.text, in: completion.part, current) else { continue }
      let line = "\(word)\(candidate.ending)\t\(candidate.help)"
      // A name with a line break cannot be told in a line; and a terminal obeys others like it.
      let isTold = !(word + candidate.help).unicodeScalars.contains {
        $0.properties.generalCategory == .control
      }
      if isTold { text += line + "\n" }
    }
    return text + (files.isMade ? ":files\n" : "")
  }

  /// The options of the program that stand before the command in `words`; `usual` where none names a
  /// database.
  static func globals(
    in words: [String], _ options: [OptionDefinition], or usual: ParsedArguments
  ) -> ParsedArguments {
    var reader = ArgumentReader(options, command: "")
    do {
      _ = try reader.readOptions(words.dropLast())
    } catch {
      // What is wrong in the line is for the command to say.
    }
    return reader.parsed.has("--file") ? reader.parsed : usual
  }

  /// The whole word with `text` in the place of `part`; nil where `part` is of words before.
  private static func word(_ text: String, in part: String, _ current: String) -> String? {
    if current.hasSuffix(part) { return current.dropLast(part.count) + text }
    guard part.hasSuffix(current) else { return nil }
    let before = part.dropLast(current.count)
    // The words are joined to one line, so that none needs quotes to stand beside the others.
    var text = text
    if text.hasPrefix("\""), !before.hasPrefix("\"") {
      text = String(text.dropFirst().dropLast())
      if text.contains(where: { "\"\\".contains($0) }) { return nil }
    }
    guard text.lowercased().hasPrefix(before.lowercased()) else { return nil }
    return String(text.dropFirst(before.count))
  }

  // What is already there

  private struct Before {
    var command: (any DescribedCommand)?
    var operands: [String] = []
    /// The option whose value comes next.
    var option: OptionDefinition?
    /// True behind `--`.
    var isBehindOptions = false
  }

  private func options(of command: (any DescribedCommand)?) -> [OptionDefinition] {
    command.map { $0.options + globals.filter { $0.name == "--help" } } ?? globals
  }

  /// What stands before the cursor; nil where a command is none.
  private func before(_ words: [String]) -> Before? {
    var before = Before()
    for word in words {
      if before.option != nil {
        before.option = nil
      } else if !before.isBehindOptions, word == "--" {
        before.isBehindOptions = true
      } else if !before.isBehindOptions, Self.isOption(word) {
        let known = (before.command?.options ?? []) + globals
        before.option = known.first { ($0.name == word || $0.short == word) && $0.value != nil }
      } else if before.command == nil {
        before.command = lines.commands.first { $0.name == word || $0.aliases.contains(word) }
        if before.command == nil { return nil }
      } else {
        before.operands.append(word)
      }
    }
    return before
  }

  private static func isOption(_ word: String) -> Bool {
    word.hasPrefix("-") && word != "-" && !ArgumentReader.isQuery(word)
  }

  // What can follow

  private func completion(of words: [String], _ current: String) -> Completion {
    guard let before = before(words) else { return .none }
    if let option = before.option { return lines.value(of: option, current, current) }
    if !before.isBehindOptions, current.hasPrefix("-"),
      let found = option(of: before.command, current)
    {
      return found
    }
    guard let command = before.command else {
      let found = lines.commands.flatMap { command in
        ([command.name] + command.aliases).map { (name: $0, help: command.summary) }
      }
      return Completion(
        current,
        found.filter { $0.name.hasPrefix(current) }.map { Completion.Candidate($0, help: $1) })
    }
    let takesFile = command.operands.hasPrefix("FILE") && before.operands.isEmpty
    if Self.takesQuery(command), !takesFile {
      let text = (before.operands + [current]).joined(separator: " ")
      return lines.query(text, whole: text)
    }
    return lines.operand(of: command, before.operands[...], current, current)
  }

  /// True where operands are a query.
  private static func takesQuery(_ command: any DescribedCommand) -> Bool {
    ["QUERY…", "QUERY…]", "[QUERY]"].contains { command.operands.hasSuffix($0) }
  }

  /// Options that begin so, or the values of one; nil where the word is a search.
  private func option(of command: (any DescribedCommand)?, _ current: String) -> Completion? {
    if current.hasPrefix("--"), let mark = current.firstIndex(of: "=") {
      let name = current[..<mark]
      let value = String(current[current.index(after: mark)...])
      let known = (command?.options ?? []) + globals
      return known.first { $0.name == name }.map { lines.value(of: $0, value, value) }
    }
    let found = options(of: command).filter { $0.name.hasPrefix(current) }
    if found.isEmpty { return nil }
    return Completion(current, found.map { Completion.Candidate($0.name, help: $0.help) })
  }
}
