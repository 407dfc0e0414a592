import Entities
import Testing

@Suite struct `The rules of quests` {
  // ((2·5/5 + 2)·40·12/7)/50 + 2 = (4·40·12/7 = 274)/50 + 2 = 7; ·307/256 = 8; ·200/100 = 16.
  @Test func `give the damage that a hand computes`() {
    let base = QuestRules.damageBase(
      level: 5, attack: 12, multiplier: 307, defense: 7, effects: [200])
    #expect(base == 16)
    #expect(QuestRules.damage(base: base, step: 0) == 12)  // 16·205/256 = 12.8
    #expect(QuestRules.damage(base: base, step: 51) == 16)
    // 16·50/100 = 8, then ·25/100 = 2, then ·25/100 = 0, which counts as 1.
    let weak = [Int64(200), 50, 25, 25]
    #expect(
      QuestRules.damageBase(level: 5, attack: 12, multiplier: 307, defense: 7, effects: weak) == 1)
    #expect(QuestRules.damage(base: 1, step: 0) == 1)
    #expect(QuestRules.stat(75, level: 10) == 20)
    #expect(QuestRules.hitPoints(35, level: 3) == 15)
    #expect(QuestRules.interval(speed: 0) == 4_000)
    #expect(QuestRules.interval(speed: 54) == 1_923)
    #expect(QuestRules.interval(speed: 10_000) == 19)
    #expect(QuestRules.defeats(atLevel: 9) == 4)
    #expect(QuestRules.gain(totalHitPoints: 19) == 1)
    #expect(QuestRules.gain(totalHitPoints: 129) == 6)
    #expect(QuestRules.experience(base: 64, level: 3) == 27)
  }

  @Test func `let every pair of types work as the chart says, and none not at all`() throws {
    let chart = try TypeChart.bundled()
    var seen: Set<Int64> = []
    for attack in PokemonType.allCases {
      for type in PokemonType.allCases {
        let factor = try #require(PlainQuest.chart["\(attack)>\(type)"])
        let effect = QuestRules.effect(of: attack, on: type, in: chart)
        #expect(effect == Int64(factor == 0 ? 25 : factor))
        seen.insert(effect)
        for r in [0, 25, 51] {
          let plain = PlainQuest.damage(
            level: 20, attack: 60, defense: 30, multiplier: 256, type: "\(attack)",
            against: ["\(type)"], r: r)
          let base = QuestRules.damageBase(
            level: 20, attack: 60, multiplier: 256, defense: 30, effects: [effect])
          #expect(QuestRules.damage(base: base, step: Int64(r)) == Int64(plain))
        }
      }
    }
    #expect(seen == [25, 50, 100, 200])
  }

  /// Somebody who does one damage at most, against somebody who does as much as is wanted.
  private func end(hitPoints: Int, goal: Int? = nil, limit: Int64 = 1_000_000) throws -> QuestResult
  {
    let enemy = EnemySpecies(
      number: 1, name: "Wall", hp: 65_535, attack: 1, defense: 65_535, speed: 50, types: [.rock],
      multiplier: 1)
    let hero = PlainQuest.Hero(
      profession: "Baker", level: 1, hp: hitPoints, total: hitPoints, multiplier: 1,
      defense: 65_535, evasion: 0, speed: 0)
    return try Quest(
      seed: 3, number: 0, fighter: QuestTestData.fighter(hero), enemies: try EnemyTable([enemy]),
      settings: QuestSettings(goal: goal, limit: limit)
    ).run()
  }

  @Test func `let an adventurer fall at exactly 0`() throws {
    // Every hit takes 1, so that it falls with the hit that takes the last one, and not before.
    for hitPoints in 1...30 {
      let result = try end(hitPoints: hitPoints)
      #expect(result.outcome == .fall && result.hitPoints == 0)
      #expect(result.taken == Int64(hitPoints))
      // The enemy acts every 2000 ticks, and waits now and then.
      #expect(result.tick >= Int64(hitPoints) * 2_000 && result.tick % 2_000 == 0)
    }
  }

  @Test func `end a quest at the limit, without the event behind it`() throws {
    let fall = try end(hitPoints: 5)
    #expect(try end(hitPoints: 5, limit: fall.tick) == fall)
    let short = try end(hitPoints: 5, limit: fall.tick - 1)
    #expect(short.outcome == .timeout && short.hitPoints == 1 && short.tick == fall.tick - 1)
    #expect(short.events == fall.events - 1)
  }

  @Test func `count histograms exactly below 64, and within a thirty-second part above`() {
    var last = -1
    var values = Array(0...5_000).map(Int64.init)
    values += (0..<62).map { Int64(1) << Int64($0) }.filter { $0 > 5_000 } + [.max]
    for value in values {
      let bin = QuestHistogram.bin(of: value)
      let range = QuestHistogram.values(of: bin)
      #expect(range.contains(value))
      #expect(bin >= last)
      #expect(range.upperBound - range.lowerBound <= value / 32)
      last = bin
    }
  }

  // Newcombe, "Two-sided confidence intervals for the single proportion", table I, method 3.
  @Test func `give the intervals that are published`() {
    for (successes, count, low, high) in [
      (81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611),
      (1, 29, 0.0061, 0.1718),
    ] as [(UInt64, UInt64, Double, Double)] {
      let interval = QuestEstimate.interval(successes, of: count)
      #expect(abs(interval.low - low) < 0.000_06)
      #expect(abs(interval.high - high) < 0.000_06)
    }
  }
}
