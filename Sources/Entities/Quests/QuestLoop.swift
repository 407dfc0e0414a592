/// The loop that a quest is: everything that changes while it goes on.
///
/// The hot path is short and inlined; a fall, a level-up and an appearance are seldom, and out of
/// line. Bases of damage are computed only where an enemy appears or a level is won.
struct QuestLoop: Sendable {
  private var random: QuestRandom
  private let stream: UInt64
  private var appeared: UInt64 = 0

  private var level: Int64
  private var hitPoints: Int64
  private var total: Int64
  private var attack: Int64 = 0
  private var defense: Int64 = 0
  private var experience: Int64 = 0
  private var kills: Int64 = 0
  private var defeats: Int64 = 0
  private var dealt: Int64 = 0
  private var taken: Int64 = 0
  private var tick: Int64 = 0
  private var events: Int64 = 0
  private var target = 0
  /// When the adventurer acts next.
  private(set) var tick0: Int64
  private(set) var foes = InlineArray<4, QuestFoe>(repeating: QuestFoe())
  private(set) var outcome: QuestOutcome?

  let interval: Int64
  private let startLevel: Int64
  private let multiplier: Int64
  private let baseDefense: Int64
  private let evasion: UInt64
  private let foeCount: Int
  private let goal: Int64
  private let limit: Int64

  init(
    _ fighter: Fighter, seed: UInt64, drawnFor id: UInt64, number: UInt64, settings: QuestSettings
  ) {
    random = QuestRandom(seed: seed, adventurer: id, quest: number)
    stream = random.enemyStream
    level = Int64(fighter.level)
    startLevel = level
    hitPoints = Int64(fighter.currentHitPoints)
    total = Int64(fighter.totalHitPoints)
    multiplier = Int64(fighter.multiplier)
    baseDefense = Int64(fighter.defense)
    evasion = UInt64(fighter.evasion) * 256
    interval = QuestRules.interval(speed: Int64(fighter.speed))
    tick0 = interval
    foeCount = settings.foes
    goal = settings.goal.map { Int64($0) } ?? .max
    limit = settings.limit
    setStats()
  }

  var nextTick: Int64 { min(foes.indices.reduce(tick0) { min($0, foes[$1].tick) }, limit) }

  var nextActor: Int { next.slot }

  var result: QuestResult {
    QuestResult(
      outcome: outcome ?? .timeout, tick: tick, events: events, kills: Int(kills),
      level: Int(level), hitPoints: Int(hitPoints), totalHitPoints: Int(total),
      experience: Int(experience), dealt: dealt, taken: taken)
  }

  mutating func run<Sink: QuestSink>(_ arena: borrowing QuestArena, _ sink: inout Sink)
    -> QuestResult
  {
    begin(arena, &sink)
    while outcome == nil { step(arena, &sink) }
    return result
  }

  /// Lets the first enemies appear.
  mutating func begin<Sink: QuestSink>(_ arena: borrowing QuestArena, _ sink: inout Sink) {
    for slot in 0..<foeCount { appear(slot, arena, &sink) }
  }

  @inline(__always) private var next: (slot: Int, tick: Int64) {
    var slot = 0
    var tick = tick0
    for place in 0..<foeCount where foes[place].tick < tick {
      slot = place &+ 1
      tick = foes[place].tick
    }
    return (slot, tick)
  }

  /// Lets the next event happen.
  @inline(__always)
  mutating func step<Sink: QuestSink>(_ arena: borrowing QuestArena, _ sink: inout Sink) {
    let (slot, now) = next
    if now > limit {
      tick = limit
      return end(.timeout, &sink)
    }
    tick = now
    events &+= 1
    let draw = random.next()
    if slot == 0 {
      tick0 = now &+ interval
      attack(draw, arena, &sink)
    } else {
      foes[slot &- 1].tick = now &+ foes[slot &- 1].interval
      suffer(slot, draw, &sink)
    }
  }

  /// The step of the last factor that a draw decides.
  @inline(__always) private static func factor(_ draw: UInt64) -> Int64 {
    Int64(truncatingIfNeeded: (((draw >> 16) & 0xFFFF) &* QuestRules.factorCount) >> 16)
  }

  @inline(__always)
  private mutating func attack<Sink: QuestSink>(
    _ draw: UInt64, _ arena: borrowing QuestArena, _ sink: inout Sink
  ) {
    let slot = target
    if (draw >> 48) < foes[slot].evasion {
      sink.take(.evaded, tick: tick, actor: 0, target: slot &+ 1, 0, 0)
      return
    }
    let damage = QuestRules.damage(base: foes[slot].dealt, step: Self.factor(draw))
    dealt &+= damage
    let left = foes[slot].hitPoints &- damage
    foes[slot].hitPoints = left
    sink.take(.hits, tick: tick, actor: 0, target: slot &+ 1, damage, max(0, left))
    if left <= 0 { defeat(slot, arena, &sink) }
  }

  @inline(__always)
  private mutating func suffer<Sink: QuestSink>(_ slot: Int, _ draw: UInt64, _ sink: inout Sink) {
    if (draw >> 32) & 0xFFFF < QuestRules.waiting {
      sink.take(.waits, tick: tick, actor: slot, target: 0, 0, 0)
      return
    }
    if (draw >> 48) < evasion {
      sink.take(.evaded, tick: tick, actor: slot, target: 0, 0, 0)
      return
    }
    let damage = QuestRules.damage(base: foes[slot &- 1].taken, step: Self.factor(draw))
    taken &+= damage
    hitPoints = max(0, hitPoints &- damage)
    sink.take(.hits, tick: tick, actor: slot, target: 0, damage, hitPoints)
    if hitPoints == 0 {
      sink.take(.falls, tick: tick, actor: 0, target: 0, kills, experience)
      end(.fall, &sink)
    }
  }

  private mutating func end<Sink: QuestSink>(_ how: QuestOutcome, _ sink: inout Sink) {
    outcome = how
    sink.take(.ends, tick: tick, actor: 0, target: 0, Int64(how.rawValue), 0)
  }

  @inline(never)
  private mutating func defeat<Sink: QuestSink>(
    _ slot: Int, _ arena: borrowing QuestArena, _ sink: inout Sink
  ) {
    kills &+= 1
    defeats &+= 1
    let foe = foes[slot]
    experience &+= QuestRules.experience(
      base: arena.kinds[Int(foe.place)].baseExperience, level: foe.level)
    sink.take(.falls, tick: tick, actor: slot &+ 1, target: 0, kills, experience)
    if kills >= goal {
      foes[slot].hitPoints = 0
      return end(.win, &sink)
    }
    if defeats >= QuestRules.defeats(atLevel: level), level < Int64(QuestRules.levels.upperBound) {
      defeats = 0
      level &+= 1
      let gain = QuestRules.gain(totalHitPoints: total)
      total &+= gain
      hitPoints &+= gain
      setStats()
      for place in 0..<foeCount { setBases(place, arena) }
      sink.take(.levelUp, tick: tick, actor: 0, target: 0, gain, level)
    }
    appear(slot, arena, &sink)
    target = slot &+ 1 == foeCount ? 0 : slot &+ 1
  }

  @inline(never)
  private mutating func appear<Sink: QuestSink>(
    _ slot: Int, _ arena: borrowing QuestArena, _ sink: inout Sink
  ) {
    appeared &+= 1
    let draw = SplitMix.mix(stream &+ (appeared &* SplitMix.step))
    let place = Int(((draw >> 32) &* UInt64(arena.kinds.count)) >> 32)
    let kind = arena.kinds[place]
    let drawn = startLevel + kills / 4 + Int64(((draw & 0xFFFF) * 3) >> 16) - 1
    let level = min(Int64(QuestRules.levels.upperBound), max(1, drawn))
    foes[slot] = QuestFoe(
      tick: tick &+ kind.interval, interval: kind.interval,
      hitPoints: QuestRules.hitPoints(kind.hp, level: level), place: Int64(place), level: level,
      evasion: kind.evasion)
    setBases(slot, arena)
    sink.take(.appears, tick: tick, actor: slot &+ 1, target: 0, Int64(place), level)
  }

  private mutating func setStats() {
    attack = QuestRules.stat(QuestRules.adventurerAttack, level: level)
    defense = QuestRules.stat(baseDefense, level: level)
  }

  private mutating func setBases(_ slot: Int, _ arena: borrowing QuestArena) {
    let foe = foes[slot]
    let kind = arena.kinds[Int(foe.place)]
    foes[slot].dealt = QuestRules.damageBase(
      level: level, attack: attack, multiplier: multiplier,
      defense: QuestRules.stat(kind.defense, level: foe.level), effects: kind.effects)
    foes[slot].taken = max(
      1,
      QuestRules.untyped(
        level: foe.level, attack: QuestRules.stat(kind.attack, level: foe.level),
        multiplier: kind.multiplier, defense: defense))
  }
}
