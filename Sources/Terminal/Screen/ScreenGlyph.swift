/// What one cell of a screen shows: a character of one or two columns, and marks on it.
///
/// Terminals disagree about what is drawn as one and how wide it then is: flags, families and skin
/// tones of emoji, pictures asked for by a selector. A glyph has one character that takes room and
/// a few marks that do not, about which they agree, so that nothing after it stands elsewhere.
package struct ScreenGlyph: Hashable, Sendable {
  package let text: String
  /// 1 or 2.
  package let width: Int

  static let space = ScreenGlyph(text: " ", width: 1)
  /// As many marks as a cell of the screen library has room for.
  static let mostMarks = 4

  /// The glyphs that show `text`, in which what could command a terminal is escaped.
  package static func glyphs(of text: String) -> [ScreenGlyph] {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) {
      return text.utf8.map { ascii[Int($0) - 0x20] }
    }
    var glyphs: [ScreenGlyph] = []
    for character in TerminalText.escaped(text) { append(character, to: &glyphs) }
    return glyphs
  }

  /// The columns that `text` takes.
  package static func width(of text: String) -> Int { glyphs(of: text).reduce(0) { $0 + $1.width } }

  private static let ascii: [ScreenGlyph] = (0x20..<0x7F as Range<UInt8>).map { byte in
    ScreenGlyph(text: String(UnicodeScalar(byte)), width: 1)
  }

  private static func append(_ character: Character, to glyphs: inout [ScreenGlyph]) {
    var base: Unicode.Scalar?
    var marks: [Unicode.Scalar] = []
    var isJoined = false
    for scalar in character.unicodeScalars {
      let width = DisplayWidth.of(scalar)
      switch scalar.value {
      case 0x200D: isJoined = base != nil
      // Selectors and tags only ask for another look, and skin tones are another look.
      case 0xFE00...0xFE0F, 0xE0000...0xE0FFF,
        0x1F3FB...0x1F3FF where base != nil:
        break
      case _ where width == 0:
        if marks.count < mostMarks { marks.append(scalar) }
      // The first of a family stands for it.
      case _ where isJoined: break
      default:
        finish(base, marks, &glyphs)
        base = scalar
        marks = []
      }
    }
    finish(base, marks, &glyphs)
  }

  private static func finish(
    _ base: Unicode.Scalar?, _ marks: [Unicode.Scalar], _ glyphs: inout [ScreenGlyph]
  ) {
    guard let base else {
      // Marks on nothing stand on a blank.
      if !marks.isEmpty { finish(" ", marks, &glyphs) }
      return
    }
    var view = String.UnicodeScalarView()
    view.append(base)
    view.append(contentsOf: marks)
    glyphs.append(ScreenGlyph(text: String(view), width: max(1, DisplayWidth.of(base))))
  }
}
