import Glibc
import Terminal
import Testing

/// What a command writes must cost no file that is something else.
@Suite struct `What questrunner writes` {
  private let programs = Programs()

  private func quest(_ arguments: [String]) -> ProgramRun {
    programs.run("questrunner", ["-f", programs.path("a.dex")] + arguments)
  }

  private static let run = ["--seed", "1", "run", "--adventurers", "", "--quests", "3"]

  /// The commands that write a file, up to its name.
  private static let writers = [
    run + ["--log"], run + ["--shard", "1/1", "--out"], ["report", "--html"],
  ]

  @Test(arguments: writers)
  func `replaces no database and no file of another kind`(writer: [String]) throws {
    try programs.makeDatabase("a.dex")
    try programs.makeDatabase("other.dex")
    #expect(quest(Self.run).code == 0)
    for (link, target) in [("link", "other.dex"), ("own", "a.dex")] {
      #expect(symlink(target, programs.path(link)) == 0)
    }
    #expect(Glibc.link(programs.path("a.dex"), programs.path("hard")) == 0)
    programs.write(Array("precious\n".utf8), to: "notes.txt")
    let names = ["a.dex", "other.dex", "notes.txt"]
    let before = names.map { Programs.bytes(programs.path($0)) }
    for name in names + ["link", "own", "hard", "a.dex-log", "a.dex-lock"] {
      let run = quest(writer + [programs.path(name)])
      #expect(run.code == 1 && run.errors.contains("written over"), "\(name): \(run)")
      #expect(names.map { Programs.bytes(programs.path($0)) } == before, "\(name)")
    }
    #expect(quest(["runs"]).text.split(separator: "\n").count == 2, "nothing was begun")
  }

  @Test(arguments: writers)
  func `replaces what it wrote before, and fills an empty file`(writer: [String]) throws {
    try programs.makeDatabase("a.dex")
    #expect(quest(Self.run).code == 0)
    let path = programs.write([], to: "out")
    for _ in 0..<2 {
      let run = quest(writer + [path])
      #expect(run.code == 0, "\(run.errors)")
      #expect(!Programs.bytes(path).isEmpty)
    }
  }

  @Test func `keeps an earlier log until it is emptied`() throws {
    let kind = OwnFileKind("log", start: [1, 2])
    let path = programs.write([1, 2, 3, 4], to: "log")
    let file = try FileStream.replacing(path, kind)
    #expect(Programs.bytes(path) == [1, 2, 3, 4])
    try file.empty()
    try file.write([1, 2])
    try file.finish()
    #expect(Programs.bytes(path) == [1, 2])
    // A device has nothing to empty.
    try FileStream.replacing("/dev/null", kind).empty()
  }

  @Test func `is a failure of the log where there is no room, and the run goes on`() throws {
    try programs.makeDatabase("a.dex")
    let run = quest(Self.run + ["--log", "/dev/full"])
    #expect(run.code == 1, "\(run.errors)")
    let many = Self.run.map { $0 == "3" ? "300" : $0 }
    let path = programs.path("a.qlog")
    let full = programs.run(
      "questrunner", ["-f", programs.path("a.dex")] + many + ["--log", "/dev/full"])
    #expect(full.code == 1 && full.errors.contains("run --resume"), "\(full.errors)")
    #expect(quest(["run", "--resume", "--log", path]).code == 0)
    #expect(quest(["verify", path]).text.hasPrefix("900 quests"))
  }
}
