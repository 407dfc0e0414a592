import Entities
import PageStore
import Terminal
import Testing

@testable import dexdb

@Suite struct `Browsing the adventurers` {
  @Test func `shows who there is, and follows commits`() throws {
    var (database, tester) = try BrowseTester.withAdventurers(["Ana", "Bo", "Cleo"])
    try tester.press(.down)
    #expect(tester.names == ["Ana", "Bo", "Cleo"])
    #expect(try tester.text().contains("Wizard"))
    try database.write { transaction throws(DatabaseError) in
      try transaction.delete(Adventurer.self, EntityID(1))
      try transaction.set(["name": .text("Bob")], of: "adventurers", EntityID(2))
    }
    #expect(try tester.source.update())
    try tester.state.refresh(tester.source)
    #expect(tester.names == ["Bob", "Cleo"])
    #expect(tester.chosenName == "Bob")
    #expect(try !tester.source.update())
  }

  @Test func `says how to begin where there is nobody`() throws {
    let (_, tester) = try BrowseTester.withAdventurers([])
    let text = try tester.text()
    #expect(text.contains("Nobody has been recruited yet."))
    #expect(text.contains("Press n"))
  }

  @Test(arguments: [60, 80, 120])
  func `offers no key that is refused, and says why not`(columns: Int) throws {
    let reason = "--readonly keeps 'browse' from changing the database: leave out --readonly"
    let words = { (text: String) in text.split { $0.isWhitespace }.joined(separator: " ") }
    for names in [[], ["Ana"]] {
      let (_, start) = try BrowseTester.withAdventurers(names)
      var tester = start
      tester.state.columns = columns
      let offered = try #require(try tester.lines().last)
      #expect(offered.contains(" n ") && offered.contains(" Q quest") == !names.isEmpty)
      tester.state.refusal = reason
      let isEmpty = names.isEmpty
      #expect(try words(tester.text()).contains(reason) == isEmpty)
      #expect(try !tester.text().contains("Press n"))
      for page in isEmpty ? ["list"] : ["list", "details"] {
        let keys = try #require(try tester.lines().last)
        for label in ["new", "recruit", "quest", "change", "delete"] {
          #expect(!keys.contains(label), "\(label) in the \(page)")
        }
        for letter in page == "list" ? "nedQ" : "edQ" {
          try tester.press(.character(letter))
          #expect(tester.state.notice?.text == reason, "\(letter) in the \(page)")
        }
        try tester.press(.enter)
      }
      try tester.press(.escape, .character("?"), .pageDown)
      #expect(try words(tester.text()).contains("n e d Q --readonly keeps"))
      #expect(try !tester.text().contains("recruit one"))
    }
  }

  @Test func `refuses a quest alone where only that cannot be`() throws {
    var (_, tester) = try BrowseTester.withAdventurers(["Ana"])
    tester.state.questRefusal = "questrunner is not installed beside dexdb: quests need it"
    let keys = try #require(try tester.lines().last)
    #expect(!keys.contains("quest") && keys.contains("d delete"))
    try tester.press(.character("Q"))
    #expect(tester.state.notice?.text == tester.state.questRefusal && tester.state.pages.isEmpty)
    try tester.press(.character("d"))
    #expect(try tester.text().contains("Delete Ana?"))
  }

  @Test func `asks before one is deleted`() throws {
    var (_, tester) = try BrowseTester.withAdventurers(["Ana", "Bo"])
    try tester.press(.down, .character("d"))
    #expect(try tester.text().contains("Delete Bo?"))
    #expect(try tester.press(.enter) == nil)
    #expect(try tester.text().contains("nothing was deleted"))
    // A name that is typed where the list has the keys, such as Dylan's.
    try tester.press(.character("d"))
    #expect(try tester.press(.character("y")) == nil)
    #expect(try tester.text().contains("nothing was deleted"))
    try tester.press(.character("d"))
    #expect(try tester.press(.character("Y")) == .delete(EntityID(2)))
  }

  @Test func `starts a quest of the one that is chosen`() throws {
    var (_, tester) = try BrowseTester.withAdventurers(["Ana", "Bo"])
    try tester.press(.down)
    #expect(try tester.press(.character("Q")) == nil)
    #expect(try tester.text().contains("Quest for Bo?"))
    #expect(try tester.press(.character("u")) == nil)
    #expect(try tester.press(.character("Q"), .character("Y")) == .quest(EntityID(2)))
    try tester.press(.enter)
    #expect(try tester.press(.character("Q"), .character("Y")) == .quest(EntityID(2)))
  }

  // MARK: Recruiting

  @Test func `refuses a blank name and a blank profession where they stand`() throws {
    var (_, tester) = try BrowseTester.withAdventurers([])
    try tester.press(.character("n"), .character(" "), .enter)
    var lines = try tester.lines()
    #expect(lines[3].contains("a name is needed"))
    try tester.press(.backspace)
    try tester.type("Ana")
    #expect(try !tester.text().contains("needed"))
    try tester.press(.enter, .enter)
    lines = try tester.lines()
    #expect(lines[5].contains("a profession is needed"))
    #expect(try tester.canvas().cursor?.row == 4)
  }

  @Test func `completes professions, and takes any other`() throws {
    var (_, tester) = try BrowseTester.withAdventurers([])
    try tester.press(.character("n"))
    try tester.type("Ana")
    try tester.press(.tab)
    #expect(try tester.lines()[5].contains("Knight Wizard Ranger Rogue"))
    try tester.type("wi")
    #expect(try tester.lines()[4].contains("wizard"))
    try tester.press(.right)
    #expect(try tester.form().profession.text == "Wizard")
    try tester.press(.down)
    #expect(try tester.form().profession.text == "Ranger")
    try tester.press(.control("u"))
    try tester.type(" Baker ")
    #expect(try tester.lines()[5].contains("any words will do"))
    try tester.press(.tab, .tab, .tab)
    guard case .save(let form)? = try tester.press(.enter) else {
      Issue.record("not saved")
      return
    }
    #expect(form.adventurer.profession == "Baker")
  }

  @Test func `asks about a profession that is nearly one, and takes it when it is meant`() throws {
    for (answer, expected) in [(ScreenKey.control("n"), "Wizzard"), (.down, "Wizard")] {
      var (_, tester) = try BrowseTester.withAdventurers([])
      try tester.press(.character("n"))
      try tester.type("Ana")
      try tester.press(.enter)
      try tester.type("Wizzard")
      // However often one tries to go on.
      for key in [ScreenKey.enter, .enter, .tab, .tab] {
        try tester.press(key)
        #expect(try tester.form().focus == .profession)
        #expect(try tester.text().contains("did you mean Wizard?"))
      }
      try tester.press(answer)
      if answer == .down { try tester.press(.enter) }
      #expect(try tester.form().focus == .seed)
      #expect(try tester.form().adventurer.profession == expected)
      try tester.press(.tab, .tab)
      #expect(try tester.press(.enter) == .save(try tester.form()))
    }
  }

  @Test func `shows the numbers that the seed gives, and saves those`() throws {
    var (_, tester) = try BrowseTester.withAdventurers(["Bo", "Cy"])
    tester.source.newSeed = { 77 }
    try tester.press(.character("n"))
    try tester.type("Ana")
    try tester.press(.tab)
    try tester.type("Wizard")
    let expected = Adventurer.recruit(name: "Ana", profession: "Wizard", seed: 77, id: EntityID(3))
    let text = try tester.text()
    #expect(text.contains("HP \(expected.totalHitPoints) "))
    #expect(text.contains("Speed \(expected.speed)"))
    #expect(try tester.form().adventurer == expected)
    tester.source.newSeed = { 78 }
    try tester.press(.control("r"))
    let again = Adventurer.recruit(name: "Ana", profession: "Wizard", seed: 78, id: EntityID(3))
    #expect(try tester.form().adventurer == again)
    try tester.press(.tab)
    try tester.type("x")
    try tester.press(.tab)
    #expect(try tester.text().contains("a seed is a whole number"))
    #expect(try tester.press(.escape) == nil)
    #expect(tester.state.pages.isEmpty)
  }

  @Test func `marks the portrait that is chosen`() throws {
    var (_, tester) = try BrowseTester.withAdventurers([])
    try tester.press(.character("n"))
    try tester.type("Ana")
    try tester.press(.tab)
    try tester.type("Wizard")
    try tester.press(.tab, .tab)
    let names = PortraitGallery.names(ofProfession: "Wizard")
    let first = try tester.form().portraitName ?? ""
    #expect(names.contains(first))
    #expect(try tester.text().contains("‹ \(first) ›"))
    try tester.press(.right)
    let next = try tester.form().portraitName
    #expect(next != first)
    #expect(try tester.text().contains("‹ \(next ?? "") ›"))
    var seen: Set<String> = []
    for _ in PortraitGallery.names {
      seen.insert(try tester.form().portraitName ?? "")
      try tester.press(.right)
    }
    #expect(seen == Set(PortraitGallery.names))
  }

  @Test func `changes what makes sense, within its ends`() throws {
    var (_, tester) = try BrowseTester.withAdventurers(["Ana"])
    try tester.press(.character("e"), .tab, .tab, .control("u"))
    try tester.type("201")
    try tester.press(.tab)
    #expect(try tester.text().contains("a number from 1 to 200"))
    try tester.press(.control("u"))
    try tester.type("7")
    try tester.press(.tab, .tab, .tab)
    guard case .save(let form)? = try tester.press(.enter) else {
      Issue.record("not saved")
      return
    }
    #expect(form.adventurer.level == 7)
    #expect(form.adventurer.name == "Ana")
    #expect(form.portraitName == nil)
  }

  // MARK: Names

  static let names = [
    "\u{1B}[2J\u{1B}]0;x\u{7}", "\u{202E}abc", "👩‍👩‍👧‍👦 👍🏽 🇯🇵 ❤\u{FE0F}", "ピカチュウの冒険者たち", "a\u{2028}b",
    "Zalgo" + String(repeating: "\u{301}", count: 100), "क्षत्रिय", "\u{301}\u{302}",
    String(repeating: "x", count: 255), "tab\tline\nend",
  ]

  @Test(arguments: names)
  func `shows any name without harm, everywhere`(name: String) throws {
    var (_, tester) = try BrowseTester.withAdventurers(["Bo", name, "Cy"])
    let keys: [[ScreenKey]] = [
      [.down], [.character("g")], [.enter], [.escape, .character("d")], [.escape, .character("e")],
      [.escape, .character("g")],
    ]
    for keys in keys {
      for key in keys { try tester.press(key) }
      for (columns, rows) in [(80, 24), (60, 18), (120, 40)] {
        tester.state.columns = columns
        tester.state.rows = rows
        let canvas = try tester.canvas()
        for row in 0..<rows {
          let cells = canvas.cells(ofRow: row)
          #expect(cells.reduce(0) { $0 + ScreenGlyph.width(of: $1.text) } == columns)
          let isHarmless = !cells.contains {
            $0.text.unicodeScalars.contains(where: TerminalText.isDangerous)
          }
          #expect(isHarmless)
        }
      }
    }
  }

  @Test func `takes a name of ten thousand characters as a line, and refuses it as a name`() throws
  {
    var (_, tester) = try BrowseTester.withAdventurers(["Bo"])
    try tester.press(.character("n"))
    for _ in 0..<5000 { _ = try tester.state.handle(.character("é"), tester.source) }
    try tester.press(.tab)
    #expect(try tester.text().contains("at most 255 bytes"))
  }
}

extension BrowseTester {
  struct NoForm: Error {}

  /// The form that is shown.
  func form() throws -> AdventurerForm {
    switch state.pages.last {
    case .recruit(let form)?, .change(let form)?: return form
    default: throw NoForm()
    }
  }
}
