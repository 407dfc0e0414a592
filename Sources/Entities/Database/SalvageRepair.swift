internal import PageStore

/// Makes rows that were saved from a damaged file a database that its check finds sound.
///
/// First the catalog is made whole; then, one entity after the other, each record by itself, and the
/// indexes are built from the records; last, by the indexes, references are followed.
struct SalvageRepair {
  let program: [ProgramEntity]
  /// The names of the program's migrations.
  let migrations: [String]
  var report: SalvagedDatabase
  /// False once whoever asked for the salvage wants it to end.
  private let goesOn: () -> Bool

  init(
    _ pages: SalvageReport, program: [ProgramEntity], _ migrations: [String],
    goesOn: @escaping () -> Bool
  ) {
    // What a whole file does not say of itself is not to be guessed.
    self.program = pages.isComplete ? [] : program
    self.migrations = migrations
    self.goesOn = goesOn
    report = SalvagedDatabase(pages: pages)
  }

  mutating func run(_ store: inout WriteTransaction) throws(DatabaseError) {
    let catalog = try repairCatalog(&store)
    let schemas = SchemaSet(catalog, program: [])
    for name in schemas.names {
      let layout = try schemas.layout(named: name)
      let maintenance = IndexMaintenance(layout)
      try store.storing { (store) throws(StoreError) in
        _ = try store.createTableIfNeeded(name)
        for field in layout.unique {
          let table = UniqueValues.tableName(entity: name, field: field.name)
          if try store.hasTable(table) { try store.drop(try store.table(table)) }
        }
      }
      try maintenance.create(&store)
      try repairRecords(layout, &store)
      try maintenance.rebuildEverything(&store)
      for field in layout.indexed {
        try checkGoingOn()
        try maintenance.rebuild(field.name, &store)
      }
    }
    try dropCopies(ofIndexesOf: schemas, &store)
    var transaction = DatabaseTransaction(store, schemas)
    do throws(DatabaseError) {
      for name in schemas.names {
        try checkGoingOn()
        try transaction.repairReferences(try schemas.layout(named: name), &report)
      }
      let context = transaction.context
      for name in schemas.names.sorted() {
        report.note(count: try context.count(try schemas.layout(named: name)), of: name)
      }
      store = transaction.finish()
    } catch {
      store = transaction.finish()
      throw error
    }
    report.repairs.sort {
      ($0.entity, $0.kind.rawValue, $0.field ?? "") < ($1.entity, $1.kind.rawValue, $1.field ?? "")
    }
  }

  private func checkGoingOn() throws(DatabaseError) {
    if !goesOn() { throw .store(.cancelled) }
  }

  // MARK: Records

  /// Leaves out what is no record, clears values that break rules, and counts the numbers on.
  private mutating func repairRecords(
    _ layout: EntityLayout, _ store: inout WriteTransaction
  ) throws(DatabaseError) {
    var next: [UInt8]? = []
    var last = EntityID(0)
    while let first = next {
      try checkGoingOn()
      let rows = try Self.rows(of: layout.name, from: first, store)
      next = rows.last.map { $0.key + [0] }
      for row in rows {
        let number = EntityID(key: row.key.rawSpan)
        if number == nil { report.note(.unreadable, layout.name, nil) }
        guard let id = number, let record = try repaired(row.value, id, layout, &store) else {
          try store.storing { (store) throws(StoreError) in
            _ = try store.delete(row.key, in: try store.table(layout.name))
          }
          continue
        }
        last = id
        for field in layout.unique {
          let unique = UniqueValues(layout: layout, field: field)
          try unique.update(id, from: nil, to: record[field.name], &store)
        }
      }
    }
    try count(onFrom: last, layout, &store)
  }

  /// The record in `bytes`, as it now stands in the table; nil where it is to be left out.
  private mutating func repaired(
    _ bytes: [UInt8], _ id: EntityID, _ layout: EntityLayout, _ store: inout WriteTransaction
  ) throws(DatabaseError) -> Record? {
    var record: Record
    do throws(DatabaseError) {
      record = try ReadingContext.record(id, bytes.rawSpan, layout)
    } catch {
      report.note(.unreadable, layout.name, nil)
      return nil
    }
    var cleared: [String] = []
    for field in layout.ascending {
      if try isSound(record[field.name], field, id, layout, store) { continue }
      if field.rules.contains(.required) {
        report.note(.brokenRule, layout.name, field.name)
        return nil
      }
      record[field.name] = nil
      cleared.append(field.name)
    }
    for name in cleared { report.note(.clearedValue, layout.name, name) }
    if !cleared.isEmpty {
      let bytes = try RecordCoding.encode(record, id, layout)
      try store.storing { (store) throws(StoreError) in
        try store.put(id.key, bytes, in: try store.table(layout.name))
      }
    }
    return record
  }

  /// True where the value breaks no rule of its field.
  private func isSound(
    _ value: FieldValue?, _ field: FieldDefinition, _ id: EntityID, _ layout: EntityLayout,
    _ store: borrowing WriteTransaction
  ) throws(DatabaseError) -> Bool {
    if field.rules.contains(where: { RecordValidation.problem(value, $0) != nil }) { return false }
    if !field.isUnique { return true }
    do throws(DatabaseError) {
      try UniqueValues(layout: layout, field: field).check(id, value, .transaction(store.view))
      return true
    } catch {
      guard case .invalid = error else { throw error }
      return false
    }
  }

  /// Makes the next number one that no record has had.
  private func count(
    onFrom last: EntityID, _ layout: EntityLayout, _ store: inout WriteTransaction
  ) throws(DatabaseError) {
    let key = CatalogTable.nextPrefix + Array(layout.name.utf8)
    let context = ReadingContext(
      source: .transaction(store.view), schemas: SchemaSet(StoredCatalog(), program: []))
    var next = EntityID(last.rawValue + 1)
    do throws(DatabaseError) {
      next = max(next, try context.nextID(layout))
    } catch {
      guard case .corruptCatalog = error else { throw error }
    }
    var writer = ByteWriter()
    writer.variable(next.rawValue)
    try Self.put(key, writer.bytes, &store)
  }

  // MARK: Rows

  /// How many bytes of values are read at a time, from which on one row is enough.
  private static let rowsByteCount = 1 << 20

  /// Some rows of a table from `key` on; none at its end.
  static func rows(
    of table: String, from key: [UInt8], to end: [UInt8]? = nil, limit: Int = 256,
    _ store: borrowing WriteTransaction
  ) throws(DatabaseError) -> [(key: [UInt8], value: [UInt8])] {
    var rows: [(key: [UInt8], value: [UInt8])] = []
    var byteCount = 0
    _ = try RowSource.transaction(store.view).withTable(table) { table throws(DatabaseError) in
      try table.forEachRow(from: key, to: end) { key, value throws(DatabaseError) in
        rows.append((ByteReader.copy(key), ByteReader.copy(value)))
        byteCount += value.byteCount
        return rows.count < limit && byteCount < rowsByteCount
      }
    }
    return rows
  }

  static func put(
    _ key: [UInt8], _ value: [UInt8], _ store: inout WriteTransaction
  ) throws(DatabaseError) {
    try store.storing { (store) throws(StoreError) in
      try store.put(key, value, in: try store.createTableIfNeeded(CatalogTable.name))
    }
  }
}
