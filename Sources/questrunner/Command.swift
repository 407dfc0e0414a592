import Terminal

/// A command of the program: how it is called, what it says of itself, and what it does.
struct Command: ProgramCommand, Sendable {
  var name: String
  var aliases: [String] = []
  var operands: String
  var summary: String
  var details: [String] = []
  var options: [OptionDefinition] = []
  var examples: [CommandExample]
  var run: @Sendable (CommandContext) throws -> Void
}
