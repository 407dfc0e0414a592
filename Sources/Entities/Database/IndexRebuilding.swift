internal import Index
internal import PageStore

/// Builds indexes anew, from the records.
extension IndexMaintenance {
  /// Builds the indexes of a field, and what makes it unique, from the records.
  ///
  /// - Throws: `.invalid` where two records have the same value of a unique field.
  func rebuild(_ name: String, _ store: inout WriteTransaction) throws(DatabaseError) {
    guard let field = layout.field(named: name) else {
      throw .noSuchField(entity: layout.name, field: name)
    }
    do throws(StoreError) {
      for table in Self.tableNames(entity: layout.name, field: name)
      where try store.hasTable(table) {
        try store.drop(try store.table(table))
      }
      try create(field, &store)
    } catch {
      throw .store(error)
    }
    if field.isUnique { try rebuildUnique(field, &store) }
    if field.heldIndex != nil {
      try build(IndexBatch(self, fields: [field], everything: false), &store)
    }
  }

  private func rebuildUnique(
    _ field: FieldDefinition, _ store: inout WriteTransaction
  ) throws(DatabaseError) {
    let unique = UniqueValues(layout: layout, field: field)
    try forEachBatch(&store) { batch, store throws(DatabaseError) in
      for (id, values) in batch {
        try unique.check(id, values[field.name], .transaction(store.view))
        try unique.update(id, from: nil, to: values[field.name], &store)
      }
    }
  }

  /// Builds the index of all records.
  func rebuildEverything(_ store: inout WriteTransaction) throws(DatabaseError) {
    let table = Self.everyName(entity: layout.name)
    do throws(StoreError) {
      if try store.hasTable(table) { try store.drop(try store.table(table)) }
    } catch {
      throw .store(error)
    }
    try build(IndexBatch(self, fields: [], everything: true), &store)
  }

  /// Fills the indexes of `batch`, which are empty, from the records.
  private func build(_ batch: IndexBatch, _ store: inout WriteTransaction) throws(DatabaseError) {
    var indexes = batch
    try forEachBatch(&store) { records, store throws(DatabaseError) in
      for (id, values) in records { try indexes.add(id, values) }
      if indexes.isFull { try indexes.write(&store) }
    }
    try indexes.write(&store)
  }

  /// Calls `body` with some records at a time, while it may change other tables.
  private func forEachBatch(
    _ store: inout WriteTransaction,
    _ body: ([(EntityID, Record)], inout WriteTransaction) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    var next: EntityID? = EntityID(0)
    while let first = next {
      var batch: [(EntityID, Record)] = []
      let source = RowSource.transaction(store.view)
      _ = try source.withTable(layout.name) { table throws(DatabaseError) in
        try table.forEachRow(from: first.key) { key, value throws(DatabaseError) in
          guard let id = EntityID(key: key) else {
            throw .corruptRecord(entity: layout.name, id: nil, field: nil, .key)
          }
          batch.append((id, try values(id, ByteReader.copy(value))))
          return batch.count < 256
        }
      }
      next = batch.count == 256 ? batch.last.map { EntityID($0.0.rawValue + 1) } : nil
      try body(batch, &store)
    }
  }
}

extension DatabaseTransaction {
  /// Builds the index of a field anew from the records; `*` is the index of all records.
  ///
  /// - Throws: `.noSuchEntity`, `.noSuchField`; `.corruptRecord` where a record cannot be read.
  public mutating func rebuildIndex(_ entity: String, _ field: String) throws(DatabaseError) {
    let maintenance = IndexMaintenance(try schemas.layout(named: entity))
    if field == "*" {
      try maintenance.rebuildEverything(&store)
    } else {
      try maintenance.rebuild(field, &store)
    }
  }
}

extension Database {
  /// Builds all indexes of all entities anew from the records, in one transaction.
  public func rebuildIndexes() throws(DatabaseError) {
    try write { transaction throws(DatabaseError) in
      for name in transaction.schemas.names {
        try transaction.rebuildIndex(name, "*")
        for field in try transaction.schemas.layout(named: name).indexed {
          try transaction.rebuildIndex(name, field.name)
        }
      }
    }
  }
}
