import PageStore
import Terminal

@testable import Entities
@testable import questrunner

/// Statistics of quests, two to an input, and reports of them.
enum FuzzedStatistics {
  static func seeds() throws(QuestError) -> [[UInt8]] {
    let part = try FuzzedQuest.part()
    return [
      part.statistics.flatMap { FuzzedQuest.counted($0.encoded) }, [0, 0, 0, 0],
      FuzzedQuest.counted(part.statistics[0].encoded),
    ]
  }

  static func read(_ bytes: [UInt8]) throws(FuzzFinding) {
    var feed = ByteFeed(bytes)
    var found: [QuestStatistics] = []
    while !feed.isEmpty, found.count < 4 {
      if let statistics = QuestStatistics(untrusted: feed.take(feed.u16())) {
        found.append(statistics)
      }
    }
    for statistics in found {
      let again = QuestStatistics(untrusted: statistics.encoded)
      try FuzzFinding.unless(
        again == statistics, "statistics are written as what is read as others")
    }
    guard case .success(let plan) = plan else { throw FuzzFinding("no plan can be made") }
    try report(found, plan)
  }

  private static let plan = Result { () throws(QuestError) in try FuzzedQuest.plan(.campaign) }

  /// Writes a report in every form.
  static func report(
    _ statistics: [QuestStatistics], _ plan: QuestPlan
  ) throws(FuzzFinding) {
    let parts = statistics.enumerated().map { place, statistics in
      QuestReport.Part(
        adventurer: EntityID(UInt64(place)), name: "Ann", statistics: statistics)
    }
    let report = QuestReport(id: EntityID(1), run: QuestRun(plan), parts: parts)
    let styling = Styling()
    let texts = [
      ReportText(report: report, styling: styling, columns: 80).text(),
      ReportPage(report: report).html(), ReportRecords.json(report), ReportRecords.csv(report),
    ]
    try FuzzFinding.unless(
      texts.allSatisfy { $0.utf8.count < 1 << 20 }, "a report of a mebibyte")
  }
}

/// Databases for one input.
enum FuzzedDatabase {
  static func make(_ entities: [any Entity.Type]) throws -> Database {
    var options = FuzzedPages.options
    options.logHalfByteCount = 1 << 18
    options.logHalfCapacity = 1 << 20
    let store = try Store(path: "memory", options: options, fileSystem: FuzzFiles())
    return try Database(store, entities: entities)
  }
}
