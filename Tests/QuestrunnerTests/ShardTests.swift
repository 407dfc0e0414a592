import Glibc
import Testing

@Suite struct `A run in parts` {
  private let programs = Programs()

  private func quest(_ arguments: [String], in name: String = "a.dex") -> ProgramRun {
    programs.run("questrunner", ["-f", programs.path(name)] + arguments)
  }

  private static let options = [
    "--seed", "9", "run", "--adventurers", "", "--quests", "37", "--goal", "4", "--foes", "2",
  ]

  private func makePart(_ shard: Int, of shards: Int, _ options: [String] = options) -> String {
    let path = programs.path("part.\(shards).\(shard)")
    let run = quest(options + ["--shard", "\(shard)/\(shards)", "--out", path])
    #expect(run.code == 0, "\(run.errors)")
    return path
  }

  @Test(arguments: [1, 3, 50])
  func `is the same run as in one piece`(shards: Int) throws {
    for name in ["a.dex", "b.dex"] { try programs.makeDatabase(name) }
    let before = try programs.dump("a.dex")
    let parts = (1...shards).map { makePart($0, of: shards) }
    #expect(try programs.dump("a.dex") == before)
    let merged = quest(["merge"] + parts.reversed())
    #expect(merged.code == 0, "\(merged.errors)")
    let whole = quest(Self.options, in: "b.dex")
    #expect(merged.text == whole.text)
    #expect(try programs.dump("a.dex") == programs.dump("b.dex"))
    // Once is enough.
    let again = quest(["merge"] + parts)
    #expect(again.code == 1)
    #expect(again.errors.contains("run 1 has these quests already"))
    #expect(try programs.dump("a.dex") == programs.dump("b.dex"))
  }

  @Test func `is made by the script for a cluster as in one piece`() throws {
    for name in ["a.dex", "b.dex"] { try programs.makeDatabase(name) }
    var root = #filePath.split(separator: "/").map { String($0) }
    root.removeLast(3)
    let script = "/" + root.joined(separator: "/") + "/Scripts/questrunner.slurm"
    let settings = [
      "DATABASE=\(programs.path("a.dex"))", "PARTS=\(programs.folder)", "SEED=9", "QUESTS=37",
      "OPTIONS=--goal 4 --foes 2", "SLURM_ARRAY_TASK_MAX=3",
    ]
    for task in 1...3 {
      let run = programs.runScript(
        "bash '\(script)'", environment: settings + ["SLURM_ARRAY_TASK_ID=\(task)"])
      #expect(run.code == 0, "\(run.errors)")
    }
    let merged = quest(["merge"] + (1...3).map { programs.path("part.\($0)") })
    #expect(merged.code == 0, "\(merged.errors)")
    #expect(quest(Self.options, in: "b.dex").code == 0)
    #expect(try programs.dump("a.dex") == programs.dump("b.dex"))
    let alone = programs.runScript("bash '\(script)'", environment: settings)
    #expect(alone.code != 0 && alone.errors.contains("--array"), "\(alone.errors)")
  }

  @Test func `is refused where parts are missing, double, foreign or damaged`() throws {
    try programs.makeDatabase("a.dex")
    let before = try programs.dump("a.dex")
    let parts = (1...3).map { makePart($0, of: 3) }
    let foreign = makePart(2, of: 4)
    let other = Self.options.map { $0 == "9" ? "10" : $0 }
    let seeded = programs.path("seeded")
    #expect(quest(other + ["--shard", "2/3", "--out", seeded]).code == 0)
    var bytes = Programs.bytes(parts[1])
    bytes[bytes.count / 2] ^= 1
    let flipped = programs.write(bytes, to: "flipped")
    let short = programs.write(Array(bytes.prefix(40)), to: "short")
    let cases: [(parts: [String], code: Int32, text: String)] = [
      ([parts[0], parts[2]], 1, "1 of 3 parts is missing: 2"),
      (parts + [parts[1]], 1, "twice"), ([parts[0], foreign, parts[2]], 1, "one of 4 parts"),
      ([parts[0], seeded, parts[2]], 1, "seed: 10 instead of 9"),
      ([parts[0], flipped, parts[2]], 3, "damaged"), ([parts[0], short, parts[2]], 3, "damaged"),
      ([programs.path("nowhere")], 1, "nowhere"),
    ]
    for (parts, code, text) in cases {
      let run = quest(["merge"] + parts)
      #expect(run.code == code, "\(parts): \(run.errors)")
      #expect(run.errors.contains(text), "\(parts): \(run.errors)")
    }
    #expect(try programs.dump("a.dex") == before)
  }

  @Test func `is not counted for somebody else`() throws {
    try programs.makeDatabase("a.dex")
    try programs.makeDatabase("b.dex")
    let part = makePart(1, of: 1)
    let dexdb = { [programs] (arguments: [String]) in
      programs.run("dexdb", ["-f", programs.path("b.dex")] + arguments).code
    }
    // Hit points come back with rest, and make nobody another one.
    #expect(dexdb(["set", "--where", "from:adv #2", "hp=1"]) == 0)
    #expect(dexdb(["set", "--where", "from:adv #1", "level=3"]) == 0)
    var run = quest(["merge", part], in: "b.dex")
    #expect(run.code == 1 && run.errors.contains("adventurer 1 is another one"), "\(run.errors)")
    #expect(dexdb(["delete", "--yes", "--where", "from:adv #1"]) == 0)
    #expect(dexdb(["recruit", "--id", "1", "name=Zed", "class=Rogue"]) == 0)
    let before = try programs.dump("b.dex")
    run = quest(["merge", part], in: "b.dex")
    #expect(run.code == 1 && run.errors.contains("Ana"), "\(run.errors)")
    #expect(try programs.dump("b.dex") == before)
  }

  @Test func `says what it needs`() throws {
    try programs.makeDatabase("a.dex")
    let plain = ["run", "--adventurers", "", "--quests", "5"]
    let out = ["--out", programs.path("x")]
    let cases: [(arguments: [String], text: String)] = [
      (["--seed", "1"] + plain + ["--shard", "1/2"], "--out is missing"),
      (plain + ["--shard", "1/2"] + out, "--seed is missing"),
      (["--seed", "1"] + plain + ["--shard", "3/2"] + out, "--shard"),
      (["--seed", "1"] + plain + ["--shard", "x"] + out, "--shard"),
      (["--seed", "1"] + plain + out, "--out needs --shard"),
      (["--seed", "1"] + plain + ["--shard", "1/2", "--run", "3"] + out, "--run contradict"),
      (["--seed", "1"] + plain + ["--mode", "campaign", "--shard", "1/2"] + out, "sample"),
    ]
    for (arguments, text) in cases {
      let run = quest(arguments)
      #expect(run.code == 2, "\(arguments): \(run.errors)")
      #expect(run.errors.contains(text), "\(arguments): \(run.errors)")
    }
  }
}
