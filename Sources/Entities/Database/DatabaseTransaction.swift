internal import PageStore

/// A transaction that changes records: all of its changes become visible together, or none.
///
/// It is lent to the closure that was passed to `Database.write`, and reads its own changes. A call
/// that throws has changed nothing, and the transaction may go on.
public struct DatabaseTransaction: ~Copyable, DatabaseReading {
  var store: WriteTransaction
  var schemas: SchemaSet
  /// The entities of which records were written or deleted.
  private(set) var changedEntities = Set<String>()

  init(_ store: consuming WriteTransaction, _ schemas: SchemaSet) {
    self.store = store
    self.schemas = schemas
  }

  mutating func noteChange(_ entity: String) {
    // Looking is cheaper than hashing into the set each time anew.
    if !changedEntities.contains(entity) { changedEntities.insert(entity) }
  }

  consuming func finish() -> WriteTransaction { store }

  var context: ReadingContext {
    ReadingContext(source: .transaction(store.view), schemas: schemas)
  }

  /// Lends what is read from.
  public func withReader<Result>(
    _ body: (borrowing DatabaseReader) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    try body(DatabaseReader(context))
  }

  // MARK: Values of a type

  /// Adds a record with the next number, and returns that.
  ///
  /// - Throws: `.invalid`, which names the field.
  @discardableResult
  public mutating func insert<E: Entity>(_ value: E) throws(DatabaseError) -> EntityID {
    let layout = try schemas.layout(of: E.self)
    return try add(try RecordCoding.encode(value, nil, layout), nil, layout)
  }

  /// Adds a record with the number `id`.
  ///
  /// - Throws: `.recordExists`, `.invalid`.
  public mutating func insert<E: Entity>(_ value: E, id: EntityID) throws(DatabaseError) {
    let layout = try schemas.layout(of: E.self)
    _ = try add(try RecordCoding.encode(value, id, layout), id, layout)
  }

  /// Puts a value in the place of record `id`.
  ///
  /// - Throws: `.noSuchRecord`, `.invalid`.
  public mutating func update<E: Entity>(_ value: E, id: EntityID) throws(DatabaseError) {
    let layout = try schemas.layout(of: E.self)
    try replace(id, try RecordCoding.encode(value, id, layout), layout)
  }

  /// Changes record `id` by `body`.
  ///
  /// - Throws: `.noSuchRecord`, `.invalid`, and what `body` throws.
  public mutating func update<E: Entity>(
    _ type: E.Type, _ id: EntityID, _ body: (inout E) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    guard var value = try get(type, id) else {
      throw .noSuchRecord(entity: type.schema.name, id: id)
    }
    try body(&value)
    try update(value, id: id)
  }

  /// Deletes record `id`; false where there is none.
  ///
  /// - Throws: `.restricted`, `.cascadeTooLarge`.
  @discardableResult
  public mutating func delete<E: Entity>(_ type: E.Type, _ id: EntityID) throws(DatabaseError)
    -> Bool
  {
    try remove(id, try schemas.layout(of: type))
  }

  // MARK: Records by name

  /// Adds a record, with the number `id` or the next one, and returns that.
  ///
  /// - Throws: `.noSuchField`, `.recordExists`, `.invalid`.
  @discardableResult
  public mutating func insert(
    _ entity: String, _ record: Record, id: EntityID? = nil
  ) throws(DatabaseError) -> EntityID {
    let layout = try schemas.layout(named: entity)
    try HitPointRule.check(record, id, of: entity) { _ in true }
    return try add(try RecordCoding.encode(record, id, layout), id, layout)
  }

  /// Puts a record in the place of record `id`.
  ///
  /// - Throws: `.noSuchRecord`, `.noSuchField`, `.invalid`.
  public mutating func update(
    _ entity: String, _ record: Record, id: EntityID
  ) throws(DatabaseError) {
    let layout = try schemas.layout(named: entity)
    try HitPointRule.check(record, id, of: entity) { _ in true }
    try replace(id, try RecordCoding.encode(record, id, layout), layout)
  }

  /// Sets fields of record `id`; nil makes a field absent.
  ///
  /// - Throws: `.noSuchRecord`, `.noSuchField`, `.invalid`.
  public mutating func set(
    _ values: [String: FieldValue?], of entity: String, _ id: EntityID
  ) throws(DatabaseError) {
    let layout = try schemas.layout(named: entity)
    guard var record = try context.record(layout, id) else {
      throw .noSuchRecord(entity: entity, id: id)
    }
    for (name, value) in values { record.values[name] = value }
    for name in values.keys where layout.field(named: name) == nil {
      throw .noSuchField(entity: entity, field: name)
    }
    try HitPointRule.check(record, id, of: entity) { values.keys.contains($0) }
    try replace(id, try RecordCoding.encode(record, id, layout), layout)
  }

  /// Deletes record `id`; false where there is none.
  ///
  /// - Throws: `.restricted`, `.cascadeTooLarge`.
  @discardableResult
  public mutating func delete(_ entity: String, _ id: EntityID) throws(DatabaseError) -> Bool {
    try remove(id, try schemas.layout(named: entity))
  }
}
