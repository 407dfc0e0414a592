/// What entities are read from, lent for the time of a call.
public struct DatabaseReader: ~Copyable {
  let context: ReadingContext

  /// Out of line: the optimiser of Swift 6.3 ends by a failure where it copies this code elsewhere.
  @inline(never) init(_ context: ReadingContext) { self.context = context }
}

/// Something that records can be read from: a snapshot, or the transaction under way.
public protocol DatabaseReading: ~Copyable {
  /// Lends what is read from.
  func withReader<Result>(
    _ body: (borrowing DatabaseReader) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result
}

extension DatabaseReader: DatabaseReading {
  /// Lends itself.
  public func withReader<Result>(
    _ body: (borrowing DatabaseReader) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result { try body(self) }
}

extension DatabaseReading where Self: ~Copyable {
  // MARK: Schemas

  /// The names of all entities, in order.
  public func entityNames() throws(DatabaseError) -> [String] {
    try withReader { $0.context.schemas.names }
  }

  /// The stored schema of an entity.
  ///
  /// - Throws: `.noSuchEntity`.
  public func schema(of entity: String) throws(DatabaseError) -> Schema {
    try withReader { reader throws(DatabaseError) in
      try reader.context.schemas.layout(named: entity).schema
    }
  }

  // MARK: Records

  /// The record `id` as a value of its type; nil where there is none.
  @inlinable  // Made anew for each type where it is called, which halves the time of a read.
  public func get<E: Entity>(_ type: E.Type, _ id: EntityID) throws(DatabaseError) -> E? {
    var value: E?
    try read(type, id) { record throws(DatabaseError) in value = try E(from: &record) }
    return value
  }

  /// Runs `body`, which reads the values of record `id`, unless there is none.
  @usableFromInline
  func read(
    _ type: any Entity.Type, _ id: EntityID,
    _ body: (inout RecordReader) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    try withReader { reader throws(DatabaseError) in try reader.context.read(type, id, body) }
  }

  /// The record `id` as its fields' values; nil where there is none.
  public func record(_ entity: String, _ id: EntityID) throws(DatabaseError) -> Record? {
    try withReader { reader throws(DatabaseError) in
      try reader.context.record(try reader.context.schemas.layout(named: entity), id)
    }
  }

  /// True where the entity has a record `id`.
  public func contains(_ entity: String, _ id: EntityID) throws(DatabaseError) -> Bool {
    try withReader { reader throws(DatabaseError) in
      try reader.context.contains(try reader.context.schemas.layout(named: entity), id)
    }
  }

  /// The value of a field, stored or derived, of one record.
  ///
  /// - Returns: Nil where it is absent, or where there is no such record.
  public func value(
    _ path: FieldPath, of entity: String, _ id: EntityID
  ) throws(DatabaseError) -> FieldValue? {
    try withReader { reader throws(DatabaseError) in
      let context = reader.context
      let layout = try context.schemas.layout(named: entity)
      let access = try FieldAccess.resolve(path, in: layout)
      let value = try context.withRecord(layout, id) { bytes throws(DatabaseError) in
        var row = RecordRow(id: id, untrusted: bytes, layout: layout, context: context)
        return try row.value(access)
      }
      return value ?? nil
    }
  }

  /// Runs `body` on each record of a type in ascending order of their numbers, until it returns false.
  public func forEach<E: Entity>(
    _ type: E.Type, from first: EntityID? = nil,
    _ body: (EntityID, E) throws(DatabaseError) -> Bool
  ) throws(DatabaseError) {
    try withReader { reader throws(DatabaseError) in
      let layout = try reader.context.schemas.layout(of: type)
      try reader.context.forEachRecord(layout, from: first) { id, bytes throws(DatabaseError) in
        try body(id, try ReadingContext.decode(type, id, bytes, layout))
      }
    }
  }

  /// Runs `body` on each record in ascending order of their numbers, until it returns false.
  public func forEach(
    _ entity: String, from first: EntityID? = nil,
    _ body: (EntityID, Record) throws(DatabaseError) -> Bool
  ) throws(DatabaseError) {
    try withReader { reader throws(DatabaseError) in
      let layout = try reader.context.schemas.layout(named: entity)
      try reader.context.forEachRecord(layout, from: first) { id, bytes throws(DatabaseError) in
        try body(id, try ReadingContext.record(id, bytes, layout))
      }
    }
  }

  // MARK: Queries

  /// The answer to a query.
  ///
  /// - Throws: `.noSuchEntity`, `.noSuchField`, `.invalidQuery`; `.corruptRecord`, `.corruptIndex`.
  public func find(_ query: Query) throws(DatabaseError) -> QueryResult {
    try withReader { reader throws(DatabaseError) in
      try QueryExecution(query, reader.context).result()
    }
  }

  /// The numbers of the records that answer a query, in its order.
  public func findIDs(_ query: Query) throws(DatabaseError) -> [EntityID] {
    try withReader { reader throws(DatabaseError) in
      try QueryExecution(query, reader.context).ids()
    }
  }

  /// The records of a type that satisfy the filter, as values.
  public func find<E: Entity>(
    _ type: E.Type, where filter: Filter = .everything, order: [SortKey] = [], limit: Int? = nil,
    offset: Int = 0
  ) throws(DatabaseError) -> [Identified<E>] {
    try withReader { reader throws(DatabaseError) in
      let layout = try reader.context.schemas.layout(of: type)
      var query = Query(entity: layout.name, filter: filter)
      query.order = order
      query.limit = limit
      query.offset = offset
      var found: [Identified<E>] = []
      for id in try QueryExecution(query, reader.context).ids() {
        if let value = try reader.context.get(type, id) {
          found.append(Identified(id: id, value: value))
        }
      }
      return found
    }
  }

  /// How many records satisfy the filter.
  public func count(
    _ entity: String, where filter: Filter = .everything, language: String? = nil
  ) throws(DatabaseError) -> Int {
    try withReader { reader throws(DatabaseError) in
      var query = Query(entity: entity, filter: filter)
      query.language = language
      return try QueryExecution(query, reader.context).count()
    }
  }

  /// How many records of a type satisfy the filter.
  public func count<E: Entity>(
    _ type: E.Type, where filter: Filter = .everything
  ) throws(DatabaseError) -> Int {
    try withReader { reader throws(DatabaseError) in
      let layout = try reader.context.schemas.layout(of: type)
      return try QueryExecution(Query(entity: layout.name, filter: filter), reader.context).count()
    }
  }

  /// How a query is answered, a step a line.
  public func explain(_ query: Query) throws(DatabaseError) -> [String] {
    try withReader { reader throws(DatabaseError) in
      try QueryExecution(query, reader.context).explanation()
    }
  }
}
