internal import PageStore

/// What a damaged database said of itself, made whole.
extension SalvageRepair {
  /// Finds the catalog and the tables of records, and leaves in the catalog what can be read.
  ///
  /// - Throws: `.newerFile`.
  mutating func repairCatalog(
    _ store: inout WriteTransaction
  ) throws(DatabaseError) -> StoredCatalog {
    try findCatalog(&store)
    var catalog = StoredCatalog()
    catalog.isNew = false
    var isFormatThere = false
    var entities = Set<String>()
    var key: [UInt8] = []
    while let row = try Self.rows(of: CatalogTable.name, from: key, limit: 1, store).first {
      key = row.key + [0]
      if row.key == CatalogTable.formatKey {
        do throws(DatabaseError) {
          catalog.generation = try CatalogTable.generation(of: row.value.rawSpan)
          isFormatThere = true
        } catch {
          if case .newerFile = error { throw error }
        }
      } else if let name = Self.name(in: row.key, behind: CatalogTable.schemaPrefix) {
        entities.insert(name)
        catalog.schemas[name] = try Self.schema(untrusted: row.value, name: name)
      } else if let name = Self.name(in: row.key, behind: CatalogTable.nextPrefix) {
        entities.insert(name)
      } else if row.key.starts(with: CatalogTable.migrationPrefix) {
        do throws(DatabaseError) {
          catalog.migrations.append(try AppliedMigration(untrusted: row.value.rawSpan))
        } catch {
          report.hasLostMigrations = true
        }
      }
    }
    entities.formUnion(program.map(\.schema.name))
    try findRecords(&catalog, &store)
    try setAside(entities.subtracting(catalog.schemas.keys), &store)
    let isThere = try store.storing { (store) throws(StoreError) in
      try store.hasTable(CatalogTable.name)
    }
    if catalog.schemas.isEmpty && !isThere { return catalog }
    if !isFormatThere || hasLostCatalogRows { adoptMigrations(&catalog) }
    catalog.generation += 1
    try write(catalog, &store)
    return catalog
  }

  /// The name behind a prefix of the catalog's keys.
  private static func name(in key: [UInt8], behind prefix: [UInt8]) -> String? {
    guard key.starts(with: prefix) else { return nil }
    let name = String(decoding: key.dropFirst(prefix.count), as: UTF8.self)
    return SchemaRules.isName(name) ? name : nil
  }

  /// The schema in `bytes`; nil where they are none.
  private static func schema(
    untrusted bytes: [UInt8], name: String
  ) throws(DatabaseError) -> StoredSchema? {
    do throws(DatabaseError) {
      let schema = try SchemaCoding.decode(untrusted: bytes.rawSpan, name: name)
      try SchemaRules.checkStored(schema)
      return schema
    } catch {
      if case .newerFile = error { throw error }
      return nil
    }
  }

  /// True where rows may be missing in what the database said of itself.
  private var hasLostCatalogRows: Bool {
    guard let table = report.pages.tables.first(where: { $0.name == CatalogTable.name }) else {
      return true
    }
    return report.hasLostMigrations || table.rowCount != table.expectedRowCount
      || !table.damages.isEmpty || !table.missingRanges.isEmpty || table.lostKeyCount > 0
  }

  /// Counts a file that does not say what it has been through as having been through the program's
  /// migrations, where it has its schemas.
  private func adoptMigrations(_ catalog: inout StoredCatalog) {
    // Of a whole file nothing is guessed.
    if program.isEmpty { return }
    let isCurrent = program.allSatisfy { entity in
      guard let stored = catalog.schemas[entity.schema.name] else { return true }
      return SchemaDifference(stored: stored.schema, program: entity.schema).steps.isEmpty
    }
    if !isCurrent { return }
    catalog.migrations = migrations.map {
      AppliedMigration(name: $0, entities: program.map(\.schema.name))
    }
  }

  /// Writes the catalog, except for the next numbers.
  private func write(
    _ catalog: StoredCatalog, _ store: inout WriteTransaction
  ) throws(DatabaseError) {
    let prefixes = [CatalogTable.schemaPrefix, CatalogTable.migrationPrefix]
    try store.storing { (store) throws(StoreError) in
      let table = try store.createTableIfNeeded(CatalogTable.name)
      for prefix in prefixes {
        _ = try store.deleteRange(from: prefix, to: prefix.endOfPrefix, in: table)
      }
    }
    for (name, schema) in catalog.schemas.sorted(by: { $0.key < $1.key }) {
      try Self.put(
        CatalogTable.schemaPrefix + Array(name.utf8), SchemaCoding.encode(schema), &store)
    }
    for (index, migration) in catalog.migrations.enumerated() {
      try Self.put(CatalogTable.migrationKey(index + 1), migration.bytes, &store)
    }
    try Self.put(
      CatalogTable.formatKey, CatalogTable.format(generation: catalog.generation), &store)
  }

  // MARK: Tables without a name

  /// The tables whose names were made up, for lack of the right one.
  var nameless: [String] {
    report.pages.tables.filter { $0.expectedRowCount == nil }.map(\.name)
  }

  /// Gives the table in which the database describes itself its name, where it has lost that.
  private mutating func findCatalog(_ store: inout WriteTransaction) throws(DatabaseError) {
    let isThere = try store.storing { (store) throws(StoreError) in
      try store.hasTable(CatalogTable.name)
    }
    if isThere { return }
    for table in nameless {
      let prefix = CatalogTable.schemaPrefix
      let rows = try Self.rows(of: table, from: prefix, to: prefix.endOfPrefix, limit: 1, store)
      guard let row = rows.first, let name = Self.name(in: row.key, behind: prefix),
        try Self.schema(untrusted: row.value, name: name) != nil
      else { continue }
      return try rename(table, to: CatalogTable.name, &store)
    }
  }

  /// Finds a schema for tables that have none, and the table for schemas.
  private mutating func findRecords(
    _ catalog: inout StoredCatalog, _ store: inout WriteTransaction
  ) throws(DatabaseError) {
    let tables = Set(try store.storing { (store) throws(StoreError) in try store.tableNames() })
    var wanted = catalog.schemas.filter { !tables.contains($0.key) }
    for entity in program where catalog.schemas[entity.schema.name] == nil {
      let name = entity.schema.name
      let schema = StoredSchema(schema: entity.schema)
      if !tables.contains(name) {
        wanted[name] = schema
      } else if try fits(name, schema, isNamed: true, store) {
        catalog.schemas[name] = schema
        report.assumedSchemas.append(name)
      }
    }
    var fitting: [(table: String, schemas: Set<String>)] = []
    // An older version of the catalog may have told a table's name.
    for table in nameless where tables.contains(table) && catalog.schemas[table] == nil {
      var names = Set<String>()
      for (name, schema) in wanted where try fits(table, schema, isNamed: false, store) {
        names.insert(name)
      }
      fitting.append((table, names))
    }
    for (table, name) in Self.certain(fitting) {
      try rename(table, to: name, &store)
      if catalog.schemas[name] == nil {
        catalog.schemas[name] = wanted[name]
        report.assumedSchemas.append(name)
      }
    }
    report.assumedSchemas.sort()
  }

  /// The tables that can be of one schema only, once each other table has its own.
  ///
  /// What two schemas could mean is left as it is, and so is a schema that two tables fit.
  private static func certain(
    _ fitting: [(table: String, schemas: Set<String>)]
  ) -> [(table: String, name: String)] {
    var rest = fitting
    var found: [(table: String, name: String)] = []
    while true {
      var tables: [String: [String]] = [:]
      for (table, schemas) in rest where schemas.count == 1 {
        for name in schemas { tables[name, default: []].append(table) }
      }
      if tables.isEmpty { return found }
      for (name, tables) in tables.sorted(by: { $0.key < $1.key }) where tables.count == 1 {
        found.append((tables[0], name))
      }
      rest.removeAll { $0.schemas.count == 1 }
      for place in rest.indices { rest[place].schemas.subtract(tables.keys) }
    }
  }

  /// True where the first rows of a table are records of that schema.
  private func fits(
    _ table: String, _ schema: StoredSchema, isNamed: Bool, _ store: borrowing WriteTransaction
  ) throws(DatabaseError) -> Bool {
    let layout = EntityLayout(schema)
    let rows = try Self.rows(of: table, from: [], limit: 64, store)
    if rows.isEmpty { return isNamed }
    for row in rows {
      guard let id = EntityID(key: row.key.rawSpan) else { return false }
      do throws(DatabaseError) {
        let record = try ReadingContext.record(id, row.value.rawSpan, layout)
        if !isNamed && record.values.isEmpty { return false }
        try RecordValidation.check(row.value, id, layout)
      } catch {
        return false
      }
    }
    return true
  }

  /// Moves what entities without a schema have left out of the way of new ones of their names.
  private mutating func setAside(
    _ names: Set<String>, _ store: inout WriteTransaction
  ) throws(DatabaseError) {
    let tables = try store.storing { (store) throws(StoreError) in try store.tableNames() }
    for name in names.sorted() {
      for table in tables where table == name || table.hasPrefix(name + "/") {
        let place = "lost \(table)"
        if tables.contains(place) || place.utf8.count > StoreLimits.tableNameByteCount { continue }
        try rename(table, to: place, &store)
        if table == name { report.unknownTables.append(place) }
      }
      let key = CatalogTable.nextPrefix + Array(name.utf8)
      try store.storing { (store) throws(StoreError) in
        if try store.hasTable(CatalogTable.name) {
          try store.delete(key, in: try store.table(CatalogTable.name))
        }
      }
    }
  }

  /// Gives a table another name, in the report as well.
  private mutating func rename(
    _ table: String, to name: String, _ store: inout WriteTransaction
  ) throws(DatabaseError) {
    if let place = report.pages.tables.firstIndex(where: { $0.name == table }) {
      report.pages.tables[place].name = name
    }
    try store.storing { (store) throws(StoreError) in
      try store.rename(try store.table(table), to: name)
    }
  }
}
