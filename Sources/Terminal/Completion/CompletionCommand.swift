/// A command that a program builds from what it is called and what it does.
package protocol ProgramCommand: DescribedCommand, SendableMetatype {
  associatedtype Context: ProgramContext

  init(
    name: String, aliases: [String], operands: String, summary: String, details: [String],
    options: [OptionDefinition], examples: [CommandExample],
    run: @escaping @Sendable (Context) throws -> Void)
}

/// What a command works with.
package protocol ProgramContext: AnyObject, SendableMetatype {
  var arguments: ParsedArguments { get }
  /// The options of the program.
  var globals: ParsedArguments { get }
  /// Where the command writes to.
  var output: OutputStream { get set }

  /// Refuses more operands than the command takes, or fewer.
  func checkOperandCount(_ range: ClosedRange<Int>) throws
}

/// The commands of a program that complete what is written behind its name in other shells.
///
/// `completions` writes a script, which asks `complete`.
extension ProgramCommand {
  /// The command `completions` of `program`.
  package static func scriptCommand(of program: String) -> Self {
    Self(
      name: "completions", aliases: [], operands: "bash|zsh|fish",
      summary: "Write a script that completes commands, options and queries in a shell.",
      details: [], options: [],
      examples: [
        CommandExample("\(program) completions bash >> ~/.bashrc", "for bash"),
        CommandExample(
          "\(program) completions fish > ~/.config/fish/completions/\(program).fish", "for fish"),
      ]
    ) { context in
      try context.checkOperandCount(1...1)
      let script = CompletionScript(program: program)
      context.output.write(try script.text(for: context.arguments.operands[0]))
    }
  }

  /// The command `complete`, such as `example`, which comes to `answer`.
  ///
  /// `lines` is given the options that say the database, and fails where it cannot be read: then
  /// only commands and files are known. The commands are asked for when it runs, as it is one of
  /// them; those of the program's own shell complete an option that takes a line of it.
  package static func wordCommand(
    example: String, _ answer: String, globals: [OptionDefinition],
    commands: @escaping @Sendable () -> [Self],
    shellCommands: @escaping @Sendable () -> [Self] = { [] },
    lines: @escaping @Sendable (Context, ParsedArguments) throws -> LineCompletion
  ) -> Self {
    Self(
      name: "complete", aliases: [], operands: "-- WORD…",
      summary: "List what the last word can become; the scripts of completions ask this.",
      details: [
        "A line for each: the word, with a space behind it where it is complete, a tabulator, and "
          + "what it is. The line :files stands for the names of files."
      ], options: [], examples: [CommandExample(example, answer)]
    ) { context in
      let operands = context.arguments.operands
      let words = operands.first == "--" ? Array(operands.dropFirst()) : operands
      var known: LineCompletion
      do {
        known = try lines(context, WordCompletion.globals(in: words, globals, or: context.globals))
      } catch {
        known = LineCompletion(commands: commands())
      }
      known.shellCommands = shellCommands()
      context.output.write(WordCompletion(known, globals: globals).text(of: words))
    }
  }
}
