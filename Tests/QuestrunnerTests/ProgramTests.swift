import Glibc
import Testing

@Suite struct `The program questrunner` {
  private let programs = Programs()

  private func quest(_ arguments: String...) -> ProgramRun {
    programs.run("questrunner", ["-f", programs.path("a.dex")] + arguments)
  }

  private func dexdb(_ arguments: String...) -> ProgramRun {
    programs.run("dexdb", ["-f", programs.path("a.dex")] + arguments)
  }

  @Test func `serves a newcomer`() throws {
    #expect(dexdb("init").code == 0)
    #expect(dexdb("recruit", "name=Ana", "class=Wizard").code == 0)
    let run = quest("--seed", "42", "run", "--adventurers", "name:ana", "--quests", "50")
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.errors.contains("seed 42"))
    let cells = run.text.split(separator: "\n").last?.split(separator: "\t").map(String.init)
    #expect(cells?.prefix(3) == ["1", "Ana", "50"])
    #expect(dexdb("find", "from:runs", "show:seed,done,state").text.contains("42\t50\tfinished"))
    let ana = dexdb("find", "from:adventurers", "show:wins,losses,level").text
    #expect(ana.split(separator: "\n").last == "0\t50\t1")
    let replay = quest("replay", "1:1:49")
    #expect(replay.code == 0)
    #expect(replay.text.contains("Ana falls") && replay.text.contains("the quest ends: a fall"))
    #expect(quest("runs", "1").text == run.text)
  }

  @Test(arguments: ["help", "--version", "runs"])
  func `says so where its output had no room`(command: String) throws {
    try programs.makeDatabase("a.dex")
    let run = programs.run(
      "questrunner", ["-f", programs.path("a.dex"), command], output: "/dev/full")
    #expect(run.code == 1 && run.errors.contains("No space left"), "\(run)")
  }

  @Test func `works with a database that knows nothing of runs yet`() throws {
    try OldDatabase.make(programs.path("a.dex"))
    #expect(quest("runs").code == 0)
    let run = quest("run", "--adventurers", "", "--quests", "3")
    #expect(run.code == 0, "\(run.errors)")
    #expect(dexdb("count", "from:runs").text == "1\n")
  }

  @Test func `says what is wrong, with the code that it is`() throws {
    try programs.makeDatabase("a.dex")
    let before = try programs.dump("a.dex")
    let bad = programs.write(Array("name\thp\nRat\t1\n".utf8), to: "bad.tsv")
    let cases: [(arguments: [String], code: Int32, text: String)] = [
      (["run", "--adventurers", "name:nobody", "--quests", "1"], 1, "no adventurer"),
      (["run", "--adventurers", "", "--quests", "0"], 2, "--quests"),
      (["run", "--adventurers", ""], 2, "--quests is missing"),
      (["run", "--quests", "1"], 2, "--adventurers is missing"),
      (["run", "--adventurers", "nmae:x", "--quests", "1"], 2, "no field"),
      (["run", "--adventurers", "", "--quests", "1", "--foes", "5"], 2, "--foes"),
      (["run", "--adventurers", "", "--quests", "1", "--goal", "0"], 2, "--goal"),
      (["run", "--adventurers", "", "--quests", "1", "--goal", "99999999"], 2, "too seldom"),
      (["run", "--adventurers", "", "--quests", "1", "--limit", "-1"], 2, "--limit"),
      (["run", "--adventurers", "", "--quests", "1", "--mode", "x"], 2, "--mode"),
      (["run", "--adventurers", "", "--quests", "1", "--until", "level=999"], 2, "--until"),
      (["run", "--adventurers", "", "--quests", "1", "--until", "level=1"], 2, "already"),
      (["run", "--adventurers", "", "--quests", "1", "--until-error", "5"], 2, "--until-error"),
      (["run", "--adventurers", "", "--quests", "1", "--enemies", "#9999"], 1, "no enemy"),
      (["run", "--adventurers", "", "--quests", "1", "--bestiary", bad], 1, "line 1"),
      (["run", "--adventurers", "", "--quests", "1", "--bestiary", "/dev/null"], 1, "no enemies"),
      (["run", "--adventurers", "group:class", "--quests", "1"], 2, "group:"),
      (["run", "--adventurers", "show:name", "--quests", "1"], 2, "show:"),
      (["compare", "--with", "", "name:ana"], 2, "--with"),
      (["compare", "--with", "level=2,level=3", "name:ana"], 2, "twice"),
      (["compare", "--with", "evasion=51", "name:ana"], 2, "0 to 50 percent"),
      (["runs", "9"], 1, "there is no run 9"), (["report", "9"], 1, "there is no run 9"),
      (["run", "--adventurers", "", "--quests", "1", "--bestiary", "/nowhere"], 1, "/nowhere"),
      (["run", "--resume"], 1, "no run"), (["replay", "1:1:0"], 1, "runs"),
      (["replay", "x"], 2, "numbers"), (["log", "/nowhere"], 1, "/nowhere"),
      (["verify", bad], 3, "no log"), (["fly"], 2, "no command"), ([], 2, "command"),
    ]
    for (arguments, code, text) in cases {
      let run = programs.run("questrunner", ["-f", programs.path("a.dex")] + arguments)
      #expect(run.code == code, "\(arguments): \(run.errors)")
      #expect(run.errors.contains(text), "\(arguments): \(run.errors)")
      #expect(run.text.isEmpty)
    }
    #expect(try programs.dump("a.dex") == before)
    let missing = programs.run("questrunner", ["-f", programs.path("none.dex"), "runs"])
    #expect(missing.code == 1 && missing.errors.contains("dexdb init"))
    programs.write([UInt8](repeating: 7, count: 8_192), to: "a.dex")
    #expect(quest("runs").code == 3)
  }

  @Test func `refuses to go on as another run, and names what differs`() throws {
    try programs.makeDatabase("a.dex")
    let stopped = programs.run(
      "questrunner",
      [
        "-f", programs.path("a.dex"), "--seed", "3", "run", "--adventurers", "", "--quests",
        "1000000", "--mode", "campaign",
      ], signal: (SIGTERM, 1_000_000))
    #expect(stopped.code == 128 + SIGTERM)
    #expect(quest("run", "--resume", "--dry-run").code == 0)
    let seed = quest("--seed", "4", "run", "--resume")
    #expect(seed.code == 1 && seed.errors.contains("seed: 4 instead of 3"))
    let goal = quest("run", "--resume", "--goal", "5")
    #expect(goal.code == 1 && goal.errors.contains("goal"))
    let dex = quest("run", "--resume", "--enemies", "t:fire")
    #expect(dex.code == 1 && dex.errors.contains("dex"))
    #expect(dexdb("set", "--where", "from:adv name:bo", "defense=9").code == 0)
    let roster = quest("run", "--resume")
    #expect(roster.code == 1 && roster.errors.contains("Bo"))
  }

  @Test func `goes on with the run that is named`() throws {
    try programs.makeDatabase("a.dex")
    for quests in ["300", "200"] {
      // The log fails after the run has begun.
      let run = quest(
        "--seed", "1", "run", "--adventurers", "", "--quests", quests, "--log", "/dev/full")
      #expect(run.code == 1)
    }
    #expect(quest("run", "--run", "1").code == 2)
    #expect(quest("run", "--resume", "--run", "9").errors.contains("no run 9"))
    #expect(quest("run", "--resume", "--run", "1", "--foes", "2").errors.contains("foes"))
    let first = quest("run", "--resume", "--run", "1")
    #expect(first.code == 0 && first.errors.contains("run 1 goes on"), "\(first.errors)")
    let again = quest("run", "--resume", "--run", "1")
    #expect(again.code == 0 && again.errors.contains("run 1, seed 1, is finished"))
    #expect(again.text == first.text)
    #expect(quest("run", "--resume", "--run", "1", "--foes", "2").code == 1)
    #expect(quest("run", "--resume").errors.contains("run 2 goes on"))
  }

  @Test func `writes logs that can be told and verified, and finds lies in them`() throws {
    try programs.makeDatabase("a.dex")
    let path = programs.path("a.qlog")
    let run = quest(
      "--seed", "1", "run", "--adventurers", "name:ana", "--quests", "5", "--goal", "2", "--log",
      path)
    #expect(run.code == 0, "\(run.errors)")
    #expect(quest("verify", path).text == "5 quests are as the log has them, seed 1\n")
    let told = quest("log", path, "quest=3", "kind=falls")
    #expect(told.code == 0)
    #expect(told.text.split(separator: "\n").first?.hasPrefix("quest 3 of Ana") == true)
    var bytes = Programs.bytes(path)
    bytes[bytes.count - 20] ^= 1
    let wrong = programs.write(bytes, to: "wrong.qlog")
    #expect(quest("verify", wrong).code == 3)
    #expect(quest("log", wrong).code == 3)
  }

  @Test func `lets adventurers rest`() throws {
    try programs.makeDatabase("a.dex")
    #expect(dexdb("set", "--where", "from:adv name:bo", "hp=1").code == 0)
    #expect(quest("rest", "is:hurt").errors == "1 rested\n")
    #expect(dexdb("count", "from:adv", "is:hurt").text == "0\n")
  }

  @Test func `completes and explains every command`() {
    #expect(quest("complete", "--", "repl").text.hasPrefix("replay \t"))
    let overview = quest("help").text
    for name in ["run", "replay", "log", "verify", "runs", "rest", "completions", "help"] {
      #expect(overview.contains("  \(name) "))
      let help = quest("help", name)
      #expect(help.code == 0 && help.text.hasPrefix("usage: questrunner \(name)"))
      #expect(quest(name, "--help").text == help.text)
    }
  }
}
