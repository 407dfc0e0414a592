import Entities
import Terminal

/// What frames each screen: the head, the query line, what is said of it, and the keys.
struct BrowseFrame {
  /// A key and what it does.
  struct KeyLabel {
    var key: String
    var label: String
    /// Where not all have room, those of lower rank have it first.
    var rank: Int

    init(_ key: String, _ label: String, rank: Int = 1) {
      self.key = key
      self.label = label
      self.rank = rank
    }
  }

  let state: BrowseState
  let source: BrowseSource
  private let abilities: ScreenAbilities

  init(_ state: BrowseState, _ source: BrowseSource) {
    self.state = state
    self.source = source
    abilities = state.abilities
  }

  /// The whole screen.
  static func canvas(_ state: BrowseState, _ source: BrowseSource) throws -> ScreenCanvas {
    var canvas = ScreenCanvas(columns: state.columns, rows: state.rows)
    if !state.layout.isLargeEnough {
      drawTooSmall(state, on: &canvas)
      return canvas
    }
    let frame = BrowseFrame(state, source)
    switch state.pages.last {
    case .details(let page)?:
      try DetailsDrawing(state, source).draw(page, on: &canvas)
      frame.drawNotice(row: 1, on: &canvas)
      return canvas
    case .help(let top)?: HelpPage.draw(state, top: top, frame, on: &canvas)
    case .recruit(let form)?, .change(let form)?:
      try FormDrawing(state, source).draw(form, on: &canvas)
    default:
      try ListDrawing(state, source).draw(on: &canvas)
      frame.drawOverlay(on: &canvas)
    }
    return canvas
  }

  private static func drawTooSmall(_ state: BrowseState, on canvas: inout ScreenCanvas) {
    let lines =
      [
        "The Pokédex needs",
        "\(BrowseLayout.leastColumns) columns and \(BrowseLayout.leastRows) rows.",
        "Here are \(state.columns) and \(state.rows).",
      ]
      + (state.quitLeaves
        ? ["Enlarge the window,", "or press q to quit."]
        : ["What you began is kept:", "enlarge the window."])
    let first = max(0, (state.rows - lines.count) / 2)
    for (index, line) in lines.enumerated() {
      canvas.put(
        line, column: max(0, (state.columns - line.count) / 2), row: first + index,
        index == 0 ? .bold : .plain)
    }
  }

  static func mark(_ abilities: ScreenAbilities) -> String {
    abilities.isASCII || abilities.isAccessible ? ">" : "▸"
  }

  // MARK: Head

  /// The first line: the program, where one is, and the file.
  func drawHead(_ place: String? = nil, on canvas: inout ScreenCanvas) {
    let style = BrowseTheme.head(abilities)
    var bold = style
    bold.isBold = true
    canvas.fill(ScreenRectangle(column: 0, row: 0, columns: state.columns, rows: 1), style)
    let dot = abilities.isASCII || abilities.isAccessible ? "" : "● "
    var column = 1 + canvas.put("\(dot)Pokédex", column: 1, row: 0, bold) + 2
    if let place {
      let arrow = abilities.isASCII ? "> " : "› "
      canvas.put(
        arrow + place, column: column, row: 0, width: state.columns - column - 2, bold,
        ellipsis: abilities.ellipsis)
      return
    }
    for realm in BrowseState.Realm.allCases {
      let isShown = realm == state.realm
      let title = isShown ? "[\(realm.title)]" : "Tab: \(realm.title)"
      column += canvas.put(title, column: column, row: 0, isShown ? bold : style) + 2
    }
    let list = state.list
    let count =
      list.isBehind
      ? "looking for it"
      : !list.isCounted
        ? "at least \(Self.grouped(list.total)) of \(Self.grouped(list.population))"
        : list.total == list.population
          ? Self.grouped(list.population)
          : "\(Self.grouped(list.total)) of \(Self.grouped(list.population))"
    canvas.put("\(count) ", endColumn: state.columns, row: 0, bold)
  }

  /// A number with its thousands apart.
  static func grouped(_ number: Int) -> String {
    var text = ""
    for (place, digit) in String(number).reversed().enumerated() {
      if place > 0, place % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return String(text.reversed())
  }

  // MARK: The query line

  func drawLine(on canvas: inout ScreenCanvas) {
    let row = BrowseLayout.lineRow
    let list = state.list
    let isOnTop = state.pages.isEmpty
    let label = "Search: "
    canvas.put(
      label, column: 1, row: row,
      list.isTyping ? BrowseTheme.accent(abilities) : BrowseTheme.quiet(abilities))
    let column = 1 + label.count
    let width = state.columns - column - 1
    if list.line.isEmpty, !list.isTyping {
      let examples =
        state.realm == .pokemon
        ? ["t:fire", "spe>100", "is:legendary"] : ["class:wizard", "hp<maxhp"]
      // As many as there is room for.
      let hints = (0...examples.count).map { count in
        (["press / and type a name"] + examples.prefix(count)).joined(separator: ", ") + " ..."
      }
      canvas.put(
        hints.last { $0.count <= width } ?? hints[0], column: column, row: row, width: width,
        BrowseTheme.quiet(abilities), ellipsis: abilities.ellipsis)
    }
    list.line.draw(
      on: &canvas, column: column, row: row, width: width, isFocused: list.isTyping && isOnTop,
      list.isTyping ? .bold : .plain)
    if let complaint = list.complaint, list.line.characters.count < width {
      underline(complaint.range, list.line.text, column: column, row: row, on: &canvas)
    }
  }

  /// Shows the place of what is wrong with the line.
  private func underline(
    _ range: Range<Int>, _ text: String, column: Int, row: Int, on canvas: inout ScreenCanvas
  ) {
    let scalars = text.unicodeScalars
    let range = range.clamped(to: 0..<scalars.count)
    let start = ScreenGlyph.width(
      of: String(String.UnicodeScalarView(scalars.prefix(range.lowerBound))))
    let width = ScreenGlyph.width(
      of: String(String.UnicodeScalarView(scalars.dropFirst(range.lowerBound).prefix(range.count))))
    let style = BrowseTheme.complaint(abilities)
    canvas.restyle(
      ScreenRectangle(column: column + start, row: row, columns: max(1, width), rows: 1)
    ) {
      $0.foreground = style.foreground
      $0.isUnderlined = true
    }
  }

  /// What is to be said, or else a line between.
  func drawNotice(row: Int = BrowseLayout.noticeRow, on canvas: inout ScreenCanvas) {
    let part = ScreenRectangle(column: 1, row: row, columns: state.columns - 2, rows: 3)
    if let notice = state.notice {
      drawMessage(
        notice.text, part, notice.isComplaint ? BrowseTheme.complaint(abilities) : .bold,
        on: &canvas)
    } else if state.pages.isEmpty, let complaint = state.list.complaint {
      drawMessage(
        complaint.text, part.split(rows: 2).top, BrowseTheme.complaint(abilities), on: &canvas)
    } else {
      canvas.rule(
        column: 0, row: row, columns: state.columns, BrowseTheme.quiet(abilities), abilities)
    }
  }

  /// Words in as many lines as they need, and a part has, over what stands there.
  func drawMessage(
    _ text: String, _ part: ScreenRectangle, isUpward: Bool = false, _ style: ScreenStyle,
    on canvas: inout ScreenCanvas
  ) {
    // What is longer than the screen is not looked at.
    let words = String(text.prefix(part.columns * (part.rows + 1)))
    let lines = CommandHelp.lines(of: words, columns: part.columns)
    let first = isUpward ? max(part.row, part.endRow - lines.count) : part.row
    for (index, line) in lines.prefix(part.rows).enumerated() {
      // The last line says that there was more.
      let isCut = index == part.rows - 1 && lines.count > part.rows
      let row = ScreenRectangle(
        column: part.column, row: first + index, columns: part.columns, rows: 1)
      canvas.fill(
        ScreenRectangle(column: row.column, row: row.row, columns: row.columns + 1, rows: 1))
      canvas.put(
        isCut ? lines[index...].joined(separator: " ") : line, column: row.column,
        row: row.row, width: row.columns, style, ellipsis: abilities.ellipsis)
    }
  }

  // MARK: Keys

  /// The last line: as many keys as there is room for, the last two always.
  func drawKeys(_ keys: [KeyLabel], on canvas: inout ScreenCanvas) {
    let row = state.layout.keysRow
    let shown = keys.map { key -> KeyLabel in
      KeyLabel(
        abilities.isASCII || abilities.isAccessible ? Self.plain(key.key) : key.key, key.label,
        rank: key.rank)
    }
    let width = { (key: KeyLabel) in ScreenGlyph.width(of: key.key) + key.label.count + 3 }
    let last = shown.suffix(2)
    var room = state.columns - 1 - last.reduce(0) { $0 + width($1) }
    var chosen = Array(max(0, shown.count - 2)..<shown.count)
    let byRank = shown.dropLast(2).indices.sorted { (shown[$0].rank, $0) < (shown[$1].rank, $1) }
    for index in byRank where width(shown[index]) <= room {
      room -= width(shown[index])
      chosen.append(index)
    }
    var column = 1
    for key in chosen.sorted().map({ shown[$0] }) {
      column += canvas.put(key.key, column: column, row: row, BrowseTheme.accent(abilities)) + 1
      column += canvas.put(key.label, column: column, row: row, BrowseTheme.quiet(abilities)) + 2
    }
  }

  private static func plain(_ key: String) -> String {
    switch key {
    case "←→": "Left/Right"
    case "↑↓": "Up/Down"
    case "↑↓←→": "arrows"
    default: key
    }
  }

  /// Where one is in what does not fit.
  func drawScrollBar(
    _ part: ScreenRectangle, top: Int, visible: Int, total: Int, on canvas: inout ScreenCanvas
  ) {
    if abilities.isAccessible || total <= visible || part.rows < 2 { return }
    let length = max(1, part.rows * visible / total)
    let last = max(1, total - visible)
    let start = (part.rows - length) * min(top, last) / last
    for row in 0..<part.rows {
      let isThumb = (start..<start + length).contains(row)
      let text = abilities.isASCII ? isThumb ? "#" : "|" : isThumb ? "█" : "│"
      canvas.put(text, column: part.column, row: part.row + row, BrowseTheme.quiet(abilities))
    }
  }
}

extension BrowseState {
  /// The keys for adventurers that do what they are for.
  func allowed(_ keys: [BrowseFrame.KeyLabel]) -> [BrowseFrame.KeyLabel] {
    keys.filter { $0.key.first.flatMap(refusal(of:)) == nil }
  }
}
