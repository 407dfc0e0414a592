/// Why a line is no query, where in the line, and what to write instead.
public struct QueryError: Error, Equatable, Sendable {
  /// What is wrong, in one clause without a full stop.
  public var message: String
  /// The line that was read.
  public var line: String
  /// The place in the line, counted in Unicode scalars.
  public var range: Range<Int>
  /// What to do, a line each; never empty.
  public var help: [String]

  /// A complaint about the scalars `range` of `line`.
  public init(_ message: String, line: String, range: Range<Int>, help: [String]) {
    self.message = message
    self.line = line
    self.range = range
    self.help = help
  }
}
