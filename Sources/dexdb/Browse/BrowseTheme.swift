import Terminal

/// The colours of the screens; each also says what it says by a mark or by its place.
enum BrowseTheme {
  static let red = Styling.Color(175, 0, 0)
  static let chosen = Styling.Color(0, 95, 175)
  static let gold = Styling.Color(215, 175, 0)
  static let gray = Styling.Color(128, 128, 128)

  /// The line at the top.
  static func head(_ abilities: ScreenAbilities) -> ScreenStyle {
    abilities.depth == .none
      ? ScreenStyle(isReversed: true)
      : ScreenStyle(foreground: Styling.Color(255, 255, 255), background: red)
  }

  /// What is chosen.
  static func chosen(_ abilities: ScreenAbilities) -> ScreenStyle {
    abilities.depth < .common
      ? ScreenStyle(isBold: true, isReversed: true)
      : ScreenStyle(foreground: Styling.Color(255, 255, 255), background: chosen, isBold: true)
  }

  /// What is said beside something more important.
  static func quiet(_ abilities: ScreenAbilities) -> ScreenStyle {
    abilities.depth >= .common ? ScreenStyle(foreground: gray) : .faint
  }

  /// A key in the last line, and the names of parts.
  static func accent(_ abilities: ScreenAbilities) -> ScreenStyle {
    abilities.depth >= .common ? ScreenStyle(foreground: gold, isBold: true) : .bold
  }

  static func complaint(_ abilities: ScreenAbilities) -> ScreenStyle {
    abilities.depth == .none
      ? .bold : ScreenStyle(foreground: Styling.Color(226, 92, 76), isBold: true)
  }

  /// The colour of a statistic, of 255 at most.
  static func statistic(_ value: Int) -> Styling.Color {
    switch value {
    case ..<50: Styling.Color(226, 92, 76)
    case ..<80: Styling.Color(233, 150, 66)
    case ..<100: Styling.Color(222, 196, 66)
    case ..<130: Styling.Color(120, 190, 84)
    default: Styling.Color(64, 176, 160)
    }
  }

  static let badgeColumns = 10

  /// A type on its colour.
  static func badge(_ type: String, _ abilities: ScreenAbilities) -> ScreenStyle {
    let color = TypeColor.of(type)
    return abilities.depth < .common
      ? ScreenStyle(isBold: true)
      : ScreenStyle(foreground: color.readableInk, background: color)
  }
}

extension ScreenCanvas {
  /// Types, each on its colour and all of one width.
  mutating func badges(
    _ types: [String], column: Int, row: Int, _ abilities: ScreenAbilities
  ) {
    var place = column
    for type in types.prefix(4) {
      badge(type, column: place, row: row, abilities)
      place += BrowseTheme.badgeColumns + 1
    }
  }

  mutating func badge(_ type: String, column: Int, row: Int, _ abilities: ScreenAbilities) {
    let style = BrowseTheme.badge(type, abilities)
    let width = BrowseTheme.badgeColumns
    let indent = max(0, (width - type.count) / 2)
    if abilities.depth >= .common {
      fill(ScreenRectangle(column: column, row: row, columns: width, rows: 1), style)
      put(type, column: column + indent, row: row, width: width - indent, style)
    } else {
      put(type, column: column, row: row, width: width, style)
    }
  }
}
