/// The rules once more, as slowly and as plainly as the page has them, apart from the library.
struct PlainQuest {
  struct Mon {
    var slug = ""
    var number = 0
    var hp = 0
    var attack = 0
    var specialAttack = 0
    var defense = 0
    var specialDefense = 0
    var speed = 0
    var types: [String] = []
    var experience = 0
  }

  struct Hero {
    var id: UInt64 = 1
    var profession = ""
    var level = 1
    var hp = 1
    var total = 1
    var multiplier = 256
    var defense = 50
    var evasion = 0
    var speed = 50
  }

  struct Enemy {
    var mon: Mon
    var level: Int
    var hp: Int
    var next: Int
  }

  /// What happened: like a row of the worked examples.
  struct Line: Equatable {
    var tick: Int
    var slot: Int
    var event: String
    var a: String
    var b: Int
    var last: Int
  }

  static let professionTypes = [
    "knight": "steel", "wizard": "psychic", "ranger": "flying", "rogue": "dark",
    "cleric": "fairy", "monk": "fighting", "druid": "grass", "alchemist": "poison",
  ]

  /// All species, and what each type does to each.
  static let mons: [Mon] = PokedexTable.species.records.map { row in
    Mon(
      slug: row.cell("slug"), number: row.number("number"), hp: row.number("hp"),
      attack: row.number("attack"), specialAttack: row.number("special_attack"),
      defense: row.number("defense"), specialDefense: row.number("special_defense"),
      speed: row.number("speed"), types: row.list("types"),
      experience: Int(row.cell("base_experience")) ?? 0)
  }.sorted { $0.number < $1.number }

  static let chart: [String: Int] = Dictionary(
    uniqueKeysWithValues: PokedexTable.typechart.records.map {
      ($0.cell("attacking") + ">" + $0.cell("defending"), $0.number("factor"))
    })

  let seed: UInt64
  let quest: UInt64
  var hero: Hero
  let mons: [Mon]
  let foes: Int
  let goal: Int?
  let limit: Int

  var lines: [Line] = []
  var outcome = ""
  var tick = 0
  var events = 0
  var kills = 0
  var experience = 0
  var dealt = 0
  var taken = 0
  private var state: [UInt64] = []
  private var appeared: UInt64 = 0

  init(
    seed: UInt64, quest: UInt64, hero: Hero, mons: [Mon], foes: Int, goal: Int?, limit: Int
  ) {
    self.seed = seed
    self.quest = quest
    self.hero = hero
    self.mons = mons
    self.foes = foes
    self.goal = goal
    self.limit = limit
  }

  private static let gamma: UInt64 = 0x9E37_79B9_7F4A_7C15

  private static func mix(_ number: UInt64) -> UInt64 {
    let first = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
    let second = (first ^ (first >> 27)) &* 0x94D0_49BB_1331_11EB
    return second ^ (second >> 31)
  }

  private static func turn(_ number: UInt64, _ count: UInt64) -> UInt64 {
    (number << count) | (number >> (64 - count))
  }

  private mutating func draw() -> UInt64 {
    let result = Self.turn(state[0] &+ state[3], 23) &+ state[0]
    let shifted = state[1] << 17
    state[2] ^= state[0]
    state[3] ^= state[1]
    state[1] ^= state[2]
    state[0] ^= state[3]
    state[2] ^= shifted
    state[3] = Self.turn(state[3], 45)
    return result
  }

  private static func stat(_ base: Int, _ level: Int) -> Int { 2 * base * level / 100 + 5 }
  private static func interval(_ speed: Int) -> Int { max(1, 200_000 / (speed + 50)) }

  /// The damage with the step `r` of the last factor.
  static func damage(
    level: Int, attack: Int, defense: Int, multiplier: Int, type: String?, against: [String], r: Int
  ) -> Int {
    let plain = ((2 * level / 5 + 2) * 40 * attack / defense) / 50 + 2
    var base = plain * multiplier / 256
    for other in against {
      guard let type else { continue }
      let factor = chart[type + ">" + other] ?? 0
      base = base * (factor == 0 ? 25 : factor) / 100
    }
    base = max(1, base)
    return max(1, base * (205 + r) / 256)
  }

  private mutating func newEnemy(_ start: Int, _ w: UInt64) -> Enemy {
    appeared += 1
    let u = Self.mix((w ^ 0xD1B5_4A32_D192_ED03) &+ appeared &* Self.gamma)
    let mon = mons[Int(((u >> 32) * UInt64(mons.count)) >> 32)]
    let level = min(200, max(1, start + kills / 4 + Int(((u & 0xFFFF) * 3) >> 16) - 1))
    return Enemy(
      mon: mon, level: level, hp: 2 * mon.hp * level / 100 + level + 10,
      next: tick + Self.interval(mon.speed))
  }

  /// Goes through the quest to its end.
  mutating func run() {
    let x = Self.mix(seed &+ Self.gamma)
    let y = Self.mix(x ^ (hero.id &* Self.gamma &+ 1))
    let z = Self.mix(y ^ (quest &* Self.gamma &+ 2))
    let w = Self.mix(z &+ Self.gamma)
    state = [x, y, z, w]
    let start = hero.level
    var enemies: [Enemy] = []
    for slot in 1...foes {
      enemies.append(newEnemy(start, w))
      note(
        slot, "appears", enemies[slot - 1].mon.slug, enemies[slot - 1].level, enemies[slot - 1].hp)
    }
    var heroNext = Self.interval(hero.speed)
    var target = 1
    var defeats = 0
    while true {
      let all = [heroNext] + enemies.map(\.next)
      let soonest = all.min() ?? 0
      let actor = all.firstIndex(of: soonest) ?? 0
      if soonest > limit {
        outcome = "TIMEOUT"
        tick = limit
        return
      }
      tick = soonest
      events += 1
      let number = draw()
      let r = Int((((number >> 16) & 0xFFFF) * 52) >> 16)
      if actor > 0 {
        let enemy = enemies[actor - 1]
        enemies[actor - 1].next += Self.interval(enemy.mon.speed)
        if (number >> 32) & 0xFFFF < 16_384 {
          note(actor, "waits", "0", 0, hero.hp)
        } else if number >> 48 < 256 * UInt64(hero.evasion) {
          note(actor, "evaded", "0", 0, hero.hp)
        } else {
          let harm = Self.damage(
            level: enemy.level,
            attack: Self.stat(max(enemy.mon.attack, enemy.mon.specialAttack), enemy.level),
            defense: Self.stat(hero.defense, hero.level), multiplier: 80,
            type: enemy.mon.types[0], against: [], r: r)
          taken += harm
          hero.hp = max(0, hero.hp - harm)
          note(actor, "hits", "0", harm, hero.hp)
          if hero.hp == 0 {
            outcome = "FALL"
            return
          }
        }
        continue
      }
      heroNext += Self.interval(hero.speed)
      let enemy = enemies[target - 1]
      if number >> 48 < 256 * UInt64(enemy.mon.speed / 8) {
        note(0, "evaded", "\(target)", 0, enemy.hp)
        continue
      }
      let harm = Self.damage(
        level: hero.level, attack: Self.stat(75, hero.level),
        defense: Self.stat((enemy.mon.defense + enemy.mon.specialDefense) / 2, enemy.level),
        multiplier: hero.multiplier, type: Self.professionTypes[hero.profession.lowercased()],
        against: enemy.mon.types, r: r)
      dealt += harm
      enemies[target - 1].hp = max(0, enemy.hp - harm)
      note(0, "hits", "\(target)", harm, enemies[target - 1].hp)
      if enemies[target - 1].hp > 0 { continue }
      kills += 1
      experience += enemy.mon.experience * enemy.level / 7
      note(target, "falls", "\(enemy.mon.number)", kills, experience)
      if kills == goal {
        outcome = "WIN"
        return
      }
      defeats += 1
      if defeats == 2 + hero.level / 4, hero.level < 200 {
        defeats = 0
        hero.level += 1
        let gain = max(1, hero.total / 20)
        hero.total += gain
        hero.hp += gain
        note(0, "level", "\(hero.level)", gain, hero.hp)
      }
      enemies[target - 1] = newEnemy(start, w)
      let fresh = enemies[target - 1]
      note(target, "appears", fresh.mon.slug, fresh.level, fresh.hp)
      target = target % foes + 1
    }
  }

  private mutating func note(_ slot: Int, _ event: String, _ a: String, _ b: Int, _ last: Int) {
    lines.append(Line(tick: tick, slot: slot, event: event, a: a, b: b, last: last))
  }
}
