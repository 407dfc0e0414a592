import Entities
import Terminal

/// Draws the list as a grid of portraits with names.
struct GridDrawing {
  let state: BrowseState
  let source: BrowseSource

  init(_ state: BrowseState, _ source: BrowseSource) {
    self.state = state
    self.source = source
  }

  func draw(on canvas: inout ScreenCanvas) {
    let layout = state.layout
    let list = state.list
    let indent = (layout.columns - layout.perLine * layout.gridCellColumns) / 2
    for index in 0..<layout.visible {
      let place = list.top + index
      guard let row = list.row(at: place) else { break }
      let cell = ScreenRectangle(
        column: indent + index % layout.perLine * layout.gridCellColumns,
        row: layout.body.row + index / layout.perLine * layout.gridCellRows,
        columns: layout.gridCellColumns, rows: layout.gridCellRows)
      draw(row, cell, isChosen: place == list.selection, on: &canvas)
    }
  }

  /// The profession, which gives way, and the level.
  private static func text(
    _ adventurer: BrowseRow.Numbers, _ room: Int, _ abilities: ScreenAbilities
  ) -> String {
    let level = " \(adventurer.level)"
    let profession = DisplayWidth.truncated(
      TerminalText.escaped(String(adventurer.profession.prefix(60))), to: room - level.count,
      ellipsis: abilities.ellipsis)
    return profession + level
  }

  private func draw(
    _ row: BrowseRow, _ cell: ScreenRectangle, isChosen: Bool, on canvas: inout ScreenCanvas
  ) {
    let abilities = state.abilities
    let size = state.layout.gridPicture
    let chosen = BrowseTheme.chosen(abilities)
    if isChosen { canvas.fill(cell, chosen) }
    let record = BrowseRecord(entity: state.realm.entity, id: row.id)
    if let picture = source.picture(record, columns: size.columns, rows: size.rows) {
      canvas.picture(
        picture, column: cell.column + (cell.columns - picture.columns) / 2, row: cell.row)
    }
    let style: ScreenStyle = isChosen ? chosen : .plain
    let name = row.foundName ?? row.name
    let nameRow = cell.row + size.rows
    let room = cell.columns - 2
    // The mark stands beside the name, which gives way for it.
    let width = min(ScreenGlyph.width(of: String(name.prefix(room * 4))), room)
    let column = cell.column + (cell.columns - width) / 2
    canvas.put(name, column: column, row: nameRow, width: room, style, ellipsis: abilities.ellipsis)
    if isChosen {
      canvas.put(BrowseFrame.mark(abilities), column: column - 1, row: nameRow, style)
      if abilities.isAccessible { canvas.cursor = .init(column: column - 1, row: nameRow) }
    }
    let number = row.adventurer.map { Self.text($0, room, abilities) } ?? "#\(row.id)"
    let numberWidth = min(ScreenGlyph.width(of: String(number.prefix(room * 4))), room)
    canvas.put(
      number, column: cell.column + (cell.columns - numberWidth) / 2, row: nameRow + 1, width: room,
      isChosen ? style : BrowseTheme.quiet(abilities), ellipsis: abilities.ellipsis)
  }
}
