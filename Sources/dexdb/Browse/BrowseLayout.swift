import Terminal

/// Where what stands, for a terminal of some size.
struct BrowseLayout: Equatable {
  static let leastColumns = 60
  static let leastRows = 18

  let columns: Int
  let rows: Int
  let abilities: ScreenAbilities
  let realm: BrowseState.Realm
  let isGrid: Bool

  var isLargeEnough: Bool { columns >= Self.leastColumns && rows >= Self.leastRows }

  // Row 0 is the head, row 1 the query line, row 2 what is said of it; the last row is the keys.
  static let lineRow = 1
  static let noticeRow = 2
  var keysRow: Int { rows - 1 }

  /// All between what stands above and below.
  var body: ScreenRectangle {
    ScreenRectangle(column: 0, row: 3, columns: columns, rows: rows - 4)
  }

  /// The columns of the pane beside the list; 0 where there is none.
  var paneColumns: Int {
    // Read aloud, line by line, two things side by side are a muddle.
    if columns < 76 || isGrid || abilities.isAccessible { return 0 }
    return columns >= 110 ? min(52, columns * 2 / 5) : 32
  }

  /// Where the list is, without the pane beside it.
  var list: ScreenRectangle {
    let pane = paneColumns
    return body.split(columns: pane == 0 ? columns : columns - pane - 1).left
  }

  var pane: ScreenRectangle {
    ScreenRectangle(
      column: columns - paneColumns, row: body.row, columns: paneColumns, rows: body.rows)
  }

  /// How many rows a record of the list takes, whose picture is as high.
  var itemRows: Int { abilities.hasPictures && rows >= 36 && !isGrid ? 4 : 1 }

  /// The columns of the small picture in the list.
  var thumbnailColumns: Int { itemRows > 1 ? 7 : 0 }

  /// The rows above the list: the names of its columns.
  var headRows: Int { isGrid ? 0 : 1 }

  // MARK: Grid

  /// The columns and rows of a picture in the grid.
  var gridPicture: (columns: Int, rows: Int) {
    if !abilities.hasPictures { return (14, 0) }
    return columns >= 150 && rows >= 50 ? (24, 12) : (16, 8)
  }

  var gridCellColumns: Int { gridPicture.columns + 2 }
  var gridCellRows: Int { gridPicture.rows + 2 }
  var perLine: Int { isGrid ? max(1, columns / gridCellColumns) : 1 }

  /// How many records are in view at once.
  var visible: Int {
    isGrid
      ? perLine * max(1, body.rows / gridCellRows)
      : max(1, (list.rows - headRows) / itemRows)
  }
}
