/// An adventurer as a quest needs it: numbers, and what to call them by.
public struct Fighter: Hashable, Sendable {
  /// The number of the adventurer's record, from which quests are drawn.
  public var id: UInt64
  /// What the adventurer is called.
  public var name: String
  /// The profession, in any words.
  public var profession: String
  /// From 1 to 200.
  public var level: Int
  /// The experience that was gathered before.
  public var experience: Int
  /// The hit points at the beginning, at least 1.
  public var currentHitPoints: Int
  /// The hit points of one who is rested.
  public var totalHitPoints: Int
  /// In parts of 1/256.
  public var multiplier: Int
  /// What `QuestRules.stat` makes the defense from.
  public var defense: Int
  /// In parts of 1/256, from 0 to 128.
  public var evasion: Int
  /// From 0 to 10,000.
  public var speed: Int
  /// The type of the attacks, which the profession decides.
  public var attackType: PokemonType? { Profession(named: profession)?.attackType }

  /// The adventurer of that record.
  public init(_ adventurer: Adventurer, id: EntityID) {
    self.id = id.rawValue
    name = adventurer.name
    profession = adventurer.profession
    level = adventurer.level
    experience = adventurer.experience
    currentHitPoints = adventurer.currentHitPoints
    totalHitPoints = adventurer.totalHitPoints
    multiplier = adventurer.multiplier
    defense = adventurer.defense
    evasion = adventurer.evasion
    speed = adventurer.speed
  }

  /// The same one with all hit points, as everybody is before a quest.
  public var rested: Fighter {
    var rested = self
    rested.currentHitPoints = totalHitPoints
    return rested
  }

  /// The same one after a quest, at home and rested, with what was won.
  public func after(_ result: QuestResult) -> Fighter {
    var next = self
    next.level = result.level
    next.experience = experience.addingSaturating(result.experience)
    next.totalHitPoints = result.totalHitPoints
    next.currentHitPoints = result.totalHitPoints
    return next
  }

  /// Which number the rules do not allow, in words; nil where all is well.
  public var problem: String? {
    if !QuestRules.levels.contains(level) { return "level \(level) is not from 1 to 200" }
    if !QuestRules.hitPoints.contains(totalHitPoints) { return "it has no hit points" }
    if !(1...totalHitPoints).contains(currentHitPoints) { return "it has fallen" }
    if !QuestRules.stats.contains(multiplier) {
      return "its multiplier is not from 1/256 to 65535/256"
    }
    if !QuestRules.stats.contains(defense) { return "its defense is not from 1 to 65535" }
    if !QuestRules.evasions.contains(evasion) { return "its evasion is not from 0 to 50 percent" }
    if !QuestRules.speeds.contains(speed) { return "its speed is not from 0 to 10000" }
    if experience < 0 { return "its experience is below 0" }
    return nil
  }
}
