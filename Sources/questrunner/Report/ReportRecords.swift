import Entities
import Terminal

/// A report for other programs.
enum ReportRecords {
  // MARK: JSON

  static func json(_ report: QuestReport) -> String {
    let run = report.run
    return object([
      ("run", "\(report.id)"), ("state", quoted(run.state.rawValue)),
      ("mode", quoted(run.mode.rawValue)), ("seed", "\(run.seed)"), ("rules", "\(run.rules)"),
      ("foes", "\(run.settings.foes)"), ("goal", run.settings.goal.map { "\($0)" } ?? "null"),
      ("limit", "\(run.settings.limit)"), ("enemies_query", quoted(run.enemies)),
      ("adventurers_query", quoted(run.adventurers)), ("total", statistics(report.total, report)),
      (
        "adventurers",
        list(
          report.parts.map { part in
            object(
              [
                ("adventurer", "\(part.adventurer)"), ("name", quoted(part.name)),
                ("results", statistics(part.statistics, report)),
              ] + examples(part, report))
          })
      ),
    ]) + "\n"
  }

  private static func examples(
    _ part: QuestReport.Part, _ report: QuestReport
  ) -> [(String, String)] {
    report.examples(part).map { example in
      let result = example.result
      return (
        example.name,
        object([
          ("quest", "\(example.quest)"), ("outcome", quoted("\(result.outcome)")),
          ("ticks", "\(result.tick)"), ("kills", "\(result.kills)"),
          ("level", "\(result.level)"), ("experience", "\(result.experience)"),
          ("damage_done", "\(result.dealt)"), ("damage_taken", "\(result.taken)"),
          ("replay", quoted(example.command)),
        ])
      )
    }
  }

  private static func statistics(
    _ statistics: QuestStatistics, _ report: QuestReport
  ) -> String {
    var members = [
      ("quests", "\(statistics.count)"), ("wins", "\(statistics.wins)"),
      ("falls", "\(statistics.falls)"), ("timeouts", "\(statistics.timeouts)"),
    ]
    if report.run.settings.goal != nil, let (rate, low, high) = statistics.winRate {
      members.append(
        (
          "win_rate",
          object([("rate", "\(rate)"), ("low", "\(low)"), ("high", "\(high)")])
        ))
    }
    members += statistics.measures.map { ($0.key, measure($0)) }
    return object(members)
  }

  private static func measure(_ measure: ReportMeasure) -> String {
    let percentiles = ReportMeasure.percentiles.map { thousandth, _ in
      (
        "\(Double(thousandth) / 10)",
        measure.percentile(thousandth).map { "[\($0.low),\($0.high)]" } ?? "null"
      )
    }
    let bins = measure.measure.histogram.bins.map { bin in
      "[\(bin.values.lowerBound),\(bin.values.upperBound),\(bin.count)]"
    }
    return object([
      ("mean", measure.mean.map { "\($0)" } ?? "null"),
      ("mean_error", measure.meanError.map { "\($0)" } ?? "null"),
      ("percentiles", object(percentiles)), ("histogram_divisor", "\(measure.divisor)"),
      ("histogram", list(bins)),
    ])
  }

  private static func quoted(_ text: String) -> String { JSONText.quoted(text) }

  private static func list(_ values: [String]) -> String {
    "[" + values.joined(separator: ",") + "]"
  }

  private static func object(_ members: [(String, String)]) -> String {
    "{" + members.map { quoted($0.0) + ":" + $0.1 }.joined(separator: ",") + "}"
  }

  // MARK: CSV

  /// A row for each adventurer and measure; the rate of wins is one of them.
  static func csv(_ report: QuestReport) -> String {
    let names =
      ["run", "adventurer", "name", "measure", "quests", "mean", "low", "high"]
      + ["least", "p05", "p25", "p50", "p75", "p95", "most"]
    let numeric = Set(names).subtracting(["name", "measure"])
    var writer = RowWriter(
      .csv, columns: names.map { OutputColumn($0, isNumeric: numeric.contains($0)) })
    var text = writer.head()
    for part in report.parts {
      let start: [OutputValue] = [
        .number("\(report.id)"), .number("\(part.adventurer)"), .text(part.name),
      ]
      let count = OutputValue.number("\(part.statistics.count)")
      if report.run.settings.goal != nil, let (rate, low, high) = part.statistics.winRate {
        text += writer.row(
          start + [.text("win_rate"), count, .number("\(rate)")]
            + [.number("\(low)"), .number("\(high)")]
            + [OutputValue](repeating: .absent, count: 7))
      }
      for measure in part.statistics.measures {
        text += writer.row(start + [.text(measure.key), count] + row(measure))
      }
    }
    return text + writer.tail()
  }

  private static func row(_ measure: ReportMeasure) -> [OutputValue] {
    let error = measure.meanError ?? 0
    let bounds = measure.mean.map { [$0, $0 - error, $0 + error] }
    let means: [OutputValue] =
      bounds.map { $0.map { .number("\($0)") } } ?? [.absent, .absent, .absent]
    return means
      + ReportMeasure.percentiles.map { thousandth, _ in
        measure.percentile(thousandth).map { .number("\(($0.low + $0.high) / 2)") } ?? .absent
      }
  }
}
