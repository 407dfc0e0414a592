import Entities
import PageStore
import Terminal

extension Command {
  static let diff = Command(
    name: "diff", operands: "[OPTIONS] A B",
    summary: "Say how two databases differ, record by record and field by field.",
    details: [
      "A row for each field that differs; a record that only one of them has is a row of its own, "
        + "whose field is empty. Exit code 1 where they differ, as for other programs that compare.",
      "Portraits and other bytes are compared, and shown as how many they are.",
    ],
    options: RowOutput.options + [
      OptionDefinition("--from", value: "ENTITY", "compare this entity alone"),
      OptionDefinition("--quiet", short: "-q", "write nothing"),
    ],
    examples: [
      Example("dexdb diff before.dex after.dex", "all that changed"),
      Example("dexdb diff --from adv --json before.dex after.dex", "the roster, for a program"),
    ]
  ) { context in
    try context.checkOperandCount(2...2)
    for path in context.arguments.operands { try context.checkOtherFile(path) }
    let databases = try context.arguments.operands.map { try context.openOther($0) }
    var comparison = DatabaseComparison(
      context, try context.snapshot(of: databases[0]), try context.snapshot(of: databases[1]))
    try comparison.run(only: context.arguments["--from"])
    for database in databases { try database.close() }
    if !context.arguments.has("--quiet") {
      try RowOutput(context).write(
        [
          OutputColumn("entity"), OutputColumn("id", isNumeric: true), OutputColumn("name"),
          OutputColumn("field"), OutputColumn("a"), OutputColumn("b"),
        ], comparison.rows)
    }
    if !comparison.rows.isEmpty { throw CommandFailure.silent(.failed) }
  }
}

extension CommandContext {
  /// Opens a database that is not the one of the command line, to look at it.
  func openOther(_ path: String) throws -> Database {
    var options = StoreOptions()
    options.isReadOnly = true
    options.createsFile = false
    do throws(DatabaseError) {
      return try Database(path: path, options: options)
    } catch {
      if case .store(.system(.open, _, 2)) = error {
        throw CommandFailure("no database at \(path)")
      }
      throw error
    }
  }
}

/// Compares two snapshots.
private struct DatabaseComparison {
  private let context: CommandContext
  private let first: DatabaseSnapshot
  private let second: DatabaseSnapshot
  private(set) var rows: [[OutputValue]] = []

  init(_ context: CommandContext, _ first: DatabaseSnapshot, _ second: DatabaseSnapshot) {
    self.context = context
    self.first = first
    self.second = second
  }

  mutating func run(only start: String?) throws {
    let names = Set(try first.entityNames() + second.entityNames()).sorted()
    let chosen = names.filter { name in start.map { name.hasPrefix($0.lowercased()) } ?? true }
    if chosen.isEmpty, let start {
      throw CommandFailure(
        "no entity '\(start)'", help: ["one of " + names.joined(separator: ", ")])
    }
    var progress = Progress("diff", unit: "records")
    defer { progress.finish() }
    for name in chosen {
      let isFirst = try first.entityNames().contains(name)
      let isSecond = try second.entityNames().contains(name)
      if isFirst && isSecond {
        try compare(name, &progress)
      } else {
        rows.append([
          .text(name), .absent, .absent, .absent, isFirst ? .text("entity") : .absent,
          isSecond ? .text("entity") : .absent,
        ])
      }
    }
  }

  private mutating func compare(_ name: String, _ progress: inout Progress) throws {
    let (one, other) = (try first.schema(of: name), try second.schema(of: name))
    compareSchemas(one, other)
    var left = RecordCursor(first, name)
    var right = RecordCursor(second, name)
    var count = 0
    while true {
      let a = try left.peek()
      let b = try right.peek()
      if a == nil && b == nil { return }
      count += 1
      progress.note(count)
      try context.checkInterruption()
      let order = Self.order(a?.id, b?.id)
      if order == 0, let a, let b { compareFields(name, one, other, a, b) }
      if order < 0, let a { rows.append(row(name, a.id, a.record, isFirst: true)) }
      if order > 0, let b { rows.append(row(name, b.id, b.record, isFirst: false)) }
      if order <= 0 { left.advance() }
      if order >= 0 { right.advance() }
    }
  }

  /// Below zero where the first comes first; what is not there comes last.
  private static func order(_ one: EntityID?, _ other: EntityID?) -> Int {
    guard let one else { return 1 }
    guard let other else { return -1 }
    return one < other ? -1 : one == other ? 0 : 1
  }

  private mutating func compareSchemas(_ one: Schema, _ other: Schema) {
    let names = one.fields.map(\.name)
    let added = other.fields.map(\.name).filter { !names.contains($0) }
    for field in names + added {
      let kinds = [one, other].map { schema in
        schema.fields.first { $0.name == field }.map { SchemaProse.text(of: $0.kind) }
      }
      if kinds[0] != kinds[1] {
        rows.append(
          [.text(one.name), .absent, .absent, .text(field)]
            + kinds.map { $0.map { .text($0) } ?? .absent })
      }
    }
  }

  private func row(
    _ entity: String, _ id: EntityID, _ record: Record, isFirst: Bool
  ) -> [OutputValue] {
    [
      .text(entity), .number("\(id)"), Self.name(of: record), .absent,
      isFirst ? .text("record") : .absent, isFirst ? .absent : .text("record"),
    ]
  }

  private static func name(of record: Record) -> OutputValue {
    if case .text(let name)? = record["name"] { return .text(name) }
    return .absent
  }

  private mutating func compareFields(
    _ entity: String, _ one: Schema, _ other: Schema, _ a: RecordCursor.Place,
    _ b: RecordCursor.Place
  ) {
    if a.record == b.record { return }
    let names = one.fields.map(\.name)
    let added = other.fields.map(\.name).filter { !names.contains($0) }
    for name in names + added where a.record[name] != b.record[name] {
      rows.append(
        [.text(entity), .number("\(a.id)"), Self.name(of: b.record), .text(name)]
          + [(one, a.record), (other, b.record)].map { schema, record in
            Self.shown(record[name], schema.fields.first { $0.name == name }?.kind)
          })
    }
  }

  private static func shown(_ value: FieldValue?, _ kind: FieldKind?) -> OutputValue {
    guard let kind else { return .absent }
    if case .bytes(let bytes)? = value { return .text(bytes.count.counted("byte")) }
    let output = ValueText.output(value, kind)
    return output == .absent ? .absent : .text(output.cell)
  }
}

/// Walks the records of an entity, some at a time.
private struct RecordCursor {
  struct Place {
    var id: EntityID
    var record: Record
  }

  private let snapshot: DatabaseSnapshot
  private let entity: String
  private var batch: [Place] = []
  private var position = 0
  private var next: EntityID? = EntityID(0)

  init(_ snapshot: DatabaseSnapshot, _ entity: String) {
    self.snapshot = snapshot
    self.entity = entity
  }

  /// The record where the cursor is; nil behind the last.
  mutating func peek() throws -> Place? {
    if position < batch.count { return batch[position] }
    guard let first = next else { return nil }
    var found: [Place] = []
    try snapshot.forEach(entity, from: first) { id, record throws(DatabaseError) in
      found.append(Place(id: id, record: record))
      return found.count < 64
    }
    batch = found
    position = 0
    next = found.count == 64 ? found.last.map { EntityID($0.id.rawValue + 1) } : nil
    return batch.first
  }

  mutating func advance() { position += 1 }
}
