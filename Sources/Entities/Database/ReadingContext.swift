internal import PageStore

/// Rows to read, and the schemas that say what they mean.
struct ReadingContext {
  let source: RowSource
  let schemas: SchemaSet
  /// Asked between records whether to give up; nil where nobody would want that.
  var isInterrupted: (@Sendable () -> Bool)?

  /// Throws where somebody wants the work to end.
  func checkInterruption() throws(DatabaseError) {
    if let isInterrupted, isInterrupted() { throw .store(.cancelled) }
  }

  /// Runs `body` on the bytes of a record; nil where there is none.
  func withRecord<Result>(
    _ layout: EntityLayout, _ id: EntityID,
    _ body: (RawSpan) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result? {
    let found = try source.withTable(layout.name) { table throws(DatabaseError) in
      try table.withValue(id.key, body)
    }
    return found ?? nil
  }

  func get<E: Entity>(_ type: E.Type, _ id: EntityID) throws(DatabaseError) -> E? {
    var value: E?
    try read(type, id) { record throws(DatabaseError) in value = try E(from: &record) }
    return value
  }

  /// Runs `body`, which reads the values of record `id`, unless there is none; and throws what is
  /// wrong with the record, as far as it was read.
  ///
  /// Not generic, so that nothing but `body` need know the type.
  func read(
    _ type: any Entity.Type, _ id: EntityID,
    _ body: (inout RecordReader) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    let layout = try schemas.layout(of: type)
    try source.visitTable(layout.name) { table throws(DatabaseError) in
      let key = id.inlineKey
      let bytes: RawSpan
      do throws(StoreError) {
        guard let found = try table.get(key.rawSpan) else { return }
        bytes = found
      } catch {
        throw .store(error)
      }
      var reader = RecordReader(untrusted: bytes, layout: layout)
      try body(&reader)
      if let (number, damage) = reader.damage {
        throw .corruptRecord(
          entity: layout.name, id: id, field: layout.name(ofField: number), damage)
      }
    }
  }

  static func decode<E: Entity>(
    _ type: E.Type, _ id: EntityID, _ bytes: RawSpan, _ layout: EntityLayout
  ) throws(DatabaseError) -> E {
    var reader = RecordReader(untrusted: bytes, layout: layout)
    let value = try E(from: &reader)
    if let (number, damage) = reader.damage {
      throw .corruptRecord(
        entity: layout.name, id: id, field: layout.name(ofField: number), damage)
    }
    return value
  }

  static func record(
    _ id: EntityID, _ bytes: RawSpan, _ layout: EntityLayout
  ) throws(DatabaseError) -> Record {
    var reader = RecordReader(untrusted: bytes, layout: layout)
    let record = reader.record()
    if let (number, damage) = reader.damage {
      throw .corruptRecord(
        entity: layout.name, id: id, field: layout.name(ofField: number), damage)
    }
    return record
  }

  func record(_ layout: EntityLayout, _ id: EntityID) throws(DatabaseError) -> Record? {
    try withRecord(layout, id) { bytes throws(DatabaseError) in
      try ReadingContext.record(id, bytes, layout)
    }
  }

  func contains(_ layout: EntityLayout, _ id: EntityID) throws(DatabaseError) -> Bool {
    try withRecord(layout, id) { _ throws(DatabaseError) in true } ?? false
  }

  /// How many records the entity has.
  func count(_ layout: EntityLayout) throws(DatabaseError) -> Int {
    try source.withTable(layout.name) { table throws(DatabaseError) in table.count } ?? 0
  }

  /// The number that the next new record gets: greater than all that were ever given out.
  func nextID(_ layout: EntityLayout) throws(DatabaseError) -> EntityID {
    let key = CatalogTable.nextPrefix + Array(layout.name.utf8)
    let found = try source.withTable(CatalogTable.name) { table throws(DatabaseError) in
      try table.withValue(key) { value throws(DatabaseError) -> UInt64 in
        var reader = ByteReader(untrusted: value)
        let next = reader.variable()
        if reader.damage != nil || reader.remaining > 0 || next > EntityID.limit.rawValue + 1 {
          throw .corruptCatalog("next number of \(layout.name)")
        }
        return next
      }
    }
    return EntityID((found ?? nil) ?? 1)
  }

  /// Runs `body` on each record in ascending order from `first` on, until it returns false.
  func forEachRecord(
    _ layout: EntityLayout, from first: EntityID? = nil,
    _ body: (EntityID, RawSpan) throws(DatabaseError) -> Bool
  ) throws(DatabaseError) {
    _ = try source.withTable(layout.name) { table throws(DatabaseError) in
      try table.forEachRow(from: first?.key) { key, value throws(DatabaseError) in
        guard let id = EntityID(key: key) else {
          throw .corruptRecord(entity: layout.name, id: nil, field: nil, .key)
        }
        try checkInterruption()
        return try body(id, value)
      }
    }
  }
}

extension EntityID {
  /// The number that a key of a table stands for; nil for keys that no record has.
  init?(key: RawSpan) {
    guard key.byteCount == 8 else { return nil }
    let reader = ByteReader(untrusted: key)
    var value: UInt64 = 0
    for place in 0..<8 { value = value << 8 | UInt64(reader.byte(at: place)) }
    self.init(value)
    if self > .limit { return nil }
  }
}
