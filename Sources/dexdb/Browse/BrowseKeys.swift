import Terminal

/// Keys that were typed ahead, of a list that is not there yet; and the last one, while it may still
/// be the first of a word.
struct BrowseKeys {
  private var keys: [(key: ScreenKey, time: ContinuousClock.Instant)] = []
  /// True while the first of them waits for a list.
  private var isWaiting = false
  private(set) var hot: HotLetter?

  var waiting: [ScreenKey] { keys.map(\.key) }

  /// How many wait at most; more than that nobody remembers to have typed.
  private static let most = 32

  /// Adds a key; Esc gives up those that wait.
  mutating func append(_ key: ScreenKey, at time: ContinuousClock.Instant = .now) {
    if isWaiting, key == .escape {
      keys = []
      isWaiting = false
    }
    if keys.count < Self.most { keys.append((key, time)) }
  }

  /// Has the state handle the keys whose list is there.
  ///
  /// - Parameters:
  ///   - state: What the keys change.
  ///   - source: What that shows.
  ///   - now: The present time, until which nothing else was typed.
  ///   - perform: Does what a key asks for beside that.
  /// - Returns: The end of the program, where a key asks for that and begins no word.
  /// - Throws: What reading the records throws.
  mutating func handle(
    _ state: inout BrowseState, _ source: BrowseSource, now: ContinuousClock.Instant = .now,
    perform: (BrowseState.Effect, inout BrowseState) -> Void
  ) throws -> BrowseState.Ending? {
    while let (key, time) = keys.first {
      if let hot, hot.isContinued(by: key, at: time) {
        state.takeBack(hot, for: key)
        removeFirst(nil)
        continue
      }
      if let ending = hot?.ending { return ending }
      var letter = HotLetter(key, at: time, state)
      switch try state.handle(key, source) {
      case .later?:
        isWaiting = true
        state.say("looking for it; Esc gives up the keys that wait")
        return nil
      case .leave(let command)?:
        letter?.ending = BrowseState.Ending(command: command)
        guard letter != nil else { return BrowseState.Ending(command: command) }
      case let effect?: perform(effect, &state)
      case nil: break
      }
      removeFirst(letter)
    }
    return timeLeft(now) == .zero ? hot?.ending : nil
  }

  private mutating func removeFirst(_ letter: HotLetter?) {
    keys.removeFirst()
    isWaiting = false
    hot = letter
  }

  /// How long to wait before a letter ends the program; nil where none does.
  func timeLeft(_ now: ContinuousClock.Instant = .now) -> Duration? {
    guard let hot, hot.ending != nil else { return nil }
    return max(.zero, HotLetter.patience - (now - hot.time))
  }

  /// Takes what the last letter did for meant, as where something else has come in between.
  mutating func forgetLetter() {
    if hot?.ending == nil { hot = nil }
  }
}
