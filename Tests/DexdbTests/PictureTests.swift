import Entities
import Terminal
import Testing

@Suite struct `Pictures in a terminal` {
  private static let red = PixelColor(rgb: 0xFF0000)
  private static let blue = PixelColor(rgb: 0x0000FF)

  private func bytes(
    _ style: PictureStyle, _ portrait: Portrait, columns: Int = 80
  ) throws -> String {
    String(
      decoding: try PicturePrinter(style: style, columns: columns).bytes(of: portrait),
      as: UTF8.self)
  }

  @Test func `are half blocks that leave the terminal's background`() throws {
    let picture = try Portrait(
      width: 3, height: 3,
      pixels: [
        Self.red, .clear, .clear, Self.blue, Self.red, .clear, Self.red, .clear, Self.blue,
      ])
    let text = try bytes(.halfBlocks(isTrueColor: true), picture, columns: 3)
    let front = "\u{1B}[38;2;255;0;0m"
    let frontBlue = "\u{1B}[38;2;0;0;255m"
    #expect(
      text == front + "\u{1B}[48;2;0;0;255m▀" + "\u{1B}[0m" + front + "▄ \u{1B}[0m\n"
        + front + "▀ " + frontBlue + "▀\u{1B}[0m\n")
  }

  @Test(
    arguments: [
      (0x000000, 16), (0xFFFFFF, 231), (0xFF0000, 196), (0x5F87AF, 67), (0x808080, 244),
      (0x080808, 232), (0xEEEEEE, 255),
    ] as [(UInt32, Int)])
  func `find the nearest of 256 colours`(color: UInt32, number: Int) throws {
    let picture = try Portrait(width: 1, height: 1, pixels: [PixelColor(rgb: color)])
    let text = try bytes(.halfBlocks(isTrueColor: false), picture, columns: 1)
    #expect(text == "\u{1B}[38;5;\(number)m▀\u{1B}[0m\n")
  }

  @Test func `are characters by brightness`() throws {
    let white = PixelColor(rgb: 0xFFFFFF)
    let picture = try Portrait(
      width: 3, height: 3,
      pixels: [white, .clear, white, white, .clear, .clear, white, .clear, .clear])
    #expect(try bytes(.ascii, picture, columns: 3) == "@ =\n@  \n")
  }

  @Test func `are nothing where none is wanted`() throws {
    let picture = try Portrait(width: 1, height: 1, pixels: [Self.red])
    #expect(try bytes(.none, picture).isEmpty)
  }

  @Test func `are PNG in pieces for kitty`() throws {
    let picture = try Portrait(
      width: 48, height: 48, pixels: (0..<2304).map { PixelColor(rgb: UInt32($0 * 7919)) })
    let lines = try PicturePrinter(style: .kitty, columns: 48).lines(of: picture)
    #expect(lines.columns == 48)
    #expect(lines.lines.count == 24)
    let text = String(decoding: lines.lines[0], as: UTF8.self)
    let pieces = text.split(separator: "\u{1B}_G").dropFirst()
    let base64 = pieces.map { $0.split(separator: ";", maxSplits: 1)[1].prefix { $0 != "\u{1B}" } }
    #expect(base64.allSatisfy { $0.utf8.count <= 4096 })
    #expect(pieces.dropLast().allSatisfy { $0.contains("m=1;") })
    #expect(pieces.last?.contains("m=0;") == true)
    let shown = try PNGCoding.decode(untrusted: decodedBase64(base64.joined()))
    #expect(shown.width == 480)
    #expect(shown[479, 479] == picture[47, 47])
    #expect(shown[10, 0] == picture[1, 0])
  }

  @Test(arguments: [(5, 7, 4), (13, 6, 40), (30, 11, 400)])
  func `are sixels that say each pixel`(width: Int, height: Int, colorCount: Int) throws {
    let pixels = (0..<width * height).map { place in
      place % 7 == 3
        ? PixelColor.clear : PixelColor(rgb: UInt32(place % colorCount * 0x33 & 0xFF) * 0x010101)
    }
    let picture = try Portrait(width: width, height: height, pixels: pixels)
    let text = try bytes(.sixel, picture, columns: (width + 9) / 10)
    let shown = SixelScreen(text)
    #expect(shown.width == (width + 9) / 10 * 10 / width * width)
    let factor = shown.width / width
    for row in 0..<height {
      for column in 0..<width {
        let wanted = picture[column, row]
        let seen = shown.pixels[[column * factor, row * factor]]
        // Registers have percents, so half a percent may be lost.
        #expect((seen == nil) == (wanted.alpha == 0))
        #expect(abs(Int(seen?[0] ?? 0) * 255 / 100 - Int(wanted.red)) <= 3 || seen == nil)
      }
    }
  }

  @Test(
    arguments: [
      ([:], false, .none),
      (["TERM": "xterm-256color"], true, .halfBlocks(isTrueColor: false)),
      (["TERM": "xterm-256color", "COLORTERM": "truecolor"], true, .halfBlocks(isTrueColor: true)),
      (["TERM": "xterm-kitty"], true, .kitty),
      (["TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"], true, .kitty),
      (["TERM": "xterm-ghostty"], true, .kitty),
      (["TERM": "foot-extra"], true, .sixel),
      (["TERM": "mlterm"], true, .sixel),
      (["TERM": "xterm-sixel"], true, .sixel),
      (
        ["TERM": "tmux-256color", "TMUX": "x", "KITTY_WINDOW_ID": "1", "COLORTERM": "24bit"], true,
        .halfBlocks(isTrueColor: true)
      ),
      (["TERM": "screen"], true, .halfBlocks(isTrueColor: false)),
      (["TERM": "xterm-kitty", "NO_COLOR": "1"], true, .ascii),
      (["TERM": "xterm-kitty", "NO_COLOR": ""], true, .kitty),
      (["TERM": "dumb"], true, .none), (["TERM": "xterm-kitty"], false, .none),
    ] as [([String: String], Bool, PictureStyle)])
  func `take the style that the environment promises`(
    environment: [String: String], isTerminal: Bool, style: PictureStyle
  ) {
    #expect(PictureStyle(.auto, isTerminal: isTerminal) { environment[$0] } == style)
  }

  @Test func `take the style that was asked for, terminal or not`() {
    #expect(PictureStyle(.sixel, isTerminal: false) { _ in nil } == .sixel)
    #expect(PictureStyle(.half, isTerminal: false) { _ in nil } == .halfBlocks(isTrueColor: false))
    #expect(PictureStyle.Choice(rawValue: "half") == .half)
  }

  @Test(arguments: [
    (48, 48, 48, 48, 48, 48), (48, 48, 100, 100, 96, 96), (48, 48, 24, 99, 24, 24),
    (100, 50, 30, 1000, 30, 15), (50, 100, 1000, 30, 15, 30), (4096, 1, 80, 50, 80, 1),
    (1, 4096, 80, 50, 1, 50), (3, 3, 2, 2, 2, 2),
  ])
  func `keep their proportions`(
    width: Int, height: Int, mostWidth: Int, mostHeight: Int, newWidth: Int, newHeight: Int
  ) throws {
    let picture = try Portrait(
      width: width, height: height, pixels: Array(repeating: Self.red, count: width * height))
    let scaled = PictureScale.fit(picture, width: mostWidth, height: mostHeight)
    #expect(scaled.width == newWidth)
    #expect(scaled.height == newHeight)
    #expect(Set(scaled.pixels) == [Self.red])
  }

  @Test func `become means of what they cover when they shrink`() throws {
    // Three columns become two: a whole one and half of the next to each.
    let picture = try Portrait(
      width: 3, height: 1, pixels: [Self.red, .clear, PixelColor(rgb: 0x000030)])
    let scaled = PictureScale.fit(picture, width: 2, height: 5)
    #expect(
      scaled.pixels == [
        PixelColor(red: 255, green: 0, blue: 0, alpha: 170),
        PixelColor(red: 0, green: 0, blue: 0x30, alpha: 170),
      ])
  }
}

/// The bytes behind Base64, by a plain table.
private func decodedBase64(_ text: String) -> [UInt8] {
  let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  var bits: [Int] = []
  for character in text where character != "=" {
    let value = alphabet.firstIndex(of: character) ?? 0
    bits += (0..<6).map { value >> (5 - $0) & 1 }
  }
  return stride(from: 0, to: bits.count - 7, by: 8).map { start in
    bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | UInt8($1) }
  }
}

/// What a terminal would show of sixels, in percents of red, green and blue.
private struct SixelScreen {
  var pixels: [[Int]: [Int]] = [:]
  var width = 0

  init(_ text: String) {
    let scalars = Array(text.utf8)
    guard var place = scalars.firstIndex(of: UInt8(ascii: "q")) else { return }
    place += 1
    var registers: [Int: [Int]] = [:]
    var register = 0
    var column = 0
    var top = 0
    var count = 1
    func numbers() -> [Int] {
      var found: [Int] = []
      var text = ""
      while place < scalars.count, scalars[place] == 0x3B || (0x30...0x39).contains(scalars[place])
      {
        if scalars[place] == 0x3B {
          found.append(Int(text) ?? 0)
          text = ""
        } else {
          text.append(Character(UnicodeScalar(scalars[place])))
        }
        place += 1
      }
      return found + [Int(text) ?? 0]
    }
    while place < scalars.count {
      let byte = scalars[place]
      place += 1
      switch byte {
      case UInt8(ascii: "\""): width = numbers()[2]
      case UInt8(ascii: "#"):
        let parts = numbers()
        register = parts[0]
        if parts.count == 5 { registers[register] = Array(parts[2...]) }
      case UInt8(ascii: "!"): count = numbers()[0]
      case UInt8(ascii: "$"): column = 0
      case UInt8(ascii: "-"):
        column = 0
        top += 6
      case 0x1B: return
      default:
        for _ in 0..<count {
          for row in 0..<6 where (byte - 63) >> UInt8(row) & 1 == 1 {
            pixels[[column, top + row]] = registers[register]
          }
          column += 1
        }
        count = 1
      }
    }
  }
}
