/// A type of Pokémon and of moves.
public enum PokemonType: UInt8, Vocabulary {
  case bug
  case dark
  case dragon
  case electric
  case fairy
  case fighting
  case fire
  case flying
  case ghost
  case grass
  case ground
  case ice
  case normal
  case poison
  case psychic
  case rock
  case steel
  case water

  /// All names, in alphabetical order.
  public static let names = [
    "bug", "dark", "dragon", "electric", "fairy", "fighting", "fire", "flying", "ghost", "grass",
    "ground", "ice", "normal", "poison", "psychic", "rock", "steel", "water",
  ]
}

/// A group of Pokémon that may breed with each other.
public enum EggGroup: UInt8, Vocabulary {
  case amorphous
  case bug
  case ditto
  case dragon
  case fairy
  case field
  case flying
  case grass
  case humanLike
  case mineral
  case monster
  case undiscovered
  case water1
  case water2
  case water3

  /// All names, in alphabetical order.
  public static let names = [
    "amorphous", "bug", "ditto", "dragon", "fairy", "field", "flying", "grass", "human-like",
    "mineral", "monster", "undiscovered", "water-1", "water-2", "water-3",
  ]
}

/// How much experience a Pokémon needs to reach level 100.
public enum GrowthRate: UInt8, Vocabulary {
  case erratic
  case fast
  case fluctuating
  case mediumFast
  case mediumSlow
  case slow

  /// All names, in alphabetical order.
  public static let names = [
    "erratic", "fast", "fluctuating", "medium-fast", "medium-slow", "slow",
  ]
}

/// The colour under which the Pokédex lists a Pokémon.
public enum PokedexColor: UInt8, Vocabulary {
  case black
  case blue
  case brown
  case gray
  case green
  case pink
  case purple
  case red
  case white
  case yellow

  /// All names, in alphabetical order.
  public static let names = [
    "black", "blue", "brown", "gray", "green", "pink", "purple", "red", "white", "yellow",
  ]
}

/// The shape under which the Pokédex lists a Pokémon.
public enum BodyShape: UInt8, Vocabulary {
  case armor
  case arms
  case ball
  case blob
  case bugWings
  case fish
  case heads
  case humanoid
  case legs
  case quadruped
  case squiggle
  case tentacles
  case upright
  case wings

  /// All names, in alphabetical order.
  public static let names = [
    "armor", "arms", "ball", "blob", "bug-wings", "fish", "heads", "humanoid", "legs", "quadruped",
    "squiggle", "tentacles", "upright", "wings",
  ]
}

/// Where a Pokémon of the first three generations lives.
public enum Habitat: UInt8, Vocabulary {
  case cave
  case forest
  case grassland
  case mountain
  case rare
  case roughTerrain
  case sea
  case urban
  case watersEdge

  /// All names, in alphabetical order.
  public static let names = [
    "cave", "forest", "grassland", "mountain", "rare", "rough-terrain", "sea", "urban",
    "waters-edge",
  ]
}

/// Why a form of a Pokémon is one of its own.
public enum FormKind: UInt8, Vocabulary {
  case alternate
  case battle
  case cosmetic
  case eternamax
  case gmax
  case mega
  case primal
  case regional
  case totem
  case typed

  /// All names, in alphabetical order.
  public static let names = [
    "alternate", "battle", "cosmetic", "eternamax", "gmax", "mega", "primal", "regional", "totem",
    "typed",
  ]
}

/// The region that a form comes from.
public enum Region: UInt8, Vocabulary {
  case alola
  case galar
  case hisui
  case paldea

  /// All names, in alphabetical order.
  public static let names = [
    "alola", "galar", "hisui", "paldea",
  ]
}

/// In what a form differs from the species.
public enum FormDifference: UInt8, Vocabulary {
  case types
  case stats
  case size
  case abilities

  /// All names, in the order of the data.
  public static let names = [
    "types", "stats", "size", "abilities",
  ]
}

/// Which statistics a move works with.
public enum MoveCategory: UInt8, Vocabulary {
  case physical
  case special
  case status

  /// All names, in alphabetical order.
  public static let names = [
    "physical", "special", "status",
  ]
}
