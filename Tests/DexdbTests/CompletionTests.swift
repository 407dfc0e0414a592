import Entities
import Testing

@testable import Terminal
@testable import dexdb

@Suite struct `A completion` {
  /// A made-up world: two entities, four names, a few files.
  private static var world: LineCompletion {
    LineCompletion(
      commands: ShellCommands.all,
      catalog: FieldCatalog(
        entities: [
          CatalogEntity(
            name: "pokemon",
            fields: [
              CatalogField("name", .text),
              CatalogField("types", .names(["fire", "fighting", "ice"])),
              CatalogField("speed", .number), CatalogField("special_attack", .number),
              CatalogField("generation", .category(1...3)),
              CatalogField("abilities", .names(nil), aliases: ["ability"]),
              CatalogField("takes", .number, argumentNames: ["fire", "ice"]),
              CatalogField("is:final", .flag), CatalogField("is:legendary", .flag),
              CatalogField("has:portrait", .flag),
            ]),
          CatalogEntity(
            name: "adventurers",
            fields: [
              CatalogField("name", .text), CatalogField("profession", .text),
              CatalogField("level", .number),
            ]),
        ], defaultEntity: "pokemon", languages: ["de", "en"]),
      names: { entity, start in
        let names =
          entity == "pokemon" ? ["Pikachu", "Pikipek", "Mr. Mime", "Mr. Rime"] : ["Ana", "Ana B"]
        return names.filter { $0.lowercased().hasPrefix(start.lowercased()) }.map { KnownName($0) }
      },
      values: { _, field in
        [
          "abilities": ["static", "intimidate", "inner-focus"],
          "profession": ["Witch Hunter", "Wizard"],
        ][field] ?? []
      },
      files: { folder in
        [
          "./": [], ".": ["a b.csv", "face.PNG", "notes.txt", "sub/", ".hidden"],
          "sub/": ["inner.csv"],
        ][folder]
          ?? []
      }, pictures: ["wizard-1", "wizard-2"])
  }

  /// What a line becomes by Tab, with the cursor at its end; nil where there is a list to show.
  private static func tab(_ line: String) -> String? {
    let completion = world.completion(of: line, at: line.unicodeScalars.count)
    guard let inserted = completion.inserted else { return nil }
    return line.unicodeScalars.dropLast(completion.replacedCount).map { String($0) }.joined()
      + inserted
  }

  private static func list(_ line: String) -> [String] {
    world.completion(of: line, at: line.unicodeScalars.count).candidates.map(\.shown)
  }

  @Test(arguments: [
    // Commands, their options and what these can be.
    (".fin", ".find "), (".rec", nil), (".help mo", ".help mode "),
    (".mode mark", ".mode markdown "),
    (".find --js", ".find --json "), (".find --n", nil),
    (".find --format js", ".find --format json"), (".timer o", nil),
    (".find --format jsonl t:ic", ".find --format jsonl t:ice "), (".set --wh", ".set --where "),
    (".set --where 'from:adv", ".set --where 'from:adventurers "),
    // Fields, directives and flags.
    ("so", "sort:"), ("fr", "from:"), ("lev", nil), ("from:adv lev", "from:adv level"),
    ("is:f", "is:final "), ("-is:leg", "-is:legendary "), ("(is:leg", "(is:legendary "),
    ("has:port", "has:portrait "), ("sort:-sp", nil), ("sort:-spe", nil), ("take", "takes."),
    ("takes.i", "takes.ice"),
    // Values of closed lists, entities, languages.
    ("t:fir", "t:fire "), ("t:fire/ic", "t:fire/ice "), ("t=ice -t:fig", "t=ice -t:fighting "),
    ("gen:", nil), ("from:", nil), ("from:adv", "from:adventurers "), ("lang:d", "lang:de "),
    // Values that the records have.
    ("ability:int", "ability:intimidate "), ("ability:in", nil), ("ability:sta", "ability:static "),
    ("from:adv profession:wiz", "from:adv profession:Wizard "),
    ("from:adv profession:wit", "from:adv profession:\"Witch Hunter\" "),
    // Names, with quotation marks where they hold spaces.
    ("pikac", "Pikachu "), ("pik", nil), ("mr", "\"Mr. "), ("\"mr. m", "\"Mr. Mime\" "),
    ("name:pikip", "name:Pikipek "), ("t:ice pikac", "t:ice Pikachu "),
    (".show pikac", ".show Pikachu "), (".show an", ".show Ana"), (".show ana", nil),
    // Assignments, pictures and files.
    (".add name=Bo prof", nil), (".add name=Bo class=wiz", ".add name=Bo class=Wizard "),
    (".add name=Bo portrait=wiz", ".add name=Bo portrait=wizard-"),
    (".read no", ".read notes.txt "), (".import a", ".import a\\ b.csv "),
    (".read su", ".read sub/"),
    (".read sub/", ".read sub/inner.csv "), (".read .h", ".read .hidden "),
    (".diff no", ".diff notes.txt "), (".diff a.dex su", ".diff a.dex sub/"),
    (".diff a.dex b.dex no", nil), (".portrait se", ".portrait set "),
    (".portrait set pikac", ".portrait set Pikachu "),
    (".portrait set ana no", nil), (".portrait set ana wizard-1", ".portrait set ana wizard-1 "),
    (".portrait set ana fa", ".portrait set ana face.PNG "),
    (".portrait import ", ".portrait import sub/"),
    (".export --f", ".export --format "), (".import --format c", ".import --format csv "),
    // A query in single quotes, and names of several words that nothing holds together.
    (".find 'pikac", ".find 'Pikachu "), (".find 'from:adv lev", ".find 'from:adv level"),
    ("t:ice mr. mi", "t:ice \"Mr. Mime\" "), (".find mr. r", ".find \"Mr. Rime\" "),
    ("-mr. mi", nil),
    // Nothing.
    ("zzz", nil), (".nothing x", nil), ("", nil),
  ])
  func `adds what can only follow`(line: String, expected: String?) {
    #expect(Self.tab(line) == expected)
  }

  @Test func `lists what could follow`() {
    #expect(Self.list("pik") == ["Pikachu", "Pikipek"])
    #expect(Self.list("t:fi") == ["fighting", "fire"])
    #expect(Self.list(".timer ") == ["off", "on"])
    #expect(Self.list("is:") == ["final", "legendary"])
    #expect(Self.list("gen:") == ["1", "2", "3"])
    #expect(Self.list("from:") == ["adventurers", "pokemon"])
    #expect(Self.list(".read ") == ["a b.csv", "face.PNG", "notes.txt", "sub/"])
    #expect(Self.list("sp").contains("spe"))
    #expect(Set(Self.list(".")) == Set(ShellCommands.all.map { "." + $0.name }))
  }

  @Test func `looks only at what stands before the cursor`() {
    let completion = Self.world.completion(of: "t:fir and t:ice", at: 5)
    #expect(completion.inserted == "fire ")
    #expect(completion.replacedCount == 3)
    #expect(Self.world.completion(of: "lev from:adv", at: 3).inserted == "level")
  }

  @Test func `lists in columns, read downwards, as wide as the screen`() {
    let names = (1...7).map { Completion.Candidate("name\($0)") }
    let text = Completion("", names).list(width: 25)
    #expect(text == "name1  name4  name7\nname2  name5\nname3  name6\n")
    let wide = Completion("", [.init("ピカ"), .init("ab"), .init("\u{1B}x")]).list(width: 40)
    #expect(wide == "ピカ    ab      \\x1bx\n" || wide == "ピカ   ab     \\x1bx\n")
    for line in wide.split(separator: "\n") { #expect(line.utf8.allSatisfy { $0 != 0x1B }) }
  }

  @Test func `says what a candidate is`() {
    let help = { (line: String) in
      Dictionary(
        Self.world.completion(of: line, at: line.unicodeScalars.count).candidates.map {
          ($0.text, $0.help)
        }, uniquingKeysWith: { first, _ in first })
    }
    #expect(help("special")["special_attack"] == "special attack: a number")
    #expect(help("gen")["generation"] == "1 to 3")
    #expect(help("t")["type:"] == "types: fire, fighting, ice")
    #expect(help("from:")["from:adventurers"] == nil)
    #expect(help("from:")["adventurers"] == "name, class, level")
    #expect(help("lang:")["de"] == "German")
    #expect(help(".count --")["--timer"] == "say how long it took")
    for line in [".", ".mode ", ".help ", ".portrait ", ".export --format ", "so", "sort:"] {
      let all = help(line)
      #expect(!all.isEmpty && all.values.allSatisfy { !$0.isEmpty }, "\(line): \(all)")
    }
  }

  private static func words(_ words: String...) -> [String] {
    var world = world
    world.commands = Program.commands
    world.shellCommands = ShellCommands.all
    return WordCompletion(world, globals: Program.globalOptions).text(of: words)
      .split(separator: "\n").map { $0.split(separator: "\t").first.map { String($0) } ?? "" }
  }

  @Test func `of words completes a line of the program's own shell`() {
    #expect(Self.words("shell", "-c", ".co") == [".compact ", ".count "])
    #expect(Self.words("shell", "--command", ".mode mark") == [".mode markdown "])
    #expect(Self.words("shell", "-c", ".show mr. m") == [])
    #expect(Self.words("shell", "-c", "t:ice \"mr. m") == ["t:ice \"Mr. Mime\" "])
    #expect(Self.words("shell", "-c", ".read no") == [".read notes.txt "])
    #expect(Self.words("shell", "-c", ".import a") == [".import a\\ b.csv "])
  }

  @Test func `of words goes on with a name of which words stand before`() {
    #expect(Self.words("find", "mr.", "mi") == ["Mime "])
    #expect(Self.words("find", "mr. mi") == ["\"Mr. Mime\" "])
    #expect(Self.words("diff", "a.dex", "") == [":files"])
    #expect(Self.words("diff", "a.dex", "b.dex", "") == [])
    #expect(Self.words("restore", "") == [":files"])
  }

  @Test func `of hostile candidates stays within its lines`() {
    let names = [
      String(repeating: "a", count: 10_000), "b" + String(repeating: "\u{301}", count: 10_000),
      "c\u{1B}[2J\u{202E}d\ne", String(repeating: "あ", count: 5000),
    ]
    let lines = Completion("", names.map { .init($0) }).list(width: 40).split(separator: "\n")
    #expect(lines.count == names.count)
    for line in lines {
      #expect(DisplayWidth.of(String(line)) < 40 && line.utf8.count < 400)
      #expect(!line.unicodeScalars.contains { TerminalText.isDangerous($0) })
    }
  }

  /// What the bundled Pokédex has for the start of a name.
  @Test(arguments: [
    ("flabe", "Flabébé"), ("évo", "Evoli"), ("ピカ", "ピカチュウ"), ("*saur", "Bulbasaur"),
    ("mr mi", "Mr. Mime"), ("koko", "Kokowei"), ("tapu ko", "Tapu Koko"), ("lele", "Tapu Lele"),
  ])
  func `of names finds accents, other languages, parts and inner words`(
    start: String, name: String
  ) throws {
    let database = try BrowseTester.pokedex.get()
    let lines = try LineCompletion(
      commands: ShellCommands.all, catalog: try QueryReading(database).catalog, database: database)
    let line = start.hasPrefix("*") ? start : "\"" + start
    let shown = lines.completion(of: line, at: line.unicodeScalars.count).candidates
    #expect(shown.contains { $0.shown == name }, "\(shown.map(\.shown))")
    if start == "ピカ" { #expect(shown.allSatisfy { $0.help == "Pikachu" }) }
  }

  @Test(arguments: [
    (".a b  c", [".a", "b", "c"]), (".a \"b c\"", [".a", "b c"]), (".a 'b \"c'", [".a", "b \"c"]),
    (".a b\\ c", [".a", "b c"]), (".a x=\"b c\"d", [".a", "x=b cd"]),
    (".a x='b c'", [".a", "x=b c"]),
    (".a farfetch'd b", [".a", "farfetch'd", "b"]), (".a \"b \\\" c\"", [".a", "b \" c"]),
    (".a ''", [".a", ""]), ("", []),
  ])
  func `reads words as shells do`(line: String, words: [String]) {
    let read = CommandWords(line)
    #expect(read.words.map(\.text) == words)
    #expect(read.openQuote == nil)
  }

  @Test func `of words undoes what quoting does`() {
    for text in ["a", "a b", "it's", "\"", "\\", "a\\ \"b'", "ü  ñ"] {
      #expect(CommandWords(CommandWords.quoted(text)).words.map(\.text) == [text])
    }
    #expect(CommandWords(".a 'b").openQuote == "'")
  }
}
