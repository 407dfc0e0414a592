import Testing

@Suite struct `The program` {
  private static let shared = Dexdb()

  // Exit codes and complaints

  @Test func `says how it went by its exit code`() {
    let dexdb = Self.shared
    #expect(dexdb("find", "t:fire").code == 0)
    #expect(dexdb("find", "name=nobody").code == 0)
    #expect(dexdb("find", "-q", "name=nobody").code == 1)
    #expect(dexdb("find", "-q", "pikachu").code == 0)
    #expect(dexdb("find", "-q", "pikachu").output.isEmpty)
    #expect(dexdb("show", "nobody-at-all").code == 1)
    #expect(dexdb("find", "t:fier").code == 2)
    #expect(dexdb("find", "--colour").code == 2)
    #expect(dexdb("fnid").code == 2)
    #expect(dexdb().code == 2)
    #expect(Dexdb.run(["--version"], folder: dexdb.folder.path).code == 0)
  }

  @Test func `tells damaged files from missing ones`() {
    let missing = Dexdb(isInitialized: false)
    let run = missing("find", "pik")
    #expect(run.code == 1)
    #expect(run.errors.contains("dexdb: no database at \(missing.database)"))
    #expect(run.errors.contains("help: make one with 'dexdb init'"))
    #expect(ProgramFolder.names(in: missing.folder.path).isEmpty)

    _ = missing.folder.write("this is no database at all", to: "test.dex")
    #expect(missing("find", "pik").code == 3)
    #expect(missing("check").code == 3)
    #expect(missing("init").code == 1)

    let damaged = Dexdb()
    var bytes = Dexdb.fresh
    for place in stride(from: 40_000, to: bytes.count, by: 8192) { bytes[place] ^= 0xFF }
    _ = damaged.folder.write(bytes, to: "test.dex")
    #expect(damaged("find", "t:fire").code == 3)
    let check = damaged("check")
    #expect(check.code == 3)
    #expect(check.text.contains("page"))
    let salvage = damaged("salvage", damaged.folder.path + "/saved.dex")
    #expect(salvage.code == 0 || salvage.code == 3)
  }

  @Test func `answers a bad query with a caret and with what to write`() {
    let run = Self.shared("find", "ピカ", "t:fier")
    #expect(
      run.errors
        == "dexdb: no type 'fier'\n  ピカ t:fier\n         ^~~~\nhelp: did you mean 'fire'?\n")
    #expect(run.output.isEmpty)
    #expect(
      Self.shared("find", "level>3").errors
        == """
        dexdb: no field 'level' in pokemon
          level>3
          ^~~~~
        help: 'level' belongs to adventurers: add from:adventurers

        """)
    #expect(
      Self.shared("find", "t:fire,flying").errors
        == """
        dexdb: ',' does not separate values
          t:fire,flying
                ^
        help: both types: t:fire/flying
              either: (t:fire OR t:flying)

        """)
    #expect(Self.shared("find", "type:null").errors.contains("write \"type: null\""))
  }

  @Test func `takes its own options anywhere before two hyphens`() {
    let file = Self.shared.database
    let lines: [[String]] = [
      ["-f", file, "count", "t:fire"], ["count", "-f", file, "t:fire"],
      ["count", "t:fire", "-f", file], ["count", "t:fire", "--file=\(file)", "--ascii"],
      ["count", "--ascii", "-f", file, "--", "t:fire"],
    ]
    for words in lines {
      let run = Dexdb.run(words, folder: Self.shared.folder.path)
      #expect(run.code == 0 && run.text == "\(Self.shared("count", "t:fire").text)", "\(words)")
    }
    let behind = Dexdb.run(
      ["-f", file, "count", "--", "pik", "-f"], folder: Self.shared.folder.path)
    #expect(behind.code == 0 && Int(behind.lines[0]) != nil, "a search without f")
    #expect(Self.shared("find", "#25", "--csv", "show:name").text == "name\nPikachu\n")
    #expect(Self.shared("find", "pik", "--jso").errors.contains("did you mean '--json'?"))
    for word in ["-n", "--dry", "-y"] {
      let run = Self.shared("delete", "--yes", "from:adv", "level:4", word)
      #expect(run.code == 2 && run.errors.contains(word), "what is no option leaves nothing out")
    }
    #expect(Self.shared("set", "--readonly", "--where", "from:adv", "level=2").code == 1)
    #expect(Self.shared("find", "pik", "--version").text.hasPrefix("dexdb "))
    #expect(Self.shared("find", "pik", "--color", "often").errors.contains("one of auto"))
  }

  @Test func `heads columns in tables as they were asked for`() {
    let table = Self.shared("find", "--format", "table", "#25 show:No,atk,spatk,Special_Defense,t")
    let words = table.lines.first { $0.contains("atk") }?.split(whereSeparator: {
      !$0.isLetter && $0 != "_"
    })
    #expect(words == ["No", "atk", "spatk", "Special_Defense", "t"].map { Substring($0) })
    let grouped = Self.shared("find", "--format", "table", "gen:1 group:t show:t,avg.spatk limit:3")
    #expect(grouped.lines.contains { $0.contains("avg.spatk") })
    let keys = Self.shared("find", "--format", "table", "gen:1 group:T limit:3")
    #expect(keys.lines.contains { $0.contains("T ") && $0.contains("count") })
    #expect(
      Self.shared("find", "#25 show:atk").lines.first == "attack", "programs read one name alone")
  }

  @Test func `names the nearest command and option`() {
    #expect(Self.shared("fnid").errors.contains("help: did you mean 'find'?"))
    #expect(Self.shared("help", "quries").errors.contains("help: did you mean 'queries'?"))
    #expect(Self.shared("help", "fnid").errors.contains("help: did you mean 'find'?"))
    #expect(Self.shared("quries").errors.contains("no command 'quries'"))
    for (line, near) in [(".help quries", "queries"), (".help fnid", ".find")] {
      let run = Self.shared("shell", "-c", line)
      #expect(run.code == 2 && run.errors.contains("help: did you mean '\(near)'?"), "\(line)")
    }
    #expect(Self.shared("find", "--jsno", "pik").errors.contains("did you mean '--json'?"))
    #expect(Self.shared("find", "--format", "xml").errors.contains("one of table, grid"))
    #expect(Self.shared("find", "--format").errors.contains("needs a value"))
    #expect(Self.shared("find", "--json=yes").errors.contains("takes no value"))
    #expect(Self.shared("show", "pikchu").errors.contains("did you mean 'Pikachu'?"))
  }

  // Arguments

  @Test func `takes terms with a minus for operands, and options up to two hyphens`() {
    let final = Self.shared("count", "-is:final", "gen:1")
    #expect(final.code == 0)
    #expect(final.text == Self.shared("count", "gen:1 has:evolution").text)
    #expect(Self.shared("count", "-t:water").code == 0)
    #expect(Self.shared("count", "-(t:water OR t:fire)").code == 0)
    #expect(Self.shared("count", "--", "-pik").text == "\(1025 - 3)\n")
    #expect(Self.shared("count", "-pik").code == 2)
    #expect(Self.shared("find", "--", "pik", "--json").code == 0)
    #expect(Self.shared("find", "--format=csv", "#25").lines[0].hasPrefix("number,name"))
  }

  @Test func `finds its file by option, variable and home`() {
    let folder = Self.shared.folder.path
    let path = Self.shared.database
    let run = { (environment: [String]) in
      Dexdb.run(["count", "#25"], folder: folder, environment: environment)
    }
    #expect(run(["DEXDB_FILE=\(path)"]).text == "1\n")
    #expect(
      run(["XDG_DATA_HOME=\(folder)/data"]).errors.contains("\(folder)/data/dexdb/pokedex.dex"))
    #expect(run(["HOME=\(folder)"]).errors.contains("\(folder)/.local/share/dexdb/pokedex.dex"))
  }

  @Test func `helps with every command, with examples`() {
    let overview = Self.shared("help")
    #expect(overview.code == 0 && overview.errors.isEmpty)
    let names = overview.lines.drop { $0 != "commands:" }.dropFirst()
      .prefix { $0.hasPrefix("  ") }.compactMap {
        $0.split(separator: " ").first.map { String($0) }
      }
    #expect(names.count >= 18)
    for name in names {
      let run = Self.shared(name, "--help")
      #expect(run.code == 0 && run.text.contains("examples:\n  dexdb"), "\(name)")
      #expect(run.text == Self.shared("help", name).text)
    }
    let offered = Self.shared("complete", "--", "").lines.map { $0.prefix { $0 != " " } }
    #expect(Set(names).isSubset(of: Set(offered.map { String($0) })))
    #expect(Self.shared("help", "queries").text.contains("takes.ice>=4"))
  }

  @Test func `says what was meant also where no terminal is`() {
    let run = Self.shared("find", "pikachuu")
    #expect(run.code == 0 && run.lines.count == 1)
    #expect(run.errors == "did you mean Pikachu?\n")
    for (words, meant) in [
      (["portrait", "gett", "6"], "portrait get"), (["find", "--format", "cvs"], "csv"),
      (["completions", "bsh"], "bash"), (["shell", "-c", ".mode jsno"], "json"),
    ] {
      let run = Dexdb.run(["-f", Self.shared.database] + words, folder: Self.shared.folder.path)
      #expect(run.code == 2 && run.errors.contains("did you mean '\(meant)'?"), "\(run.errors)")
    }
  }

  // Reading changes nothing

  @Test func `changes no byte and leaves no file where it only reads`() {
    let dexdb = Dexdb()
    let before = ProgramFolder.bytes(dexdb.database)
    for arguments in [
      ["find", "pik"], ["show", "6"], ["count"], ["explain", "t:fire"], ["schema", "pokemon"],
      ["stats"], ["check"], ["export", "gen:1"], ["portrait", "get", "6"], ["portrait", "gallery"],
    ] {
      let run = Dexdb.run(["-f", dexdb.database] + arguments, folder: dexdb.folder.path)
      #expect(run.code == 0, "\(arguments): \(run.errors)")
      #expect(!run.output.isEmpty, "\(arguments)")
    }
    #expect(ProgramFolder.bytes(dexdb.database) == before)
    #expect(ProgramFolder.names(in: dexdb.folder.path) == ["test.dex"])
    let refused = Dexdb.run(
      ["-f", dexdb.database, "--readonly", "recruit", "name=A", "class=B"],
      folder: dexdb.folder.path)
    #expect(refused.code == 1 && refused.errors.contains("--readonly"))
  }

  // Formats

  @Test func `writes the same rows in every format`() {
    let query = "t:fire t:flying show:number,name,types,habitat"
    let tsv = Self.shared("find", "--format", "tsv", query)
    #expect(tsv.rows.count == 6)
    #expect(tsv.rows[0] == ["6", "Charizard", "fire,flying", "mountain"])
    #expect(tsv.rows[5] == ["741", "Oricorio", "fire,flying", ""])
    let json = Self.shared("find", "--json", query).text
    #expect(
      json.hasPrefix(
        "[\n  {\"number\": 6, \"name\": \"Charizard\", \"types\": [\"fire\", \"flying\"]"))
    #expect(
      json.contains(
        "\"number\": 741, \"name\": \"Oricorio\", \"types\": [\"fire\", \"flying\"], \"habitat\": null}\n]\n"
      ))
    #expect(Self.shared("find", "--format", "jsonl", query).lines.count == 6)
    #expect(Self.shared("find", "--csv", query).lines[1] == "6,Charizard,\"fire,flying\",mountain")
    #expect(Self.shared("find", "--format", "markdown", query).lines.count == 8)
    #expect(Self.shared("find", "--format", "grid", query).lines.count == 10)
    #expect(Self.shared("find", "--format", "table", query).lines.count == 8)
    #expect(Self.shared("find", "--format", "line", query).lines.count == 24)
    #expect(Self.shared("find", "--no-header", query).lines.count == 6)
    let null = Self.shared("find", "-0", "--no-header", "t:fire t:flying show:name").output
    #expect(null.count { $0 == 0 } == 6 && !null.contains(10))
    #expect(Self.shared("find", "--json", "name=nobody").text == "[]\n")
  }

  @Test func `uses colours only where they are asked for`() {
    let page = { (options: [String], environment: [String]) in
      Dexdb.run(
        ["-f", Self.shared.database] + options + ["show", "--portrait", "ascii", "6"],
        folder: Self.shared.folder.path, environment: environment
      ).output.contains(0x1B)
    }
    #expect(!page([], []))
    #expect(page(["--color", "always"], []))
    #expect(!page(["--color", "never"], []))
  }

  @Test func `shows one record, and says where it found it`() {
    let field = { (run: ProgramRun, name: String) in run.rows.first { $0[0] == name }?[1] }
    let charizard = Self.shared("show", "charizard")
    #expect(field(charizard, "entity") == "pokemon")
    #expect(field(charizard, "total") == "534")
    #expect(field(charizard, "takes.rock") == "4")
    #expect(Self.shared("show", "6").output == charizard.output)
    #expect(Self.shared("show", "リザードン").output == charizard.output)
    #expect(field(Self.shared("show", "mr", "mime"), "number") == "122")
    let form = Self.shared("show", "charizard-mega-x")
    #expect(field(form, "entity") == "forms" && field(form, "types") == "fire,dragon")
    let ambiguous = Self.shared("show", "10% zygarde")
    #expect(ambiguous.code == 1 && ambiguous.errors.contains("could be one of 2"))
    let page = Self.shared("show", "--portrait", "ascii", "eevee").text
    #expect(page.contains("Eevee  #133"))
    #expect(page.contains("HP         55 ██████▍"))
    #expect(page.contains("takes ×2") && page.contains("fighting"))
    #expect(page.contains("Vaporeon") && page.contains("Sylveon"))
    #expect(page.contains("Gigantamax"))
  }
}
