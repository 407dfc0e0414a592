internal import PageStore

/// What may be chosen of a quest.
public struct QuestSettings: Hashable, Sendable {
  /// How many enemies there are at once, from 1 to 4.
  public var foes: Int
  /// After how many fallen enemies the quest is won; nil where it goes on until the fall.
  public var goal: Int?
  /// The last tick at which something may happen.
  public var limit: Int64

  /// These settings.
  public init(foes: Int = 1, goal: Int? = nil, limit: Int64 = QuestRules.usualLimit) {
    self.foes = foes
    self.goal = goal
    self.limit = limit
  }

  /// What the rules do not allow, in words; nil where all is well.
  public var problem: String? {
    if !QuestRules.foeCounts.contains(foes) { return "\(foes) foes: there may be 1 to 4" }
    if let goal, goal < 1 { return "a goal of \(goal) kills: it must be 1 at least" }
    if limit < 1 { return "a limit of \(limit) ticks: it must be 1 at least" }
    if limit > Self.greatestLimit {
      return "a limit of \(limit) ticks: it may be \(Self.greatestLimit) at most"
    }
    return nil
  }

  /// Ten years, which no counter outgrows.
  public static let greatestLimit: Int64 = 315_360_000_000

  /// Why `fighter` cannot reach the goal, whatever happens; nil where it might.
  public func obstacle(for fighter: Fighter) -> String? {
    guard let goal else { return nil }
    let actions = limit / QuestRules.interval(speed: Int64(fighter.speed))
    if Int64(goal) <= actions { return nil }
    return "\(fighter.name) acts \(actions.counted("time")) within \(limit.counted("tick")), "
      + "too seldom for a goal of \(goal.counted("kill"))"
  }
}
