import Entities
import Terminal

extension Command {
  static let report = Command(
    name: "report", operands: "[RUN]",
    summary: "Tell what is known of a run: rates, means, percentiles, histograms.",
    details: [
      "Without RUN, the newest one. Intervals are of 95%: Wilson's for the rate of wins, the normal "
        + "one for means. Numbers with ~ are known to a thirty-second part.",
      "The best, the median and the worst quest of each adventurer stand with the command that "
        + "replays them.",
    ],
    options: [
      OptionDefinition("--json", "one object, for programs"),
      OptionDefinition("--csv", "a row for each adventurer and measure"),
      OptionDefinition("--html", value: "FILE", "one page with charts, for screens and paper"),
      CommandContext.noPager,
    ],
    examples: [
      CommandExample("questrunner report", "the newest run"),
      CommandExample("questrunner report --html run.html 3", "run 3 as a page"),
    ]
  ) { context in
    try context.checkOperandCount(0...1)
    let forms = ["--json", "--csv", "--html"].filter { context.arguments.has($0) }
    if forms.count > 1 {
      throw CommandFailure.usage(
        "\(forms.joined(separator: " and ")) contradict each other", "choose one")
    }
    let database = try context.open(isReadOnly: true)
    let id = try ReportedRun.id(context.arguments.operands.first, database)
    let report = try QuestReport(try QuestRunner(id, in: database))
    if let path = context.arguments["--html"] {
      let page = Array(ReportPage(report: report).html().utf8)
      if path == "-" { return context.output.write(bytes: page) }
      do throws(FileFailure) {
        try SystemCalls.refuseOthers(than: ReportPage.fileKind, path)
        try SystemCalls.write(page, toFile: path)
      } catch {
        throw CommandFailure("\(error.path): \(error.reason)", help: ["nothing else was changed"])
      }
      return context.note("\(path) tells of run \(id)")
    }
    if context.arguments.has("--json") {
      return context.output.write(ReportRecords.json(report))
    }
    if context.arguments.has("--csv") { return context.output.write(ReportRecords.csv(report)) }
    let columns = SystemCalls.terminalSize(1)?.columns ?? 80
    context.output.write(
      ReportText(report: report, styling: context.styling, columns: columns).text())
  }
}

/// Finds the run that is meant.
enum ReportedRun {
  static func id(_ text: String?, _ database: Database) throws -> EntityID {
    if let text {
      guard let number = UInt64(text) else {
        throw CommandFailure.usage("'\(text)' is no run", "the number that runs shows")
      }
      return EntityID(number)
    }
    var newest: EntityID?
    let snapshot = try database.snapshot()
    if try snapshot.entityNames().contains(QuestRun.schema.name) {
      try snapshot.forEach(QuestRun.self) { id, _ throws(DatabaseError) in
        newest = id
        return true
      }
    }
    guard let newest else {
      throw CommandFailure(
        "there is no run yet",
        help: ["\(Program.name) run --adventurers name:ana --quests 1000 makes one"])
    }
    return newest
  }
}
