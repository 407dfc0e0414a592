import Testing

@testable import dexdb

/// A shell of others, and how it is started so that it completes.
struct InstalledShell {
  let name: String
  let options: [String]
  let start: String

  static let bash = InstalledShell(
    name: "bash", options: ["--norc", "--noprofile", "-i"],
    start: "source <(dexdb completions bash)")
  static let zsh = InstalledShell(
    name: "zsh", options: ["-f", "-i"],
    start: "autoload -U compinit; compinit -u -D; source <(dexdb completions zsh)")

  static func has(_ name: String) -> Bool { ProgramFolder.names(in: "/usr/bin").contains(name) }
}

@Suite(.serialized) struct `Names that a shell could take for commands` {
  /// Each begins in its own way, and would make a file `taken` where a shell reads it as it stands.
  private static let names = [
    "Qaa $(touch taken)", "Qbb `touch taken`", "Qcc;touch taken", "Qdd'b;touch taken #",
    "Qee!!y \\!", "Qff\\';touch taken #", "Qgg\"x\" & touch taken &", "Qéh;touch taken",
    "Qii\\$(touch taken)\\", "Qjj> taken", "Qkk ~ *?[a] {b,c}",
  ]
  private static let folder = Dexdb.program.split(separator: "/").dropLast().map { "/" + $0 }
    .joined()

  private static func populated() -> Dexdb {
    let dexdb = Dexdb()
    for name in names {
      #expect(dexdb("recruit", "name=" + name, "class=Monk").code == 0, "\(name)")
    }
    return dexdb
  }

  /// A shell in an empty folder that completes what is written behind `dexdb`.
  private func started(
    _ shell: InstalledShell, _ dexdb: Dexdb, _ folder: ProgramFolder
  ) -> TerminalProgram {
    let terminal = TerminalProgram(
      shell.options,
      environment: [
        "PATH=\(Self.folder):/usr/bin:/bin", "DEXDB_FILE=\(dexdb.database)", "PS1=> ",
        "HOME=\(folder.path)", "PROMPT_EOL_MARK=", "LC_ALL=C.UTF-8",
      ], columns: 160, program: "/usr/bin/\(shell.name)")
    #expect(terminal.shows(">"))
    terminal.send("cd \(folder.path); \(shell.start); clear; echo READY\r")
    #expect(terminal.waits { $0.lines.contains("READY") && Self.last($0) == ">" })
    return terminal
  }

  private static func last(_ screen: TerminalEmulator) -> String {
    screen.lines.last { !$0.isEmpty } ?? ""
  }

  @Test(.enabled(if: InstalledShell.has("bash"), "bash is not installed"))
  func `are completed as names in bash, whatever quotes the word has`() throws {
    try check(.bash)
  }

  @Test(.enabled(if: InstalledShell.has("zsh"), "zsh is not installed"))
  func `are completed as names in zsh, whatever quotes the word has`() throws {
    try check(.zsh)
  }

  @Test(.enabled(if: InstalledShell.has("fish"), "fish is not installed"))
  func `are found in fish behind a field, whatever quotes the word has`() {
    let dexdb = Self.populated()
    let folder = ProgramFolder()
    let starts = ["name:qaa", "\"name:qdd", "'name:qff", "name:\"qgg", "name:qéh", "qkk"]
    let script = folder.write(
      """
      dexdb completions fish | source
      while read -l start
        set -l words (complete -C "dexdb count from:adv $start")
        dexdb count from:adv (string replace -r '\\t.*' '' -- $words)
      end

      """, to: "script")
    let run = Dexdb.run(
      ["-N", script], folder: folder.path, input: starts.map { $0 + "\n" }.joined(),
      environment: [
        "HOME=\(folder.path)", "XDG_DATA_HOME=\(folder.path)", "LC_ALL=C.UTF-8",
        "PATH=\(Self.folder):/usr/bin:/bin", "DEXDB_FILE=\(dexdb.database)",
      ], program: "/usr/bin/fish")
    #expect(run.text == starts.map { _ in "1\n" }.joined(), "\(run.text)\(run.errors)")
    #expect(!ProgramFolder.names(in: folder.path).contains("taken"))
  }

  private func check(_ shell: InstalledShell) throws {
    let dexdb = Self.populated()
    let folder = ProgramFolder()
    let terminal = started(shell, dexdb, folder)
    for name in Self.names {
      for word in ["name:", "\"name:", "'name:", "name:\""] {
        let typed = "dexdb count from:adv \(word)\(name.prefix(3).lowercased())"
        terminal.send("clear\r")
        try #require(terminal.waits { $0.lines.filter { !$0.isEmpty } == [">"] }, "\(typed)")
        terminal.send(typed + "\t")
        #expect(
          terminal.waits { Self.last($0).hasPrefix("> dexdb") && Self.last($0) != "> " + typed },
          "\(shell.name), \(typed): \(Self.last(terminal.emulator))")
        let line = Self.last(terminal.emulator)
        terminal.send("\r")
        let isCounted = terminal.waits {
          $0.lines.filter { !$0.isEmpty }.dropFirst() == ["1", ">"]
        }
        try #require(
          isCounted, "\(shell.name), \(line): \(terminal.emulator.lines.filter { !$0.isEmpty })")
      }
    }
    terminal.send("exit\r")
    #expect(terminal.wait() == 0)
    #expect(!ProgramFolder.names(in: folder.path).contains("taken"))
  }
}
