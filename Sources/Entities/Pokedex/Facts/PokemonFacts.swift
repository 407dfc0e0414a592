/// The columns of the table of species, decoded, and the species that they make.
struct PokemonFacts {
  private let rowCount: Int
  private let numbers: [Int]
  private let slugs: [String]
  private let names: [String]
  private let categories: [String]
  private let generations: [Int]
  private let types: [[PokemonType]]
  private let stats: [BaseStats]
  private let sizes: [(height: Int?, weight: Int?)]
  private let experience: [Int?]
  private let captureRates: [Int?]
  private let happiness: [Int?]
  private let growthRates: [GrowthRate]
  private let genderRates: [Int]
  private let hatchCycles: [Int?]
  private let colors: [PokedexColor]
  private let shapes: [BodyShape]
  private let habitats: [Habitat?]
  private let babies: [Bool]
  private let legendaries: [Bool]
  private let mythicals: [Bool]
  private let ancestors: [Int?]
  private let chains: [Int]
  private let abilities: [Abilities]
  private let eggGroups: [[EggGroup]]
  private let defaultForms: [String?]
  private let translations: [Int: [Translation]]

  init(_ table: FactColumns, names translations: [Int: [Translation]]) throws(FactsError) {
    self.translations = translations
    rowCount = table.rowCount
    numbers = try table.numbers("number")
    slugs = try table.texts("slug")
    names = try table.texts("name")
    categories = try table.texts("category")
    generations = try table.numbers("generation")
    types = try table.memberLists(PokemonType.self, of: "types")
    stats = try table.stats()
    sizes = Array(zip(try table.integers("height_dm"), try table.integers("weight_hg")))
    experience = try table.integers("base_experience")
    captureRates = try table.integers("capture_rate")
    happiness = try table.integers("base_happiness")
    growthRates = try table.members(GrowthRate.self, of: "growth_rate")
    genderRates = try table.numbers("gender_rate")
    hatchCycles = try table.integers("hatch_cycles")
    colors = try table.members(PokedexColor.self, of: "color")
    shapes = try table.members(BodyShape.self, of: "shape")
    habitats = try table.membersIfPresent(Habitat.self, of: "habitat")
    babies = try table.flags("is_baby")
    legendaries = try table.flags("is_legendary")
    mythicals = try table.flags("is_mythical")
    ancestors = try table.integers("evolves_from")
    chains = try table.numbers("evolution_chain")
    abilities = try table.abilities()
    eggGroups = try table.memberLists(EggGroup.self, of: "egg_groups")
    defaultForms = try table.textsIfPresent("default_form")
  }

  /// All species, in the order of the rows.
  func pokemon() -> [Pokemon] { (0..<rowCount).map { pokemon(inRow: $0) } }

  private func pokemon(inRow row: Int) -> Pokemon {
    Pokemon(
      number: numbers[row], slug: slugs[row], name: names[row], category: categories[row],
      generation: generations[row], types: types[row], stats: stats[row],
      height: sizes[row].height, weight: sizes[row].weight, baseExperience: experience[row],
      captureRate: captureRates[row], baseHappiness: happiness[row],
      growthRate: growthRates[row], genderRate: genderRates[row],
      hatchCycles: hatchCycles[row], color: colors[row], shape: shapes[row],
      habitat: habitats[row], isBaby: babies[row], isLegendary: legendaries[row],
      isMythical: mythicals[row], evolvesFrom: ancestors[row].map { EntityID(number: $0) },
      evolutionChain: chains[row], abilities: abilities[row], eggGroups: eggGroups[row],
      defaultForm: defaultForms[row], names: translations[numbers[row]] ?? [])
  }
}

extension EntityID {
  /// The number as the data has it; one below zero, which the data has nowhere, is 0.
  init(number: Int) { self.init(UInt64(clamping: number)) }
}
