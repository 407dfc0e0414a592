/// How enemies and fighters are written, in records of runs and in logs: numbers of variable length,
/// and texts with their length.
extension EnemyTable {
  /// The table as bytes.
  var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.variable(UInt64(species.count))
    for enemy in species {
      let numbers = [
        enemy.number, enemy.hp, enemy.attack, enemy.defense, enemy.multiplier, enemy.evasion,
        enemy.speed, enemy.baseExperience, enemy.types.count,
      ]
      for number in numbers { writer.variable(UInt64(truncatingIfNeeded: number)) }
      for type in enemy.types { writer.variable(UInt64(type.rawValue)) }
      writer.text(enemy.name)
    }
    return writer.bytes
  }

  /// The table that `bytes` say, which nobody believes; nil where they say none.
  init?(untrusted bytes: [UInt8]) {
    var reader = ByteReader(untrusted: bytes.rawSpan)
    let count = reader.length()
    if count > Self.limit { return nil }
    var species: [EnemySpecies] = []
    for _ in 0..<count {
      var numbers: [Int] = []
      for _ in 0..<9 { numbers.append(Int(truncatingIfNeeded: reader.variable())) }
      guard reader.damage == nil, (1...EnemySpecies.typeLimit).contains(numbers[8]) else {
        return nil
      }
      var types: [PokemonType] = []
      for _ in 0..<numbers[8] {
        guard let raw = UInt8(exactly: reader.variable()), let type = PokemonType(rawValue: raw)
        else { return nil }
        types.append(type)
      }
      species.append(
        EnemySpecies(
          number: numbers[0], name: reader.text(), hp: numbers[1], attack: numbers[2],
          defense: numbers[3], speed: numbers[6], types: types, baseExperience: numbers[7],
          multiplier: numbers[4], evasion: numbers[5]))
      if reader.damage != nil { return nil }
    }
    if reader.damage != nil || reader.remaining > 0 { return nil }
    guard let table = try? EnemyTable(species), table.species == species else { return nil }
    self = table
  }
}

extension Fighter {
  /// The fighter as bytes.
  func encode(to writer: inout ByteWriter) {
    writer.variable(id)
    let numbers = [
      level, experience, currentHitPoints, totalHitPoints, multiplier, defense, evasion, speed,
    ]
    for number in numbers { writer.variable(UInt64(truncatingIfNeeded: number)) }
    writer.text(name)
    writer.text(profession)
  }

  /// The fighter that comes next, which nobody believes; nil where there is none.
  init?(untrusted reader: inout ByteReader) {
    id = reader.variable()
    var numbers: [Int] = []
    for _ in 0..<8 { numbers.append(Int(truncatingIfNeeded: reader.variable())) }
    level = numbers[0]
    experience = numbers[1]
    currentHitPoints = numbers[2]
    totalHitPoints = numbers[3]
    multiplier = numbers[4]
    defense = numbers[5]
    evasion = numbers[6]
    speed = numbers[7]
    name = reader.text()
    profession = reader.text()
    if reader.damage != nil || problem != nil || id > EntityID.limit.rawValue { return nil }
  }
}

/// The adventurers of a run, by ascending number.
enum QuestRoster {
  /// How many there may be.
  static let limit = 65_536

  static func encode(_ roster: [Fighter]) -> [UInt8] {
    var writer = ByteWriter()
    writer.variable(UInt64(roster.count))
    for fighter in roster { fighter.encode(to: &writer) }
    return writer.bytes
  }

  /// The roster that `bytes` say, which nobody believes; nil where they say none.
  static func decode(untrusted bytes: [UInt8]) -> [Fighter]? {
    var reader = ByteReader(untrusted: bytes.rawSpan)
    let count = reader.length()
    if count > limit { return nil }
    var roster: [Fighter] = []
    for _ in 0..<count {
      guard let fighter = Fighter(untrusted: &reader) else { return nil }
      if let last = roster.last, last.id >= fighter.id { return nil }
      roster.append(fighter)
    }
    return reader.damage == nil && reader.remaining == 0 ? roster : nil
  }
}
