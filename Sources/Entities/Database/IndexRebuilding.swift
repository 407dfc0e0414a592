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
    guard let kind = field.heldIndex else { return }
    let table = Self.tableName(entity: layout.name, field: name)
    switch kind {
    case .terms: try rebuildTerms(field, TermIndex(table), &store)
    case .words: try rebuildWords(field, NameIndex(table), &store)
    case .numbers: try rebuildNumbers(field, NumericIndex(table), &store)
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

  private func rebuildTerms(
    _ field: FieldDefinition, _ index: TermIndex, _ store: inout WriteTransaction
  ) throws(DatabaseError) {
    var builder = TermIndexBuilder(index)
    func write(_ store: inout WriteTransaction) throws(DatabaseError) {
      try indexing(field.name) { () throws(IndexError) in
        let table = try index.create(in: &store)
        try builder.flush(in: table, of: &store)
      }
    }
    try forEachBatch(&store) { batch, store throws(DatabaseError) in
      try indexing(field.name) { () throws(IndexError) in
        for (id, values) in batch {
          for term in IndexTerms.terms(of: values[field.name]) { try builder.add(id.row, term) }
        }
      }
      if builder.isFull { try write(&store) }
    }
    try write(&store)
  }

  private func rebuildWords(
    _ field: FieldDefinition, _ index: NameIndex, _ store: inout WriteTransaction
  ) throws(DatabaseError) {
    var builder = NameIndexBuilder(index)
    func write(_ store: inout WriteTransaction) throws(DatabaseError) {
      try indexing(field.name) { () throws(IndexError) in
        let table = try index.create(in: &store)
        try builder.flush(in: table, of: &store)
      }
    }
    try forEachBatch(&store) { batch, store throws(DatabaseError) in
      for (id, values) in batch { builder.add(id.row, texts(of: field, in: values)) }
      if builder.isFull { try write(&store) }
    }
    try write(&store)
  }

  private func rebuildNumbers(
    _ field: FieldDefinition, _ index: NumericIndex, _ store: inout WriteTransaction
  ) throws(DatabaseError) {
    var builder = NumericIndexBuilder(index)
    func write(_ store: inout WriteTransaction) throws(DatabaseError) {
      try indexing(field.name) { () throws(IndexError) in
        let table = try index.create(in: &store)
        try builder.flush(in: table, of: &store)
      }
    }
    try forEachBatch(&store) { batch, store throws(DatabaseError) in
      for (id, values) in batch {
        if let key = IndexTerms.key(of: values[field.name]) { builder.add(id.row, key) }
      }
      if builder.isFull { try write(&store) }
    }
    try write(&store)
  }

  /// Builds the index of all records.
  func rebuildEverything(_ store: inout WriteTransaction) throws(DatabaseError) {
    let index = TermIndex(Self.everyName(entity: layout.name))
    do throws(StoreError) {
      if try store.hasTable(index.name) { try store.drop(try store.table(index.name)) }
    } catch {
      throw .store(error)
    }
    var builder = TermIndexBuilder(index)
    try forEachBatch(&store) { batch, store throws(DatabaseError) in
      try indexing("*") { () throws(IndexError) in
        for (id, _) in batch { try builder.add(id.row, []) }
        guard builder.isFull else { return }
        try builder.flush(in: try index.create(in: &store), of: &store)
      }
    }
    try indexing("*") { () throws(IndexError) in
      try builder.flush(in: try index.create(in: &store), of: &store)
    }
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
