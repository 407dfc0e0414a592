import CDexShim
import Entities
import PageStore
import Terminal

extension Command {
  static let shell = Command(
    name: "shell", operands: "[OPTIONS]",
    summary: "Type searches and commands one after the other.",
    details: [
      "A bare line is a search, and a line that begins with a dot is a command with the same "
        + "arguments as here. .help lists them, and .quit or Ctrl-D leaves.",
      "Without a terminal, the lines of standard input are run up to the first error, which is named "
        + "with its line. '-- ' begins a comment.",
    ],
    options: [
      OptionDefinition("--command", short: "-c", value: "LINE", "run this line and end")
    ],
    examples: [
      Example("dexdb shell", "on a terminal, with completion and history"),
      Example("dexdb shell < lines.txt", "a script"),
      Example("dexdb shell -c '.mode json' -c 't:ice bst>=580'", "two lines"),
    ]
  ) { context in
    try context.checkOperandCount(0...0)
    try Shell(context).run()
  }
}

/// Reads lines from where they come, and runs them.
private struct Shell {
  private let context: CommandContext
  private let session: ShellSession
  private let runner: ShellRunner

  init(_ context: CommandContext) {
    self.context = context
    session = ShellSession(globals: context.globals)
    runner = ShellRunner(session: session)
  }

  func run() throws {
    do {
      try runLines()
    } catch {
      do {
        try session.close()
      } catch {
        // What ended the lines says more than what follows from it.
      }
      throw error
    }
    try session.close()
  }

  private func runLines() throws {
    let commands = context.arguments.all("--command")
    if !commands.isEmpty {
      for (index, command) in commands.enumerated() {
        do {
          for line in command.split(whereSeparator: \.isNewline) where !session.isEnded {
            try runner.run(String(line))
          }
        } catch {
          throw commands.count == 1
            ? error : PlacedFailure(place: "command \(index + 1)", error: error)
        }
        if session.isEnded { return }
      }
      return
    }
    if SystemCalls.isTerminal(0), SystemCalls.isTerminal(1) { return try converse() }
    try runner.runLines(of: 0) { "line \($0)" }
  }

  /// Reads lines from the terminal.
  private func converse() throws {
    var history = LineHistory(path: LineHistory.usualPath)
    let completer = ShellCompleter(context: sessionContext)
    guard
      let editor = CommandLineEditor(
        prompt: "\(Program.name)> ", historyCount: LineHistory.limit, completer: completer.complete)
    else { return try runner.runLines(of: 0) { "line \($0)" } }
    editor.setHistory(history.lines)
    greet()
    while !session.isEnded {
      switch editor.read() {
      case .end:
        say("")
        return
      case .interrupted: say("^C")
      case .line(let text):
        for line in text.split(whereSeparator: \.isNewline) {
          if history.add(String(line)) { editor.setHistory(history.lines) }
        }
        history.save()
        answer(text)
      }
    }
  }

  /// What the shell itself looks at the database with.
  private var sessionContext: CommandContext {
    CommandContext(
      command: .shell, arguments: ParsedArguments(), globals: context.globals, session: session)
  }

  private func greet() {
    let columns = CommandHelp.columns
    let path = context.databasePath
    let name = "\(Program.name) \(Program.version)"
    let isBeside = name.count + 2 + DisplayWidth.of(path) <= columns
    for line in isBeside ? ["\(name), \(path)"] : [name, path] { say(line) }
    let hint = "A line is a search. .help helps, .quit leaves."
    for line in CommandHelp.lines(of: hint, columns: columns) { say(line) }
    do {
      _ = try sessionContext.openForReading()
    } catch {
      _ = Program.end(error)
    }
  }

  private func say(_ text: String) {
    _ = SystemCalls.write(Array("\(TerminalText.escaped(text))\n".utf8), to: 1)
  }

  /// Runs what was typed or pasted, line by line up to the first error.
  private func answer(_ text: String) {
    dex_take_events()
    let rows = SystemCalls.terminalSize(1)?.rows ?? 24
    session.rowLimit = min(40, max(8, rows - 5))
    for line in text.split(whereSeparator: \.isNewline) {
      do {
        try runner.run(String(line))
        if let path = session.lastingPath {
          ShellRunner.note("output goes to \(path); .output alone ends that")
        }
      } catch {
        if ShellSession.isInterrupted() {
          ShellRunner.note("interrupted")
        } else {
          _ = Program.end(error)
        }
        return
      }
      if session.isEnded || ShellSession.isInterrupted() { return }
    }
  }
}
