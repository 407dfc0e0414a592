internal import PageStore

/// How the quests of a run follow each other.
public enum QuestMode: String, CaseIterable, Hashable, Sendable {
  /// Every quest begins with the adventurer as the run found it; levels are not kept.
  case sample
  /// Levels and experience go on from quest to quest, and are kept.
  case campaign
}

/// When an adventurer's quests end before all of them are done.
public enum QuestUntil: Hashable, Sendable {
  /// After the quest that ends with this level; in campaigns.
  case level(Int)
  /// Once half the width of the 95% interval is no more than this, in millionths: of the win rate
  /// where there is a goal, else of the mean number of kills in parts of it; in samples.
  case error(millionths: Int)
}

/// Everything that decides the results of a run.
public struct QuestPlan: Hashable, Sendable {
  /// What decides all draws.
  public var seed: UInt64
  /// How quests follow each other.
  public var mode: QuestMode
  /// How many quests each adventurer goes on.
  public var quests: Int
  /// What each quest is like.
  public var settings: QuestSettings
  /// When to end before.
  public var until: QuestUntil?
  /// The query that the roster answered, as it was typed.
  public var adventurers: String
  /// The query that the enemies answered, or the name of a bestiary, as it was typed.
  public var enemies: String
  /// Who goes, by ascending number, rested.
  public var roster: [Fighter]
  /// What may be met.
  public var table: EnemyTable

  /// How many quests an adventurer may go on.
  public static let questLimit = 1_000_000_000_000
  /// After how many quests each an error is looked at, whatever the chunks are.
  static let checkpoint: UInt64 = 1_000

  /// A plan for these adventurers, in any order.
  public init(
    seed: UInt64, mode: QuestMode = .sample, quests: Int,
    settings: QuestSettings = QuestSettings(), until: QuestUntil? = nil, adventurers: String = "",
    enemies: String = "", roster: [Fighter], table: EnemyTable
  ) {
    self.seed = seed
    self.mode = mode
    self.quests = quests
    self.settings = settings
    self.until = until
    self.adventurers = adventurers
    self.enemies = enemies
    self.roster = roster.map(\.rested).sorted { $0.id < $1.id }
    self.table = table
  }

  /// Looks whether the rules allow the plan.
  ///
  /// - Throws: `.settings`, `.noAdventurers`, `.tooManyAdventurers`, `.adventurer`.
  public func check() throws(QuestError) {
    if !(1...Self.questLimit).contains(quests) {
      throw .settings("\(quests) quests: there must be 1 to \(Self.questLimit)")
    }
    if let problem = settings.problem { throw .settings(problem) }
    if roster.isEmpty { throw .noAdventurers }
    if roster.count > QuestRoster.limit { throw .tooManyAdventurers(limit: QuestRoster.limit) }
    for (fighter, next) in zip(roster, roster.dropFirst()) where fighter.id == next.id {
      throw .adventurer(id: EntityID(next.id), name: next.name, reason: "it is there twice")
    }
    for fighter in roster {
      if let problem = fighter.problem {
        throw .adventurer(id: EntityID(fighter.id), name: fighter.name, reason: problem)
      }
      if let obstacle = settings.obstacle(for: fighter) { throw .settings(obstacle) }
    }
    try checkUntil()
  }

  private func checkUntil() throws(QuestError) {
    switch until {
    case nil: return
    case .level(let level):
      if mode != .campaign { throw .settings("until a level: only a campaign keeps levels") }
      if !QuestRules.levels.contains(level) {
        throw .settings("until level \(level): levels go from 1 to 200")
      }
      if let fighter = roster.first(where: { $0.level >= level }) {
        throw .settings("until level \(level): \(fighter.name) has level \(fighter.level) already")
      }
    case .error(let millionths):
      if mode != .sample { throw .settings("until an error: only samples have one") }
      if !(1..<1_000_000).contains(millionths) {
        throw .settings("until an error: it must lie between 0 and 100%")
      }
    }
  }

  /// A number that stands for the roster.
  public var rosterDigest: UInt64 { QuestDigest.of(QuestRoster.encode(roster)) }

  /// What of this plan is another than in `other`, in words; empty where they are the same.
  public func differences(from other: QuestPlan) -> [String] {
    var found: [String] = []
    func compare<Value: Equatable>(_ name: String, _ one: Value, _ two: Value, _ text: String) {
      if one != two { found.append("\(name): \(text)") }
    }
    compare("seed", seed, other.seed, "\(seed) instead of \(other.seed)")
    compare("mode", mode, other.mode, "\(mode.rawValue) instead of \(other.mode.rawValue)")
    compare("quests", quests, other.quests, "\(quests) instead of \(other.quests)")
    let (own, others) = (settings, other.settings)
    compare("foes", own.foes, others.foes, "\(own.foes) instead of \(others.foes)")
    compare(
      "goal", own.goal, others.goal, "\(Self.text(own.goal)) instead of \(Self.text(others.goal))")
    compare("limit", own.limit, others.limit, "\(own.limit) instead of \(others.limit)")
    compare("until", until, other.until, "another condition")
    compare(
      "dex", table.digest, other.table.digest,
      "\(table.species.count.counted("kind")) of enemies in the place of the \(other.table.species.count) of the run"
    )
    if roster != other.roster { found.append("roster: " + rosterDifference(from: other)) }
    return found
  }

  private static func text(_ goal: Int?) -> String { goal.map { "\($0)" } ?? "none" }

  private func rosterDifference(from other: QuestPlan) -> String {
    if roster.map(\.id) != other.roster.map(\.id) {
      return
        "\(roster.count.counted("adventurer")) in the place of the \(other.roster.count) of the run"
    }
    let changed = zip(roster, other.roster).first { $0 != $1 }
    return changed.map { "adventurer \($0.0.id), \($0.0.name), has changed since the run began" }
      ?? "it has changed"
  }
}
