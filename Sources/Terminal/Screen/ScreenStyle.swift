/// How a cell of a screen looks; nil is the terminal's own colour.
package struct ScreenStyle: Hashable, Sendable {
  package var foreground: Styling.Color?
  package var background: Styling.Color?
  package var isBold = false
  package var isFaint = false
  package var isReversed = false
  package var isUnderlined = false

  package init(
    foreground: Styling.Color? = nil, background: Styling.Color? = nil, isBold: Bool = false,
    isFaint: Bool = false, isReversed: Bool = false, isUnderlined: Bool = false
  ) {
    self.foreground = foreground
    self.background = background
    self.isBold = isBold
    self.isFaint = isFaint
    self.isReversed = isReversed
    self.isUnderlined = isUnderlined
  }

  package static let plain = ScreenStyle()
  package static let bold = ScreenStyle(isBold: true)
  package static let faint = ScreenStyle(isFaint: true)

  /// The style on another background.
  package func on(_ background: Styling.Color?) -> ScreenStyle {
    var style = self
    style.background = background
    return style
  }
}

extension Styling.Color: Hashable {
  package func hash(into hasher: inout Hasher) {
    hasher.combine(UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue))
  }

  /// Black or white, whichever is read more easily on this colour.
  package var readableInk: Styling.Color {
    // The weights of ITU-R BT.601.
    let brightness = 299 * Int(red) + 587 * Int(green) + 114 * Int(blue)
    return brightness > 130_000 ? Styling.Color(16, 16, 20) : Styling.Color(255, 255, 255)
  }
}

/// What a terminal can show, and what its user wants to see.
package struct ScreenAbilities: Equatable, Sendable {
  /// How many colours there are.
  package enum Depth: Int, Comparable, Sendable {
    case none = 0
    case eight = 8
    case sixteen = 16
    case common = 256
    case direct = 0x1000000

    package static func < (left: Depth, right: Depth) -> Bool { left.rawValue < right.rawValue }
  }

  package var depth: Depth
  /// Lines, bars and marks of ASCII alone.
  package var isASCII: Bool
  /// For readers of screens: no boxes and no pictures, marks in words, the cursor at what is chosen.
  package var isAccessible: Bool

  package init(depth: Depth, isASCII: Bool = false, isAccessible: Bool = false) {
    self.depth = depth
    self.isASCII = isASCII
    self.isAccessible = isAccessible
  }

  /// True where half blocks in colours can show a picture.
  package var hasPictures: Bool { !isAccessible && !isASCII && depth >= .common }

  package var ellipsis: String { isASCII ? "~" : "…" }
}
