import Entities
import Terminal

/// The screen on which types are put together: all that are chosen must hold.
struct TypeChoice: Equatable {
  static let types = PokemonType.names
  static let columns = 3
  static var lines: Int { (types.count + columns - 1) / columns }

  /// The query line, which each choice changes.
  var text: String
  var cursor = 0
  /// How many would be left with each type beside those that are chosen.
  var counts: [Int] = []
  /// How many there are now.
  var total = 0
  /// False while they are counted.
  private(set) var isCounted = false

  init(text: String) { self.text = text }

  var chosen: [String] { BrowseLine.types(in: text) }

  /// Counts what each type would leave.
  mutating func count(_ source: BrowseSource) throws {
    let chosen = chosen
    let base = try source.query(BrowseLine.withTypes([], in: text), .pokemon)
    let query = { (types: [String]) -> Query in
      var query = base
      if !types.isEmpty { query.filter = .all([base.filter, .has(FieldPath("types"), types)]) }
      return query
    }
    let others = Self.types.filter { !chosen.contains($0) }
    guard let found = try source.counts([query(chosen)] + others.map { query(chosen + [$0]) }),
      found.count == others.count + 1
    else {
      isCounted = false
      return
    }
    isCounted = true
    total = found[0]
    let left = Dictionary(uniqueKeysWithValues: zip(others, found.dropFirst()))
    counts = Self.types.map { left[$0] ?? total }
  }

  mutating func toggle(_ source: BrowseSource) throws {
    let type = Self.types[cursor]
    let types = chosen.contains(type) ? chosen.filter { $0 != type } : chosen + [type]
    text = BrowseLine.withTypes(types, in: text)
    try count(source)
  }

  mutating func clear(_ source: BrowseSource) throws {
    text = BrowseLine.withTypes([], in: text)
    try count(source)
  }

  /// Moves the cursor; the types run down the columns.
  mutating func move(columns: Int, rows: Int) {
    let line = cursor % Self.lines
    let column = cursor / Self.lines
    let newColumn = (column + columns + Self.columns) % Self.columns
    let newLine = (line + rows + Self.lines) % Self.lines
    cursor = min(newColumn * Self.lines + newLine, Self.types.count - 1)
  }
}

extension BrowseState {
  /// Closes a box that the first letter of a word has opened, and puts the word into the query line.
  mutating func typeWord(_ start: String) {
    pages.removeLast()
    list.isTyping = true
    _ = list.line.handle(.end)
    for character in (list.line.isEmpty ? "" : " ") + start { list.type(.character(character)) }
  }

  mutating func handle(
    _ key: ScreenKey, _ choice: TypeChoice, _ source: BrowseSource
  ) throws {
    var choice = choice
    switch key {
    case .character(" "): try choice.toggle(source)
    case .character("c"), .backspace: try choice.clear(source)
    case .up: choice.move(columns: 0, rows: -1)
    case .down: choice.move(columns: 0, rows: 1)
    case .left, .backTab: choice.move(columns: -1, rows: 0)
    case .right, .tab: choice.move(columns: 1, rows: 0)
    case .enter, .escape, .character("t"), .character("q"):
      pages.removeLast()
      return
    case .character(let letter) where letter.isLetter || letter == ":":
      // Somebody is typing `t:fire`, or a name that begins so.
      typeWord("t\(letter)")
      return
    default: return
    }
    replacePage(.types(choice))
    if choice.text != list.line.text { list.setLine(choice.text) }
  }
}
