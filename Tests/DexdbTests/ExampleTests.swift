import Testing

private typealias Species = PlainFacts.Species

/// A query of the language's page, and a plain scan of the tables that says who answers it.
private struct Example: Sendable, CustomTestStringConvertible {
  var query: String
  var order: (@Sendable (Species, Species) -> Bool)?
  var limit = Int.max
  var wanted: @Sendable (Species) -> Bool

  init(
    _ query: String, order: (@Sendable (Species, Species) -> Bool)? = nil, limit: Int = .max,
    where wanted: @escaping @Sendable (Species) -> Bool
  ) {
    self.query = query
    self.order = order
    self.limit = limit
    self.wanted = wanted
  }

  var testDescription: String { query }

  var answer: [Int] {
    var found = PlainFacts.species.filter(wanted)
    if let order { found.sort { order($0, $1) || (!order($1, $0) && $0.number < $1.number) } }
    return found.prefix(limit).map(\.number)
  }
}

private func starts(_ species: Species, _ words: [String], atStart: Bool = false) -> Bool {
  species.names.contains { name in
    let starts = atStart ? 0...0 : 0...max(0, name.count - words.count)
    return name.count >= words.count
      && starts.contains { start in
        let part = name[start..<start + words.count]
        return part.dropLast().elementsEqual(words.dropLast())
          && part.last?.hasPrefix(words.last ?? "") == true
      }
  }
}

private func startFirst(_ words: [String]) -> @Sendable (Species, Species) -> Bool {
  { starts($0, words, atStart: true) && !starts($1, words, atStart: true) }
}

private let examples: [Example] = [
  Example("pik", order: startFirst(["pik"]), where: { starts($0, ["pik"]) }),
  Example(
    "mr mime",
    order: { left, right in
      let isFirst = { (species: Species) in
        starts(species, ["mr"], atStart: true) || starts(species, ["mime"], atStart: true)
      }
      return isFirst(left) && !isFirst(right)
    }, where: { starts($0, ["mr"]) && starts($0, ["mime"]) }),
  Example("\"type: null\"") { starts($0, ["type", "null"], atStart: true) },
  Example("#25") { $0.number == 25 },
  Example("t:fire t:flying") { $0.types.contains("fire") && $0.types.contains("flying") },
  Example("t=water") { $0.types == ["water"] },
  Example("t:water -t:flying") { $0.types.contains("water") && !$0.types.contains("flying") },
  Example("t:ghost/steel") { $0.types.contains("ghost") && $0.types.contains("steel") },
  Example("(t:fire OR t:dragon) spe>=100") {
    ($0.types.contains("fire") || $0.types.contains("dragon")) && $0.int("speed") >= 100
  },
  Example("gen:1 is:legendary") { $0.int("generation") == 1 && $0["is_legendary"] == "1" },
  Example("-is:legendary is:final bst>=580") {
    $0["is_legendary"] == "0" && !PlainFacts.evolving.contains($0.number) && $0.total >= 580
  },
  Example(
    "bst:525..540 sort:-bst,name limit:10",
    order: { $0.total != $1.total ? $0.total > $1.total : $0["name"] < $1["name"] }, limit: 10,
    where: { (525...540).contains($0.total) }),
  Example("spe:..30 def:130..") { $0.int("speed") <= 30 && $0.int("defense") >= 130 },
  Example("atk>spa t:psychic") {
    $0.int("attack") > $0.int("special_attack") && $0.types.contains("psychic")
  },
  Example(
    "hp+def+spd>=300 sort:-hp+def+spd",
    order: { bulk($0) > bulk($1) }, where: { bulk($0) >= 300 }),
  Example(
    "weak:ice sort:spe", order: { $0.int("speed") < $1.int("speed") },
    where: { PlainFacts.takes("ice", $0) > 100 }),
  Example("takes.ice>=4") { PlainFacts.takes("ice", $0) >= 400 },
  Example("resists:fire resists:water -weak:rock") {
    PlainFacts.takes("fire", $0) < 100 && PlainFacts.takes("water", $0) < 100
      && PlainFacts.takes("rock", $0) <= 100
  },
  Example("immune:ground -t:steel") {
    PlainFacts.takes("ground", $0) == 0 && !$0.types.contains("steel")
  },
  Example("or", order: startFirst(["or"]), where: { starts($0, ["or"]) }),
]

private func bulk(_ species: Species) -> Int {
  species.int("hp") + species.int("defense") + species.int("special_defense")
}

@Suite struct `The examples of the language` {
  private static let dexdb = Dexdb()

  @Test(arguments: examples.indices)
  func `are answered as a plain scan of the tables answers them`(index: Int) {
    let example = examples[index]
    let run = Self.dexdb("find", "--format", "tsv", example.query)
    #expect(run.code == 0, "\(example.query): \(run.errors)")
    #expect(!example.answer.isEmpty, "\(example.query)")
    #expect(run.numbers == example.answer, "\(example.query)")
    let count = Self.dexdb("count", example.query)
    #expect(count.text == "\(example.answer.count)\n", "\(example.query)")
  }

  @Test func `show the columns that they name`() throws {
    let run = Self.dexdb("find", "family:eevee -stage:1 show:name,type,spe")
    let chain = try #require(PlainFacts.species.first { $0["slug"] == "eevee" })["evolution_chain"]
    let expected = PlainFacts.species
      .filter { $0["evolution_chain"] == chain && PlainFacts.stage($0) != 1 }
      .map { [$0["name"], $0["types"], $0["speed"]] }
    #expect(expected.count == 8)
    #expect(run.rows == expected)
    #expect(run.lines.first == "name\ttypes\tspeed")
  }

  @Test func `count groups, and a Pokémon of two types in both`() {
    let run = Self.dexdb("find", "gen:1 group:type show:count,avg.bst,max.spe sort:-count")
    var groups: [String: [Species]] = [:]
    for species in PlainFacts.species where species.int("generation") == 1 {
      for type in species.types { groups[type, default: []].append(species) }
    }
    #expect(groups.count == 17)
    let found = Dictionary(uniqueKeysWithValues: run.rows.map { ($0[0], Array($0[1...])) })
    for (type, members) in groups {
      let sum = members.reduce(0) { $0 + $1.total }
      #expect(found[type]?[0] == "\(members.count)")
      #expect(found[type].flatMap { Double($0[1]) } == Double(sum) / Double(members.count))
      #expect(found[type]?[2] == "\(members.map { $0.int("speed") }.max() ?? 0)")
    }
    let counts = run.rows.compactMap { Int($0[1]) }
    #expect(counts == counts.sorted(by: >) && found.count == groups.count)
  }

  @Test func `know stored portraits and adventurers`() throws {
    let dexdb = Dexdb()
    for number in ["6", "25", "3"] {
      let run = dexdb("portrait", "set", number, dexdb("portrait", "gallery").rows[0][0])
      #expect(run.code == 0, "\(run.errors)")
    }
    let final = dexdb("find", "is:final has:portrait show:id,name")
    #expect(final.rows == [["3", "Venusaur"], ["6", "Charizard"]])

    for arguments in [
      ["name=Ana", "class=Wizard", "level=3", "maxhp=90", "hp=12"],
      ["name=Bo", "class=wizard", "level=5", "maxhp=80", "hp=80"],
      ["name=Bodo", "class=Knight", "level=9", "maxhp=80", "hp=1"],
      ["name=Cleo", "class=Wizard", "level=7", "maxhp=80", "hp=0"],
      ["name=Anabel", "class=Wizard", "level=1", "maxhp=80", "hp=0"],
    ] {
      let run = Dexdb.run(
        ["-f", dexdb.database, "recruit"] + arguments, folder: dexdb.folder.path)
      #expect(run.code == 0, "\(run.errors)")
    }
    let hurt = dexdb("find", "from:adventurers level>=3 hp<maxhp sort:-level")
    #expect(hurt.rows.map { $0[1] } == ["Bodo", "Cleo", "Ana"])
    let alive = dexdb("find", "from:adv class:wiz is:alive (name:ana or name:bo)")
    #expect(alive.rows.map { $0[1] } == ["Ana", "Bo"])
  }
}
