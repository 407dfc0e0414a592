/// The materials of one generated Pokémon.
struct PokemonPalette {
  let body: ColorRamp
  let belly: ColorRamp
  /// The colour of the second type, or of the only one.
  let accent: ColorRamp
  /// What the ornament of a type is made of when it has a colour of its own, such as ivory.
  let trim: ColorRamp
  let eye: PixelColor
  let disc: PixelColor
  let ring: PixelColor

  init(of likeness: PokemonLikeness, dice: inout DrawingDice) {
    let first = TypeColor.of(likeness.types.first ?? "normal")
    let second = TypeColor.of(likeness.types.last ?? "normal")
    let dexColor = Self.bodyColor(of: likeness.color)
    let share = dice.between(0.28, 0.5)
    var base = dexColor.mixed(with: first, share)
    base = base.adjusted(saturation: dice.between(1.0, 1.25), value: dice.between(0.94, 1.06))
    body = ColorRamp(base)
    let pale = dice.pick([0xFFF3D6, 0xF7EFE3, 0xFFE9C9, 0xEAF3F2] as [UInt32])
    belly = ColorRamp(PixelColor(rgb: pale).mixed(with: base, dice.between(0.1, 0.25)))
    accent = ColorRamp(Self.accent(second, against: base))
    trim = ColorRamp(rgb: dice.pick([0xF3E7C8, 0xE9E4DA, 0xF6E1A8] as [UInt32]))
    eye = dice.pick([
      second, second.adjusted(saturation: 1.2, value: 0.9), PixelColor(rgb: 0xC8323C),
      PixelColor(rgb: 0x3A78C8), PixelColor(rgb: 0x8A5A2B), PixelColor(rgb: 0x2F9E6B),
    ])
    let paper = PixelColor(rgb: 0xFFFFFF)
    disc = first.mixed(with: paper, 0.62)
    ring = second.mixed(with: paper, 0.3)
  }

  /// `color`, darker or lighter where it could not be told from `base`.
  private static func accent(_ color: PixelColor, against base: PixelColor) -> PixelColor {
    let apart =
      abs(Int(color.red) - Int(base.red)) + abs(Int(color.green) - Int(base.green))
      + abs(Int(color.blue) - Int(base.blue))
    guard apart < 120 else { return color }
    return base.luma > 0.5
      ? color.adjusted(saturation: 1.25, value: 0.66)
      : color.mixed(with: PixelColor(rgb: 0xFFF4DC), 0.5)
  }

  private static func bodyColor(of name: String) -> PixelColor {
    let rgb: UInt32 =
      switch name {
      case "black": 0x4E4E5E
      case "blue": 0x4F8FD8
      case "brown": 0xA9713F
      case "gray": 0x9B9DA8
      case "green": 0x62B45A
      case "pink": 0xF095B4
      case "purple": 0x9467BE
      case "red": 0xDD5546
      case "white": 0xEDEBE8
      case "yellow": 0xF2CB44
      default: 0xB8A888
      }
    return PixelColor(rgb: rgb)
  }
}

/// A colour for each type.
enum TypeColor {
  private static let rgb: [String: UInt32] = [
    "normal": 0xA8A58C, "fire": 0xF0793A, "water": 0x4F8EEA, "electric": 0xF6CE37,
    "grass": 0x6CBE57, "ice": 0x8FD8DC, "fighting": 0xC4413B, "poison": 0xA050AA,
    "ground": 0xDDB866, "flying": 0x9DA6F0, "psychic": 0xF4648C, "bug": 0xA5B92B,
    "rock": 0xB39F45, "ghost": 0x6E5A9C, "dragon": 0x6F46F0, "dark": 0x6B5848,
    "steel": 0xA9B1C6, "fairy": 0xEE9CCB,
  ]

  static func of(_ type: String) -> PixelColor { PixelColor(rgb: rgb[type] ?? 0xA8A58C) }
}
