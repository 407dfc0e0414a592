import Terminal

/// What all keys do, and what can be asked for.
enum HelpPage {
  private enum Line {
    case heading(String)
    case entry(String, String)
    case blank
  }

  private static let keys: [Line] = [
    .heading("Everywhere"),
    .entry("↑ ↓ PgUp PgDn Home End", "move"), .entry("Enter", "open what is chosen"),
    .entry("Esc", "back; in the list it empties the search"),
    .entry("/ or any other letter", "search: the list follows each key"),
    .entry("a name at one go", "search too, though its first letter is one of these keys"),
    .entry("g", "grid of portraits, and back"), .entry("s", "sort"),
    .entry("Tab", "Pokémon or adventurers"),
    .entry("y", "leave, and print the command that shows the same"),
    .entry("q", "leave"), .blank,
    .heading("Pokémon"),
    .entry("t", "types, put together: all must hold"),
    .entry("← →", "in the details: the one before and the next"),
    .entry("↑ ↓ Enter", "in the details: walk to evolutions and forms"), .blank,
    .heading("Adventurers"),
  ]

  private static let changing = [
    ("n", "recruit one"), ("e", "change one"), ("d", "delete one"), ("Q", "watch a quest"),
  ]

  private static let questions: [Line] = [
    .blank, .heading("What can be asked for"),
    .entry("pik", "names with a word that begins so, in any language"),
    .entry("*saur  *saur*", "the end of a word, any part of one"),
    .entry("t:fire t:flying", "types: both"), .entry("t:fire/flying", "the same"),
    .entry("-t:fire", "not of that type"), .entry("spe>100  bst:500..600", "numbers"),
    .entry("weak:ice  resists:fire", "damage taken"),
    .entry("is:legendary  is:final", "also mythical, baby, mono, dual"),
    .entry("gen:1  family:eevee", "generation, family"),
    .entry("sort:-bst", "the greatest total first"),
    .entry("level>=3  hp<maxhp", "adventurers"),
  ]

  /// All lines; a key that is refused says why.
  private static func content(_ state: BrowseState) -> [Line] {
    let changing =
      state.refusal.map { [Line.entry(Self.changing.map(\.0).joined(separator: " "), $0)] }
      ?? Self.changing.map { key, text in
        Line.entry(key, key.first.flatMap(state.refusal(of:)) ?? text)
      }
    return keys + changing + questions
  }

  /// A line as it is drawn: the keys, or a heading, and what stands beside them.
  private struct Drawn {
    var keys = ""
    var text = ""
    var isHeading = false
  }

  private static let keyColumn = 4
  /// Where what keys do stands, unless the screen is too narrow for it beside them.
  private static let textColumn = 30

  private static func drawn(_ state: BrowseState) -> [Drawn] {
    let columns = state.columns
    var lines: [Drawn] = []
    for line in content(state) {
      switch line {
      case .blank: lines.append(Drawn())
      case .heading(let text): lines.append(Drawn(keys: text, isHeading: true))
      case .entry(let keys, let text):
        let keys = plain(keys, state.abilities)
        let isBeside = columns >= textColumn + 20
        let room = columns - (isBeside ? textColumn : keyColumn + 2) - 2
        let wrapped = CommandHelp.lines(of: text, columns: room)
        if !isBeside { lines.append(Drawn(keys: keys)) }
        for (index, part) in wrapped.enumerated() {
          lines.append(Drawn(keys: isBeside && index == 0 ? keys : "", text: part))
        }
      }
    }
    return lines
  }

  static func lineCount(_ state: BrowseState) -> Int { drawn(state).count }

  static func room(in layout: BrowseLayout) -> Int { layout.rows - 4 }

  static func draw(
    _ state: BrowseState, top: Int, _ frame: BrowseFrame, on canvas: inout ScreenCanvas
  ) {
    let abilities = state.abilities
    frame.drawHead("Help", on: &canvas)
    let room = room(in: state.layout)
    let lines = drawn(state)
    let isBeside = state.columns >= textColumn + 20
    for (index, line) in lines.dropFirst(top).prefix(room).enumerated() {
      let row = 2 + index
      canvas.put(
        line.keys, column: line.isHeading ? 2 : keyColumn, row: row,
        line.isHeading ? BrowseTheme.accent(abilities) : .bold)
      canvas.put(line.text, column: isBeside ? textColumn : keyColumn + 2, row: row)
    }
    frame.drawScrollBar(
      ScreenRectangle(column: state.columns - 1, row: 2, columns: 1, rows: room), top: top,
      visible: room, total: lines.count, on: &canvas)
    frame.drawKeys(
      lines.count > room
        ? [.init("↑↓", "scroll"), .init("PgDn", "more"), .init("any other key", "back")]
        : [.init("any key", "back")], on: &canvas)
  }

  private static func plain(_ keys: String, _ abilities: ScreenAbilities) -> String {
    if !abilities.isASCII && !abilities.isAccessible { return keys }
    return keys.split(separator: " ").map { key in
      switch key {
      case "↑": "Up"
      case "↓": "Down"
      case "←": "Left"
      case "→": "Right"
      default: String(key)
      }
    }.joined(separator: " ")
  }
}
