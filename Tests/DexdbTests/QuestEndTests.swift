import Glibc
import Testing

@Suite(.serialized) struct `A quest that a screen has started` {
  /// The processes that a process has started.
  private static func children(of process: pid_t) -> [pid_t] {
    let path = "/proc/\(process)/task/\(process)/children"
    return String(decoding: ProgramFolder.bytes(path), as: UTF8.self)
      .split(separator: " ").compactMap { pid_t($0) }
  }

  /// True for one that has not ended.
  private static func isRunning(_ process: pid_t) -> Bool {
    let bytes = ProgramFolder.bytes("/proc/\(process)/stat")
    let state = String(decoding: bytes, as: UTF8.self).split(separator: ")").last?.first {
      $0 != " "
    }
    return state != nil && state != "Z" && state != "X"
  }

  @Test func `ends with it, also where that is killed`() throws {
    let dexdb = Dexdb()
    #expect(dexdb("recruit", "name=Ana", "class=Wizard").code == 0)
    // A shell stays behind, to which the terminal belongs.
    let shell = TerminalProgram(
      [
        "-c", "'\(Dexdb.program)' -f '\(dexdb.database)' browse from:adv; echo ended $?; read line",
      ],
      program: "/bin/bash")
    #expect(shell.shows("Ana"))
    shell.send("Q")
    #expect(shell.shows("Quest for Ana?"))
    // At once it would go on with a name in capitals.
    usleep(600_000)
    shell.send("Y")
    #expect(shell.shows("What happened"))
    let screen = try #require(Self.children(of: shell.process).first)
    let quest = try #require(Self.children(of: screen).first)
    #expect(Self.isRunning(quest))
    #expect(kill(screen, SIGKILL) == 0)
    #expect(shell.waits { _ in !Self.isRunning(quest) })
    if Self.isRunning(quest) { kill(quest, SIGKILL) }
    #expect(shell.waits { !$0.isOnOtherPage && $0.isCursorShown && !$0.marksPastes })
    shell.send("\n")
    #expect(shell.wait() == 0)
    // What was begun is kept.
    #expect(
      dexdb("find", "from:runs", "show:state").rows == [["finished"]], "\(shell.emulator.text)")
  }
}
