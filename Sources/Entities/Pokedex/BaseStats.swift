/// The six numbers that say how strong a Pokémon is.
public struct BaseStats: Hashable, Sendable {
  /// The columns of the data, in the order of the fields.
  static let names = [
    "hp", "attack", "defense", "special_attack", "special_defense", "speed",
  ]

  /// How much damage it bears.
  public var hp: Int
  /// How strong its physical attacks are.
  public var attack: Int
  /// How well it bears physical attacks.
  public var defense: Int
  /// How strong its special attacks are.
  public var specialAttack: Int
  /// How well it bears special attacks.
  public var specialDefense: Int
  /// How early it acts.
  public var speed: Int

  /// These stats.
  public init(
    hp: Int, attack: Int, defense: Int, specialAttack: Int, specialDefense: Int, speed: Int
  ) {
    self.hp = hp
    self.attack = attack
    self.defense = defense
    self.specialAttack = specialAttack
    self.specialDefense = specialDefense
    self.speed = speed
  }

  /// The sum of all six.
  public var total: Int {
    [hp, attack, defense, specialAttack, specialDefense, speed]
      .reduce(0) { $0.addingSaturating($1) }
  }

  /// The fields that hold the stats, numbered from `first` on.
  static func fields(from first: Int) -> [FieldDefinition] {
    let aliases = [[], ["atk"], ["def"], ["spatk", "spa"], ["spdef", "spd"], ["spe"]]
    return names.indices.map { place in
      FieldDefinition(
        first + place, names[place], .integer, aliases: aliases[place], index: .numbers,
        rules: [.required, place == 5 ? .range(0, 10_000) : .range(1, 65_535)])
    }
  }

  /// Takes the fields numbered from `first` on.
  init(from record: inout RecordReader, first: Int) {
    hp = record.integer(first)
    attack = record.integer(first + 1)
    defense = record.integer(first + 2)
    specialAttack = record.integer(first + 3)
    specialDefense = record.integer(first + 4)
    speed = record.integer(first + 5)
  }

  func encode(to record: inout RecordWriter, first: Int) {
    record.set(first, integer: hp)
    record.set(first + 1, integer: attack)
    record.set(first + 2, integer: defense)
    record.set(first + 3, integer: specialAttack)
    record.set(first + 4, integer: specialDefense)
    record.set(first + 5, integer: speed)
  }
}
