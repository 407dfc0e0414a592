/// A move that Pokémon use in battle; a record's number is the move's.
public struct Move: Hashable, Sendable {
  /// The move's number, and the record's.
  public var number: Int
  /// A name of lower-case ASCII letters, digits and `-`, which no other move has.
  public var slug: String
  /// The English name, which two moves may have.
  public var name: String
  /// The type of its attack.
  public var type: PokemonType
  /// Which statistics it works with.
  public var category: MoveCategory
  /// Absent where it varies, is fixed, or the move does no damage.
  public var power: Int?
  /// In percent; absent where the move does not check it.
  public var accuracy: Int?
  /// How often the move can be used.
  public var powerPoints: Int
  /// From -7 to 5: the greater acts first.
  public var priority: Int

  /// The record's number.
  public var id: EntityID { EntityID(UInt64(clamping: number)) }
}

extension Move: Entity {
  /// What a record holds.
  public static let schema = Schema(
    name: "moves",
    fields: [
      FieldDefinition(
        1, "number", .integer, aliases: ["no"], index: .numbers,
        rules: [.required, .range(1, 65_535), .unique]),
      FieldDefinition(
        2, "slug", .text, index: .terms, searchedAs: "name",
        rules: [.required, .notBlank, .byteCount(255), .unique]),
      FieldDefinition(
        3, "name", .text, aliases: ["n"], index: .words,
        rules: [.required, .notBlank, .byteCount(255)]),
      FieldDefinition(
        4, "type", .vocabulary(PokemonType.names), aliases: ["t"], index: .terms,
        rules: [.required]),
      FieldDefinition(
        5, "category", .vocabulary(MoveCategory.names), index: .terms, rules: [.required]),
      FieldDefinition(6, "power", .integer, index: .numbers, rules: [.range(0, 65_535)]),
      FieldDefinition(
        7, "accuracy", .integer, unit: "%", index: .numbers, rules: [.range(0, 100)]),
      FieldDefinition(8, "pp", .integer, index: .numbers, rules: [.required, .range(0, 255)]),
      FieldDefinition(9, "priority", .integer, index: .numbers, rules: [.required, .range(-7, 7)]),
    ])

  /// Takes the values of a record.
  public init(from record: inout RecordReader) {
    number = record.integer(1)
    slug = record.text(2)
    name = record.text(3)
    type = record.member(4, else: .normal)
    category = record.member(5, else: .status)
    power = record.integerIfPresent(6)
    accuracy = record.integerIfPresent(7)
    powerPoints = record.integer(8)
    priority = record.integer(9)
  }

  /// Gives the values to a record.
  public func encode(to record: inout RecordWriter) {
    record.set(1, integer: number)
    record.set(2, text: slug)
    record.set(3, text: name)
    record.set(4, member: type)
    record.set(5, member: category)
    record.set(6, integer: power)
    record.set(7, integer: accuracy)
    record.set(8, integer: powerPoints)
    record.set(9, integer: priority)
  }
}
