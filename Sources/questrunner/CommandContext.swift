import Entities
import PageStore
import Terminal

/// What a command works with: its arguments, the database, and where its output goes.
final class CommandContext: ProgramContext {
  let command: Command
  let arguments: ParsedArguments
  let globals: ParsedArguments
  let styling: Styling
  let outputIsTerminal: Bool
  var output: OutputStream
  private let usesPager: Bool

  init(command: Command, arguments: ParsedArguments, globals: ParsedArguments) {
    self.command = command
    self.arguments = arguments
    self.globals = globals
    outputIsTerminal = SystemCalls.isTerminal(1)
    usesPager =
      outputIsTerminal && !arguments.has(Self.noPager.name)
      && command.options.contains { $0.name == Self.noPager.name }
    output = OutputStream(1, isCollecting: usesPager)
    styling = Styling(
      globals["--color"].flatMap { Styling.Choice(rawValue: $0) } ?? .auto,
      isTerminal: outputIsTerminal, isASCII: globals.has("--ascii"),
      environment: SystemCalls.environment)
  }

  static let noPager = OptionDefinition("--no-pager", "never start a pager")

  /// Writes what is left of the output, through a pager where it does not fit the terminal.
  func finish() {
    let rows = usesPager ? SystemCalls.terminalSize(1)?.rows ?? 24 : nil
    output.finish(rows: rows, pager: SystemCalls.environment("PAGER") ?? "less -FRX")
  }

  /// Says something that is no data.
  func note(_ text: String) {
    _ = SystemCalls.write(Array("\(TerminalText.escaped(text))\n".utf8), to: 2)
  }

  /// Writes a line of data.
  func line(_ text: String) {
    output.write((outputIsTerminal ? TerminalText.escaped(text) : text) + "\n")
  }

  func checkOperandCount(_ range: ClosedRange<Int>) throws {
    try arguments.checkOperandCount(range, of: command, program: Program.name)
  }

  /// The whole number that an option has, within a range.
  func number(_ option: String, _ range: ClosedRange<Int>) throws -> Int? {
    guard let text = arguments[option] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw CommandFailure.usage(
        "\(option) cannot be '\(text)'",
        "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// The seed that was given.
  func seed() throws -> UInt64? {
    guard let text = arguments["--seed"] ?? globals["--seed"] else { return nil }
    guard let seed = UInt64(text) else {
      throw CommandFailure.usage(
        "--seed cannot be '\(text)'", "a whole number from 0 to \(UInt64.max)")
    }
    return seed
  }

  // The database

  /// Opens the database; only for reading, nothing is created and nothing changed.
  func open(isReadOnly: Bool) throws -> Database {
    var options = StoreOptions()
    options.isReadOnly = isReadOnly
    options.createsFile = false
    return try open(options)
  }

  private var databasePath: String { DatabasePath.find(named: globals["--file"]) }

  private func open(_ options: StoreOptions) throws -> Database {
    do {
      return try Database(path: databasePath, entities: Pokedex.entities, options: options)
    } catch DatabaseError.store(.system(.open, let path, let code)) where code == 2 {
      throw Self.missingDatabase(path)
    }
  }

  private static func missingDatabase(_ path: String) -> CommandFailure {
    CommandFailure(
      "no database at \(path)", help: ["make one with 'dexdb init', or name it with -f"])
  }

  /// Writes rows: a table for people, and TSV for programs.
  func write(_ columns: [OutputColumn], _ rows: [[OutputValue]]) {
    output.write(RowText.text(columns, rows, isForPeople: outputIsTerminal, styling))
  }
}

/// Rows as text.
enum RowText {
  static func text(
    _ columns: [OutputColumn], _ rows: [[OutputValue]], isForPeople: Bool, _ styling: Styling
  ) -> String {
    if isForPeople {
      let printer = TablePrinter(columns: columns, rows: rows, styling: styling)
      guard let width = SystemCalls.terminalSize(1)?.columns else { return printer.lines() }
      return printer.fits(width) ? printer.table(maximumWidth: width) : printer.lines()
    }
    var writer = RowWriter(.tsv, columns: columns)
    return writer.head() + rows.map { writer.row($0) }.joined()
  }
}
