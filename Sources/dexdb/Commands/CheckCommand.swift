import Entities
import PageStore
import Terminal

extension Command {
  static let check = Command(
    name: "check", operands: "[OPTIONS]",
    summary: "Look at every page and record, and say what is wrong.",
    details: [
      "Changes nothing, and reads damaged files too. Exit code 3 where something is wrong."
    ],
    options: [OptionDefinition("--json", "one object of JSON")],
    examples: [
      Example("dexdb check", "is all well?"), Example("dexdb check --json", "for another program"),
    ]
  ) { context in
    try context.checkOperandCount(0...0)
    let findings = try CheckFindings(of: context.databasePath, context)
    context.output.write(context.arguments.has("--json") ? findings.json : findings.text(context))
    if let failure = findings.failure { throw failure }
  }
}

/// What a check found, of pages and of records.
private struct CheckFindings {
  private let path: String
  private let pages: CheckReport
  /// Nil where the pages are too damaged to look at the records.
  private var records: DatabaseReport?

  init(of path: String, _ context: CommandContext) throws {
    self.path = path
    var options = StoreOptions()
    options.isReadOnly = true
    options.createsFile = false
    pages = try Self.pages(of: path, context, options)
    if !pages.isClean { return }
    var progress = Progress("check", unit: "rows")
    defer { progress.finish() }
    records = try context.openForReading().check { checked in
      progress.note(checked.rowCount, of: checked.totalRowCount)
      return !context.isInterrupted
    }
  }

  /// What is wrong with a file, whether it can be opened or not.
  private static func pages(
    of path: String, _ context: CommandContext, _ options: StoreOptions
  ) throws -> CheckReport {
    var progress = Progress("check", unit: "pages")
    defer { progress.finish() }
    func note(_ checked: PageCheckProgress) -> Bool {
      progress.note(checked.pageCount, of: checked.totalPageCount)
      return !context.isInterrupted
    }
    do {
      let store = try Store(path: path, options: options)
      let report = try store.check(progress: note)
      try store.close()
      return report
    } catch StoreError.system(.open, _, let code) where code == 2 {
      throw context.missingDatabase(path)
    } catch {
      guard CommandFailure(error).exitCode == .damaged else { throw error }
      return try Store.check(path: path, progress: note)
    }
  }

  private var rowCount: Int { pages.tables.reduce(0) { $0 + $1.rowCount } }

  var failure: CommandFailure? {
    if !pages.isClean {
      return CommandFailure(
        "\(path): \(pages.problemCount.counted("problem"))",
        help: ["\(Program.name) salvage OUT saves what can be read"], exitCode: .damaged)
    }
    guard let records, !records.isClean else { return nil }
    return CommandFailure(
      "\(path): \(records.problemCount.counted("problem")) in records and indexes",
      help: ["\(Program.name) salvage OUT saves the records, with indexes that are built anew"],
      exitCode: .damaged)
  }

  func text(_ context: CommandContext) -> String {
    var text = ""
    for problem in pages.problems {
      text += context.safe(CommandFailure(problem).message) + "\n"
    }
    if pages.problemCount > pages.problems.count {
      text += "and \(pages.problemCount - pages.problems.count) more\n"
    }
    for problem in records?.problems ?? [] {
      let place = problem.entity + (problem.id.map { " \($0)" } ?? "")
      text +=
        context.safe(place + (problem.field.map { ".\($0)" } ?? "") + ": \(problem.problem)") + "\n"
    }
    if let records, records.problemCount > records.problems.count {
      text += "and \(records.problemCount - records.problems.count) more\n"
    }
    if failure != nil { return text }
    return text + "pages: \(pages.livePageCount) in use, all sound\n"
      + "tables: \(pages.tables.count) with \(rowCount.counted("row"))\n"
      + "records: every one can be read, and every index agrees with them\n"
  }

  var json: String {
    var problems = pages.problems.map { problem in
      "{\"what\": \(JSONText.quoted(CommandFailure(problem).message))}"
    }
    for problem in records?.problems ?? [] {
      var entry = "{\"entity\": \(JSONText.quoted(problem.entity))"
      if let id = problem.id { entry += ", \"id\": \(id)" }
      if let field = problem.field { entry += ", \"field\": \(JSONText.quoted(field))" }
      problems.append(entry + ", \"what\": \(JSONText.quoted(problem.problem))}")
    }
    let counts = (records?.recordCounts ?? [:]).sorted { $0.key < $1.key }
      .map { "\(JSONText.quoted($0.key)): \($0.value)" }
    let isClean = failure == nil
    return "{\"path\": \(JSONText.quoted(path)), \"clean\": \(isClean), "
      + "\"pages\": \(pages.livePageCount), \"tables\": \(pages.tables.count), "
      + "\"rows\": \(rowCount), \"records\": {\(counts.joined(separator: ", "))}, "
      + "\"indexes\": \(records?.indexCount ?? 0), "
      + "\"problemCount\": \(pages.problemCount + (records?.problemCount ?? 0)), "
      + "\"problems\": [\(problems.joined(separator: ", "))]}\n"
  }
}
