import Terminal
import Testing

@testable import dexdb

/// What a key must not do where somebody does not mean that.
@Suite struct `Browsing keeps` {
  private static func line(_ query: String, _ keys: [ScreenKey]) throws -> String {
    let database = try BrowseTester.pokedex.get()
    let source = try BrowseSource(database)
    var tester = try BrowseTester(database, query: query)
    tester.state = BrowseState(
      columns: 80, rows: 24, abilities: tester.state.abilities, query: query,
      realm: try source.realm(of: query))
    for key in keys { try tester.press(key) }
    return tester.state.list.line.text
  }

  private static func typed(_ text: String) -> [ScreenKey] { text.map { .character($0) } }

  @Test(arguments: [
    ("from:adv", "/xy", "from:adv xy"), ("from:adv", "xy", "from:adv xy"),
    ("from:adv", "/ xy", "from:adv xy"), ("from:adv ", "/xy", "from:adv xy"),
    ("pik", "/chu", "pik chu"), ("pik", "chu", "pik chu"), ("hp", "/>9", "hp>9"),
    ("t:fire", "/,ice", "t:fire,ice"), ("", "/xy", "xy"),
  ])
  func `what the command line asks for as it is`(query: String, text: String, line: String) throws {
    #expect(try Self.line(query, Self.typed(text)) == line)
  }

  @Test func `what is pasted behind a query apart from it`() throws {
    let paste = ScreenKey.pasted("xy z")
    #expect(try Self.line("from:adv", [.character("/"), paste]) == "from:adv xy z")
    #expect(try Self.line("from:adv", [paste]) == "from:adv xy z")
    #expect(try Self.line("from:adv", [.character("/"), .pasted(""), .end]) == "from:adv")
  }

  @Test func `what a box has written as it is`() throws {
    let sorted = Self.typed("/t:fire") + [.enter, .character("s"), .down, .down, .enter]
    #expect(try Self.line("", sorted) == "t:fire sort:-bst")
    #expect(try Self.line("", sorted + Self.typed("/char")) == "t:fire sort:-bst char")
    #expect(
      try Self.line("", sorted + Self.typed("/char") + [.enter] + Self.typed("/izard"))
        == "t:fire sort:-bst charizard")
    let types = Self.typed("t ") + [.enter]
    let line = try Self.line("", types)
    #expect(try Self.line("", types + Self.typed("/x")) == line + " x")
  }

  @Test func `together what somebody types`() throws {
    let keys = Self.typed("/sort:bs") + [.enter] + Self.typed("/t")
    #expect(try Self.line("", keys) == "sort:bst")
    #expect(try Self.line("pika", [.character("/"), .backspace] + Self.typed("achu")) == "pikachu")
    // Letters that are keys, and so open a box first.
    #expect(try Self.line("", Self.typed("snorlax")) == "snorlax")
    #expect(try Self.line("gen:2", Self.typed("torchic")) == "gen:2 torchic")
    #expect(try Self.line("pika", [.character("/"), .home] + Self.typed("-")) == "-pika")
    // A box that is left as it was has written nothing.
    let left = Self.typed("/pika") + [.enter, .character("s"), .enter] + Self.typed("/chu")
    #expect(try Self.line("", left) == "pikachu")
  }

  // MARK: Windows that are too small

  private static func shrink(_ tester: inout BrowseTester) {
    tester.state.columns = 40
    tester.state.rows = 12
  }

  @Test func `a form in a window that is too small`() throws {
    var (_, tester) = try BrowseTester.withAdventurers(["Ana"])
    for letter in ["n", "e"] as [Character] {
      try tester.press(.character(letter))
      try tester.type("Bo")
      let form = try tester.form()
      Self.shrink(&tester)
      #expect(try tester.press(.character("q")) == nil)
      let text = try tester.text()
      #expect(text.contains("is kept") && !text.contains("press q"), "\(text)")
      (tester.state.columns, tester.state.rows) = (80, 24)
      #expect(try tester.form() == form)
      try tester.press(.escape)
    }
  }

  @Test func `the way out where q is the way out`() throws {
    var (_, tester) = try BrowseTester.withAdventurers(["Ana"])
    for key in [ScreenKey.escape, .enter] {
      (tester.state.columns, tester.state.rows) = (80, 24)
      try tester.press(key)
      Self.shrink(&tester)
      #expect(try tester.text().contains("press q"))
      #expect(try tester.press(.character("q")) == .leave(command: nil))
    }
    (tester.state.columns, tester.state.rows) = (80, 24)
    try tester.press(.escape, .character("/"))
    Self.shrink(&tester)
    #expect(try tester.press(.character("q")) == nil)
    #expect(try !tester.text().contains("press q"))
  }
}
