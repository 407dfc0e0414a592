/// A line of the shell that begins with a dot, as words.
///
/// Words stand apart by spaces. Double quotes keep spaces together, and so do single ones at the
/// start of a word or behind a `=`, so that `farfetch'd` is a word; in double quotes and outside of
/// quotes a backslash takes what is special from the next character.
package struct CommandWords: Equatable {
  package struct Word: Equatable {
    package var text: String
    /// Where it begins in the line, in scalars.
    package var start: Int
    /// Where it ends.
    package var end: Int
  }

  package var words: [Word] = []
  /// The quotation mark that nothing closes.
  package var openQuote: Unicode.Scalar?

  package init(_ line: String) {
    let scalars = Array(line.unicodeScalars)
    var position = 0
    while position < scalars.count {
      if Self.isSpace(scalars[position]) {
        position += 1
        continue
      }
      words.append(readWord(scalars, &position))
    }
  }

  private mutating func readWord(_ scalars: [Unicode.Scalar], _ position: inout Int) -> Word {
    var text = String.UnicodeScalarView()
    let start = position
    var quote: Unicode.Scalar?
    while position < scalars.count {
      let scalar = scalars[position]
      if quote == nil, Self.isSpace(scalar) { break }
      position += 1
      if scalar == quote {
        quote = nil
      } else if scalar == "\\", quote != "'", position < scalars.count,
        Self.isSpecial(scalars[position])
      {
        text.append(scalars[position])
        position += 1
      } else if quote == nil, scalar == "\"" {
        quote = scalar
      } else if quote == nil, scalar == "'", text.isEmpty || text.last == "=" {
        quote = scalar
      } else {
        text.append(scalar)
      }
    }
    openQuote = quote
    return Word(text: String(text), start: start, end: position)
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace }

  private static func isSpecial(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\"" || scalar == "'" || scalar == "\\" || scalar == " "
  }

  /// `text` as a word that is read as it.
  package static func quoted(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if isSpecial(scalar) { result.append("\\") }
      result.append(scalar)
    }
    return String(result)
  }
}
