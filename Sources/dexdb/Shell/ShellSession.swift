import CDexShim
import Entities
import Terminal

/// What lasts from one command of the shell to the next: the open database, and the settings.
///
/// The database is opened for reading by the first command that reads, and follows what other
/// processes commit; the first command that changes something opens it for writing.
final class ShellSession {
  private(set) var globals: ParsedArguments
  private(set) var database: Database?
  private(set) var isWritable = false

  /// The format of rows; nil for the one that suits the output.
  var mode: OutputFormat?
  var isTimed = false
  var isExplained = false
  /// True once the user wants to leave.
  var isEnded = false
  /// The search of which rows were hidden, and how many were shown.
  var hidden: (query: Query, shownCount: Int, reading: QueryReading)?
  /// The most rows of a search that are shown; nil for all.
  var rowLimit: Int?
  /// Where the output of each command goes; nil for standard output.
  private var lastingFile: OutputFile?
  /// Where that of the next command goes.
  private var nextFile: OutputFile?
  /// How many files that read each other are being read.
  var readingDepth = 0

  init(globals: ParsedArguments) { self.globals = globals }

  /// Goes on with `database` in the place of the one before.
  func keep(_ database: Database, isWritable: Bool) throws {
    let before = self.database
    self.database = database
    self.isWritable = isWritable
    try before?.close()
  }

  /// Goes on with another file in the place of the database.
  func moveTo(_ path: String, _ database: Database) throws {
    globals.set("--file", path)
    hidden = nil
    try keep(database, isWritable: false)
  }

  func close() throws {
    let database = database
    self.database = nil
    isWritable = false
    abandonNextFile("no line came")
    // The file may find no room for its end; the database is closed all the same.
    let output = Result { try setOutput(nil) }
    try database?.close()
    try output.get()
  }

  // MARK: Where output goes

  /// What takes the output of the command that is about to run.
  var outputFile: OutputFile? { nextFile ?? lastingFile }

  /// Sends the output of all commands to come to `file`; nil for standard output.
  func setOutput(_ file: OutputFile?) throws {
    let before = lastingFile
    lastingFile = file
    try before?.close()
  }

  /// Sends the output of the next command to `file`.
  func setOutputOnce(_ file: OutputFile) {
    abandonNextFile(".once \(file.path) came first")
    nextFile = file
  }

  /// Lets go of a file that no line has been written to, and says so.
  private func abandonNextFile(_ reason: String) {
    guard let nextFile else { return }
    nextFile.abandon()
    self.nextFile = nil
    ShellRunner.note("\(nextFile.path) is not written: \(reason)")
  }

  /// Where the output of all further commands goes; nil for the screen.
  var lastingPath: String? { lastingFile?.path }

  /// Runs `body`, a command; what only one command's output goes to is then whole, or as it was.
  func withOutput(_ body: () throws -> Void) throws {
    let file = nextFile
    do {
      try body()
    } catch {
      if let file, nextFile === file {
        file.abandon()
        nextFile = nil
      } else {
        // What was shown before it failed; the first error is the one that tells.
        do { try lastingFile?.flush() } catch {}
      }
      throw error
    }
    // The command may have been the one that asked for the file.
    guard let file, nextFile === file else {
      try lastingFile?.flush()
      return
    }
    nextFile = nil
    try file.close()
  }

  /// True once the user has asked for the end of what is running.
  static func isInterrupted() -> Bool { dex_is_interrupted() || dex_interrupt_seen() != 0 }
}
