internal import PageStore

/// Tells what happens on a quest, in words.
///
/// Nothing that an event says is believed: what makes no sense is told as it is, and never traps.
public struct QuestNarrator: Sendable {
  private let table: EnemyTable
  private let name: String
  private var before: QuestEvent?
  private var foes = [Foe](repeating: Foe(), count: 8)
  /// The tick of the last event.
  public private(set) var tick: Int64 = 0
  /// The adventurer's hit points after the last event.
  public private(set) var hitPoints: Int64

  private struct Foe {
    var name = "somebody"
    var hitPoints: Int64 = 0
  }

  /// One line of the log.
  public struct Line: Hashable, Sendable {
    /// When.
    public var tick: Int64
    /// What kind of event it is.
    public var kind: QuestEvent.Kind
    /// The slot of the one that acts.
    public var actor: Int
    /// What happened.
    public var text: String
  }

  /// Begins a quest of `fighter`.
  public init(_ fighter: Fighter, _ table: EnemyTable) {
    self.table = table
    name = fighter.name
    hitPoints = Int64(fighter.currentHitPoints)
  }

  /// What the next event is in words; nil for one that only carries upper bits.
  public mutating func line(_ event: QuestEvent) -> Line? {
    let (first, second) = event.numbers(after: before)
    before = event
    if event.kind == .wide { return nil }
    tick &+= event.ticks
    return Line(
      tick: tick, kind: event.kind, actor: event.actor, text: text(event, first, second))
  }

  private func name(_ slot: Int) -> String { slot == 0 ? name : foes[slot].name }

  private mutating func text(_ event: QuestEvent, _ first: Int64, _ second: Int64) -> String {
    let actor = event.actor
    switch event.kind {
    case .appears:
      guard table.species.indices.contains(Int(first)) else { return "nobody known appears" }
      let species = table.species[Int(first)]
      let level = min(second, Int64(QuestRules.levels.upperBound))
      foes[actor] = Foe(
        name: species.name + (actor == 0 ? "" : " \(actor)"),
        hitPoints: QuestRules.hitPoints(Int64(species.hp), level: level))
      return "\(name(actor)) appears, level \(level), \(foes[actor].hitPoints.counted("hit point"))"
    case .hits:
      if event.target == 0 { hitPoints = second } else { foes[event.target].hitPoints = second }
      return "\(name(actor)) hits \(name(event.target)) for \(first), \(second) left"
    case .evaded: return "\(name(event.target)) evades \(name(actor))"
    case .waits: return "\(name(actor)) waits"
    case .falls:
      if actor == 0 { return "\(name) falls, after \(first.counted("kill"))" }
      return "\(name(actor)) falls: kill \(first), \(second) experience"
    case .levelUp:
      hitPoints &+= first
      return
        "\(name) reaches level \(second): \(first.counted("more hit point")), \(hitPoints) left"
    case .ends:
      let outcome = UInt8(exactly: first).flatMap { QuestOutcome(rawValue: $0) }
      return "the quest ends: \(outcome.map { Self.text($0) } ?? "nobody knows how")"
    case .wide: return ""
    }
  }

  private static func text(_ outcome: QuestOutcome) -> String {
    switch outcome {
    case .win: "a win"
    case .fall: "a fall"
    case .timeout: "the time is over"
    }
  }
}
