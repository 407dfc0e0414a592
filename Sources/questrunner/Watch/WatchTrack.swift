import Entities

/// The quest of one adventurer as it is watched: how far it is, and what was said of it.
struct WatchTrack: Sendable {
  let quest: Quest
  private(set) var walk: QuestWalk
  /// What happened, the newest last.
  private(set) var lines: [QuestNarrator.Line] = []
  /// How many lines there were, with those that were dropped.
  private(set) var lineCount = 0
  /// What happened last to the fighter in each slot.
  private(set) var marks = [Mark?](repeating: nil, count: 1 + QuestRules.foeCounts.upperBound)
  private var narrator: QuestNarrator
  private var before: QuestEvent?

  /// What is shown beside a fighter for a while.
  struct Mark: Equatable, Sendable {
    var kind: QuestEvent.Kind
    /// The damage, or the level.
    var number: Int64
    var tick: Int64
  }

  /// So many lines are kept to look back at.
  static let mostLines = 5_000

  init(_ quest: Quest) {
    self.quest = quest
    walk = quest.walk()
    narrator = QuestNarrator(quest.fighter, quest.enemies)
    take()
  }

  var isOver: Bool { walk.nextTick == nil }
  var result: QuestResult { walk.state.result }
  var outcome: QuestOutcome? { walk.state.outcome }

  /// Lets everything happen that belongs to ticks up to this one.
  mutating func advance(to tick: Int64) {
    while let next = walk.nextTick, next <= tick {
      walk.step()
      take()
    }
  }

  /// Lets all that is left happen.
  mutating func finish() { advance(to: .max) }

  private mutating func take() {
    for event in walk.events.events {
      let numbers = event.numbers(after: before)
      before = event
      guard let line = narrator.line(event) else { continue }
      if lines.count >= 2 * Self.mostLines { lines.removeFirst(Self.mostLines) }
      lines.append(line)
      lineCount += 1
      let slot =
        switch event.kind {
        case .hits, .evaded: event.target
        default: event.actor
        }
      guard marks.indices.contains(slot), event.kind != .ends else { continue }
      let number = event.kind == .levelUp ? numbers.second : numbers.first
      marks[slot] = Mark(kind: event.kind, number: number, tick: line.tick)
    }
    walk.events.forget()
  }
}
