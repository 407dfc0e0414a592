/// Somebody who goes on quests.
public struct Adventurer: Hashable, Sendable {
  /// What the adventurer is called.
  public var name: String
  /// Any words; those of `Profession` give an attack type and ranges of their own.
  public var profession: String
  /// From 1 to 200.
  public var level: Int
  /// What defeated enemies gave.
  public var experience: Int
  /// How much damage the adventurer still bears; 0 when fallen.
  public var currentHitPoints: Int
  /// How much damage the adventurer bears when rested.
  public var totalHitPoints: Int
  /// What the power of attacks is multiplied with, in parts of 1/256.
  public var multiplier: Int
  /// How well the adventurer bears attacks.
  public var defense: Int
  /// How often attacks miss, in parts of 1/256, from 0 to 128.
  public var evasion: Int
  /// How often the adventurer acts.
  public var speed: Int
  /// How many quests were won.
  public var wins: Int
  /// How many quests ended with a fall.
  public var losses: Int
  /// The picture.
  public var portrait: EntityID?
  /// When the adventurer was recruited, in milliseconds since the beginning of 1970, UTC.
  public var created: Int?

  /// True where there are hit points left.
  public var isAlive: Bool { currentHitPoints > 0 }

  /// An adventurer of the first level, with all of its hit points.
  public init(
    name: String, profession: String, hitPoints: Int, multiplier: Int, defense: Int, evasion: Int,
    speed: Int
  ) {
    self.name = name
    self.profession = profession
    level = 1
    experience = 0
    currentHitPoints = hitPoints
    totalHitPoints = hitPoints
    self.multiplier = multiplier
    self.defense = defense
    self.evasion = evasion
    self.speed = speed
    wins = 0
    losses = 0
  }

  /// A new adventurer whose numbers are drawn by the rule of the profession.
  ///
  /// The same seed and number always give the same.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - profession: The profession, in any case; one that has no rule of its own is fine.
  ///   - seed: Decides, with the number, what is drawn.
  ///   - id: The record's number that the adventurer will have.
  /// - Returns: The adventurer, of the first level and without a date.
  public static func recruit(
    name: String, profession: String, seed: UInt64, id: EntityID
  ) -> Adventurer {
    let ranges = Profession(named: profession)?.ranges ?? Profession.rangesOfOthers
    var random = QuestRandom(
      seed: seed, adventurer: id.rawValue, quest: QuestRandom.recruiting)
    // The order of the draws is part of the rule.
    let hitPoints = random.draw(ranges.hitPoints)
    let multiplier = random.draw(ranges.multiplier)
    let defense = random.draw(ranges.defense)
    let evasion = random.draw(ranges.evasion)
    let speed = random.draw(ranges.speed)
    return Adventurer(
      name: name, profession: profession, hitPoints: hitPoints, multiplier: multiplier,
      defense: defense, evasion: evasion, speed: speed)
  }
}

extension Adventurer: Entity {
  /// The numbers of the fields that others name, which stand for them in records forever.
  enum Field {
    static let currentHitPoints = 5
    static let totalHitPoints = 6
    static let portrait = 13
  }

  /// Evasion is kept in parts of 1/64 of a percent, of which 25 are 1/256.
  private static let evasionParts = 25

  /// Levels add a twentieth of the hit points each, so that 65,535 at the first may become this many.
  private static let hitPointLimit: Int64 = 1 << 31 - 1

  /// What a record holds.
  public static let schema = Schema(
    name: "adventurers",
    fields: [
      FieldDefinition(
        1, "name", .text, aliases: ["n"], index: .words,
        rules: [.required, .notBlank, .byteCount(255)]),
      FieldDefinition(
        2, "profession", .text, aliases: ["class", "prof"], index: .words,
        rules: [.required, .notBlank, .byteCount(255)]),
      FieldDefinition(
        3, "level", .integer, index: .numbers, rules: [.required, .range(1, 200)]),
      FieldDefinition(
        4, "experience", .integer, aliases: ["xp"], index: .numbers,
        rules: [.required, .range(0, .max)]),
      FieldDefinition(
        Field.currentHitPoints, "current_hit_points", .integer, aliases: ["hp"], index: .numbers,
        rules: [.required, .range(0, hitPointLimit)]),
      FieldDefinition(
        Field.totalHitPoints, "total_hit_points", .integer, aliases: ["maxhp"], index: .numbers,
        rules: [.required, .range(1, hitPointLimit)]),
      FieldDefinition(
        7, "multiplier", .decimal(denominator: 256), aliases: ["atk", "attack"], index: .numbers,
        rules: [.required, .range(1, 65_535)]),
      FieldDefinition(
        8, "defense", .integer, aliases: ["def"], index: .numbers,
        rules: [.required, .range(1, 65_535)]),
      FieldDefinition(
        9, "evasion", .decimal(denominator: 64), unit: "%", index: .numbers,
        rules: [.required, .range(0, Int64(128 * evasionParts))]),
      FieldDefinition(
        10, "speed", .integer, aliases: ["spe"], index: .numbers,
        rules: [.required, .range(0, 10_000)]),
      FieldDefinition(11, "wins", .integer, index: .numbers, rules: [.required, .range(0, .max)]),
      FieldDefinition(
        12, "losses", .integer, index: .numbers, rules: [.required, .range(0, .max)]),
      FieldDefinition(
        Field.portrait, "portrait", .reference(entity: "portraits", onDelete: .clear),
        index: .terms),
      FieldDefinition(14, "created", .date, index: .numbers),
    ])

  /// What is computed from a record.
  public static let derivedFields = [
    DerivedFields.flag("is:alive", of: hitPointsAre(.greater, 0)) { record in
      record.integer(Field.currentHitPoints) > 0
    },
    DerivedFields.flag("is:fallen", of: hitPointsAre(.equal, 0)) { record in
      record.integer(Field.currentHitPoints) == 0
    },
    DerivedFields.flag(
      "is:hurt",
      of: .fields([FieldPath("current_hit_points")], .less, [FieldPath("total_hit_points")])
    ) { record in
      record.integer(Field.currentHitPoints) < record.integer(Field.totalHitPoints)
    },
    DerivedFields.flag("has:portrait", of: .present(FieldPath("portrait"))) { record in
      record.has(Field.portrait)
    },
  ]

  private static func hitPointsAre(_ comparison: Comparison, _ count: Int64) -> Filter {
    .number([FieldPath("current_hit_points")], comparison, Number(count))
  }

  /// Takes the values of a record.
  public init(from record: inout RecordReader) {
    name = record.text(1)
    profession = record.text(2)
    level = record.integer(3)
    experience = record.integer(4)
    currentHitPoints = record.integer(Field.currentHitPoints)
    totalHitPoints = record.integer(Field.totalHitPoints)
    multiplier = record.integer(7)
    defense = record.integer(8)
    // A percentage that somebody typed need not be a whole number of parts: the nearest counts.
    let (whole, rest) = record.integer(9).quotientAndRemainder(dividingBy: Self.evasionParts)
    evasion = whole + (rest > Self.evasionParts / 2 ? 1 : 0)
    speed = record.integer(10)
    wins = record.integer(11)
    losses = record.integer(12)
    portrait = record.referenceIfPresent(Field.portrait)
    created = record.integerIfPresent(14)
  }

  /// Gives the values to a record.
  public func encode(to record: inout RecordWriter) {
    record.set(1, text: name)
    record.set(2, text: profession)
    record.set(3, integer: level)
    record.set(4, integer: experience)
    record.set(Field.currentHitPoints, integer: currentHitPoints)
    record.set(Field.totalHitPoints, integer: totalHitPoints)
    record.set(7, integer: multiplier)
    record.set(8, integer: defense)
    record.set(9, integer: evasion.multipliedSaturating(by: Self.evasionParts))
    record.set(10, integer: speed)
    record.set(11, integer: wins)
    record.set(12, integer: losses)
    record.set(Field.portrait, reference: portrait)
    record.set(14, integer: created)
  }
}
