/// Makes bytes of records.
enum RecordCoding {
  /// - Throws: `.noSuchField`, or `.invalid` where a value is not of its field's kind.
  static func encode(
    _ record: Record, _ id: EntityID?, _ layout: EntityLayout
  ) throws(DatabaseError) -> [UInt8] {
    var writer = RecordWriter(layout: layout)
    var fields: [(field: FieldDefinition, value: FieldValue)] = []
    for (name, value) in record.values {
      guard let field = layout.field(named: name) else {
        throw .noSuchField(entity: layout.name, field: name)
      }
      fields.append((field, value))
    }
    for (field, value) in fields.sorted(by: { $0.field.number < $1.field.number }) {
      writer.set(field, value)
    }
    return try bytes(writer, id)
  }

  /// The bytes of values that stand at the numbers of their fields; a nil is absent.
  ///
  /// - Throws: `.invalid` where a value is not of its field's kind.
  static func encode(
    _ values: [FieldValue?], _ id: EntityID?, _ layout: EntityLayout
  ) throws(DatabaseError) -> [UInt8] {
    var writer = RecordWriter(layout: layout)
    for place in layout.ascending.indices {
      let number = layout.ascending[place].number
      guard values.indices.contains(number), let value = values[number] else { continue }
      writer.set(layout.ascending[place], value)
    }
    return try bytes(writer, id)
  }

  /// - Throws: `.invalid` where a value is not of its field's kind.
  static func encode<E: Entity>(
    _ value: E, _ id: EntityID?, _ layout: EntityLayout
  ) throws(DatabaseError) -> [UInt8] {
    var writer = RecordWriter(layout: layout)
    value.encode(to: &writer)
    return try bytes(writer, id)
  }

  /// What was written, where all of it fits the schema.
  static func bytes(_ writer: RecordWriter, _ id: EntityID?) throws(DatabaseError) -> [UInt8] {
    if let (number, reason) = writer.refusal {
      throw .invalid(
        entity: writer.layout.name, id: id, field: writer.layout.name(ofField: number), reason)
    }
    return writer.finish()
  }
}
