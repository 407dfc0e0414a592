/// Keeps text from doing anything to a terminal but appear there.
///
/// This is the one place where text is made safe: whatever comes from a file or from a user passes
/// it on the way to a terminal, and nothing is changed where it is stored. Control characters (C0,
/// DEL, C1), controls of writing direction, line and paragraph separators and bytes that are no
/// UTF-8 appear as escapes that one can read, such as `\x1b`.
package enum TerminalText {
  /// `text` as it may go to a terminal.
  package static func escaped(_ text: String) -> String {
    if !text.unicodeScalars.contains(where: isDangerous) { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if isDangerous(scalar) {
        result.append(contentsOf: escape(scalar).unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  /// `text` as a message quotes it: safe for a terminal, and only its beginning, with an ellipsis,
  /// where it is long.
  ///
  /// - Complexity: O(`columns`), whatever the text.
  package static func excerpt(_ text: String, columns: Int = 60) -> String {
    // Marks take no columns, so that scalars are counted too.
    var view = String.UnicodeScalarView()
    view.append(contentsOf: text.unicodeScalars.prefix(2 * columns))
    let start = escaped(String(view))
    let isWhole = text.unicodeScalars.dropFirst(2 * columns).isEmpty
    return DisplayWidth.truncated(isWhole ? start : start + "…", to: columns)
  }

  /// Bytes from outside as they may go to a terminal.
  package static func escaped(bytes: [UInt8]) -> String {
    var result = ""
    var position = 0
    while position < bytes.count {
      let end = min(bytes.count, position + characterByteCount(bytes[position]))
      if let text = String(validating: bytes[position..<end], as: UTF8.self) {
        result += escaped(text)
        position = end
      } else {
        result += hex(bytes[position])
        position += 1
      }
    }
    return result
  }

  /// How many bytes a character has that begins with `byte`.
  private static func characterByteCount(_ byte: UInt8) -> Int {
    byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
  }

  /// True for what a terminal could take as a command, or as a change of direction or line.
  package static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0: true
    case 0x61C, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default:
      scalar.value < 0x100
        ? hex(UInt8(scalar.value)) : "\\u{" + String(scalar.value, radix: 16) + "}"
    }
  }

  private static func hex(_ byte: UInt8) -> String {
    "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }
}
