internal import Index
internal import PageStore

/// Keeps the indexes of an entity equal to its records.
///
/// Only terms that a change adds or takes away are touched. Each indexed field has a table, named by
/// the entity and the field; one more holds the numbers of all records.
struct IndexMaintenance {
  let layout: EntityLayout

  init(_ layout: EntityLayout) { self.layout = layout }

  // MARK: Tables

  static func tableName(entity: String, field: String) -> String { "\(entity)/\(field)" }

  /// The table of the index of all records.
  static func everyName(entity: String) -> String { "\(entity)/*" }

  /// The tables that a field can have, whether it has them or not.
  static func tableNames(entity: String, field: String) -> [String] {
    [
      tableName(entity: entity, field: field),
      UniqueValues.tableName(entity: entity, field: field),
    ]
  }

  /// The tables that an entity has beside its records.
  static func tableNames(of schema: Schema) -> [String] {
    [everyName(entity: schema.name)]
      + schema.fields.flatMap { tableNames(entity: schema.name, field: $0.name) }
  }

  /// Makes the tables of all indexes, empty.
  func create(_ store: inout WriteTransaction) throws(DatabaseError) {
    do throws(StoreError) {
      _ = try store.createTableIfNeeded(Self.everyName(entity: layout.name))
      for field in layout.schema.fields { try create(field, &store) }
    } catch {
      throw .store(error)
    }
  }

  func create(
    _ field: FieldDefinition, _ store: inout WriteTransaction
  ) throws(StoreError) {
    if field.heldIndex != nil {
      _ = try store.createTableIfNeeded(Self.tableName(entity: layout.name, field: field.name))
    }
    if field.isUnique {
      _ = try store.createTableIfNeeded(
        UniqueValues.tableName(entity: layout.name, field: field.name))
    }
  }

  // MARK: Changes

  /// Notes that record `id` changes; nil is a record that is not there.
  ///
  /// - Throws: `.invalid` where a unique value is another record's.
  func update(
    _ id: EntityID, from old: [UInt8]?, to new: [UInt8]?, _ store: inout WriteTransaction
  ) throws(DatabaseError) {
    let oldValues = try values(id, old)
    let newValues = try values(id, new)
    try updateUnique(id, from: oldValues, to: newValues, &store)
    for field in layout.indexed {
      try update(field, id, oldValues, newValues, &store)
    }
    if (old == nil) != (new == nil) {
      try everything(id, isThere: new != nil, &store)
    }
  }

  /// Notes that the unique values of record `id` change.
  ///
  /// - Throws: `.invalid` where one of them is another record's.
  func updateUnique(
    _ id: EntityID, from old: Record, to new: Record, _ store: inout WriteTransaction
  ) throws(DatabaseError) {
    // All are looked at before any is changed: what is refused has changed nothing.
    let unique = layout.unique.map { UniqueValues(layout: layout, field: $0) }
    for values in unique {
      try values.check(id, new[values.field.name], .transaction(store.view))
    }
    for values in unique {
      let name = values.field.name
      try values.update(id, from: old[name], to: new[name], &store)
    }
  }

  /// Notes the unique values of record `id`, which is new; they stand at the numbers of their fields.
  ///
  /// - Throws: `.invalid` where one of them is another record's.
  func addUnique(
    _ id: EntityID, _ values: [FieldValue?], _ store: inout WriteTransaction
  ) throws(DatabaseError) {
    if layout.unique.isEmpty { return }
    var record = Record()
    for field in layout.unique { record[field.name] = values[field.number] }
    try updateUnique(id, from: Record(), to: record, &store)
  }

  /// The values of the fields that any index looks at.
  func values(_ id: EntityID, _ bytes: [UInt8]?) throws(DatabaseError) -> Record {
    guard let bytes else { return Record() }
    return try values(id, bytes.rawSpan, of: layout.indexed)
  }

  /// The values of some fields; in ascending order of their numbers they are found in one pass.
  func values(
    _ id: EntityID, _ bytes: RawSpan, of fields: [FieldDefinition]
  ) throws(DatabaseError) -> Record {
    var reader = RecordReader(untrusted: bytes, layout: layout)
    var record = Record()
    for field in fields { record[field.name] = reader.value(field) }
    if let (number, damage) = reader.damage {
      throw .corruptRecord(
        entity: layout.name, id: id, field: layout.name(ofField: number), damage)
    }
    return record
  }

  private func everything(
    _ id: EntityID, isThere: Bool, _ store: inout WriteTransaction
  ) throws(DatabaseError) {
    try indexing("*") { () throws(IndexError) in
      let index = TermIndex(Self.everyName(entity: layout.name))
      let table = try index.create(in: &store)
      if isThere {
        try index.insert(id.row, [], in: table, of: &store)
      } else {
        try index.remove(id.row, [], in: table, of: &store)
      }
    }
  }

  private func update(
    _ field: FieldDefinition, _ id: EntityID, _ old: Record, _ new: Record,
    _ store: inout WriteTransaction
  ) throws(DatabaseError) {
    guard let kind = field.heldIndex else { return }
    let name = Self.tableName(entity: layout.name, field: field.name)
    try indexing(field.name) { () throws(IndexError) in
      switch kind {
      case .terms:
        let oldTerms = IndexTerms.terms(of: old[field.name])
        let newTerms = IndexTerms.terms(of: new[field.name])
        if oldTerms == newTerms { return }
        let index = TermIndex(name)
        let table = try index.create(in: &store)
        for term in oldTerms.subtracting(newTerms) {
          try index.remove(id.row, term, in: table, of: &store)
        }
        for term in newTerms.subtracting(oldTerms) {
          try index.insert(id.row, term, in: table, of: &store)
        }
      case .words:
        let oldTexts = texts(of: field, in: old)
        let newTexts = texts(of: field, in: new)
        if oldTexts == newTexts { return }
        let index = NameIndex(name)
        let table = try index.create(in: &store)
        try index.update(id.row, from: oldTexts, to: newTexts, in: table, of: &store)
      case .numbers:
        let oldKey = IndexTerms.key(of: old[field.name])
        let newKey = IndexTerms.key(of: new[field.name])
        if oldKey == newKey { return }
        let index = NumericIndex(name)
        let table = try index.create(in: &store)
        if let oldKey { try index.remove(id.row, oldKey, in: table, of: &store) }
        if let newKey { try index.insert(id.row, newKey, in: table, of: &store) }
      }
    }
  }

  /// The texts that are found by searching the field.
  func texts(of field: FieldDefinition, in record: Record) -> [String] {
    fields(searchedBy: field).flatMap { IndexTerms.texts(of: record[$0.name]) }
  }

  /// The fields that the index of this one looks at.
  func fields(searchedBy field: FieldDefinition) -> [FieldDefinition] {
    layout.schema.fields.filter { $0.name == field.name || $0.searchedAs == field.name }
  }

  func indexing<Result>(
    _ field: String, _ body: () throws(IndexError) -> Result
  ) throws(DatabaseError) -> Result {
    do throws(IndexError) {
      return try body()
    } catch {
      throw DatabaseError(error, entity: layout.name, field: field)
    }
  }
}
