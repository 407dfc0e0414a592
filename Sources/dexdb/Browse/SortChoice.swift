import Entities
import Terminal

/// The box in which one chooses by what a list is sorted.
struct SortChoice: Equatable {
  /// A field, or nil for the usual order.
  struct Option: Equatable {
    var title: String
    var field: String?
    /// True where the greatest come first unless somebody wants it otherwise.
    var isDescending = false
  }

  let options: [Option]
  var cursor: Int
  var isDescending: Bool

  static let pokemon: [Option] = [
    Option(title: "number", field: nil), Option(title: "name", field: "name"),
    Option(title: "total of stats", field: "bst", isDescending: true),
    Option(title: "HP", field: "hp", isDescending: true),
    Option(title: "attack", field: "atk", isDescending: true),
    Option(title: "defense", field: "def", isDescending: true),
    Option(title: "special attack", field: "spa", isDescending: true),
    Option(title: "special defense", field: "spd", isDescending: true),
    Option(title: "speed", field: "spe", isDescending: true),
    Option(title: "height", field: "height", isDescending: true),
    Option(title: "weight", field: "weight", isDescending: true),
    Option(title: "generation", field: "gen"),
  ]

  static let adventurers: [Option] = [
    Option(title: "number", field: nil), Option(title: "name", field: "name"),
    Option(title: "profession", field: "class"),
    Option(title: "level", field: "level", isDescending: true),
    Option(title: "experience", field: "xp", isDescending: true),
    Option(title: "hit points", field: "hp", isDescending: true),
    Option(title: "attack multiplier", field: "atk", isDescending: true),
    Option(title: "defense", field: "def", isDescending: true),
    Option(title: "evasion", field: "evasion", isDescending: true),
    Option(title: "speed", field: "spe", isDescending: true),
    Option(title: "wins", field: "wins", isDescending: true),
    Option(title: "losses", field: "losses", isDescending: true),
  ]

  init(realm: BrowseState.Realm, text: String) {
    options = realm == .pokemon ? Self.pokemon : Self.adventurers
    cursor = 0
    isDescending = false
    guard let sort = BrowseLine.sort(in: text)?.lowercased() else { return }
    let field = sort.hasPrefix("-") ? String(sort.dropFirst()) : sort
    cursor = options.firstIndex { $0.field == field } ?? 0
    isDescending = sort.hasPrefix("-")
  }

  /// What a query line says of the choice; nil for the usual order.
  var keys: String? { options[cursor].field.map { (isDescending ? "-" : "") + $0 } }

  mutating func move(by count: Int) {
    cursor = (cursor + count + options.count) % options.count
    isDescending = options[cursor].isDescending
  }
}

extension BrowseState {
  mutating func handle(_ key: ScreenKey, _ choice: SortChoice) {
    var choice = choice
    switch key {
    case .up: choice.move(by: -1)
    case .down: choice.move(by: 1)
    case .left, .right, .character(" "), .tab: choice.isDescending.toggle()
    case .enter:
      pages.removeLast()
      list.setLine(BrowseLine.withSort(choice.keys, in: list.line.text))
      return
    case .escape, .character("s"), .character("q"):
      pages.removeLast()
      return
    case .character(let letter) where letter.isLetter:
      // Somebody is typing a name that begins so.
      typeWord("s\(letter)")
      return
    default: return
    }
    replacePage(.sort(choice))
  }
}
