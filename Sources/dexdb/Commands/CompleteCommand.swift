import Terminal

extension Command {
  static let completions = Command(
    name: "completions", operands: CompletionCommand.scriptOperands,
    summary: CompletionCommand.scriptSummary,
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
    name: "complete", operands: CompletionCommand.wordOperands,
    summary: CompletionCommand.wordSummary, details: CompletionCommand.wordDetails,
    examples: [Example("dexdb complete -- find t:fi", "t:fighting and t:fire")]
  ) { context in
    context.output.write(Self.answer(context))
  }

  private static func answer(_ context: CommandContext) -> String {
    CompletionCommand.answer(
      context.arguments.operands, commands: Program.commands, globals: Program.globalOptions,
      usual: context.globals
    ) { try lines(context, $0) }
  }

  /// What is known with the database that `globals` name.
  private static func lines(
    _ context: CommandContext, _ globals: ParsedArguments
  ) throws -> LineCompletion {
    let named = CommandContext(
      command: .complete, arguments: context.arguments, globals: globals)
    let database = try named.openForReading()
    return try LineCompletion(
      commands: Program.commands, catalog: try QueryReading(database).catalog, database: database)
  }
}
