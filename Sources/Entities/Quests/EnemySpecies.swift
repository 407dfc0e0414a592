/// What an enemy is made from.
public struct EnemySpecies: Hashable, Sendable {
  /// By which the table is sorted; the number in the Pokédex, or the row of a bestiary.
  public var number: Int
  /// What it is called.
  public var name: String
  /// What `QuestRules.hitPoints` makes the hit points from.
  public var hp: Int
  /// What `QuestRules.stat` makes the attack from.
  public var attack: Int
  /// What `QuestRules.stat` makes the defense from.
  public var defense: Int
  /// In parts of 1/256.
  public var multiplier: Int
  /// In parts of 1/256, from 0 to 128.
  public var evasion: Int
  /// From 0 to 10,000.
  public var speed: Int
  /// One to four: it attacks with the first, and defends with all.
  public var types: [PokemonType]
  /// What defeating it gives experience from; 0 where it gives none.
  public var baseExperience: Int

  /// How many types one may have.
  public static let typeLimit = 4

  /// An enemy like no Pokémon.
  public init(
    number: Int, name: String, hp: Int, attack: Int, defense: Int, speed: Int,
    types: [PokemonType], baseExperience: Int = 0, multiplier: Int = QuestRules.enemyMultiplier,
    evasion: Int? = nil
  ) {
    self.number = number
    self.name = name
    self.hp = hp
    self.attack = attack
    self.defense = defense
    self.speed = speed
    self.types = types
    self.baseExperience = baseExperience
    self.multiplier = multiplier
    self.evasion = evasion ?? min(QuestRules.evasions.upperBound, speed / 8)
  }

  /// The enemy that a species of Pokémon is.
  public init(_ pokemon: Pokemon) {
    self.init(
      number: pokemon.number, name: pokemon.name, hp: pokemon.stats.hp,
      attack: max(pokemon.stats.attack, pokemon.stats.specialAttack),
      defense: (pokemon.stats.defense + pokemon.stats.specialDefense) / 2,
      speed: pokemon.stats.speed, types: pokemon.types,
      baseExperience: pokemon.baseExperience ?? 0)
  }

  /// Which value the rules do not allow, as the name of its column and a reason; nil where all is
  /// well.
  public var problem: (column: String, reason: String)? {
    let stats = QuestRules.stats
    let ranged = [
      ("number", number, stats), ("hp", hp, stats), ("attack", attack, stats),
      ("defense", defense, stats), ("speed", speed, QuestRules.speeds),
      ("base_experience", baseExperience, 0...65_535), ("multiplier", multiplier, stats),
      ("evasion", evasion, QuestRules.evasions),
    ]
    for (column, value, range) in ranged where !range.contains(value) {
      return (column, "\(value) is not from \(range.lowerBound) to \(range.upperBound)")
    }
    if name.utf8.isEmpty || name.utf8.count > 255 {
      return ("name", "it must have 1 to 255 bytes")
    }
    if types.isEmpty || types.count > Self.typeLimit || Set(types).count != types.count {
      return ("types", "there must be 1 to \(Self.typeLimit), each once")
    }
    return nil
  }
}
