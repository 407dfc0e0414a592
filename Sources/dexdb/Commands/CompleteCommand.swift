import Terminal

extension Command {
  static let completions = Command(
    name: "completions", operands: "bash|zsh|fish",
    summary: "Write a script that completes commands, options and queries in a shell.",
    examples: [
      Example("dexdb completions bash >> ~/.bashrc", "for bash"),
      Example("dexdb completions fish > ~/.config/fish/completions/dexdb.fish", "for fish"),
    ]
  ) { context in
    try context.checkOperandCount(1...1)
    let script = CompletionScript(program: Program.name)
    context.output.write(try script.text(for: context.arguments.operands[0]))
  }

  static let complete = Command(
    name: "complete", operands: "-- WORD…",
    summary: "List what the last word can become; the scripts of completions ask this.",
    details: [
      "A line for each: the word, with a space behind it where it is complete, a tabulator, and what "
        + "it is. The line :files stands for the names of files."
    ],
    examples: [Example("dexdb complete -- find t:fi", "t:fighting and t:fire")]
  ) { context in
    let words = WordCompletion.words(of: context.arguments.operands)
    let completion = WordCompletion(
      Self.lines(context, words), globals: Program.globalOptions)
    context.output.write(completion.text(of: words))
  }

  /// What is known without a database, and with the one that the words name, where it can be read.
  private static func lines(_ context: CommandContext, _ words: [String]) -> LineCompletion {
    let named = CommandContext(
      command: .complete, arguments: context.arguments,
      globals: WordCompletion.globals(in: words, Program.globalOptions, or: context.globals))
    do {
      let database = try named.openForReading()
      return try LineCompletion(
        commands: Program.commands, catalog: try QueryReading(database).catalog, database: database)
    } catch {
      return LineCompletion(commands: Program.commands)
    }
  }
}
