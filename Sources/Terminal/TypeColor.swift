/// The colours of the types, for names that are readable without them too.
package enum TypeColor {
  private static let colors: [String: Styling.Color] = [
    "normal": .init(168, 168, 120), "fighting": .init(200, 80, 72), "flying": .init(150, 160, 240),
    "poison": .init(176, 96, 176), "ground": .init(212, 184, 104), "rock": .init(184, 160, 72),
    "bug": .init(160, 184, 48), "ghost": .init(136, 112, 176), "steel": .init(168, 176, 200),
    "fire": .init(240, 128, 48), "water": .init(104, 144, 240), "grass": .init(112, 200, 80),
    "electric": .init(240, 208, 48), "psychic": .init(248, 104, 144), "ice": .init(136, 208, 216),
    "dragon": .init(128, 96, 248), "dark": .init(144, 120, 104), "fairy": .init(238, 153, 190),
  ]

  package static func of(_ type: String) -> Styling.Color { colors[type] ?? .init(200, 200, 200) }
}
