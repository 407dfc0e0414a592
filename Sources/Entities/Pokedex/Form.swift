/// A form of a species that differs from its default one, such as a regional or a mega form.
///
/// A record's number is the form's number in the data.
public struct Form: Hashable, Sendable {
  /// The form's number, and the record's.
  public var formID: Int
  /// The species of which it is a form.
  public var species: EntityID
  /// A name of lower-case ASCII letters, digits and `-`, which no other species or form has.
  public var slug: String
  /// The English name, which several forms may have.
  public var name: String
  /// Why the form is one of its own.
  public var kind: FormKind
  /// One or two, in the order of their slots.
  public var types: [PokemonType]
  /// The six base stats.
  public var stats: BaseStats
  /// The height in decimetres.
  public var height: Int?
  /// The weight in hectograms; absent where the games give none.
  public var weight: Int?
  /// The abilities that it may have.
  public var abilities: Abilities
  /// The region that it comes from, where it is a regional form.
  public var region: Region?
  /// True where the form exists in battle only.
  public var isBattleOnly: Bool
  /// The generation in which the form first appeared.
  public var generation: Int
  /// In what it differs from the species.
  public var differences: [FormDifference]
  /// The names of the species, by which its forms are found too.
  public var speciesNames: [Translation]

  /// The record's number.
  public var id: EntityID { EntityID(UInt64(clamping: formID)) }
}

extension Form: Entity {
  /// What a record holds.
  public static let schema = Schema(
    name: "forms",
    fields: [
      FieldDefinition(
        1, "form_id", .integer, aliases: ["form"], index: .numbers,
        rules: [.required, .range(1, 1_000_000), .unique]),
      FieldDefinition(
        2, "number", .reference(entity: "pokemon", onDelete: .cascade), aliases: ["no", "dex"],
        index: .terms, rules: [.required]),
      FieldDefinition(
        3, "slug", .text, index: .terms, searchedAs: "name",
        rules: [.required, .notBlank, .byteCount(255), .unique]),
      FieldDefinition(
        4, "name", .text, aliases: ["n"], index: .words,
        rules: [.required, .notBlank, .byteCount(255)]),
      FieldDefinition(5, "kind", .vocabulary(FormKind.names), index: .terms, rules: [.required]),
      FieldDefinition(
        6, "types", .names(PokemonType.names), aliases: ["type", "t"], index: .terms,
        rules: [.required]),
    ] + BaseStats.fields(from: 7) + [
      FieldDefinition(
        13, "height_dm", .integer, unit: "dm", index: .numbers, rules: [.range(1, 65_535)]),
      FieldDefinition(
        14, "weight_hg", .integer, unit: "hg", index: .numbers, rules: [.range(1, 65_535)]),
    ] + Abilities.fields(from: 15) + [
      FieldDefinition(17, "region", .vocabulary(Region.names), index: .terms),
      FieldDefinition(18, "battle_only", .flag, index: .terms, rules: [.required]),
      FieldDefinition(
        19, "generation", .integer, aliases: ["gen", "g"], index: .numbers,
        rules: [.required, .range(1, 9)]),
      FieldDefinition(20, "differs", .names(FormDifference.names), index: .terms),
      FieldDefinition(21, "species_names", .translations, searchedAs: "name"),
    ])

  /// What is computed from a record.
  public static let derivedFields = DerivedFields.ofBodies(
    types: 6, stats: 7, height: 13, weight: 14)

  /// Takes the values of a record.
  public init(from record: inout RecordReader) {
    formID = record.integer(1)
    species = record.reference(2)
    slug = record.text(3)
    name = record.text(4)
    kind = record.member(5, else: .alternate)
    types = record.members(6)
    stats = BaseStats(from: &record, first: 7)
    height = record.integerIfPresent(13)
    weight = record.integerIfPresent(14)
    abilities = Abilities(from: &record, first: 15)
    region = record.memberIfPresent(17)
    isBattleOnly = record.flag(18)
    generation = record.integer(19)
    differences = record.members(20)
    speciesNames = record.translations(21)
  }

  /// Gives the values to a record.
  public func encode(to record: inout RecordWriter) {
    record.set(1, integer: formID)
    record.set(2, reference: species)
    record.set(3, text: slug)
    record.set(4, text: name)
    record.set(5, member: kind)
    record.set(6, members: types)
    stats.encode(to: &record, first: 7)
    record.set(13, integer: height)
    record.set(14, integer: weight)
    abilities.encode(to: &record, first: 15)
    record.set(17, member: region)
    record.set(18, flag: isBattleOnly)
    record.set(19, integer: generation)
    record.set(20, members: differences)
    record.set(21, translations: speciesNames)
  }
}
