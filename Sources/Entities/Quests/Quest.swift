/// One quest: a pure function of the rules, the seed, its number, the adventurer and the enemies.
///
/// ```swift
/// let quest = try Quest(seed: 42, number: 0, fighter: fighter, enemies: table)
/// let result = quest.run()
/// ```
public struct Quest: Sendable {
  /// What decides, with the adventurer and the number, what happens.
  public let seed: UInt64
  /// The number of the quest.
  public private(set) var number: UInt64
  /// Who goes on it.
  public private(set) var fighter: Fighter
  /// What may be met.
  public let enemies: EnemyTable
  /// What was chosen.
  public let settings: QuestSettings
  /// Whose number quests are drawn with; another than the fighter's where two are compared.
  public private(set) var drawnFor: UInt64
  private(set) var arena: QuestArena

  /// The quest of these.
  ///
  /// - Throws: `.settings`, `.adventurer`, `.database` where the bundled facts cannot be read.
  public init(
    seed: UInt64, number: UInt64, fighter: Fighter, enemies: EnemyTable,
    settings: QuestSettings = QuestSettings(), drawnFor id: UInt64? = nil
  ) throws(QuestError) {
    if let problem = settings.problem { throw .settings(problem) }
    if let problem = fighter.problem {
      throw .adventurer(id: EntityID(fighter.id), name: fighter.name, reason: problem)
    }
    self.seed = seed
    self.number = number
    self.fighter = fighter
    self.enemies = enemies
    self.settings = settings
    drawnFor = id ?? fighter.id
    arena = try QuestArena(enemies, attackType: fighter.attackType)
  }

  /// The same one of another number, without preparing the enemies again.
  public func numbered(_ number: UInt64) -> Quest {
    var other = self
    other.number = number
    return other
  }

  /// The same one with another adventurer; the enemies are prepared again only for another attack type.
  ///
  /// - Throws: `.adventurer`, `.database`.
  public func fought(by fighter: Fighter) throws(QuestError) -> Quest {
    if let problem = fighter.problem {
      throw .adventurer(id: EntityID(fighter.id), name: fighter.name, reason: problem)
    }
    var other = self
    if fighter.attackType != self.fighter.attackType {
      other.arena = try QuestArena(enemies, attackType: fighter.attackType)
    }
    if drawnFor == self.fighter.id { other.drawnFor = fighter.id }
    other.fighter = fighter
    return other
  }

  /// How it ends.
  public func run() -> QuestResult { run(number) }

  /// How it ends, and everything that happens, appended to `events`.
  public func run(into events: inout QuestEvents) -> QuestResult { run(number, into: &events) }

  /// How the quest of another number ends, with the same adventurer and enemies.
  public func run(_ number: UInt64) -> QuestResult {
    QuestLoop.run(fighter, draws(number), settings, arena)
  }

  /// How the quest of another number ends, and everything that happens, appended to `events`.
  public func run(_ number: UInt64, into events: inout QuestEvents) -> QuestResult {
    QuestLoop.run(fighter, draws(number), settings, arena, into: &events)
  }

  private func draws(_ number: UInt64) -> QuestDraws {
    QuestDraws(seed: seed, id: drawnFor, number: number)
  }

  /// The quest, to be gone through event by event.
  public func walk() -> QuestWalk { QuestWalk(self, QuestLoop(fighter, draws(number), settings)) }
}

/// A quest that goes on by one event at a time, for those who look on.
public struct QuestWalk: Sendable {
  private let arena: QuestArena
  private var loop: QuestLoop
  /// The events since they were last taken away.
  public var events = QuestEvents()

  init(_ quest: Quest, _ loop: QuestLoop) {
    arena = quest.arena
    self.loop = loop
    self.loop.begin(arena, &events)
  }

  /// The tick of the next event; nil where the quest has ended.
  public var nextTick: Int64? { loop.outcome == nil ? loop.nextTick : nil }

  /// What is known so far; the outcome is nil as long as the quest goes on.
  public var state: (outcome: QuestOutcome?, result: QuestResult) { (loop.outcome, loop.result) }

  /// The enemy in a slot from 1 on: its place in the table, its level and its hit points.
  public func enemy(_ slot: Int) -> (place: Int, level: Int, hitPoints: Int, totalHitPoints: Int) {
    let foe = loop.foes[slot &- 1]
    return (
      Int(foe.place), Int(foe.level), Int(foe.hitPoints),
      Int(QuestRules.hitPoints(Int64(arena.kinds[Int(foe.place)].hp), level: foe.level))
    )
  }

  /// Who acts next: the slot, 0 for the adventurer.
  public var nextActor: Int { loop.nextActor }

  /// How many ticks the fighter in a slot still waits for its turn, and of how many.
  public func timer(_ slot: Int, at tick: Int64) -> (left: Int64, of: Int64) {
    let (next, interval) = loop.timer(slot)
    return (next - tick, interval)
  }

  /// Lets the next event happen; false where the quest has ended.
  @discardableResult
  public mutating func step() -> Bool {
    if loop.outcome != nil { return false }
    loop.step(arena, &events)
    return true
  }

  /// Lets all that is left happen.
  public mutating func finish() -> QuestResult {
    while step() {}
    return loop.result
  }
}
