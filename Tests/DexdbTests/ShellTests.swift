import Glibc
import Testing

@Suite struct `The shell without a terminal` {
  private static let shared = Dexdb()

  @Test func `runs searches and commands line by line`() {
    let script = """
      -- who is quick

      #25 show:name
        .count t:fire t:flying
      .show --from pokemon mew
      """
    let dexdb = Self.shared
    let run = dexdb("shell", input: script)
    #expect(run.code == 0 && run.errors.isEmpty)
    let expected = [
      dexdb("find", "#25 show:name"), dexdb("count", "t:fire t:flying"),
      dexdb("show", "--from", "pokemon", "mew"),
    ]
    #expect(run.text == expected.map(\.text).joined())
    #expect(!run.text.contains("dexdb>"))
  }

  @Test func `stops at the first error, and names its line`() {
    let run = Self.shared("shell", input: "#25 show:name\n\n-- nothing\nt:fier\n#26 show:name\n")
    #expect(run.code == 2)
    #expect(run.text == "name\nPikachu\n")
    #expect(
      run.errors
        == "dexdb: line 4: no type 'fier'\n  t:fier\n    ^~~~\nhelp: did you mean 'fire'?\n")
    let failed = Self.shared("shell", input: ".show nobody-at-all\n")
    #expect(failed.code == 1 && failed.errors.hasPrefix("dexdb: line 1: nothing is called"))
    let unknown = Self.shared("shell", input: ".fnid x\n")
    #expect(unknown.code == 2 && unknown.errors.contains("help: did you mean '.find'?"))
    let open = Self.shared("shell", input: ".show \"mew\n")
    #expect(open.code == 2 && open.errors.contains("a quotation mark is not closed"))
    let missing = Dexdb(isInitialized: false)("shell", input: ".count\n")
    #expect(missing.code == 1 && missing.errors.contains("line 1: no database at"))
  }

  @Test func `leaves and helps also at the words for that in other shells`() {
    for word in ["quit", "exit", " quit "] {
      let run = Self.shared("shell", input: "\(word)\n#25 show:name\n")
      #expect(run.code == 0 && run.text.isEmpty && run.errors.isEmpty, "\(word)")
    }
    let helped = Self.shared("shell", input: "help\n")
    #expect(helped.code == 0 && helped.text == Self.shared("shell", input: ".help\n").text)
  }

  @Test func `takes queries as they stand, and other arguments in quotes`() {
    let dexdb = Dexdb()
    let lines = { (script: String) in dexdb("shell", input: script).lines }
    let phrase = dexdb("find", "\"mr. mi\" show:name").lines
    #expect(phrase == ["name", "Mr. Mime"])
    #expect(lines("\"mr. mi\" show:name") == phrase)
    #expect(lines(".find \"mr. mi\" show:name") == phrase)
    #expect(lines(".find '\"mr. mi\" show:name'") == phrase)
    #expect(lines(".find --no-header -t:flying t:bug gen:1 show:name").count > 3)
    #expect(lines(".count farfetch'd") == ["1"])
    #expect(lines(".show --from pokemon farfetch'd").contains("slug\tfarfetchd"))
    let added = dexdb(
      "shell", input: ".recruit name=\"Ana B\" class='Wizard'\nfrom:adv show:name\n")
    #expect(added.lines == ["1", "name", "Ana B"])
    #expect(lines(".delete --yes --where 'from:adv name=\"ana b\"'\n.count from:adv") == ["0"])
  }

  @Test func `runs the lines that it is given`() {
    let run = Self.shared("shell", "-c", ".mode csv", "-c", "#25 show:number,name")
    #expect(run.code == 0 && run.text == "number,name\n25,Pikachu\n")
    let wrong = Self.shared("shell", "-c", "#25 show:name", "-c", "t:fier", "-c", "#26")
    #expect(wrong.code == 2 && wrong.text == "name\nPikachu\n")
    #expect(wrong.errors.hasPrefix("dexdb: command 2: no type 'fier'\n"))
    #expect(Self.shared("shell", "-c", "t:fier").errors.hasPrefix("dexdb: no type 'fier'\n"))
  }

  @Test func `takes lines as they come, with a mark of their coding or in one argument`() {
    let dexdb = Dexdb()
    let script = dexdb("shell", input: "\u{FEFF}.mode csv\nid=1 show:name\n")
    #expect(script.code == 0)
    #expect(script.text == "name\nBulbasaur\n")
    let argument = dexdb("shell", "-c", ".mode csv\nid=1 show:name")
    #expect(argument.text == "name\nBulbasaur\n")
  }

  @Test func `keeps its settings from line to line`() {
    let dexdb = Self.shared
    let run = dexdb("shell", input: ".mode csv\n#25 show:number,name\n.mode auto\n#25 show:name\n")
    #expect(run.text == "number,name\n25,Pikachu\nname\nPikachu\n")
    #expect(dexdb("shell", input: ".mode\n.mode json\n.mode\n").lines == ["auto", "json"])
    #expect(dexdb("shell", input: ".mode xml\n").code == 2)
    let timed = dexdb("shell", input: ".timer on\n#25 show:name\n.timer off\n#26 show:name\n")
    #expect(timed.errors.split(separator: "\n").count == 2, "\(timed.errors)")
    #expect(timed.errors.hasSuffix(" ms\n"))
    let plan = dexdb("explain", "t:fire spe>=100").lines.dropFirst()
    let explained = dexdb("shell", input: ".explain on\nt:fire spe>=100 show:name\n")
    #expect(explained.errors.split(separator: "\n").map { String($0) } == Array(plan))
    #expect(dexdb("shell", input: ".explain t:fire spe>=100\n").lines.dropFirst() == plan)
    #expect(dexdb("shell", input: ".quit\nt:fier\n").code == 0)
  }

  @Test func `reads files, which may read others`() {
    let dexdb = Self.shared
    let inner = dexdb.folder.write("#25 show:name\n", to: "inner.txt")
    let outer = dexdb.folder.write(".read \(inner)\n#26 show:name\n", to: "outer file.txt")
    let run = dexdb("shell", input: ".read '\(outer)'\n")
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.lines == ["name", "Pikachu", "name", "Raichu"])
    let endless = dexdb.folder.write(".read \(dexdb.folder.path)/endless.txt\n", to: "endless.txt")
    #expect(dexdb("shell", input: ".read \(endless)\n").errors.contains("16 deep"))
    let wrong = dexdb.folder.write("\nt:fier\n", to: "wrong.txt")
    #expect(dexdb("shell", input: ".read \(wrong)\n").errors.contains("\(wrong):2: no type 'fier'"))
    #expect(dexdb("shell", input: ".read /nowhere/at/all\n").code == 1)
    let safe = Dexdb.run(
      ["-f", dexdb.database, "--safe", "shell"], folder: dexdb.folder.path,
      input: ".read \(inner)\n")
    #expect(safe.code == 1 && safe.errors.contains("--safe"))
  }

  @Test func `changes nothing until a command does, and follows what others commit`() throws {
    let dexdb = Dexdb()
    let before = ProgramFolder.bytes(dexdb.database)
    #expect(dexdb("shell", input: "pik\n.show mew\n").code == 0)
    #expect(ProgramFolder.bytes(dexdb.database) == before)

    // A script whose middle waits for another process to commit.
    let pipe = dexdb.folder.path + "/lines"
    #expect(mkfifo(pipe, 0o600) == 0)
    let terminal = PseudoTerminal(
      ["-c", "'\(Dexdb.program)' -f test.dex shell < lines"], folder: dexdb.folder.path,
      program: "/bin/sh")
    let lines = try #require(fopen(pipe, "w"))
    fputs(".count from:adv\n", lines)
    fflush(lines)
    terminal.wait(for: "0")
    #expect(dexdb("recruit", "name=Ana", "class=Wizard").code == 0)
    fputs("from:adv show:name\n", lines)
    fflush(lines)
    terminal.wait(for: "Ana")
    fputs(".recruit name=Bo class=Knight\n", lines)
    fflush(lines)
    terminal.wait(for: "recruited adventurer 2")
    #expect(dexdb("count", "from:adv").text == "2\n")
    #expect(dexdb("recruit", "name=Cy", "class=Rogue").code == 0)
    fputs("from:adv show:name name:cy\n", lines)
    fclose(lines)
    terminal.wait(for: "Cy")
    #expect(terminal.waitForEnd() == 0)
    #expect(dexdb("check").code == 0)
    #expect(!ProgramFolder.names(in: dexdb.folder.path).contains("test.dex-log"))
  }

  @Test func `refuses to change anything where it may only read`() {
    let dexdb = Dexdb()
    let run = Dexdb.run(
      ["-f", dexdb.database, "--readonly", "shell"], folder: dexdb.folder.path,
      input: ".recruit name=A class=B\n")
    #expect(run.code == 1 && run.errors.contains("line 1: --readonly"))
  }

  @Test func `helps as one writes in it`() {
    let help = Self.shared("shell", input: ".help\n")
    #expect(help.code == 0)
    for name in [".find", ".mode", ".timer", ".explain", ".last", ".read", ".quit", ".recruit"] {
      #expect(help.text.contains(name), "\(name)")
    }
    #expect(Self.shared("shell", input: ".help find\n").text.contains("  .find t:fire t:flying"))
    #expect(Self.shared("shell", input: ".help queries\n").text.contains("takes.ice>=4"))
    #expect(Self.shared("shell", input: ".mode --help\n").text.contains("usage: .mode"))
    #expect(Self.shared("shell", input: ".shell\n").code == 1)
    #expect(Self.shared("shell", input: ".last\n").errors.contains("hid no rows"))
  }
}
