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
    guard let before = catalog.schemas[entity] else { return }
    var after = before
    after.version += 1
    after.schema.fields.append(field)
    try SchemaRules.check(after, insteadOf: before)
    try change(entity, to: after)
    if value != nil || field.rules.contains(.required) {
      try rewrite(entity, from: before, to: after) { record in record[field.name] = value }
      try checkTargets(of: field, in: after)
    }
    try rebuildIndexes(of: [field.name] + (field.searchedAs.map { [$0] } ?? []), in: after)
  }

  /// Gives a field another name; its number, its values and its index stay.
  public mutating func renameField(
    _ entity: String, from old: String, to new: String
  ) throws(DatabaseError) {
    guard let before = catalog.schemas[entity] else { return }
    var after = before
    after.version += 1
    let place = try place(of: old, in: before)
    after.schema.fields[place].name = new
    for other in after.schema.fields.indices where after.schema.fields[other].searchedAs == old {
      after.schema.fields[other].searchedAs = new
    }
    try SchemaRules.check(after, insteadOf: before)
    let names = IndexMaintenance.tableNames(entity: entity, field: old)
    let newNames = IndexMaintenance.tableNames(entity: entity, field: new)
    for (name, newName) in zip(names, newNames) { try renameTable(name, to: newName) }
    try change(entity, to: after)
  }

  /// Drops a field; records lose its values when they are next written.
  public mutating func dropField(_ entity: String, _ field: String) throws(DatabaseError) {
    guard let before = catalog.schemas[entity] else { return }
    var after = before
    after.version += 1
    let place = try place(of: field, in: before)
    let dropped = after.schema.fields.remove(at: place)
    after.retired.append(RetiredField(number: dropped.number, wire: dropped.kind.wire))
    try SchemaRules.check(after, insteadOf: before)
    try dropTables(IndexMaintenance.tableNames(entity: entity, field: field))
    try change(entity, to: after)
    if let searchedAs = dropped.searchedAs { try rebuildIndexes(of: [searchedAs], in: after) }
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
    guard let before = catalog.schemas[entity] else { return }
    var after = before
    after.version += 1
    let place = try place(of: name, in: before)
    after.schema.fields[place].kind = kind
    after.schema.fields[place].index = index
    after.schema.fields[place].rules = rules
    try SchemaRules.check(after, insteadOf: before)
    try dropTables(IndexMaintenance.tableNames(entity: entity, field: name))
    try change(entity, to: after)
    try rewrite(entity, from: before, to: after) { record throws(DatabaseError) in
      if let value = record[name] { record[name] = try convert(value) }
    }
    try checkTargets(of: after.schema.fields[place], in: after)
    let searchedAs = after.schema.fields[place].searchedAs
    try rebuildIndexes(of: [name] + (searchedAs.map { [$0] } ?? []), in: after)
  }

  /// Gives a field other rules, which all records must fulfil.
  public mutating func setRules(
    _ entity: String, _ name: String, _ rules: [FieldRule]
  ) throws(DatabaseError) {
    guard let before = catalog.schemas[entity] else { return }
    var after = before
    after.version += 1
    let place = try place(of: name, in: before)
    after.schema.fields[place].rules = rules
    try SchemaRules.check(after, insteadOf: before)
    try dropTables([UniqueValues.tableName(entity: entity, field: name)])
    try change(entity, to: after)
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
    guard let before = catalog.schemas[entity] else { return }
    var after = before
    after.version += 1
    let place = try place(of: name, in: before)
    after.schema.fields[place].index = index
    try SchemaRules.check(after, insteadOf: before)
    try dropTables([IndexMaintenance.tableName(entity: entity, field: name)])
    try change(entity, to: after)
    try rebuildIndexes(of: [name], in: after)
  }

  /// Lets a field's texts be found by searching another field, or no longer.
  public mutating func setSearchedAs(
    _ entity: String, _ name: String, _ target: String?
  ) throws(DatabaseError) {
    guard let before = catalog.schemas[entity] else { return }
    var after = before
    after.version += 1
    let place = try place(of: name, in: before)
    let targets = [before.schema.fields[place].searchedAs, target].compactMap { $0 }
    after.schema.fields[place].searchedAs = target
    try SchemaRules.check(after, insteadOf: before)
    try change(entity, to: after)
    try rebuildIndexes(of: targets, in: after)
  }

  // MARK: Helpers

  private func place(of field: String, in stored: StoredSchema) throws(DatabaseError) -> Int {
    guard let place = stored.schema.fields.firstIndex(where: { $0.name == field }) else {
      throw .noSuchField(entity: stored.schema.name, field: field)
    }
    return place
  }

  private mutating func change(_ entity: String, to stored: StoredSchema) throws(DatabaseError) {
    catalog.schemas[entity] = stored
    note(entity)
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
