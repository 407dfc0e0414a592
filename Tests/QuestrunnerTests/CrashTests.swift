import Entities
import Glibc
import Testing

@Suite(.serialized) struct `A run that is killed` {
  private struct Case {
    var mode: QuestMode
    var jobs: Int
    var isLogged: Bool
  }

  private static let cases = [
    Case(mode: .sample, jobs: 2, isLogged: false), Case(mode: .campaign, jobs: 3, isLogged: false),
    Case(mode: .sample, jobs: 1, isLogged: true), Case(mode: .campaign, jobs: 2, isLogged: true),
  ]

  private func arguments(_ one: Case, _ database: String, _ log: String, jobs: Int) -> [String] {
    [
      "-f", database, "--seed", "9", "run", "--adventurers", "", "--quests", "900", "--mode",
      one.mode.rawValue, "--goal", "3", "--jobs", "\(jobs)", "--resume",
    ] + (one.isLogged ? ["--log", log] : [])
  }

  @Test func `ends as the undisturbed one does, to the last byte of its dump and its log`() throws {
    let programs = Programs()
    try programs.makeDatabase("base.dex")
    let base = Programs.bytes(programs.path("base.dex"))
    var random = QuestRandom(seed: 99, adventurer: 1, quest: 1)
    let wanted = isLongTest ? 200 : 20
    var kills = 0
    var round = 0
    var longest = 400_000
    while kills < wanted, round < 400 {
      let one = Self.cases[round % Self.cases.count]
      for name in ["whole", "killed"] { programs.write(base, to: "\(name)\(round).dex") }
      let whole = programs.run(
        "questrunner",
        arguments(
          one, programs.path("whole\(round).dex"), programs.path("whole\(round).qlog"),
          jobs: one.jobs))
      #expect(whole.code == 0, "\(whole.errors)")
      let words = arguments(
        one, programs.path("killed\(round).dex"), programs.path("killed\(round).qlog"), jobs: 2)
      var tries = 0
      while tries < 12, kills < wanted {
        tries += 1
        let pause = UInt32(random.draw(2_000...longest))
        let run = programs.run("questrunner", words, signal: (SIGKILL, pause))
        if run.code != 128 + SIGKILL {
          // It had ended before.
          #expect(run.code == 0, "\(run.errors)")
          longest = max(20_000, longest / 2)
          break
        }
        kills += 1
      }
      let last = programs.run("questrunner", words)
      #expect(last.code == 0, "\(last.errors)")
      #expect(try programs.dump("killed\(round).dex") == programs.dump("whole\(round).dex"))
      #expect(last.text == whole.text)
      if one.isLogged {
        let log = Programs.bytes(programs.path("killed\(round).qlog"))
        #expect(log == Programs.bytes(programs.path("whole\(round).qlog")))
        #expect(
          programs.run("questrunner", ["verify", programs.path("killed\(round).qlog")]).code == 0)
      }
      round += 1
    }
    #expect(kills == wanted)
  }

  @Test func `commits what is under way at an interrupt, says how to go on, and ends by it`() throws
  {
    let programs = Programs()
    try programs.makeDatabase("a.dex")
    let words = [
      "-f", programs.path("a.dex"), "--seed", "3", "run", "--adventurers", "", "--quests",
      "1000000", "--jobs", "2",
    ]
    let run = programs.run("questrunner", words, signal: (SIGINT, 1_500_000))
    #expect(run.code == 128 + SIGINT)
    #expect(run.errors.contains("seed 3"))
    #expect(run.errors.contains("run --resume"))
    let dump = try programs.dump("a.dex")
    #expect(dump.contains { $0.hasPrefix("runs ") && $0.contains("unfinished") })
    let runs = programs.run("questrunner", ["-f", programs.path("a.dex"), "runs"])
    let done = runs.text.split(separator: "\n").last?.split(separator: "\t")
    #expect((done.flatMap { $0.count > 5 ? Int($0[5]) : nil } ?? 0) > 0)
  }
}
