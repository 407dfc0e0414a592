import CDexShim
import Entities
import PageStore
import Terminal

/// What a command works with: its arguments, the database, and where its output goes.
final class CommandContext: ProgramContext {
  let command: Command
  let arguments: ParsedArguments
  let globals: ParsedArguments
  /// The shell that runs the command; nil where it was called by itself.
  let session: ShellSession?
  let styling: Styling
  let outputIsTerminal: Bool
  /// The terminal's size; nil where the output is none.
  let terminalSize: (columns: Int, rows: Int)?
  var output: OutputStream
  private var catchesSignals = false

  init(
    command: Command, arguments: ParsedArguments, globals: ParsedArguments,
    session: ShellSession? = nil
  ) {
    self.command = command
    self.arguments = arguments
    self.globals = globals
    self.session = session
    let file = session?.outputFile
    outputIsTerminal = file == nil && SystemCalls.isTerminal(1)
    terminalSize = outputIsTerminal ? SystemCalls.terminalSize(1) ?? (80, 24) : nil
    styling = Styling(
      globals["--color"].flatMap { Styling.Choice(rawValue: $0) } ?? .auto,
      isTerminal: outputIsTerminal, isASCII: globals.has("--ascii"),
      environment: SystemCalls.environment)
    if let file {
      output = OutputStream(file)
    } else {
      let usesPager = outputIsTerminal && !arguments.has("--no-pager")
      output = OutputStream(1, isCollecting: usesPager)
    }
  }

  /// Writes what is left of the output, through a pager where it does not fit the terminal.
  ///
  /// - Throws: Where standard output did not take everything, and somebody was to read it.
  func finish() throws {
    let pager = SystemCalls.environment("PAGER") ?? "less -FRX"
    output.finish(
      rows: arguments.has("--no-pager") ? nil : terminalSize?.rows,
      pager: globals.has("--safe") ? nil : pager)
    if let afterwards {
      let columns = SystemCalls.terminalSize(2)?.columns ?? .max
      for line in CommandHelp.lines(of: afterwards, columns: max(20, columns)) { note(line) }
    }
    try output.checkWritten()
  }

  /// Runs the command, and writes its output also where it fails.
  func run() throws {
    do {
      try command.run(self)
    } catch {
      do { try finish() } catch {}
      throw error
    }
    try finish()
  }

  /// The columns for which the screen had no room.
  var leftOut: [String] = []
  /// What is said once the output is out.
  var afterwards: String?

  /// Says how long a command took, where that was asked for.
  func noteTime(since start: ContinuousClock.Instant) {
    guard arguments.has("--timer") else { return }
    let text = Self.milliseconds(since: start)
    afterwards = (afterwards.map { $0 + ", " } ?? "") + "\(text) ms"
  }

  static func milliseconds(since start: ContinuousClock.Instant) -> String {
    let time = ContinuousClock.now - start
    let microseconds = time.components.attoseconds / 1_000_000_000_000
    return ExactDecimal.rounded(
      Double(time.components.seconds) * 1000 + Double(microseconds) / 1000)
  }

  /// `text` as it may go to the output: as it is, but on a terminal without commands to it.
  func safe(_ text: String) -> String { outputIsTerminal ? TerminalText.escaped(text) : text }

  /// Says something that is no data.
  func note(_ text: String) {
    _ = SystemCalls.write(Array("\(TerminalText.escaped(text))\n".utf8), to: 2)
  }

  /// Refuses a file that is not the database where the user wants none touched.
  func checkOtherFile(_ path: String) throws {
    if path == "-" || !globals.has("--safe") { return }
    throw CommandFailure(
      "--safe keeps '\(command.name)' from touching \(path)", help: ["leave out --safe"])
  }

  /// The operands as one line.
  var query: String { arguments.operands.joined(separator: " ") }

  func checkOperandCount(_ range: ClosedRange<Int>) throws {
    try arguments.checkOperandCount(range, of: command, program: Program.name)
  }

  // The database

  /// The database that the command line names; nil where it names none.
  var namedDatabase: String? { globals["--file"] }

  /// False where the user wants no colours.
  var isColorWanted: Bool { globals["--color"] != Styling.Choice.never.rawValue }

  /// The path of the database.
  var databasePath: String { DatabasePath.find(named: globals["--file"]) }

  /// Opens the database for a command that only looks: nothing is created and nothing changed.
  func openForReading() throws -> Database {
    if let database = session?.database { return database }
    var options = StoreOptions()
    options.isReadOnly = true
    options.createsFile = false
    let database = try open(options)
    try session?.keep(database, isWritable: false)
    return database
  }

  /// Opens the database for a command that changes it.
  func openForWriting() throws -> Database {
    try checkWriting()
    if let session, session.isWritable, let database = session.database { return database }
    var options = StoreOptions()
    options.createsFile = false
    let database = try open(options)
    try session?.keep(database, isWritable: true)
    return database
  }

  /// Closes what `openForWriting` gave, unless the shell goes on with it.
  func close(_ database: Database) throws {
    if session == nil { try database.close() }
  }

  /// What the database holds now, to be read until somebody interrupts.
  func snapshot(of database: Database) throws -> DatabaseSnapshot {
    let snapshot = try database.snapshot()
    return session == nil && !catchesSignals
      ? snapshot : snapshot.interrupted(when: ShellSession.isInterrupted)
  }

  /// From now on a first signal only asks for the end: the command takes away what it has begun.
  ///
  /// The shell has its own way with signals.
  func catchSignals() {
    if session != nil { return }
    catchesSignals = true
    dex_interrupt_catch()
  }

  /// True where the user wants an end of what is running.
  var isInterrupted: Bool {
    (session != nil || catchesSignals) && ShellSession.isInterrupted()
  }

  /// Gives up where the user wants it.
  func checkInterruption() throws {
    if isInterrupted { throw StoreError.cancelled }
  }

  func checkWriting() throws {
    if globals.has("--readonly") {
      throw CommandFailure(
        "--readonly keeps '\(command.name)' from changing the database",
        help: ["leave out --readonly"])
    }
  }

  /// Opens the database with those entities of the Pokédex that it has: a file of somebody else's is
  /// not given any, and one that has another entity of the same name is read by its own schema.
  private func open(_ options: StoreOptions) throws -> Database {
    do {
      // Nothing is added where it is only read.
      var entities =
        options.isReadOnly ? Pokedex.entities : try entitiesOfPokedex(options)
      while true {
        do throws(DatabaseError) {
          return try Database(path: databasePath, entities: entities, options: options)
        } catch {
          guard case .schemaMismatch(let name, _) = error,
            let index = entities.firstIndex(where: { $0.schema.name == name })
          else { throw error }
          entities.remove(at: index)
        }
      }
    } catch DatabaseError.store(.system(.open, let path, let code)) where code == 2 {
      throw missingDatabase(path)
    }
  }

  /// The entities of the Pokédex that the database has.
  private func entitiesOfPokedex(_ options: StoreOptions) throws -> [any Entity.Type] {
    var looking = options
    looking.isReadOnly = true
    let database = try Database(path: databasePath, entities: [], options: looking)
    let names = Set(try database.schemas().map(\.name))
    try database.close()
    return Pokedex.entities.filter { names.contains($0.schema.name) }
  }

  func missingDatabase(_ path: String) -> CommandFailure {
    CommandFailure(
      "no database at \(path)",
      help: ["make one with '\(Program.name) init', or name it with -f"])
  }
}
