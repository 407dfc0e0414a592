import Entities
import Terminal

/// Takes a command line apart, runs the command, and says what went wrong.
enum Program {
  static let name = "questrunner"
  static let version = "0.3.0"

  static let commands: [Command] = [
    .run, .watch, .report, .compare, .replay, .log, .verify, .merge, .runs, .rest, .completions,
    .complete,
    .help,
  ]

  static let seedOption = OptionDefinition(
    "--seed", value: "N", "what all draws come from; else a new one, which is shown")

  static let globalOptions = [
    OptionDefinition(
      "--file", short: "-f", value: "FILE",
      "the database; else $DEXDB_FILE, else the one in your home"),
    seedOption,
    OptionDefinition(
      "--color", value: "WHEN", choices: Styling.Choice.allCases.map(\.rawValue),
      "auto, always or never"),
    OptionDefinition("--ascii", "draw with ASCII characters alone"),
    helpOption,
    OptionDefinition("--version", "show the version"),
  ]

  private static let helpOption = OptionDefinition("--help", short: "-h", "show help")

  /// Runs the program, and returns the code that it ends with.
  static func run(_ arguments: [String]) -> Int32 {
    do {
      try start(Array(arguments.dropFirst()))
      return CommandFailure.ExitCode.done.rawValue
    } catch {
      return end(error)
    }
  }

  private static func end(_ error: any Error) -> Int32 {
    let columns = SystemCalls.terminalSize(2)?.columns
    if let query = error as? QueryError {
      let text = QueryComplaint.text(
        of: query, program: name, columns: columns ?? 80, helpColumns: columns)
      _ = SystemCalls.write(Array(text.utf8), to: 2)
      return CommandFailure.ExitCode.usage.rawValue
    }
    let failure = (error as? QuestError).map { CommandFailure($0) } ?? CommandFailure(error)
    if !failure.isSilent {
      _ = SystemCalls.write(Array(failure.text(program: name, columns: columns).utf8), to: 2)
    }
    return failure.exitCode.rawValue
  }

  private static func start(_ arguments: [String]) throws {
    var globals = ArgumentReader(globalOptions, command: name)
    let start = try globals.readOptions(arguments)
    let rest = Array(arguments[min(start, arguments.count)...])
    if globals.parsed.has("--version") { return try OutputStream.say("\(name) \(version)\n") }
    if globals.parsed.has("--help") {
      return try OutputStream.say(
        try rest.first.map { CommandHelp.text(of: try Self.command(named: $0), program: name) }
          ?? HelpText.overview())
    }
    guard let word = rest.first else {
      throw CommandFailure.usage(
        "a command is missing", "\(name) help lists the commands",
        "to begin: dexdb init, dexdb recruit name=Ana class=Wizard, "
          + "then \(name) run --adventurers name:ana --quests 1000")
    }
    let command = try Self.command(named: word)
    var reader = ArgumentReader(
      command.options + [helpOption], command: "\(name) \(command.name)", globals: globalOptions,
      before: globals.parsed)
    try reader.readAll(Array(rest.dropFirst()))
    if reader.parsedGlobals.has("--version") {
      return try OutputStream.say("\(name) \(version)\n")
    }
    if reader.parsed.has("--help") {
      return try OutputStream.say(CommandHelp.text(of: command, program: name))
    }
    let context = CommandContext(
      command: command, arguments: reader.parsed, globals: reader.parsedGlobals)
    do {
      try command.run(context)
    } catch {
      context.finish()
      throw error
    }
    context.finish()
    try context.output.checkWritten()
  }

  static func command(named word: String) throws -> Command {
    if let command = commands.first(where: { $0.name == word || $0.aliases.contains(word) }) {
      return command
    }
    var help = ["\(name) help lists the commands"]
    if let near = NearestName.of(word, among: commands.map(\.name)) {
      help.insert("did you mean '\(near)'?", at: 0)
    }
    throw CommandFailure.usage("no command '\(word)'", help: help)
  }
}
