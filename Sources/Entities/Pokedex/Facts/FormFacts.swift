/// The columns of the table of forms, decoded, and the forms that they make.
struct FormFacts {
  private let numbers: [Int]
  private let species: [Int]
  private let slugs: [String]
  private let names: [String]
  private let kinds: [FormKind]
  private let types: [[PokemonType]]
  private let stats: [BaseStats]
  private let heights: [Int?]
  private let weights: [Int?]
  private let abilities: [Abilities]
  private let regions: [Region?]
  private let battleOnly: [Bool]
  private let generations: [Int]
  private let differences: [[FormDifference]]
  private let translations: [Int: [Translation]]

  init(_ table: FactColumns, names translations: [Int: [Translation]]) throws(FactsError) {
    self.translations = translations
    numbers = try table.numbers("form_id")
    species = try table.numbers("number")
    slugs = try table.texts("slug")
    names = try table.texts("name")
    kinds = try table.members(FormKind.self, of: "kind")
    types = try table.memberLists(PokemonType.self, of: "types")
    stats = try table.stats()
    heights = try table.integers("height_dm")
    weights = try table.integers("weight_hg")
    abilities = try table.abilities()
    regions = try table.membersIfPresent(Region.self, of: "region")
    battleOnly = try table.flags("battle_only")
    generations = try table.numbers("generation")
    differences = try table.memberLists(FormDifference.self, of: "differs")
  }

  /// All forms, in the order of the rows.
  func forms() -> [Form] {
    numbers.indices.map { row in
      Form(
        formID: numbers[row], species: EntityID(number: species[row]), slug: slugs[row],
        name: names[row], kind: kinds[row], types: types[row], stats: stats[row],
        height: heights[row], weight: weights[row], abilities: abilities[row],
        region: regions[row], isBattleOnly: battleOnly[row], generation: generations[row],
        differences: differences[row], speciesNames: translations[species[row]] ?? [])
    }
  }
}
