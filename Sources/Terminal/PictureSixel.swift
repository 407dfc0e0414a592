import Entities

/// Pictures by sixels: bands of six rows, each colour of a band painted after the other.
///
/// - Source: DEC STD 070, "Video Systems Reference Manual", the sixel graphics extension.
enum SixelGraphics {
  /// The registers that terminals have at least.
  private static let registerCount = 256

  static func bytes(of picture: Portrait) -> [UInt8] {
    let colors = registers(of: picture)
    // Pixels that are not painted stay as they are; pixels are square.
    var bytes = Array("\u{1B}P0;1q\"1;1;\(picture.width);\(picture.height)".utf8)
    for (color, register) in colors.sorted(by: { $0.value < $1.value }) {
      let parts = [color.red, color.green, color.blue].map { String((Int($0) * 100 + 127) / 255) }
      bytes += Array("#\(register);2;\(parts.joined(separator: ";"))".utf8)
    }
    for top in stride(from: 0, to: picture.height, by: 6) {
      bytes += band(of: picture, top: top, colors)
      bytes.append(UInt8(ascii: "-"))
    }
    return bytes + Array("\u{1B}\\".utf8)
  }

  /// A register for each colour, of the picture or of the common palette where there are too many.
  private static func registers(of picture: Portrait) -> [PixelColor: Int] {
    var colors: [PixelColor: Int] = [:]
    for color in picture.pixels where color.alpha >= PicturePrinter.leastAlpha {
      if colors[opaque(color)] != nil { continue }
      colors[opaque(color)] = colors.count
      if colors.count > registerCount { return coarseRegisters }
    }
    return colors
  }

  /// Six steps of each channel.
  private static let coarseRegisters: [PixelColor: Int] = {
    var colors: [PixelColor: Int] = [:]
    for number in 0..<216 {
      let color = PixelColor(
        red: UInt8(number / 36 * 51), green: UInt8(number / 6 % 6 * 51),
        blue: UInt8(number % 6 * 51))
      colors[color] = number
    }
    return colors
  }()

  private static func opaque(_ color: PixelColor) -> PixelColor {
    PixelColor(red: color.red, green: color.green, blue: color.blue)
  }

  private static func register(_ color: PixelColor, _ colors: [PixelColor: Int]) -> Int? {
    if color.alpha < PicturePrinter.leastAlpha { return nil }
    func coarse(_ channel: UInt8) -> UInt8 { UInt8((Int(channel) + 25) / 51 * 51) }
    return colors[opaque(color)]
      ?? colors[
        PixelColor(red: coarse(color.red), green: coarse(color.green), blue: coarse(color.blue))]
  }

  private static func band(
    of picture: Portrait, top: Int, _ colors: [PixelColor: Int]
  ) -> [UInt8] {
    var bitsOfRegister: [Int: [UInt8]] = [:]
    for row in top..<min(top + 6, picture.height) {
      for column in 0..<picture.width {
        guard let register = register(picture[column, row], colors) else { continue }
        bitsOfRegister[register, default: Array(repeating: 0, count: picture.width)][column] |=
          1 << UInt8(row - top)
      }
    }
    var bytes: [UInt8] = []
    for (register, bits) in bitsOfRegister.sorted(by: { $0.key < $1.key }) {
      if !bytes.isEmpty { bytes.append(UInt8(ascii: "$")) }
      bytes += Array("#\(register)".utf8) + runs(of: bits)
    }
    return bytes
  }

  /// The sixels of one colour in one band, runs of equal ones counted.
  private static func runs(of bits: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    var start = 0
    while start < bits.count {
      var end = start
      while end < bits.count && bits[end] == bits[start] { end += 1 }
      let sixel = bits[start] + 63
      if end < bits.count || bits[start] != 0 {
        bytes +=
          end - start > 3
          ? Array("!\(end - start)".utf8) + [sixel]
          : Array(repeating: sixel, count: end - start)
      }
      start = end
    }
    return bytes
  }
}
