internal import Entities

/// The number under which a terminal has the colour that is nearest to a colour of 24 bits.
package enum ScreenPalette {
  /// The usual values of the first sixteen colours: those of VGA text.
  private static let first: [(Int, Int, Int)] = [
    (0, 0, 0), (170, 0, 0), (0, 170, 0), (170, 85, 0), (0, 0, 170), (170, 0, 170), (0, 170, 170),
    (170, 170, 170), (85, 85, 85), (255, 85, 85), (85, 255, 85), (255, 255, 85), (85, 85, 255),
    (255, 85, 255), (85, 255, 255), (255, 255, 255),
  ]

  /// The number of `color`; -1, the terminal's own, where there are no colours or none is wanted.
  package static func number(of color: Styling.Color?, _ depth: ScreenAbilities.Depth) -> Int {
    guard let color else { return -1 }
    switch depth {
    case .none: return -1
    case .eight: return nearest(color, among: 8)
    case .sixteen: return nearest(color, among: 16)
    case .common:
      return CommonPalette.index(
        of: PixelColor(red: color.red, green: color.green, blue: color.blue))
    case .direct:
      let number = Int(color.red) << 16 | Int(color.green) << 8 | Int(color.blue)
      // Such terminals take the first eight numbers for those of the palette.
      return number < 8 && number > 0 ? 8 : number
    }
  }

  private static func nearest(_ color: Styling.Color, among count: Int) -> Int {
    let distance = { (number: Int) in
      let (red, green, blue) = first[number]
      let parts = [Int(color.red) - red, Int(color.green) - green, Int(color.blue) - blue]
      return parts.reduce(0) { $0 + $1 * $1 }
    }
    return (0..<count).min { distance($0) < distance($1) } ?? 0
  }
}
