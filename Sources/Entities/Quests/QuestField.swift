/// Those who fight, and what only a fall, a level-up or an appearance changes.
struct QuestField: Sendable {
  private let stream: UInt64
  private var appeared: UInt64 = 0

  private(set) var level: Int64
  var hitPoints: Int64
  private(set) var total: Int64
  private var attack: Int64 = 0
  private var defense: Int64 = 0
  private(set) var experience: Int64 = 0
  private(set) var kills: Int64 = 0
  private var defeats: Int64 = 0
  /// The tick of the last event.
  var tick: Int64 = 0
  var foes = InlineArray<4, QuestFoe>(repeating: QuestFoe())
  /// When each acts next, by its slot.
  var turns = InlineArray<4, Int64>(repeating: .max)
  private(set) var outcome: QuestOutcome?

  private let startLevel: Int64
  private let multiplier: Int64
  private let baseDefense: Int64
  let foeCount: Int
  let order: QuestOrder
  private let goal: Int64

  init(_ fighter: borrowing Fighter, _ settings: QuestSettings, stream: UInt64) {
    self.stream = stream
    level = Int64(fighter.level)
    startLevel = level
    hitPoints = Int64(fighter.currentHitPoints)
    total = Int64(fighter.totalHitPoints)
    multiplier = Int64(fighter.multiplier)
    baseDefense = Int64(fighter.defense)
    foeCount = settings.foes
    order = QuestOrder(foeCount: foeCount)
    goal = settings.goal.map { Int64($0) } ?? .max
    setStats()
  }

  /// The turn of the enemy that acts next.
  @inline(__always)
  func nextTurn(of foeCount: Int) -> Int64 {
    var turn = turns[0]
    for place in 1..<foeCount { turn = min(turn, turns[place]) }
    return turn
  }

  /// Nothing more happens up to the limit.
  @inline(never)
  mutating func timeOut<Sink: QuestSink>(_ limit: Int64, _ sink: inout Sink) {
    tick = limit
    end(.timeout, &sink)
  }

  mutating func end<Sink: QuestSink>(_ how: QuestOutcome, _ sink: inout Sink) {
    outcome = how
    sink.take(.ends, tick: tick, actor: 0, target: 0, Int64(how.rawValue), 0)
  }

  /// The adventurer falls.
  @inline(never)
  mutating func fall<Sink: QuestSink>(_ sink: inout Sink) {
    sink.take(.falls, tick: tick, actor: 0, target: 0, kills, experience)
    end(.fall, &sink)
  }

  /// Lets the enemy in a slot fall.
  @inline(never)
  mutating func defeat<Sink: QuestSink>(
    _ slot: Int, _ arena: borrowing QuestArena, _ sink: inout Sink
  ) {
    kills &+= 1
    defeats &+= 1
    experience &+= QuestRules.experience(
      base: Int64(arena.kinds[Int(foes[slot].place)].baseExperience), level: foes[slot].level)
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
  }

  /// Lets a new enemy appear in a slot.
  mutating func appear<Sink: QuestSink>(
    _ slot: Int, _ arena: borrowing QuestArena, _ sink: inout Sink
  ) {
    appeared &+= 1
    let draw = SplitMix.mix(stream &+ (appeared &* SplitMix.step))
    let place = Int(((draw >> 32) &* UInt64(arena.kinds.count)) >> 32)
    let drawn = startLevel &+ kills >> 2 &+ Int64(((draw & 0xFFFF) &* 3) >> 16) &- 1
    let level = min(Int64(QuestRules.levels.upperBound), max(1, drawn))
    let kind = arena.kinds[place]
    let interval = Int64(kind.interval)
    turns[slot] = order.turn(at: tick &+ interval, slot: slot &+ 1)
    foes[slot] = QuestFoe(
      pause: order.pause(interval),
      hitPoints: QuestRules.hitPoints(Int64(kind.hp), level: level), place: Int64(place),
      level: level, evasion: UInt64(kind.evasion))
    setBases(slot, arena)
    sink.take(.appears, tick: tick, actor: slot &+ 1, target: 0, Int64(place), level)
  }

  private mutating func setStats() {
    attack = QuestRules.stat(QuestRules.adventurerAttack, level: level)
    defense = QuestRules.stat(baseDefense, level: level)
  }

  private mutating func setBases(_ slot: Int, _ arena: borrowing QuestArena) {
    let kind = arena.kinds[Int(foes[slot].place)]
    let foeLevel = foes[slot].level
    foes[slot].dealt = QuestRules.typed(
      QuestRules.untyped(
        level: level, attack: attack, multiplier: multiplier,
        defense: QuestRules.stat(Int64(kind.defense), level: foeLevel)),
      kind.effects)
    let taken = QuestRules.untyped(
      level: foeLevel, attack: QuestRules.stat(Int64(kind.attack), level: foeLevel),
      multiplier: Int64(kind.multiplier), defense: defense)
    foes[slot].taken = Int64(bitPattern: max(1, taken))
  }
}
