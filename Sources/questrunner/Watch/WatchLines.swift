import CDexShim
import Entities
import PageStore
import Terminal

/// Quests as lines of text, each written when its time has come.
struct WatchLines {
  let context: CommandContext
  let quests: [Quest]
  /// In thousandths; nil writes everything at once.
  let speed: Int?

  /// A signal is seen after so long at the latest.
  private static let longestWait: Int64 = 100_000_000

  /// Writes what happens until the quests are over, a signal comes, or nobody reads any more.
  func run() {
    // A reader that goes is no reason to end before the result is kept.
    dex_ignore_broken_pipes()
    let start = ContinuousClock.now
    let clock = WatchClock(at: 0, speed: speed ?? WatchClock.usualSpeed)
    var tracks = quests.map { WatchTeller(quest: $0) }
    for place in tracks.indices { write(tracks[place].begin()) }
    while let place = Self.next(tracks), let tick = tracks[place].walk.nextTick {
      if speed != nil, let moment = clock.moment(of: tick), !wait(until: moment, since: start) {
        return
      }
      if dex_interrupt_seen() != 0 || !context.output.isOpen { return }
      write(tracks[place].step())
    }
  }

  /// Whose event is the next one; the first of several.
  private static func next(_ tracks: [WatchTeller]) -> Int? {
    tracks.indices.filter { tracks[$0].walk.nextTick != nil }
      .min { (tracks[$0].walk.nextTick ?? .max) < (tracks[$1].walk.nextTick ?? .max) }
  }

  /// False where a signal came first.
  private func wait(until moment: Int64, since start: ContinuousClock.Instant) -> Bool {
    while true {
      if dex_interrupt_seen() != 0 { return false }
      let time = (ContinuousClock.now - start).components
      let left = moment - time.seconds * 1_000_000_000 - time.attoseconds / 1_000_000_000
      if left <= 0 { return true }
      dex_sleep(UInt64(min(left, Self.longestWait)))
    }
  }

  private func write(_ lines: [String]) {
    for line in lines { context.line(line) }
    if speed != nil || context.outputIsTerminal { context.output.flush() }
  }
}

/// A quest that tells of each event.
private struct WatchTeller {
  var walk: QuestWalk
  private var narrator: QuestNarrator
  private let name: String

  init(quest: Quest) {
    walk = quest.walk()
    narrator = QuestNarrator(quest.fighter, quest.enemies)
    name = quest.fighter.name
  }

  /// What is there before anything happens.
  mutating func begin() -> [String] { taken() }

  mutating func step() -> [String] {
    walk.step()
    var lines = taken()
    if walk.nextTick == nil { lines.append("\(name): \(LogText.text(walk.state.result))") }
    return lines
  }

  private mutating func taken() -> [String] {
    defer { walk.events.forget() }
    return walk.events.events.compactMap { narrator.line($0).map { LogText.text($0) } }
  }
}
