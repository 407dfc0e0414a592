/// How a quest ended.
public enum QuestOutcome: UInt8, CaseIterable, Hashable, Sendable {
  /// As many enemies fell as were to.
  case win = 0
  /// The adventurer has no hit points left.
  case fall = 1
  /// Nothing more happened up to the limit.
  case timeout = 2
}

/// All that is kept of a quest.
public struct QuestResult: Hashable, Sendable {
  /// How it ended.
  public var outcome: QuestOutcome
  /// When: the tick of the last event, or the limit.
  public var tick: Int64
  /// How many times somebody acted.
  public var events: Int64
  /// How many enemies fell.
  public var kills: Int
  /// The adventurer's level at the end.
  public var level: Int
  /// The adventurer's hit points at the end.
  public var hitPoints: Int
  /// The hit points that the adventurer has when rested, at the end.
  public var totalHitPoints: Int
  /// The experience that was won.
  public var experience: Int
  /// The damage that the adventurer did, with what went beyond the last hit point.
  public var dealt: Int64
  /// The damage that the adventurer took, with what went beyond the last hit point.
  public var taken: Int64

  /// A number that stands for the whole result, to compare runs by.
  public var digest: UInt64 {
    var digest = SplitMix.mix(UInt64(outcome.rawValue) &+ SplitMix.step)
    for value in [
      tick, events, Int64(kills), Int64(level), Int64(hitPoints), Int64(totalHitPoints),
      Int64(experience), dealt, taken,
    ] {
      digest = SplitMix.mix((digest ^ UInt64(bitPattern: value)) &+ SplitMix.step)
    }
    return digest
  }
}
