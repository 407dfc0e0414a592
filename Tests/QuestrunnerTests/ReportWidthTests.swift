import Terminal
import Testing

@testable import Entities
@testable import questrunner

@Suite struct `A report on a screen` {
  private static func statistics() -> QuestStatistics {
    var statistics = QuestStatistics()
    for number in 0..<5_000 {
      let result = QuestResult(
        outcome: number % 7 == 0 ? .win : .fall, tick: Int64(number) * 977, events: 1,
        kills: number % 60, level: 1 + number / 60, hitPoints: 1, totalHitPoints: 1, experience: 7,
        dealt: Int64(number) * 8191 % 1_000_003, taken: Int64(number))
      statistics.add(result, quest: UInt64(number), of: 5_000)
    }
    return statistics
  }

  @Test(arguments: [QuestMode.sample, .campaign], [40, 57, 80])
  func `is no wider than that`(mode: QuestMode, columns: Int) {
    let adventurer = WatchTestData.quest(1).fighter
    var settings = QuestSettings()
    settings.goal = 6
    let plan = QuestPlan(
      seed: 5, mode: mode, quests: 5_000, settings: settings, roster: [adventurer],
      table: WatchTestData.table)
    let parts = [1, 2].map { number in
      QuestReport.Part(
        adventurer: EntityID(number), name: "Anabel of the Hills and the Lakes Beyond",
        statistics: Self.statistics())
    }
    let report = QuestReport(id: EntityID(123), run: QuestRun(plan), parts: parts)
    let text = ReportText(report: report, styling: Styling(), columns: columns).text()
    let lines = text.split(separator: "\n").map { String($0) }
    for line in lines { #expect(DisplayWidth.of(line) <= columns, "\(line)") }
    #expect(lines.count > 40 && text.contains("Damage taken"))
    let words = Set(text.split { $0 == " " || $0 == "\n" }.map { String($0) })
    #expect(ReportMeasure.percentiles.map(\.1).allSatisfy(words.contains))
    #expect(mode == .sample || text.contains("from the first quests"))
  }
}
