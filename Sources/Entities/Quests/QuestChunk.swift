/// A part of a run that is computed in one piece: quests of one adventurer that follow each other.
struct QuestChunk: Sendable {
  /// The adventurer's place in the roster.
  var place: Int
  /// The first quest.
  var first: Int
  /// How many quests.
  var count: Int
  /// The place among all chunks; samples are committed in this order.
  var order: Int
  /// Who goes on the first quest.
  var fighter: Fighter
}

/// What a chunk gave.
struct QuestChunkResult: Sendable {
  var chunk: QuestChunk
  /// How many quests were done: fewer than wanted where the condition was met.
  var count: Int
  /// One, or where an error is looked at, one up to each checkpoint.
  var parts: [QuestStatistics]
  /// Who goes on the next quest.
  var fighter: Fighter
  /// True where a level was reached that ends the adventurer's quests.
  var isEnough: Bool
  /// The sections of the log, where one is kept.
  var log: [UInt8]
}

/// Computes chunks.
struct QuestComputing: Sendable {
  let plan: QuestPlan
  /// By the places in the roster's list of attack types.
  private let arenas: [PokemonType?: QuestArena]
  let keepsLog: Bool

  init(_ plan: QuestPlan, keepsLog: Bool) throws(QuestError) {
    self.plan = plan
    self.keepsLog = keepsLog
    var arenas: [PokemonType?: QuestArena] = [:]
    for fighter in plan.roster where arenas[fighter.attackType] == nil {
      arenas[fighter.attackType] = try QuestArena(plan.table, attackType: fighter.attackType)
    }
    self.arenas = arenas
  }

  func compute(_ chunk: QuestChunk) -> QuestChunkResult {
    var result = QuestChunkResult(
      chunk: chunk, count: 0, parts: [], fighter: chunk.fighter, isEnough: false, log: [])
    guard let arena = arenas[chunk.fighter.attackType] else { return result }
    let quests = UInt64(plan.quests)
    let isChecked: Bool
    if case .error? = plan.until { isChecked = true } else { isChecked = false }
    var statistics = QuestStatistics()
    var events = QuestEvents()
    for number in UInt64(chunk.first)..<UInt64(chunk.first + chunk.count) {
      let draws = QuestDraws(seed: plan.seed, id: result.fighter.id, number: number)
      let end =
        keepsLog
        ? QuestLoop.run(result.fighter, draws, plan.settings, arena, into: &events)
        : QuestLoop.run(result.fighter, draws, plan.settings, arena)
      statistics.add(end, quest: number, of: quests)
      if keepsLog {
        QuestLogSection.append(events, of: result.fighter, quest: number, to: &result.log)
        events.removeAll()
      }
      result.count += 1
      if plan.mode == .campaign {
        result.fighter = result.fighter.after(end)
        if case .level(let level)? = plan.until, end.level >= level {
          result.isEnough = true
          break
        }
      }
      if isChecked, (number + 1) % QuestPlan.checkpoint == 0 {
        result.parts.append(statistics)
        statistics = QuestStatistics()
      }
    }
    if statistics.count > 0 { result.parts.append(statistics) }
    return result
  }
}
