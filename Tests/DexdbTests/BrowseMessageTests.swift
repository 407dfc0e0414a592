import Entities
import Glibc
import Terminal
import Testing

@testable import dexdb

@Suite struct `What the screens say` {
  /// A tester at some size, with colours and so with pictures.
  private static func tester(columns: Int, rows: Int = 24) throws -> BrowseTester {
    try BrowseTester(
      try BrowseTester.pokedex.get(), columns: columns, rows: rows,
      abilities: ScreenAbilities(depth: .common))
  }

  /// The words of all lines one after the other, as somebody reads them.
  private static func words(_ tester: BrowseTester, rows: Range<Int>) throws -> String {
    try tester.lines()[rows].joined(separator: " ").split(separator: " ").joined(separator: " ")
  }

  @Test(arguments: [60, 80]) func `is read to its end`(columns: Int) throws {
    let message =
      "no database at a/rather/long/path/to/a/file.dex: make one with 'dexdb init', "
      + "or name another one by -f FILE"
    var tester = try Self.tester(columns: columns)
    tester.state.complain(message)
    #expect(try Self.words(tester, rows: 2..<5).contains(message))
    try tester.press(.enter)
    tester.state.complain(message)
    #expect(try tester.lines()[1..<4].joined().contains("FILE"))
    try tester.press(.escape, .tab, .character("n"))
    tester.state.complain(message)
    let form = try tester.text()
    for word in message.split(separator: " ") { #expect(form.contains(word), "\(word)") }
    // What is longer than there is room for says so.
    tester.state.complain(String(repeating: message, count: 5))
    #expect(try tester.text().contains("…"))
  }

  @Test(arguments: [60, 80]) func `about a field can be read whole`(columns: Int) throws {
    var tester = try Self.tester(columns: columns)
    try tester.press(.tab, .character("n"))
    try tester.press(.pasted(String(repeating: "x", count: 400)), .enter)
    #expect(try tester.lines()[3].contains("at most 255 bytes, not 400"))
    try tester.press(.control("u"))
    try tester.type("Ana")
    try tester.press(.enter)
    try tester.type("Wizzard")
    try tester.press(.enter)
    let said = try Self.words(tester, rows: 5..<7)
    #expect(said.contains("did you mean Wizard? Down takes it, Ctrl-N keeps Wizzard"), "\(said)")
  }

  @Test(arguments: [60, 80, 120])
  func `how the list is sorted stands at the column that shows it`(columns: Int) throws {
    var (_, tester) = try BrowseTester.withAdventurers(["Ana", "Bo"])
    tester.state.columns = columns
    try tester.type("/sort:-level")
    try tester.press(.enter)
    #expect(try tester.lines()[3].contains(" Lv↓"))
    #expect(try !tester.lines()[3].contains("level"))
    // Once, where the column is.
    let first = try tester.lines()[4].prefix(tester.state.layout.list.columns)
    #expect(first.split(separator: " ").filter { $0 == "1" }.count == 2, "\(first)")
    try tester.press(.escape)
    try tester.type("/sort:speed")
    try tester.press(.enter)
    let titles = try tester.lines()[3]
    #expect(titles.contains(" ↑") && !titles.contains("Lv↓"), "\(titles)")
  }

  @Test func `about a search that finds nothing names keys that do something`() throws {
    var tester = try BrowseTester.withPokedex(columns: 60, rows: 20)
    try tester.type("/zzz")
    #expect(try tester.text().contains("Ctrl-U empties the search"))
    try tester.press(.enter)
    #expect(try tester.text().contains("Esc empties the search"))
    try tester.press(.escape)
    #expect(try tester.lines()[1].hasSuffix("spe>100 ...") && tester.names.count > 5)
  }

  @Test func `of a record is whole in a narrow window`() throws {
    let (database, _) = try BrowseTester.withAdventurers(["Ana"])
    try database.write { transaction throws(DatabaseError) in
      try transaction.set(
        ["profession": .text("Astronomer Royal"), "level": .integer(200)], of: "adventurers",
        EntityID(1))
    }
    var tester = try BrowseTester(
      database, columns: 60, rows: 20, abilities: ScreenAbilities(depth: .common))
    try tester.press(.tab, .character("g"))
    #expect(try tester.text().contains("… 200"))
    try tester.press(.enter)
    let said = try Self.words(
      tester, rows: 2..<5
    ).split { $0.isWhitespace || "▀▄".contains($0) }.joined(separator: " ")
    #expect(said.contains("Astronomer Royal, level 200") && said.contains("well"), "\(said)")
  }

  @Test func `of an unknown field begins with the one that is likest`() throws {
    var tester = try BrowseTester.withPokedex()
    try tester.type("/attackpower>5")
    #expect(try tester.lines()[2].contains("the fields are atk, "))
    try tester.press(.control("u"))
    try tester.type("evolves_to_what:x")
    #expect(try tester.lines()[2...3].joined().contains("the fields are evolves_from, "))
  }

  @Test(arguments: [(60, 20), (80, 24), (120, 40)])
  func `of keys has those first that nobody guesses`(columns: Int, rows: Int) throws {
    var somebody = try BrowseTester.withAdventurers(["Ana"]).1
    (somebody.state.columns, somebody.state.rows) = (columns, rows)
    somebody.state.realm = .adventurers
    try somebody.press(.down)
    let keys = try #require(try somebody.lines().last)
    for key in ["/ search", "n ", "Q quest", "s sort", "y print", "? help", "q quit"] {
      #expect(keys.contains(key), "\(key) at \(columns)")
    }
    if columns >= 80 { #expect(keys.contains("e change") && keys.contains("d delete")) }
    if columns >= 120 { #expect(keys.contains("Enter open") && keys.contains("g grid")) }
    if rows > 30 { return }
    var tester = try Self.tester(columns: columns, rows: rows)
    try tester.press(.enter)
    for _ in 0..<3 {
      #expect(try tester.lines().last?.contains("PgDn more") == true)
      try tester.press(.tab)
    }
  }
}

@Suite struct `A list on the screen` {
  @Test func `of nobody offers no key for somebody`() throws {
    var tester = try BrowseTester.withAdventurers([]).1
    tester.state.realm = .adventurers
    try tester.press(.down)
    let keys = try #require(try tester.lines().last)
    #expect(keys.contains("n new") && keys.contains("/ search"))
    for key in ["Q quest", "e change", "d delete", "Enter", "↑↓"] {
      #expect(!keys.contains(key), "\(keys)")
    }
    try tester.press(.character("/"))
    #expect(try tester.lines().last?.contains("↑↓") == false)
    var other = try BrowseTester.withAdventurers(["Ana"]).1
    try other.press(.down)
    #expect(try other.lines().last?.contains("Q quest") == true)
  }

  @Test(arguments: [60, 80, 110], ["sort:category", "sort:-base_experience", "sort:slug"])
  func `keeps numbers, names and their titles in view beside what it is sorted by`(
    columns: Int, line: String
  ) throws {
    let tester = try BrowseTester.withPokedex(columns: columns, query: line)
    let lines = try tester.lines()
    let head = lines[BrowseLayout.noticeRow + 1]
    #expect(head.contains("No.   Name") && head.contains("Types"), "\(head)")
    let first = lines[BrowseLayout.noticeRow + 2]
    let name = try #require(tester.names.first)
    #expect(first.contains("  \(name.prefix(4))"), "\(first)")
  }
}

@Suite struct `A name on the screens` {
  @Test(arguments: [
    String(repeating: "あ", count: 85), "A" + String(repeating: "\u{301}", count: 127),
    "a\u{1B}[2J\u{202E}b\u{9B}31m" + String(repeating: "x", count: 230), "👨‍👩‍👧‍👦\u{200B}\u{FE0F} b",
  ])
  func `commands nothing, and leaves room for what stands beside it`(name: String) throws {
    var tester = try BrowseTester.withAdventurers([name, "Bo"]).1
    tester.state.realm = .adventurers
    try tester.press(.down, .up)
    for keys: [ScreenKey] in [[], [.character("g")], [.character("g"), .enter]] {
      for key in keys { try tester.press(key) }
      let lines = try tester.lines()
      #expect(!lines.joined().unicodeScalars.contains { TerminalText.isDangerous($0) })
      #expect(lines.allSatisfy { DisplayWidth.of($0) <= 80 })
      #expect(lines.joined().contains("Knight"))
    }
    let title = try tester.lines()[2]
    #expect(title.hasSuffix("  #1") && !title.contains("……"), "\(title)")
    try tester.press(.escape, .character("d"))
    #expect(try tester.text().contains("Delete") && tester.text().contains("?"))
  }
}

@Suite(.serialized) struct `A database that is removed` {
  @Test func `is said at once, and its place can be taken`() {
    let (dexdb, other) = (Dexdb(), Dexdb())
    #expect(other("recruit", "name=Bo", "class=Monk").code == 0)
    let program = TerminalProgram(["-f", dexdb.database, "browse", "from:adv"])
    #expect(program.shows("Nobody has been recruited yet."))
    #expect(unlink(dexdb.database) == 0)
    #expect(program.shows("the database has been removed"))
    #expect(rename(other.database, dexdb.database) == 0)
    #expect(program.waits { $0.text.contains("another file") && $0.text.contains("Bo") })
    program.send("q")
    #expect(program.wait() == 0)
  }
}
