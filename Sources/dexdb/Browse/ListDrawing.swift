import Entities
import Terminal

/// Draws the list with the pane beside it, or the grid.
struct ListDrawing {
  let state: BrowseState
  let source: BrowseSource
  private let abilities: ScreenAbilities
  private let layout: BrowseLayout
  private let list: BrowseList
  /// The columns behind the name of an adventurer, as many as there is room for.
  private let adventurerColumns: [TableColumn]

  init(_ state: BrowseState, _ source: BrowseSource) {
    self.state = state
    self.source = source
    abilities = state.abilities
    layout = state.layout
    list = state.list
    adventurerColumns = Self.adventurerColumns(layout)
  }

  func draw(on canvas: inout ScreenCanvas) throws {
    let frame = BrowseFrame(state, source)
    frame.drawHead(on: &canvas)
    frame.drawLine(on: &canvas)
    if list.total == 0 {
      drawNothing(on: &canvas)
    } else if list.isGrid {
      GridDrawing(state, source).draw(on: &canvas)
    } else {
      drawList(on: &canvas)
    }
    if layout.paneColumns > 0, let record = state.chosenRecord, try source.has(record) {
      let part = layout.pane
      try PaneDrawing(state, source).draw(record, part, on: &canvas)
    }
    frame.drawNotice(on: &canvas)
    frame.drawKeys(keys, on: &canvas)
  }

  private var keys: [BrowseFrame.KeyLabel] {
    if list.isTyping {
      let choosing: [BrowseFrame.KeyLabel] = list.total == 0 ? [] : [.init("↑↓", "choose")]
      return [.init("Enter", "done")] + choosing + [
        .init("Ctrl-U", "empty"), .init("Esc", "back to the list"),
        .init("Tab", state.realm.other.title),
      ]
    }
    let isWide = layout.columns >= 100
    let opening = BrowseFrame.KeyLabel(
      "Enter", "open", rank: state.realm == .pokemon ? 1 : 3)
    // Nothing is chosen in a list of nobody.
    let first = [.init("/", "search", rank: 0)] + (list.total == 0 ? [] : [opening])
    let grid = BrowseFrame.KeyLabel(
      "g", list.isGrid ? "list" : "grid", rank: state.realm == .pokemon ? 1 : 3)
    let last: [BrowseFrame.KeyLabel] = [
      .init("s", "sort"), .init("y", "print"), .init("?", "help"), .init("q", "quit"),
    ]
    if state.realm == .pokemon { return first + [grid, .init("t", "types")] + last }
    let recruiting = BrowseFrame.KeyLabel("n", isWide ? "recruit" : "new")
    let changing: [BrowseFrame.KeyLabel] =
      list.total == 0
      ? []
      : [.init("Q", "quest"), .init("e", "change", rank: 2), .init("d", "delete", rank: 2)]
    return first + state.allowed([recruiting] + changing) + [grid] + last
  }

  private func drawNothing(on canvas: inout ScreenCanvas) {
    let lines: [String]
    if list.population > 0 {
      lines = [
        "Nothing matches.",
        list.isTyping
          ? "Ctrl-U empties the search, Esc leaves it."
          : "Esc empties the search, ? shows what can be asked.",
      ]
    } else if state.realm == .adventurers {
      let way = list.isTyping ? "Press Esc and then n" : "Press n"
      lines = [
        "Nobody has been recruited yet.", state.refusal ?? "\(way) to recruit an adventurer.",
      ]
    } else {
      lines = ["This database has no Pokémon."]
    }
    let shown = lines.flatMap { line in
      CommandHelp.lines(of: line, columns: layout.columns - 2)
    }
    for (index, line) in shown.enumerated() {
      canvas.put(
        line, column: max(1, (layout.columns - line.count) / 2),
        row: layout.body.row + layout.body.rows / 3 + index,
        index == 0 ? .bold : BrowseTheme.quiet(abilities))
    }
  }

  // MARK: List

  private func drawList(on canvas: inout ScreenCanvas) {
    let part = layout.list
    drawColumnNames(part, on: &canvas)
    for index in 0..<layout.visible {
      let place = list.top + index
      guard let row = list.row(at: place) else { break }
      let area = ScreenRectangle(
        column: part.column, row: part.row + layout.headRows + index * layout.itemRows,
        columns: part.columns - 1, rows: layout.itemRows)
      draw(row, area, isChosen: place == list.selection, on: &canvas)
    }
    BrowseFrame(state, source).drawScrollBar(
      ScreenRectangle(
        column: part.endColumn - 1, row: part.row + layout.headRows, columns: 1,
        rows: part.rows - layout.headRows),
      top: list.top, visible: layout.visible, total: list.total, on: &canvas)
  }

  private var sortTitle: String? {
    guard let key = list.query.order.first, !isSortShown,
      list.row(at: list.selection)?.sortValue != nil
    else { return nil }
    return source.title(of: key, state.realm).map { title in
      shortened(title, to: sortEnd - nameColumn - 7) + " " + arrow(of: key)
    }
  }

  private func shortened(_ text: String, to columns: Int) -> String {
    DisplayWidth.truncated(
      TerminalText.excerpt(text), to: max(1, columns), ellipsis: abilities.ellipsis)
  }

  private func arrow(of key: SortKey) -> String {
    abilities.isASCII || abilities.isAccessible
      ? key.isDescending ? "v" : "^" : key.isDescending ? "↓" : "↑"
  }

  /// The sort by one of the columns; nil where it is by something else.
  private func sort(by column: TableColumn) -> SortKey? {
    list.query.order.first.flatMap { key in
      key.fields.count == 1 && column.fields.contains(key.fields[0].name) ? key : nil
    }
  }

  /// True where a column shows by what the list is sorted.
  private var isSortShown: Bool {
    state.realm == .adventurers && adventurerColumns.contains { sort(by: $0) != nil }
  }

  /// The columns behind the name, from the right: how wide each is.
  private var typesColumn: Int {
    layout.list.columns - 2 - 2 * (BrowseTheme.badgeColumns + 1) + 1
  }

  private var nameColumn: Int { Self.nameColumn(layout) }

  private static func nameColumn(_ layout: BrowseLayout) -> Int {
    8 + (layout.thumbnailColumns > 0 ? layout.thumbnailColumns + 1 : 0)
  }

  private func drawColumnNames(_ part: ScreenRectangle, on canvas: inout ScreenCanvas) {
    let style = BrowseTheme.quiet(abilities)
    canvas.put("No.", column: part.column + 2, row: part.row, style)
    canvas.put("Name", column: part.column + nameColumn, row: part.row, style)
    if state.realm == .pokemon {
      canvas.put("Types", column: part.column + typesColumn, row: part.row, style)
    } else {
      for column in adventurerColumns {
        let key = sort(by: column)
        let style = key == nil ? style : BrowseTheme.accent(abilities)
        let title = column.title + (key.map(arrow(of:)) ?? "")
        if column.isRight {
          canvas.put(title, endColumn: part.column + column.end, row: part.row, style)
        } else {
          canvas.put(title, column: part.column + column.start, row: part.row, style)
        }
      }
    }
    if let title = sortTitle {
      canvas.put(
        title, endColumn: part.column + sortEnd, row: part.row, BrowseTheme.accent(abilities))
    }
  }

  private var sortEnd: Int {
    (state.realm == .pokemon ? typesColumn : adventurerColumns.first?.start ?? typesColumn) - 1
  }

  private func draw(
    _ row: BrowseRow, _ part: ScreenRectangle, isChosen: Bool, on canvas: inout ScreenCanvas
  ) {
    let middle = part.row + part.rows / 2
    let style: ScreenStyle = isChosen ? BrowseTheme.chosen(abilities) : .plain
    if isChosen {
      canvas.fill(part, style)
      canvas.put(BrowseFrame.mark(abilities), column: part.column, row: middle, style)
      if abilities.isAccessible, !list.isTyping {
        canvas.cursor = .init(column: part.column, row: middle)
      }
    }
    let number = state.realm == .pokemon ? Self.padded(row.id) : "\(row.id)"
    canvas.put(
      number, column: part.column + 2, row: middle, isChosen ? style : BrowseTheme.quiet(abilities))
    let record = BrowseRecord(entity: state.realm.entity, id: row.id)
    if let picture = source.picture(
      record, columns: layout.thumbnailColumns, rows: layout.itemRows)
    {
      canvas.picture(picture, column: part.column + 8, row: part.row)
    }
    // A long text leaves the greater part to the name.
    let sortValue =
      isSortShown ? nil : row.sortValue.map { shortened($0, to: (sortEnd - nameColumn) / 2 - 1) }
    let sortRoom = sortValue.map { ScreenGlyph.width(of: $0) + 2 } ?? 0
    let name = row.name + (row.foundName.map { " (\($0))" } ?? "")
    canvas.put(
      name, column: part.column + nameColumn, row: middle,
      width: sortEnd - nameColumn - max(sortRoom, 0), style, ellipsis: abilities.ellipsis)
    if let value = sortValue {
      canvas.put(value, endColumn: part.column + sortEnd, row: middle, style)
    }
    if state.realm == .pokemon {
      canvas.badges(row.types, column: part.column + typesColumn, row: middle, abilities)
    } else if let numbers = row.adventurer {
      draw(numbers, part, row: middle, style, on: &canvas)
    }
  }

  private static func padded(_ id: EntityID) -> String {
    let digits = "\(id)"
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  // MARK: Adventurers

  private struct TableColumn {
    var title: String
    var start: Int
    var end: Int
    var isRight: Bool
    /// The fields that it shows.
    var fields: [String]
  }

  private static func adventurerColumns(_ layout: BrowseLayout) -> [TableColumn] {
    var widths: [(String, Int, Bool, [String])] = [
      ("Class", layout.list.columns < 60 ? 9 : 12, false, ["profession"]),
      ("Lv", 3, true, ["level"]),
      ("HP", 7, true, ["current_hit_points", "total_hit_points"]),
    ]
    let room = layout.list.columns - 2 - nameColumn(layout)
    if room >= 54 { widths.append(("Attack", 7, true, ["multiplier"])) }
    if room >= 70 { widths += [("Wins", 6, true, ["wins"]), ("Lost", 6, true, ["losses"])] }
    var start = layout.list.columns - 2 - widths.reduce(0) { $0 + $1.1 + 1 }
    return widths.map { title, width, isRight, fields in
      defer { start += width + 1 }
      return TableColumn(
        title: title, start: start, end: start + width, isRight: isRight, fields: fields)
    }
  }

  private func draw(
    _ numbers: BrowseRow.Numbers, _ part: ScreenRectangle, row: Int, _ style: ScreenStyle,
    on canvas: inout ScreenCanvas
  ) {
    for column in adventurerColumns {
      var style = style
      let text: String
      switch column.title {
      case "Class": text = numbers.profession
      case "Lv": text = "\(numbers.level)"
      case "HP":
        text = "\(numbers.hitPoints)/\(numbers.totalHitPoints)"
        if numbers.hitPoints == 0 { style.isFaint = true }
      case "Attack": text = "×" + ExactDecimal.rounded(Double(numbers.multiplier) / 256)
      case "Wins": text = "\(numbers.wins)"
      default: text = "\(numbers.losses)"
      }
      if column.isRight {
        canvas.put(text, endColumn: part.column + column.end, row: row, style)
      } else {
        canvas.put(
          text, column: part.column + column.start, row: row, width: column.end - column.start,
          style, ellipsis: abilities.ellipsis)
      }
    }
  }
}

extension BrowseSource {
  /// What a column by which a list is sorted is called.
  func title(of key: SortKey, _ realm: BrowseState.Realm) -> String? {
    guard let path = key.fields.first,
      let entity = reading.catalog.entities.first(where: { $0.name == realm.entity })
    else { return nil }
    return entity.field(named: path.name)?.displayName ?? path.title
  }
}
