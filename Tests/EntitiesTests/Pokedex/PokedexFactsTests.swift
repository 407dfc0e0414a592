import Entities
import Testing

@Suite struct `The bundled facts` {
  @Test func `have every cell of every species`() throws {
    let species = try BundledDex.species()
    #expect(species.count == 1_025)
    #expect(species.map(cells) == PokedexTable.species.rows)
    #expect(PokedexTable.species.columns.count == 31)
  }

  private func cells(_ pokemon: Pokemon) -> [String] {
    [
      text(pokemon.number), pokemon.slug, pokemon.name, pokemon.category, text(pokemon.generation),
      list(pokemon.types),
    ] + cells(pokemon.stats) + [
      text(pokemon.height), text(pokemon.weight), text(pokemon.baseExperience),
      text(pokemon.captureRate), text(pokemon.baseHappiness), pokemon.growthRate.name,
      text(pokemon.genderRate), text(pokemon.hatchCycles), pokemon.color.name, pokemon.shape.name,
      pokemon.habitat?.name ?? "", flag(pokemon.isBaby), flag(pokemon.isLegendary),
      flag(pokemon.isMythical), pokemon.evolvesFrom?.description ?? "",
      text(pokemon.evolutionChain), cell(pokemon.abilities), list(pokemon.eggGroups),
      pokemon.defaultForm ?? "",
    ]
  }

  @Test func `have every cell of every form`() throws {
    let forms = try BundledDex.forms()
    #expect(forms.count == 360)
    #expect(forms.map(cells) == PokedexTable.forms.rows)
  }

  private func cells(_ form: Form) -> [String] {
    [
      text(form.formID), form.species.description, form.slug, form.name, form.kind.name,
      list(form.types),
    ] + cells(form.stats) + [
      text(form.height), text(form.weight), cell(form.abilities), form.region?.name ?? "",
      flag(form.isBattleOnly), text(form.generation), list(form.differences),
    ]
  }

  @Test func `have every name in every language, with the species and with its forms`() throws {
    let species = try BundledDex.species()
    let rows = species.flatMap { pokemon in
      pokemon.names.map { [text(pokemon.number), $0.language, $0.text] }
    }
    #expect(rows.count == 12_300)
    #expect(rows == PokedexTable.names.rows)
    for form in try BundledDex.forms() {
      #expect(form.speciesNames == species[Int(form.species.rawValue) - 1].names)
    }
  }

  @Test func `have every cell of every move`() throws {
    let moves = try BundledDex.moves()
    #expect(moves.count == 919)
    let cells = moves.map { move in
      [
        text(move.number), move.slug, move.name, move.type.name, move.category.name,
        text(move.power), text(move.accuracy), text(move.powerPoints), text(move.priority),
      ]
    }
    #expect(cells == PokedexTable.moves.rows)
  }

  @Test func `have every factor of the chart of types`() throws {
    let chart = try TypeChart.bundled()
    let rows = PokedexTable.typechart.records
    #expect(rows.count == 324)
    for row in rows {
      let attack = try #require(PokemonType(name: row.cell("attacking")))
      let defender = try #require(PokemonType(name: row.cell("defending")))
      #expect(chart.factor(of: attack, against: defender) == row.number("factor"))
    }
  }

  @Test func `multiply the factors against two types`() throws {
    let chart = try TypeChart.bundled()
    #expect(chart.factor(of: .ice, against: [.dragon, .flying]) == 400)
    #expect(chart.factor(of: .grass, against: [.fire, .dragon]) == 25)
    #expect(chart.factor(of: .ground, against: [.steel, .flying]) == 0)
    #expect(chart.factor(of: .fire, against: [.water, .grass]) == 100)
    #expect(chart.weaknesses(of: [.fire, .flying]) == [.electric, .rock, .water])
    #expect(chart.immunities(of: [.normal, .ghost]) == [.fighting, .ghost, .normal])
    #expect(chart.resistances(of: [.electric]) == [.electric, .flying, .steel])
  }

  @Test func `use every name of the closed lists, and no other`() {
    let species = PokedexTable.species.records
    let forms = PokedexTable.forms.records
    let moves = PokedexTable.moves.records
    expect(PokemonType.self, species.flatMap { $0.list("types") })
    expect(EggGroup.self, species.flatMap { $0.list("egg_groups") })
    expect(GrowthRate.self, species.map { $0.cell("growth_rate") })
    expect(PokedexColor.self, species.map { $0.cell("color") })
    expect(BodyShape.self, species.map { $0.cell("shape") })
    expect(Habitat.self, species.flatMap { $0.list("habitat") })
    expect(FormKind.self, forms.map { $0.cell("kind") })
    expect(Region.self, forms.flatMap { $0.list("region") })
    expect(FormDifference.self, forms.flatMap { $0.list("differs") })
    expect(MoveCategory.self, moves.map { $0.cell("category") })
  }

  private func expect<Name: Vocabulary>(_ type: Name.Type, _ used: [String]) {
    #expect(Set(Name.names) == Set(used))
    #expect(Name.allCases.map(\.name) == Name.names)
    #expect(Name.names.map { Name(name: $0)?.name } == Name.names)
  }

  private func cells(_ stats: BaseStats) -> [String] {
    [
      stats.hp, stats.attack, stats.defense, stats.specialAttack, stats.specialDefense, stats.speed,
    ].map(text)
  }

  private func cell(_ abilities: Abilities) -> String {
    abilities.all.map { $0 == abilities.hidden ? $0 + "*" : $0 }.joined(separator: ",")
  }

  private func list(_ members: [some Vocabulary]) -> String {
    members.map(\.name).joined(separator: ",")
  }

  private func text(_ number: Int?) -> String { number.map(String.init) ?? "" }
  private func flag(_ flag: Bool) -> String { flag ? "1" : "0" }
}
