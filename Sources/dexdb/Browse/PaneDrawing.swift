import Entities
import Terminal

/// Draws what is chosen beside the list: the portrait and the main numbers.
struct PaneDrawing {
  let state: BrowseState
  let source: BrowseSource

  init(_ state: BrowseState, _ source: BrowseSource) {
    self.state = state
    self.source = source
  }

  func draw(
    _ record: BrowseRecord, _ part: ScreenRectangle, on canvas: inout ScreenCanvas
  ) throws {
    let abilities = state.abilities
    let details = try source.details(of: record)
    let lines = 2 + details.statistics.count + (part.rows >= 28 ? 4 : 0)
    let room = part.split(columns: part.columns - 1).left
    // Half a portrait's size is sharp, and so is its whole.
    let rows = part.rows - lines >= 24 && room.columns >= 48 ? 24 : part.rows - lines >= 12 ? 12 : 8
    var row = part.row
    if abilities.hasPictures {
      if let picture = source.picture(record, columns: room.columns, rows: rows) {
        canvas.picture(
          picture, column: room.column + (room.columns - picture.columns) / 2, row: row)
      }
      row += rows
    }
    let isRoomy = part.endRow - row > lines
    if isRoomy { row += 1 }
    let used = canvas.put(
      details.title, column: room.column, row: row, width: room.columns - 8, .bold,
      ellipsis: abilities.ellipsis)
    canvas.put(
      details.number, column: room.column + used + 1, row: row, BrowseTheme.quiet(abilities))
    canvas.put(
      details.subtitle, column: room.column, row: row + 1, width: room.columns,
      BrowseTheme.quiet(abilities), ellipsis: abilities.ellipsis)
    row += 2
    if part.endRow - row >= details.statistics.count + 3 {
      canvas.badges(details.types, column: room.column, row: row + 1, abilities)
      row += 3
    }
    for statistic in details.statistics where row < part.endRow {
      let hasTexts = details.statistics.contains { $0.text != nil }
      draw(statistic, room, row: row, numberEnd: hasTexts ? 17 : 12, on: &canvas)
      row += 1
    }
    if let total = details.total, row < part.endRow {
      canvas.put("Total", column: room.column, row: row, BrowseTheme.quiet(abilities))
      canvas.put(total, endColumn: room.column + 12, row: row, .bold)
      row += 1
    }
    row += 1
    for ability in details.abilities where row < part.endRow {
      canvas.put(
        ability, column: room.column, row: row, width: room.columns, ellipsis: abilities.ellipsis)
      row += 1
    }
  }

  private func draw(
    _ statistic: BrowseDetails.Statistic, _ part: ScreenRectangle, row: Int, numberEnd width: Int,
    on canvas: inout ScreenCanvas
  ) {
    let abilities = state.abilities
    let number = statistic.text ?? "\(statistic.value)"
    canvas.put(statistic.name, column: part.column, row: row, BrowseTheme.quiet(abilities))
    canvas.put(number, endColumn: part.column + width, row: row)
    let share = statistic.maximum > 0 ? statistic.value * 200 / statistic.maximum : 0
    canvas.bar(
      statistic.value, of: statistic.maximum, column: part.column + width + 1, row: row,
      columns: min(28, part.columns - width - 1), BrowseTheme.statistic(share), abilities)
  }
}
