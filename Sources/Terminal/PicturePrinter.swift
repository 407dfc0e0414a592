package import Entities

/// Turns portraits into bytes for a terminal.
package struct PicturePrinter: Sendable {
  package let style: PictureStyle
  /// The most columns and rows of characters that a picture may take.
  package let columns: Int
  package let rows: Int
  /// What draws where it can.
  private let library: PictureLibrary?

  /// The pixels of a character, as most terminals have them at their usual sizes.
  static let cellWidth = 10
  static let cellHeight = 20
  /// A pixel that covers less than half is not there.
  static let leastAlpha: UInt8 = 128

  package init(
    style: PictureStyle, columns: Int, rows: Int = 1000,
    library: @autoclosure () -> PictureLibrary? = nil
  ) {
    self.style = style
    // A library is only looked for where it can help.
    switch style {
    case .halfBlocks, .sixel: self.library = library()
    case .ascii, .kitty, .none: self.library = nil
    }
    self.columns = max(columns, 1)
    self.rows = max(rows, 1)
  }

  /// A picture as lines of equal width, beside which text may go on.
  package struct Lines: Sendable {
    /// The columns that each line moves the cursor on.
    package var columns: Int
    /// What each line consists of, without its end.
    package var lines: [[UInt8]]
  }

  /// The bytes that show `portrait`, each line ended; none in style `.none`.
  ///
  /// - Throws: `PortraitError` where the enlarged picture would be too large for a PNG file.
  package func bytes(of portrait: Portrait) throws(PortraitError) -> [UInt8] {
    try lines(of: portrait).lines.flatMap { $0 + [0x0A] }
  }

  /// The lines that show `portrait`, so that text can stand beside it.
  ///
  /// Pixels are drawn by the first line, after enough empty lines were made below it; the others
  /// only move the cursor past the picture.
  ///
  /// - Throws: `PortraitError` where the enlarged picture would be too large for a PNG file.
  package func lines(of portrait: Portrait) throws(PortraitError) -> Lines {
    switch style {
    case .none: return Lines(columns: 0, lines: [])
    case .halfBlocks(let isTrueColor):
      if let library {
        let large = fitted(portrait, PictureLibrary.cellWidth, PictureLibrary.cellHeight)
        if let lines = library.halves(of: large, isTrueColor: isTrueColor) { return lines }
      }
      return HalfBlocks(isTrueColor: isTrueColor).lines(of: fitted(portrait, 1, 2))
    case .ascii: return ASCIIPicture.lines(of: fitted(portrait, 1, 2))
    case .kitty:
      let picture = fitted(portrait, Self.cellWidth, Self.cellHeight)
      let size = Self.cells(of: picture)
      return Self.graphicLines(
        try KittyGraphics.bytes(of: picture, columns: size.columns, rows: size.rows), size)
    case .sixel:
      let picture = fitted(portrait, Self.cellWidth, Self.cellHeight)
      return Self.graphicLines(
        library?.sixels(of: picture) ?? SixelGraphics.bytes(of: picture), Self.cells(of: picture))
    }
  }

  private func fitted(_ portrait: Portrait, _ cellWidth: Int, _ cellHeight: Int) -> Portrait {
    let most = Portrait.maximumSide
    return PictureScale.fit(
      portrait, width: min(columns, most) * cellWidth, height: min(rows, most) * cellHeight)
  }

  private static func cells(of picture: Portrait) -> (columns: Int, rows: Int) {
    (
      (picture.width + cellWidth - 1) / cellWidth, (picture.height + cellHeight - 1) / cellHeight
    )
  }

  /// Makes room, draws from where the cursor was, and leaves the cursor at the picture's right.
  private static func graphicLines(
    _ graphic: [UInt8], _ size: (columns: Int, rows: Int)
  ) -> Lines {
    let past = Array("\u{1B}[\(size.columns)C".utf8)
    var first = [UInt8](repeating: 0x0A, count: size.rows)
    first += Array("\u{1B}[\(size.rows)A\u{1B}7".utf8)
    first += graphic
    first += Array("\u{1B}8".utf8)
    let others = Array(repeating: past, count: size.rows - 1)
    return Lines(columns: size.columns, lines: [first + past] + others)
  }
}
