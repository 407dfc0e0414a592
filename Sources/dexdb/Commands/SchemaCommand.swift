import Entities
import PageStore
import Terminal

extension Command {
  static let schema = Command(
    name: "schema", operands: "[OPTIONS] [ENTITY]",
    summary: "List the entities of the file, or the fields of one.",
    options: RowOutput.options,
    examples: [
      Example("dexdb schema", "the entities"),
      Example("dexdb schema pokemon", "fields, kinds, indexes"),
    ]
  ) { context in
    try context.checkOperandCount(0...1)
    let database = try context.openForReading()
    let output = try RowOutput(context)
    guard let name = context.arguments.operands.first else {
      let snapshot = try database.snapshot()
      var rows: [[OutputValue]] = []
      for schema in try database.schemas() {
        rows.append([
          .text(schema.name), .number("\(try snapshot.count(schema.name))"),
          .number("\(schema.fields.count)"),
          .list(schema.fields.filter { $0.index != nil }.map(\.name)),
        ])
      }
      output.write(
        [
          OutputColumn("entity"), OutputColumn("records", isNumeric: true),
          OutputColumn("fields", isNumeric: true), OutputColumn("indexes"),
        ], rows)
      return
    }
    let schema = try context.schema(startingWith: name, in: database)
    let columns = ["field", "kind", "unit", "aliases", "index", "rules"].map { OutputColumn($0) }
    let stored = schema.fields.map { field -> [OutputValue] in
      [
        .text(field.name), .text(SchemaProse.text(of: field.kind)),
        field.unit.map { .text($0) } ?? .absent, .list(field.aliases),
        field.index.map { .text("\($0)") } ?? .absent,
        .list(field.rules.map(SchemaProse.text)),
      ]
    }
    let derived = database.derivedFields(of: schema.name).map { field -> [OutputValue] in
      [
        .text(field.arguments == nil ? field.name : field.name + ".…"),
        .text("derived " + SchemaProse.text(of: field.kind)),
        field.unit.map { .text($0) } ?? .absent, .list(field.aliases), .absent, .list([]),
      ]
    }
    output.write(columns, stored + derived)
  }
}

/// Kinds and rules in words.
enum SchemaProse {
  static func text(of kind: FieldKind) -> String {
    switch kind {
    case .flag: "flag"
    case .integer: "integer"
    case .decimal(let denominator): "decimal in 1/\(denominator)"
    case .real: "real"
    case .text: "text"
    case .vocabulary(let names): "one of \(names.count.counted("name"))"
    case .names(nil): "names"
    case .names(let names?): "some of \(names.count.counted("name"))"
    case .translations: "translations"
    case .bytes: "bytes"
    case .date: "date"
    case .reference(let entity, _): "reference to \(entity)"
    }
  }

  static func text(of rule: FieldRule) -> String {
    switch rule {
    case .required: "required"
    case .notBlank: "not blank"
    case .range(let lower, let upper): upper == .max ? "\(lower).." : "\(lower)..\(upper)"
    case .byteCount(let count): "at most \(count.counted("byte"))"
    case .unique: "unique"
    }
  }
}

extension CommandContext {
  /// The schema of the entity whose name begins so.
  func schema(startingWith start: String, in database: Database) throws -> Schema {
    let schemas = try database.schemas()
    if let exact = schemas.first(where: { $0.name == start.lowercased() }) { return exact }
    let found = schemas.filter { !start.isEmpty && $0.name.hasPrefix(start.lowercased()) }
    if found.count == 1 { return found[0] }
    let names = schemas.map(\.name)
    let near = NearestName.of(start, among: names)
    throw CommandFailure(
      found.isEmpty ? "no entity '\(start)'" : "'\(start)' begins several entities",
      help: [near.map { "did you mean '\($0)'?" } ?? "one of " + names.joined(separator: ", ")])
  }
}
