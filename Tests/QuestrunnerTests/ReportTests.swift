import Terminal
import Testing

@testable import Entities
@testable import questrunner

@Suite struct `A report` {
  private static func result(
    _ outcome: QuestOutcome, kills: Int, tick: Int64 = 1_000, dealt: Int64 = 10
  ) -> QuestResult {
    QuestResult(
      outcome: outcome, tick: tick, events: 1, kills: kills, level: 1, hitPoints: 1,
      totalHitPoints: 1, experience: 0, dealt: dealt, taken: 0)
  }

  private static func statistics(_ results: [QuestResult]) -> QuestStatistics {
    var statistics = QuestStatistics()
    for (number, result) in results.enumerated() {
      statistics.add(result, quest: UInt64(number), of: UInt64(results.count))
    }
    return statistics
  }

  // R. G. Newcombe, "Two-sided confidence intervals for the single proportion", table I: method 3.
  @Test(
    arguments: [
      (81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611),
      (1, 29, 0.0061, 0.1718),
    ] as [(Int, Int, Double, Double)])
  func `has Wilson's intervals`(wins: Int, count: Int, low: Double, high: Double) throws {
    let results = (0..<count).map { Self.result($0 < wins ? .win : .fall, kills: 1) }
    let rate = try #require(Self.statistics(results).winRate)
    #expect(abs(rate.rate - Double(wins) / Double(count)) < 1e-12)
    #expect(abs(rate.low - low) < 0.00005)
    #expect(abs(rate.high - high) < 0.00005)
  }

  @Test func `has means, their intervals and percentiles`() throws {
    // Sum 40, sum of squares 232: mean 5, variance 32/7; 1.96 * sqrt(32/7/8) = 1.4816.
    let results = [2, 4, 4, 4, 5, 5, 7, 9].map { Self.result(.fall, kills: $0) }
    let kills = ReportMeasure("kills", "Kills", Self.statistics(results).kills)
    #expect(kills.mean == 5)
    let error = try #require(kills.meanError)
    #expect(abs(error - 1.4816) < 0.0001)
    #expect(kills.percentileText(0) == "2")
    #expect(kills.percentileText(500) == "4")
    #expect(kills.percentileText(1_000) == "9")
    // A thousand times 1 to 60, so that percentiles are what their names say.
    let many = (0..<60_000).map { Self.result(.fall, kills: $0 % 60 + 1) }
    let uniform = ReportMeasure("kills", "Kills", Self.statistics(many).kills)
    #expect(uniform.percentileText(50) == "3")
    #expect(uniform.percentileText(250) == "15")
    #expect(uniform.percentileText(950) == "57")
  }

  @Test(arguments: [1, 12, 40])
  func `puts every quest into one column of a histogram`(most: Int) {
    for spread in [1, 5, 63, 64, 1_000, 123_456] as [Int64] {
      let results = (0..<500 as Range<Int64>).map {
        Self.result(.fall, kills: 1, tick: 7 + $0 * spread / 500, dealt: $0 * spread / 100)
      }
      let statistics = Self.statistics(results)
      for measure in statistics.measures {
        let columns = measure.columns(most: most)
        #expect(columns.count <= max(most, 2))
        #expect(columns.reduce(0) { $0 + $1.count } == 500)
        for (one, next) in zip(columns, columns.dropFirst()) {
          #expect(one.values.upperBound + 1 == next.values.lowerBound)
          #expect(one.values.count == next.values.count)
        }
      }
    }
  }

  @Test(arguments: [1, 12, 40])
  func `has columns for the greatest number there is`(most: Int) throws {
    var measure = QuestMeasure()
    for value in [0, 5, .max] as [Int64] { measure.add(value) }
    for divisor in [1, 1_000] as [Int64] {
      let report = ReportMeasure("ticks", "Ticks", measure, divisor: divisor)
      let columns = report.columns(most: most)
      #expect(columns.reduce(0) { $0 + $1.count } == 3)
      #expect(columns.last?.values.upperBound == .max)
      #expect(columns.allSatisfy { !report.text($0).isEmpty })
      #expect(report.percentileText(1_000).hasPrefix("~"))
    }
  }

  @Test func `writes shares with two digits`() {
    #expect(ReportNumber.percent(0.6231) == "62.31%")
    #expect(ReportNumber.percent(0.05) == "5.00%")
    #expect(ReportNumber.percent(1) == "100.00%")
    #expect(ReportNumber.percent(-0.0012) == "-0.12%")
    #expect(ReportNumber.percent(-0.125) == "-12.50%")
  }

  @Test func `escapes what means something in HTML`() {
    #expect(
      ReportChart.escaped("<b a=\"1\">&'") == "&lt;b a=&quot;1&quot;&gt;&amp;&#39;")
  }
}

@Suite struct `A comparison` {
  private static func result(_ kills: Int, _ outcome: QuestOutcome = .fall) -> QuestResult {
    QuestResult(
      outcome: outcome, tick: 1_000, events: 1, kills: kills, level: 1, hitPoints: 1,
      totalHitPoints: 1, experience: 0, dealt: 0, taken: 0)
  }

  @Test func `has the interval of paired differences`() throws {
    // Differences 1, 2, 3, 4: mean 2.5, variance 5/3; 1.95996 * sqrt(5/3/4) = 1.26515.
    var comparison = QuestComparison(names: ("A", "B"))
    for (one, other) in [(10, 11), (3, 5), (7, 10), (0, 4)] {
      comparison.add(Self.result(one), Self.result(other))
    }
    #expect(comparison.kills.difference == 2.5)
    let error = try #require(comparison.kills.error)
    #expect(abs(error - 1.26515) < 0.00001)
    // Variances 58/3 and 37/3 apart, and 5/3 in pairs.
    let saving = try #require(comparison.kills.saving)
    #expect(abs(saving - 19) < 0.001)
  }

  @Test func `of a fighter with itself finds nothing`() throws {
    let fighter = WatchTestData.quest().fighter
    let comparison = try QuestComparison(
      fighter, fighter, names: ("A", "B"), seed: 3, quests: 50, enemies: WatchTestData.table,
      settings: QuestSettings(foes: 2, goal: 5))
    #expect(comparison.count == 50)
    #expect(comparison.measures.allSatisfy { $0.difference == 0 && $0.error == 0 })
    let text = ComparisonText(
      comparison: comparison, settings: QuestSettings(goal: 5), seed: 3, styling: Styling())
    #expect(text.sentence == "A and B won the same ones of 50 quests.")
  }

  @Test func `gives both the draws of the first, and tells who is better`() throws {
    let fighter = WatchTestData.quest(1).fighter
    var strong = try FighterChange.apply("hp=400,defense=200,class=Knight", to: fighter)
    strong.id = 77
    let settings = QuestSettings(foes: 2)
    let comparison = try QuestComparison(
      fighter, strong, names: ("Ana", "Borin"), seed: 3, quests: 200,
      enemies: WatchTestData.table, settings: settings)
    var kills = 0
    for number in 0..<200 as Range<UInt64> {
      let quest = try Quest(
        seed: 3, number: number, fighter: strong, enemies: WatchTestData.table,
        settings: settings, drawnFor: 1)
      kills += quest.run().kills
    }
    #expect(comparison.kills.means.1 == Double(kills) / 200)
    let text = ComparisonText(
      comparison: comparison, settings: settings, seed: 3, styling: Styling())
    #expect(text.sentence.hasPrefix("With the same luck Borin defeats "))
    #expect(text.sentence.contains(" more enemies in a quest than Ana"))
  }

  @Test func `changes fields within the rules alone`() throws {
    let fighter = WatchTestData.quest().fighter
    let changed = try FighterChange.apply("level=5,multiplier=1.5,evasion=12.5", to: fighter)
    #expect(changed.level == 5)
    #expect(changed.multiplier == 384)
    #expect(changed.evasion == 32)
    for wrong in ["level=201", "level=x", "wisdom=3", "level", "evasion=90", "multiplier=0"] {
      #expect(throws: CommandFailure.self) { try FighterChange.apply(wrong, to: fighter) }
    }
  }
}
