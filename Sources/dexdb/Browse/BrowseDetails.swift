import Entities
import Terminal

/// All that is shown of one record, in words and numbers and without a place on the screen.
struct BrowseDetails {
  var record: BrowseRecord
  var title: String
  /// Such as `#25`.
  var number: String
  var subtitle: String
  var types: [String] = []
  var statistics: [Statistic] = []
  /// A line below the statistics.
  var total: String?
  /// What is said by a name and a few words.
  var facts: [Fact] = []
  var abilities: [String] = []
  /// The types of attack by what their damage is multiplied with; 1 is left out.
  var matchUps: [MatchUp] = []
  var family: [Relative] = []
  var forms: [Relative] = []

  struct Fact: Equatable {
    var name: String
    var text: String
  }

  struct Statistic: Equatable {
    var name: String
    var value: Int
    var maximum: Int
    /// What is said instead of the number.
    var text: String?
  }

  struct MatchUp: Equatable {
    /// Such as `×2`.
    var factor: String
    var types: [String]
    var isWeakness: Bool
  }

  /// A record that one can walk to.
  struct Relative: Equatable {
    var record: BrowseRecord
    var name: String
    var types: [String]
    /// How many steps of evolution it is away from the first.
    var depth: Int
  }
}

extension BrowseSource {
  /// What is shown of a record.
  ///
  /// - Throws: `CommandFailure` where it is gone.
  func details(of record: BrowseRecord) throws -> BrowseDetails {
    if let known = knownDetails, known.version == version, known.details.record == record {
      return known.details
    }
    let details =
      record.entity == "adventurers"
      ? try adventurerDetails(record) : try pokemonDetails(record)
    guard let details else {
      throw CommandFailure("record \(record.id) of \(record.entity) is not there any more")
    }
    knownDetails = (version, details)
    return details
  }

  // MARK: Pokémon

  private func pokemonDetails(_ record: BrowseRecord) throws -> BrowseDetails? {
    let form = record.entity == "forms" ? try snapshot.get(Form.self, record.id) : nil
    if record.entity == "forms", form == nil { return nil }
    guard let species = try snapshot.get(Pokemon.self, form?.species ?? record.id) else {
      return nil
    }
    let marks = [
      (species.isLegendary, "legendary"), (species.isMythical, "mythical"),
      (species.isBaby, "baby"),
    ].filter(\.0).map(\.1)
    let category = form.map { "\($0.kind.name) form of \(species.name)" } ?? species.category
    var details = BrowseDetails(
      record: record, title: form?.name ?? species.name, number: "#\(species.number)",
      subtitle: ([category] + marks).filter { !$0.isEmpty }.joined(separator: ", "))
    details.types = (form?.types ?? species.types).map(\.name)
    let stats = form?.stats ?? species.stats
    details.statistics = Self.statistics(stats)
    details.total = "\(stats.total)"
    let abilities = form?.abilities ?? species.abilities
    details.abilities = abilities.all.map { slug in
      slug.split(separator: "-").joined(separator: " ")
        + (slug == abilities.hidden ? " (hidden)" : "")
    }
    details.facts = Self.facts(
      species, height: form == nil ? species.height : form?.height,
      weight: form == nil ? species.weight : form?.weight)
    details.matchUps = try matchUps(of: record)
    details.family = try family(of: species)
    details.forms = try forms(of: species)
    return details
  }

  private static func statistics(_ stats: BaseStats) -> [BrowseDetails.Statistic] {
    [
      ("HP", stats.hp), ("Attack", stats.attack), ("Defense", stats.defense),
      ("Sp. Atk", stats.specialAttack), ("Sp. Def", stats.specialDefense), ("Speed", stats.speed),
    ].map { BrowseDetails.Statistic(name: $0.0, value: $0.1, maximum: 200) }
  }

  private static func facts(
    _ species: Pokemon, height: Int?, weight: Int?
  ) -> [BrowseDetails.Fact] {
    let size = [
      height.map { "\(ExactDecimal.text(of: Int64($0), over: 10)) m" },
      weight.map { "\(ExactDecimal.text(of: Int64($0), over: 10)) kg" },
    ].compactMap(\.self).joined(separator: ", ")
    var facts: [(String, String)] = []
    if !size.isEmpty { facts.append(("Size", size)) }
    facts.append(("Generation", "\(species.generation)"))
    facts.append(("Looks", "\(species.color.name), \(species.shape.name)"))
    let eggs = species.eggGroups.map(\.name).joined(separator: ", ")
    if !eggs.isEmpty { facts.append(("Eggs", eggs)) }
    if let habitat = species.habitat { facts.append(("Habitat", habitat.name)) }
    return facts.map { BrowseDetails.Fact(name: $0.0, text: $0.1) }
  }

  private func matchUps(of record: BrowseRecord) throws -> [BrowseDetails.MatchUp] {
    var byFactor: [Int64: [String]] = [:]
    for type in PokemonType.allCases {
      let path = FieldPath("takes", type.name)
      if case .integer(let factor)? = try snapshot.value(path, of: record.entity, record.id) {
        byFactor[factor, default: []].append(type.name)
      }
    }
    return byFactor.keys.filter { $0 != 100 }.sorted(by: >).map { factor in
      BrowseDetails.MatchUp(
        factor: "×" + ExactDecimal.text(of: factor, over: 100), types: byFactor[factor] ?? [],
        isWeakness: factor > 100)
    }
  }

  /// The family from the first on, each before those that evolve from it; empty for one alone.
  private func family(of species: Pokemon) throws -> [BrowseDetails.Relative] {
    let members = try snapshot.find(
      Pokemon.self,
      where: .number([FieldPath("evolution_chain")], .equal, Number(Int64(species.evolutionChain))),
      limit: 64)
    if members.count < 2 { return [] }
    let ids = Set(members.map(\.id))
    var family: [BrowseDetails.Relative] = []
    var placed: Set<EntityID> = []
    func place(_ member: Identified<Pokemon>, depth: Int) {
      if !placed.insert(member.id).inserted { return }
      family.append(
        BrowseDetails.Relative(
          record: BrowseRecord(entity: "pokemon", id: member.id), name: member.value.name,
          types: member.value.types.map(\.name), depth: depth))
      for next in members where next.value.evolvesFrom == member.id {
        place(next, depth: depth + 1)
      }
    }
    for member in members where member.value.evolvesFrom.map({ !ids.contains($0) }) ?? true {
      place(member, depth: 0)
    }
    return family
  }

  private func forms(of species: Pokemon) throws -> [BrowseDetails.Relative] {
    let forms = try snapshot.find(
      Form.self, where: .number([FieldPath("number")], .equal, Number(Int64(species.number))),
      limit: 64)
    return forms.map { form in
      BrowseDetails.Relative(
        record: BrowseRecord(entity: "forms", id: form.id), name: form.value.name,
        types: form.value.types.map(\.name), depth: 0)
    }
  }

  // MARK: Adventurers

  private func adventurerDetails(_ record: BrowseRecord) throws -> BrowseDetails? {
    guard let adventurer = try snapshot.get(Adventurer.self, record.id) else { return nil }
    let state =
      adventurer.isAlive
      ? adventurer.currentHitPoints < adventurer.totalHitPoints ? "hurt" : "well" : "fallen"
    var details = BrowseDetails(
      record: record, title: adventurer.name, number: "#\(record.id)",
      subtitle: "\(adventurer.profession), level \(adventurer.level), \(state)")
    if let type = Profession(named: adventurer.profession)?.attackType.name {
      details.types = [type]
    }
    let multiplier = ExactDecimal.rounded(Double(adventurer.multiplier) / 256)
    let evasion = ExactDecimal.rounded(Double(adventurer.evasion) * 100 / 256)
    details.statistics = [
      .init(
        name: "HP", value: adventurer.currentHitPoints, maximum: adventurer.totalHitPoints,
        text: "\(adventurer.currentHitPoints)/\(adventurer.totalHitPoints)"),
      .init(name: "Attack", value: adventurer.multiplier, maximum: 512, text: "×\(multiplier)"),
      .init(name: "Defense", value: adventurer.defense, maximum: 200),
      .init(name: "Evasion", value: adventurer.evasion, maximum: 128, text: "\(evasion) %"),
      .init(name: "Speed", value: adventurer.speed, maximum: 200),
    ]
    details.facts = [
      .init(name: "Experience", text: "\(adventurer.experience)"),
      .init(name: "Wins", text: "\(adventurer.wins)"),
      .init(name: "Losses", text: "\(adventurer.losses)"),
    ]
    if let created = adventurer.created {
      details.facts.append(
        .init(name: "Recruited", text: String(Timestamp.text(of: Int64(created)).prefix(10))))
    }
    return details
  }
}
