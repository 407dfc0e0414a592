internal import CUTF8Proc

/// How many columns of a terminal a text takes, and how it is cut to fit.
///
/// What a reader takes for one character is never cut in two: East Asian wide characters and emoji
/// take two columns, combining marks none.
package enum DisplayWidth {
  /// The columns of `text`, which must be safe for a terminal.
  package static func of(_ text: some StringProtocol) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.reduce(0) { $0 + of($1) }
  }

  /// The columns of one character.
  package static func of(_ character: Character) -> Int {
    var width = 0
    for scalar in character.unicodeScalars {
      switch scalar.value {
      // The variation selector that asks for a picture, and regional indicators, which pair up.
      case 0xFE0F, 0x1F1E6...0x1F1FF: width = 2
      // Marks of half-width kana have a column of their own.
      case 0xFF9E, 0xFF9F: width += 1
      default: width = max(width, Int(utf8proc_charwidth(Int32(scalar.value))))
      }
    }
    return width
  }

  /// The columns that a scalar takes by itself; 0 for marks.
  static func of(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x20..<0x7F: 1
    // Terminals give each half of a flag, and marks of half-width kana, a column of their own.
    case 0x1F1E6...0x1F1FF, 0xFF9E, 0xFF9F: 1
    default: Int(utf8proc_charwidth(Int32(scalar.value)))
    }
  }

  /// `text`, or its beginning with an ellipsis where it takes more than `columns`.
  package static func truncated(
    _ text: String, to columns: Int, ellipsis: String = "…"
  ) -> String {
    if of(text) <= columns { return text }
    let room = columns - of(ellipsis)
    if room < 0 { return String(repeating: " ", count: max(0, columns)) }
    var result = ""
    var width = 0
    for character in text {
      width += of(character)
      if width > room { break }
      result.append(character)
    }
    return result + ellipsis
  }

  /// `text` with spaces up to `columns`.
  package static func padded(
    _ text: String, to columns: Int, isRightAligned: Bool = false
  ) -> String {
    let spaces = String(repeating: " ", count: max(0, columns - of(text)))
    return isRightAligned ? spaces + text : text + spaces
  }
}
