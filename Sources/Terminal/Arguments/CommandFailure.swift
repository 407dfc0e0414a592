internal import Entities
internal import PageStore

/// Why a command did not do what was asked, in the voice of the program.
package struct CommandFailure: Error, Equatable {
  /// How the program ends.
  package enum ExitCode: Int32 {
    case done = 0
    /// It failed, or what was asked for by name is not there.
    case failed = 1
    /// The command line or the query makes no sense.
    case usage = 2
    /// The file is damaged, or of another version.
    case damaged = 3
    /// Another process has the right to write.
    case locked = 4
  }

  package var message: String
  package var help: [String]
  package var exitCode: ExitCode
  /// True where everything has been said already.
  package var isSilent = false

  package init(_ message: String, help: [String] = [], exitCode: ExitCode = .failed) {
    self.message = message
    self.help = help
    self.exitCode = exitCode
  }

  package static func usage(_ message: String, _ help: String...) -> CommandFailure {
    usage(message, help: help)
  }

  package static func usage(_ message: String, help: [String]) -> CommandFailure {
    CommandFailure(message, help: help, exitCode: .usage)
  }

  /// Ends the program without a word.
  package static func silent(_ exitCode: ExitCode) -> CommandFailure {
    var failure = CommandFailure("", exitCode: exitCode)
    failure.isSilent = true
    return failure
  }

  /// Whatever went wrong, in words.
  package init(_ error: any Error) {
    switch error {
    case let failure as CommandFailure: self = failure
    case let error as DatabaseError: self.init(error)
    case let error as StoreError: self.init(error)
    case let error as PortraitError: self.init("\(PortraitProse.text(of: error))")
    case let failure as FileFailure: self.init("\(failure.path): \(failure.reason)")
    default: self.init("\(error)")
    }
  }

  /// The failure as the program says it; `columns` is where lists break, where they do.
  package func text(program: String, columns: Int? = nil) -> String {
    "\(program): \(TerminalText.escaped(message))\n" + HelpLines.text(help, columns: columns)
  }
}
