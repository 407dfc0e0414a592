import Entities
import Terminal

extension Command {
  static let completions: Command = scriptCommand(of: Program.name)

  static let complete: Command = wordCommand(
    example: "questrunner complete -- run --mode c", "campaign",
    globals: Program.globalOptions, commands: { Program.commands }
  ) { context, globals in
    let named = CommandContext(
      command: .complete, arguments: context.arguments, globals: globals)
    let database = try named.open(isReadOnly: true)
    var catalog = try QueryReading(database).catalog
    catalog.defaultEntity = Adventurer.schema.name
    return try LineCompletion(commands: Program.commands, catalog: catalog, database: database)
  }
}
