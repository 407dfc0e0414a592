import Glibc
import Testing

@Suite(.serialized) struct `A quest that is watched in a terminal` {
  private static let program =
    Dexdb.program.split(separator: "/").dropLast()
    .map { "/" + $0 }.joined() + "/questrunner"

  private static func database() -> Dexdb {
    let dexdb = Dexdb()
    let recruited = dexdb("recruit", "--seed", "3", "name=Ana", "class=Wizard")
    #expect(recruited.code == 0)
    return dexdb
  }

  private static func started(_ dexdb: Dexdb, _ options: [String] = []) -> TerminalProgram {
    TerminalProgram(
      ["-f", dexdb.database, "watch", "--seed", "7", "--foes", "2", "--goal", "4"] + options
        + ["ana"],
      // With the backtracer, as users have it.
      environment: ["SWIFT_BACKTRACE=enable=yes,interactive=no,color=no"], columns: 80, rows: 24,
      program: program)
  }

  /// The adventurer's level, experience, wins and losses as the database has them.
  private static func standing(_ dexdb: Dexdb) -> [String] {
    let found = dexdb(
      "find", "from:adventurers", "show:level,experience,wins,losses,current_hit_points")
    return found.rows.first ?? []
  }

  private static func runs(_ dexdb: Dexdb) -> [[String]] {
    dexdb("find", "from:runs", "show:state,done").rows
  }

  /// What the same quest leaves where nobody watches it.
  private static let unwatched: [String] = {
    let dexdb = database()
    let running = TerminalProgram(
      [
        "-f", dexdb.database, "run", "--seed", "7", "--foes", "2", "--goal", "4", "--quests", "1",
        "--mode", "campaign", "--adventurers", "ana",
      ], program: program)
    #expect(running.wait() == 0)
    return standing(dexdb)
  }()

  @Test(arguments: ["q", "\u{3}", "\u{1C}", "sq", "TERM", "HUP"])
  func `is kept once however it ends, and the terminal is put back`(end: String) {
    let dexdb = Self.database()
    let program = Self.started(dexdb)
    let before = program.modes
    #expect(program.shows("What happened"))
    #expect(program.shows("appears"))
    #expect(program.emulator.isOnOtherPage)
    #expect(Self.runs(dexdb) == [["unfinished", "0"]])
    switch end {
    case "TERM":
      program.signal(SIGTERM)
      #expect(program.wait() == 128 + SIGTERM)
    case "HUP":
      program.signal(SIGHUP)
      #expect(program.wait() == 128 + SIGHUP)
    case "sq":
      program.send("s")
      #expect(program.shows("kept as run 1"))
      program.send("q")
      #expect(program.wait() == 0)
    case "\u{3}", "\u{1C}":
      program.send(end)
      #expect(program.wait() == 128 + (end == "\u{3}" ? SIGINT : SIGQUIT))
    default:
      program.send(end)
      #expect(program.wait() == 0)
    }
    #expect(program.modes == before)
    #expect(!program.emulator.isOnOtherPage)
    #expect(program.emulator.isCursorShown)
    #expect(program.emulator.unknown.isEmpty)
    #expect(program.emulator.text.contains("run 1 is kept"))
    #expect(Self.standing(dexdb) == Self.unwatched)
    #expect(Self.runs(dexdb) == [["finished", "1"]])
  }

  @Test func `stands, steps and changes its speed by keys`() {
    let dexdb = Self.database()
    let program = Self.started(dexdb, ["--speed", "0.001"])
    #expect(program.shows("0.001"))
    program.send(" ")
    #expect(program.shows("paused"))
    program.send("...")
    #expect(program.shows("hits Ana") || program.shows("waits") || program.shows("evades"))
    program.send("+")
    program.send(" ")
    #expect(program.shows("0.125"))
    program.resize(columns: 120, rows: 40)
    #expect(program.waits { $0.lines.count == 40 && $0.lines[39].contains("leave") })
    program.send("q")
    #expect(program.wait() == 0)
    #expect(Self.standing(dexdb) == Self.unwatched)
  }
}
