import Entities
import Terminal

extension Command {
  static let runs = Command(
    name: "runs", operands: "[RUN]",
    summary: "List the runs, or the results of one.",
    examples: [
      CommandExample("questrunner runs", "all of them"),
      CommandExample("questrunner runs 3", "run 3, an adventurer a line"),
    ]
  ) { context in
    try context.checkOperandCount(0...1)
    let database = try context.open(isReadOnly: true)
    if let text = context.arguments.operands.first {
      guard let number = UInt64(text) else {
        throw CommandFailure.usage("'\(text)' is no run", "the number that runs shows")
      }
      return try RunSummary.write(try QuestRunner(EntityID(number), in: database), context)
    }
    try RunSummary.list(database, context)
  }

  static let rest = Command(
    name: "rest", operands: "[QUERY…]",
    summary: "Give adventurers all of their hit points back.",
    examples: [CommandExample("questrunner rest is:hurt", "all who need it")]
  ) { context in
    let database = try context.open(isReadOnly: false)
    let text = context.arguments.operands.joined(separator: " ")
    let query = try QueryReading(database, about: Adventurer.schema.name).query(text)
    if query.entity != Adventurer.schema.name {
      throw CommandFailure.usage("only adventurers rest", "leave out from: in '\(text)'")
    }
    let count = try database.write { (transaction: inout DatabaseTransaction) throws -> Int in
      var count = 0
      for id in try transaction.findIDs(query) {
        guard var adventurer = try transaction.get(Adventurer.self, id),
          adventurer.currentHitPoints != adventurer.totalHitPoints
        else { continue }
        adventurer.currentHitPoints = adventurer.totalHitPoints
        try transaction.update(adventurer, id: id)
        count += 1
      }
      return count
    }
    context.note("\(count) rested")
  }
}

/// Shows what is kept of runs.
enum RunSummary {
  static func list(_ database: Database, _ context: CommandContext) throws {
    let columns = [
      OutputColumn("run", isNumeric: true), OutputColumn("state", isNumeric: false),
      OutputColumn("mode", isNumeric: false), OutputColumn("seed", isNumeric: true),
      OutputColumn("quests", isNumeric: true), OutputColumn("done", isNumeric: true),
      OutputColumn("wins", isNumeric: true), OutputColumn("losses", isNumeric: true),
      OutputColumn("adventurers", isNumeric: false), OutputColumn("enemies", isNumeric: false),
    ]
    var rows: [[OutputValue]] = []
    let snapshot = try database.snapshot()
    if try snapshot.entityNames().contains(QuestRun.schema.name) {
      rows = try snapshot.find(QuestRun.self).map { row($0.id, $0.value) }
    }
    context.write(columns, rows)
  }

  private static func row(_ id: EntityID, _ run: QuestRun) -> [OutputValue] {
    [
      .number("\(id)"), .text(run.state.rawValue), .text(run.mode.rawValue),
      .number("\(run.seed)"), .number("\(run.quests)"), .number("\(run.done)"),
      .number("\(run.wins)"), .number("\(run.losses)"), query(run.adventurers),
      query(run.enemies),
    ]
  }

  /// A query, which is absent where everybody is meant.
  private static func query(_ text: String) -> OutputValue { text.isEmpty ? .absent : .text(text) }

  static func write(_ runner: QuestRunner, _ context: CommandContext) throws {
    let columns = [
      OutputColumn("adventurer", isNumeric: true), OutputColumn("name", isNumeric: false),
      OutputColumn("quests", isNumeric: true), OutputColumn("wins", isNumeric: true),
      OutputColumn("losses", isNumeric: true), OutputColumn("timeouts", isNumeric: true),
      OutputColumn("kills", isNumeric: true), OutputColumn("level", isNumeric: true),
      OutputColumn("experience", isNumeric: true), OutputColumn("digest", isNumeric: false),
    ]
    let rows = try runner.results().map { result -> [OutputValue] in
      let (value, statistics) = (result.value, result.value.statistics)
      return [
        .number("\(value.adventurer)"), .text(value.name), .number("\(value.done)"),
        .number("\(statistics.wins)"), .number("\(statistics.falls)"),
        .number("\(statistics.timeouts)"), .number("\(statistics.kills.sum)"),
        .number("\(value.level)"), .number("\(value.experience)"),
        .text(String(statistics.digest, radix: 16)),
      ]
    }
    context.write(columns, rows)
  }
}
