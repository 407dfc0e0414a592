/// A quest that goes on.
///
/// What every event touches stands apart from what only a fall, a level-up or an appearance changes:
/// the first is kept in registers, the second is handed to functions that are seldom called and stay
/// out of line.
struct QuestLoop: Sendable {
  private var pace: QuestPace
  private var field: QuestField

  init(_ fighter: Fighter, _ draws: QuestDraws, _ settings: QuestSettings) {
    let random = draws.random
    field = QuestField(fighter, settings, stream: random.enemyStream)
    pace = QuestPace(random, fighter, settings)
  }

  var outcome: QuestOutcome? { field.outcome }
  var foes: InlineArray<4, QuestFoe> { field.foes }

  /// The tick of the next event.
  var nextTick: Int64 { min(field.order.tick(of: nextTurn), pace.limit) }

  /// Who acts next: the slot, 0 for the adventurer.
  var nextActor: Int {
    let turn = nextTurn
    return turn == pace.turn ? 0 : field.order.slot(of: turn)
  }

  private var nextTurn: Int64 { min(pace.turn, field.nextTurn(of: field.foeCount)) }

  /// When the fighter in a slot acts next, and how many ticks there are between its actions.
  func timer(_ slot: Int) -> (next: Int64, interval: Int64) {
    let order = field.order
    return slot == 0
      ? (order.tick(of: pace.turn), order.tick(of: pace.pause))
      : (order.tick(of: field.turns[slot &- 1]), order.tick(of: field.foes[slot &- 1].pause))
  }

  var result: QuestResult { Self.result(pace, field) }

  private static func result(_ pace: QuestPace, _ field: borrowing QuestField) -> QuestResult {
    QuestResult(
      outcome: field.outcome ?? .timeout, tick: field.tick, events: pace.events,
      kills: Int(field.kills), level: Int(field.level), hitPoints: Int(field.hitPoints),
      totalHitPoints: Int(field.total), experience: Int(field.experience), dealt: pace.dealt,
      taken: pace.taken)
  }

  /// Lets the first enemies appear.
  mutating func begin<Sink: QuestSink>(_ arena: borrowing QuestArena, _ sink: inout Sink) {
    for slot in 0..<field.foeCount { field.appear(slot, arena, &sink) }
  }

  /// Lets the next event happen.
  mutating func step<Sink: QuestSink>(_ arena: borrowing QuestArena, _ sink: inout Sink) {
    pace.go(&field, of: field.foeCount, once: true, arena, &sink)
  }
}

extension QuestLoop {
  /// Goes through a whole quest at once.
  static func run<Sink: QuestSink>(
    _ fighter: borrowing Fighter, _ draws: QuestDraws, _ settings: QuestSettings,
    _ arena: borrowing QuestArena, _ sink: inout Sink
  ) -> QuestResult {
    switch settings.foes {
    case 1: run(OneFoe.self, fighter, draws, settings, arena, &sink)
    case 2: run(TwoFoes.self, fighter, draws, settings, arena, &sink)
    case 3: run(ThreeFoes.self, fighter, draws, settings, arena, &sink)
    default: run(FourFoes.self, fighter, draws, settings, arena, &sink)
    }
  }

  /// Makes its state where it stays: a quest may be so short that copying would be a part of it.
  private static func run<Foes: FoeCount, Sink: QuestSink>(
    _: Foes.Type, _ fighter: borrowing Fighter, _ draws: QuestDraws, _ settings: QuestSettings,
    _ arena: borrowing QuestArena, _ sink: inout Sink
  ) -> QuestResult {
    let random = draws.random
    var field = QuestField(fighter, settings, stream: random.enemyStream)
    for slot in 0..<Foes.count { field.appear(slot, arena, &sink) }
    var pace = QuestPace(random, fighter, settings)
    pace.go(&field, of: Foes.count, once: false, arena, &sink)
    return result(pace, field)
  }
}

/// What decides all draws of a quest.
struct QuestDraws: Sendable {
  var seed: UInt64
  /// The number of an adventurer, which need not be the one who goes.
  var id: UInt64
  var number: UInt64

  var random: QuestRandom { QuestRandom(seed: seed, adventurer: id, quest: number) }
}

/// How many enemies there are, so that the loop is compiled once for each number.
private protocol FoeCount {
  static var count: Int { get }
}

private enum OneFoe: FoeCount { static var count: Int { 1 } }
private enum TwoFoes: FoeCount { static var count: Int { 2 } }
private enum ThreeFoes: FoeCount { static var count: Int { 3 } }
private enum FourFoes: FoeCount { static var count: Int { 4 } }

/// In which order fighters act: turns are numbers, of which the least is next.
///
/// A turn is a tick, and with several enemies the slot in its lowest bits, so that one comparison
/// finds who is next and when.
struct QuestOrder: Sendable {
  private let shift: Int64

  @inline(__always) init(foeCount: Int) { shift = foeCount == 1 ? 0 : 3 }

  @inline(__always) func tick(of turn: Int64) -> Int64 { turn >> shift }

  /// The slot of an enemy whose turn this is.
  @inline(__always) func slot(of turn: Int64) -> Int {
    shift == 0 ? 1 : Int(truncatingIfNeeded: turn & 7)
  }

  /// So many ticks, as the distance of two turns of one fighter.
  @inline(__always) func pause(_ ticks: Int64) -> Int64 { ticks << shift }

  /// The turn at a tick of the enemy in a slot from 1 on.
  @inline(__always) func turn(at tick: Int64, slot: Int) -> Int64 {
    shift == 0 ? tick : (tick << shift) | Int64(slot)
  }
}

/// What every event of a quest changes.
struct QuestPace: Sendable {
  private var random: QuestRandom
  private(set) var events: Int64 = 0
  private(set) var dealt: Int64 = 0
  private(set) var taken: Int64 = 0
  /// The slot of the enemy that the adventurer attacks, from 0.
  private var target = 0
  /// The adventurer's next turn.
  private(set) var turn: Int64
  /// The distance of the adventurer's turns.
  let pause: Int64
  let limit: Int64
  private let evasion: UInt64

  init(_ random: QuestRandom, _ fighter: borrowing Fighter, _ settings: QuestSettings) {
    self.random = random
    pause = QuestOrder(foeCount: settings.foes).pause(
      QuestRules.interval(speed: Int64(fighter.speed)))
    turn = pause
    limit = settings.limit
    evasion = UInt64(fighter.evasion) * 256
  }

  /// The step of the last factor that a draw decides.
  @inline(__always) private static func factor(_ draw: UInt64) -> Int64 {
    Int64(truncatingIfNeeded: (((draw >> 16) & 0xFFFF) &* QuestRules.factorCount) >> 16)
  }

  /// Lets everything happen up to the end, or one event only.
  ///
  /// It is one function, and long, since what it keeps in registers must not cross calls.
  @inline(__always)
  mutating func go<Sink: QuestSink>(
    _ field: inout QuestField, of foeCount: Int, once: Bool, _ arena: borrowing QuestArena,
    _ sink: inout Sink
  ) {
    let order = QuestOrder(foeCount: foeCount)
    repeat {
      let foeTurn = field.nextTurn(of: foeCount)
      // Where they are at once, the adventurer is first.
      if turn <= foeTurn {
        let now = order.tick(of: turn)
        if now > limit { return field.timeOut(limit, &sink) }
        field.tick = now
        events &+= 1
        let draw = random.next()
        turn &+= pause
        // The mask changes nothing, and shows that the slot is one of the four.
        let slot = foeCount == 1 ? 0 : target & 3
        if (draw >> 48) < field.foes[slot].evasion {
          sink.take(.evaded, tick: now, actor: 0, target: slot &+ 1, 0, 0)
          continue
        }
        let damage = QuestRules.damage(base: field.foes[slot].dealt, step: Self.factor(draw))
        dealt &+= damage
        let left = field.foes[slot].hitPoints &- damage
        field.foes[slot].hitPoints = left
        sink.take(.hits, tick: now, actor: 0, target: slot &+ 1, damage, max(0, left))
        if left <= 0 {
          field.defeat(slot, arena, &sink)
          if field.outcome != nil { return }
          target = slot &+ 1 == foeCount ? 0 : slot &+ 1
        }
      } else {
        let now = order.tick(of: foeTurn)
        if now > limit { return field.timeOut(limit, &sink) }
        field.tick = now
        events &+= 1
        let draw = random.next()
        let slot = order.slot(of: foeTurn)
        let place = (slot &- 1) & 3
        field.turns[place] &+= field.foes[place].pause
        if (draw >> 32) & 0xFFFF < QuestRules.waiting {
          sink.take(.waits, tick: now, actor: slot, target: 0, 0, 0)
          continue
        }
        if (draw >> 48) < evasion {
          sink.take(.evaded, tick: now, actor: slot, target: 0, 0, 0)
          continue
        }
        let damage = QuestRules.damage(base: field.foes[place].taken, step: Self.factor(draw))
        taken &+= damage
        let left = max(0, field.hitPoints &- damage)
        field.hitPoints = left
        sink.take(.hits, tick: now, actor: slot, target: 0, damage, left)
        if left == 0 { return field.fall(&sink) }
      }
    } while !once
  }
}
