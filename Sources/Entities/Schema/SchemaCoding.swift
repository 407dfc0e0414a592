/// How schemas lie in the database.
///
/// All numbers are of variable length, texts are a length and UTF-8; FORMAT.md has the list.
enum SchemaCoding {
  /// What no schema exceeds.
  enum Limits {
    static let fieldCount = 1000
    static let fieldNumber = 4000
    static let nameByteCount = 100
    static let aliasCount = 100
    static let denominator = 1_000_000_000
  }

  /// The bytes of `stored`.
  static func encode(_ stored: StoredSchema) -> [UInt8] {
    var writer = ByteWriter()
    writer.variable(stored.version)
    writer.text(stored.schema.name)
    writer.variable(UInt64(stored.schema.fields.count))
    for field in stored.schema.fields { encode(field, &writer) }
    writer.variable(UInt64(stored.retired.count))
    for field in stored.retired {
      writer.variable(UInt64(field.number))
      writer.byte(field.wire.rawValue)
    }
    return writer.bytes
  }

  private static func encode(_ field: FieldDefinition, _ writer: inout ByteWriter) {
    writer.variable(UInt64(field.number))
    writer.text(field.name)
    encode(field.aliases, &writer)
    encode(field.kind, &writer)
    writer.text(field.unit ?? "")
    writer.byte(field.index.map { $0.rawValue + 1 } ?? 0)
    writer.text(field.searchedAs ?? "")
    writer.variable(UInt64(field.rules.count))
    for rule in field.rules { encode(rule, &writer) }
  }

  private static func encode(_ names: [String], _ writer: inout ByteWriter) {
    writer.variable(UInt64(names.count))
    for name in names { writer.text(name) }
  }

  private static func encode(_ kind: FieldKind, _ writer: inout ByteWriter) {
    switch kind {
    case .flag: writer.byte(1)
    case .integer: writer.byte(2)
    case .decimal(let denominator):
      writer.byte(3)
      writer.variable(UInt64(denominator))
    case .real: writer.byte(4)
    case .text: writer.byte(5)
    case .vocabulary(let names):
      writer.byte(6)
      encode(names, &writer)
    case .names(nil): writer.byte(7)
    case .names(let names?):
      writer.byte(8)
      encode(names, &writer)
    case .translations: writer.byte(9)
    case .bytes: writer.byte(10)
    case .date: writer.byte(11)
    case .reference(let entity, let rule):
      writer.byte(12)
      writer.text(entity)
      writer.byte(rule.rawValue)
    }
  }

  private static func encode(_ rule: FieldRule, _ writer: inout ByteWriter) {
    switch rule {
    case .required: writer.byte(1)
    case .notBlank: writer.byte(2)
    case .range(let lower, let upper):
      writer.byte(3)
      writer.zigzag(lower)
      writer.zigzag(upper)
    case .byteCount(let count):
      writer.byte(4)
      writer.variable(UInt64(count))
    case .unique: writer.byte(5)
    }
  }

  // MARK: Reading

  /// The schema in `bytes`, which nobody has checked; `name` is the one that it must have.
  ///
  /// - Throws: `.corruptCatalog`, or `.newerFile` for kinds and rules that this program lacks.
  static func decode(untrusted bytes: RawSpan, name: String) throws(DatabaseError) -> StoredSchema {
    var reader = ByteReader(untrusted: bytes)
    var stored = StoredSchema(schema: Schema(name: "", fields: []))
    stored.version = reader.variable()
    stored.schema.name = reader.text()
    for _ in 0..<reader.length() { stored.schema.fields.append(try field(&reader, name)) }
    for _ in 0..<reader.length() {
      let number = integer(&reader)
      let raw = reader.byte()
      if reader.damage != nil { break }
      guard let wire = WireKind(rawValue: raw) else { throw unknown("kind \(raw)", name) }
      stored.retired.append(RetiredField(number: number, wire: wire))
    }
    if let damage = reader.damage { throw .corruptCatalog("schema of \(name): \(damage)") }
    if reader.remaining > 0 || stored.schema.name != name {
      throw .corruptCatalog("schema of \(name): trailing bytes, or another entity's")
    }
    do throws(DatabaseError) {
      try SchemaRules.checkStored(stored)
    } catch {
      throw .corruptCatalog("schema of \(name): \(error)")
    }
    return stored
  }

  private static func unknown(_ what: String, _ name: String) -> DatabaseError {
    .newerFile("the schema of \(name) has a \(what) that this program does not know")
  }

  /// A number that is bounded, since it is read before it is checked.
  private static func integer(_ reader: inout ByteReader) -> Int {
    Int(min(reader.variable(), UInt64(Int32.max)))
  }

  private static func field(
    _ reader: inout ByteReader, _ entity: String
  ) throws(DatabaseError) -> FieldDefinition {
    let number = integer(&reader)
    let name = reader.text()
    let aliases = names(&reader)
    let kind = try kind(&reader, entity)
    var field = FieldDefinition(number, name, kind, aliases: aliases)
    let unit = reader.text()
    field.unit = unit.isEmpty ? nil : unit
    let index = reader.byte()
    if index > 0 {
      field.index = FieldIndex(rawValue: index - 1)
      if field.index == nil { throw unknown("index \(index)", entity) }
    }
    let searchedAs = reader.text()
    field.searchedAs = searchedAs.isEmpty ? nil : searchedAs
    for _ in 0..<reader.length() { field.rules.append(try rule(&reader, entity)) }
    return field
  }

  private static func names(_ reader: inout ByteReader) -> [String] {
    var names: [String] = []
    for _ in 0..<reader.length() { names.append(reader.text()) }
    return names
  }

  private static func kind(
    _ reader: inout ByteReader, _ entity: String
  ) throws(DatabaseError) -> FieldKind {
    let raw = reader.byte()
    switch raw {
    case 1: return .flag
    case 2: return .integer
    case 3: return .decimal(denominator: integer(&reader))
    case 4: return .real
    case 5: return .text
    case 6: return .vocabulary(names(&reader))
    case 7: return .names(nil)
    case 8: return .names(names(&reader))
    case 9: return .translations
    case 10: return .bytes
    case 11: return .date
    case 12:
      let target = reader.text()
      let rule = reader.byte()
      guard let rule = DeleteRule(rawValue: rule) else { throw unknown("rule \(rule)", entity) }
      return .reference(entity: target, onDelete: rule)
    default:
      if reader.damage != nil { return .flag }
      throw unknown("kind \(raw)", entity)
    }
  }

  private static func rule(
    _ reader: inout ByteReader, _ entity: String
  ) throws(DatabaseError) -> FieldRule {
    let raw = reader.byte()
    switch raw {
    case 1: return .required
    case 2: return .notBlank
    case 3: return .range(reader.zigzag(), reader.zigzag())
    case 4: return .byteCount(integer(&reader))
    case 5: return .unique
    default:
      if reader.damage != nil { return .required }
      throw unknown("rule \(raw)", entity)
    }
  }
}
