import Entities
import Glibc
import Testing

/// What the tests of quests begin with.
enum QuestTestData {
  static let table: EnemyTable = {
    guard let table = try? EnemyTable(plainSpecies) else {
      preconditionFailure("the species of the data make no table")
    }
    return table
  }()

  static let plainSpecies = PlainQuest.mons.map { mon in
    EnemySpecies(
      number: mon.number, name: mon.slug, hp: mon.hp, attack: max(mon.attack, mon.specialAttack),
      defense: (mon.defense + mon.specialDefense) / 2, speed: mon.speed,
      types: mon.types.compactMap { name in PokemonType.allCases.first { "\($0)" == name } },
      baseExperience: mon.experience)
  }

  /// True for the long suites.
  static let isLong = getenv("DEX_LONG").map { String(cString: $0) } == "1"

  static func fighter(_ hero: PlainQuest.Hero) -> Fighter {
    var adventurer = Adventurer(
      name: "Ana", profession: hero.profession, hitPoints: hero.total, multiplier: hero.multiplier,
      defense: hero.defense, evasion: hero.evasion, speed: hero.speed)
    adventurer.level = hero.level
    adventurer.currentHitPoints = hero.hp
    return Fighter(adventurer, id: EntityID(hero.id))
  }

  /// The adventurer of a row of the worked examples.
  static func hero(_ row: [String: String]) -> PlainQuest.Hero {
    PlainQuest.Hero(
      id: UInt64(row.number("adventurer")), profession: row.cell("profession"),
      level: row.number("level"), hp: row.number("hp"), total: row.number("hp"),
      multiplier: row.number("multiplier"), defense: row.number("defense"),
      evasion: row.number("evasion"), speed: row.number("speed"))
  }

  /// The quest of a row of the worked examples.
  static func quest(_ row: [String: String]) throws -> Quest {
    try Quest(
      seed: UInt64(row.number("seed")), number: UInt64(row.number("quest")),
      fighter: fighter(hero(row)), enemies: table,
      settings: QuestSettings(foes: row.number("foes"), goal: Int(row.cell("goal"))))
  }

  /// Events in the manner of the worked examples.
  static func lines(_ events: QuestEvents, _ hero: PlainQuest.Hero) -> [PlainQuest.Line] {
    var lines: [PlainQuest.Line] = []
    var tick = 0
    var hitPoints = hero.hp
    var foes = [Int](repeating: 0, count: 5)
    var numbers = [Int](repeating: 0, count: 5)
    var before: QuestEvent?
    for event in events.events {
      defer { before = event }
      tick += Int(event.ticks)
      let (one, two) = event.numbers(after: before)
      let first = Int(one)
      let second = Int(two)
      func add(_ name: String, _ a: String, _ b: Int, _ last: Int) {
        lines.append(
          PlainQuest.Line(tick: tick, slot: event.actor, event: name, a: a, b: b, last: last))
      }
      switch event.kind {
      case .appears:
        let mon = PlainQuest.mons[first]
        foes[event.actor] = 2 * mon.hp * second / 100 + second + 10
        numbers[event.actor] = mon.number
        add("appears", mon.slug, second, foes[event.actor])
      case .hits:
        if event.target == 0 { hitPoints = second } else { foes[event.target] = second }
        add("hits", "\(event.target)", first, second)
      case .evaded:
        add("evaded", "\(event.target)", 0, event.target == 0 ? hitPoints : foes[event.target])
      case .waits: add("waits", "0", 0, hitPoints)
      case .falls where event.actor > 0: add("falls", "\(numbers[event.actor])", first, second)
      case .levelUp:
        hitPoints += first
        add("level", "\(second)", first, hitPoints)
      case .falls, .wide, .ends: break
      }
    }
    return lines
  }
}

@Suite struct `Quests` {
  private typealias Data = QuestTestData

  @Test func `end as the worked examples do`() throws {
    let rows = PokedexTable.quests.records
    #expect(rows.count == 120)
    for row in rows {
      let result = try Data.quest(row).run()
      #expect("\(result.outcome)".uppercased() == row.cell("outcome"))
      #expect(Int(result.tick) == row.number("tick"))
      #expect(Int(result.events) == row.number("events"))
      #expect(result.kills == row.number("kills"))
      #expect(result.level == row.number("end_level"))
      #expect(result.hitPoints == row.number("end_hp"))
      #expect(result.totalHitPoints == row.number("total_hp"))
      #expect(result.experience == row.number("xp"))
      #expect(Int(result.dealt) == row.number("dealt"))
      #expect(Int(result.taken) == row.number("taken"))
    }
  }

  @Test func `go on event by event as the worked examples do`() throws {
    let expected = PokedexTable.questEvents.records
    #expect(expected.count > 1_000)
    for (index, row) in PokedexTable.quests.records.prefix(6).enumerated() {
      var events = QuestEvents()
      let quest = try Data.quest(row)
      let result = quest.run(into: &events)
      #expect(result == quest.run())
      let lines = Data.lines(events, Data.hero(row))
      let wanted = expected.filter { $0.number("quest_row") == index + 1 }
      #expect(wanted.count == min(400, lines.count))
      for (line, row) in zip(lines, wanted) {
        #expect(
          line
            == PlainQuest.Line(
              tick: row.number("tick"), slot: row.number("slot"), event: row.cell("event"),
              a: row.cell("a"), b: row.number("b"), last: row.number("hp_after")))
      }
    }
  }

  @Test func `agree with the plain rules, whoever goes and whatever is chosen`() throws {
    var random = QuestRandom(seed: 2026, adventurer: 0, quest: 0)
    let professions = ["Knight", "WIZARD", "ranger", "Rogue", "Cleric", "Monk", "Druid", "Baker"]
    var outcomes: Set<String> = []
    #if DEBUG
      let count = Data.isLong ? 10_000 : 1_000
    #else
      let count = 10_000
    #endif
    for number in 0..<count {
      let total = random.draw(1...300)
      let hero = PlainQuest.Hero(
        id: random.next() >> 16, profession: professions[random.draw(0...7)],
        level: random.draw(0...9) == 0 ? random.draw(1...200) : random.draw(1...12),
        hp: random.draw(1...total), total: total, multiplier: random.draw(1...1_000),
        defense: random.draw(1...200), evasion: random.draw(0...128), speed: random.draw(0...200))
      let first = random.draw(0...1_000)
      let kinds = first...min(1_024, first + random.draw(0...40))
      let goal = random.draw(0...1) == 0 ? nil : random.draw(1...20)
      let foes = random.draw(1...4)
      let limit = random.draw(1_000...400_000)
      let seed = random.next()
      var plain = PlainQuest(
        seed: seed, quest: UInt64(number), hero: hero, mons: Array(PlainQuest.mons[kinds]),
        foes: foes, goal: goal, limit: limit)
      plain.run()
      let quest = try Quest(
        seed: seed, number: UInt64(number), fighter: Data.fighter(hero),
        enemies: try EnemyTable(Array(Data.plainSpecies[kinds])),
        settings: QuestSettings(foes: foes, goal: goal, limit: Int64(limit)))
      let result = quest.run()
      outcomes.insert(plain.outcome)
      let same =
        "\(result.outcome)".uppercased() == plain.outcome && Int(result.tick) == plain.tick
        && Int(result.events) == plain.events && result.kills == plain.kills
        && result.level == plain.hero.level && result.hitPoints == plain.hero.hp
        && result.totalHitPoints == plain.hero.total && result.experience == plain.experience
        && Int(result.dealt) == plain.dealt && Int(result.taken) == plain.taken
      if !same { Issue.record("\(hero), seed \(seed), quest \(number): \(result)") }
    }
    #expect(outcomes == ["WIN", "FALL", "TIMEOUT"])
  }

  @Test func `can be walked through to the same end`() throws {
    for row in PokedexTable.quests.records.prefix(20) {
      let quest = try Data.quest(row)
      var events = QuestEvents()
      let result = quest.run(into: &events)
      var walk = quest.walk()
      var last: Int64 = 0
      while let next = walk.nextTick {
        #expect(next >= last)
        last = next
        walk.step()
      }
      #expect(walk.state.result == result)
      #expect(walk.state.outcome == result.outcome)
      #expect(walk.events == events)
    }
  }
}
