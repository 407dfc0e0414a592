/// A command of a program as its help and its completions show it.
package protocol DescribedCommand {
  var name: String { get }
  var aliases: [String] { get }
  /// What follows the name: `[OPTIONS] QUERY…`.
  var operands: String { get }
  /// One line.
  var summary: String { get }
  /// Paragraphs.
  var details: [String] { get }
  var options: [OptionDefinition] { get }
  var examples: [CommandExample] { get }
}

/// A command line, and what it is for.
package struct CommandExample: Sendable {
  package var line: String
  package var purpose: String

  package init(_ line: String, _ purpose: String) {
    self.line = line
    self.purpose = purpose
  }
}

extension ParsedArguments {
  /// Refuses more operands, or fewer, than `command` takes.
  package func checkOperandCount(
    _ range: ClosedRange<Int>, of command: any DescribedCommand, program: String
  ) throws {
    if range.contains(operands.count) { return }
    let isMissing = operands.count < range.lowerBound
    throw CommandFailure.usage(
      isMissing
        ? "'\(command.name)' needs more"
        : "'\(operands[range.upperBound])' is too much for '\(command.name)'",
      "usage: \(program) \(command.name) \(command.operands)")
  }
}

/// The help of a program's commands.
package enum CommandHelp {
  /// The names of the commands and what each does, a line each.
  package static func list(_ commands: [any DescribedCommand]) -> String {
    let width = commands.map(\.name.count).max() ?? 0
    return commands.map { "  \(padded($0.name, width))  \($0.summary)\n" }.joined()
  }

  /// All about one command.
  package static func text(of command: any DescribedCommand, program: String) -> String {
    var text = "usage: \(program) \(command.name) \(command.operands)\n\n\(command.summary)\n"
    if !command.aliases.isEmpty {
      text += "Also called " + command.aliases.joined(separator: ", ") + ".\n"
    }
    for paragraph in command.details { text += "\n\(paragraph)\n" }
    if !command.options.isEmpty {
      text += "\noptions, before the operands:\n" + options(command.options)
    }
    text += "\nexamples:\n"
    let width = command.examples.map(\.line.count).max() ?? 0
    for example in command.examples {
      text += "  \(padded(example.line, width))  \(example.purpose)\n"
    }
    return text
  }

  /// Options, a line each.
  package static func options(_ options: [OptionDefinition]) -> String {
    let width = options.map(\.usage.count).max() ?? 0
    return options.map { "  \(padded($0.usage, width))  \($0.help)\n" }.joined()
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
