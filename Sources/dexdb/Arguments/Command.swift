import Terminal

/// A command of the program: how it is called, what it says of itself, and what it does.
struct Command: ProgramCommand, Sendable {
  var name: String
  var aliases: [String] = []
  /// What follows the name: `[OPTIONS] QUERY…`.
  var operands: String
  /// One line.
  var summary: String
  /// Paragraphs.
  var details: [String] = []
  var options: [OptionDefinition] = []
  var examples: [Example]
  var run: @Sendable (CommandContext) throws -> Void

  typealias Example = CommandExample
}
