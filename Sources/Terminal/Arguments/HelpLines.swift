/// What to do instead, below a complaint.
enum HelpLines {
  private static let indent = 6

  /// The lines of `help` below each other; lists that are longer than `columns` go on below.
  ///
  /// Other lines are never cut, so that what they say to write can be copied.
  static func text(_ help: [String], columns: Int?) -> String {
    var result = ""
    for (index, line) in help.enumerated() {
      result += index == 0 ? "help: " : String(repeating: " ", count: indent)
      let line = TerminalText.escaped(line)
      let isList = line.count { $0 == "," } > 3
      guard let columns, isList, indent + line.count > columns else {
        result += line + "\n"
        continue
      }
      result += CommandHelp.wrapped(line, indent: indent, columns: max(30, columns)).dropFirst(
        indent)
    }
    return result
  }
}
