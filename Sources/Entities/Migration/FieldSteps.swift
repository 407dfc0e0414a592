internal import PageStore

/// Steps of a migration that change fields.
extension SchemaEditor {
  /// Adds a field, with a number that no field of the entity ever had.
  ///
  /// - Parameters:
  ///   - entity: The entity's name.
  ///   - field: The field. Where it is required, `value` must be given.
  ///   - value: What the records that are there get; nil leaves it absent.
  /// - Throws: `.invalidSchema` where the field does not fit in, and `.invalid` where the value does
  ///   not, or refers to no record.
  public mutating func addField(
    _ entity: String, _ field: FieldDefinition, value: FieldValue? = nil
  ) throws(DatabaseError) {
    let altered = try alter(entity) { $0.schema.fields.append(field) }
    guard let (before, after) = altered else { return }
    if value != nil || field.rules.contains(.required) {
      try rewrite(entity, from: before, to: after) { record in record[field.name] = value }
      try checkTargets(of: field, in: after)
    }
    try rebuildIndexes(of: [field.name] + (try after.targets(of: field.name)), in: after)
  }

  /// Gives a field another name; its number, its values and its index stay.
  public mutating func renameField(
    _ entity: String, from old: String, to new: String
  ) throws(DatabaseError) {
    let altered = try alter(entity) { stored throws(DatabaseError) in
      stored.schema.fields[try stored.place(of: old)].name = new
      for place in stored.schema.fields.indices
      where stored.schema.fields[place].searchedAs == old {
        stored.schema.fields[place].searchedAs = new
      }
    }
    if altered == nil { return }
    let names = IndexMaintenance.tableNames(entity: entity, field: old)
    let newNames = IndexMaintenance.tableNames(entity: entity, field: new)
    for (name, newName) in zip(names, newNames) { try renameTable(name, to: newName) }
  }

  /// Drops a field; records lose its values when they are next written.
  public mutating func dropField(_ entity: String, _ field: String) throws(DatabaseError) {
    let altered = try alter(entity) { stored throws(DatabaseError) in
      let dropped = stored.schema.fields.remove(at: try stored.place(of: field))
      stored.retired.append(RetiredField(number: dropped.number, wire: dropped.kind.wire))
    }
    guard let (before, after) = altered else { return }
    try dropTables(IndexMaintenance.tableNames(entity: entity, field: field))
    try rebuildIndexes(of: try before.targets(of: field), in: after)
  }

  /// Changes the kind of a field, and with it the index and the rules that go with the kind.
  ///
  /// - Parameters:
  ///   - entity: The entity's name.
  ///   - name: The field's name.
  ///   - kind: What its values are from now on.
  ///   - index: The index that it has from now on.
  ///   - rules: What its values have to fulfil from now on.
  ///   - convert: Makes a new value of an old one; nil is absent.
  /// - Throws: `.noSuchField`, `.invalidSchema`, `.invalid` where a new value is not allowed, and what
  ///   `convert` throws.
  public mutating func retypeField(
    _ entity: String, _ name: String, to kind: FieldKind, index: FieldIndex? = nil,
    rules: [FieldRule] = [],
    convert: (FieldValue) throws(DatabaseError) -> FieldValue? = { $0 }
  ) throws(DatabaseError) {
    let altered = try alterField(entity, name) { field in
      field.kind = kind
      field.index = index
      field.rules = rules
    }
    guard let (before, after) = altered else { return }
    try dropTables(IndexMaintenance.tableNames(entity: entity, field: name))
    try rewrite(entity, from: before, to: after) { record throws(DatabaseError) in
      if let value = record[name] { record[name] = try convert(value) }
    }
    try checkTargets(of: after.schema.fields[try after.place(of: name)], in: after)
    try rebuildIndexes(of: [name] + (try after.targets(of: name)), in: after)
  }

  /// Gives a field other rules, which all records must fulfil.
  public mutating func setRules(
    _ entity: String, _ name: String, _ rules: [FieldRule]
  ) throws(DatabaseError) {
    let altered = try alterField(entity, name) { $0.rules = rules }
    guard let (before, after) = altered else { return }
    try dropTables([UniqueValues.tableName(entity: entity, field: name)])
    try rewrite(entity, from: before, to: after) { _ in }
    try rebuildIndexes(of: [name], in: after)
  }

  /// Gives a field an index, built from the records that are there.
  public mutating func addIndex(
    _ entity: String, _ name: String, _ index: FieldIndex
  ) throws(DatabaseError) {
    try setIndex(entity, name, index)
  }

  /// Takes a field's index away.
  public mutating func dropIndex(_ entity: String, _ name: String) throws(DatabaseError) {
    try setIndex(entity, name, nil)
  }

  private mutating func setIndex(
    _ entity: String, _ name: String, _ index: FieldIndex?
  ) throws(DatabaseError) {
    let altered = try alterField(entity, name) { $0.index = index }
    guard let (_, after) = altered else { return }
    try dropTables([IndexMaintenance.tableName(entity: entity, field: name)])
    try rebuildIndexes(of: [name], in: after)
  }

  /// Lets a field's texts be found by searching another field, or no longer.
  public mutating func setSearchedAs(
    _ entity: String, _ name: String, _ target: String?
  ) throws(DatabaseError) {
    let altered = try alterField(entity, name) { $0.searchedAs = target }
    guard let (before, after) = altered else { return }
    let targets = try before.targets(of: name) + after.targets(of: name)
    try rebuildIndexes(of: targets, in: after)
  }

  // MARK: Parts of steps

  /// Changes one field of an entity's schema by `body`; see `alter`.
  private mutating func alterField(
    _ entity: String, _ field: String, _ body: (inout FieldDefinition) -> Void
  ) throws(DatabaseError) -> Alteration? {
    try alter(entity) { stored throws(DatabaseError) in
      body(&stored.schema.fields[try stored.place(of: field)])
    }
  }

  /// Changes each record by `body`, and holds it to the new rules.
  private mutating func rewrite(
    _ entity: String, from before: StoredSchema, to after: StoredSchema,
    _ body: (inout Record) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    let old = EntityLayout(before)
    let new = EntityLayout(after)
    let table = try store.storing { (store) throws(StoreError) in try store.table(entity) }
    _ = try store.edit(in: table) { key, value throws(DatabaseError) in
      guard let id = EntityID(key: key) else {
        throw .corruptRecord(entity: entity, id: nil, field: nil, .key)
      }
      var record = try ReadingContext.record(id, value, old)
      try body(&record)
      let bytes = try RecordCoding.encode(record, id, new)
      try RecordValidation.check(bytes, id, new)
      return .replace(bytes)
    }
  }

  /// Throws where a record's reference leads to no record.
  private func checkTargets(
    of field: FieldDefinition, in stored: StoredSchema
  ) throws(DatabaseError) {
    guard case .reference(let entity, _) = field.kind else { return }
    let schemas = SchemaSet(catalog, program: [])
    let context = ReadingContext(source: .transaction(store.view), schemas: schemas)
    let layout = EntityLayout(stored)
    let targets = schemas.layoutIfPresent(named: entity)
    try context.forEachRecord(layout) { id, bytes throws(DatabaseError) in
      var reader = RecordReader(untrusted: bytes, layout: layout)
      guard let target = reader.referenceIfPresent(field.number) else { return true }
      if let targets, target <= .limit, try context.contains(targets, target) { return true }
      throw .invalid(
        entity: layout.name, id: id, field: field.name, .noSuchTarget(entity: entity, target))
    }
  }

  mutating func rebuildIndexes(
    of fields: [String], in stored: StoredSchema
  ) throws(DatabaseError) {
    let maintenance = IndexMaintenance(EntityLayout(stored))
    for field in fields { try maintenance.rebuild(field, &store) }
  }

  mutating func renameTable(_ name: String, to newName: String) throws(DatabaseError) {
    try store.storing { (store) throws(StoreError) in
      if try store.hasTable(name) { try store.rename(try store.table(name), to: newName) }
    }
  }

  mutating func dropTables(_ names: [String]) throws(DatabaseError) {
    try store.storing { (store) throws(StoreError) in
      for name in names where try store.hasTable(name) {
        try store.drop(try store.table(name))
      }
    }
  }
}

extension StoredSchema {
  /// Where the field stands.
  ///
  /// - Throws: `.noSuchField`.
  fileprivate func place(of field: String) throws(DatabaseError) -> Int {
    guard let place = schema.fields.firstIndex(where: { $0.name == field }) else {
      throw .noSuchField(entity: schema.name, field: field)
    }
    return place
  }

  /// The field, if any, whose search finds the texts of `field` as well.
  fileprivate func targets(of field: String) throws(DatabaseError) -> [String] {
    schema.fields[try place(of: field)].searchedAs.map { [$0] } ?? []
  }
}
