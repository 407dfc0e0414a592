/// One event of a quest in eight bytes.
///
/// From the lowest bit: 12 bits for the ticks since the event before, 3 each for the kind, the actor
/// and the target, 21 for a first number and 22 for a second one. What does not fit stands in an
/// event of its own before it, with the upper bits.
public struct QuestEvent: RawRepresentable, Hashable, Sendable {
  /// What happened.
  public enum Kind: UInt8, CaseIterable, Sendable {
    /// An enemy appears: the place in the table of enemies, and its level.
    case appears = 0
    /// An attack hits: the damage, and the hit points of the target afterwards.
    case hits = 1
    /// An attack misses.
    case evaded = 2
    /// An enemy lets its turn pass.
    case waits = 3
    /// The actor has no hit points left: the number of kills, and the experience.
    case falls = 4
    /// The adventurer wins a level: how many hit points it gives, and the new level.
    case levelUp = 5
    /// The upper bits of the numbers of the next event.
    case wide = 6
    /// The quest ends: the number of the outcome.
    case ends = 7
  }

  /// The bits.
  public let rawValue: UInt64

  /// The event of these bits; any are one.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  private static let firstBits: UInt64 = 21
  private static let secondBits: UInt64 = 22

  /// An event with the lower bits of its numbers.
  @inline(__always) init(
    _ kind: Kind, ticks: Int64, actor: Int, target: Int, _ first: Int64, _ second: Int64
  ) {
    let low = UInt64(truncatingIfNeeded: ticks) & 0xFFF
    let who = UInt64(truncatingIfNeeded: actor & 7) << 15
    let whom = UInt64(truncatingIfNeeded: target & 7) << 18
    let one = (UInt64(bitPattern: first) & ((1 << Self.firstBits) - 1)) << 21
    let two = (UInt64(bitPattern: second) & ((1 << Self.secondBits) - 1)) << 42
    rawValue = low | (UInt64(kind.rawValue) << 12) | who | whom | one | two
  }

  /// True where numbers need an event of their own for their upper bits.
  @inline(__always) static func isWide(_ first: Int64, _ second: Int64) -> Bool {
    (UInt64(bitPattern: first) >> firstBits) | (UInt64(bitPattern: second) >> secondBits) != 0
  }

  /// The event with the upper bits of two numbers.
  static func wide(_ first: Int64, _ second: Int64) -> QuestEvent {
    QuestEvent(
      .wide, ticks: 0, actor: 0, target: 0, first >> Int64(firstBits), second >> Int64(secondBits))
  }

  /// The ticks since the event before.
  public var ticks: Int64 { Int64(rawValue & 0xFFF) }
  /// What happened.
  public var kind: Kind { Kind(rawValue: UInt8((rawValue >> 12) & 7)) ?? .ends }
  /// The slot of the one that acts: 0 is the adventurer.
  public var actor: Int { Int((rawValue >> 15) & 7) }
  /// The slot of the one that is acted on.
  public var target: Int { Int((rawValue >> 18) & 7) }
  /// The lower bits of the first number.
  public var first: Int64 { Int64((rawValue >> 21) & ((1 << Self.firstBits) - 1)) }
  /// The lower bits of the second number.
  public var second: Int64 { Int64(rawValue >> 42) }

  /// The whole numbers, with the event before this one where that has the upper bits.
  public func numbers(after before: QuestEvent?) -> (first: Int64, second: Int64) {
    guard let before, before.kind == .wide else { return (first, second) }
    return (
      first | (before.first << Int64(Self.firstBits)),
      second | (before.second << Int64(Self.secondBits))
    )
  }
}

/// Where the events of a quest go.
///
/// The loop is generic over it, so that one without a log costs nothing.
protocol QuestSink {
  /// Takes the next event.
  mutating func take(
    _ kind: QuestEvent.Kind, tick: Int64, actor: Int, target: Int, _ first: Int64, _ second: Int64)
}

/// Keeps nothing.
struct QuestSilence: QuestSink {
  @inline(__always) mutating func take(
    _ kind: QuestEvent.Kind, tick: Int64, actor: Int, target: Int, _ first: Int64, _ second: Int64
  ) {}
}

/// The events of a quest in order.
public struct QuestEvents: Hashable, Sendable {
  /// The events, those with upper bits among them.
  public private(set) var events: [QuestEvent] = []
  /// The tick of the last event.
  private(set) var last: Int64 = 0

  /// None yet.
  public init() {}

  /// Forgets the events so far; those that follow go on from their last tick.
  public mutating func forget() { events.removeAll(keepingCapacity: true) }

  /// Appends events, of which the last is at that tick.
  mutating func append(_ more: some Collection<QuestEvent>, last: Int64) {
    events.append(contentsOf: more)
    self.last = last
  }

  /// Begins anew, with the room that there is.
  public mutating func removeAll() {
    events.removeAll(keepingCapacity: true)
    last = 0
  }
}

extension QuestEvents: QuestSink {
  @inline(__always) mutating func take(
    _ kind: QuestEvent.Kind, tick: Int64, actor: Int, target: Int, _ first: Int64, _ second: Int64
  ) {
    if QuestEvent.isWide(first, second) { events.append(.wide(first, second)) }
    events.append(
      QuestEvent(kind, ticks: tick &- last, actor: actor, target: target, first, second))
    last = tick
  }
}
