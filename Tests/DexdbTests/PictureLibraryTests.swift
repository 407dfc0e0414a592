import Entities
import Synchronization
import Testing

@testable import Terminal

/// What a library of the system draws, and what becomes of it where it is not as it should be.
@Suite struct `A library that draws pictures` {
  private static let red = PixelColor(rgb: 0xFF0000)
  private static let green = PixelColor(rgb: 0x00FF00)
  private static let blue = PixelColor(rgb: 0x0000FF)

  /// Two by two squares of `side` pixels.
  private func squares(_ colors: [PixelColor], side: Int) throws -> Portrait {
    try Portrait(
      width: 2 * side, height: 2 * side,
      pixels: (0..<4 * side * side).map { place in
        colors[place / (2 * side) / side * 2 + place % (2 * side) / side]
      })
  }

  private func bytes(
    _ style: PictureStyle, _ portrait: Portrait, columns: Int, _ library: PictureLibrary?
  ) throws -> [UInt8] {
    try PicturePrinter(style: style, columns: columns, library: library).bytes(of: portrait)
  }

  @Test(arguments: [PictureStyle.halfBlocks(isTrueColor: true), .halfBlocks(isTrueColor: false)])
  func `gives lines of colours and blocks`(style: PictureStyle) throws {
    let picture = try squares([Self.red, Self.green, Self.blue, Self.red], side: 5)
    let sent = Sent()
    let library = PictureLibrary { picture, columns, rows, style in
      sent.note(picture, columns, rows)
      return Array("\u{1B}[38;5;1;48;5;2m▀▄\u{1B}[0m \n▌▐█\n".utf8)
    }
    let text = String(decoding: try bytes(style, picture, columns: 3, library), as: UTF8.self)
    // Twice ten pixels a side need three columns and two rows of 8 by 16, and are clear beyond.
    #expect(sent.sizes == [[24, 32, 3, 2]])
    #expect(text == "\u{1B}[38;5;1;48;5;2m▀▄\u{1B}[0m \u{1B}[0m\n▌▐█\n")
  }

  @Test func `gets pixels beside which clear ones fill the cells`() throws {
    let picture = try squares([Self.red, Self.green, Self.blue, Self.red], side: 5)
    let sent = Sent()
    let library = PictureLibrary { picture, columns, rows, _ in
      sent.note(picture, columns, rows)
      return nil
    }
    _ = try bytes(.sixel, picture, columns: 1, library)
    #expect(sent.sizes == [[10, 12, 1, 1]])
    let got = try #require(sent.picture)
    #expect(got[4, 4] == Self.red && got[9, 0] == Self.green && got[0, 9] == Self.blue)
    #expect((0..<10).allSatisfy { got[$0, 10] == .clear && got[$0, 11] == .clear })
  }

  @Test(arguments: [
    "", "▀", "▀▀▀", "▀▀\n▀▀", "▀a", "\u{1B}[2J▀▀", "\u{1B}]0;title\u{7}▀▀", "▀\u{7}▀", "\u{1B}▀▀",
    "▀▀\u{1B}[", "\u{1B}[31", "\r▀▀", "▀\u{9B}m▀",
  ])
  func `is not believed where it gives anything else`(answer: String) throws {
    let picture = try squares([Self.red, Self.green, Self.blue, Self.red], side: 8)
    let library = PictureLibrary { _, _, _, _ in Array(answer.utf8) }
    let style = PictureStyle.halfBlocks(isTrueColor: true)
    #expect(
      try bytes(style, picture, columns: 2, library) == bytes(style, picture, columns: 2, nil))
  }

  @Test(arguments: [
    "", "\u{1B}P", "\u{1B}P0;1;0q~-", "~\u{1B}\\", "\u{1B}P0q\u{1B}[2J\u{1B}\\",
    "\u{1B}P\n\u{1B}\\",
    "\u{1B}Pé\u{1B}\\", "\u{1B}P$qm\u{1B}\\", "\u{1B}P+q544e\u{1B}\\", "\u{1B}P0;1~-\u{1B}\\",
  ])
  func `is not believed where its sixels are none`(answer: String) throws {
    let picture = try squares([Self.red, Self.green, Self.blue, Self.red], side: 6)
    let library = PictureLibrary { _, _, _, _ in Array(answer.utf8) }
    #expect(
      try bytes(.sixel, picture, columns: 2, library) == bytes(.sixel, picture, columns: 2, nil))
  }

  @Test func `is not looked for where there is nothing to draw with it`() throws {
    let picture = try squares([Self.red, Self.green, Self.blue, Self.red], side: 8)
    let library = PictureLibrary { _, _, _, _ in
      Issue.record("it was asked")
      return nil
    }
    for style in [PictureStyle.kitty, .ascii, .none] {
      #expect(
        try bytes(style, picture, columns: 8, library) == bytes(style, picture, columns: 8, nil))
    }
  }

  @Test(.enabled(if: PictureLibrary.installed != nil))
  func `shows with libchafa what is in the picture`() throws {
    let picture = try squares([Self.red, Self.green, Self.blue, .clear], side: 48)
    let lines = try PicturePrinter(
      style: .halfBlocks(isTrueColor: true), columns: 12, library: .installed
    ).lines(of: picture)
    #expect(lines.columns == 12 && lines.lines.count == 6)
    let text = lines.lines.map { String(decoding: $0, as: UTF8.self) }
    #expect(text.prefix(3).allSatisfy { $0.contains("2;255;0;0") && $0.contains("2;0;255;0") })
    #expect(text.suffix(3).allSatisfy { $0.contains("2;0;0;255") && !$0.contains("2;255;0;0") })
    let sixels = try PicturePrinter(style: .sixel, columns: 12, library: .installed)
      .lines(of: picture)
    let start = String(decoding: sixels.lines[0], as: UTF8.self)
    #expect(start.contains("\"1;1;96;96#") && sixels.columns == 10 && sixels.lines.count == 5)
  }
}

/// What a library was sent.
private final class Sent: Sendable {
  private let state = Mutex<(sizes: [[Int]], picture: Portrait?)>(([], nil))
  var sizes: [[Int]] { state.withLock { $0.sizes } }
  var picture: Portrait? { state.withLock { $0.picture } }

  func note(_ picture: Portrait, _ columns: Int, _ rows: Int) {
    state.withLock { state in
      state.picture = picture
      state.sizes.append([picture.width, picture.height, columns, rows])
    }
  }
}
