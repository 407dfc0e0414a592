import Entities
import Terminal

/// What keys do while the list is shown.
extension BrowseState {
  /// Brings the list up to date; done before a key that depends on it, and before drawing.
  mutating func refresh(_ source: BrowseSource) throws {
    let layout = layout
    var list = list
    try list.refresh(source, visible: layout.visible, perLine: layout.perLine)
    self.list = list
    if case .types(var choice)? = pages.last, !choice.isCounted {
      try choice.count(source)
      replacePage(.types(choice))
    }
  }

  /// True while a thread still finds something that is in view.
  var isUnfinished: Bool {
    if case .types(let choice)? = pages.last, !choice.isCounted { return true }
    return list.isUnfinished
  }

  /// False for keys that would mean a list, or a record of it, that is not the one in view.
  private func isReady(for key: ScreenKey) -> Bool {
    switch key {
    case .up, .down, .left, .right, .pageUp, .pageDown, .home, .end, .character("y"),
      .character("t"):
      return !list.isBehind
    case .enter: return list.showsChosen
    case .character(let letter) where "edQ".contains(letter):
      return realm == .pokemon || refusal(of: letter) != nil || list.showsChosen
    default: return true
    }
  }

  mutating func handleInList(_ key: ScreenKey, _ source: BrowseSource) throws -> Effect? {
    let wasTyping = list.isTyping
    if wasTyping, handleInLine(key) { return nil }
    try refresh(source)
    guard isReady(for: key) else {
      list.isTyping = wasTyping
      return .later
    }
    if handleMove(key) { return nil }
    switch key {
    case .enter:
      if let record = chosenRecord, try source.has(record) {
        pages.append(.details(DetailsPage(record: record)))
      }
    case .tab, .backTab: realm = realm.other
    case .escape:
      if list.line.isEmpty { say("q quits, ? shows all keys") } else { list.setLine("") }
    case .backspace, .pasted: edit(key)
    case .control("l"): break
    case .character(let character): return try handleLetter(character, key, source)
    default: break
    }
    return nil
  }

  /// Keys while the query line has them; false for those that leave it and mean more.
  private mutating func handleInLine(_ key: ScreenKey) -> Bool {
    switch key {
    case .enter, .escape:
      list.isTyping = false
      return true
    case .up, .down, .pageUp, .pageDown, .tab, .backTab:
      list.isTyping = false
      return false
    default:
      list.type(key)
      return true
    }
  }

  /// Puts a key into the query line, which has the keys from then on.
  ///
  /// A letter behind a term such as `sort:-bst` begins a word of its own, as it does behind what
  /// nobody typed here.
  mutating func edit(_ key: ScreenKey) {
    list.isTyping = true
    if key != .backspace, let term = BrowseLine.parts(of: list.line.text).last,
      list.isWritten || term.contains(where: { ":<>=\"()".contains($0) })
    {
      _ = list.line.handle(.end)
      list.setOff(key)
    }
    list.type(key)
  }

  /// Keys that choose another record; false for others.
  private mutating func handleMove(_ key: ScreenKey) -> Bool {
    let layout = layout
    switch key {
    case .up: list.move(by: -layout.perLine)
    case .down: list.move(by: layout.perLine)
    case .left: list.move(by: layout.isGrid ? -1 : -layout.visible)
    case .right: list.move(by: layout.isGrid ? 1 : layout.visible)
    case .pageUp: list.move(by: -layout.visible)
    case .pageDown: list.move(by: layout.visible)
    case .home: list.select(0)
    case .end: list.selectLast()
    default: return false
    }
    return true
  }

  /// Letters that do something; any other begins a search.
  private mutating func handleLetter(
    _ letter: Character, _ key: ScreenKey, _ source: BrowseSource
  ) throws -> Effect? {
    switch letter {
    case "/": list.isTyping = true
    case "?": pages.append(.help(top: 0))
    case "g": list.isGrid.toggle()
    case "q": return .leave(command: nil)
    case "y": return .leave(command: source.command(for: self))
    case "s":
      pages.append(.sort(SortChoice(realm: realm, text: list.line.text)))
    case "t": try openTypes(source)
    case "n", "e", "d", "Q":
      guard realm == .pokemon else { return try handleAdventurer(letter, source) }
      edit(key)
    default: edit(key)
    }
    return nil
  }

  private mutating func openTypes(_ source: BrowseSource) throws {
    if realm != .pokemon {
      complain("types belong to Pokémon: Tab changes to them")
    } else if list.complaint != nil {
      complain("the line is no query yet: put it right, or empty it with Esc")
    } else {
      var choice = TypeChoice(text: list.line.text)
      try choice.count(source)
      pages.append(.types(choice))
    }
  }

  /// What can be done with an adventurer, in the list and in the details.
  mutating func handleAdventurer(_ letter: Character, _ source: BrowseSource) throws -> Effect? {
    if let refusal = refusal(of: letter) {
      complain(refusal)
      return nil
    }
    if letter == "n" {
      pages.append(.recruit(try AdventurerForm(recruitIn: source)))
      return nil
    }
    guard let id = shownRecord?.id,
      let adventurer = try source.snapshot.get(Adventurer.self, id)
    else {
      complain("nobody is chosen: n recruits an adventurer")
      return nil
    }
    switch letter {
    case "e": pages.append(.change(AdventurerForm(changing: adventurer, id: id)))
    case "d": pages.append(.question(.deletion, id, name: adventurer.name))
    default: pages.append(.question(.quest, id, name: adventurer.name))
    }
    return nil
  }

  /// The record that the list has chosen.
  var chosenRecord: BrowseRecord? {
    list.chosen.map { BrowseRecord(entity: realm.entity, id: $0) }
  }

  /// The record that is shown by itself, or else chosen.
  var shownRecord: BrowseRecord? {
    if case .details(let page)? = pages.last { return page.record }
    return chosenRecord
  }
}

extension BrowseSource {
  /// The command line that shows what the screen shows.
  func command(for state: BrowseState) -> String {
    var words = [Program.name]
    if let file { words += ["-f", ShellWord.quoted(file)] }
    if case .details(let page)? = state.pages.last {
      words.append("show")
      if page.record.entity != "pokemon" { words += ["--from", page.record.entity] }
      return (words + ["\(page.record.id)"]).joined(separator: " ")
    }
    // A line that is no query yet has no answer; the one that is shown belongs to the last that was.
    let text =
      state.list.complaint == nil
      ? state.list.line.text : QueryPrinter.text(of: state.list.query, in: reading.catalog)
    var query = BrowseLine.parts(of: text).joined(separator: " ")
    if state.realm == .adventurers, !query.hasPrefix("from:") {
      query = query.isEmpty ? "from:adventurers" : "from:adventurers \(query)"
    }
    words.append("find")
    if !query.isEmpty { words.append(ShellWord.quoted(query)) }
    return words.joined(separator: " ")
  }
}
