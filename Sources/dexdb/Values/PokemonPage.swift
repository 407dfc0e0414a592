import Entities
import Terminal

/// The lines of text that show a Pokémon or one of its forms.
struct PokemonPage {
  let snapshot: DatabaseSnapshot
  let styling: Styling
  let entity: String
  let id: EntityID
  /// The columns that a line may have.
  let room: Int

  /// What species and forms have in common.
  private struct Facts {
    var title: String
    var category: String
    var types: [PokemonType]
    var stats: BaseStats
    var height: Int?
    var weight: Int?
    var abilities: Abilities
    var species: Pokemon
  }

  func lines() throws -> [String] {
    guard let facts = try facts() else { throw CommandFailure("no record \(id) in \(entity)") }
    var lines = [styling.bold(facts.title)]
    if !facts.category.isEmpty { lines.append(facts.category) }
    let types = facts.types.map { styling.colored($0.name, TypeColor.of($0.name)) }
    lines += [types.joined(separator: " / ") + size(facts), ""]
    lines += statistics(facts.stats)
    lines.append("")
    lines += labelled("abilities", abilities(facts.abilities))
    for (label, text) in try matchUps() { lines += labelled(label, text) }
    let line = try evolutionLine(facts.species)
    if !line.isEmpty { lines += labelled("evolution", line) }
    let forms = try forms(of: facts.species)
    if !forms.isEmpty { lines += labelled("forms", forms) }
    lines += labelled(
      "more",
      "generation \(facts.species.generation), \(facts.species.color.name), "
        + facts.species.shape.name + (facts.species.habitat.map { ", lives in: \($0.name)" } ?? ""))
    return lines
  }

  private func facts() throws -> Facts? {
    if entity == "forms" {
      guard let form = try snapshot.get(Form.self, id),
        let species = try snapshot.get(Pokemon.self, form.species)
      else { return nil }
      return Facts(
        title: "\(safe(form.name))  #\(species.number), form \(form.formID)",
        category: "\(form.kind.name) form of \(safe(species.name))", types: form.types,
        stats: form.stats, height: form.height, weight: form.weight, abilities: form.abilities,
        species: species)
    }
    guard let species = try snapshot.get(Pokemon.self, id) else { return nil }
    let marks =
      (species.isLegendary ? ", legendary" : "") + (species.isMythical ? ", mythical" : "")
      + (species.isBaby ? ", baby" : "")
    return Facts(
      title: "\(safe(species.name))  #\(species.number)",
      category: safe(species.category) + marks, types: species.types, stats: species.stats,
      height: species.height, weight: species.weight, abilities: species.abilities,
      species: species)
  }

  private func safe(_ text: String) -> String { TerminalText.escaped(text) }

  private func size(_ facts: Facts) -> String {
    let height = facts.height.map { "  \(ExactDecimal.text(of: Int64($0), over: 10)) m" } ?? ""
    let weight = facts.weight.map { "  \(ExactDecimal.text(of: Int64($0), over: 10)) kg" } ?? ""
    return height + weight
  }

  private func statistics(_ stats: BaseStats) -> [String] {
    let rows = [
      ("HP", stats.hp), ("Attack", stats.attack), ("Defense", stats.defense),
      ("Sp. Atk", stats.specialAttack), ("Sp. Def", stats.specialDefense), ("Speed", stats.speed),
    ]
    return rows.map { name, value in StatisticLine.text(name, value, of: 255, styling) }
      + [
        "\(DisplayWidth.padded("Total", to: 8)) \(DisplayWidth.padded("\(stats.total)", to: 4, isRightAligned: true))"
      ]
  }

  private func abilities(_ abilities: Abilities) -> String {
    let names = abilities.all.map { safe($0) + ($0 == abilities.hidden ? " (hidden)" : "") }
    return names.isEmpty ? "not known" : names.joined(separator: ", ")
  }

  /// The types of attack by what they are multiplied with.
  private func matchUps() throws -> [(String, String)] {
    var byFactor: [Int64: [String]] = [:]
    for type in PokemonType.allCases {
      let path = FieldPath("takes", type.name)
      if case .integer(let factor)? = try snapshot.value(path, of: entity, id) {
        byFactor[factor, default: []].append(type.name)
      }
    }
    return byFactor.keys.filter { $0 != 100 }.sorted(by: >).map { factor in
      let text = ExactDecimal.text(of: factor, over: 100)
      return (
        factor == 0 ? "immune" : "takes ×\(text)",
        (byFactor[factor] ?? []).map { styling.colored($0, TypeColor.of($0)) }
          .joined(separator: ", ")
      )
    }
  }

  /// The family as names and arrows: what branches stands in parentheses.
  private func evolutionLine(_ species: Pokemon) throws -> String {
    let family = try snapshot.find(
      Pokemon.self,
      where: .number([FieldPath("evolution_chain")], .equal, Number(Int64(species.evolutionChain))))
    if family.count < 2 { return "" }
    let members = Set(family.map(\.id))
    let roots = family.filter { $0.value.evolvesFrom.map { !members.contains($0) } ?? true }
    return roots.map { branch(from: $0, family, depth: 0) }.joined(separator: "; ")
  }

  private func branch(
    from root: Identified<Pokemon>, _ family: [Identified<Pokemon>], depth: Int
  ) -> String {
    let name =
      root.id == id && entity == "pokemon"
      ? styling.bold(safe(root.value.name)) : safe(root.value.name)
    let next = family.filter { $0.value.evolvesFrom == root.id }
    if next.isEmpty || depth > 8 { return name }
    let branches = next.map { branch(from: $0, family, depth: depth + 1) }
    let text = branches.joined(separator: ", ")
    let arrow = styling.isASCII ? " -> " : " → "
    return name + arrow + (branches.count > 1 && depth > 0 ? "(\(text))" : text)
  }

  private func forms(of species: Pokemon) throws -> String {
    let forms = try snapshot.find(
      Form.self, where: .number([FieldPath("number")], .equal, Number(Int64(species.number))))
    return forms.map { safe($0.value.name) + " (\(safe($0.value.slug)))" }.joined(separator: ", ")
  }

  /// A label and a text that goes on below itself where it is too long.
  private func labelled(_ label: String, _ text: String) -> [String] {
    let indent = 12
    var lines: [String] = []
    var current = ""
    for part in text.split(separator: " ") {
      let longer = current.isEmpty ? String(part) : current + " " + part
      if Self.width(longer) > room - indent, !current.isEmpty {
        lines.append(current)
        current = String(part)
      } else {
        current = longer
      }
    }
    lines.append(current)
    return lines.enumerated().map { index, line in
      styling.faint(DisplayWidth.padded(index == 0 ? label : "", to: indent)) + line
    }
  }

  private static func width(_ text: String) -> Int {
    var width = 0
    var isCode = false
    for character in text {
      if character == "\u{1B}" { isCode = true }
      if !isCode { width += DisplayWidth.of(character) }
      if character == "m" { isCode = false }
    }
    return width
  }
}

/// A statistic as a name, a number and a bar.
enum StatisticLine {
  static func text(_ name: String, _ value: Int, of maximum: Int, _ styling: Styling) -> String {
    let bar = Bar.text(value, of: maximum, columns: 30, isASCII: styling.isASCII)
    let share = maximum == 0 ? 0 : Double(value) / Double(maximum)
    let color =
      share < 0.2
      ? Styling.Color(226, 92, 76) : share < 0.36 ? .init(233, 180, 66) : .init(96, 184, 100)
    return "\(DisplayWidth.padded(name, to: 8)) "
      + DisplayWidth.padded("\(value)", to: 4, isRightAligned: true) + " "
      + styling.colored(bar, color)
  }
}
