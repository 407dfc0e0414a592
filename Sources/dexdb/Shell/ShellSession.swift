import CDexShim
import Entities
import Terminal

/// What lasts from one command of the shell to the next: the open database, and the settings.
///
/// The database is opened for reading by the first command that reads, and follows what other
/// processes commit; the first command that changes something opens it for writing.
final class ShellSession {
  let globals: ParsedArguments
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

  func close() throws {
    let database = database
    self.database = nil
    isWritable = false
    try database?.close()
  }

  /// True once the user has asked for the end of what is running.
  static func isInterrupted() -> Bool { dex_is_interrupted() || dex_interrupt_seen() != 0 }
}
