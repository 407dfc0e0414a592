import CDexShim
import Glibc
import Terminal
import Testing

@Suite struct `A slow answer` {
  @Test func `is given up for a key, and not for a commit`() throws {
    var name = [CChar](repeating: 0, count: 256)
    let keyboard = dex_open_terminal_for_tests(&name, name.count)
    try #require(keyboard >= 0)
    defer { close(keyboard) }
    let terminal = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(terminal >= 0)
    defer { close(terminal) }
    try #require(dex_screen_begin(terminal) == 0)
    dex_screen_wake()
    #expect(!dex_screen_is_asked(terminal))
    #expect(dex_screen_wait(terminal, 0) == Int32(DEX_SCREEN_WOKEN.rawValue))
    #expect(write(keyboard, "q\n", 2) == 2)
    #expect(dex_screen_wait(terminal, 10_000) == Int32(DEX_SCREEN_INPUT.rawValue))
    #expect(dex_screen_is_asked(terminal))
  }
}

@Suite struct `A canvas` {
  @Test func `holds text where it was put, and leaves out what lies outside`() {
    var canvas = ScreenCanvas(columns: 10, rows: 3)
    #expect(canvas.put("abc", column: 2, row: 0) == 3)
    #expect(canvas.put("far", column: 8, row: 1) == 2)
    #expect(canvas.put("below", column: 0, row: 3) == 0)
    #expect(canvas.put("above", column: 0, row: -1) == 0)
    #expect(canvas.lines == ["  abc", "        f…", ""])
  }

  static let cuts: [(String, Int, String)] = [
    ("Pikachu", 7, "Pikachu"), ("Pikachu", 5, "Pika…"), ("ピカチュウ", 10, "ピカチュウ"),
    ("ピカチュウ", 9, "ピカチュ…"), ("ピカチュウ", 8, "ピカチ…"), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
    ("x", 0, ""),
  ]

  @Test(arguments: cuts)
  func `cuts text between characters`(text: String, width: Int, shown: String) {
    var canvas = ScreenCanvas(columns: 20, rows: 1)
    canvas.put(text, column: 0, row: 0, width: width)
    #expect(canvas.lines == [shown])
  }

  @Test func `shows no control, whatever was put`() {
    var canvas = ScreenCanvas(columns: 40, rows: 1)
    canvas.put("\u{1B}[2J\u{202E}\u{9B}1m", column: 0, row: 0)
    #expect(canvas.lines == ["\\x1b[2J\\u{202e}\\x9b1m"])
  }

  @Test func `never keeps half of a wide character`() {
    var canvas = ScreenCanvas(columns: 4, rows: 1)
    canvas.put("ピカ", column: 0, row: 0)
    canvas.put("x", column: 1, row: 0)
    #expect(canvas.lines == [" xカ"])
    canvas.put("ピ", column: 1, row: 0)
    #expect(canvas.lines == [" ピ"])
    canvas.put("カ", column: 3, row: 0)
    #expect(canvas.lines == [" ピ…"])
  }

  static let glyphs: [(String, [String], Int)] = [
    ("aé", ["a", "é"], 2), ("👩‍👩‍👧", ["👩"], 2), ("👍🏽", ["👍"], 2), ("🇯🇵", ["🇯", "🇵"], 2),
    ("❤\u{FE0F}", ["❤"], 1), ("\u{301}", [" \u{301}"], 1), ("ﾊﾟ", ["ﾊ", "ﾟ"], 2),
    ("x\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}", ["x\u{301}\u{302}\u{303}\u{304}"], 1),
  ]

  @Test(arguments: glyphs)
  func `takes text apart into what terminals agree about`(
    text: String, parts: [String], width: Int
  ) {
    let glyphs = ScreenGlyph.glyphs(of: text)
    #expect(glyphs.map { Array($0.text.unicodeScalars) } == parts.map { Array($0.unicodeScalars) })
    #expect(ScreenGlyph.width(of: text) == width)
  }

  @Test func `looks at no more of a long text than can be seen`() {
    let long = String(repeating: "name ", count: 200_000)
    let marked = "a" + String(repeating: "\u{301}", count: 100_000)
    var canvas = ScreenCanvas(columns: 80, rows: 2)
    #expect(canvas.put(long, column: 0, row: 0) == 80)
    #expect(canvas.put(marked, column: 0, row: 1) == 1)
  }

  @Test func `draws boxes of lines, of ASCII, or of nothing but their title`() {
    let part = ScreenRectangle(column: 0, row: 0, columns: 8, rows: 3)
    let drawn = { (abilities: ScreenAbilities) in
      var canvas = ScreenCanvas(columns: 8, rows: 3)
      canvas.box(part, title: "Ab", .plain, abilities)
      return canvas.lines
    }
    #expect(drawn(ScreenAbilities(depth: .none)) == ["╭─ Ab ─╮", "│      │", "╰──────╯"])
    #expect(
      drawn(ScreenAbilities(depth: .none, isASCII: true)) == ["+- Ab -+", "|      |", "+------+"])
    #expect(drawn(ScreenAbilities(depth: .none, isAccessible: true)) == ["   Ab", "", ""])
  }
}

@Suite struct `Colours of a screen` {
  static let numbers: [(Styling.Color, ScreenAbilities.Depth, Int)] = [
    (.init(255, 0, 0), .none, -1), (.init(250, 90, 90), .sixteen, 9),
    (.init(180, 10, 5), .eight, 1),
    (.init(0, 0, 0), .eight, 0), (.init(255, 255, 255), .common, 231),
    (.init(175, 0, 0), .common, 124),
    (.init(128, 128, 128), .common, 244), (.init(18, 52, 86), .direct, 0x123456),
    (.init(0, 0, 3), .direct, 8),
  ]

  @Test(arguments: numbers)
  func `are the nearest that the terminal has`(
    color: Styling.Color, depth: ScreenAbilities.Depth, number: Int
  ) {
    #expect(ScreenPalette.number(of: color, depth) == number)
    #expect(ScreenPalette.number(of: nil, depth) == -1)
  }
}

@Suite struct `A line that is typed` {
  @Test func `follows the keys of the shell`() {
    var line = TypedLine("t:fire spe")
    for key in [ScreenKey.control("w"), .character("x"), .left, .left, .delete, .home] {
      let isTaken = line.handle(key)
      #expect(isTaken)
    }
    #expect(line.text == "t:firex")
    #expect(line.position == 0)
    _ = line.handle(.control("k"))
    #expect(line.isEmpty)
    let isTaken = line.handle(.pageUp)
    #expect(!isTaken)
  }

  @Test func `puts a mark on the character before it`() {
    var line = TypedLine()
    for character in "e\u{301}x".unicodeScalars {
      _ = line.handle(.character(Character(character)))
    }
    #expect(line.characters == ["e\u{301}", "x"])
    _ = line.handle(.backspace)
    _ = line.handle(.backspace)
    #expect(line.isEmpty)
  }

  @Test func `keeps the cursor in view`() {
    var line = TypedLine("abcdefghijklmnop")
    var canvas = ScreenCanvas(columns: 8, rows: 1)
    line.draw(on: &canvas, column: 1, row: 0, width: 6, isFocused: true)
    #expect(canvas.lines == [" lmnop"])
    #expect(canvas.cursor == ScreenCanvas.Place(column: 6, row: 0))
    _ = line.handle(.home)
    line.draw(on: &canvas, column: 1, row: 0, width: 6, isFocused: true)
    #expect(canvas.cursor == ScreenCanvas.Place(column: 1, row: 0))
  }
}
