/// What a screen shows, as a value: rows of cells, and a cursor.
///
/// Widgets draw on a canvas without knowing of a terminal, so that any screen can be looked at in a
/// test. What lies outside is left out, and text is made safe here.
package struct ScreenCanvas: Equatable, Sendable {
  package let columns: Int
  package let rows: Int
  /// Where the cursor is shown; nil where it is not.
  package var cursor: Place?
  private var cells: [ScreenCell]

  /// A cell's place, counted from the upper left corner.
  package struct Place: Equatable, Sendable {
    package var column: Int
    package var row: Int

    package init(column: Int, row: Int) {
      self.column = column
      self.row = row
    }
  }

  package init(columns: Int, rows: Int) {
    precondition(columns >= 0 && rows >= 0, "a screen of \(columns) by \(rows)")
    self.columns = columns
    self.rows = rows
    cells = Array(repeating: .blank, count: columns * rows)
  }

  package var bounds: ScreenRectangle {
    ScreenRectangle(column: 0, row: 0, columns: columns, rows: rows)
  }

  package subscript(column: Int, row: Int) -> ScreenCell {
    precondition(
      (0..<columns).contains(column) && (0..<rows).contains(row),
      "cell (\(column), \(row)) of \(columns) by \(rows)")
    return cells[row * columns + column]
  }

  /// The cells of one row.
  package func cells(ofRow row: Int) -> ArraySlice<ScreenCell> {
    cells[row * columns..<(row + 1) * columns]
  }

  /// The rows as text, without blanks at their ends.
  package var lines: [String] {
    (0..<rows).map { row in
      var text = cells(ofRow: row).map(\.text).joined()
      while text.last == " " { text.removeLast() }
      return text
    }
  }

  // MARK: Drawing

  /// Puts `text` from a place on, cut with an ellipsis where it takes more than `width` columns.
  ///
  /// - Returns: How many columns it took.
  @discardableResult
  package mutating func put(
    _ text: String, column: Int, row: Int, width: Int? = nil, _ style: ScreenStyle = .plain,
    ellipsis: String = "…"
  ) -> Int {
    guard (0..<rows).contains(row) else { return 0 }
    let room = min(width ?? .max, columns - column)
    if room <= 0 { return 0 }
    // No more of a long text than could be seen is looked at: a column takes a few scalars.
    let most = room * 2 * (ScreenGlyph.mostMarks + 1) + 16
    var glyphs = ScreenGlyph.glyphs(of: String(text.prefix(most)))
    if glyphs.reduce(0, { $0 + $1.width }) > room {
      let tail = ScreenGlyph.glyphs(of: ellipsis)
      let kept = room - tail.reduce(0) { $0 + $1.width }
      var total = 0
      glyphs = Array(
        glyphs.prefix {
          total += $0.width
          return total <= kept
        })
      if kept >= 0 { glyphs += tail }
    }
    var place = column
    for glyph in glyphs {
      put(glyph, column: place, row: row, style)
      place += glyph.width
    }
    return place - column
  }

  /// Puts `text` so that it ends before `endColumn`.
  package mutating func put(
    _ text: String, endColumn: Int, row: Int, _ style: ScreenStyle = .plain
  ) {
    put(text, column: endColumn - ScreenGlyph.width(of: text), row: row, style)
  }

  /// Puts one glyph; nothing where it would be cut by an edge.
  package mutating func put(
    _ glyph: ScreenGlyph, column: Int, row: Int, _ style: ScreenStyle = .plain
  ) {
    guard (0..<rows).contains(row), column >= 0, column + glyph.width <= columns else { return }
    let place = row * columns + column
    // Half of a wide character that is overwritten cannot stay.
    if cells[place].text.isEmpty, column > 0 { cells[place - 1].text = " " }
    let end = place + glyph.width
    if column + glyph.width < columns, cells[end].text.isEmpty { cells[end].text = " " }
    cells[place] = ScreenCell(text: glyph.text, style: style)
    if glyph.width == 2 { cells[place + 1] = ScreenCell(text: "", style: style) }
  }

  /// Fills a part with blanks, or with another character of one column.
  package mutating func fill(
    _ part: ScreenRectangle, _ style: ScreenStyle = .plain, with text: String = " "
  ) {
    let glyph = ScreenGlyph(text: text, width: 1)
    for row in part.row..<part.endRow {
      for column in part.column..<part.endColumn { put(glyph, column: column, row: row, style) }
    }
  }

  /// Changes how a part looks, and leaves what stands there.
  package mutating func restyle(
    _ part: ScreenRectangle, _ change: (inout ScreenStyle) -> Void
  ) {
    for row in max(0, part.row)..<max(0, min(part.endRow, rows)) {
      for column in max(0, part.column)..<max(0, min(part.endColumn, columns)) {
        change(&cells[row * columns + column].style)
      }
    }
  }
}

/// What stands at one place of a screen.
package struct ScreenCell: Hashable, Sendable {
  /// A character with its marks; empty in the second half of a wide one.
  package var text: String
  package var style: ScreenStyle

  static let blank = ScreenCell(text: " ", style: .plain)
}
