import Entities
import Glibc
import Testing

@Suite struct `A change` {
  @Test func `recruits by the rule, and by the same seed the same`() throws {
    let dexdb = Dexdb()
    let first = dexdb("recruit", "--seed", "42", "name=Ana", "class=Knight")
    #expect(first.text == "1\n" && first.errors.contains("seed 42"))
    // The first row of the worked examples was rolled from this seed and number.
    let row = try #require(PlainFacts.table("quests", folder: "Data/expected").first)
    #expect(row["seed"] == "42" && row["adventurer"] == "1" && row["profession"] == "Knight")
    let fields = Dictionary(
      uniqueKeysWithValues: dexdb("show", "--from", "adv", "1").rows.map { ($0[0], $0[1]) })
    #expect(fields["total_hit_points"] == row["hp"])
    #expect(fields["defense"] == row["defense"])
    #expect(fields["speed"] == row["speed"])
    let multiplier = fields["multiplier"].flatMap { Double($0) } ?? 0
    #expect(multiplier * 256 == row["multiplier"].flatMap { Double($0) })
    #expect(fields["portrait"]?.isEmpty == false)
    #expect(dexdb("add", "adventurers", "name=Bo", "class=Gardener").text == "2\n")
    #expect(dexdb("recruit", "name=", "class=Knight").code == 2)
    let blank = dexdb("recruit", "name= \u{2003} ", "class=Knight")
    #expect(blank.code == 1 && blank.errors.contains("'name'") && blank.errors.contains("blank"))
    #expect(dexdb("recruit", "name=X", "class=Knight", "level=999").code == 1)
    #expect(
      dexdb("recruit", "name=X", "class=Knight", "levle=9").errors.contains("did you mean 'level'?")
    )
    #expect(dexdb("count", "from:adv").text == "2\n")
  }

  @Test func `keeps days of any year, and finds fractions as they were typed`() {
    let dexdb = Dexdb()
    #expect(dexdb("recruit", "name=Ana", "class=Wizard").code == 0)
    for day in ["+12025-01-31T01:02:03.004Z", "-0044-03-15T00:00:00.000Z"] {
      #expect(dexdb("set", "--where", "from:adv name=ana", "created=\(day)", "atk=1.1").code == 0)
      #expect(dexdb("find", "from:adv atk=1.1 show:created").rows == [[day]])
    }
    #expect(dexdb("count", "from:adv created<0000-01-01").text == "1\n")
    #expect(dexdb("count", "from:adv created:-0044-03-15").text == "1\n")
    let nobody = dexdb("count", "family:evee")
    #expect(nobody.code == 2 && nobody.errors.contains("did you mean 'eevee'?"))
    #expect(dexdb("count", "gen:10").code == 2)
  }

  @Test func `asks about a profession that is nearly one`() {
    let dexdb = Dexdb()
    let refused = dexdb("recruit", "name=Ana", "class=Wizzard")
    #expect(refused.code == 2 && refused.errors.contains("did you mean 'Wizard'?"))
    #expect(refused.errors.contains("--new-profession"))
    #expect(dexdb("recruit", "name=Ana", "class=wizard").code == 0)
    #expect(dexdb("recruit", "name=Bo", "class=Cook").code == 0, "near to none")
    #expect(dexdb("recruit", "--new-profession", "name=Cy", "class=Wizzard").code == 0)
    #expect(
      dexdb("find", "from:adv show:class").rows == [["wizard"], ["Cook"], ["Wizzard"]])
  }

  @Test func `needs to know which records it is for`() {
    let dexdb = Dexdb()
    for name in ["Ana", "Bo", "Cleo"] {
      #expect(dexdb("recruit", "name=\(name)", "class=Wizard").code == 0)
    }
    #expect(dexdb("set", "level=2").code == 2)
    #expect(dexdb("set", "--where", "name=ana", "level=2").errors.contains("add from:adv"))
    #expect(dexdb("set", "--where", "from:adv", "level=2").errors.contains("--all"))
    #expect(dexdb("set", "--where", "from:adv name=ana", "total=2").code == 2)
    let dry = dexdb("set", "--dry-run", "--where", "from:adv", "--all", "level=2")
    #expect(dry.code == 0 && dry.errors.contains("dry run") && dry.errors.contains("3"))
    #expect(dexdb("count", "from:adv level:2").text == "0\n")
    #expect(dexdb("set", "--where", "from:adv -name=bo", "level=2", "atk=1.2").code == 0)
    #expect(dexdb("count", "from:adv level:2").text == "2\n")
    let refused = dexdb("delete", "--where", "from:adv level:2")
    #expect(refused.code == 2 && refused.errors.contains("delete 2 of adventurers (Ana, Cleo)?"))
    #expect(
      refused.errors.contains(
        "write dexdb -f \(dexdb.database) delete --yes --where 'from:adv level:2' to do so"))
    #expect(dexdb("delete", "from:adv", "level:2").errors == refused.errors, "the same")
    #expect(dexdb("delete", "--yes", "--where", "from:adv level:2").code == 0)
    #expect(dexdb("find", "from:adv show:name").rows == [["Bo"]])
    #expect(dexdb("delete", "--yes", "--where", "pik").code == 2)
    #expect(dexdb("check").code == 0)
  }

  @Test(arguments: ["tsv", "csv", "json", "jsonl"])
  func `goes out and comes back in without loss`(format: String) {
    let dexdb = Dexdb()
    let names = ["Ana", "\"Bo\", the\\ 2nd", "C\tl\neo", "\u{1B}[31mred\u{202E}", "ピカ é"]
    for (index, name) in names.enumerated() {
      let run = dexdb("recruit", "--seed", "\(index)", "name=\(name)", "class=A,b")
      #expect(run.code == 0, "\(run.errors)")
    }
    let path = dexdb.folder.path + "/adventurers." + format
    #expect(dexdb("export", "--format", format, "-o", path, "from:adv").code == 0)
    let before = dexdb("export", "--format", "json", "from:adv").output
    #expect(dexdb("delete", "--yes", "--all", "--where", "from:adv").code == 0)
    let read = dexdb("import", path)
    #expect(read.code == 0 && read.errors.contains("added 5"), "\(read.errors)")
    #expect(dexdb("export", "--format", "json", "from:adv").output == before)
  }

  @Test func `brings the whole Pokédex back from its export`() {
    let dexdb = Dexdb()
    for entity in ["moves", "forms", "pokemon"] {
      let path = "\(dexdb.folder.path)/\(entity).tsv"
      #expect(dexdb("export", "-o", path, "from:\(entity)").code == 0)
      let before = ProgramFolder.bytes(path)
      if entity == "pokemon" {
        #expect(dexdb("delete", "--yes", "--all", "--where", "from:forms").code == 0)
      }
      #expect(dexdb("delete", "--yes", "--all", "--where", "from:\(entity)").code == 0)
      let read = dexdb("import", path)
      #expect(read.code == 0, "\(read.errors)")
      #expect(dexdb("export", "from:\(entity)").output == before)
    }
  }

  @Test func `names file, line, column and field of what is wrong`() {
    let dexdb = Dexdb()
    let path = dexdb.folder.write(
      "name,profession,level,total_hit_points,current_hit_points,experience,multiplier,defense,"
        + "evasion,speed,wins,losses\n"
        + "Ana,Wizard,1,80,80,0,1.5,50,5,60,0,0\n"
        + "Bo,Wizard,many,80,80,0,1.5,50,5,60,0,0\n"
        + "\"C\nleo\",Wizard,1,80,80,0,1.5,50,5,60,0,0\n"
        + " ,Wizard,1,80,80,0,1.5,50,5,60,0,0\n",
      to: "adventurers.csv")
    let run = dexdb("import", path)
    #expect(run.code == 1)
    #expect(
      run.errors.contains("\(path):3:11: field 'level': 'many' is no whole number"), "\(run.errors)"
    )
    #expect(dexdb("count", "from:adv").text == "0\n")
    let skipping = dexdb("import", "--on-error", "skip", path)
    #expect(skipping.code == 0)
    #expect(
      skipping.errors.contains("\(path):6:1: adventurers: 'name' is blank"), "\(skipping.errors)")
    #expect(skipping.errors.contains("added 2 to adventurers, left out 2 with errors"))
    let bad = dexdb.folder.write("[{\"name\": \"A\",}]", to: "adventurers.json")
    #expect(dexdb("import", bad).errors.contains("\(bad):1:15: "))
    let unknown = dexdb.folder.write("nmae\tlevel\nA\t1\n", to: "adventurers.tsv")
    #expect(dexdb("import", unknown).errors.contains("did you mean 'name'?"))
    let input = dexdb("import", "--into", "adv", "--format", "jsonl", "-", input: "{\"name\"")
    #expect(input.code == 1 && input.errors.contains("-:1:"))
  }

  @Test func `meets records that are there already as it is told`() {
    let dexdb = Dexdb()
    let path = dexdb.folder.write("number\tspeed\n25\t200\n", to: "pokemon.tsv")
    #expect(dexdb("import", path).code == 1)
    #expect(dexdb("import", "--on-conflict", "skip", path).errors.contains("skipped 1"))
    let full = dexdb.folder.path + "/full.tsv"
    #expect(dexdb("export", "-o", full, "#25").code == 0)
    let again = dexdb("import", "--into", "pokemon", full)
    #expect(again.code == 1 && again.errors.contains(":2:"))
    #expect(
      dexdb("import", "--into", "pokemon", "--on-conflict", "skip", full).errors
        .contains("skipped 1"))
    let text = String(decoding: ProgramFolder.bytes(full), as: UTF8.self)
    let changed = dexdb.folder.write(
      text.split(separator: "\n").map { line in
        var cells = line.split(separator: "\t", omittingEmptySubsequences: false).map { String($0) }
        if cells[0] == "25" { cells[11] = "201" }
        return cells.joined(separator: "\t")
      }.joined(separator: "\n"), to: "changed.tsv")
    #expect(dexdb("import", "--into", "pokemon", "--on-conflict", "replace", changed).code == 0)
    #expect(dexdb("find", "#25 show:name,speed").rows == [["Pikachu", "201"]])
    #expect(dexdb("count", "pik").text == "3\n")
  }

  @Test func `takes portraits in and gives them back`() throws {
    let dexdb = Dexdb()
    let drawn = dexdb("portrait", "get", "pikachu").output
    #expect(drawn.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    let picture = try PNGCoding.decode(untrusted: drawn)
    let path = dexdb.folder.write(drawn, to: "25.png")
    _ = dexdb.folder.write(dexdb("portrait", "get", "6").output, to: "charizard.png")
    _ = dexdb.folder.write(drawn, to: "nobody.png")
    #expect(dexdb("portrait", "set", "1", path).code == 0)
    #expect(dexdb("find", "has:portrait show:number").numbers == [1])
    #expect(try PNGCoding.decode(untrusted: dexdb("portrait", "get", "1").output) == picture)
    let folder = dexdb("portrait", "import", dexdb.folder.path)
    #expect(
      folder.code == 0 && folder.errors.contains("stored 2") && folder.errors.contains("nobody.png")
    )
    #expect(dexdb("find", "has:portrait show:number").numbers == [1, 6, 25])
    #expect(dexdb("portrait", "clear", "1").code == 0)
    #expect(dexdb("portrait", "clear", "1").code == 1)
    #expect(dexdb("count", "from:portraits -has:name").text == "2\n")
    let bad = dexdb.folder.write("no picture", to: "bad.png")
    let refused = dexdb("portrait", "set", "1", bad)
    #expect(refused.code == 1 && refused.errors.contains("PNG"))
    #expect(dexdb("portrait", "set", "1", "no-such-name").code == 1)
    #expect(dexdb("portrait", "gallery").rows.count >= 24)
  }

  @Test func `survives in a backup, and compacts`() {
    let dexdb = Dexdb()
    #expect(dexdb("recruit", "name=Ana", "class=Wizard").code == 0)
    let copy = dexdb.folder.path + "/copy.dex"
    #expect(dexdb("backup", copy).code == 0)
    #expect(dexdb("backup", copy).code == 1)
    #expect(dexdb("compact").code == 0)
    let run = Dexdb.run(["-f", copy, "find", "from:adv show:name"], folder: dexdb.folder.path)
    #expect(run.rows == [["Ana"]])
    let safe = Dexdb.run(
      ["-f", dexdb.database, "--safe", "backup", copy + "2"], folder: dexdb.folder.path)
    #expect(safe.code == 1)
  }

  @Test func `holds nobody up while it waits for a picture`() throws {
    let dexdb = Dexdb()
    let png = dexdb("portrait", "get", "pikachu").output
    let pipe = dexdb.folder.path + "/picture"
    #expect(mkfifo(pipe, 0o600) == 0)
    for words in [
      ["portrait", "set", "1", pipe], ["recruit", "name=Bo", "class=Monk", "portrait=" + pipe],
      ["set", "--where", "from:adv name:a", "portrait=" + pipe],
    ] {
      let terminal = PseudoTerminal(
        ["-f", dexdb.database] + words, folder: dexdb.folder.path)
      // It reads the picture once this side can be opened.
      let picture = try #require(fopen(pipe, "w"))
      let run = dexdb("recruit", "name=Ana", "class=Wizard")
      #expect(run.code == 0, "\(words[0]): \(run.errors)")
      fwrite(png, 1, png.count, picture)
      fclose(picture)
      #expect(terminal.waitForEnd() == 0, "\(words[0])")
    }
    #expect(dexdb("check").code == 0)
    // A folder's pipes and folders are no pictures.
    #expect(mkdir(dexdb.folder.path + "/all", 0o700) == 0)
    #expect(mkfifo(dexdb.folder.path + "/all/1.png", 0o600) == 0)
    #expect(dexdb("portrait", "import", dexdb.folder.path + "/all").errors.contains("no PNG files"))
  }

  @Test func `tells a number that is too great from what is none`() {
    let dexdb = Dexdb()
    let set = { (value: String) in
      dexdb("set", "--where", "from:adv name=a", "xp=" + value).errors
    }
    #expect(set("9223372036854775808").contains("'9223372036854775808' is out of range"))
    #expect(set("-9223372036854775809").contains("is out of range"))
    #expect(set("12x").contains("'12x' is no whole number"))
    #expect(set("-").contains("'-' is no whole number"))
    let run = dexdb("find", "--limit", "5", "pik")
    #expect(run.code == 2 && run.errors.contains("limit:…"), "\(run.errors)")
  }
}
