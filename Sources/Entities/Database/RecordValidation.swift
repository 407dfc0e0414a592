/// Looks whether a record fulfils the rules of its schema.
extension DatabaseTransaction {
  /// - Throws: `.invalid`, which names the field.
  func validate(
    _ bytes: [UInt8], _ id: EntityID, old: [UInt8]?, _ layout: EntityLayout
  ) throws(DatabaseError) {
    var row = RecordRow(id: id, untrusted: bytes.rawSpan, layout: layout, context: context)
    for field in layout.schema.fields where !field.rules.isEmpty {
      let value = try row.value(.stored(field))
      for rule in field.rules {
        if let reason = RecordValidation.problem(value, rule) {
          throw .invalid(entity: layout.name, id: id, field: field.name, reason)
        }
      }
    }
  }
}

/// The rules that a record can be held to by itself.
enum RecordValidation {
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
