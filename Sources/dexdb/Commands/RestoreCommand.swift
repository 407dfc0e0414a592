import Entities
import PageStore
import Terminal

extension Command {
  static let restore = Command(
    name: "restore", operands: "DUMP|-",
    summary: "Make a new database from what dump wrote.",
    details: [
      "The file is the one that -f names, or the usual one; nothing is ever replaced. It is checked "
        + "before it gets its name, and a dump of it is the dump that it was made from."
    ],
    examples: [
      Example("dexdb -f new.dex restore pokedex.jsonl", "a database of its own"),
      Example("dexdb dump | dexdb -f copy.dex restore -", "a copy"),
    ]
  ) { context in
    try context.checkOperandCount(1...1)
    try context.checkWriting()
    let dump = context.arguments.operands[0]
    try context.checkOtherFile(dump)
    context.catchSignals()
    var reader = DumpReader(context, path: dump)
    try DatabaseCreation.create(at: context.databasePath, entities: []) { database in
      try reader.run(database)
      var progress = Progress("check", unit: "rows")
      defer { progress.finish() }
      let report = try database.check { checked in
        progress.note(checked.rowCount, of: checked.totalRowCount)
        return !context.isInterrupted
      }
      if let problem = report.problems.first {
        throw CommandFailure(
          "\(dump): \(report.problemCount.counted("problem")), the first in \(problem.entity)"
            + (problem.id.map { " \($0)" } ?? "") + ": \(problem.problem)",
          help: ["nothing was made"], exitCode: .damaged)
      }
    }
    context.note("made \(context.databasePath) with \(reader.recordCount.counted("record"))")
  }
}

/// Reads a dump into an empty database.
private struct DumpReader {
  private let context: CommandContext
  private let path: String
  private(set) var recordCount = 0
  private var lineNumber = 0
  private var schema: Schema?
  private var isEnded = false

  init(_ context: CommandContext, path: String) {
    self.context = context
    self.path = path
  }

  mutating func run(_ database: Database) throws {
    let descriptor = try SystemCalls.openForReading(path)
    defer { SystemCalls.close(descriptor) }
    var lines = InputLines(descriptor)
    var progress = Progress("restore", unit: "records")
    defer { progress.finish() }
    try database.restore { restoration in
      while let line = try lines.next() {
        lineNumber += 1
        do {
          try take(try row(line), in: &restoration)
        } catch let error as ImportError {
          throw failure(error.message, column: error.column)
        } catch let error as DatabaseError {
          throw failure(CommandFailure(error).message, column: 1)
        }
        progress.note(recordCount)
        try context.checkInterruption()
      }
      if !isEnded {
        lineNumber += 1
        throw failure("the end of the dump is missing", column: 1)
      }
    }
  }

  private func failure(_ message: String, column: Int) -> CommandFailure {
    CommandFailure("\(path):\(lineNumber):\(column): \(message)", help: ["nothing was made"])
  }

  private func row(_ line: String) throws -> ImportedRow {
    var reader = JSONReader(Array(line.utf8))
    var row: ImportedRow?
    try reader.forEachLine { found in
      if row != nil { throw ImportError(line: 1, column: 1, message: "two objects on a line") }
      row = found
    }
    guard let row else { throw ImportError(line: 1, column: 1, message: "an empty line") }
    return row
  }

  private mutating func take(_ row: ImportedRow, in restoration: inout Restoration) throws {
    guard let first = row.values.first, !isEnded else {
      throw ImportError(line: 1, column: 1, message: "nothing can stand here")
    }
    if (lineNumber == 1) != (first.name == DumpLine.head) {
      throw ImportError(
        line: 1, column: 1,
        message: lineNumber == 1 ? "this is no dump of this program" : "a second head")
    }
    switch first.name {
    case DumpLine.head:
      guard first.value == .number(String(DumpLine.version)) else {
        throw ImportError(
          line: 1, column: first.column,
          message: "a dump of version \(first.value.cell); this program knows \(DumpLine.version)")
      }
    case DumpLine.migration:
      guard case .list(let entities)? = Self.value("entities", row) else {
        throw ImportError(line: 1, column: 1, message: "no entities of the migration")
      }
      try restoration.add(migration: first.value.cell, entities: entities)
    case DumpLine.entity: try takeEntity(first.value.cell, row, in: &restoration)
    case DumpLine.record: try takeRecord(row, in: &restoration)
    case DumpLine.end:
      guard first.value == .number(String(recordCount)) else {
        throw ImportError(
          line: 1, column: first.column,
          message: "\(recordCount.counted("record")) where \(first.value.cell) should be")
      }
      isEnded = true
    default:
      throw ImportError(
        line: 1, column: first.column, message: "'\(first.name)' begins no line of a dump")
    }
  }

  private static func value(_ name: String, _ row: ImportedRow) -> OutputValue? {
    row.values.first { $0.name == name }?.value
  }

  private mutating func takeEntity(
    _ name: String, _ row: ImportedRow, in restoration: inout Restoration
  ) throws {
    guard let next = Self.value("next", row).flatMap({ UInt64($0.cell) }),
      let text = Self.value("schema", row)
    else { throw ImportError(line: 1, column: 1, message: "no schema of the entity") }
    guard
      case .bytes(let stored)? = try bytes(text.cell)
    else { throw ImportError(line: 1, column: 1, message: "no schema of the entity") }
    schema = try restoration.add(entity: name, storedSchema: stored, nextID: EntityID(next))
  }

  private func bytes(_ text: String) throws -> FieldValue? {
    do throws(ValueText.Refusal) {
      return try ValueText.value(text, of: FieldDefinition(1, "schema", .bytes))
    } catch {
      throw ImportError(line: 1, column: 1, message: error.message)
    }
  }

  private mutating func takeRecord(
    _ row: ImportedRow, in restoration: inout Restoration
  ) throws {
    guard let schema else {
      throw ImportError(line: 1, column: 1, message: "a record before its entity")
    }
    guard let id = UInt64(row.values[0].value.cell) else {
      throw ImportError(
        line: 1, column: row.values[0].column,
        message: "'\(row.values[0].value.cell)' is no number of a record")
    }
    var record = Record()
    for (name, value, column) in row.values.dropFirst() {
      guard let field = schema.fields.first(where: { $0.name == name }) else {
        throw ImportError(line: 1, column: column, message: "no field '\(name)' in \(schema.name)")
      }
      record[name] = try self.value(value, field, column)
    }
    try restoration.add(record, EntityID(id), to: schema.name)
    recordCount += 1
  }

  private func value(
    _ value: OutputValue, _ field: FieldDefinition, _ column: Int
  ) throws -> FieldValue {
    switch (value, field.kind) {
    case (.flag(let isSet), .flag): return .flag(isSet)
    case (.number(let text), .integer), (.number(let text), .decimal), (.number(let text), .date),
      (.number(let text), .reference):
      if let number = Int64(text) { return .integer(number) }
    case (.number(let text), .real):
      if let number = Double(text), number.isFinite { return .real(number) }
    case (.text(let text), .text), (.text(let text), .vocabulary): return .text(text)
    case (.text(""), .bytes): return .bytes([])
    case (.text(let text), .bytes):
      if let bytes = try bytes(text) { return bytes }
    case (.list(let names), .names): return .names(names)
    case (.map(let entries), .translations):
      return .translations(entries.map { Translation(language: $0.key, text: $0.text) })
    default: break
    }
    throw ImportError(
      line: 1, column: column,
      message: "field '\(field.name)': it is no \(SchemaProse.text(of: field.kind))")
  }
}
