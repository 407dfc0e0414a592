/// Eyes and mouths, set pixel by pixel; all are those of the right half.
///
/// `K` is the dark of the outline, `W` white, `H` a light, `I` the iris, `D` its shade.
enum PokemonFace {
  static let button = PixelStamp(".KK.", "KHKK", "KKKK", "KKKK", ".KK.")
  static let round = PixelStamp(".KKK.", "KHHKK", "KHHKK", "KKKIK", "KKIIK", ".KKK.")
  static let large = PixelStamp(
    ".KKKK.", "KHHKKK", "KHHKKK", "KKKKIK", "KKKIIK", "KKIIHK", ".KKKK.")
  static let open = PixelStamp(".KKKK.", "KHHKWK", "KHHKWK", "KKKIWK", "KKIIWK", ".KKKK.")
  static let bright = PixelStamp(".KKKK.", "KIHHIK", "KIHHIK", "KDKKDK", "KIDDIK", ".KKKK.")
  static let fierce = PixelStamp("....KK", "..KKWK", "KKWIWK", "KWHKK.", ".KKK..")
  static let stern = PixelStamp("KK....", "KKKKK.", "KHKIWK", "KKKIK.", ".KKK..")
  static let sleepy = PixelStamp("KKKKKK", "KHKKWK", ".KIIK.", "..KK..")
  static let glowing = PixelStamp("....I", "..IIH", "IIHHI", ".III.")
  static let compound = PixelStamp(".KKKK.", "KHHIIK", "KHIIIK", "KIIIDK", "KIIDDK", ".KKKK.")
  static let happy = PixelStamp(".KKK.", "KK.KK", "K...K")
  static let tiny = PixelStamp("KK", "HK", "KK")

  /// Which eyes a Pokémon has.
  static func eyes(of likeness: PokemonLikeness, _ figure: PokemonFigure, _ dice: inout DrawingDice)
    -> PixelStamp
  {
    if figure.hasCompoundEyes { return compound }
    let types = Set(likeness.types)
    if types.contains("ghost") && dice.isOne(in: 2) { return glowing }
    if types.contains("dark") || types.contains("dragon") || types.contains("fighting") {
      return likeness.stage > 1
        ? dice.pick([fierce, stern]) : dice.pick([fierce, round, large, open])
    }
    switch likeness.stage {
    case ...1: return dice.pick([button, round, large, large, large, open, bright, bright, happy])
    case 2: return dice.pick([round, large, open, open, bright, stern, sleepy])
    default: return dice.pick([open, bright, fierce, fierce, stern, sleepy])
    }
  }

  static let smile = PixelStamp("K.", "KK")
  static let grin = PixelStamp("..K", "KKK", "RR.")
  static let cat = PixelStamp("..K", "KK.")
  static let gape = PixelStamp("KK.", "RRK", "PPK", "KK.")
  static let line = PixelStamp("KK")
  static let fangs = PixelStamp("KKKK", "..W.")
  static let snout = PixelStamp("KK", "K.", "KK")

  /// Which mouth it has, the right half of it.
  static func mouth(of likeness: PokemonLikeness, _ dice: inout DrawingDice) -> PixelStamp {
    let isFierce = !Set(likeness.types).isDisjoint(with: ["dark", "dragon", "poison", "fighting"])
    if isFierce && dice.isOne(in: 2) { return fangs }
    return dice.pick([smile, smile, grin, cat, cat, gape, line, snout])
  }
}
