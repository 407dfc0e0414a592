import Terminal

/// Keys that were typed ahead, of a list that is not there yet.
struct BrowseKeys {
  private var keys: [ScreenKey] = []
  /// True while the first of them waits for a list.
  private var isWaiting = false

  /// How many wait at most; more than that nobody remembers to have typed.
  private static let most = 32

  var first: ScreenKey? { keys.first }

  /// Adds a key; Esc gives up those that wait.
  mutating func append(_ key: ScreenKey) {
    if isWaiting, key == .escape {
      keys = []
      isWaiting = false
    }
    if keys.count < Self.most { keys.append(key) }
  }

  mutating func removeFirst() {
    keys.removeFirst()
    isWaiting = false
  }

  /// Keeps the first until the list is there.
  mutating func wait(for state: inout BrowseState) {
    isWaiting = true
    state.say("looking for it; Esc gives up the keys that wait")
  }
}
