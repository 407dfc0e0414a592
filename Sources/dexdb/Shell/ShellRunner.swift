import CDexShim
import Entities
import PageStore
import Terminal

/// Runs single lines of the shell: a search, or a command that begins with a dot.
struct ShellRunner {
  let session: ShellSession

  func run(_ line: String) throws {
    let text = Self.trimmed(line)
    if text.isEmpty || Self.isComment(text) { return }
    let start = ContinuousClock.now
    do {
      if text.first == "." {
        try runCommand(text)
      } else if Self.bareCommands.contains(text) {
        try runCommand("." + text)
      } else {
        try checkStatement(text)
        let query = Self.trimmed(ShellComment.removed(fromQuery: text))
        try session.withOutput { try run(.find, words: [], query: query) }
      }
    } catch {
      throw Self.inShell(error)
    }
    if session.isTimed { Self.note("\(CommandContext.milliseconds(since: start)) ms") }
  }

  /// What people type in other shells; no search that is worth one.
  private static let bareCommands = ["exit", "help", "quit"]

  /// True for a line that says nothing: `--` alone, or with a space behind it.
  static func isComment(_ line: String) -> Bool { line == "--" || line.hasPrefix("-- ") }

  private static func trimmed(_ line: String) -> String {
    var text = line[...].drop(while: \.isWhitespace)
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return String(text)
  }

  /// Says what is written as a search here, of a statement of SQL.
  private func checkStatement(_ text: String) throws {
    let words = text.lowercased().split(whereSeparator: \.isWhitespace)
    guard words.count > 3, words.first == "select", words.contains("from") else { return }
    throw CommandFailure.usage(
      "a line is a search, and no SQL",
      "such as from:adventurers level>=3 show:name,level sort:-level",
      ".help queries has the whole language")
  }

  /// The error as somebody understands it who is in the shell.
  private static func inShell(_ error: any Error) -> any Error {
    if var failure = error as? CommandFailure {
      failure.help = failure.help.map(ShellCommands.inShell)
      return failure
    }
    guard var error = error as? QueryError else { return error }
    let scalars = Array(error.line.unicodeScalars)
    let place = error.range.clamped(to: 0..<scalars.count)
    // What other shells take for a file to write into.
    if scalars[place].elementsEqual([">"]), place.lowerBound > 0,
      scalars[place.lowerBound - 1] == " "
    {
      let name = scalars[place.upperBound...].split { $0.properties.isWhitespace }.first
      var file = String.UnicodeScalarView()
      file.append(contentsOf: name ?? ["F", "I", "L", "E"][...])
      error.help.append("to write into a file: .once \(String(file)) and then the line without it")
    }
    return error
  }

  private func runCommand(_ line: String) throws {
    let words = CommandWords(line)
    let name = String((words.words.first?.text ?? "").dropFirst())
    let command = try ShellCommands.command(named: name)
    try session.withOutput { try run(command, name, line) }
  }

  private func run(_ command: Command, _ name: String, _ whole: String) throws {
    let line = ShellComment.removed(
      from: whole, of: command, reader: reader(of: command, command.options, name))
    let words = CommandWords(line)
    let texts = words.words.dropFirst().map(\.text)
    guard command.takesQuery else {
      if words.openQuote != nil {
        throw CommandFailure.usage("a quotation mark is not closed", "close it, or write \\\"")
      }
      return try run(command, words: texts, query: nil)
    }
    var reader = reader(of: command, command.options, name)
    let first = try reader.readOptions(texts)
    guard first < texts.count else { return try run(command, words: texts, query: nil) }
    try run(
      command, words: Array(texts[..<first]),
      query: Self.query(from: words.words[first + 1], in: line))
  }

  private func reader(
    of command: Command, _ options: [OptionDefinition], _ name: String
  ) -> ArgumentReader {
    ArgumentReader(
      options, command: "." + name, searches: command.takesQuery,
      outside: Program.globalOptions.filter { $0.name != Program.helpOption.name })
  }

  /// The rest of the line as it stands, with the quotation marks of the language; one in single
  /// quotes, as it is written in other shells, without those.
  private static func query(from word: CommandWords.Word, in line: String) -> String {
    let scalars = Array(line.unicodeScalars)
    let isQuoted =
      scalars[word.start] == "'" && word.end == scalars.count && scalars.last == "'"
      && word.end - word.start > 1
    if isQuoted { return word.text }
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars[word.start...])
    return String(view)
  }

  private func run(_ command: Command, words: [String], query: String?) throws {
    var reader = reader(of: command, command.options + [Program.helpOption], command.name)
    try reader.readAll(words)
    var arguments = reader.parsed
    if arguments.has("--help") {
      _ = SystemCalls.write(Array(ShellCommands.help(of: command).utf8), to: 1)
      return
    }
    if let query { arguments.operands = [query] }
    // The name of a file says more about what belongs into it than a mode that was set before.
    let file = arguments["--output"] ?? session.outputFile?.path
    if let mode = session.mode, command.name != Command.importing.name,
      command.options.contains(where: { $0.name == "--format" }),
      !["--format", "--json", "--csv"].contains(where: arguments.has),
      file.flatMap({ OutputFormat(ofFile: $0) }) == nil
    {
      let option = command.options.first { $0.name == "--format" }
      if option?.choices.contains(mode.rawValue) == true {
        arguments.set("--format", mode.rawValue)
      }
    }
    let context = CommandContext(
      command: command, arguments: arguments, globals: session.globals, session: session)
    try context.run()
  }

  /// Runs every line of a file; stops at the first error, and says where it is.
  func runFile(_ path: String) throws {
    if session.readingDepth >= 16 {
      throw CommandFailure("\(path): files read each other 16 deep")
    }
    session.readingDepth += 1
    defer { session.readingDepth -= 1 }
    let descriptor = try SystemCalls.openForReading(path)
    defer { SystemCalls.close(descriptor) }
    try runLines(of: descriptor) { "\(path):\($0)" }
  }

  /// Runs every line that comes, as it comes.
  func runLines(of descriptor: Int32, place: (_ line: Int) -> String) throws {
    var lines = InputLines(descriptor)
    var number = 0
    while !session.isEnded {
      number += 1
      do {
        guard var line = try lines.next() else { return }
        // What some editors put at a file's beginning.
        if number == 1, line.unicodeScalars.first == "\u{FEFF}" {
          line.unicodeScalars.removeFirst()
        }
        try run(line)
        if ShellSession.isInterrupted() { throw StoreError.cancelled }
      } catch {
        throw PlacedFailure(place: place(number), error: error)
      }
    }
  }

  static func note(_ text: String) {
    _ = SystemCalls.write(Array("\(TerminalText.escaped(text))\n".utf8), to: 2)
  }
}

/// An error, and the line of a script where it happened.
struct PlacedFailure: Error {
  let place: String
  let error: any Error

  init(place: String, error: any Error) {
    // The innermost place is where the error is; how one came there says less.
    let inner = error as? PlacedFailure
    self.place = inner?.place ?? place
    self.error = inner?.error ?? error
  }
}
