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
