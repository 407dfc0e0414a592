/// A line as scalars, and complaints about it.
struct QueryLine {
  let source: String
  let scalars: [Unicode.Scalar]

  init(_ source: String) {
    self.source = source
    scalars = Array(source.unicodeScalars)
  }

  func text(_ range: Range<Int>) -> String { scalars[range].text }

  func error(_ message: String, at range: Range<Int>, _ help: String...) -> QueryError {
    error(message, at: range, help: help)
  }

  func error(_ message: String, at range: Range<Int>, help: [String]) -> QueryError {
    QueryError(message, line: source, range: range, help: help)
  }
}
