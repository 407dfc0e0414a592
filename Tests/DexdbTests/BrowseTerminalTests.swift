import Glibc
import Testing

@Suite(.serialized) struct `The screens in a terminal` {
  private static func started(
    _ dexdb: Dexdb, _ options: [String] = [], query: [String] = [], environment: [String] = [],
    columns: Int = 80, rows: Int = 24, output: String? = nil
  ) -> TerminalProgram {
    TerminalProgram(
      ["-f", dexdb.database] + options + ["browse"] + query, environment: environment,
      columns: columns, rows: rows, output: output)
  }

  @Test func `answer each key, and leave the terminal as it was`() {
    let dexdb = Dexdb()
    let program = Self.started(dexdb)
    let before = program.firstModes
    #expect(program.shows("Bulbasaur"))
    #expect(program.emulator.isOnOtherPage)
    #expect(program.modes != before)
    program.send("pik")
    #expect(program.shows("Search: pik"))
    #expect(program.waits { $0.text.contains("Pikipek") && !$0.text.contains("Bulbasaur") })
    program.send("\rg")
    #expect(program.shows("#731"))
    program.send("g")
    #expect(program.waits { $0.text.contains("Types") })
    // What follows a letter at once would make a word of both.
    usleep(300_000)
    program.send("t")
    #expect(program.shows("all that are chosen must hold"))
    program.send("\u{1B}")
    #expect(program.waits { !$0.text.contains("must hold") })
    program.send("\r")
    #expect(program.shows("Mouse Pokémon"))
    #expect(program.shows("PgDn more"))
    program.send("\u{1B}")
    #expect(program.waits { $0.text.contains("Search: pik") })
    program.resize(columns: 120, rows: 40)
    #expect(program.waits { $0.lines.count == 40 && $0.lines[39].contains("quit") })
    #expect(program.emulator.lines.contains { $0.hasPrefix("▸ 0025") })
    program.send("y")
    #expect(program.wait() == 0)
    #expect(program.emulator.text.contains("find pik"))
    #expect(program.modes == before)
    #expect(!program.emulator.isOnOtherPage)
    #expect(program.emulator.isCursorShown)
    #expect(program.emulator.unknown.isEmpty)
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGSEGV, SIGABRT])
  func `put the terminal back when a signal ends them`(number: Int32) {
    let dexdb = Dexdb()
    let program = Self.started(dexdb)
    let before = program.firstModes
    #expect(program.shows("Bulbasaur"))
    program.signal(number)
    #expect(program.wait() == 128 + number)
    #expect(program.modes == before)
    #expect(!program.emulator.isOnOtherPage)
    #expect(program.emulator.isCursorShown)
  }

  @Test func `end by the key for it, which is no crash`() {
    let dexdb = Dexdb()
    let program = Self.started(
      dexdb, environment: ["SWIFT_BACKTRACE=enable=yes,interactive=no,color=no"])
    let before = program.firstModes
    #expect(program.shows("Bulbasaur"))
    program.send("\u{1C}")
    #expect(program.wait() == 128 + SIGQUIT)
    #expect(program.modes == before)
    #expect(!program.emulator.isOnOtherPage)
    #expect(!program.emulator.text.contains("crash"))
  }

  @Test func `are stopped by a key once, also while a quest has the terminal`() {
    let dexdb = Dexdb()
    #expect(dexdb("recruit", "name=Ana", "class=Wizard").code == 0)
    let program = Self.started(dexdb)
    #expect(program.shows("Bulbasaur"))
    program.send("\t")
    #expect(program.shows("▸ 1"))
    program.send("Q")
    #expect(program.shows("Quest for"))
    // At once it would go on with a name in capitals.
    usleep(600_000)
    program.send("Y")
    #expect(program.shows("What happened"))
    let changes = program.emulator.pageChanges
    // The terminal sends it to all; the quest answers it, and its stop is what stops this one.
    program.signal(SIGTSTP)
    program.send("q")
    #expect(program.shows("Adventurers"))
    program.send("q")
    #expect(program.wait() == 0)
    // The quest's page goes, the list's comes, and goes in the end.
    #expect(program.emulator.pageChanges == changes + 3)
  }

  @Test func `end a quest that has the terminal with themselves`() {
    let dexdb = Dexdb()
    #expect(dexdb("recruit", "name=Ana", "class=Wizard").code == 0)
    let program = Self.started(dexdb)
    let before = program.firstModes
    #expect(program.shows("Bulbasaur"))
    program.send("\tQ")
    #expect(program.shows("Quest for Ana?"))
    // At once it would go on with a name in capitals.
    usleep(600_000)
    program.send("Y")
    #expect(program.shows("What happened"))
    program.signal(SIGTERM)
    #expect(program.wait() == 128 + SIGTERM)
    #expect(program.modes == before)
    #expect(!program.emulator.isOnOtherPage)
  }

  @Test func `refuse at once what would change something where nothing may be changed`() {
    let dexdb = Dexdb()
    #expect(dexdb("recruit", "name=Ana", "class=Wizard").code == 0)
    let program = Self.started(dexdb, ["--readonly"])
    #expect(program.shows("Bulbasaur"))
    program.send("\t")
    #expect(program.shows("Ana"))
    for page in ["list", "details"] {
      for letter in page == "list" ? ["n", "e", "d", "Q"] : ["e", "d", "Q"] {
        program.send(letter)
        #expect(
          program.shows("--readonly keeps 'browse' from changing"), "\(letter) in the \(page)")
        for asked in ["Recruit an", "Change", "Delete Ana", "Quest for"] {
          #expect(!program.emulator.text.contains(asked), "\(letter) in the \(page)")
        }
        // A key that clears what is said, and ends what the letter may have begun.
        program.send("\u{1B}[H")
        #expect(program.waits { !$0.text.contains("--readonly") })
      }
      program.send("\r")
      #expect(program.shows("Esc back"))
    }
    program.send("\u{1B}")
    #expect(program.shows("q quit"))
    program.send("q")
    #expect(program.wait() == 0)
    #expect(dexdb("count", "from:runs").text == "0\n")
  }

  @Test func `go away and come back`() {
    let dexdb = Dexdb()
    let program = Self.started(dexdb)
    let before = program.firstModes
    #expect(program.shows("Bulbasaur"))
    program.send("\u{1B}[B\u{1B}[B")
    #expect(program.waits { $0.lines.contains { $0.hasPrefix("▸ 0003") } })
    program.signal(SIGTSTP)
    // An orphan cannot be stopped by this signal, so only the screen's going and coming is seen.
    _ = program.waits { !$0.isOnOtherPage }
    program.signal(SIGCONT)
    #expect(program.waits { $0.isOnOtherPage && $0.lines.contains { $0.hasPrefix("▸ 0003") } })
    program.send("q")
    #expect(program.wait() == 0)
    #expect(program.modes == before)
  }

  @Test func `ignore no stop, not even while they draw`() {
    let dexdb = Dexdb()
    let program = Self.started(dexdb)
    #expect(program.shows("Bulbasaur"))
    var times = 0
    for _ in 0..<20 {
      program.send("\u{1B}[B")
      for _ in 0..<200 where program.ignores(SIGTSTP) { times += 1 }
      #expect(program.waits { _ in true })
    }
    #expect(times == 0)
    program.send("q")
    #expect(program.wait() == 0)
  }

  @Test func `take the bytes of a character, however they come`() {
    let dexdb = Dexdb()
    let program = Self.started(dexdb)
    #expect(program.shows("Bulbasaur"))
    program.send("/")
    #expect(program.shows("Esc"))
    for byte in Array("é€".utf8) {
      program.send(bytes: [byte])
      usleep(20_000)
    }
    // What is no character is nothing, and takes nothing with it.
    program.send(bytes: [0xC3, 0x41, 0xFF, 0xE3, 0x81, 0x42])
    #expect(program.shows("é€AB"))
    program.send("\u{1B}")
    #expect(program.shows("q quit"))
    program.send("q")
    #expect(program.wait() == 0)
  }

  @Test func `come back after a stop that nobody can refuse`() {
    let dexdb = Dexdb()
    let program = Self.started(dexdb)
    #expect(program.shows("Bulbasaur"))
    program.signal(SIGSTOP)
    #expect(program.isStopped())
    program.resize(columns: 100, rows: 30)
    program.signal(SIGCONT)
    #expect(program.waits { $0.text.contains("Bulbasaur") && $0.lines[29].contains("quit") })
    program.send("q")
    #expect(program.wait() == 0)
  }

  @Test func `miss no change of size`() {
    let dexdb = Dexdb()
    let program = Self.started(dexdb)
    #expect(program.shows("Bulbasaur"))
    for step in 0..<40 {
      program.resize(columns: 70 + step, rows: 20 + step % 20)
      if step % 4 == 0 { program.send("\u{1B}[B") }
    }
    program.resize(columns: 90, rows: 33)
    #expect(program.waits { $0.lines[32].contains("quit") && $0.text.contains("Bulbasaur") })
    #expect(program.waits { $0.lines.contains { $0.hasPrefix("▸ 0011") } })
    program.send("q")
    #expect(program.wait() == 0)
  }

  @Test(arguments: ["xterm-256color", "xterm", "vt100", "linux", "screen"])
  func `work on this terminal`(name: String) {
    let dexdb = Dexdb()
    let program = Self.started(dexdb, environment: ["TERM=\(name)"])
    #expect(program.shows("Bulbasaur"))
    program.send("/t:fire")
    #expect(program.shows("Charmander"))
    program.send("\r\r")
    #expect(program.shows("Lizard Pokémon"))
    program.send("q")
    #expect(program.wait() == 0)
  }

  @Test(arguments: ["dumb", "", "no-such-terminal"])
  func `refuse a terminal that cannot show them`(name: String) {
    let dexdb = Dexdb()
    let program = Self.started(dexdb, environment: ["TERM=\(name)"])
    let before = program.firstModes
    #expect(program.wait() == 1)
    #expect(program.emulator.text.contains("help: dexdb find lists records"))
    #expect(program.modes == before)
    let run = dexdb("browse")
    #expect(run.code == 1)
    #expect(run.errors.contains("browse needs a terminal"))
  }

  @Test func `write what they print to a pipe, and show themselves on the terminal`() {
    let dexdb = Dexdb()
    let path = dexdb.folder.path + "/printed"
    let program = Self.started(dexdb, query: ["t:ghost", "gen:1"], output: path)
    #expect(program.shows("Gastly"))
    program.send("y")
    #expect(program.wait() == 0)
    let printed = String(decoding: ProgramFolder.bytes(path), as: UTF8.self)
    #expect(printed == "dexdb -f \(dexdb.database) find 't:ghost gen:1'\n")
  }

  @Test func `say what is wrong with a query before anything is shown`() {
    let dexdb = Dexdb()
    let program = Self.started(dexdb, query: ["t:fier"])
    #expect(program.wait() == 2)
    #expect(program.emulator.text.contains("did you mean 'fire'?"))
  }

  @Test func `draw plain lines for readers of screens, and no colour where none is wanted`() {
    let dexdb = Dexdb()
    let program = Self.started(dexdb, environment: ["ACCESSIBLE=1", "NO_COLOR=1"])
    #expect(program.shows("Bulbasaur"))
    let marks = "─│╭╮╰╯▀▄█▸━●"
    #expect(!program.emulator.text.contains { marks.contains($0) })
    #expect(program.waits { $0.isCursorShown })
    program.send("t")
    #expect(program.shows("[ ]"))
    #expect(!program.emulator.text.contains { marks.contains($0) })
    program.send("\u{1B}")
    program.send("q")
    #expect(program.wait() == 0)
  }

  @Test func `begin with adventurers where the query is about them`() {
    let dexdb = Dexdb()
    for name in ["Ana", "Bo"] {
      #expect(dexdb("recruit", "name=\(name)", "class=Wizard").code == 0)
    }
    let program = Self.started(dexdb, query: ["from:adv", "name:bo"])
    #expect(program.waits { $0.text.contains("[Adventurers]") && $0.text.contains("▸ 2") })
    #expect(!program.emulator.text.contains("Ana"))
    program.send("q")
    #expect(program.wait() == 0)
  }

  @Test func `show the file that takes the place of the first one`() {
    let (dexdb, other) = (Dexdb(), Dexdb())
    #expect(dexdb("recruit", "name=Ana", "class=Wizard").code == 0)
    #expect(other("recruit", "name=Bo", "class=Monk").code == 0)
    let program = Self.started(dexdb, query: ["from:adv"])
    #expect(program.shows("Ana"))
    #expect(rename(other.database, dexdb.database) == 0)
    #expect(program.shows("another file"))
    #expect(program.waits { $0.text.contains("▸ 1     Bo") && !$0.text.contains("Ana") })
    // What is committed from now on is seen as well.
    #expect(dexdb("recruit", "name=Cy", "class=Monk").code == 0)
    #expect(program.shows("Cy"))
    program.send("q")
    #expect(program.wait() == 0)
  }

  @Test func `follow what another process commits, and recruit for others to see`() {
    let dexdb = Dexdb()
    let program = Self.started(dexdb)
    #expect(program.shows("Bulbasaur"))
    program.send("\t")
    #expect(program.shows("Nobody has been recruited yet."))
    _ = dexdb("recruit", "name=Ana", "class=Wizard")
    #expect(program.waits { $0.lines.contains { $0.hasPrefix("▸ 1") && $0.contains("Ana") } })
    program.send("n")
    #expect(program.shows("Recruit an adventurer"))
    program.send("Bo\tkn\u{1B}[C\t\t\t\r")
    #expect(program.shows("recruited Bo, number 2"))
    let run = dexdb("find", "from:adventurers", "show:id,name,profession", "has:portrait")
    #expect(run.rows == [["1", "Ana", "Wizard"], ["2", "Bo", "Knight"]])
    program.send("d")
    #expect(program.shows("Delete Bo?"))
    program.send("Y")
    #expect(program.shows("deleted adventurer 2"))
    #expect(dexdb("count", "from:adventurers").text == "1\n")
    // The other program has the terminal until its quest is left, and then this one again.
    program.send("Q")
    #expect(program.shows("Quest for"))
    // At once it would go on with a name in capitals.
    usleep(600_000)
    program.send("Y")
    #expect(program.shows("What happened"))
    program.send("q")
    #expect(program.shows("Adventurers"))
    program.send("q")
    #expect(program.wait() == 0)
    #expect(dexdb("count", "from:runs").text == "1\n")
  }

  @Test func `harm nothing, whatever a name holds`() {
    let dexdb = Dexdb()
    let names = [
      "\u{1B}[2J\u{1B}[31mred", "\u{202E}gnp.exe", "👩‍👩‍👧 🇯🇵",
      "e" + String(repeating: "\u{301}", count: 90),
      String(repeating: "ピ", count: 80),
    ]
    for name in names {
      #expect(dexdb("recruit", "name=\(name)", "class=\(name)").code == 0)
    }
    let program = Self.started(dexdb)
    #expect(program.shows("Bulbasaur"))
    program.send("\t")
    #expect(
      program.waits { screen in
        screen.lines.contains { $0.hasPrefix("▸ 1") && $0.contains("\\x1b[2J") }
      })
    program.send("\u{1B}[F\r")
    #expect(program.shows("› #5 ピピ"))
    for _ in 0..<4 { program.send("\u{1B}[D") }
    #expect(program.shows("› #1 \\x1b[2J"))
    program.send(String(repeating: "\u{1B}", count: 1))
    #expect(program.shows("Search:"))
    // A paste of ten thousand characters goes into the line, whose length has an end.
    program.send("/")
    for _ in 0..<10 { program.send(String(repeating: "x", count: 1000)) }
    #expect(program.shows("xxxxx"))
    program.send("\u{15}\u{1B}")
    #expect(program.shows("▸ "))
    program.send("q")
    #expect(program.wait() == 0)
    #expect(program.emulator.unknown.isEmpty)
  }
}
