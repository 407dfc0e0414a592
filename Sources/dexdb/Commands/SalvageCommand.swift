import Entities
import PageStore
import Terminal

extension Command {
  static let salvage = Command(
    name: "salvage", operands: "OUT",
    summary: "Save what can be read of a damaged database to a new file.",
    details: [
      "The damaged file is only read. What was saved is made to fit "
        + "together, so that the new database can be used at once: its indexes are built anew, "
        + "references to lost records are cleared, and records are left out that cannot be without "
        + "those, such as the forms of a Pokémon.",
      "The records of each entity are counted, those that are there and those that are lost, and so "
        + "is what was done to them. The exit code is 3 where anything but indexes is missing. OUT "
        + "must not be there yet; where nothing can be saved, or an interrupt comes, it is not made.",
    ],
    examples: [Example("dexdb -f broken.dex salvage saved.dex", "what is left")]
  ) { context in
    try context.checkOperandCount(1...1)
    let path = context.arguments.operands[0]
    try context.checkOtherFile(path)
    context.catchSignals()
    let salvaged = try save(to: path, context)
    for records in salvaged.records {
      context.output.write(context.safe(text(of: records)) + "\n")
    }
    for problem in salvaged.pages.problems { context.note(CommandFailure(problem).message) }
    for note in notes(salvaged) { context.note(note) }
    for repair in salvaged.repairs { context.note(text(of: repair)) }
    if salvaged.isComplete { return context.note("nothing is missing") }
    if salvaged.hasAllRecords {
      return context.note("every record is there; indexes were damaged, and are built anew")
    }
    let isSure = salvaged.records.contains { $0.lostCount.map { $0 > 0 } ?? false }
    throw CommandFailure(
      "\(isSure ? "something is" : "something may be") missing; what is there is sound, in \(path)",
      exitCode: .damaged)
  }

  private static func save(
    to path: String, _ context: CommandContext
  ) throws -> SalvagedDatabase {
    var progress = Progress("salvage", unit: "rows")
    defer { progress.finish() }
    // Named first: with a typed error in between, the compiler of Swift 6.3 loses the array.
    let entities = Pokedex.entities
    let note: (Int) -> Bool = { rowCount in
      progress.note(rowCount)
      return !context.isInterrupted
    }
    do throws(DatabaseError) {
      return try Database.salvage(
        from: context.databasePath, to: path, entities: entities, progress: note)
    } catch {
      if case .store(.system(.open, let missing, 2)) = error,
        !SystemCalls.isRegularFile(context.databasePath)
      {
        throw context.missingDatabase(missing)
      }
      throw error
    }
  }

  private static func text(of records: SalvagedDatabase.Records) -> String {
    let text = "\(records.entity): \(records.count.counted("record"))"
    switch records.lostCount {
    case 0: return text
    case let count?: return "\(text), \(count) lost"
    case nil: return "\(text), some may be lost"
    }
  }

  /// What else is to be said of what was found.
  private static func notes(_ salvaged: SalvagedDatabase) -> [String] {
    var notes: [String] = []
    let pages = salvaged.pages
    if pages.mayHoldDeletedRows {
      notes.append("records that were deleted or changed may be back as they were before")
    }
    let transactions = pages.lostTransactions.reduce(UInt64(0)) {
      $0 &+ ($1.upperBound.rawValue &- $1.lowerBound.rawValue) &+ 1
    }
    if transactions > 0 { notes.append("transactions of the log that are lost: \(transactions)") }
    if pages.skippedOperationCount > 0 {
      notes.append("changes in the log that fit nothing: \(pages.skippedOperationCount)")
    }
    for name in salvaged.assumedSchemas {
      notes.append("\(name): the schema is lost; the records fit that of this program")
    }
    let unknown = salvaged.unknownTables
    if let first = unknown.first {
      let rest = unknown.count > 1 ? " and \(unknown.count - 1) more" : ""
      notes.append("no command finds what lost its name or schema: '\(first)'\(rest)")
    }
    return notes
  }

  private static func text(of repair: SalvagedDatabase.Repair) -> String {
    let place = repair.field.map { "\(repair.entity).\($0)" } ?? repair.entity
    let isOne = repair.count == 1
    let records = repair.count.counted("record")
    let cleared = isOne ? "was cleared" : "were cleared"
    let left = isOne ? "was left out" : "were left out"
    switch repair.kind {
    case .unreadable: return "\(place): \(records) that cannot be read \(left)"
    case .clearedValue:
      return "\(place): \(repair.count.counted("value")) against a rule \(cleared)"
    case .clearedReference:
      let references = repair.count.counted(
        "reference to a lost record", "references to lost records")
      return "\(place): \(references) \(cleared)"
    case .brokenRule: return "\(place): \(records) whose value breaks a rule \(left)"
    case .lostTarget:
      return "\(place): \(records) \(left), whose other record is lost"
    }
  }
}
