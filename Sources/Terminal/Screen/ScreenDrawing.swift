package import Entities

/// Lines, boxes, bars and pictures.
extension ScreenCanvas {
  /// A box, its corners round, with a title in its upper edge.
  package mutating func box(
    _ part: ScreenRectangle, title: String = "", _ style: ScreenStyle = .plain,
    titleStyle: ScreenStyle = .bold, _ abilities: ScreenAbilities
  ) {
    if part.columns < 2 || part.rows < 2 { return }
    if !abilities.isAccessible {
      let marks =
        abilities.isASCII ? ["+", "+", "+", "+", "-", "|"] : ["╭", "╮", "╰", "╯", "─", "│"]
      let right = part.endColumn - 1
      let bottom = part.endRow - 1
      for column in part.column..<part.endColumn {
        put(marks[4], column: column, row: part.row, style)
        put(marks[4], column: column, row: bottom, style)
      }
      for row in part.row..<part.endRow {
        put(marks[5], column: part.column, row: row, style)
        put(marks[5], column: right, row: row, style)
      }
      put(marks[0], column: part.column, row: part.row, style)
      put(marks[1], column: right, row: part.row, style)
      put(marks[2], column: part.column, row: bottom, style)
      put(marks[3], column: right, row: bottom, style)
    }
    if !title.isEmpty {
      put(
        " \(title) ", column: part.column + 2, row: part.row, width: part.columns - 4, titleStyle,
        ellipsis: abilities.ellipsis)
    }
  }

  /// A line from left to right; nothing for readers of screens.
  package mutating func rule(
    column: Int, row: Int, columns: Int, _ style: ScreenStyle = .faint,
    _ abilities: ScreenAbilities
  ) {
    if abilities.isAccessible || columns <= 0 { return }
    put(
      String(repeating: abilities.isASCII ? "-" : "─", count: columns), column: column, row: row,
      style)
  }

  /// A bar that shows a number beside the greatest; what is left of it is a faint line.
  package mutating func bar(
    _ value: Int, of maximum: Int, column: Int, row: Int, columns: Int, _ color: Styling.Color,
    _ abilities: ScreenAbilities
  ) {
    if abilities.isAccessible || columns <= 0 { return }
    let style = ScreenStyle(foreground: color)
    if abilities.isASCII {
      put(
        Bar.text(value, of: maximum, columns: columns, isASCII: true), column: column, row: row,
        style)
      return
    }
    // Thin lines, so that bars above each other stay apart.
    let halves = value > 0 && maximum > 0 ? max(1, min(value, maximum) * columns * 2 / maximum) : 0
    let track = ScreenStyle(
      foreground: Styling.Color(88, 88, 88), isFaint: abilities.depth < .common)
    put(String(repeating: "─", count: columns), column: column, row: row, track)
    let text = String(repeating: "━", count: halves / 2) + (halves % 2 == 1 ? "╸" : "")
    put(text, column: column, row: row, style)
  }

  /// A picture of half blocks in the upper left of a part, as large as fits.
  ///
  /// Nothing where the terminal cannot show pictures; see `ScreenPicture`, which is made once.
  package mutating func picture(_ picture: ScreenPicture, column: Int, row: Int) {
    for (down, line) in picture.cells.enumerated() {
      for (right, cell) in line.enumerated() {
        guard let cell else { continue }
        var style = cell.style
        if style.background == nil, bounds.columns > column + right, row + down < rows {
          style.background = self[column + right, row + down].style.background
        }
        put(ScreenGlyph(text: cell.text, width: 1), column: column + right, row: row + down, style)
      }
    }
  }
}

/// A picture as cells of half blocks, each of two pixels one above the other.
package struct ScreenPicture: Sendable {
  /// Nil where nothing is drawn.
  let cells: [[ScreenCell?]]
  package let columns: Int
  package var rows: Int { cells.count }

  /// `portrait` as large as fits in a box of cells, its proportions kept.
  package init(_ portrait: Portrait, columns: Int, rows: Int) {
    let pixels = PictureScale.fit(portrait, width: max(1, columns), height: max(1, rows) * 2)
    self.columns = pixels.width
    cells = stride(from: 0, to: pixels.height, by: 2).map { row in
      (0..<pixels.width).map { column in
        let top = Self.color(pixels[column, row])
        let bottom = row + 1 < pixels.height ? Self.color(pixels[column, row + 1]) : nil
        if let top {
          return ScreenCell(text: "▀", style: ScreenStyle(foreground: top, background: bottom))
        }
        return bottom.map { ScreenCell(text: "▄", style: ScreenStyle(foreground: $0)) }
      }
    }
  }

  private static func color(_ pixel: PixelColor) -> Styling.Color? {
    pixel.alpha < PicturePrinter.leastAlpha
      ? nil : Styling.Color(pixel.red, pixel.green, pixel.blue)
  }
}
