import CDexShim
import Entities
import Terminal

/// Takes a command line apart, runs the command, and says what went wrong.
enum Program {
  static let name = "dexdb"
  static let version = "0.3.0"

  static let commands: [Command] = [
    .initialize, .find, .show, .browse, .shell, .count, .explain, .schema, .add, .set, .delete,
    .importing, .exporting, .portrait, .check, .dump, .restore, .diff, .backup, .compact, .salvage,
    .statistics, .completions, .complete, .help,
  ]

  static let globalOptions = [
    OptionDefinition(
      "--file", short: "-f", value: "FILE",
      "the database; else $DEXDB_FILE, else the one in your home"),
    OptionDefinition("--readonly", "refuse commands that change the database"),
    OptionDefinition("--safe", "refuse to read or write any other file"),
    OptionDefinition(
      "--color", value: "WHEN", choices: Styling.Choice.allCases.map(\.rawValue),
      "auto, always or never"),
    OptionDefinition("--ascii", "draw with ASCII characters alone"),
    helpOption,
    OptionDefinition("--version", "show the version"),
  ]

  static let helpOption = OptionDefinition("--help", short: "-h", "show help")

  /// Runs the program, and returns the code that it ends with.
  static func run(_ arguments: [String]) -> Int32 {
    // A command that caught a signal ends by it once all is in order.
    defer { dex_interrupt_end() }
    do {
      try start(Array(arguments.dropFirst()))
      return CommandFailure.ExitCode.done.rawValue
    } catch {
      return end(error)
    }
  }

  /// Says what went wrong, and returns the exit code for it.
  static func end(_ error: any Error) -> Int32 {
    if let placed = error as? PlacedFailure { return end(placed.error, place: placed.place + ": ") }
    return end(error, place: "")
  }

  private static func end(_ error: any Error, place: String) -> Int32 {
    var failure = CommandFailure(error)
    failure.message = place + failure.message
    let columns = SystemCalls.terminalSize(2)?.columns
    let text: String
    if var query = error as? QueryError {
      query.message = place + query.message
      text = QueryComplaint.text(
        of: query, program: name, columns: columns ?? 80, helpColumns: columns)
    } else if failure.isSilent {
      // A script that ends here should say why.
      text = place.isEmpty ? "" : "\(name): \(place)nothing is found, which ends the script\n"
    } else {
      text = failure.text(program: name, columns: columns)
    }
    _ = SystemCalls.write(Array(text.utf8), to: 2)
    return error is QueryError ? CommandFailure.ExitCode.usage.rawValue : failure.exitCode.rawValue
  }

  private static func start(_ arguments: [String]) throws {
    var globals = ArgumentReader(globalOptions, command: name)
    let start = try globals.readOptions(arguments)
    let rest = Array(arguments[min(start, arguments.count)...])
    if globals.parsed.has("--version") {
      try OutputStream.say("\(name) \(version)\n")
      return
    }
    if globals.parsed.has("--help") {
      let text =
        try rest.first.map { HelpText.text(of: try Self.command(named: $0)) } ?? HelpText.overview()
      try OutputStream.say(text)
      return
    }
    if rest.isEmpty, SystemCalls.isTerminal(0), SystemCalls.isTerminal(1) {
      return try execute(.shell, [], globals.parsed)
    }
    guard let word = rest.first else {
      throw CommandFailure.usage(
        "a command is missing", "\(name) help lists the commands",
        "to begin: \(name) init, then \(name) find pik")
    }
    try execute(try Self.command(named: word), Array(rest.dropFirst()), globals.parsed)
  }

  private static func execute(
    _ command: Command, _ words: [String], _ globals: ParsedArguments
  ) throws {
    var reader = ArgumentReader(
      command.options + [helpOption], command: "\(name) \(command.name)", globals: globalOptions,
      before: globals, searches: command.takesQuery)
    try reader.readAll(words)
    if reader.parsedGlobals.has("--version") {
      try OutputStream.say("\(name) \(version)\n")
      return
    }
    if reader.parsed.has("--help") {
      try OutputStream.say(HelpText.text(of: command))
      return
    }
    let context = CommandContext(
      command: command, arguments: reader.parsed, globals: reader.parsedGlobals)
    try context.run()
  }

  /// The command of that name; `topics` are other words that could have been meant.
  static func command(named word: String, or topics: [String] = []) throws -> Command {
    if let command = commands.first(where: { $0.name == word || $0.aliases.contains(word) }) {
      return command
    }
    let names = commands.flatMap { [$0.name] + $0.aliases } + topics
    var help = ["\(name) help lists the commands"]
    if let near = NearestName.of(word, among: names) {
      help.insert("did you mean '\(near)'?", at: 0)
    }
    let what = topics.isEmpty ? "command" : "help about"
    throw CommandFailure.usage("no \(what) '\(word)'", help: help)
  }
}
