internal import PageStore

/// The table in which a database describes itself.
///
/// Its keys are `format`, `schema/` and an entity's name, `next/` and an entity's name, and
/// `migration/` and a number of eight digits.
enum CatalogTable {
  /// No entity can have this name.
  static let name = "/catalog"
  /// The format of all that entities keep; an older program refuses a newer one.
  static let formatVersion: UInt64 = 1
  static let formatKey = Array("format".utf8)
  static let schemaPrefix = Array("schema/".utf8)
  static let nextPrefix = Array("next/".utf8)
  static let migrationPrefix = Array("migration/".utf8)

  static func migrationKey(_ number: Int) -> [UInt8] {
    let digits = String(number)
    return migrationPrefix + Array((String(repeating: "0", count: 8 - digits.count) + digits).utf8)
  }

  static func format(generation: UInt64) -> [UInt8] {
    var writer = ByteWriter()
    writer.variable(formatVersion)
    writer.variable(generation)
    return writer.bytes
  }

  /// How often the schemas have changed.
  ///
  /// - Throws: `.newerFile`, `.corruptCatalog`.
  static func generation(of bytes: RawSpan) throws(DatabaseError) -> UInt64 {
    var reader = ByteReader(untrusted: bytes)
    let version = reader.variable()
    if reader.damage == nil && version > formatVersion {
      throw .newerFile("format \(version) of entities; this program knows \(formatVersion)")
    }
    let generation = reader.variable()
    if reader.damage != nil || reader.remaining > 0 || version == 0 {
      throw .corruptCatalog("format")
    }
    return generation
  }
}

/// A migration that the database has been through.
struct AppliedMigration: Hashable, Sendable {
  var name: String
  /// The entities that it may have changed.
  var entities: [String]

  init(name: String, entities: [String]) {
    self.name = name
    self.entities = entities
  }

  init(untrusted bytes: RawSpan) throws(DatabaseError) {
    var reader = ByteReader(untrusted: bytes)
    name = reader.text()
    entities = []
    for _ in 0..<reader.length() { entities.append(reader.text()) }
    if let damage = reader.damage { throw .corruptCatalog("migration: \(damage)") }
  }

  var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.text(name)
    writer.variable(UInt64(entities.count))
    for entity in entities { writer.text(entity) }
    return writer.bytes
  }
}

/// All that a database says of itself, as of one commit.
struct StoredCatalog: Sendable {
  var generation: UInt64 = 0
  /// True where the database has no catalog yet.
  var isNew = true
  var schemas: [String: StoredSchema] = [:]
  var migrations: [AppliedMigration] = []

  /// Reads everything; of an empty store, nothing.
  static func read(_ source: RowSource) throws(DatabaseError) -> StoredCatalog {
    var catalog = StoredCatalog()
    _ = try source.withTable(CatalogTable.name) { table throws(DatabaseError) in
      let generation = try table.withValue(CatalogTable.formatKey) { value throws(DatabaseError) in
        try CatalogTable.generation(of: value)
      }
      guard let generation else { throw .corruptCatalog("no format") }
      catalog.generation = generation
      catalog.isNew = false
      var schemas: [String: StoredSchema] = [:]
      let prefix = CatalogTable.schemaPrefix
      try table.forEachRow(from: prefix, to: prefix.endOfPrefix) {
        key, value throws(DatabaseError) in
        var reader = ByteReader(untrusted: key)
        reader.skip(prefix.count)
        let name = reader.text(reader.remaining)
        if let damage = reader.damage { throw .corruptCatalog("name of a schema: \(damage)") }
        schemas[name] = try SchemaCoding.decode(untrusted: value, name: name)
        return true
      }
      catalog.schemas = schemas
      var migrations: [AppliedMigration] = []
      let migrationPrefix = CatalogTable.migrationPrefix
      try table.forEachRow(from: migrationPrefix, to: migrationPrefix.endOfPrefix) {
        _, value throws(DatabaseError) in
        migrations.append(try AppliedMigration(untrusted: value))
        return true
      }
      catalog.migrations = migrations
    }
    return catalog
  }

  /// The generation alone; nil where there is no catalog.
  static func readGeneration(_ source: RowSource) throws(DatabaseError) -> UInt64? {
    let found = try source.withTable(CatalogTable.name) { table throws(DatabaseError) in
      try table.withValue(CatalogTable.formatKey) { value throws(DatabaseError) in
        try CatalogTable.generation(of: value)
      }
    }
    return found ?? nil
  }
}
