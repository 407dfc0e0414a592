import Entities
import PageStore
import Terminal

/// The commands of the shell: those of the program, and a few of its own.
enum ShellCommands {
  /// Those that only the shell has, or has otherwise.
  static let own: [Command] = [
    .shellHelp, .mode, .timer, .explaining, .last, .tables, .once, .outputting, .read, .opening,
    .quit,
  ]

  /// All of them; what the shell has otherwise takes the other's place.
  static var all: [Command] {
    let others = Program.commands.filter { command in
      !["shell", "completions", "complete"].contains(command.name)
        && !own.contains { $0.name == command.name }
    }
    return others + own
  }

  /// The command of that name; `topics` are other words that could have been meant.
  static func command(named word: String, or topics: [String] = []) throws -> Command {
    let all = all
    if let command = all.first(where: { $0.name == word || $0.aliases.contains(word) }) {
      return command
    }
    if word == "shell" { throw CommandFailure("this is the shell", help: [".quit leaves it"]) }
    if word.isEmpty { throw CommandFailure.usage("a command is missing", ".help lists them") }
    if let help = ForeignCommand.help(with: word) {
      throw CommandFailure.usage("no command '.\(word)'", help: help)
    }
    var help = [".help lists the commands"]
    let names = all.flatMap { [$0.name] + $0.aliases } + topics
    if let near = NearestName.of(word, among: names) {
      help.insert("did you mean '\(topics.contains(near) ? "" : ".")\(near)'?", at: 0)
    }
    let what = topics.isEmpty ? "command '." : "help about '"
    throw CommandFailure.usage("no \(what)\(word)'", help: help)
  }

  /// The help of a command, with its examples as they are written in the shell.
  static func help(of command: Command) -> String { inShell(HelpText.text(of: command)) }

  /// `text` with the commands that it names as they are written in the shell.
  static func inShell(_ text: String) -> String {
    var result = ""
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let parts = line.split(separator: "\(Program.name) ", omittingEmptySubsequences: false)
      guard parts.count > 1 else {
        result += line + "\n"
        continue
      }
      result += parts[0]
      for part in parts.dropFirst() {
        result += isCommand(part) ? "." + part : "\(Program.name) " + part
      }
      result += "\n"
    }
    return String(result.dropLast())
  }

  private static func isCommand(_ text: Substring) -> Bool {
    let word = text.prefix { $0.isLetter }
    return all.contains { $0.name == word || $0.aliases.contains(String(word)) }
  }

  static func overview() -> String {
    let columns = CommandHelp.columns
    let examples = [
      ("pik", "names with a word that begins so"),
      ("t:fire t:flying", "both types: all terms must hold"),
      ("bst>=580 -is:legendary sort:-spe", "strong ones, the fastest first"),
      ("from:adventurers is:alive", "the roster"),
      (".show pikachu", "one Pokémon, with its portrait"),
      (".recruit name=Ana class=Wizard", "an adventurer"),
      (".export -o first.tsv gen:1", "records into a file"),
      (".once fire.txt", "what the next line shows into a file"),
      (".help queries", "the language of searches"), (".help find", "more about a command"),
    ]
    return CommandHelp.wrapped(
      "A line is a search; a line that begins with a dot is a command.", columns: columns)
      + "\n" + CommandHelp.pairs(examples, columns: columns) + "\ncommands:\n\n"
      + CommandHelp.pairs(all.map { (".\($0.name)", $0.summary) }, columns: columns) + "\n"
      + CommandHelp.wrapped(
        "Tab completes. Ctrl-C cancels a line or a search, Ctrl-D leaves. '-- ' begins a comment.",
        columns: columns)
  }
}

extension Command {
  static let shellHelp = Command(
    name: "help", operands: "[COMMAND|queries]", summary: "Show help about a command, or queries.",
    examples: [Example("dexdb help find", "a command"), Example("dexdb help queries", "searches")]
  ) { context in
    try context.checkOperandCount(0...1)
    switch context.arguments.operands.first {
    case nil: context.output.write(ShellCommands.overview())
    case "queries", "query": context.output.write(ShellCommands.inShell(HelpText.queries))
    case let name?:
      let word = name.hasPrefix(".") ? String(name.dropFirst()) : name
      context.output.write(
        ShellCommands.help(of: try ShellCommands.command(named: word, or: HelpText.topics)))
    }
  }

  static let mode = Command(
    name: "mode", operands: "[FORMAT|auto]", summary: "Choose the format of rows, or show it.",
    examples: [Example("dexdb mode json", "JSON"), Example("dexdb mode auto", "as before")]
  ) { context in
    try context.checkOperandCount(0...1)
    guard let session = context.session else { return }
    guard let word = context.arguments.operands.first else {
      context.output.write("\(session.mode?.rawValue ?? "auto")\n")
      return
    }
    if word == "auto" {
      session.mode = nil
      return
    }
    let names = OutputFormat.allCases.map(\.rawValue) + ["auto"]
    guard let format = OutputFormat(rawValue: word) else {
      throw CommandFailure.usage(
        "no format '\(word)'", help: NearestName.help(for: word, among: names))
    }
    session.mode = format
  }

  static let timer = Command(
    name: "timer", operands: "[on|off]", summary: "Say after each line how long it took.",
    examples: [Example("dexdb timer on", "from now on")]
  ) { context in
    try context.toggle(\.isTimed)
  }

  static let explaining = Command(
    name: "explain", operands: "[on|off|QUERY…]",
    summary: "Say how a query is answered, or how every search is from now on.",
    examples: [
      Example("dexdb explain on", "for every search"),
      Example("dexdb explain t:fire spe>=100", "for one query, which is not run"),
    ]
  ) { context in
    if ["on", "off"].contains(context.query) { return try context.toggle(\.isExplained) }
    if context.query.isEmpty { return try context.toggle(\.isExplained) }
    try Command.explain.run(context)
  }

  static let last = Command(
    name: "last", operands: "", summary: "Show the rows of the last search that did not fit.",
    examples: [Example("dexdb last", "through a pager where they do not fit either")]
  ) { context in
    try context.checkOperandCount(0...0)
    guard let session = context.session, let (query, count, reading) = session.hidden else {
      throw CommandFailure("the last search hid no rows")
    }
    let database = try context.openForReading()
    var rest = query
    rest.offset += count
    let result = try context.snapshot(of: database).find(rest)
    try RowOutput(context).write(result) { reading.title($0, of: query.entity) }
    if context.outputIsTerminal {
      context.afterwards = result.rows.count.counted("more row")
    }
  }

  static let read = Command(
    name: "read", operands: "FILE", summary: "Run the lines of a file, up to the first error.",
    examples: [Example("dexdb read setup.txt", "as if they were typed")]
  ) { context in
    try context.checkOperandCount(1...1)
    let path = context.arguments.operands[0]
    try context.checkOtherFile(path)
    guard let session = context.session else { return }
    try ShellRunner(session: session).runFile(path)
  }

  static let quit = Command(
    name: "quit", aliases: ["exit", "q"], operands: "", summary: "Leave; Ctrl-D does so too.",
    examples: [Example("dexdb quit", "goodbye")]
  ) { context in
    try context.checkOperandCount(0...0)
    context.session?.isEnded = true
  }
}

extension CommandContext {
  /// Switches a setting of the shell, or shows it.
  fileprivate func toggle(_ setting: ReferenceWritableKeyPath<ShellSession, Bool>) throws {
    try checkOperandCount(0...1)
    guard let session else { return }
    switch arguments.operands.first {
    case nil: output.write(session[keyPath: setting] ? "on\n" : "off\n")
    case "on": session[keyPath: setting] = true
    case "off": session[keyPath: setting] = false
    case let word?: throw CommandFailure.usage("'\(word)' is neither on nor off", "write on or off")
    }
  }
}
