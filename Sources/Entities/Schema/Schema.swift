/// What an entity's records hold: numbered fields, with the kind, the index and the rules of each.
///
/// A schema is stored in the database, so a file describes itself.
public struct Schema: Hashable, Sendable {
  /// The entity's name, such as `adventurers`: a letter, then letters, digits, `-` and `_`.
  public var name: String
  /// In the order in which they are shown.
  public var fields: [FieldDefinition]

  /// The entity `name` with these fields.
  public init(name: String, fields: [FieldDefinition]) {
    self.name = name
    self.fields = fields
  }

  /// The field of that name or alias, in any case.
  public func field(named name: String) -> FieldDefinition? {
    let name = name.lowercased()
    return fields.first { $0.name.lowercased() == name }
      ?? fields.first { $0.aliases.contains(name) }
  }
}

/// One field of a schema.
public struct FieldDefinition: Hashable, Sendable {
  /// What the field is called in records, from 1 on; never given to another field.
  public var number: Int
  /// A letter, then letters, digits, `-` and `_`; neither `is` nor `has`.
  ///
  /// Queries compare a field that is called as one of their directives, such as `limit`, by `=`, `<`
  /// and the like: `limit:` is the directive.
  public var name: String
  /// Other names by which queries may call it.
  public var aliases: [String]
  /// What kind of values it has.
  public var kind: FieldKind
  /// The unit in which values are shown, such as `kg`.
  public var unit: String?
  /// Which index it has; references have one of terms anyway.
  public var index: FieldIndex?
  /// The name of the field whose searches also look here, such as `name` for translations of it.
  public var searchedAs: String?
  /// What its values have to fulfil.
  public var rules: [FieldRule]

  /// The field `number`, called `name`.
  public init(
    _ number: Int, _ name: String, _ kind: FieldKind, aliases: [String] = [], unit: String? = nil,
    index: FieldIndex? = nil, searchedAs: String? = nil, rules: [FieldRule] = []
  ) {
    self.number = number
    self.name = name
    self.aliases = aliases
    self.kind = kind
    self.unit = unit
    self.index = index
    self.searchedAs = searchedAs
    self.rules = rules
  }
}

/// What kind of values a field has.
public enum FieldKind: Hashable, Sendable {
  /// True or false.
  case flag
  /// A whole number.
  case integer
  /// A number in parts of 1/`denominator`, shown as a decimal fraction: 10 for metres kept in
  /// decimetres, 256 for a multiplier.
  case decimal(denominator: Int)
  /// A floating-point number; only finite ones.
  case real
  /// A text of any length.
  case text
  /// One name of a closed list, in the order of that list.
  case vocabulary([String])
  /// Several names in order; of the closed list, where there is one.
  case names([String]?)
  /// The same name in several languages.
  case translations
  /// Bytes that mean nothing to the database.
  case bytes
  /// Milliseconds since the beginning of 1970, UTC.
  case date
  /// The ID of a record of another entity.
  case reference(entity: String, onDelete: DeleteRule)
}

/// What becomes of a record when the one that it refers to is deleted.
public enum DeleteRule: UInt8, Hashable, Sendable {
  /// The other record cannot be deleted.
  case restrict
  /// The reference becomes absent.
  case clear
  /// This record is deleted too.
  case cascade
}

/// Which index a field has.
public enum FieldIndex: UInt8, Hashable, Sendable {
  /// Rows by value: names, vocabularies, flags, references, whole texts.
  case terms
  /// Rows by the start of any word of a folded text.
  case words
  /// Rows by number, for ranges and sorted answers.
  case numbers
}

/// What a value of a field has to fulfil.
public enum FieldRule: Hashable, Sendable {
  /// A value must be there.
  case required
  /// A text must hold something else than white space.
  case notBlank
  /// A number must lie in the range, in the parts in which it is kept.
  case range(Int64, Int64)
  /// A text or bytes are at most so many bytes long.
  case byteCount(Int)
  /// No two records have the same value; texts are compared folded.
  case unique
}
