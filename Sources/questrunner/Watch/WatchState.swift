import Entities
import Terminal

/// All that decides what the screen of `watch` shows; keys and the clock change it.
struct WatchState: Sendable {
  var columns: Int
  var rows: Int
  var abilities: ScreenAbilities
  /// One for each adventurer.
  private(set) var tracks: [WatchTrack]
  /// Whose quest is shown.
  private(set) var chosen = 0
  private(set) var clock: WatchClock
  /// The tick that is shown.
  private(set) var tick: Int64 = 0
  /// How many lines below the last one that is shown; 0 follows the log.
  private(set) var scrolled = 0
  /// What is said in the last line, such as where the result is kept.
  var message = ""

  /// What the loop has to do after a key.
  enum Effect: Equatable, Sendable { case leave }

  init(
    _ quests: [Quest], columns: Int, rows: Int, abilities: ScreenAbilities, at now: Int64,
    speed: Int = WatchClock.usualSpeed
  ) {
    precondition(!quests.isEmpty, "somebody has to be watched")
    tracks = quests.map { WatchTrack($0) }
    self.columns = columns
    self.rows = rows
    self.abilities = abilities
    clock = WatchClock(at: now, speed: speed)
  }

  var shown: WatchTrack { tracks[chosen] }
  var isOver: Bool { tracks.allSatisfy(\.isOver) }

  // MARK: Time

  /// When something happens next; nil where nothing does before a key.
  var deadline: Int64? {
    tracks.compactMap(\.walk.nextTick).min().flatMap { clock.moment(of: $0) }
  }

  /// Lets everything happen that is due at `now`.
  mutating func advance(to now: Int64) {
    if isOver { return }
    show(clock.tick(at: now))
    if isOver { stand(at: now) }
  }

  private mutating func show(_ tick: Int64) {
    let before = shown.lineCount
    for place in tracks.indices { tracks[place].advance(to: tick) }
    self.tick = max(self.tick, isOver ? lastTick : tick)
    if scrolled > 0 { scroll(shown.lineCount - before) }
  }

  private var lastTick: Int64 { tracks.map(\.result.tick).max() ?? 0 }

  /// Nothing happens any more, and so no time is over any more.
  private mutating func stand(at now: Int64) { clock.pause(at: now) }

  // MARK: Keys

  /// Changes the state by a key that was pressed at `now`.
  mutating func handle(_ key: ScreenKey, at now: Int64) -> Effect? {
    advance(to: now)
    switch key {
    case .character("q"), .character("Q"), .control("c"): return .leave
    case .escape, .enter: if isOver { return .leave }
    case .character(" "), .character("p"): if !isOver { togglePause(at: now) }
    case .character("+"), .character("="): clock.change(isFaster: true, at: now)
    case .character("-"), .character("_"): clock.change(isFaster: false, at: now)
    case .character("."): step(at: now)
    case .character("s"), .character("S"): skip(at: now)
    case .tab, .right: choose((chosen + 1) % tracks.count)
    case .backTab, .left: choose((chosen + tracks.count - 1) % tracks.count)
    case .up, .character("k"): scroll(1)
    case .down, .character("j"): scroll(-1)
    case .pageUp: scroll(10)
    case .pageDown: scroll(-10)
    case .home: scroll(.max)
    case .end: scrolled = 0
    case .character(let character):
      if let number = character.wholeNumberValue, (1...tracks.count).contains(number) {
        choose(number - 1)
      }
    default: break
    }
    return nil
  }

  private mutating func togglePause(at now: Int64) {
    if clock.isPaused { clock.goOn(at: now) } else { clock.pause(at: now) }
  }

  /// Stands, and lets one event of the quest that is shown happen.
  private mutating func step(at now: Int64) {
    guard let next = shown.walk.nextTick ?? tracks.compactMap(\.walk.nextTick).min() else { return }
    clock.pause(at: now)
    clock.jump(to: next, at: now)
    show(next)
  }

  /// Lets all that is left happen at once.
  mutating func skip(at now: Int64) {
    for place in tracks.indices { tracks[place].finish() }
    stand(at: now)
    clock.jump(to: lastTick, at: now)
    tick = max(tick, lastTick)
    scrolled = 0
  }

  private mutating func choose(_ place: Int) {
    chosen = place
    scrolled = 0
  }

  private mutating func scroll(_ count: Int) {
    let most = max(0, shown.lines.count - 1)
    scrolled = min(most, max(0, scrolled.addingReportingOverflow(count).partialValue))
    if count == .max { scrolled = most }
  }
}
