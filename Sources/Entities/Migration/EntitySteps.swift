internal import PageStore

/// Steps of a migration that change entities as a whole, or anything else.
extension SchemaEditor {
  /// The schema of an entity as it is now; nil where there is none.
  public func schema(of entity: String) -> Schema? { catalog.schemas[entity]?.schema }

  /// Creates an entity without records; does nothing where there is one of that name.
  public mutating func createEntity(_ schema: Schema) throws(DatabaseError) {
    if catalog.schemas[schema.name] != nil { return }
    let stored = StoredSchema(schema: schema)
    try SchemaRules.check(stored)
    catalog.schemas[schema.name] = stored
    note(schema.name)
    try store.storing { (store) throws(StoreError) in
      _ = try store.createTableIfNeeded(schema.name)
    }
    try IndexMaintenance(EntityLayout(stored)).create(&store)
  }

  /// Drops an entity with all its records.
  ///
  /// - Throws: `.invalidSchema` where another entity refers to it.
  public mutating func dropEntity(_ name: String) throws(DatabaseError) {
    guard let stored = catalog.schemas[name] else { return }
    for other in catalog.schemas.values where other.schema.name != name {
      for field in other.schema.fields {
        if case .reference(name, _) = field.kind {
          throw .invalidSchema(
            entity: name, "\(other.schema.name) refers to it by \(field.name)")
        }
      }
    }
    try dropTables([name] + IndexMaintenance.tableNames(of: stored.schema))
    try store.storing { (store) throws(StoreError) in
      let table = try store.createTableIfNeeded(CatalogTable.name)
      try store.delete(CatalogTable.nextPrefix + Array(name.utf8), in: table)
    }
    catalog.schemas[name] = nil
    note(name)
  }

  /// Gives an entity another name; references to it follow.
  public mutating func renameEntity(from old: String, to new: String) throws(DatabaseError) {
    if catalog.schemas[old] == nil { return }
    if catalog.schemas[new] != nil {
      throw .invalidSchema(entity: new, "there is an entity of that name")
    }
    guard let (before, after) = try alter(old, { $0.schema.name = new }) else { return }
    let names = [old] + IndexMaintenance.tableNames(of: before.schema)
    for (name, newName) in zip(names, [new] + IndexMaintenance.tableNames(of: after.schema)) {
      try renameTable(name, to: newName)
    }
    try renameNext(from: old, to: new)
    for name in catalog.schemas.keys.sorted() { try retarget(name, from: old, to: new) }
  }

  /// Lets the references of `entity` to `old` lead to `new`.
  private mutating func retarget(
    _ entity: String, from old: String, to new: String
  ) throws(DatabaseError) {
    func refersToOld(_ field: FieldDefinition) -> Bool {
      if case .reference(old, _) = field.kind { return true }
      return false
    }
    guard catalog.schemas[entity]?.schema.fields.contains(where: refersToOld) == true else {
      return
    }
    _ = try alter(entity) { stored in
      for place in stored.schema.fields.indices {
        if case .reference(old, let rule) = stored.schema.fields[place].kind {
          stored.schema.fields[place].kind = .reference(entity: new, onDelete: rule)
        }
      }
    }
  }

  private mutating func renameNext(from old: String, to new: String) throws(DatabaseError) {
    let oldKey = CatalogTable.nextPrefix + Array(old.utf8)
    let source = RowSource.transaction(store.view)
    let found = try source.withTable(CatalogTable.name) { table throws(DatabaseError) in
      try table.withValue(oldKey) { ByteReader.copy($0) }
    }
    guard let value = found ?? nil else { return }
    try put(CatalogTable.nextPrefix + Array(new.utf8), value)
    try store.storing { (store) throws(StoreError) in
      let table = try store.table(CatalogTable.name)
      try store.delete(oldKey, in: table)
    }
  }

  /// Changes records as `body` says, in the schemas as they are at this point of the migration.
  ///
  /// Types of the program can be used where their schemas are already, or still, those of the file;
  /// records by name always.
  public mutating func custom(
    _ body: (inout DatabaseTransaction) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    let schemas = SchemaSet(catalog, program: program)
    try lending(schemas, body)
  }

  private mutating func lending(
    _ schemas: SchemaSet, _ body: (inout DatabaseTransaction) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    let parts = memory
    var lent = DatabaseTransaction(finish(), schemas)
    do throws(DatabaseError) {
      try body(&lent)
      let changed = lent.changedEntities
      self = SchemaEditor(lent.finish(), parts)
      for name in changed { noteCustom(name) }
    } catch {
      self = SchemaEditor(lent.finish(), parts)
      throw error
    }
  }
}
