@testable import Entities

extension FuzzTarget {
  /// Records and the schemas that say what they mean.
  static let records = [
    FuzzTarget(
      name: "record", longestInput: 512, limits: (4, 512), seeds: { try FuzzedRecord.seeds() },
      run: { bytes throws(FuzzFinding) in try FuzzedRecord.read(bytes) }),
    FuzzTarget(
      name: "schema", longestInput: 2048, limits: (8, 512), dictionary: "schema",
      seeds: { FuzzedSchema.seeds },
      run: { bytes throws(FuzzFinding) in try FuzzedSchema.read(bytes) }),
    FuzzTarget(
      name: "schema-record", longestInput: 2048, limits: (8, 512),
      seeds: { try FuzzedSchema.recordSeeds() },
      run: { bytes throws(FuzzFinding) in try FuzzedSchema.readRecord(bytes) }),
  ]
}

/// Records of the Pokédex's own types; the first byte chooses one.
enum FuzzedRecord {
  private static let layouts: [(any Entity.Type, EntityLayout)] = Pokedex.entities.map {
    ($0, EntityLayout(StoredSchema(schema: $0.schema, version: 3)))
  }

  static func seeds() throws -> [[UInt8]] {
    var seeds: [[UInt8]] = []
    for (index, (_, layout)) in layouts.enumerated() {
      var writer = RecordWriter(layout: layout)
      seeds.append([UInt8(index)] + writer.finish())
      for field in layout.schema.fields.sorted(by: { $0.number < $1.number }) {
        if let value = sample(of: field.kind) { writer.set(field, value) }
      }
      seeds.append([UInt8(index)] + writer.finish())
    }
    return seeds
  }

  /// A value that a field of that kind may have.
  static func sample(of kind: FieldKind) -> FieldValue? {
    switch kind {
    case .flag: .flag(true)
    case .integer, .decimal, .date, .reference: .integer(300)
    case .real: .real(1.5)
    case .text: .text("Pikachu")
    case .vocabulary(let names): names.last.map { .text($0) }
    case .names(nil): .names(["a", "bc"])
    case .names(let names?): .names(Array(names.suffix(2)))
    case .translations: .translations([Translation(language: "ja", text: "ピカチュウ")])
    case .bytes: .bytes([1, 2, 3])
    }
  }

  static func read(_ bytes: [UInt8]) throws(FuzzFinding) {
    guard let first = bytes.first else { return }
    let (type, layout) = layouts[Int(first) % layouts.count]
    let body = Array(bytes.dropFirst())
    let record = FuzzedSchema.record(body, layout)
    let isTyped = readTyped(type, body, layout)
    // A record that is whole is one also to the type that wrote it, unless a field is missing.
    if record == nil && isTyped { FuzzSink.read(body.span.bytes) }
    if let record { try FuzzedSchema.checkRoundTrip(record, layout) }
  }

  private static func readTyped<E: Entity>(
    _ type: E.Type, _ body: [UInt8], _ layout: EntityLayout
  ) -> Bool {
    do throws(DatabaseError) {
      _ = try ReadingContext.decode(type, EntityID(1), body.rawSpan, layout)
      return true
    } catch {
      return false
    }
  }
}

/// Schemas as they are stored, and records by them.
enum FuzzedSchema {
  private static let name = "things"

  private static let schemas: [Schema] = [
    Schema(name: name, fields: []),
    Schema(
      name: name,
      fields: [
        FieldDefinition(1, "name", .text, aliases: ["n"], index: .words),
        FieldDefinition(2, "nicks", .translations, searchedAs: "name"),
        FieldDefinition(3, "kind", .vocabulary(["a", "b"]), index: .terms),
        FieldDefinition(4, "tags", .names(nil), index: .terms),
        FieldDefinition(5, "marks", .names(["x", "y"])),
        FieldDefinition(6, "count", .integer, index: .numbers),
        FieldDefinition(7, "weight", .decimal(denominator: 10)),
        FieldDefinition(8, "ratio", .real, index: .numbers),
        FieldDefinition(9, "old", .flag), FieldDefinition(10, "picture", .bytes),
        FieldDefinition(11, "day", .date),
        FieldDefinition(12, "friend", .reference(entity: name, onDelete: .clear)),
      ]),
  ]

  static let seeds = schemas.map { SchemaCoding.encode(StoredSchema(schema: $0)) }

  /// The byte count of a schema, the schema, and a record by it.
  static func recordSeeds() throws -> [[UInt8]] {
    schemas.map { schema in
      let layout = EntityLayout(StoredSchema(schema: schema))
      var writer = RecordWriter(layout: layout)
      for field in schema.fields {
        if let value = FuzzedRecord.sample(of: field.kind) { writer.set(field, value) }
      }
      let coded = SchemaCoding.encode(StoredSchema(schema: schema))
      return [UInt8(coded.count & 0xFF), UInt8(coded.count >> 8)] + coded + writer.finish()
    }
  }

  private static func schema(_ bytes: [UInt8]) -> StoredSchema? {
    do throws(DatabaseError) {
      return try SchemaCoding.decode(untrusted: bytes.rawSpan, name: name)
    } catch {
      return nil
    }
  }

  static func read(_ bytes: [UInt8]) throws(FuzzFinding) {
    guard let stored = schema(bytes) else { return }
    let layout = EntityLayout(stored)
    let again = SchemaCoding.encode(stored)
    try FuzzFinding.unless(
      schema(again) == stored, "a schema is written as what is read as another one")
    try FuzzFinding.unless(
      layout.schema.fields.count == stored.schema.fields.count, "fields are lost")
  }

  static func readRecord(_ bytes: [UInt8]) throws(FuzzFinding) {
    var feed = ByteFeed(bytes)
    guard let stored = schema(feed.take(feed.u16())) else { return }
    let layout = EntityLayout(stored)
    if let record = record(feed.rest(), layout) { try checkRoundTrip(record, layout) }
  }

  /// The record in `bytes`, or nil where it is damaged.
  static func record(_ bytes: [UInt8], _ layout: EntityLayout) -> Record? {
    do throws(DatabaseError) {
      return try ReadingContext.record(EntityID(1), bytes.rawSpan, layout)
    } catch {
      return nil
    }
  }

  /// What was read is written as something that is read as the same.
  static func checkRoundTrip(_ record: Record, _ layout: EntityLayout) throws(FuzzFinding) {
    // No names at all are written as a field that is absent.
    var expected = record
    expected.values = record.values.filter { _, value in
      switch value {
      case .names(let names): !names.isEmpty
      case .translations(let translations): !translations.isEmpty
      default: true
      }
    }
    let bytes: [UInt8]
    do throws(DatabaseError) {
      bytes = try RecordCoding.encode(record, EntityID(1), layout)
    } catch {
      throw FuzzFinding("what was read cannot be written: \(error)")
    }
    try FuzzFinding.unless(
      self.record(bytes, layout) == expected, "\(record) is written as another record")
  }
}
