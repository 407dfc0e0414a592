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
