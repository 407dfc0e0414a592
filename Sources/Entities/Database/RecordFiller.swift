internal import PageStore

/// Adds many records in one go: what the indexes have of them is gathered, and written at the end.
///
/// It is lent to the closure that was passed to `DatabaseTransaction.fill`. A call that throws has
/// changed nothing, and the next may follow.
public struct RecordFiller: ~Copyable {
  private var transaction: DatabaseTransaction
  private var batches: [String: IndexBatch] = [:]
  /// The number that the next new record of an entity gets, where the store does not say so yet.
  private var nextIDs: [String: EntityID] = [:]
  private var values: [FieldValue?] = []

  init(_ transaction: consuming DatabaseTransaction) { self.transaction = transaction }

  consuming func finish() -> DatabaseTransaction { transaction }

  /// Adds a record with the next number, or with the number `id`, and returns that.
  ///
  /// - Throws: `.recordExists`; `.invalid`, which names the field.
  @discardableResult
  public mutating func insert<E: Entity>(
    _ value: E, id: EntityID? = nil
  ) throws(DatabaseError) -> EntityID {
    let layout = try transaction.schemas.layout(of: E.self)
    return try add(try RecordCoding.encode(value, id, layout), id, layout)
  }

  /// Adds a record, with the number `id` or the next one, and returns that.
  ///
  /// - Throws: `.noSuchField`, `.recordExists`, `.invalid`.
  @discardableResult
  public mutating func insert(
    _ entity: String, _ record: Record, id: EntityID? = nil
  ) throws(DatabaseError) -> EntityID {
    let layout = try transaction.schemas.layout(named: entity)
    try HitPointRule.check(record, id, of: entity) { _ in true }
    return try add(try RecordCoding.encode(record, id, layout), id, layout)
  }

  /// Adds a record, with the number `id` or the next one, and returns that.
  ///
  /// The values stand at the numbers of their fields; a nil is absent.
  ///
  /// - Throws: `.recordExists`, `.invalid`.
  @discardableResult
  package mutating func insert(
    _ entity: String, _ values: [FieldValue?], id: EntityID? = nil
  ) throws(DatabaseError) -> EntityID {
    let layout = try transaction.schemas.layout(named: entity)
    try HitPointRule.check(values, id, of: entity)
    return try add(try RecordCoding.encode(values, id, layout), id, layout)
  }

  /// Sets fields of record `id`; nil makes a field absent.
  ///
  /// Writes first what was gathered, so that to add and to set by turns is no faster than without
  /// this type.
  ///
  /// - Throws: `.noSuchRecord`, `.noSuchField`, `.invalid`.
  public mutating func set(
    _ values: [String: FieldValue?], of entity: String, _ id: EntityID
  ) throws(DatabaseError) {
    try writeIndexes()
    try transaction.set(values, of: entity, id)
  }

  /// How a type is stored; nil where the database has no such entity, or another of its name.
  func layoutIfPresent(of type: any Entity.Type) -> EntityLayout? {
    do throws(DatabaseError) {
      return try transaction.schemas.layout(of: type)
    } catch {
      return nil
    }
  }

  /// The number that the next new record gets.
  func nextID(_ layout: EntityLayout) throws(DatabaseError) -> EntityID {
    if let known = nextIDs[layout.name] { known } else { try transaction.nextID(layout) }
  }

  private mutating func add(
    _ bytes: [UInt8], _ wanted: EntityID?, _ layout: EntityLayout
  ) throws(DatabaseError) -> EntityID {
    let name = layout.name
    let next = try nextID(layout)
    let id = try transaction.freeID(wanted, next, layout)
    try read(bytes, id, layout)
    try transaction.checkTargets(bytes, old: nil, id, layout)
    let maintenance = IndexMaintenance(layout)
    try maintenance.addUnique(id, values, &transaction.store)
    try transaction.storeRecord(id, bytes, layout)
    if id >= next { nextIDs[name] = EntityID(id.rawValue + 1) }
    try batches[
      name, default: IndexBatch(maintenance, fields: layout.indexed, everything: true)
    ].add(id, values)
    if batches[name]?.isFull == true { try writeIndexes() }
    return id
  }

  /// Reads what rules and indexes look at into `values`, and holds it to the rules.
  private mutating func read(
    _ bytes: [UInt8], _ id: EntityID, _ layout: EntityLayout
  ) throws(DatabaseError) {
    if values.count != layout.wires.count {
      values = [FieldValue?](repeating: nil, count: layout.wires.count)
    }
    var reader = RecordReader(untrusted: bytes.rawSpan, layout: layout)
    reader.read(layout.examined, into: &values)
    if let (number, damage) = reader.damage {
      throw .corruptRecord(
        entity: layout.name, id: id, field: layout.name(ofField: number), damage)
    }
    for place in layout.ruled.indices {
      for rule in layout.ruled[place].rules {
        let number = layout.ruled[place].number
        if let reason = RecordValidation.problem(values[number], rule) {
          throw .invalid(
            entity: layout.name, id: id, field: layout.name(ofField: number), reason)
        }
      }
    }
  }

  /// Writes what was gathered.
  mutating func writeIndexes() throws(DatabaseError) {
    for (name, id) in nextIDs {
      try transaction.setNextID(id, try transaction.schemas.layout(named: name))
    }
    nextIDs.removeAll(keepingCapacity: true)
    for name in batches.keys.sorted() {
      guard var batch = batches.removeValue(forKey: name) else { continue }
      try batch.write(&transaction.store)
    }
  }
}

extension DatabaseTransaction {
  /// Runs `body`, which adds many records faster than one by one.
  ///
  /// Where it throws, what it added until then stays added.
  ///
  /// - Throws: What `body` throws; and `.store` or `.corruptIndex` where an index cannot be
  ///   written, and then the transaction is not to be committed.
  @discardableResult
  public mutating func fill<Result, Failure: DatabaseFailure>(
    _ body: (inout RecordFiller) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var filler = RecordFiller(self)
    let outcome: Swift.Result<Result, Failure>
    do throws(Failure) {
      outcome = .success(try body(&filler))
    } catch {
      outcome = .failure(error)
    }
    var failure: DatabaseError?
    do throws(DatabaseError) {
      try filler.writeIndexes()
    } catch {
      failure = error
    }
    self = filler.finish()
    if let failure { throw Failure(failure) }
    return try outcome.get()
  }

  /// Runs `body`, which adds many records faster than one by one.
  ///
  /// Where it throws, what it added until then stays added.
  @discardableResult
  @_disfavoredOverload
  public mutating func fill<Result>(
    _ body: (inout RecordFiller) throws -> Result
  ) throws -> Result {
    do throws(AnyDatabaseFailure) {
      return try fill { (filler) throws(AnyDatabaseFailure) in
        do {
          return try body(&filler)
        } catch {
          throw AnyDatabaseFailure(any: error)
        }
      }
    } catch {
      throw error.error
    }
  }
}
