import Glibc
import Testing

@Suite struct `The shell on a terminal` {
  private static let shared = Dexdb()

  private static func shell(
    _ dexdb: Dexdb = shared, columns: Int = 80, rows: Int = 24, state: ProgramFolder? = nil,
    environment: [String] = []
  ) -> PseudoTerminal {
    let state = (state?.path ?? dexdb.folder.path) + "/state"
    let terminal = PseudoTerminal(
      ["-f", dexdb.database, "shell"], folder: dexdb.folder.path, columns: columns, rows: rows,
      environment: ["XDG_STATE_HOME=\(state)"] + environment)
    terminal.waitForPrompt()
    return terminal
  }

  @Test func `begins where no command is given`() {
    let dexdb = Self.shared
    let terminal = PseudoTerminal(["-f", dexdb.database], folder: dexdb.folder.path)
    terminal.waitForPrompt()
    terminal.type("#25\r")
    terminal.wait(for: "Pikachu")
    terminal.waitForPrompt()
    terminal.type("\u{4}")
    #expect(terminal.waitForEnd() == 0)
    #expect(!terminal.screen.takesPaste)
  }

  @Test func `completes to what candidates have in common, and lists them`() {
    let terminal = Self.shell()
    terminal.type("char\t")
    terminal.wait("the list") {
      $0.all.contains("Charmander") && $0.all.contains("Charizard")
        && $0.beforeCursor == "dexdb> char"
    }
    terminal.type("iz\t")
    terminal.wait("the name") { $0.beforeCursor == "dexdb> Charizard " }
    terminal.type("\u{3}")
    terminal.waitForPrompt()
    terminal.type(".cou\tt:gh\t")
    terminal.wait("both words") { $0.beforeCursor == "dexdb> .count t:ghost " }
    terminal.type("\r")
    terminal.wait("the count") {
      $0.lines.contains(Self.shared("count", "t:ghost").lines[0])
    }
    terminal.waitForPrompt()
    terminal.type(".mode \t")
    terminal.wait("the formats") {
      $0.all.contains("markdown") && $0.beforeCursor == "dexdb> .mode "
    }
    terminal.type("\u{15}.quit\r")
    #expect(terminal.waitForEnd() == 0)
  }

  @Test func `keeps a table where the screen has no room for its last columns, and says so`() {
    let dexdb = Dexdb()
    #expect(dexdb("recruit", "name=Ana Maria of the Hills", "class=Wizard").code == 0)
    let terminal = Self.shell(dexdb)
    terminal.type("from:adv\r")
    terminal.wait("the table") { screen in
      screen.lines.contains { $0.contains("name") && $0.contains("class") && $0.contains("level") }
        && screen.all.contains("1 row; no room for") && screen.all.contains("losses")
    }
    // Columns that were chosen are all shown, if need be a line each.
    terminal.waitForPrompt()
    terminal.type(
      "from:adv show:id,name,class,level,xp,hp,maxhp,atk,def,evasion,spe,wins,losses,created\r")
    terminal.wait("the lines") { screen in screen.lines.contains { $0.hasSuffix("losses  0") } }
    terminal.waitForPrompt()
    terminal.type(".quit\r")
    #expect(terminal.waitForEnd() == 0)
  }

  @Test(arguments: [[], ["--ascii"]])
  func `draws a picture with blocks, and without them where ASCII is wanted`(options: [String]) {
    let terminal = PseudoTerminal(
      ["-f", Self.shared.database] + options + ["show", "--no-pager", "pikachu"],
      folder: Self.shared.folder.path, environment: ["TERM=xterm-256color"])
    #expect(terminal.waitForEnd() == 0)
    let blocks = "▀▄█▌▐".contains { terminal.screen.all.contains($0) }
    #expect(blocks == options.isEmpty)
    #expect(terminal.screen.all.contains("Pikachu"))
  }

  @Test func `remembers lines from one session to the next`() {
    let state = ProgramFolder()
    let first = Self.shell(state: state)
    for line in ["#25 show:name", "#26 show:name", "#25 show:name", "   "] {
      first.type(line + "\r")
      first.wait("the answer") { $0.beforeCursor == "dexdb> " && $0.takesPaste }
    }
    first.type(".quit\r")
    #expect(first.waitForEnd() == 0)
    let path = state.path + "/state/dexdb/history"
    #expect(
      String(decoding: ProgramFolder.bytes(path), as: UTF8.self)
        == "#26 show:name\n#25 show:name\n.quit\n")
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)

    let second = Self.shell(state: state)
    second.type("\u{10}\u{10}")
    second.wait("the line before the last") { $0.beforeCursor == "dexdb> #25 show:name" }
    second.type("\u{10}")
    second.wait("the line before that") { $0.beforeCursor == "dexdb> #26 show:name" }
    second.type("\r")
    second.wait(for: "Raichu")
  }

  @Test func `says below a table in whole words what had no room`() {
    let terminal = Self.shell(columns: 50)
    terminal.type("#25\r")
    terminal.wait("the note") { screen in
      let words = Set(screen.lines.flatMap { $0.split(separator: " ") })
      return words.isSuperset(of: ["1", "row;", "no", "room", "for", "show:", "chooses", "columns"])
    }
  }

  @Test func `takes what is pasted for text, and runs it when it is entered`() {
    let terminal = Self.shell()
    terminal.type("\u{1B}[200~#25\tshow:name\n.count #26\u{1B}[201~")
    terminal.wait("the pasted lines") {
      $0.all.contains("dexdb> #25 show:name") && $0.beforeCursor == ".count #26"
    }
    #expect(!terminal.screen.all.contains("Pikachu"))
    terminal.type("\r")
    terminal.wait("both answers") { $0.all.contains("Pikachu") && $0.lines.contains("1") }
    terminal.waitForPrompt()
    // A command to the terminal within a paste is nothing but text without its escape.
    terminal.type("\u{1B}[200~#25 \u{1B}[31mshow:name\u{1B}[201~\u{15}.quit\r")
    #expect(terminal.waitForEnd() == 0)
  }

  @Test func `survives an interrupt of a line, of a question and of what runs`() {
    let dexdb = Dexdb()
    #expect(dexdb("recruit", "name=Ana", "class=Wizard").code == 0)
    _ = dexdb.folder.write(
      String(repeating: "t:fire spe>=100 show:name\n", count: 200_000), to: "long.txt")
    let terminal = Self.shell(dexdb)
    terminal.type("t:fire and mo")
    terminal.wait("the line") { $0.beforeCursor == "dexdb> t:fire and mo" }
    terminal.type("\u{3}")
    terminal.wait(for: "^C")
    terminal.waitForPrompt()

    terminal.type(".delete --where 'from:adv name:ana'\r")
    terminal.wait(for: "delete 1 of adventurers (Ana)? [y/N]")
    terminal.type("\u{3}")
    terminal.wait(for: "interrupted")
    terminal.waitForPrompt()

    terminal.type(".read \(dexdb.folder.path)/long.txt\r")
    terminal.wait("the file's first answers") { $0.all.contains("Charizard") }
    terminal.type("\u{3}")
    terminal.wait("the interruption") {
      $0.all.split(separator: "\n").filter { $0.hasSuffix("interrupted") }.count == 2
    }
    terminal.waitForPrompt()

    terminal.type(".count from:adv\r")
    terminal.wait("the count") { $0.lines.contains("1") }
    terminal.type(".delete --where 'from:adv name:ana'\r")
    terminal.wait("the question") { $0.beforeCursor == "delete 1 of adventurers (Ana)? [y/N] " }
    terminal.type("y\r")
    terminal.wait(for: "deleted 1 of adventurers")
    terminal.waitForPrompt()
    terminal.type("\u{4}")
    #expect(terminal.waitForEnd() == 0)
  }

  @Test func `shows as many rows as fit, and the others when asked`() {
    let terminal = Self.shell(rows: 20, environment: ["PAGER=cat"])
    terminal.type("gen:1 t:water show:name\r")
    let count = Self.shared("count", "gen:1", "t:water").lines[0]
    terminal.wait(for: "15 of \(count) rows; .last shows the others")
    terminal.waitForPrompt()
    #expect(terminal.screen.all.contains("Squirtle"))
    #expect(!terminal.screen.all.contains("Vaporeon"))
    terminal.type(".last\r")
    terminal.wait(for: "Vaporeon")
    terminal.wait(for: "\((Int(count) ?? 0) - 15) more rows")
    terminal.waitForPrompt()
    terminal.type("gen:1 t:water show:name limit:16\r")
    terminal.wait(for: "16 rows")
  }

  @Test func `starts a pager only for what does not fit`() {
    let pager = "PAGER=sh -c 'echo PAGED; cat >/dev/null'"
    let terminal = Self.shell(environment: [pager])
    terminal.type(".find #25 show:name\r")
    terminal.wait(for: "Pikachu")
    terminal.waitForPrompt()
    #expect(!terminal.screen.all.contains("PAGED"))
    terminal.type(".find gen:1 limit:60 show:name\r")
    terminal.wait(for: "PAGED")
    terminal.waitForPrompt()
    terminal.type(".find --no-pager gen:1 limit:60 show:name\r")
    terminal.wait(for: "Bulbasaur")
  }

  @Test func `follows a new size, a stop and an end`() {
    let terminal = Self.shell(columns: 80)
    terminal.type(String(repeating: "abcdefghi ", count: 5))
    terminal.wait("the line") { $0.beforeCursor.hasSuffix("abcdefghi ") }
    terminal.resize(columns: 40, rows: 20)
    terminal.type("\u{3}")
    terminal.waitForPrompt()
    terminal.type(String(repeating: "x", count: 45))
    terminal.wait("the line on two") { $0.beforeCursor == String(repeating: "x", count: 12) }
    terminal.type("\u{15}")
    terminal.waitForPrompt()

    terminal.send(SIGTERM)
    #expect(terminal.waitForEnd() == 128 + SIGTERM)
    #expect(!terminal.screen.takesPaste)
  }

  @Test func `gives the terminal back when it is stopped, and goes on with its line`() {
    let terminal = PseudoTerminal(
      ["-i"], folder: Self.shared.folder.path,
      environment: ["PS1=$ ", "PATH=/usr/bin:/bin"], program: "/bin/sh")
    terminal.wait("a prompt") { $0.beforeCursor.hasSuffix("$ ") }
    terminal.type("'\(Dexdb.program)' -f test.dex shell\r")
    terminal.waitForPrompt()
    terminal.type("pik")
    terminal.wait("the line") { $0.beforeCursor == "dexdb> pik" }
    terminal.type("\u{1A}")
    terminal.wait("the outer shell") { $0.beforeCursor.hasSuffix("$ ") && !$0.takesPaste }
    terminal.type("stty -a | tr ' ' '\\n' | grep -x -e -*icanon\r")
    terminal.wait("the terminal's mode") { $0.lines.contains("icanon") }
    terminal.type("fg\r")
    terminal.wait("the line again") { $0.beforeCursor == "dexdb> pik" && $0.takesPaste }
    terminal.type(" limit:1 show:name\r")
    terminal.wait(for: "Pikachu")
    terminal.waitForPrompt()
    terminal.type("\u{4}")
    terminal.wait("the outer shell") { $0.beforeCursor.hasSuffix("$ ") }
    terminal.type("exit\r")
    #expect(terminal.waitForEnd() == 0)
  }

  @Test func `shows no control that a name or a query holds`() {
    let dexdb = Dexdb()
    #expect(dexdb("recruit", "name=E\u{1B}[31mvil\u{202E}", "class=Wizard").code == 0)
    let terminal = Self.shell(dexdb)
    terminal.type("from:adv show:name\r")
    terminal.wait(for: "E\\x1b[31mvil\\u{202e}")
    terminal.waitForPrompt()
    terminal.type("from:adv name:e\t")
    terminal.wait("a completion") { $0.all.contains("E\\x1b") || $0.beforeCursor.contains("name:") }
    terminal.type("\u{15}.quit\r")
    #expect(terminal.waitForEnd() == 0)
  }
}
