import Entities

/// Pictures of plain characters, brighter ones denser, as on a dark screen.
enum ASCIIPicture {
  private static let ramp = Array(" .:-=+*#%@".utf8)

  static func lines(of picture: Portrait) -> PicturePrinter.Lines {
    let lines = stride(from: 0, to: picture.height, by: 2).map { row in
      (0..<picture.width).map { column in
        let last = min(row + 1, picture.height - 1)
        let pixels = [picture[column, row], picture[column, last]]
        let mean = pixels.reduce(0) { $0 + brightness(of: $1) } / 2
        return ramp[mean * ramp.count / 256]
      }
    }
    return PicturePrinter.Lines(columns: picture.width, lines: lines)
  }

  /// 0 to 255, by the weights of ITU-R BT.601.
  private static func brightness(of color: PixelColor) -> Int {
    let weighted = 299 * Int(color.red) + 587 * Int(color.green) + 114 * Int(color.blue)
    return weighted * Int(color.alpha) / 255_000
  }
}
