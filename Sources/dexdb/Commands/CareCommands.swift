import Entities
import PageStore
import Terminal

extension Command {
  static let backup = Command(
    name: "backup", operands: "FILE",
    summary: "Copy the database to a new file while others go on using it.",
    details: ["The copy is checked before it gets its name. Nothing is ever replaced."],
    examples: [Example("dexdb backup pokedex-copy.dex", "a copy as small as it can be")]
  ) { context in
    try context.checkOperandCount(1...1)
    let path = context.arguments.operands[0]
    try context.checkOtherFile(path)
    context.catchSignals()
    let database = try context.openForReading()
    var progress = Progress("backup", unit: "rows")
    defer { progress.finish() }
    try database.store.backup(to: path) { copied in
      progress.note(copied.rowCount, of: copied.totalRowCount)
      return !context.isInterrupted
    }
    progress.finish()
    context.note("copied \(context.databasePath) to \(path)")
  }

  static let compact = Command(
    name: "compact", operands: "", summary: "Give the space of free pages back to the system.",
    examples: [Example("dexdb compact", "after much was deleted")]
  ) { context in
    try context.checkOperandCount(0...0)
    let database = try context.openForWriting()
    var progress = Progress("compact", unit: "pages")
    defer { progress.finish() }
    let byteCount = try database.store.compact { moved in
      progress.note(moved.movedPageCount)
      return !context.isInterrupted
    }
    progress.finish()
    try context.close(database)
    context.note("the file is \(byteCount.counted("byte")) shorter")
  }

  static let statistics = Command(
    name: "stats", operands: "[OPTIONS]",
    summary: "How large the database is, and what its tables and indexes take.",
    details: [
      "A row for each table: the records of an entity, one of its indexes, or what makes a field "
        + "unique. What is said behind them is of the whole: the file, the log, and who reads."
    ],
    options: RowOutput.options,
    examples: [
      Example("dexdb stats", "pages, tables, fill"),
      Example("dexdb stats --json", "for another program"),
    ]
  ) { context in
    try context.checkOperandCount(0...0)
    let database = try context.openForReading()
    let output = try RowOutput(context)
    let statistics = try database.store.statistics()
    let snapshot = try database.store.snapshot()
    let schemas = try database.schemas()
    var rows: [[OutputValue]] = []
    for name in try snapshot.tableNames() {
      let table = try snapshot.tableStatistics(name)
      let pageCount = table.branchPageCount + table.leafPageCount + table.overflowPageCount
      rows.append([
        .text(name), .text(kind(ofTable: name, schemas)), .number("\(table.rowCount)"),
        .number("\(pageCount)"), .number("\(pageCount * statistics.pageByteCount)"),
        .number("\(table.levelCount)"), .number(ExactDecimal.rounded(table.fill * 100)),
      ])
    }
    let columns = ["rows", "pages", "bytes", "levels", "fill%"]
    output.write(
      [OutputColumn("table"), OutputColumn("kind")]
        + columns.map { OutputColumn($0, isNumeric: true) }, rows)
    context.afterwards = summary(of: statistics, context.databasePath)
  }

  /// What a table holds.
  private static func kind(ofTable name: String, _ schemas: [Schema]) -> String {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard let schema = schemas.first(where: { $0.name == parts[0] }) else { return "catalog" }
    if parts.count == 1 { return "records" }
    if parts[1] == "*" { return "index of all" }
    guard let field = schema.fields.first(where: { $0.name == parts[1] }), parts.count == 2 else {
      return "unique values"
    }
    if case .reference = field.kind { return "index of terms" }
    return field.index.map { "index of \($0)" } ?? "index of terms"
  }

  private static func summary(of statistics: StoreStatistics, _ path: String) -> String {
    var text =
      "\(path): \(statistics.fileByteCount.counted("byte")), \(statistics.livePageCount.counted("page")) in use, "
      + "\(statistics.freePageCount) free, \(statistics.pendingPageCount) waiting; log of "
      + "\(statistics.logByteCount.counted("byte")); transaction \(statistics.published.rawValue); "
      + statistics.readerCount.counted("reader")
    if let oldest = statistics.oldestReader {
      text +=
        ", the oldest in process \(oldest.processID) for \(oldest.ageMilliseconds) ms, which keeps "
        + "\(oldest.pinnedByteCount.counted("byte")) from being free"
    }
    return text
  }
}
