import Entities
import PageStore
import Terminal

extension Command {
  static let salvage = Command(
    name: "salvage", operands: "OUT",
    summary: "Save what can be read of a damaged database to a new file.",
    details: [
      "The damaged file is only read. Where something is missing, what was saved is made to fit "
        + "together, so that the new database can be used at once: its indexes are built anew, "
        + "references to lost records are cleared, and records are left out that cannot be without "
        + "those, such as the forms of a Pokémon. What was done is counted, and the exit code is 3 where anything but indexes is missing."
    ],
    examples: [Example("dexdb -f broken.dex salvage saved.dex", "what is left")]
  ) { context in
    try context.checkOperandCount(1...1)
    let path = context.arguments.operands[0]
    try context.checkOtherFile(path)
    context.catchSignals()
    let salvaged = try save(to: path, context)
    for table in salvaged.pages.tables {
      let expected = table.expectedRowCount.map { " of \($0)" } ?? ""
      context.output.write(context.safe("\(table.name): \(table.rowCount)\(expected) rows") + "\n")
    }
    for problem in salvaged.pages.problems { context.note(CommandFailure(problem).message) }
    for name in salvaged.assumedSchemas {
      context.note("\(name): the schema is lost; the records fit that of this program")
    }
    for name in salvaged.unknownTables {
      context.note("'\(name)' has records whose schema is lost: no command finds them")
    }
    for repair in salvaged.repairs { context.note(text(of: repair)) }
    if salvaged.isComplete { return context.note("nothing is missing") }
    if salvaged.hasAllRecords {
      return context.note("every record is there; indexes were damaged, and are built anew")
    }
    throw CommandFailure(
      "something is missing; what is there is sound, in \(path)",
      help: ["\(Program.name) -f \(path) check tells what there is"], exitCode: .damaged)
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
      if case .store(.system(.open, let missing, 2)) = error, missing == context.databasePath {
        throw context.missingDatabase(missing)
      }
      throw error
    }
  }

  private static func text(of repair: SalvagedDatabase.Repair) -> String {
    let place = repair.field.map { "\(repair.entity).\($0)" } ?? repair.entity
    let isOne = repair.count == 1
    let records = isOne ? "1 record" : "\(repair.count) records"
    let cleared = isOne ? "was cleared" : "were cleared"
    let left = isOne ? "was left out" : "were left out"
    switch repair.kind {
    case .unreadable: return "\(place): \(records) that cannot be read \(left)"
    case .clearedValue:
      return "\(place): \(repair.count) \(isOne ? "value" : "values") against a rule \(cleared)"
    case .clearedReference:
      let noun = isOne ? "reference to a lost record" : "references to lost records"
      return "\(place): \(repair.count) \(noun) \(cleared)"
    case .brokenRule: return "\(place): \(records) whose value breaks a rule \(left)"
    case .lostTarget:
      return "\(place): \(records) \(left), whose other record is lost"
    }
  }
}
