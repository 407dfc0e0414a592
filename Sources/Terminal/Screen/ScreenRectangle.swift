/// A part of a screen, in cells; empty where a side is not above zero.
package struct ScreenRectangle: Equatable, Sendable {
  package var column: Int
  package var row: Int
  package var columns: Int
  package var rows: Int

  package init(column: Int, row: Int, columns: Int, rows: Int) {
    self.column = column
    self.row = row
    self.columns = max(0, columns)
    self.rows = max(0, rows)
  }

  package var endColumn: Int { column + columns }
  package var endRow: Int { row + rows }
  package var isEmpty: Bool { columns == 0 || rows == 0 }

  /// Without so many cells at each side.
  package func inset(columns: Int, rows: Int) -> ScreenRectangle {
    ScreenRectangle(
      column: column + columns, row: row + rows, columns: self.columns - 2 * columns,
      rows: self.rows - 2 * rows)
  }

  /// The first rows, and what is below them.
  package func split(rows count: Int) -> (top: ScreenRectangle, rest: ScreenRectangle) {
    let count = min(max(0, count), rows)
    return (
      ScreenRectangle(column: column, row: row, columns: columns, rows: count),
      ScreenRectangle(column: column, row: row + count, columns: columns, rows: rows - count)
    )
  }

  /// The first columns, and what is right of them.
  package func split(columns count: Int) -> (left: ScreenRectangle, rest: ScreenRectangle) {
    let count = min(max(0, count), columns)
    return (
      ScreenRectangle(column: column, row: row, columns: count, rows: rows),
      ScreenRectangle(
        column: column + count, row: row, columns: columns - count, rows: rows)
    )
  }

  /// A rectangle of that size in the middle, no larger than this one.
  package func centered(columns wanted: Int, rows wantedRows: Int) -> ScreenRectangle {
    let width = min(wanted, columns)
    let height = min(wantedRows, rows)
    return ScreenRectangle(
      column: column + (columns - width) / 2, row: row + (rows - height) / 2, columns: width,
      rows: height)
  }
}
