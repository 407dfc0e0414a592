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

extension DescribedCommand {
  /// True where the operands are a query, which a shell of the program takes as it stands.
  package var takesQuery: Bool { operands.contains("QUERY…") && !operands.contains("--where") }
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
      "usage: \(program) \(command.name)" + (command.operands.isEmpty ? "" : " \(command.operands)")
    )
  }
}

/// The help of a program's commands, for a terminal of so many columns.
package enum CommandHelp {
  /// The columns of the terminal, within what reads well.
  package static var columns: Int {
    min(max(SystemCalls.terminalSize(1)?.columns ?? widest, narrowest), widest)
  }

  private static let narrowest = 40
  private static let widest = 100

  /// The names of the commands and what each does.
  package static func list(_ commands: [any DescribedCommand], columns: Int = CommandHelp.columns)
    -> String
  {
    pairs(commands.map { ($0.name, $0.summary) }, columns: columns)
  }

  /// All about one command.
  package static func text(
    of command: any DescribedCommand, program: String, columns: Int = CommandHelp.columns
  ) -> String {
    let operands = command.operands.isEmpty ? "" : " \(command.operands)"
    var text = "usage: \(program) \(command.name)\(operands)\n\n"
    text += wrapped(command.summary, columns: columns)
    if !command.aliases.isEmpty {
      text += wrapped(
        "Also called " + command.aliases.joined(separator: ", ") + ".", columns: columns)
    }
    for paragraph in command.details {
      // What is laid out in lines stays so.
      text +=
        "\n" + (paragraph.contains("\n") ? paragraph + "\n" : wrapped(paragraph, columns: columns))
    }
    if !command.options.isEmpty {
      text += "\noptions, before the operands:\n" + options(command.options, columns: columns)
    }
    text += "\nexamples:\n"
    let width = command.examples.map(\.line.count).max() ?? 0
    let isBeside = command.examples.allSatisfy { width + 4 + $0.purpose.count <= columns }
    for example in command.examples {
      text +=
        isBeside
        ? "  \(padded(example.line, width))  \(example.purpose)\n"
        : "  \(example.line)\n" + wrapped(example.purpose, indent: 6, columns: columns)
    }
    return text
  }

  /// Options and what each does.
  package static func options(_ options: [OptionDefinition], columns: Int = CommandHelp.columns)
    -> String
  {
    pairs(options.map { ($0.usage, $0.help) }, columns: columns)
  }

  /// Words, and beside them what they mean.
  package static func pairs(_ pairs: [(String, String)], columns: Int) -> String {
    let width = pairs.map(\.0.count).max() ?? 0
    // What has no room beside the words stands below them.
    if width + 4 + 20 > columns {
      return pairs.map { word, meaning in
        "  \(word)\n" + wrapped(meaning, indent: 6, columns: columns)
      }.joined()
    }
    return pairs.map { word, meaning in
      "  \(padded(word, width))  "
        + wrapped(meaning, indent: width + 4, columns: columns).drop { $0 == " " }
    }.joined()
  }

  /// Words in lines of at most so many columns, where a word is no longer.
  package static func wrapped(_ text: String, indent: Int = 0, columns: Int) -> String {
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= columns {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(margin + word)
      }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// The same, line by line.
  package static func lines(of text: String, columns: Int) -> [String] {
    wrapped(text, columns: columns).split(separator: "\n").map { String($0) }
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
