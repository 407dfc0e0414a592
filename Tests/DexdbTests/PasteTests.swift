import Glibc
import Testing

@testable import Terminal

@Suite struct `What is pasted` {
  private static func pasted(_ parts: String...) -> (text: String, isOver: Bool) {
    var paste = PastedText()
    var text = ""
    for part in parts {
      for scalar in part.unicodeScalars { paste.append(scalar.value) }
      text += paste.take()
    }
    return (text, paste.isOver)
  }

  @Test func `is one line without control characters`() {
    #expect(Self.pasted("Ev\u{1B}[31mil\tx\r\n\u{7}y\u{9B}z\u{7F}\n").text == "Ev[31mil x yz")
    #expect(Self.pasted("\n\n", "a\n", "\nb", "\u{2028}c").text == "a b c")
  }

  @Test func `ends where the terminal says so, in however many pieces`() {
    #expect(Self.pasted("a\u{1B}", "[20", "1~") == ("a", true))
    #expect(Self.pasted("a\u{1B}\u{1B}[201~") == ("a", true))
    #expect(Self.pasted("a\u{1B}[20", "0~") == ("a[200~", false))
  }
}

@Suite(.serialized) struct `What is pasted into the screens` {
  private static func bracketed(_ text: String) -> String { "\u{1B}[200~\(text)\u{1B}[201~" }

  private static func started(_ dexdb: Dexdb, _ query: [String] = []) -> TerminalProgram {
    let program = TerminalProgram(["-f", dexdb.database, "browse"] + query)
    #expect(program.waits { $0.text.contains("quit") && $0.marksPastes })
    return program
  }

  @Test func `is searched for, and is no command`() {
    let dexdb = Dexdb()
    #expect(dexdb("recruit", "name=Dylan", "class=Wizard").code == 0)
    let program = Self.started(dexdb, ["from:adv"])
    program.send("\u{1B}[B" + Self.bracketed("dYq\r\tQY\u{1B}[Bn"))
    #expect(program.shows("Search: from:adv dYq QYn"))
    program.send("\r\u{1B}")
    #expect(program.shows("Dylan"))
    program.send("d")
    #expect(program.shows("Delete Dylan?"))
    program.send(Self.bracketed("Y"))
    #expect(program.shows("goes into a search or a form"))
    #expect(program.emulator.text.contains("Delete Dylan?"))
    program.send("\u{1B}")
    #expect(program.shows("nothing was deleted"))
    program.send("q")
    #expect(program.wait() == 0)
    #expect(!program.emulator.marksPastes)
    #expect(dexdb("count", "from:adventurers").text == "1\n")
  }

  @Test func `is text in a field, whatever it holds`() {
    let dexdb = Dexdb()
    let program = Self.started(dexdb, ["from:adv"])
    program.send("n")
    #expect(program.shows("Recruit an adventurer"))
    program.send(Self.bracketed("Ev\u{1B}[31mil\tx\r\n\r\n"))
    #expect(program.shows("Ev[31mil x"))
    program.send("\t")
    program.send(Self.bracketed("Monk\n"))
    #expect(program.shows("Monk"))
    program.send("\t\t\t\r")
    #expect(program.shows("recruited Ev[31mil x, number 1"))
    program.send("q")
    #expect(program.wait() == 0)
    #expect(dexdb("find", "from:adv", "show:name,class").rows == [["Ev[31mil x", "Monk"]])
  }

  @Test func `is nothing where it is empty, and does not begin with a letter`() {
    let dexdb = Dexdb()
    let program = Self.started(dexdb)
    program.send(String(repeating: Self.bracketed(""), count: 2_000))
    // Its number ends as that of the key that begins a paste.
    program.send("/\u{21000}")
    #expect(program.shows("Search: \u{21000}"))
    program.send("\u{1B}")
    #expect(program.shows("q quit"))
    program.send("q")
    #expect(program.wait() == 0)
  }

  @Test func `is marked while they are shown, and not any longer`() {
    let dexdb = Dexdb()
    let away = Self.started(dexdb)
    away.signal(SIGTSTP)
    // An orphan cannot be stopped by this signal, so only their going and coming is seen.
    #expect(away.waits { $0.pasteChanges == 3 && $0.marksPastes })
    // A shell that had the terminal meanwhile has them unmarked.
    away.signal(SIGSTOP)
    #expect(away.isStopped())
    away.signal(SIGCONT)
    #expect(away.waits { $0.pasteChanges == 4 && $0.marksPastes })
    away.send("q")
    #expect(away.wait() == 0)
    #expect(!away.emulator.marksPastes)
    for number in [SIGTERM, SIGHUP, SIGQUIT, SIGSEGV] {
      let program = Self.started(dexdb)
      program.signal(number)
      #expect(program.wait() == 128 + number)
      #expect(!program.emulator.marksPastes, "\(number)")
    }
  }
}
