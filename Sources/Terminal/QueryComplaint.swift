package import Entities

/// Shows a complaint about a query: the line, a caret under the place, and what to write.
package enum QueryComplaint {
  /// The complaint in the voice of `program`, at most `columns` wide where the line is shown.
  ///
  /// `helpColumns` is where lists of what can be written break, where they do.
  package static func text(
    of error: QueryError, program: String, columns: Int = 80, helpColumns: Int? = nil
  ) -> String {
    var result = "\(program): \(TerminalText.escaped(error.message))\n"
    result += place(of: error, columns: columns)
    return result + HelpLines.text(error.help, columns: helpColumns)
  }

  /// The line, cut around the place where it is too long, and the caret.
  private static func place(of error: QueryError, columns: Int) -> String {
    let scalars = Array(error.line.unicodeScalars)
    if scalars.isEmpty { return "" }
    let range = error.range.clamped(to: 0..<scalars.count)
    var before = shown(scalars[..<range.lowerBound])
    var marked = shown(scalars[range])
    var after = shown(scalars[range.upperBound...])
    let room = max(20, columns - 4)
    if DisplayWidth.of(marked) > room / 2 {
      marked = DisplayWidth.truncated(marked, to: room / 2)
    }
    if DisplayWidth.of(before) > room / 3 {
      while DisplayWidth.of(before) > room / 3 { before.removeFirst(max(1, before.count / 16)) }
      before = "…" + before
    }
    after = DisplayWidth.truncated(
      after, to: max(1, room - DisplayWidth.of(before) - DisplayWidth.of(marked)))
    let indent = String(repeating: " ", count: 2 + DisplayWidth.of(before))
    let tail = String(repeating: "~", count: max(0, DisplayWidth.of(marked) - 1))
    return "  \(before)\(marked)\(after)\n\(indent)^\(tail)\n"
  }

  private static func shown(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return TerminalText.escaped(String(view))
  }
}
