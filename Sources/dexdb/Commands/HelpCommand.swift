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

  static let completions = Command(
    name: "completions", operands: "bash|zsh|fish",
    summary: "Write a script that completes commands and options in a shell.",
    examples: [
      Example("dexdb completions bash >> ~/.bashrc", "for bash"),
      Example("dexdb completions fish > ~/.config/fish/completions/dexdb.fish", "for fish"),
    ]
  ) { context in
    try context.checkOperandCount(1...1)
    let script = CompletionScript(
      program: Program.name, commands: Program.commands, globalOptions: Program.globalOptions)
    context.output.write(try script.text(for: context.arguments.operands[0]))
  }
}
