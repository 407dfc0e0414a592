import Terminal

/// Comments of the shell: `-- ` and what follows it, at the start of a line or behind what it says.
enum ShellComment {
  /// `text`, a search, up to a comment outside of quotation marks.
  static func removed(fromQuery text: String) -> String {
    let scalars = Array(text.unicodeScalars)
    var isQuoted = false
    var position = 0
    while position < scalars.count {
      if isQuoted, scalars[position] == "\\" {
        position += 1
      } else if scalars[position] == "\"" {
        isQuoted.toggle()
      } else if !isQuoted, begins(at: position, of: scalars) {
        return self.text(scalars[..<position])
      }
      position += 1
    }
    return text
  }

  /// `line`, a call of `command`, up to a comment behind its first operand, which `reader` finds.
  ///
  /// Before that, `--` ends the options, or is the value of one, but where no operand can follow.
  static func removed(
    from line: String, of command: Command, reader: ArgumentReader
  ) -> String {
    let words = CommandWords(line).words.dropFirst()
    var reader = reader
    do {
      let first = try reader.readOptions(words.map(\.text))
      let takesNone = ["", "[OPTIONS]"].contains(command.operands)
      let comment = words.dropFirst(takesNone ? max(0, first - 1) : first + 1).first { word in
        word.text == "--" && word.end == word.start + 2
      }
      guard let comment else { return line }
      return text(Array(line.unicodeScalars)[..<comment.start])
    } catch {
      // What is wrong with the options is said where they are read.
      return line
    }
  }

  private static func begins(at position: Int, of scalars: [Unicode.Scalar]) -> Bool {
    guard position > 0, scalars[position - 1].properties.isWhitespace,
      scalars[position...].starts(with: ["-", "-"])
    else { return false }
    return position + 2 == scalars.count || scalars[position + 2].properties.isWhitespace
  }

  private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }
}
