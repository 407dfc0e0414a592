import Glibc
import Terminal
import Testing

@testable import dexdb

@Suite struct `Completion in other shells` {
  private static let shared = Dexdb()
  private static let folder = Dexdb.program.split(separator: "/").dropLast().map { "/" + $0 }
    .joined()

  /// The words that the program offers for a line of a shell that ends in its last word.
  private func offered(_ words: String..., program: String = "dexdb") -> [String] {
    let run = Dexdb.run(
      ["-f", Self.shared.database, "complete", "--"] + words, folder: Self.shared.folder.path,
      program: "\(Self.folder)/\(program)")
    #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)")
    return run.text.split(separator: "\n").map { line in String(line.prefix { $0 != "\t" }) }
  }

  @Test func `knows commands, options and what these can be`() {
    let names = Set(Program.commands.flatMap { [$0.name] + $0.aliases })
    #expect(Set(offered("")) == Set(names.map { $0 + " " }))
    #expect(offered("fi") == ["find "] && offered("-f", "x.dex", "exp") == ["explain ", "export "])
    #expect(offered("--re") == ["--readonly "])
    #expect(offered("--color", "") == ["always ", "auto ", "never "])
    #expect(offered("find", "--js") == ["--json "])
    #expect(offered("find", "t:fire", "--js") == ["--json "])
    #expect(
      Set(offered("--safe", "set", "--"))
        == Set(Command.set.options.map { $0.name + " " })
        .union(["--help "]))
    #expect(offered("find", "--format", "j") == ["json ", "jsonl "])
    #expect(offered("find", "--format=gr") == ["--format=grid "])
    #expect(offered("help", "qu") == ["queries "] && offered("completions", "f") == ["fish "])
    #expect(offered("portrait", "") == ["clear ", "gallery ", "get ", "import ", "set "])
    #expect(offered("import", "no") == [":files"] && offered("-f", "no") == [":files"])
    #expect(offered("nothing", "x").isEmpty && offered("completions", "--", "--he").isEmpty)
    let quest = "questrunner"
    #expect(offered("run", "--mode", "", program: quest) == ["campaign ", "sample "])
    #expect(offered("run", "--enemies", "t:fir", program: quest) == ["t:fire "])
    #expect(offered("watch", "level", program: quest) == ["level"])
    #expect(offered("log", "x", program: quest) == [":files"])
    #expect(offered("log", "x.qlog", "maxh", program: quest) == ["maxhp"])
  }

  @Test func `knows fields, types and names of queries`() {
    #expect(offered("find", "t:fi") == ["t:fighting ", "t:fire "])
    #expect(offered("count", "gen:1", "-t=gho") == ["-t=ghost "])
    #expect(offered("find", "t:ice bst>=500 t:wat") == ["t:ice bst>=500 t:water "])
    #expect(offered("find", "from:adv", "lev") == ["level"])
    #expect(offered("find", "sort:-spe") == ["sort:-spe"])
    #expect(offered("delete", "--where", "from:adv") == ["from:adventurers "])
    #expect(offered("delete", "from:moves", "t:fir") == ["t:fire "])
    #expect(offered("browse", "is:leg") == ["is:legendary "])
    #expect(offered("find", "pikac") == ["Pikachu "])
    #expect(offered("find", "\"mr. mi") == ["\"Mr. Mime\" "])
    #expect(offered("find", "\"mr.", "mi") == ["Mime\" "])
    #expect(offered("show", "mr-mime-g") == ["mr-mime-galar "])
    #expect(offered("show", "mr. m") == ["Mr. Mime "])
    #expect(offered("recruit", "class=wiz") == ["class=Wizard "])
  }

  @Test func `says nothing where there is no database but what can be said without one`() {
    let none = Dexdb(isInitialized: false)
    #expect(none("complete", "--", "fin").text.hasPrefix("find \t"))
    let query = none("complete", "--", "find", "t:f")
    #expect(query.code == 0 && query.text.isEmpty && query.errors.isEmpty)
    #expect(ProgramFolder.names(in: none.folder.path).allSatisfy { !$0.hasSuffix(".dex") })
    let own = none.folder.write(Dexdb.fresh, to: "own")
    #expect(none("complete", "--", "-f", own, "find", "t:fir").text == "t:fire \t\n")
  }

  @Test(.enabled(if: InstalledShell.has("bash"), "bash is not installed"))
  func `is by a script that bash understands`() { checkScript("bash") }

  @Test(.enabled(if: InstalledShell.has("zsh"), "zsh is not installed"))
  func `is by a script that zsh understands`() { checkScript("zsh") }

  @Test(.enabled(if: InstalledShell.has("fish"), "fish is not installed"))
  func `is by a script that fish understands`() { checkScript("fish") }

  private func checkScript(_ shell: String) {
    for program in ["dexdb", "questrunner"] { checkScript(shell, program) }
  }

  private func checkScript(_ shell: String, _ program: String) {
    let folder = ProgramFolder()
    let script = Dexdb.run(
      ["completions", shell], folder: folder.path, program: "\(Self.folder)/\(program)")
    #expect(script.code == 0 && script.text.contains(program))
    let path = folder.write(script.output, to: "script")
    let run = Dexdb.run(
      ["-n", path], folder: folder.path, environment: ["HOME=\(folder.path)"],
      program: "/usr/bin/\(shell)")
    #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)")
  }

  /// What is typed, and what stands there behind the tabulator.
  private static let lines = [
    ("dexdb fin", "dexdb find"), ("dexdb find t:fir", "dexdb find t:fire"),
    ("dexdb find bst>=500 t:wat", "dexdb find bst>=500 t:water"),
    ("dexdb find --format gr", "dexdb find --format grid"),
    ("dexdb --color al", "dexdb --color always"), ("dexdb find sort:-spe", "dexdb find sort:-spe"),
    ("dexdb show mr-mime-g", "dexdb show mr-mime-galar"), ("dexdb help quer", "dexdb help queries"),
    ("dexdb import notes", "dexdb import notes.txt"),
    ("dexdb portrait gal", "dexdb portrait gallery"),
    ("questrunner run --mode camp", "questrunner run --mode campaign"),
    ("dexdb show Mr.\\ Mi", "dexdb show Mr.\\ Mime"),
    ("dexdb find 't:ice t:wat", "dexdb find 't:ice t:water'"),
    ("dexdb -f ~/own.dex find t:fir", "dexdb -f ~/own.dex find t:fire"),
  ]

  @Test(.enabled(if: InstalledShell.has("bash"), "bash is not installed"))
  func `works in bash as one types`() { checkTyping(.bash) }

  @Test(.enabled(if: InstalledShell.has("zsh"), "zsh is not installed"))
  func `works in zsh as one types`() { checkTyping(.zsh) }

  private func checkTyping(_ installed: InstalledShell) {
    let (shell, options, start) = (installed.name, installed.options, installed.start)
    let folder = ProgramFolder()
    _ = folder.write("x", to: "notes.txt")
    _ = folder.write(Dexdb.fresh, to: "own.dex")
    let terminal = TerminalProgram(
      options,
      environment: [
        "PATH=\(Self.folder):/usr/bin:/bin", "DEXDB_FILE=\(Self.shared.database)", "PS1=> ",
        "HOME=\(folder.path)", "PROMPT_EOL_MARK=",
      ], columns: 100, program: "/usr/bin/\(shell)")
    #expect(terminal.shows(">"))
    let second = start.replacing("completions \(shell)", with: "completions \(shell) ")
      .replacing("dexdb", with: "questrunner")
    terminal.send("cd \(folder.path); \(start); \(second); clear; echo READY\r")
    #expect(terminal.shows("\nREADY") || terminal.emulator.text.hasPrefix("READY"))
    for (typed, expected) in Self.lines {
      terminal.send(typed + "\t")
      let isThere = terminal.waits { screen in
        let last = screen.lines.last { !$0.isEmpty } ?? ""
        return last == "> \(expected)"
      }
      #expect(isThere, "\(shell), \(typed): \(terminal.emulator.lines.last { !$0.isEmpty } ?? "")")
      terminal.send("\u{15}")
      _ = terminal.waits { $0.lines.last { !$0.isEmpty } == ">" }
    }
    terminal.send("exit\r")
    #expect(terminal.wait() == 0)
  }

  @Test(.enabled(if: InstalledShell.has("fish"), "fish is not installed"))
  func `works in fish`() {
    let folder = ProgramFolder()
    _ = folder.write("x", to: "notes.txt")
    _ = folder.write(Dexdb.fresh, to: "own.dex")
    for (typed, expected) in Self.lines where !typed.contains("'") && !typed.contains("\\") {
      let script =
        "cd '\(folder.path)'; dexdb completions fish | source;"
        + " questrunner completions fish | source; complete -C '\(typed)'"
      let run = Dexdb.run(
        ["-N", "-c", script], folder: folder.path,
        environment: [
          "HOME=\(folder.path)", "XDG_DATA_HOME=\(folder.path)",
          "PATH=\(Self.folder):/usr/bin:/bin", "DEXDB_FILE=\(Self.shared.database)",
        ], program: "/usr/bin/fish")
      let word = expected.split(separator: " ").last.map { String($0) } ?? ""
      let found = run.lines.map { String($0.prefix { $0 != "\t" }) }
      #expect(run.code == 0 && found == [word], "\(typed): \(found) \(run.errors)")
    }
  }
}
