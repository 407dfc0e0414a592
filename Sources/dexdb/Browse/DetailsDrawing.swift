import Entities
import Terminal

/// Draws the page of a record: the portrait at the left, and what there is to say at the right.
struct DetailsDrawing {
  let state: BrowseState
  let source: BrowseSource
  let abilities: ScreenAbilities

  init(_ state: BrowseState, _ source: BrowseSource) {
    self.state = state
    self.source = source
    abilities = state.abilities
  }

  func draw(_ page: DetailsPage, on canvas: inout ScreenCanvas) throws {
    let details = try source.details(of: page.record)
    let layout = state.detailsLayout
    BrowseFrame(state, source).drawHead("\(details.number) \(details.title)", on: &canvas)
    drawPicture(page.record, layout, on: &canvas)
    if layout.hasFactsBelow { drawFacts(details.facts, layout.facts, on: &canvas) }
    let lines = DetailsLines(
      details, columns: layout.text.columns, isBeside: layout.hasFactsBelow, abilities)
    draw(lines, page, layout.text, on: &canvas)
    let more = lines.lines.count > layout.text.rows
    BrowseFrame(state, source).drawKeys(keys(page, hasMore: more), on: &canvas)
    if more { drawScrollMark(lines, page, layout.text, on: &canvas) }
  }

  private func keys(_ page: DetailsPage, hasMore: Bool) -> [BrowseFrame.KeyLabel] {
    var keys: [BrowseFrame.KeyLabel] = [
      .init("Esc", "back"), .init("←→", "neighbours"), .init("↑↓", "evolutions, forms"),
    ]
    if page.link != nil { keys.insert(.init("Enter", "go there"), at: 0) }
    if page.record.entity == "adventurers" {
      keys =
        [.init("Esc", "back"), .init("←→", "neighbours")]
        + state.allowed([.init("Q", "quest"), .init("e", "change"), .init("d", "delete")])
    }
    if hasMore { keys.append(.init("PgDn", "more", rank: 0)) }
    return keys + [.init("y", "print"), .init("?", "help"), .init("q", "quit")]
  }

  private func drawPicture(
    _ record: BrowseRecord, _ layout: DetailsLayout, on canvas: inout ScreenCanvas
  ) {
    let place = layout.picture
    guard layout.pictureColumns > 0,
      let picture = source.picture(record, columns: place.columns, rows: place.rows)
    else { return }
    canvas.picture(
      picture, column: place.column + (place.columns - picture.columns) / 2, row: place.row)
  }

  private func drawFacts(
    _ facts: [BrowseDetails.Fact], _ part: ScreenRectangle, on canvas: inout ScreenCanvas
  ) {
    for (index, fact) in facts.prefix(part.rows).enumerated() {
      canvas.put(
        fact.name, column: part.column + 2, row: part.row + index, BrowseTheme.quiet(abilities))
      canvas.put(
        fact.text, column: part.column + 14, row: part.row + index, width: part.columns - 14,
        ellipsis: abilities.ellipsis)
    }
  }

  private func draw(
    _ lines: DetailsLines, _ page: DetailsPage, _ part: ScreenRectangle,
    on canvas: inout ScreenCanvas
  ) {
    for row in 0..<part.rows {
      let line = page.top + row
      guard lines.lines.indices.contains(line) else { return }
      var column = part.column
      for piece in lines.lines[line] {
        draw(piece, &column, part, row: part.row + row, on: &canvas)
      }
      let isChosen = page.link.map {
        lines.links.indices.contains($0) && lines.links[$0].line == line
      }
      if isChosen == true { mark(part, row: part.row + row, on: &canvas) }
    }
  }

  private func draw(
    _ piece: DetailsLines.Piece, _ column: inout Int, _ part: ScreenRectangle, row: Int,
    on canvas: inout ScreenCanvas
  ) {
    let room = part.endColumn - column
    switch piece {
    case .text(let text, let role):
      column += canvas.put(
        text, column: column, row: row, width: room, style(role), ellipsis: abilities.ellipsis)
    case .badge(let type):
      if room < 4 { return }
      canvas.badge(type, column: column, row: row, abilities)
      column += BrowseTheme.badgeColumns + 1
    case .bar(let value, let maximum):
      let share = maximum > 0 ? value * 200 / maximum : 0
      canvas.bar(
        value, of: maximum, column: column, row: row, columns: min(32, room),
        BrowseTheme.statistic(share), abilities)
    case .column(let wanted): column = max(column, part.column + wanted)
    }
  }

  private func style(_ role: DetailsLines.Role) -> ScreenStyle {
    switch role {
    case .plain: .plain
    case .bold: .bold
    case .quiet: BrowseTheme.quiet(abilities)
    case .heading: BrowseTheme.accent(abilities)
    }
  }

  /// The chosen link: a mark before it, and another ground behind its name.
  private func mark(_ part: ScreenRectangle, row: Int, on canvas: inout ScreenCanvas) {
    let chosen = BrowseTheme.chosen(abilities)
    let end = max(0, part.columns - 2 * (BrowseTheme.badgeColumns + 1))
    let name = ScreenRectangle(column: part.column, row: row, columns: end, rows: 1)
    canvas.restyle(name) { $0 = chosen }
    canvas.put(BrowseFrame.mark(abilities), column: part.column, row: row, chosen)
    if abilities.isAccessible { canvas.cursor = .init(column: part.column, row: row) }
  }

  private func drawScrollMark(
    _ lines: DetailsLines, _ page: DetailsPage, _ part: ScreenRectangle,
    on canvas: inout ScreenCanvas
  ) {
    BrowseFrame(state, source).drawScrollBar(
      ScreenRectangle(
        column: state.columns - 1, row: part.row, columns: 1, rows: part.rows),
      top: page.top, visible: part.rows, total: lines.lines.count, on: &canvas)
  }
}
