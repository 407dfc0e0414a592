import Testing

@Suite struct `A narrow terminal` {
  private static let shared = Dexdb()

  /// What a command shows on a terminal of that size.
  private func lines(
    _ arguments: [String], columns: Int = 80, rows: Int = 40, environment: [String] = [],
    dexdb: Dexdb = shared, program: String = Dexdb.program, code: Int32 = 0
  ) -> [String] {
    let terminal = TerminalProgram(
      ["-f", dexdb.database] + arguments, environment: environment, columns: columns, rows: rows,
      program: program)
    #expect(terminal.wait() == code)
    return terminal.emulator.lines.filter { !$0.isEmpty }
  }

  @Test(arguments: [24, 40, 60, 80]) func `holds a grid whose lines do not break`(columns: Int) {
    for query in ["gen:1 limit:4", "limit:4 show:name,type,hp", "from:moves limit:3"] {
      let shown = lines(
        ["find", "--format", "grid", "--no-pager", query], columns: columns, rows: 80)
      let boxes = shown.filter { line in "┌├└│┐┘┤".contains { line.contains($0) } }
      for line in boxes {
        #expect("┌├└│".contains(line.first ?? " ") && "┐┤┘│".contains(line.last ?? " "), "\(line)")
      }
      #expect(Set(boxes.map(\.count)).count <= 1, "\(shown)")
      #expect(shown.contains { $0.contains("4 rows") || $0.contains("3 rows") }, "\(shown)")
    }
    let first = lines(["find", "--format", "grid", "gen:1 limit:4"], columns: 40)
    #expect(first.contains { $0.contains("Bulba") } && first.contains { $0.hasPrefix("┌") })
    #expect(first.contains { $0.contains("no room for") })
  }

  @Test func `is told the name that may have been meant`() {
    for (query, near) in [
      ("charzard", "0 rows; did you mean Charizard?"), ("mr-mim-jr x", "0 rows"),
      ("gen:1 pikachuu -t:fire", "0 rows; did you mean Pikachu?"), ("pikachu t:fire", "0 rows"),
      ("from:moves tunderbolt", "0 rows; did you mean Thunderbolt?"),
    ] {
      let shown = lines(["find", query])
      #expect(shown.last == near, "\(query): \(shown)")
    }
    let piped = Self.shared("find", "charzard")
    #expect(piped.code == 0 && piped.rows.isEmpty)
    #expect(piped.errors == "did you mean Charizard?\n")
  }

  @Test func `breaks the list of fields between words`() {
    let shown = lines(["find", "qqqq:1"], code: 2)
    let list = shown.drop { !$0.hasPrefix("help: the fields are number, slug") }
    #expect(list.count > 4 && list.dropFirst().allSatisfy { $0.hasPrefix("      ") })
    #expect(list.dropLast().allSatisfy { $0.hasSuffix(",") && $0.count <= 80 }, "\(list)")
    // What is to be copied stays on its line.
    let piped = Self.shared("find", "qqqq:1").errors
    #expect(piped.contains("the fields are number, slug") && piped.contains(", family, id\n"))
  }

  @Test func `gets a report of quests page by page`() {
    let dexdb = Dexdb()
    let questrunner =
      Dexdb.program.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/questrunner"
    for name in ["Ana", "Bo"] {
      #expect(dexdb("recruit", "--seed", "1", "name=\(name)", "class=Wizard").code == 0)
    }
    let ran = Dexdb.run(
      ["-f", dexdb.database, "run", "--seed", "1", "--adventurers", "", "--quests", "40"],
      folder: dexdb.folder.path, program: questrunner)
    #expect(ran.code == 0)
    let pager = ["PAGER=sh -c 'echo PAGED; cat >/dev/null'"]
    let report = { (options: [String], rows: Int) in
      self.lines(
        ["report"] + options, rows: rows, environment: pager, dexdb: dexdb, program: questrunner)
    }
    #expect(report([], 24) == ["PAGED"])
    #expect(report(["--no-pager"], 24).contains { $0.contains("questrunner replay 1:2:") })
    #expect(report([], 200).contains { $0.contains("All together") })
    let text = Dexdb.run(
      ["-f", dexdb.database, "report"], folder: dexdb.folder.path, environment: pager,
      program: questrunner)
    #expect(text.code == 0 && text.text.contains("All together") && !text.text.contains("PAGED"))
  }
}
