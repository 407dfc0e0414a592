import Entities
import PageStore

/// What is known of a run, as all forms of a report tell it.
struct QuestReport {
  let id: EntityID
  let run: QuestRun
  /// One for each adventurer, by their numbers.
  let parts: [Part]
  /// All adventurers together.
  let total: QuestStatistics

  /// One adventurer's quests.
  struct Part {
    var adventurer: EntityID
    var name: String
    var statistics: QuestStatistics
  }

  init(id: EntityID, run: QuestRun, parts: [Part]) {
    self.id = id
    self.run = run
    self.parts = parts
    var total = QuestStatistics()
    for part in parts { total.merge(part.statistics) }
    self.total = total
  }

  init(_ runner: QuestRunner) throws {
    let parts = try runner.results().map {
      Part(
        adventurer: $0.value.adventurer, name: $0.value.name, statistics: $0.value.statistics)
    }
    self.init(id: runner.id, run: runner.record, parts: parts)
  }

  /// The run in a line.
  var headline: String {
    let count = parts.count.counted("adventurer")
    return
      "run \(id): \(total.count.counted("quest")) of \(count), \(run.mode.rawValue), seed \(run.seed), "
      + "\(run.settings.foes.counted("foe")), "
      + (run.settings.goal.map { "to \($0.counted("kill"))" } ?? "to the fall")
      + (run.enemies.isEmpty ? "" : ", enemies \(run.enemies)")
      + (run.state == .finished ? "" : ", unfinished")
  }

  /// The quests of an adventurer that stand out: what they are, and what replays them.
  func examples(_ part: Part) -> [Example] {
    let found = [
      ("best", part.statistics.best), ("median", part.statistics.median),
      ("worst", part.statistics.worst),
    ]
    return found.compactMap { name, example in
      example.map {
        Example(
          name: name, quest: $0.quest, result: $0.result,
          command: "\(Program.name) replay \(id):\(part.adventurer):\($0.quest)")
      }
    }
  }

  /// A quest that stands out.
  struct Example {
    var name: String
    var quest: UInt64
    var result: QuestResult
    /// What tells of it.
    var command: String

    var text: String {
      "\(WatchTheme.text(result.outcome)), \(result.kills.counted("kill")), level \(result.level), "
        + WatchTheme.time(result.tick)
    }
  }
}

extension QuestStatistics {
  /// The numbers of quests that a report tells of.
  var measures: [ReportMeasure] {
    [
      ReportMeasure("kills", "Kills", kills), ReportMeasure("level", "Level", level),
      ReportMeasure("experience", "Experience", experience),
      ReportMeasure("seconds", "Seconds", ticks, divisor: 1_000),
      ReportMeasure("damage_done", "Damage done", dealt),
      ReportMeasure("damage_taken", "Damage taken", taken),
    ]
  }

  /// The part of quests that were won, with the interval in which it lies.
  var winRate: (rate: Double, low: Double, high: Double)? {
    if count == 0 { return nil }
    let (low, high) = QuestEstimate.interval(wins, of: count)
    return (Double(wins) / Double(count), low, high)
  }
}
