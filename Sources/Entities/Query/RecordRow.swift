/// A record as queries look at it: its number, and its fields when they are asked for.
struct RecordRow: ~Escapable {
  let id: EntityID
  var record: RecordReader
  let context: ReadingContext

  @_lifetime(copy bytes)
  init(id: EntityID, untrusted bytes: RawSpan, layout: EntityLayout, context: ReadingContext) {
    self.id = id
    record = RecordReader(untrusted: bytes, layout: layout)
    self.context = context
  }

  @_lifetime(self: copy self)
  mutating func value(_ access: FieldAccess) throws(DatabaseError) -> FieldValue? {
    switch access {
    case .id: return .integer(Int64(id.rawValue))
    case .stored(let field):
      let value = record.value(field)
      if record.damage != nil { try throwDamage() }
      return value
    case .derived(let field, let argument):
      return try derived(field, argument)
    }
  }

  /// A number's parts, without a value around them.
  @_lifetime(self: copy self)
  mutating func integer(_ access: FieldAccess) throws(DatabaseError) -> Int64? {
    switch access {
    case .id: return Int64(id.rawValue)
    case .stored(let field):
      let value = record.integerIfPresent(field.number)
      try throwDamage()
      return value.map { Int64($0) }
    case .derived(let field, let argument):
      guard case .integer(let value)? = try derived(field, argument) else { return nil }
      return value
    }
  }

  @_lifetime(self: copy self)
  private mutating func derived(
    _ field: DerivedField, _ argument: String?
  ) throws(DatabaseError) -> FieldValue? {
    var row = DerivedRow(id: id, record: record, context: context)
    let value = try field.compute(&row, argument)
    record = row.record
    try throwDamage()
    return value
  }

  /// Throws where something that was read so far could not be.
  func throwDamage() throws(DatabaseError) {
    if let (number, damage) = record.damage {
      throw .corruptRecord(
        entity: record.layout.name, id: id, field: record.layout.name(ofField: number), damage)
    }
  }
}

/// The record for which a derived field is computed, and a way to others.
public struct DerivedRow: ~Escapable {
  /// The record's number.
  public let id: EntityID
  /// The record's stored fields; asking in ascending order of their numbers is the fast way.
  public var record: RecordReader
  let context: ReadingContext

  @_lifetime(copy record)
  init(id: EntityID, record: RecordReader, context: ReadingContext) {
    self.id = id
    self.record = record
    self.context = context
  }

  /// Runs `body` on what the record was read from, to look at other records.
  public func withReader<Result>(
    _ body: (borrowing DatabaseReader) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    try body(DatabaseReader(context))
  }
}
