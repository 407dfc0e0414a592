internal import PageStore

/// Changes schemas, and with them the records and indexes, within the transaction of a migration.
///
/// A step on an entity that the file does not have does nothing: the entity will be created as the
/// program has it.
public struct SchemaEditor: ~Copyable {
  var store: WriteTransaction
  var catalog: StoredCatalog
  let program: [ProgramEntity]
  /// The entities that the migration under way has changed.
  private var touched = Set<String>()
  /// The entities whose schema differs from the stored one.
  private var unsaved = Set<String>()

  init(
    _ store: consuming WriteTransaction, _ catalog: StoredCatalog, _ program: [ProgramEntity]
  ) {
    self.store = store
    self.catalog = catalog
    self.program = program
  }

  consuming func finish() -> WriteTransaction { store }

  /// All but the store's transaction, which is lent to others at times.
  struct Memory {
    let catalog: StoredCatalog
    let program: [ProgramEntity]
    let touched: Set<String>
    let unsaved: Set<String>
  }

  var memory: Memory {
    Memory(catalog: catalog, program: program, touched: touched, unsaved: unsaved)
  }

  init(_ store: consuming WriteTransaction, _ memory: Memory) {
    self.store = store
    catalog = memory.catalog
    program = memory.program
    touched = memory.touched
    unsaved = memory.unsaved
  }

  // MARK: Running

  mutating func run(_ migration: Migration) throws(DatabaseError) {
    touched = []
    do throws(DatabaseError) {
      try migration.steps(&self)
    } catch {
      if case .store = error { throw error }
      throw .migrationFailed(name: migration.name, error)
    }
    try noteApplied(migration.name, entities: touched.sorted())
  }

  mutating func noteApplied(_ name: String, entities: [String]) throws(DatabaseError) {
    let applied = AppliedMigration(name: name, entities: entities)
    catalog.migrations.append(applied)
    let key = CatalogTable.migrationKey(catalog.migrations.count)
    try put(key, applied.bytes)
  }

  /// Writes the schemas that have changed, and counts that as a change.
  mutating func save() throws(DatabaseError) {
    for name in unsaved.sorted() {
      let key = CatalogTable.schemaPrefix + Array(name.utf8)
      if let stored = catalog.schemas[name] {
        try SchemaRules.checkStored(stored)
        try put(key, SchemaCoding.encode(stored))
      } else {
        try store.storing { (store) throws(StoreError) in
          let table = try store.createTableIfNeeded(CatalogTable.name)
          try store.delete(key, in: table)
        }
      }
    }
    unsaved = []
    catalog.generation += 1
    catalog.isNew = false
    try put(CatalogTable.formatKey, CatalogTable.format(generation: catalog.generation))
  }

  mutating func put(_ key: [UInt8], _ value: [UInt8]) throws(DatabaseError) {
    try store.storing { (store) throws(StoreError) in
      let table = try store.createTableIfNeeded(CatalogTable.name)
      try store.put(key, value, in: table)
    }
  }

  /// Notes that the migration under way has changed records of the entity.
  mutating func noteCustom(_ entity: String) { touched.insert(entity) }

  mutating func note(_ entity: String) {
    touched.insert(entity)
    unsaved.insert(entity)
  }

  /// A schema before and after a change.
  typealias Alteration = (before: StoredSchema, after: StoredSchema)

  /// Changes the schema of an entity by `body`, and counts that as a change; nil where there is none.
  ///
  /// - Throws: What `body` throws; `.invalidSchema` where the new schema makes no sense.
  mutating func alter(
    _ entity: String, _ body: (inout StoredSchema) throws(DatabaseError) -> Void
  ) throws(DatabaseError) -> Alteration? {
    guard let before = catalog.schemas[entity] else { return nil }
    var after = before
    after.version += 1
    try body(&after)
    try SchemaRules.check(after, insteadOf: before)
    if after.schema.name != entity { catalog.schemas[entity] = nil }
    catalog.schemas[after.schema.name] = after
    note(entity)
    note(after.schema.name)
    return (before, after)
  }

  /// Takes over what is only shown: aliases, units, and the order of the fields.
  mutating func adoptShown(_ schema: Schema) throws(DatabaseError) {
    guard let stored = catalog.schemas[schema.name] else { return }
    if SchemaDifference(stored: stored.schema, program: schema).isOnlyShown {
      catalog.schemas[schema.name]?.schema = schema
      note(schema.name)
    }
  }
}
