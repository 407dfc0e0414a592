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
  /// Goes through a whole quest at once, and keeps only how it ends.
  static func run(
    _ fighter: borrowing Fighter, _ draws: QuestDraws, _ settings: QuestSettings,
    _ arena: borrowing QuestArena
  ) -> QuestResult {
    var silence = QuestSilence()
    return run(fighter, draws, settings, arena, &silence)
  }

  /// Goes through a whole quest at once, and appends everything that happens to `events`.
  static func run(
    _ fighter: borrowing Fighter, _ draws: QuestDraws, _ settings: QuestSettings,
    _ arena: borrowing QuestArena, into events: inout QuestEvents
  ) -> QuestResult {
    var stage = QuestStage(taking: &events)
    defer { stage.give(to: &events) }
    return run(fighter, draws, settings, arena, &stage)
  }

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
