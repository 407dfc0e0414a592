import Entities
import PageStore
import Terminal

extension Command {
  static let check = Command(
    name: "check", operands: "", summary: "Look at every page and record, and say what is wrong.",
    details: [
      "Changes nothing, and reads damaged files too. Exit code 3 where something is wrong."
    ],
    examples: [Example("dexdb check", "is all well?")]
  ) { context in
    try context.checkOperandCount(0...0)
    let path = context.databasePath
    var options = StoreOptions()
    options.isReadOnly = true
    options.createsFile = false
    let report = try checkReport(of: path, context, options)
    for problem in report.problems {
      context.output.write(context.safe(CommandFailure(problem).message) + "\n")
    }
    if report.problemCount > report.problems.count {
      context.output.write("and \(report.problemCount - report.problems.count) more\n")
    }
    if !report.isClean {
      throw CommandFailure(
        "\(path): \(report.problemCount) problems",
        help: ["\(Program.name) salvage OUT saves what can be read"], exitCode: .damaged)
    }
    let database = try context.openForReading()
    let records = try database.check()
    for problem in records.problems {
      let place =
        problem.entity + (problem.id.map { " \($0)" } ?? "")
        + (problem.field.map { ".\($0)" } ?? "")
      context.output.write(context.safe("\(place): \(problem.problem)") + "\n")
    }
    if records.problemCount > 0 {
      throw CommandFailure(
        "\(path): \(records.problemCount) problems in records and indexes",
        help: ["\(Program.name) export saves the records"], exitCode: .damaged)
    }
    let rowCount = report.tables.reduce(0) { $0 + $1.rowCount }
    context.output.write("pages: \(report.livePageCount) in use, all sound\n")
    context.output.write("tables: \(report.tables.count) with \(rowCount) rows\n")
    context.output.write("records: every one can be read, and every index agrees with them\n")
  }

  static let backup = Command(
    name: "backup", operands: "FILE",
    summary: "Copy the database to a new file while others go on using it.",
    details: ["The copy is checked before it gets its name. Nothing is ever replaced."],
    examples: [Example("dexdb backup pokedex-copy.dex", "a copy as small as it can be")]
  ) { context in
    try context.checkOperandCount(1...1)
    let path = context.arguments.operands[0]
    try context.checkOtherFile(path)
    let database = try context.openForReading()
    try database.store.backup(to: path)
    context.note("copied \(context.databasePath) to \(path)")
  }

  static let compact = Command(
    name: "compact", operands: "", summary: "Give the space of free pages back to the system.",
    examples: [Example("dexdb compact", "after much was deleted")]
  ) { context in
    try context.checkOperandCount(0...0)
    let database = try context.openForWriting()
    let byteCount = try database.store.compact()
    try context.close(database)
    context.note("the file is \(byteCount) bytes shorter")
  }

  static let salvage = Command(
    name: "salvage", operands: "OUT",
    summary: "Save what can be read of a damaged database to a new file.",
    details: ["The damaged file is only read."],
    examples: [Example("dexdb -f broken.dex salvage saved.dex", "what is left")]
  ) { context in
    try context.checkOperandCount(1...1)
    let path = context.arguments.operands[0]
    try context.checkOtherFile(path)
    let report: SalvageReport
    do {
      report = try Store.salvage(from: context.databasePath, to: path)
    } catch StoreError.system(.open, let missing, let code)
      where code == 2 && missing == context.databasePath
    {
      throw context.missingDatabase(missing)
    }
    for table in report.tables {
      let expected = table.expectedRowCount.map { " of \($0)" } ?? ""
      context.output.write(context.safe("\(table.name): \(table.rowCount)\(expected) rows") + "\n")
    }
    for problem in report.problems { context.note(CommandFailure(problem).message) }
    context.note(report.isComplete ? "nothing is missing" : "something is missing")
  }

  static let statistics = Command(
    name: "stats", operands: "[OPTIONS]",
    summary: "How large the database is, and what its tables take.", options: RowOutput.options,
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
    var rows: [[OutputValue]] = []
    for name in try snapshot.tableNames() {
      let table = try snapshot.tableStatistics(name)
      let pageCount = table.branchPageCount + table.leafPageCount + table.overflowPageCount
      rows.append([
        .text(name), .number("\(table.rowCount)"), .number("\(pageCount)"),
        .number("\(pageCount * statistics.pageByteCount)"), .number("\(table.levelCount)"),
        .number(ExactDecimal.rounded(table.fill * 100)),
      ])
    }
    let columns = ["rows", "pages", "bytes", "levels", "fill%"]
    output.write(
      [OutputColumn("table")] + columns.map { OutputColumn($0, isNumeric: true) }, rows)
    context.afterwards =
      "\(context.databasePath): \(statistics.fileByteCount) bytes, "
      + "\(statistics.livePageCount) pages in use, \(statistics.freePageCount) free, "
      + "transaction \(statistics.published.rawValue)"
  }
}

/// What is wrong with a database, whether it can be opened or not.
private func checkReport(
  of path: String, _ context: CommandContext, _ options: StoreOptions
) throws -> CheckReport {
  do {
    let store = try Store(path: path, options: options)
    let report = try store.check()
    try store.close()
    return report
  } catch StoreError.system(.open, _, let code) where code == 2 {
    throw context.missingDatabase(path)
  } catch {
    guard CommandFailure(error).exitCode == .damaged else { throw error }
    return try Store.check(path: path)
  }
}
