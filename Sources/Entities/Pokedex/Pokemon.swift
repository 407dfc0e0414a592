/// A species of Pokémon in its default form.
///
/// A record's number is the number in the National Pokédex.
public struct Pokemon: Hashable, Sendable {
  /// The number in the National Pokédex, and of the record.
  public var number: Int
  /// A name of lower-case ASCII letters, digits and `-`, which no other species or form has.
  public var slug: String
  /// The English name.
  public var name: String
  /// What the Pokédex calls its kind, such as `Seed Pokémon`.
  public var category: String
  /// The generation in which it first appeared.
  public var generation: Int
  /// One or two, in the order of their slots.
  public var types: [PokemonType]
  /// The six base stats.
  public var stats: BaseStats
  /// The height in decimetres.
  public var height: Int?
  /// The weight in hectograms.
  public var weight: Int?
  /// The experience that defeating it gives.
  public var baseExperience: Int?
  /// How easily it is caught: the greater, the more so.
  public var captureRate: Int?
  /// How happy it is when it is caught.
  public var baseHappiness: Int?
  /// How much experience its levels need.
  public var growthRate: GrowthRate
  /// Of how many eighths are female, from 0 to 8; -1 where there is no gender.
  public var genderRate: Int
  /// How many cycles its egg takes to hatch.
  public var hatchCycles: Int?
  /// The colour under which the Pokédex lists it.
  public var color: PokedexColor
  /// The shape under which the Pokédex lists it.
  public var shape: BodyShape
  /// Absent for all that came after the third generation.
  public var habitat: Habitat?
  /// True for those that the Pokédex counts as babies.
  public var isBaby: Bool
  /// False for mythical ones.
  public var isLegendary: Bool
  /// True for those that the Pokédex counts as mythical.
  public var isMythical: Bool
  /// The species from which it evolves.
  public var evolvesFrom: EntityID?
  /// A number that all of a family have in common.
  public var evolutionChain: Int
  /// The abilities that it may have.
  public var abilities: Abilities
  /// One or two, in alphabetical order.
  public var eggGroups: [EggGroup]
  /// The slug of the form that the record describes, where the species has forms with names.
  public var defaultForm: String?
  /// The name in every language.
  public var names: [Translation]
  /// A picture that somebody stored.
  public var portrait: EntityID?

  /// The record's number.
  public var id: EntityID { EntityID(UInt64(clamping: number)) }
}

extension Pokemon: Entity {
  /// The numbers of the fields, which stand for them in records forever.
  enum Field {
    static let types = 6
    static let stats = 7
    static let height = 13
    static let weight = 14
    static let isLegendary = 25
    static let isMythical = 26
    static let evolvesFrom = 27
    static let evolutionChain = 28
  }

  /// What a record holds.
  public static let schema = Schema(
    name: "pokemon",
    fields: [
      FieldDefinition(
        1, "number", .integer, aliases: ["no", "dex"], index: .numbers,
        rules: [.required, .range(1, 65_535), .unique]),
      FieldDefinition(
        2, "slug", .text, index: .terms, searchedAs: "name",
        rules: [.required, .notBlank, .byteCount(255), .unique]),
      FieldDefinition(
        3, "name", .text, aliases: ["n"], index: .words,
        rules: [.required, .notBlank, .byteCount(255)]),
      FieldDefinition(4, "category", .text, index: .words, rules: [.byteCount(255)]),
      FieldDefinition(
        5, "generation", .integer, aliases: ["gen", "g"], index: .numbers,
        rules: [.required, .range(1, 9)]),
      FieldDefinition(
        Field.types, "types", .names(PokemonType.names), aliases: ["type", "t"], index: .terms,
        rules: [.required]),
    ] + BaseStats.fields(from: Field.stats) + [
      FieldDefinition(
        Field.height, "height_dm", .integer, unit: "dm", index: .numbers,
        rules: [.range(1, 65_535)]),
      FieldDefinition(
        Field.weight, "weight_hg", .integer, unit: "hg", index: .numbers,
        rules: [.range(1, 65_535)]),
      FieldDefinition(15, "base_experience", .integer, index: .numbers, rules: [.range(0, 65_535)]),
      FieldDefinition(16, "capture_rate", .integer, index: .numbers, rules: [.range(0, 255)]),
      FieldDefinition(17, "base_happiness", .integer, rules: [.range(0, 255)]),
      FieldDefinition(
        18, "growth_rate", .vocabulary(GrowthRate.names), index: .terms,
        rules: [.required]),
      FieldDefinition(19, "gender_rate", .integer, rules: [.required, .range(-1, 8)]),
      FieldDefinition(20, "hatch_cycles", .integer, rules: [.range(0, 255)]),
      FieldDefinition(
        21, "color", .vocabulary(PokedexColor.names), index: .terms,
        rules: [.required]),
      FieldDefinition(
        22, "shape", .vocabulary(BodyShape.names), index: .terms,
        rules: [.required]),
      FieldDefinition(23, "habitat", .vocabulary(Habitat.names), index: .terms),
      FieldDefinition(24, "is_baby", .flag, index: .terms, rules: [.required]),
      FieldDefinition(Field.isLegendary, "is_legendary", .flag, index: .terms, rules: [.required]),
      FieldDefinition(Field.isMythical, "is_mythical", .flag, index: .terms, rules: [.required]),
      FieldDefinition(
        Field.evolvesFrom, "evolves_from", .reference(entity: "pokemon", onDelete: .clear),
        index: .terms),
      FieldDefinition(
        Field.evolutionChain, "evolution_chain", .integer, index: .numbers,
        rules: [.required, .range(1, 65_535)]),
    ] + Abilities.fields(from: 29) + [
      FieldDefinition(
        31, "egg_groups", .names(EggGroup.names), aliases: ["egg"], index: .terms),
      FieldDefinition(32, "default_form", .text, rules: [.byteCount(255)]),
      FieldDefinition(33, "names", .translations, searchedAs: "name"),
      FieldDefinition(
        34, "portrait", .reference(entity: "portraits", onDelete: .clear), index: .terms),
    ])

  /// Takes the values of a record.
  public init(from record: inout RecordReader) {
    number = record.integer(1)
    slug = record.text(2)
    name = record.text(3)
    category = record.textIfPresent(4) ?? ""
    generation = record.integer(5)
    types = record.members(Field.types)
    stats = BaseStats(from: &record, first: Field.stats)
    height = record.integerIfPresent(Field.height)
    weight = record.integerIfPresent(Field.weight)
    baseExperience = record.integerIfPresent(15)
    captureRate = record.integerIfPresent(16)
    baseHappiness = record.integerIfPresent(17)
    growthRate = record.member(18, else: .slow)
    genderRate = record.integer(19)
    hatchCycles = record.integerIfPresent(20)
    color = record.member(21, else: .black)
    shape = record.member(22, else: .ball)
    habitat = record.memberIfPresent(23)
    isBaby = record.flag(24)
    isLegendary = record.flag(Field.isLegendary)
    isMythical = record.flag(Field.isMythical)
    evolvesFrom = record.referenceIfPresent(Field.evolvesFrom)
    evolutionChain = record.integer(Field.evolutionChain)
    abilities = Abilities(from: &record, first: 29)
    eggGroups = record.members(31)
    defaultForm = record.textIfPresent(32)
    names = record.translations(33)
    portrait = record.referenceIfPresent(34)
  }

  /// Gives the values to a record.
  public func encode(to record: inout RecordWriter) {
    record.set(1, integer: number)
    record.set(2, text: slug)
    record.set(3, text: name)
    record.set(4, text: category.isEmpty ? nil : category)
    record.set(5, integer: generation)
    record.set(Field.types, members: types)
    stats.encode(to: &record, first: Field.stats)
    record.set(Field.height, integer: height)
    record.set(Field.weight, integer: weight)
    record.set(15, integer: baseExperience)
    record.set(16, integer: captureRate)
    record.set(17, integer: baseHappiness)
    record.set(18, member: growthRate)
    record.set(19, integer: genderRate)
    record.set(20, integer: hatchCycles)
    record.set(21, member: color)
    record.set(22, member: shape)
    record.set(23, member: habitat)
    record.set(24, flag: isBaby)
    record.set(Field.isLegendary, flag: isLegendary)
    record.set(Field.isMythical, flag: isMythical)
    record.set(Field.evolvesFrom, reference: evolvesFrom)
    record.set(Field.evolutionChain, integer: evolutionChain)
    abilities.encode(to: &record, first: 29)
    record.set(31, members: eggGroups)
    record.set(32, text: defaultForm)
    record.set(33, translations: names)
    record.set(34, reference: portrait)
  }
}
