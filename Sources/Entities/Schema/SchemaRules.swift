/// What makes sense as a schema.
enum SchemaRules {
  /// Holds a schema that a program or a migration gives to all rules.
  ///
  /// - Parameters:
  ///   - stored: The schema.
  ///   - before: The one in whose place it comes; what was wrong there with names alone may stay, so
  ///     that older files can be mended step by step.
  /// - Throws: `.invalidSchema`, which says what contradicts what.
  static func check(
    _ stored: StoredSchema, insteadOf before: StoredSchema? = nil
  ) throws(DatabaseError) {
    try checkStored(stored)
    let known = Set(before.map { SchemaNames.problems(of: $0.schema) } ?? [])
    if let problem = SchemaNames.problems(of: stored.schema).first(where: { !known.contains($0) }) {
      throw .invalidSchema(entity: stored.schema.name, problem)
    }
  }

  /// Holds a schema to the rules without which it cannot be worked with.
  ///
  /// - Throws: `.invalidSchema`, which says what contradicts what.
  static func checkStored(_ stored: StoredSchema) throws(DatabaseError) {
    let schema = stored.schema
    func fail(_ what: String) -> DatabaseError { .invalidSchema(entity: schema.name, what) }
    if !isName(schema.name) { throw fail("'\(schema.name)' is no name of an entity") }
    if schema.fields.count > SchemaCoding.Limits.fieldCount { throw fail("too many fields") }
    var numbers = Set<Int>()
    for number in stored.retired.map(\.number) + schema.fields.map(\.number) {
      if !(1...SchemaCoding.Limits.fieldNumber).contains(number) {
        throw fail("\(number) is no number of a field")
      }
      if !numbers.insert(number).inserted { throw fail("two fields have the number \(number)") }
    }
    var names = Set<String>()
    for field in schema.fields {
      if !isName(field.name) { throw fail("'\(field.name)' is no name of a field") }
      if !names.insert(field.name).inserted { throw fail("two fields are called \(field.name)") }
    }
    for field in schema.fields {
      if let problem = problem(of: field, in: schema) { throw fail("\(field.name): \(problem)") }
    }
  }

  /// A letter, and then letters, digits, `-` and `_`.
  static func isName(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    guard let first = bytes.first, bytes.count <= SchemaCoding.Limits.nameByteCount else {
      return false
    }
    func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
    return isLetter(first)
      && bytes.allSatisfy {
        isLetter($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-")
          || $0 == UInt8(ascii: "_")
      }
  }

  private static func problem(of field: FieldDefinition, in schema: Schema) -> String? {
    if field.aliases.count > SchemaCoding.Limits.aliasCount { return "too many aliases" }
    if !field.aliases.allSatisfy(isShort) { return "an alias that cannot be shown" }
    if let unit = field.unit, !isShort(unit) { return "a unit that cannot be shown" }
    switch field.kind {
    case .decimal(let denominator):
      if !(1...SchemaCoding.Limits.denominator).contains(denominator) {
        return "a denominator of \(denominator)"
      }
    case .vocabulary(let names), .names(let names?):
      if Set(names).count != names.count { return "a name stands twice in its list" }
    case .reference(let entity, let rule):
      if !isName(entity) { return "'\(entity)' is no name of an entity" }
      if rule == .clear && field.rules.contains(.required) {
        return "a required reference cannot be cleared"
      }
    default: break
    }
    if let index = field.index, !allows(field.kind, index) { return "no index for its kind" }
    if let target = field.searchedAs {
      guard let other = schema.fields.first(where: { $0.name == target }) else {
        return "searched as \(target), which is no field"
      }
      if other.index != .words { return "searched as \(target), which has no index of words" }
      switch field.kind {
      case .text, .translations: break
      default: return "only texts can be searched as another field"
      }
    }
    for rule in field.rules {
      if let problem = problem(of: rule, for: field.kind) { return problem }
    }
    return nil
  }

  /// True for a short text without what a terminal would obey: controls, and marks of direction.
  private static func isShort(_ text: String) -> Bool {
    text.utf8.count <= SchemaCoding.Limits.nameByteCount
      && text.unicodeScalars.allSatisfy { scalar in
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: false
        default: true
        }
      }
  }

  private static func allows(_ kind: FieldKind, _ index: FieldIndex) -> Bool {
    switch (kind, index) {
    case (.flag, .terms), (.vocabulary, .terms), (.names, .terms), (.reference, .terms): true
    case (.text, .terms), (.text, .words), (.translations, .words): true
    case (.integer, .numbers), (.decimal, .numbers), (.real, .numbers), (.date, .numbers): true
    default: false
    }
  }

  private static func problem(of rule: FieldRule, for kind: FieldKind) -> String? {
    switch (rule, kind) {
    case (.required, _): nil
    case (.notBlank, .text): nil
    case (.range(let lower, let upper), .integer), (.range(let lower, let upper), .decimal),
      (.range(let lower, let upper), .date):
      lower <= upper ? nil : "an empty range"
    case (.byteCount(let count), .text), (.byteCount(let count), .bytes):
      count >= 0 ? nil : "a negative length"
    case (.unique, .text), (.unique, .integer), (.unique, .decimal), (.unique, .date),
      (.unique, .reference), (.unique, .vocabulary):
      nil
    default: "a rule that its kind cannot have"
    }
  }
}
