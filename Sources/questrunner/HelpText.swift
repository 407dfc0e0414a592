import Terminal

/// The help of the program.
enum HelpText {
  static func overview() -> String {
    """
    \(Program.name): sends adventurers on quests, one or millions

    usage: \(Program.name) [-f FILE] [--seed N] COMMAND …

    commands:
    \(CommandHelp.list(Program.commands))
    options, anywhere before `--`:
    \(CommandHelp.options(Program.globalOptions))
    to begin:
      dexdb init                                         make a database with the whole Pokédex
      dexdb recruit name=Ana class=Wizard                somebody to send
      questrunner watch ana                              look on, in real time
      questrunner run --adventurers name:ana --quests 1000
      questrunner report                                 what came of it
      questrunner replay 1:1:0                           what happened on the first quest

    A quest follows from its seed, its adventurer and its number alone, so that each can be
    computed again. A tick is a millisecond of the adventurer's time.

    exit codes: 0 done, 1 failed or not found, 2 usage, 3 damaged file, 4 locked

    """
  }
}

extension Command {
  static let help = Command(
    name: "help", operands: "[COMMAND]", summary: "Show help about a command.",
    examples: [CommandExample("questrunner help run", "a command")]
  ) { context in
    try context.checkOperandCount(0...1)
    guard let name = context.arguments.operands.first else {
      return context.output.write(HelpText.overview())
    }
    context.output.write(
      CommandHelp.text(of: try Program.command(named: name), program: Program.name))
  }
}
