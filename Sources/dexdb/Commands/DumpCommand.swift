import Entities
import PageStore
import Terminal

extension Command {
  static let dump = Command(
    name: "dump", operands: "[OPTIONS]",
    summary: "Write everything as JSON Lines, in one order, so that restore makes it again.",
    details: [
      "Entities come by name and records by number, each with the fields that it has, as they are "
        + "stored: a decimal as its parts, a date as milliseconds since 1970, bytes in hexadecimal. "
        + "The same content is the same bytes. The last line counts the records, so that a dump "
        + "that was cut off is known for one.",
      "export writes the records of one entity for people and other programs.",
    ],
    options: [
      OptionDefinition(
        "--output", short: "-o", value: "FILE",
        "a file instead of standard output; an old one is replaced")
    ],
    examples: [
      Example("dexdb dump > pokedex.jsonl", "all of it"),
      Example("dexdb dump -o before.jsonl", "to look at what changes with diff"),
    ]
  ) { context in
    try context.checkOperandCount(0...0)
    let database = try context.openForReading()
    guard let path = context.arguments["--output"] else {
      var writer = DumpWriter(context)
      try writer.run(database) { context.output.write($0) }
      return
    }
    try context.checkOtherFile(path)
    context.catchSignals()
    let file = try OutputFile(path)
    var writer = DumpWriter(context)
    do {
      try writer.run(database) { try file.write($0) }
      try file.close()
    } catch {
      file.abandon()
      throw error
    }
    context.note("wrote \(writer.recordCount.counted("record")) to \(path)")
  }
}

/// What lines of a dump are called.
enum DumpLine {
  static let version = 1
  static let head = "dexdb-dump"
  static let migration = "migration"
  static let entity = "entity"
  static let record = "#"
  static let end = "end"
}

/// Writes a dump.
struct DumpWriter {
  private let context: CommandContext
  private(set) var recordCount = 0

  init(_ context: CommandContext) { self.context = context }

  mutating func run(_ database: Database, _ write: (String) throws -> Void) throws {
    let snapshot = try context.snapshot(of: database)
    try write("{\"\(DumpLine.head)\": \(DumpLine.version)}\n")
    for migration in try snapshot.appliedMigrations() {
      try write(
        "{\"\(DumpLine.migration)\": \(JSONText.quoted(migration.name)), \"entities\": "
          + JSONText.text(of: .list(migration.entities)) + "}\n")
    }
    let entities = try snapshot.dumpedEntities()
    var total = 0
    for entity in entities { total += try snapshot.count(entity.schema.name) }
    var progress = Progress("dump", unit: "records", total: total)
    defer { progress.finish() }
    for entity in entities {
      try write(Self.line(of: entity))
      try writeRecords(of: entity.schema, snapshot, &progress, write)
    }
    try write("{\"\(DumpLine.end)\": \(recordCount)}\n")
  }

  private static func line(of entity: DumpedEntity) -> String {
    let names = entity.schema.fields.map(\.name)
    let stored = ValueText.output(.bytes(entity.storedSchema), .bytes)
    return "{\"\(DumpLine.entity)\": \(JSONText.quoted(entity.schema.name)), "
      + "\"next\": \(entity.nextID), \"fields\": \(JSONText.text(of: .list(names))), "
      + "\"schema\": \(JSONText.text(of: stored))}\n"
  }

  private mutating func writeRecords(
    of schema: Schema, _ snapshot: DatabaseSnapshot, _ progress: inout Progress,
    _ write: (String) throws -> Void
  ) throws {
    var failure: (any Error)?
    try snapshot.forEach(schema.name) { id, record throws(DatabaseError) in
      do {
        try context.checkInterruption()
        try write(Self.line(of: record, id, schema))
      } catch {
        failure = error
        return false
      }
      recordCount += 1
      progress.note(recordCount)
      return true
    }
    if let failure { throw failure }
  }

  private static func line(of record: Record, _ id: EntityID, _ schema: Schema) -> String {
    var line = "{\"\(DumpLine.record)\": \(id)"
    for field in schema.fields {
      guard let value = record[field.name] else { continue }
      line += ", \(JSONText.quoted(field.name)): \(JSONText.text(of: exact(value)))"
    }
    return line + "}\n"
  }

  /// The value as it is stored.
  static func exact(_ value: FieldValue) -> OutputValue {
    if case .integer(let number) = value { return .number(String(number)) }
    return ValueText.output(value, .integer)
  }
}
