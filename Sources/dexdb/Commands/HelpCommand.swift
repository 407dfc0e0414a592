import Terminal

extension Command {
  static let help = Command(
    name: "help", operands: "[COMMAND|queries]", summary: "Show help about a command, or queries.",
    examples: [
      Example("dexdb help find", "a command"), Example("dexdb help queries", "the language"),
    ]
  ) { context in
    try context.checkOperandCount(0...1)
    switch context.arguments.operands.first {
    case nil: context.output.write(HelpText.overview())
    case "queries", "query": context.output.write(HelpText.queries)
    case let name?:
      context.output.write(HelpText.text(of: try Program.command(named: name, or: HelpText.topics)))
    }
  }
}
