import Entities

/// Pictures of half blocks: a character for two pixels, one above the other.
struct HalfBlocks {
  let isTrueColor: Bool

  private static let upper = Array("▀".utf8)
  private static let lower = Array("▄".utf8)
  private static let reset = Array("\u{1B}[0m".utf8)

  func lines(of picture: Portrait) -> PicturePrinter.Lines {
    let lines = stride(from: 0, to: picture.height, by: 2).map { row in
      line(of: picture, row: row)
    }
    return PicturePrinter.Lines(columns: picture.width, lines: lines)
  }

  /// The line of `row` and the one below it, which the last line of an odd height does not have.
  private func line(of picture: Portrait, row: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var foreground: PixelColor?
    var background: PixelColor?
    for column in 0..<picture.width {
      let top = visible(picture[column, row])
      let bottom = row + 1 < picture.height ? visible(picture[column, row + 1]) : nil
      let wanted: (front: PixelColor?, back: PixelColor?) =
        top == nil ? (bottom, nil) : (top, bottom)
      // A background that is no longer wanted can only be taken back with everything else.
      if background != nil && wanted.back == nil {
        bytes += Self.reset
        foreground = nil
        background = nil
      }
      if let front = wanted.front, front != foreground {
        bytes += code(38, front)
        foreground = front
      }
      if let back = wanted.back, back != background {
        bytes += code(48, back)
        background = back
      }
      bytes += wanted.front == nil ? [0x20] : top == nil ? Self.lower : Self.upper
    }
    if foreground != nil || background != nil { bytes += Self.reset }
    return bytes
  }

  private func visible(_ color: PixelColor) -> PixelColor? {
    color.alpha < PicturePrinter.leastAlpha ? nil : color
  }

  private func code(_ kind: Int, _ color: PixelColor) -> [UInt8] {
    isTrueColor
      ? Array("\u{1B}[\(kind);2;\(color.red);\(color.green);\(color.blue)m".utf8)
      : Array("\u{1B}[\(kind);5;\(CommonPalette.index(of: color))m".utf8)
  }
}

/// The 256 colours that terminals share: after the first 16 a cube of six steps, then 24 grays.
enum CommonPalette {
  private static let steps = [0, 95, 135, 175, 215, 255]

  /// The number of the colour that is nearest to `color`.
  static func index(of color: PixelColor) -> Int {
    let channels = [Int(color.red), Int(color.green), Int(color.blue)]
    let nearest = channels.map { channel in
      steps.indices.min { abs(steps[$0] - channel) < abs(steps[$1] - channel) } ?? 0
    }
    let mean = channels.reduce(0, +) / 3
    let gray = min(max((mean - 3) / 10, 0), 23)
    let cubeDistance = distance(channels, nearest.map { steps[$0] })
    let grayDistance = distance(channels, Array(repeating: 8 + gray * 10, count: 3))
    return grayDistance < cubeDistance
      ? 232 + gray : 16 + nearest[0] * 36 + nearest[1] * 6 + nearest[2]
  }

  private static func distance(_ a: [Int], _ b: [Int]) -> Int {
    zip(a, b).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
  }
}
