import Entities
import Terminal
import Testing

@testable import dexdb

@Suite struct `Browsing the Pokédex` {
  /// The species with a word that begins so, as the language's page says: those whose own text
  /// begins so first, then by number.
  private static func plain(startingWith start: String) -> [Int] {
    let found = PlainFacts.species.filter { species in
      species.names.contains { words in words.contains { $0.hasPrefix(start) } }
    }
    let isFirst = { (species: PlainFacts.Species) in
      species.names.contains { $0.first?.hasPrefix(start) == true }
    }
    return found.filter(isFirst).map(\.number) + found.filter { !isFirst($0) }.map(\.number)
  }

  @Test func `begins with all of them by number`() throws {
    let tester = try BrowseTester.withPokedex()
    let first = PlainFacts.species.prefix(tester.state.layout.visible).map { $0["name"] }
    #expect(tester.names == first)
    let lines = try tester.lines()
    #expect(lines[0].hasSuffix("1,025"))
    #expect(lines[4].hasPrefix("▸ 0001"))
    for (index, name) in first.enumerated() { #expect(lines[4 + index].contains(name)) }
  }

  @Test(arguments: ["pik", "ko", "mew", "シ", "z"])
  func `filters with every key as a plain scan does`(text: String) throws {
    var tester = try BrowseTester.withPokedex()
    try tester.press(.character("/"))
    var typed = ""
    for character in text {
      typed.append(character)
      try tester.press(.character(character))
      let expected = Self.plain(startingWith: typed)
      #expect(tester.state.list.total == expected.count, "\(typed)")
      let shown = (0..<min(expected.count, tester.state.layout.visible)).compactMap {
        tester.state.list.row(at: $0).map { Int($0.id.rawValue) }
      }
      #expect(shown == Array(expected.prefix(tester.state.layout.visible)), "\(typed)")
    }
  }

  @Test func `begins a search by a letter that means nothing else`() throws {
    var tester = try BrowseTester.withPokedex()
    try tester.type("pik")
    #expect(tester.state.list.isTyping)
    #expect(tester.chosenName == "Pikachu")
    #expect(try tester.lines()[1].contains("Search: pik"))
    #expect(try tester.canvas().cursor == .init(column: 12, row: 1))
    try tester.press(.enter)
    #expect(!tester.state.list.isTyping)
    try tester.press(.escape)
    #expect(tester.state.list.total == 1025)
  }

  @Test(arguments: ["togepi", "scizor", "pikachu", "abra"])
  func `takes a name for one, though its first letter opens a box`(name: String) throws {
    var tester = try BrowseTester.withPokedex()
    try tester.type(name)
    #expect(tester.state.list.line.text == name)
    #expect(tester.chosenName?.lowercased() == name)
  }

  @Test func `keeps the last good answer while the line is no query yet`() throws {
    var tester = try BrowseTester.withPokedex()
    try tester.press(.character("/"))
    try tester.type("t:fire")
    let fire = PlainFacts.species.filter { $0.types.contains("fire") }.count
    #expect(tester.state.list.total == fire)
    try tester.type(" (")
    #expect(tester.state.list.total == fire)
    #expect(tester.state.list.complaint != nil)
    #expect(try tester.lines()[2].contains("("))
    try tester.type("spe>100)")
    let fast = PlainFacts.species.filter { $0.types.contains("fire") && $0.int("speed") > 100 }
    #expect(tester.state.list.complaint == nil)
    #expect(tester.state.list.total == fast.count)
    #expect(tester.chosenName == fast.first?["name"])
  }

  @Test func `moves through all of it, and keeps the chosen one over other sizes`() throws {
    var tester = try BrowseTester.withPokedex()
    try tester.press(.end)
    #expect(tester.chosenName == PlainFacts.species.last?["name"])
    try tester.press(.home, .pageDown, .pageDown, .down)
    let place = 2 * tester.state.layout.visible + 1
    #expect(tester.chosenName == PlainFacts.species[place]["name"])
    for (columns, rows) in [(120, 40), (200, 60), (60, 18), (30, 8), (80, 24)] {
      tester.state.columns = columns
      tester.state.rows = rows
      try tester.state.refresh(tester.source)
      #expect(tester.chosenName == PlainFacts.species[place]["name"])
      let text = try tester.text()
      if rows > 10 { #expect(text.contains(PlainFacts.species[place]["name"])) }
    }
  }

  @Test func `says what it needs where there is too little room`() throws {
    let tester = try BrowseTester.withPokedex(columns: 40, rows: 10)
    let text = try tester.text()
    #expect(text.contains("60 columns and 18 rows"))
    #expect(text.contains("40 and 10"))
    for columns in 0..<60 {
      for rows in [0, 1, 5, 17, 30] {
        let small = try BrowseTester.withPokedex(columns: columns, rows: rows)
        let canvas = try small.canvas()
        #expect(canvas.columns == columns && canvas.rows == rows)
      }
    }
  }

  @Test func `names what was meant by a line that is no query`() throws {
    for (line, near) in [("t:fier", "fire"), ("typ:fire", "type"), ("ability:levtate", "levitate")]
    {
      var tester = try BrowseTester.withPokedex()
      try tester.press(.character("/"))
      try tester.type(line)
      #expect(try tester.text().contains("did you mean '\(near)'?"), "\(line)")
    }
  }

  @Test func `tells a newcomer how to search, though letters are keys`() throws {
    for columns in [60, 80, 120] {
      var tester = try BrowseTester.withPokedex(columns: columns)
      #expect(try tester.lines()[1].contains("press / and type a name"))
      #expect(try tester.lines().last?.hasPrefix(" / search") == true)
      try tester.press(.tab)
      #expect(try tester.lines()[1].contains("press / and type a name"))
      #expect(try tester.lines().last?.hasPrefix(" / search") == true)
    }
  }

  @Test func `cuts no fact on a narrow screen`() throws {
    var tester = try BrowseTester(
      try BrowseTester.pokedex.get(), columns: 60, rows: 20,
      abilities: ScreenAbilities(depth: .common))
    try tester.press(.enter)
    var words: Set<Substring> = []
    for _ in 0..<10 {
      for line in try tester.lines() { words.formUnion(line.split(separator: " ")) }
      try tester.press(.pageDown)
    }
    #expect(words.isSuperset(of: ["0.7", "m,", "6.9", "kg", "green,", "quadruped"]))
  }

  /// The words of all pages of the help, without its frame.
  private static func helpWords(columns: Int) throws -> Set<Substring> {
    var tester = try BrowseTester.withPokedex(columns: columns, rows: 24)
    try tester.press(.character("?"))
    var words: Set<Substring> = []
    for _ in 0..<20 {
      for line in try tester.lines().dropFirst(2).dropLast() {
        words.formUnion(line.dropLast().split(separator: " "))
      }
      try tester.press(.pageDown)
    }
    return words
  }

  @Test(arguments: [60, 66, 80]) func `explains all its keys in whole words`(columns: Int) throws {
    #expect(try Self.helpWords(columns: columns) == Self.helpWords(columns: 150))
  }

  @Test func `shows a grid, in which arrows go both ways`() throws {
    var tester = try BrowseTester.withPokedex()
    try tester.press(.character("g"), .right, .right, .down)
    let perLine = tester.state.layout.perLine
    #expect(perLine > 1)
    #expect(tester.chosenName == PlainFacts.species[2 + perLine]["name"])
    #expect(try tester.text().contains("▸\(PlainFacts.species[2 + perLine]["name"])"))
    try tester.press(.character("g"))
    #expect(tester.chosenName == PlainFacts.species[2 + perLine]["name"])
  }

  @Test func `shows names by which others know it`() throws {
    var tester = try BrowseTester.withPokedex(columns: 120, rows: 24)
    try tester.press(.character("/"))
    try tester.type("ピカチュ")
    #expect(try tester.text().contains("Pikachu (ピカチュウ)"))
  }

  @Test func `sorts by what is chosen, and shows it`() throws {
    var tester = try BrowseTester.withPokedex()
    try tester.press(.character("s"), .down, .down, .enter)
    #expect(tester.state.list.line.text == "sort:-bst")
    let best = PlainFacts.species.sorted {
      ($0.total, $1.number) > ($1.total, $0.number)
    }
    #expect(tester.names == best.prefix(tester.names.count).map { $0["name"] })
    #expect(try tester.lines()[4].contains("\(best[0].total)"))
    try tester.press(.character("s"), .right, .enter)
    #expect(tester.state.list.line.text == "sort:bst")
    try tester.press(.character("s"), .up, .up, .enter)
    #expect(tester.state.list.line.text == "")
  }

  @Test func `leaves with the command that shows the same`() throws {
    var tester = try BrowseTester.withPokedex()
    #expect(try tester.press(.character("q")) == .leave(command: nil))
    #expect(try tester.press(.character("y")) == .leave(command: "dexdb find"))
    try tester.press(.character("/"))
    try tester.type("t:fire  farfetch'd")
    try tester.press(.enter)
    #expect(
      try tester.press(.character("y"))
        == .leave(command: "dexdb find 't:fire farfetch'\\''d'"))
    try tester.press(.escape)
    try tester.type("pik")
    try tester.press(.enter, .enter)
    #expect(try tester.press(.character("y")) == .leave(command: "dexdb show 25"))
    try tester.press(.escape, .escape, .tab)
    #expect(
      try tester.press(.character("y")) == .leave(command: "dexdb find from:adventurers"))
  }

  @Test func `tells of all its keys`() throws {
    var tester = try BrowseTester.withPokedex()
    let footer = try tester.lines()[23]
    for key in ["/ search", "Enter open", "g grid", "t types", "s sort", "y print", "q quit"] {
      #expect(footer.contains(key))
    }
    try tester.press(.character("?"))
    #expect(try tester.text().contains("types, put together: all must hold"))
    try tester.press(.pageDown)
    #expect(try tester.text().contains("sort:-bst"))
    try tester.press(.escape)
    #expect(try tester.text().contains("Bulbasaur"))
  }
}

@Suite struct `Types put together` {
  private static func count(_ types: [String], gen: Int? = nil) -> Int {
    PlainFacts.species.filter { species in
      types.allSatisfy { species.types.contains($0) }
        && (gen ?? species.int("generation")) == species.int("generation")
    }.count
  }

  @Test func `say how many each would leave`() throws {
    var tester = try BrowseTester.withPokedex()
    try tester.press(.character("/"))
    try tester.type("gen:1")
    try tester.press(.enter, .character("t"))
    guard case .types(let choice)? = tester.state.pages.last else {
      Issue.record("no types")
      return
    }
    #expect(choice.counts == TypeChoice.types.map { Self.count([$0], gen: 1) })
    #expect(choice.total == Self.count([], gen: 1))
  }

  @Test func `must all hold, and stand in the query line`() throws {
    var tester = try BrowseTester.withPokedex()
    try tester.press(.character("t"))
    // The types run down the columns by their names.
    let sorted = TypeChoice.types
    let fire = sorted.firstIndex(of: "fire") ?? 0
    for _ in 0..<(fire / TypeChoice.lines) { try tester.press(.right) }
    for _ in 0..<(fire % TypeChoice.lines) { try tester.press(.down) }
    try tester.press(.character(" "))
    #expect(tester.state.list.line.text == "t:fire")
    #expect(tester.state.list.total == Self.count(["fire"]))
    try tester.press(.down, .character(" "))
    let next = sorted[fire + 1]
    #expect(tester.state.list.line.text == "t:fire t:\(next)")
    #expect(tester.state.list.total == Self.count(["fire", next]))
    guard case .types(let choice)? = tester.state.pages.last else {
      Issue.record("no types")
      return
    }
    for (index, type) in sorted.enumerated() where type != "fire" && type != next {
      #expect(choice.counts[index] == Self.count(["fire", next, type]))
    }
    let text = try tester.text()
    #expect(text.contains("fire + \(next): \(Self.count(["fire", next])) Pokémon"))
    try tester.press(.character("c"), .escape)
    #expect(tester.state.list.line.text == "")
  }

  static let lines: [(String, [String], String)] = [
    ("", ["fire"], "t:fire"), ("t:water pik", ["fire"], "pik t:fire"),
    ("T:Water AND type:ice/rock", [], ""), ("-t:fire", ["ice"], "-t:fire t:ice"),
    ("t=fire", ["ice"], "t=fire t:ice"), ("pik sort:-bst", ["ice"], "pik t:ice sort:-bst"),
    ("t:fire or t:ice sort:bst", ["rock"], "(t:fire or t:ice) t:rock sort:bst"),
    ("(t:fire or t:ice) x", ["rock"], "(t:fire or t:ice) x t:rock"),
    ("\"t:fire x\"", ["rock"], "\"t:fire x\" t:rock"),
  ]

  @Test(arguments: lines)
  func `leave the rest of the line alone`(text: String, types: [String], result: String) {
    #expect(BrowseLine.withTypes(types, in: text) == result)
    #expect(BrowseLine.types(in: result) == types)
  }

  @Test func `may also be typed`() throws {
    var tester = try BrowseTester.withPokedex()
    try tester.type("t:ice")
    #expect(tester.state.list.line.text == "t:ice")
    #expect(tester.state.list.total == Self.count(["ice"]))
  }
}

@Suite struct `The page of a Pokémon` {
  private func opened(
    _ name: String, columns: Int = 80, rows: Int = 24
  ) throws -> BrowseTester {
    var tester = try BrowseTester.withPokedex(columns: columns, rows: rows)
    try tester.press(.character("/"))
    try tester.type("\"\(name)\"")
    try tester.press(.enter, .enter)
    return tester
  }

  @Test func `shows its numbers as the facts have them`() throws {
    let tester = try opened("charizard", columns: 100, rows: 60)
    let text = try tester.text()
    guard let facts = PlainFacts.species.first(where: { $0["slug"] == "charizard" }) else {
      Issue.record("no Charizard")
      return
    }
    for name in ["hp", "attack", "defense", "special_attack", "special_defense", "speed"] {
      #expect(text.contains(" \(facts.int(name)) "))
    }
    #expect(text.contains("Total    \(facts.total)"))
    for word in [
      "Charizard", "#6", "Flame Pokémon", "fire", "flying", "blaze", "solar power (hidden)",
    ] {
      #expect(text.contains(word))
    }
    // Rock is strong against both of its types, and flying is not hit from the ground.
    let lines = try tester.lines()
    #expect(lines.contains { $0.contains("×4") && $0.contains("rock") })
    #expect(lines.contains { $0.contains("×0 ") && $0.contains("ground") })
    for name in ["Charmander", "→ Charmeleon", "→ Charizard  (this)", "Mega Charizard X"] {
      #expect(text.contains(name))
    }
  }

  @Test func `is walked along, and back through all of it`() throws {
    var tester = try opened("eevee", rows: 40)
    // The first link is Eevee itself.
    try tester.press(.tab, .down, .enter)
    #expect(try tester.lines()[0].contains("#134 Vaporeon"))
    try tester.press(.tab, .tab, .tab, .enter)
    #expect(try tester.lines()[0].contains("#135 Jolteon"))
    try tester.press(.escape)
    #expect(try tester.lines()[0].contains("#134 Vaporeon"))
    try tester.press(.backspace)
    #expect(try tester.lines()[0].contains("#133 Eevee"))
    try tester.press(.escape)
    #expect(tester.state.pages.isEmpty)
    #expect(tester.chosenName == "Eevee")
  }

  @Test func `comes to the ones before and after in the list`() throws {
    var tester = try BrowseTester.withPokedex()
    try tester.press(.enter, .right, .right)
    #expect(try tester.lines()[0].contains("#3 Venusaur"))
    try tester.press(.left)
    #expect(try tester.lines()[0].contains("#2 Ivysaur"))
    try tester.press(.escape)
    #expect(tester.chosenName == "Ivysaur")
  }

  @Test(arguments: [(80, 24), (60, 18), (100, 30), (200, 60)])
  func `shows each line of it, however few rows there are`(columns: Int, rows: Int) throws {
    var tester = try opened("pikachu", columns: columns, rows: rows)
    var seen = ""
    for _ in 0..<60 {
      seen += try tester.text()
      try tester.press(.down)
    }
    for word in [
      "Pichu", "Raichu", "Gigantamax Pikachu", "static", "lightning rod", "×0.5", "Speed",
    ] {
      #expect(seen.contains(word), "\(word) at \(columns) by \(rows)")
    }
    for _ in 0..<60 { try tester.press(.up) }
    #expect(try tester.text().contains("Mouse Pokémon"))
  }
}
