import Entities
import Terminal
import Testing

@testable import dexdb

@Suite struct `What people bring from other shells` {
  private static let shared = Dexdb()

  private func run(_ script: String) -> ProgramRun { Self.shared("shell", input: script) }

  @Test func `goes into a file where that is asked for`() {
    let dexdb = Dexdb()
    let once = dexdb.folder.path + "/once.txt"
    let all = dexdb.folder.path + "/all.txt"
    let script = """
      .once \(once)
      .count t:fire
      .count t:ice
      .output \(all)
      #25 show:name
      .count gen:1
      .output
      .count gen:2
      """
    let run = dexdb("shell", input: script)
    #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)")
    #expect(run.text == dexdb("count", "t:ice").text + dexdb("count", "gen:2").text)
    let bytes = { String(decoding: ProgramFolder.bytes($0), as: UTF8.self) }
    #expect(bytes(once) == dexdb("count", "t:fire").text)
    #expect(bytes(all) == "name\nPikachu\n" + dexdb("count", "gen:1").text)
    // What fails leaves the file as it was.
    let failed = dexdb("shell", input: ".once \(once)\nt:fier\n")
    #expect(failed.code == 2 && bytes(once) == dexdb("count", "t:fire").text)
    let safe = dexdb("--safe", "shell", "-c", ".output \(once)")
    #expect(safe.code == 1 && safe.errors.contains("--safe keeps"))
    #expect(bytes(once) == dexdb("count", "t:fire").text)
    let ended = dexdb("shell", "-c", ".output \(once)", "-c", ".count id=1", "-c", ".quit")
    #expect(ended.code == 0 && bytes(once) == "1\n")
    #expect(ProgramFolder.names(in: dexdb.folder.path).allSatisfy { !$0.contains("partial") })
  }

  @Test func `writes rows in the format that the name of a file ends in`() {
    let dexdb = Dexdb()
    let path = { (name: String) in dexdb.folder.path + "/" + name }
    let bytes = { String(decoding: ProgramFolder.bytes(path($0)), as: UTF8.self) }
    let query = "#25 show:number,name"
    let text = { (format: String) in dexdb("find", "--format", format, query).text }
    let names = [
      ("a.json", "json"), ("a.csv", "csv"), ("a.jsonl", "jsonl"), ("a.NDJSON", "jsonl"),
      ("a.tsv", "tsv"), ("a.txt", "tsv"), ("csv", "tsv"),
    ]
    for (name, format) in names {
      #expect(dexdb("shell", input: ".once \(path(name))\n\(query)\n").code == 0)
      #expect(bytes(name) == text(format), "\(name)")
      #expect(dexdb("shell", input: ".output \(path(name))\n\(query)\n").code == 0)
      #expect(bytes(name) == text(format), "\(name)")
      #expect(dexdb("export", "-o", path(name), query).code == 0)
      #expect(bytes(name) == dexdb("export", "--format", format, query).text, "\(name)")
    }
    // A format that is asked for counts more, and a mode counts where the name says nothing.
    #expect(dexdb("export", "--format", "csv", "-o", path("b.json"), query).code == 0)
    #expect(bytes("b.json") == dexdb("export", "--format", "csv", query).text)
    let script = """
      .mode json
      .once \(path("c.csv"))
      \(query)
      .once \(path("c.txt"))
      \(query)
      .export -o \(path("c.tsv")) \(query)
      .once \(path("d.json"))
      .find --csv \(query)
      """
    let run = dexdb("shell", input: script)
    #expect(run.code == 0, "\(run.errors)")
    #expect(bytes("c.csv") == text("csv") && bytes("c.txt") == text("json"))
    #expect(bytes("c.tsv") == dexdb("export", query).text && bytes("d.json") == text("csv"))
    let adventurers = path("adventurers.csv")
    #expect(dexdb("recruit", "name=Bo", "class=Monk").code == 0)
    #expect(dexdb("export", "-o", adventurers, "from:adv").code == 0)
    let again = dexdb(
      "shell", input: ".mode json\n.import --on-conflict skip \(adventurers)\n")
    #expect(again.code == 0, "\(again.errors)")
  }

  @Test func `lists the entities, and opens another database`() {
    let dexdb = Dexdb()
    #expect(run(".tables\n").text == Self.shared("schema").text)
    #expect(run(".tables\n").rows.contains { $0.prefix(2) == ["pokemon", "1025"] })
    let other = dexdb.folder.write(Dexdb.fresh, to: "other.dex")
    #expect(
      Dexdb.run(["-f", other, "recruit", "name=Bo", "class=Monk"], folder: dexdb.folder.path).code
        == 0)
    let moved = dexdb(
      "shell",
      input: ".count from:adv\n.open \(other)\n.count from:adv\n.recruit name=A class=Monk\n"
        + ".count from:adv\n")
    #expect(moved.code == 0 && moved.text == "0\n1\n2\n2\n", "\(moved.text)\(moved.errors)")
    let missing = dexdb("shell", input: ".open \(other)x\n")
    #expect(missing.code == 1 && missing.errors.contains("line 1: no database at \(other)x"))
  }

  @Test func `is told in its own words what to write here`() {
    for (line, help) in [
      (".read", "help: usage: .read FILE"), (".help queries extra", "usage: .help [COMMAND"),
      (".quit now", "'now' is too much for 'quit'"), (".compact -x", ".compact --help lists"),
      (".find -f x", "dexdb --file FILE shell"), (".read /tmp", "/tmp: it is a folder"),
      (".completions bash", "dexdb completions bash"), (".headers on", "--no-header"),
      (".vacuum", ".compact"), (".indexes", ".schema pokemon"), (".bogus", ".help lists"),
      (".count t:fire > o", ".once o and then the line without it"),
      ("select name from pokemon", "no SQL"), (".recruit Bob Monk", ".recruit name=Bob class=Monk"),
    ] {
      let run = run("\n\(line)\n")
      #expect(run.code != 0 && run.errors.contains("line 2: "), "\(line): \(run.errors)")
      #expect(run.errors.contains(help), "\(line): \(run.errors)")
    }
    #expect(!run(".compact -x\n").errors.contains("search"))
    #expect(run(".find -x\n").errors.contains("write -- -x"))
  }

  @Test func `ends a script by its line where a search that says nothing finds nothing`() {
    let quiet = run("\n.find -q #25\n.find -q #9999\n.count t:fire\n")
    #expect(quiet.code == 1 && quiet.text.isEmpty)
    #expect(quiet.errors == "dexdb: line 3: nothing is found, which ends the script\n")
    #expect(Self.shared("find", "-q", "#9999").errors.isEmpty)
  }

  @Test func `closes the database also where the output has no room`() throws {
    let session = ShellSession(globals: ParsedArguments())
    let database = try Database(path: Self.shared.database, entities: [])
    try session.keep(database, isWritable: true)
    let full = try OutputFile("/dev/full")
    try full.write("a line\n")
    try session.setOutput(full)
    #expect(throws: FileFailure.self) { try session.close() }
    #expect(throws: (any Error).self) { try database.snapshot() }
    // The first line that shows something ends the script, and is named once.
    let run = Self.shared("shell", "-c", ".output /dev/full", "-c", "t:fire", "-c", "bogus:1")
    #expect(run.code == 1)
    #expect(run.errors == "dexdb: command 2: /dev/full: No space left on device\n")
  }

  @Test func `may have a comment behind it`() {
    let plain = run(".count t:fire\n#25 show:name\n.mode csv\n")
    let commented = run(
      ".count t:fire -- the hot ones\n#25 show:name -- mouse \"\n.mode csv -- for others\n")
    #expect(plain.code == 0 && commented.text == plain.text && commented.errors.isEmpty)
    #expect(run("\"a -- b\"\n").code == 0)
    let words = "-- with --yes and --x"
    let many = run(".tables \(words)\n.mode csv \(words)\n.add name=Ann class=Monk \(words)\n")
    #expect(many.code == 0, "\(many.errors)")
    #expect(run(".tables --x \(words)\n").errors.contains("no option '--x'"))
    #expect(run("-- all\n.count -- -t:fire\n").text == Self.shared("count", "-t:fire").text)
    #expect(run(".count --t:fire\n").text == Self.shared("count", "t:fire").text)
    #expect(run(".count -- -t:fire -- cold\n").text == Self.shared("count", "-t:fire").text)
    let values = Self.shared("find", "--format", "csv", "gen:1 t:fire show:name")
    #expect(values.code == 0 && values.lines.count == 13)
    for call in [".find --format csv --", ".find --csv --", ".find --format csv"] {
      #expect(run("\(call) gen:1 t:fire show:name -- hot\n").text == values.text, "\(call)")
    }
    let file = Self.shared.folder.path + "/first.csv"
    #expect(run(".export -o \(file) --format csv -- gen:1 t:fire\n").code == 0)
    #expect(
      ProgramFolder.bytes(file) == Self.shared("export", "--format", "csv", "gen:1 t:fire").output)
  }
}

@Suite struct `Deleting and changing` {
  private func populated() -> Dexdb {
    let dexdb = Dexdb()
    for number in 1...13 { _ = dexdb("recruit", "--seed", "1", "name=A\(number)", "class=Monk") }
    return dexdb
  }

  @Test func `everything needs --all, also with a limit that leaves nothing out`() {
    let dexdb = populated()
    for query in ["from:adv", "from:adv limit:13", "from:adv limit:999 sort:-level"] {
      for command in [["delete", "--yes"], ["delete", "--dry-run"], ["set", "--dry-run"]] {
        let run = Dexdb.run(
          ["-f", dexdb.database] + command + ["--where", query]
            + (command[0] == "set" ? ["level=2"] : []), folder: dexdb.folder.path)
        #expect(run.code == 2 && run.errors.contains("add --all"), "\(query): \(run.errors)")
      }
    }
    #expect(dexdb("delete", "--yes", "from:adv", "sort:id", "limit:12").code == 0)
    #expect(dexdb("find", "from:adv show:name").lines == ["name", "A13"])
    #expect(dexdb("delete", "--yes", "from:adv", "offset:1").errors == "nothing to delete\n")
    #expect(dexdb("delete", "--yes", "--all", "--where", "from:adv limit:9").code == 0)
    #expect(dexdb("count", "from:adv").text == "0\n")
  }

  @Test func `says who`() {
    let dexdb = populated()
    let first = (1...10).map { "A\($0)" }.joined(separator: ", ")
    for arguments in [
      ["delete", "--dry-run", "--all", "from:adv"],
      ["set", "--dry-run", "--all", "--where", "from:adv", "level=2"],
    ] {
      let run = Dexdb.run(["-f", dexdb.database] + arguments, folder: dexdb.folder.path)
      #expect(run.code == 0 && run.errors.contains("dry run, nothing is changed"))
      #expect(run.errors.contains("13 of adventurers: \(first), and 3 more\n"), "\(run.errors)")
    }
    #expect(dexdb("count", "from:adv level:1").text == "13\n")
    let refused = dexdb("delete", "from:adv name=a7")
    #expect(refused.code == 2 && refused.errors.contains("delete 1 of adventurers (A7)?"))
    let done = dexdb("delete", "--yes", "from:adv", "(name=a7 OR name=a9)")
    #expect(done.errors == "deleted 2 of adventurers: A7, A9\n")
  }
}

@Suite struct `A star` {
  private static let shared = Dexdb()

  private func found(_ query: String) -> Set<Int> {
    Set(Self.shared("find", query, "show:number").numbers)
  }

  private func species(_ fits: ([String]) -> Bool) -> Set<Int> {
    Set(PlainFacts.species.filter { $0.names.contains(where: fits) }.map(\.number))
  }

  @Test(arguments: ["saur", "chu", "ol", "ナ", "é", "SAUR", "ット"])
  func `before and behind finds within words, in every language`(part: String) {
    let word = PlainFacts.words(part).joined()
    let within = species { $0.contains { $0.contains(word) } }
    #expect(within.count > 2 && found("*\(part)*") == within)
    #expect(found("name:*\(part)*") == within)
    #expect(found("-name:*\(part)*").count == 1025 - within.count)
    let ending = species { $0.contains { $0.hasSuffix(word) } }
    #expect(found("*\(part)") == ending && found("n:*\(part)") == ending)
    let beginning = species { $0.contains { $0.hasPrefix(word) } }
    #expect(found("\(part)*") == beginning && found(part) == beginning)
  }

  @Test func `joins words as they stand side by side`() {
    let mime = species { names in
      zip(names, names.dropFirst()).contains { $0.hasSuffix("r") && $1.hasPrefix("mi") }
    }
    #expect(mime.contains(122) && found("*r-mi*") == mime && found("*\"r mi\"*") == mime)
    #expect(found("*r-mime").contains(122) && !found("*r-mim").contains(122))
    // In quotes it is a sign like others.
    #expect(found("\"*saur*\"").isEmpty && found("\"pik*\"") == found("\"pik\""))
    #expect(found("25*") != found("25"))
  }

  @Test func `works in other entities, and shows the name that was found`() {
    let dexdb = Dexdb()
    _ = dexdb("recruit", "name=Anabel", "class=Wizard")
    #expect(dexdb("find", "from:adv *nabe* show:name").lines == ["name", "Anabel"])
    #expect(dexdb("count", "from:adv class:*zar*").text == "1\n")
    #expect(dexdb("count", "from:moves *pun*").code == 0)
    #expect(dexdb("find", "--format", "table", "*カチュ*").text.contains("Pikachu (ピカチュウ)"))
    // A match at the start of a name comes first.
    let order = dexdb("find", "*pi* show:number").numbers
    let starting = species { $0.first?.hasPrefix("pi") ?? false }
    #expect(Set(order.prefix(starting.count)) == starting && order.count > starting.count)
  }
}
