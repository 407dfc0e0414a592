import Entities
import Terminal

extension Command {
  static let importing = Command(
    name: "import", operands: "[OPTIONS] FILE|-",
    summary: "Add the records of a file, all in one transaction.",
    details: [
      "The first row of TSV and CSV names the fields; CSV may have semicolons or tabs between its "
        + "cells instead of commas. A record keeps the number in its column id "
        + "(number for Pokémon and moves, form_id for forms); without it, it gets the next one. "
        + "--on-conflict decides what happens where there is such a record already: replace sets "
        + "the fields that the file has and leaves the others. Errors name file, line, column and "
        + "field.",
      "Numbers of a new adventurer that the file does not have are drawn as add draws them.",
    ],
    options: [
      OptionDefinition(
        "--into", value: "ENTITY", "which entity; else the one that the file is named for"),
      OptionDefinition(
        "--format", value: "F", choices: ["tsv", "csv", "json", "jsonl"],
        "tsv, csv, json or jsonl; else by the file's name"),
      OptionDefinition(
        "--on-conflict", value: "HOW", choices: ["error", "skip", "replace"],
        "error, skip or replace"),
      OptionDefinition("--on-error", value: "HOW", choices: ["abort", "skip"], "abort or skip"),
      OptionDefinition("--seed", value: "N", "what missing numbers of adventurers are drawn from"),
      CommandContext.dryRun,
    ],
    examples: [
      Example("dexdb import adventurers.csv", "into adventurers"),
      Example("dexdb import --into adv --format jsonl --dry-run -", "try standard input"),
    ]
  ) { context in
    try context.checkOperandCount(1...1)
    let path = context.arguments.operands[0]
    try context.checkOtherFile(path)
    let database = try context.openForWriting()
    var importing = try Importing(context, database, path: path)
    let descriptor = try SystemCalls.openForReading(path)
    defer { SystemCalls.close(descriptor) }
    try context.change(database) { transaction in
      try transaction.fill { try importing.run(descriptor, into: &$0) }
    }
    context.note(context.outcome(importing.summary))
  }
}

/// One import: its choices and its counts.
private struct Importing {
  private let context: CommandContext
  private let path: String
  private let schema: Schema
  private let entity: CatalogEntity
  private let format: OutputFormat
  private let onConflict: String
  private let skipsErrors: Bool
  private var addedCount = 0
  private var replacedCount = 0
  private var skippedCount = 0
  private var errorCount = 0
  /// What numbers of adventurers are drawn from, and of how many some were missing.
  private let seed: UInt64
  private var drawnCount = 0
  private var rowCount = 0
  private var progress: Progress?
  /// The bytes of the file, where they are known, and those that have been taken.
  private var byteCount: Int?
  private var readByteCount = 0
  /// One more than the greatest number of a field.
  private let placeCount: Int
  /// What the columns mean, by their places; those of a file are resolved once.
  private var columns: [ImportColumn] = []
  /// The values of a row, by the numbers of their fields.
  private var values: [FieldValue?] = []
  private var isGiven: [Bool] = []
  /// Rows that refer to rows further down.
  private var waiting: [(row: ImportedRow, failure: CommandFailure)] = []

  init(_ context: CommandContext, _ database: Database, path: String) throws {
    self.context = context
    self.path = path
    let file = String(path.split(separator: "/").last ?? "")
    let parts = file.split(separator: ".")
    let chosen = context.arguments["--format"].flatMap { OutputFormat(rawValue: $0) }
    guard let format = chosen ?? OutputFormat(ofFile: path) else {
      throw CommandFailure.usage(
        "the format of \(path) is not known", "add --format tsv, csv, json or jsonl")
    }
    self.format = format
    let name = context.arguments["--into"] ?? (parts.first.map { String($0) } ?? "")
    if context.arguments["--into"] == nil,
      try !database.schemas().contains(where: { $0.name.hasPrefix(name.lowercased()) })
        || name.isEmpty
    {
      throw CommandFailure.usage("which entity is not known", "add --into adventurers")
    }
    let schema = try context.schema(startingWith: name, in: database)
    let catalog = try QueryReading(database).catalog
    guard let entity = catalog.entities.first(where: { $0.name == schema.name }) else {
      throw CommandFailure("no entity '\(name)'")
    }
    self.schema = schema
    placeCount = 1 + (schema.fields.map(\.number).max() ?? 0)
    self.entity = entity
    onConflict = context.arguments["--on-conflict"] ?? "error"
    skipsErrors = context.arguments["--on-error"] == "skip"
    seed = try context.seed() ?? UInt64.random(in: 0..<1 << 32)
  }

  var summary: String {
    var parts = ["added \(addedCount) to \(schema.name)"]
    if drawnCount > 0 { parts.append("drew what \(drawnCount) of them lacked, seed \(seed)") }
    if replacedCount > 0 { parts.append("replaced \(replacedCount)") }
    if skippedCount > 0 { parts.append("skipped \(skippedCount) that were there") }
    if errorCount > 0 { parts.append("left out \(errorCount) with errors") }
    return parts.joined(separator: ", ")
  }

  mutating func run(_ descriptor: Int32, into filler: inout RecordFiller) throws {
    progress = Progress("import", unit: "rows")
    byteCount = SystemCalls.byteCount(of: descriptor)
    defer { progress?.finish() }
    do {
      switch format {
      case .json: try takeObjects(descriptor, .elements, into: &filler)
      case .jsonl: try takeObjects(descriptor, .objects, into: &filler)
      default: try takeCells(descriptor, into: &filler)
      }
    } catch let error as ImportError {
      throw failure(error)
    }
    try takeWaiting(into: &filler)
  }

  private mutating func takeObjects(
    _ descriptor: Int32, _ shape: RecordChunks.Shape, into filler: inout RecordFiller
  ) throws {
    var chunks = try RecordChunks(descriptor, path: path, shape: shape)
    var reader = JSONReader([])
    while let part = try chunks.next() {
      reader.take(part: part)
      if format == .json {
        try reader.forEachElement { try take($0, into: &filler) }
      } else {
        try reader.forEachLine { try take($0, into: &filler) }
      }
      readByteCount = chunks.byteCount
    }
    if format == .json { try reader.finishElements() }
  }

  private mutating func takeCells(
    _ descriptor: Int32, into filler: inout RecordFiller
  ) throws {
    let isCSV = format == .csv
    var chunks = try RecordChunks(
      descriptor, path: path, shape: isCSV ? .cells(separator: UInt8(ascii: ",")) : .lines)
    var reader = DelimitedReader(
      isCSV: isCSV, separator: chunks.separator, lineEnd: chunks.lineEnd)
    while let part = try chunks.next() {
      try reader.forEachRow(
        in: part, head: checkNames,
        refuse: { error in
          try noteRow()
          try refuse(failure(error))
        }, { try take($0, into: &filler) })
      readByteCount = chunks.byteCount
    }
    try reader.finish()
  }

  /// Complains about names of columns that are unknown or stand twice, whether rows follow or not.
  private func checkNames(_ head: ImportedRow) throws {
    var known: Set<String> = []
    for (name, _, column) in head.values {
      let isNumber = name.lowercased() == "id" && schema.field(named: "id") == nil
      let field = isNumber ? "id" : try field(name, head, column).name
      if known.insert(field).inserted { continue }
      throw ImportError(
        line: head.line, column: column, field: name, message: "it is given twice")
    }
  }

  /// Adds what had to wait for rows that it refers to, until nothing more can be added.
  private mutating func takeWaiting(into filler: inout RecordFiller) throws {
    while !waiting.isEmpty {
      let rows = waiting
      waiting = []
      for (row, _) in rows { try take(row, into: &filler) }
      guard waiting.count == rows.count else { continue }
      let failures = waiting.map(\.failure)
      waiting = []
      for failure in failures { try refuse(failure) }
    }
  }

  private mutating func noteRow() throws {
    rowCount += 1
    progress?.note(rowCount, part: readByteCount, of: byteCount)
    try context.checkInterruption()
  }

  private mutating func take(
    _ row: ImportedRow, into filler: inout RecordFiller
  ) throws {
    try noteRow()
    do {
      try add(row, into: &filler)
    } catch let error as DatabaseError {
      if case .invalid(_, _, let field, .noSuchTarget(schema.name, _)) = error {
        waiting.append((row, failure(error, row, field)))
        return
      }
      guard error.isAboutValues else { throw error }
      try refuse(failure(error, row, nil))
    } catch let error as ImportError {
      try refuse(failure(error))
    }
  }

  /// Gives up because of a row, or leaves it out.
  private mutating func refuse(_ failure: CommandFailure) throws {
    if !skipsErrors { throw failure }
    errorCount += 1
    progress?.finish()
    context.note("left out: \(failure.message)")
  }

  private func failure(_ error: ImportError) -> CommandFailure {
    let field = error.field.map { "field '\(TerminalText.excerpt($0))': " } ?? ""
    return CommandFailure("\(path):\(error.line):\(error.column): \(field)\(error.message)")
  }

  private func failure(
    _ error: DatabaseError, _ row: ImportedRow, _ field: String?
  ) -> CommandFailure {
    var name = field
    if case .invalid(_, _, let field, _) = error { name = field }
    let column = row.values.first { value in
      (schema.field(named: value.name)
        ?? entity.field(named: value.name).flatMap { schema.field(named: $0.name) })?.name == name
    }?.column
    var failure = CommandFailure(error.withoutRecord)
    if case .recordExists = error {
      failure.help = ["--on-conflict skip keeps what is there, --on-conflict replace changes it"]
    }
    failure.message = "\(path):\(row.line):\(column ?? 1): \(failure.message)"
    return failure
  }

  private mutating func add(
    _ row: ImportedRow, into filler: inout RecordFiller
  ) throws {
    values = [FieldValue?](repeating: nil, count: placeCount)
    isGiven = [Bool](repeating: false, count: placeCount)
    var id: EntityID?
    for (place, cell) in row.values.enumerated() {
      let column = try column(at: place, cell.name, row, cell.column)
      guard let field = column.field else {
        id = try number(cell.value, row, cell.name, cell.column)
        continue
      }
      if isGiven[field.number] {
        throw ImportError(
          line: row.line, column: cell.column, field: cell.name, message: "it is given twice")
      }
      isGiven[field.number] = true
      values[field.number] = try value(cell.value, of: field, row, cell.column)
      if column.isKey, cell.value != .absent {
        id = try number(cell.value, row, cell.name, cell.column)
      }
    }
    try put(id, into: &filler)
  }

  /// What the column at `place` means, which is mostly what it meant in the row before.
  private mutating func column(
    at place: Int, _ name: String, _ row: ImportedRow, _ columnNumber: Int
  ) throws -> ImportColumn {
    if place < columns.count, columns[place].name == name { return columns[place] }
    let isNumber = name.lowercased() == "id" && schema.field(named: "id") == nil
    let field = isNumber ? nil : try field(name, row, columnNumber)
    let isKey = field != nil && RecordKeys.field(of: schema.name) == field?.name
    let column = ImportColumn(name: name, field: field, isKey: isKey)
    if place < columns.count {
      columns[place] = column
    } else if place == columns.count {
      columns.append(column)
    }
    return column
  }

  private mutating func put(_ id: EntityID?, into filler: inout RecordFiller) throws {
    var drawn: [Int] = []
    do throws(DatabaseError) {
      if schema.name == Adventurer.schema.name {
        drawn = try filler.completeAdventurer(&values, id: id, seed: seed)
      }
      try filler.insert(schema.name, values, id: id)
      addedCount += 1
      if !drawn.isEmpty { drawnCount += 1 }
    } catch {
      var existing = id
      switch error {
      case .recordExists: break
      case .invalid(_, _, _, .notUnique(let other)): existing = other
      default: throw error
      }
      switch onConflict {
      case "skip": skippedCount += 1
      case "replace":
        guard let existing else { throw error }
        var given: [String: FieldValue?] = [:]
        for field in schema.fields where isGiven[field.number] && !drawn.contains(field.number) {
          given[field.name] = .some(values[field.number])
        }
        try filler.set(given, of: schema.name, existing)
        replacedCount += 1
      default: throw error
      }
    }
  }

  private func field(
    _ name: String, _ row: ImportedRow, _ column: Int
  ) throws -> FieldDefinition {
    do {
      return try Assignments.field(name, schema, entity)
    } catch let failure as CommandFailure {
      throw ImportError(
        line: row.line, column: column, field: nil,
        message: failure.message + (failure.help.first.map { "; \($0)" } ?? ""))
    }
  }

  private func number(
    _ value: OutputValue, _ row: ImportedRow, _ name: String, _ column: Int
  ) throws -> EntityID? {
    if value == .absent { return nil }
    guard let number = UInt64(value.cell) else {
      throw ImportError(
        line: row.line, column: column, field: name,
        message: "'\(TerminalText.excerpt(value.cell))' is no number of a record")
    }
    return EntityID(number)
  }

  private func value(
    _ value: OutputValue, of field: FieldDefinition, _ row: ImportedRow, _ column: Int
  ) throws -> FieldValue? {
    do throws(ValueText.Refusal) {
      switch (value, field.kind) {
      case (.text(""), .text): return .text("")
      case (.text(""), .names): return .names([])
      case (.list(let names), .names): return .names(names)
      case (.map(let entries), .translations):
        return .translations(entries.map { Translation(language: $0.key, text: $0.text) })
      case (.list, _), (.map, _):
        throw ValueText.Refusal(message: "it cannot have several values", help: "give one")
      default: return try ValueText.value(value.cell, of: field)
      }
    } catch {
      throw ImportError(
        line: row.line, column: column, field: field.name,
        message: "\(error.message); \(error.help)")
    }
  }
}

extension DatabaseError {
  /// True where a record is refused for what it holds; the rest is about the database.
  fileprivate var isAboutValues: Bool {
    switch self {
    case .invalid, .recordExists, .noSuchField, .noSuchID: true
    default: false
    }
  }
}
