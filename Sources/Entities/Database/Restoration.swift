internal import PageStore

/// An entity as a dump has it: all that the file says of it beside its records.
public struct DumpedEntity: Equatable, Sendable {
  /// The schema.
  public var schema: Schema
  /// The schema as it lies in the file, with what it says of fields that were dropped.
  public var storedSchema: [UInt8]
  /// The number that the next new record gets.
  public var nextID: EntityID
}

extension DatabaseSnapshot {
  /// What the file says of its entities, by their names.
  public func dumpedEntities() throws(DatabaseError) -> [DumpedEntity] {
    try withReader { reader throws(DatabaseError) in
      var dumped: [DumpedEntity] = []
      for name in reader.context.schemas.names {
        guard let stored = reader.context.schemas.stored[name] else { continue }
        let next = try reader.context.nextID(try reader.context.schemas.layout(named: name))
        dumped.append(
          DumpedEntity(
            schema: stored.schema, storedSchema: SchemaCoding.encode(stored), nextID: next))
      }
      return dumped
    }
  }

  /// The migrations that the file has been through, oldest first, with the entities that each may
  /// have changed.
  public func appliedMigrations() throws(DatabaseError) -> [(name: String, entities: [String])] {
    try StoredCatalog.read(.snapshot(snapshot)).migrations.map { ($0.name, $0.entities) }
  }
}

/// Fills an empty database with what a dump says, all of it in one transaction.
///
/// Records are written as they come, and the indexes are built from them at the end; a check of the
/// database afterwards tells whether references and rules hold.
public struct Restoration: ~Copyable {
  private var store: WriteTransaction
  private var layouts: [String: EntityLayout] = [:]
  private var migrationCount = 0

  fileprivate init(_ store: consuming WriteTransaction) { self.store = store }

  fileprivate consuming func finish() -> WriteTransaction { store }

  /// Creates an entity from its stored schema, and returns what that says.
  ///
  /// - Throws: `.corruptCatalog`, `.newerFile`; `.invalidSchema` where there is one already.
  public mutating func add(
    entity name: String, storedSchema: [UInt8], nextID: EntityID
  ) throws(DatabaseError) -> Schema {
    if layouts[name] != nil { throw .invalidSchema(entity: name, "it is there already") }
    let stored = try SchemaCoding.decode(untrusted: storedSchema.rawSpan, name: name)
    let layout = EntityLayout(stored)
    layouts[name] = layout
    try put(CatalogTable.schemaPrefix + Array(name.utf8), storedSchema)
    var writer = ByteWriter()
    writer.variable(nextID.rawValue)
    try put(CatalogTable.nextPrefix + Array(name.utf8), writer.bytes)
    do throws(StoreError) {
      _ = try store.createTableIfNeeded(name)
    } catch {
      throw .store(error)
    }
    try IndexMaintenance(layout).create(&store)
    return stored.schema
  }

  /// Notes a migration as one that the database has been through.
  public mutating func add(migration name: String, entities: [String]) throws(DatabaseError) {
    migrationCount += 1
    try put(
      CatalogTable.migrationKey(migrationCount),
      AppliedMigration(name: name, entities: entities).bytes)
  }

  /// Writes a record.
  ///
  /// - Throws: `.noSuchEntity`, `.noSuchField`, `.invalid`; `.recordExists`, `.noSuchID`.
  public mutating func add(
    _ record: Record, _ id: EntityID, to entity: String
  ) throws(DatabaseError) {
    guard let layout = layouts[entity] else { throw .noSuchEntity(entity) }
    if id > .limit { throw .noSuchID(entity: entity, id: id) }
    let bytes = try RecordCoding.encode(record, id, layout)
    try RecordValidation.check(bytes, id, layout)
    var isNew = false
    do throws(StoreError) {
      let table = try store.table(entity)
      let key = id.key
      isNew = try store.get(key.rawSpan, in: table) == nil
      if isNew { try store.put(id.key, bytes, in: table) }
    } catch {
      throw .store(error)
    }
    if !isNew { throw .recordExists(entity: entity, id: id) }
  }

  /// Builds all indexes, and makes the catalog whole.
  fileprivate mutating func buildIndexes() throws(DatabaseError) {
    for layout in layouts.values.sorted(by: { $0.name < $1.name }) {
      let maintenance = IndexMaintenance(layout)
      try maintenance.rebuildEverything(&store)
      for field in layout.indexed { try maintenance.rebuild(field.name, &store) }
    }
    try put(CatalogTable.formatKey, CatalogTable.format(generation: 1))
  }

  private mutating func put(_ key: [UInt8], _ value: [UInt8]) throws(DatabaseError) {
    do throws(StoreError) {
      let table = try store.createTableIfNeeded(CatalogTable.name)
      try store.put(key, value, in: table)
    } catch {
      throw .store(error)
    }
  }
}

extension Database {
  /// Fills this database, which has no entities yet, by `body`; where that throws, nothing happens.
  ///
  /// - Throws: `.invalidSchema` where the database has entities; and what `body` throws.
  public func restore(_ body: (inout Restoration) throws -> Void) throws {
    do throws(AnyDatabaseFailure) {
      try store.write { (transaction) throws(AnyDatabaseFailure) in
        do {
          let catalog = try StoredCatalog.read(.transaction(transaction.view))
          if !catalog.schemas.isEmpty {
            throw DatabaseError.invalidSchema(entity: "", "the database has entities already")
          }
        } catch {
          throw AnyDatabaseFailure(any: error)
        }
        var restoration = Restoration(transaction)
        do {
          try body(&restoration)
          try restoration.buildIndexes()
          transaction = restoration.finish()
        } catch {
          transaction = restoration.finish()
          throw AnyDatabaseFailure(any: error)
        }
      }
    } catch {
      throw error.error
    }
  }
}
