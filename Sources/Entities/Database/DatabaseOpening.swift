internal import PageStore

/// Compares what a program expects with what a file has, and brings the file up to it.
struct DatabaseOpening {
  let store: Store
  let program: [ProgramEntity]
  let migrations: [Migration]

  /// The schemas to work with.
  func run(isReadOnly: Bool) throws(DatabaseError) -> SchemaSet {
    try checkProgram()
    let snapshot: Snapshot
    do throws(StoreError) {
      snapshot = try store.snapshot()
    } catch {
      throw .store(error)
    }
    let catalog = try StoredCatalog.read(.snapshot(snapshot))
    let work = try Work(catalog, program, migrations)
    if !work.isNeeded || isReadOnly {
      if !work.pending.isEmpty && !catalog.isNew {
        throw .migrationNeeded(work.pending.map(\.name))
      }
      try checkSchemas(catalog)
      return SchemaSet(catalog, program: program)
    }
    return try store.write { (transaction) throws(DatabaseError) in
      try bringUp(&transaction)
    }
  }

  /// What is to be done to a file before it can be worked with.
  private struct Work {
    let pending: [Migration]
    let missing: [Schema]
    /// Schemas that differ in what is shown only.
    let shown: [Schema]

    var isNeeded: Bool { !pending.isEmpty || !missing.isEmpty || !shown.isEmpty }

    init(
      _ catalog: StoredCatalog, _ program: [ProgramEntity], _ migrations: [Migration]
    ) throws(DatabaseError) {
      pending = try DatabaseOpening.pending(catalog, program, migrations)
      var missing: [Schema] = []
      var shown: [Schema] = []
      for entity in program {
        guard let stored = catalog.schemas[entity.schema.name] else {
          missing.append(entity.schema)
          continue
        }
        let difference = SchemaDifference(stored: stored.schema, program: entity.schema)
        if difference.isOnlyShown { shown.append(entity.schema) }
      }
      self.missing = missing
      self.shown = shown
    }
  }

  /// The migrations that the file has not been through.
  ///
  /// - Throws: `.newerFile` where it has been through one that the program does not know, and that
  ///   changed an entity of the program; `.migrationsDiffer` where those that both know are not the
  ///   first ones of the program, in its order.
  static func pending(
    _ catalog: StoredCatalog, _ program: [ProgramEntity], _ migrations: [Migration]
  ) throws(DatabaseError) -> [Migration] {
    let names = Set(migrations.map(\.name))
    let declared = Set(program.map(\.schema.name))
    for applied in catalog.migrations where !names.contains(applied.name) {
      if !declared.isDisjoint(with: applied.entities) {
        throw .newerFile("migration '\(applied.name)' is not known to this program")
      }
    }
    let applied = catalog.migrations.map(\.name).filter { names.contains($0) }
    for (migration, name) in zip(migrations, applied) where migration.name != name {
      throw .migrationsDiffer(expected: migration.name, found: name)
    }
    return Array(migrations.dropFirst(applied.count))
  }

  private func checkProgram() throws(DatabaseError) {
    var names = Set<String>()
    for entity in program {
      try SchemaRules.check(StoredSchema(schema: entity.schema))
      if !names.insert(entity.schema.name).inserted {
        throw .invalidSchema(entity: entity.schema.name, "two types have this name")
      }
    }
    if Set(migrations.map(\.name)).count != migrations.count {
      throw .invalidSchema(entity: "", "two migrations have the same name")
    }
  }

  /// Throws where an entity of the program is another one in the file.
  private func checkSchemas(_ catalog: StoredCatalog) throws(DatabaseError) {
    for entity in program {
      guard let stored = catalog.schemas[entity.schema.name] else { continue }
      let difference = SchemaDifference(stored: stored.schema, program: entity.schema)
      if !difference.steps.isEmpty {
        throw .schemaMismatch(entity: entity.schema.name, differences: difference.complaints)
      }
    }
  }

  // MARK: Writing

  /// Runs what is pending, and creates what is missing.
  ///
  /// A file that has no entities yet counts as having been through all migrations: its entities are
  /// created as the program has them now.
  private func bringUp(_ transaction: inout WriteTransaction) throws(DatabaseError) -> SchemaSet {
    var catalog = try StoredCatalog.read(.transaction(transaction.view))
    let work = try Work(catalog, program, migrations)
    if work.isNeeded {
      var editor = SchemaEditor(transaction, catalog, program)
      do throws(DatabaseError) {
        try bringUp(&editor, work.pending, isNew: catalog.schemas.isEmpty)
        catalog = editor.catalog
        transaction = editor.finish()
      } catch {
        transaction = editor.finish()
        throw error
      }
    }
    try checkSchemas(catalog)
    return SchemaSet(catalog, program: program)
  }

  private func bringUp(
    _ editor: inout SchemaEditor, _ pending: [Migration], isNew: Bool
  ) throws(DatabaseError) {
    for migration in pending {
      if isNew {
        try editor.noteApplied(migration.name, entities: program.map(\.schema.name))
      } else {
        try editor.run(migration)
      }
    }
    for entity in program where editor.catalog.schemas[entity.schema.name] == nil {
      try editor.createEntity(entity.schema)
    }
    for entity in program {
      try editor.adoptShown(entity.schema)
    }
    try editor.save()
  }
}
