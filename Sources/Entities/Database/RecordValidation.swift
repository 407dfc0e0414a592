/// The rules that a record can be held to by itself.
enum RecordValidation {
  /// - Throws: `.invalid`, which names the field; `.corruptRecord`.
  static func check(
    _ bytes: [UInt8], _ id: EntityID?, _ layout: EntityLayout
  ) throws(DatabaseError) {
    var reader = RecordReader(untrusted: bytes.rawSpan, layout: layout)
    for field in layout.ruled {
      let value = reader.value(field)
      for rule in field.rules {
        if let reason = problem(value, rule) {
          throw .invalid(entity: layout.name, id: id, field: field.name, reason)
        }
      }
    }
    if let (number, damage) = reader.damage {
      throw .corruptRecord(
        entity: layout.name, id: id, field: layout.name(ofField: number), damage)
    }
  }

  static func problem(_ value: FieldValue?, _ rule: FieldRule) -> InvalidReason? {
    switch (rule, value) {
    case (.required, _): value.isPresent ? nil : .missing
    case (.notBlank, .text(let text)): isBlank(text) ? .blank : nil
    case (.range(let lower, let upper), .integer(let number)):
      number < lower || number > upper ? .outOfRange(lower, upper) : nil
    case (.byteCount(let limit), .text(let text)): text.utf8.count > limit ? .tooLong(limit) : nil
    case (.byteCount(let limit), .bytes(let bytes)): bytes.count > limit ? .tooLong(limit) : nil
    default: nil
    }
  }

  /// True where nothing of the text can be seen: white space, and characters without a shape.
  static func isBlank(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      let properties = scalar.properties
      if properties.isWhitespace || properties.isDefaultIgnorableCodePoint { return true }
      switch properties.generalCategory {
      case .control, .format, .surrogate, .spaceSeparator, .lineSeparator, .paragraphSeparator,
        .unassigned:
        return true
      default:
        // A braille pattern without dots is shown as nothing.
        return scalar == "\u{2800}"
      }
    }
  }
}
