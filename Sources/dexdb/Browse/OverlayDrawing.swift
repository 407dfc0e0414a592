import Entities
import Terminal

/// Boxes over the list: types, sorting, and questions before what cannot be undone.
extension BrowseFrame {
  func drawOverlay(on canvas: inout ScreenCanvas) {
    switch state.pages.last {
    case .types(let choice)?: draw(choice, on: &canvas)
    case .sort(let choice)?: draw(choice, on: &canvas)
    case .question(let question, _, let name)?:
      switch question {
      case .deletion:
        ask("Delete", name, "This cannot be undone.", yes: "delete", no: "keep", on: &canvas)
      case .quest:
        ask("Quest for", name, "What it brings is kept.", yes: "go", no: "stay", on: &canvas)
      }
    default: break
    }
  }

  /// An empty box in the middle of the body.
  private func openBox(
    _ title: String, columns: Int, rows: Int, on canvas: inout ScreenCanvas
  ) -> ScreenRectangle {
    let box = state.layout.body.centered(columns: columns, rows: rows)
    canvas.fill(state.abilities.isAccessible ? state.layout.body : box)
    canvas.cursor = nil
    canvas.box(box, title: title, BrowseTheme.accent(state.abilities), state.abilities)
    return box.inset(columns: 2, rows: 1)
  }

  private func replaceKeys(_ keys: [KeyLabel], on canvas: inout ScreenCanvas) {
    canvas.fill(
      ScreenRectangle(column: 0, row: state.layout.keysRow, columns: state.columns, rows: 1))
    drawKeys(keys, on: &canvas)
  }

  // MARK: Types

  private func draw(_ choice: TypeChoice, on canvas: inout ScreenCanvas) {
    let abilities = state.abilities
    let chosen = choice.chosen
    let cell = 19
    let isRoomy = state.layout.body.rows >= 22
    let step = isRoomy ? 2 : 1
    let part = openBox(
      "Types: all that are chosen must hold", columns: cell * TypeChoice.columns + 3,
      rows: TypeChoice.lines * step + 6, on: &canvas)
    for (index, type) in TypeChoice.types.enumerated() {
      let column = part.column + index / TypeChoice.lines * cell
      let row = part.row + 1 + index % TypeChoice.lines * step
      let isChosen = chosen.contains(type)
      let count = choice.counts.indices.contains(index) ? choice.counts[index] : 0
      if index == choice.cursor {
        canvas.fill(
          ScreenRectangle(column: column, row: row, columns: cell - 1, rows: 1),
          BrowseTheme.chosen(abilities))
        if abilities.isAccessible { canvas.cursor = .init(column: column, row: row) }
      }
      let style: ScreenStyle = index == choice.cursor ? BrowseTheme.chosen(abilities) : .plain
      let mark = abilities.isASCII || abilities.isAccessible ? "x" : "✓"
      canvas.put(
        "[\(isChosen ? mark : " ")]", column: column, row: row, isChosen ? style.bolder : style)
      canvas.badge(type, column: column + 4, row: row, abilities)
      var number = style
      if count == 0 { number.isFaint = true }
      canvas.put(
        choice.isCounted ? "\(count)" : "...", endColumn: column + cell - 1, row: row, number)
    }
    let words = chosen.isEmpty ? "none chosen" : chosen.joined(separator: " + ")
    let total = choice.isCounted ? "\(Self.grouped(choice.total)) Pokémon" : "counting"
    let summary = "\(words): \(total)"
    canvas.put(
      summary, column: part.column, row: part.endRow - 2, width: part.columns, .bold,
      ellipsis: abilities.ellipsis)
    canvas.put(
      "The number beside a type: how many it would leave.", column: part.column,
      row: part.endRow - 1, width: part.columns, BrowseTheme.quiet(abilities))
    replaceKeys(
      [
        .init("Space", "choose"), .init("↑↓←→", "move"), .init("c", "choose none"),
        .init("Enter", "done"), .init("Esc", "close"),
      ], on: &canvas)
  }

  // MARK: Sorting

  private func draw(_ choice: SortChoice, on canvas: inout ScreenCanvas) {
    let abilities = state.abilities
    let part = openBox("Sort by", columns: 44, rows: choice.options.count + 2, on: &canvas)
    for (index, option) in choice.options.enumerated() where index < part.rows {
      let row = part.row + index
      let isChosen = index == choice.cursor
      let style: ScreenStyle = isChosen ? BrowseTheme.chosen(abilities) : .plain
      if isChosen {
        canvas.fill(
          ScreenRectangle(column: part.column, row: row, columns: part.columns, rows: 1), style)
        canvas.put(Self.mark(abilities), column: part.column, row: row, style)
        let direction = choice.isDescending ? "greatest first" : "least first"
        let arrow = abilities.isASCII ? "" : choice.isDescending ? "↓ " : "↑ "
        if option.field != nil {
          canvas.put(arrow + direction, endColumn: part.endColumn - 1, row: row, style)
        }
        if abilities.isAccessible { canvas.cursor = .init(column: part.column, row: row) }
      }
      canvas.put(option.title, column: part.column + 2, row: row, style)
    }
    replaceKeys(
      [
        .init("↑↓", "field"), .init("←→", "direction"), .init("Enter", "sort"),
        .init("Esc", "leave it"),
      ], on: &canvas)
  }

  // MARK: Questions

  private func ask(
    _ action: String, _ name: String, _ warning: String, yes: String, no: String,
    on canvas: inout ScreenCanvas
  ) {
    let abilities = state.abilities
    let part = openBox(action, columns: 50, rows: 6, on: &canvas)
    let shown = DisplayWidth.truncated(
      TerminalText.escaped(String(name.prefix(60))), to: part.columns - action.count - 3,
      ellipsis: abilities.ellipsis)
    canvas.put("\(action) \(shown)?", column: part.column, row: part.row + 1, .bold)
    canvas.put(warning, column: part.column, row: part.row + 2, BrowseTheme.quiet(abilities))
    replaceKeys([.init("Y", yes), .init("any other key", no)], on: &canvas)
  }
}

extension ScreenStyle {
  /// The same, bold.
  var bolder: ScreenStyle {
    var style = self
    style.isBold = true
    return style
  }
}
