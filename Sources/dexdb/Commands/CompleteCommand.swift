import Terminal

extension Command {
  static let completions: Command = scriptCommand(of: Program.name)

  static let complete: Command = wordCommand(
    example: "dexdb complete -- find t:fi", "t:fighting and t:fire",
    globals: Program.globalOptions, commands: { Program.commands },
    shellCommands: { ShellCommands.all }
  ) { context, globals in
    let named = CommandContext(
      command: .complete, arguments: context.arguments, globals: globals)
    let database = try named.openForReading()
    return try LineCompletion(
      commands: Program.commands, catalog: try QueryReading(database).catalog, database: database)
  }
}
