import Terminal

/// A letter that did something in the list, and may still turn out to begin a word.
///
/// Who types a name does not wait for what its first letter does; who means a key does.
struct HotLetter {
  let letter: Character
  let time: ContinuousClock.Instant
  /// What was shown before it.
  private(set) var state: BrowseState
  /// The end of the program, where the letter asks for that.
  var ending: BrowseState.Ending?

  /// How soon the next letter of a word follows.
  static let patience = Duration.milliseconds(250)
  /// The same behind a capital, which opens a question that a capital answers: who types a name in
  /// capitals, and not fast, must not agree to anything by that.
  static let patienceOfCapital = Duration.milliseconds(500)

  /// The same where the next letter does nothing in the list, and so is of a word in any case.
  static let patienceBeforePlain = Duration.seconds(1)

  private static let everywhere: Set<Character> = ["g", "q", "s", "t", "y"]
  private static let withAdventurers: Set<Character> = ["n", "e", "d", "Q"]

  /// A letter that does something in the list; nil for all other keys, and where there is no list.
  init?(_ key: ScreenKey, at time: ContinuousClock.Instant, _ state: BrowseState) {
    guard case .character(let letter) = key, state.pages.isEmpty, !state.list.isTyping,
      state.layout.isLargeEnough, Self.isHot(letter, state.realm)
    else { return nil }
    self.letter = letter
    self.time = time
    self.state = state
  }

  private static func isHot(_ letter: Character, _ realm: BrowseState.Realm) -> Bool {
    everywhere.contains(letter) || realm == .adventurers && withAdventurers.contains(letter)
  }

  /// How soon `next` must follow to go on with a word.
  ///
  /// What a letter opens takes the next one itself, and what ends the program is not kept waiting;
  /// only the grid leaves the list with the keys.
  private func patience(before next: Character) -> Duration {
    if letter.isUppercase { return Self.patienceOfCapital }
    return letter == "g" && !Self.isHot(next, state.realm)
      ? Self.patienceBeforePlain : Self.patience
  }

  /// True where a key goes on with a word, which the letter has begun.
  ///
  /// A capital begins a name in a form, unless it follows another; and twice the same is a key twice.
  func isContinued(by key: ScreenKey, at moment: ContinuousClock.Instant) -> Bool {
    guard case .character(let next) = key, moment - time < patience(before: next) else {
      return false
    }
    if Self.everywhere.contains(letter), next == letter { return false }
    return next.isLetter && (letter.isUppercase || !next.isUppercase) || next == ":"
  }
}

extension BrowseState {
  /// The end of the program, with a line for standard output or without.
  struct Ending: Equatable {
    var command: String?
  }

  /// Undoes what a letter did, and searches for what begins with it instead.
  mutating func takeBack(_ hot: HotLetter, for key: ScreenKey) {
    let (columns, rows) = (columns, rows)
    self = hot.state
    self.columns = columns
    self.rows = rows
    notice = nil
    edit(.character(hot.letter))
    edit(key)
  }
}
