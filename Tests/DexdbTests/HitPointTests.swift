import Testing

@Suite struct `Hit points above the greatest number of them` {
  private static func roster() -> Dexdb {
    let dexdb = Dexdb()
    #expect(dexdb("recruit", "name=Ro", "class=Monk", "maxhp=200").code == 0)
    return dexdb
  }

  private static func run(_ dexdb: Dexdb, _ arguments: [String]) -> ProgramRun {
    Dexdb.run(["-f", dexdb.database] + arguments, folder: dexdb.folder.path)
  }

  private static func points(_ dexdb: Dexdb) -> [[String]] {
    dexdb("find", "from:adv", "show:current_hit_points,total_hit_points").rows
  }

  @Test func `are refused by all who write`() {
    let dexdb = Self.roster()
    #expect(Self.points(dexdb) == [["200", "200"]])
    let file = dexdb.folder.write(
      "name,profession,level,experience,hp,maxhp,multiplier,defense,evasion,speed,wins,losses\n"
        + "Al,Monk,1,0,81,80,1,50,5,60,0,0\n", to: "more.csv")
    for arguments in [
      ["set", "--where", "from:adv name:ro", "hp=201"],
      ["set", "--where", "from:adv name:ro", "maxhp=199"],
      ["recruit", "name=Bo", "class=Monk", "hp=900", "maxhp=899"],
      ["import", "--into", "adventurers", file],
    ] {
      let run = Self.run(dexdb, arguments)
      #expect(run.code != 0, "\(arguments)")
      #expect(run.errors.contains("current_hit_points"), "\(arguments): \(run.errors)")
      #expect(run.errors.contains("between 0 and"), "\(arguments): \(run.errors)")
      #expect(Self.points(dexdb) == [["200", "200"]])
    }
  }

  @Test func `are no hindrance where both are given, or neither`() {
    let dexdb = Self.roster()
    for (assignments, expected) in [
      (["hp=150", "maxhp=150"], ["150", "150"]), (["hp=0"], ["0", "150"]),
      (["level=3"], ["0", "150"]), (["maxhp=900"], ["0", "900"]), (["hp=900"], ["900", "900"]),
    ] {
      let run = Self.run(dexdb, ["set", "--where", "from:adv name:ro"] + assignments)
      #expect(run.code == 0, "\(run.errors)")
      #expect(Self.points(dexdb) == [expected])
    }
    #expect(dexdb("recruit", "name=Bo", "class=Monk", "maxhp=5").code == 0)
    #expect(Self.points(dexdb) == [["900", "900"], ["5", "5"]])
  }
}
