/// The commands of a program that complete what is written behind its name in other shells.
///
/// `completions` writes a script, which asks `complete`.
package enum CompletionCommand {
  package static let scriptOperands = "bash|zsh|fish"
  package static let scriptSummary =
    "Write a script that completes commands, options and queries in a shell."

  package static let wordOperands = "-- WORD…"
  package static let wordSummary =
    "List what the last word can become; the scripts of completions ask this."
  package static let wordDetails = [
    "A line for each: the word, with a space behind it where it is complete, a tabulator, and what "
      + "it is. The line :files stands for the names of files."
  ]

  /// The answer of `complete` to `operands`.
  ///
  /// `usual` are the options before the command, which say the database where the words name none;
  /// `lines` is given those that count, and fails where it cannot be read: then only `commands` and
  /// files are known.
  package static func answer(
    _ operands: [String], commands: [any DescribedCommand], globals: [OptionDefinition],
    usual: ParsedArguments, lines: (ParsedArguments) throws -> LineCompletion
  ) -> String {
    let words = operands.first == "--" ? Array(operands.dropFirst()) : operands
    let known: LineCompletion
    do {
      known = try lines(WordCompletion.globals(in: words, globals, or: usual))
    } catch {
      known = LineCompletion(commands: commands)
    }
    return WordCompletion(known, globals: globals).text(of: words)
  }
}
