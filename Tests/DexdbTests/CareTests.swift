import CDexShim
import Glibc
import Testing

@testable import dexdb

@Suite struct `Care for a database` {
  /// A database with what users add: adventurers, a picture of their own, and numbers given out.
  private static func lived() -> Dexdb {
    let dexdb = Dexdb()
    let picture = dexdb.folder.write(dexdb("portrait", "get", "pikachu").output, to: "p.png")
    #expect(dexdb("recruit", "--seed", "1", "name=Ana", "class=Wizard").code == 0)
    #expect(dexdb("recruit", "--seed", "2", "name=E\u{1B}[31m\"\\\u{202E}é", "class=x y").code == 0)
    #expect(dexdb("recruit", "--seed", "3", "name=Cy", "class=Rogue").code == 0)
    #expect(dexdb("delete", "--yes", "--where", "from:adv name=cy").code == 0)
    #expect(dexdb("portrait", "--from", "adv", "set", "ana", picture).code == 0)
    return dexdb
  }

  // Dump and restore

  @Test func `makes from a dump what was dumped, to the byte`() {
    let dexdb = Self.lived()
    let dump = dexdb("dump")
    #expect(dump.code == 0 && dump.errors.isEmpty)
    #expect(dexdb("dump").output == dump.output)
    let path = dexdb.folder.write(dump.output, to: "all.jsonl")
    var copy = dexdb
    copy.database = dexdb.folder.path + "/copy.dex"
    let restored = copy("restore", path)
    #expect(restored.code == 0, "\(restored.errors)")
    #expect(copy("dump").output == dump.output)
    #expect(copy("check").code == 0)
    #expect(copy("diff", dexdb.database, copy.database).code == 0)
    #expect(copy("portrait", "get", "ana").output == dexdb("portrait", "get", "ana").output)
    for query in [["t:fire spe>=100"], ["from:adv"], ["family:eevee"], ["ピカ"]] {
      #expect(copy("find", query[0]).output == dexdb("find", query[0]).output)
    }
    // A number that was given out is not given out again.
    #expect(copy("recruit", "--seed", "4", "name=Di", "class=Monk").text == "4\n")
    #expect(copy("restore", path).code == 1)
    let file = dexdb.folder.path + "/again.jsonl"
    #expect(dexdb("dump", "-o", file).code == 0)
    #expect(ProgramFolder.bytes(file) == dump.output)
  }

  @Test func `makes nothing from a dump that is cut, changed or none`() {
    let dexdb = Self.lived()
    let lines = dexdb("dump").lines
    let restore = { (name: String, text: String) in
      let path = dexdb.folder.write(text, to: name + ".jsonl")
      let target = dexdb.folder.path + "/\(name).dex"
      let run = Dexdb.run(["-f", target, "restore", path], folder: dexdb.folder.path)
      #expect(run.code != 0, "\(name)")
      let left = ProgramFolder.names(in: dexdb.folder.path).filter { $0.contains(name + ".dex") }
      #expect(left.isEmpty, "\(name)")
      return run.errors
    }
    let text = { (lines: [String]) in lines.map { $0 + "\n" }.joined() }
    #expect(restore("cut", text(lines.dropLast())).contains("the end of the dump is missing"))
    #expect(restore("head", text(Array(lines.dropFirst()))).contains(":1:1: this is no dump"))
    #expect(restore("none", "").contains("the end of the dump is missing"))
    #expect(restore("other", "hello\n").contains(":1:"))
    var missing = lines
    missing.remove(at: 2)
    #expect(restore("missing", text(missing)).contains("records where"))
    // A reference to a picture that is not there, found by the check of the whole.
    let dangling = lines.map { line in
      line.contains("\"name\": \"Ana\"")
        ? line.split(separator: ",").map { part in
          part.contains("\"portrait\"") ? " \"portrait\": 999999" : String(part)
        }.joined(separator: ",") : line
    }
    #expect(dangling != lines)
    #expect(restore("dangling", text(dangling)).contains("999999"))
    let wrong = lines.map { $0.hasPrefix("{\"#\": 25,") ? "{\"#\": 25, \"speed\": \"x\"}" : $0 }
    #expect(restore("wrong", text(wrong)).contains("field 'speed'"))
  }

  // Comparing

  @Test func `says how two databases differ, field by field`() {
    let dexdb = Self.lived()
    let before = dexdb.folder.path + "/before.dex"
    #expect(dexdb("backup", before).code == 0)
    #expect(dexdb("diff", before, dexdb.database).code == 0)
    #expect(dexdb("set", "--where", "from:adv name=ana", "level=7", "wins=3").code == 0)
    #expect(dexdb("recruit", "--seed", "9", "name=Di", "class=Monk").code == 0)
    #expect(dexdb("delete", "--yes", "--where", "from:moves name=pound").code == 0)
    let diff = dexdb("diff", before, dexdb.database)
    #expect(diff.code == 1 && diff.errors.isEmpty)
    #expect(
      Set(diff.rows.filter { $0[0] != "portraits" }) == [
        ["adventurers", "1", "Ana", "level", "1", "7"],
        ["adventurers", "1", "Ana", "wins", "0", "3"],
        ["adventurers", "4", "Di", "", "", "record"],
        ["moves", "1", "Pound", "", "record", ""],
      ])
    #expect(dexdb("diff", "-q", before, dexdb.database).output.isEmpty)
    #expect(dexdb("diff", "--from", "forms", before, dexdb.database).code == 0)
    #expect(dexdb("diff", "--from", "nothing", before, dexdb.database).code == 1)
    #expect(dexdb("diff", before, "/nowhere.dex").errors.contains("no database at /nowhere.dex"))
    let safe = Dexdb.run(
      ["--safe", "-f", dexdb.database, "diff", before, before], folder: dexdb.folder.path)
    #expect(safe.code == 1 && safe.errors.contains("--safe"))
  }

  // Checking and measuring

  @Test func `checks for people and for programs`() {
    let dexdb = Self.lived()
    let sound = dexdb("check", "--json").text
    #expect(sound.contains("\"clean\": true") && sound.contains("\"problems\": []"))
    #expect(sound.contains("\"adventurers\": 2") && sound.contains("\"pokemon\": 1025"))
    var bytes = Dexdb.fresh
    for place in stride(from: 40_000, to: bytes.count, by: 8192) { bytes[place] ^= 0xFF }
    _ = dexdb.folder.write(bytes, to: "test.dex")
    let damaged = dexdb("check", "--json")
    #expect(damaged.code == 3)
    #expect(damaged.text.contains("\"clean\": false") && damaged.text.contains("\"what\": "))
    #expect(damaged.errors.contains("salvage"))
  }

  @Test func `tells tables from indexes, and adds up to the file`() {
    let dexdb = Self.lived()
    let stats = dexdb("stats")
    let kinds = Dictionary(stats.rows.map { ($0[0], $0[1]) }, uniquingKeysWith: { $1 })
    #expect(kinds["pokemon"] == "records" && kinds["/catalog"] == "catalog")
    #expect(kinds["pokemon/*"] == "index of all" && kinds["pokemon/types"] == "index of terms")
    #expect(kinds["pokemon/name"] == "index of words")
    #expect(kinds["pokemon/speed"] == "index of numbers")
    #expect(stats.rows.first { $0[0] == "pokemon" }?[2] == "1025")
    let sum = stats.rows.reduce(0) { $0 + (Int($1[4]) ?? 0) }
    let size = ProgramFolder.bytes(dexdb.database).count
    #expect(sum > size / 4 && sum <= size)
    #expect(stats.errors.contains("\(size) bytes") && stats.errors.contains("log of 0 bytes"))
  }

  @Test func `deletes the picture of its own with who had it, and leaves the gallery's`() {
    let dexdb = Self.lived()
    let count = { dexdb("count", "from:portraits").text }
    #expect(count() == "37\n")
    #expect(dexdb("delete", "--yes", "--where", "from:adv name=ana").code == 0)
    #expect(count() == "36\n")
    #expect(dexdb("delete", "--yes", "--all", "--where", "from:adv").code == 0)
    #expect(count() == "36\n")
    #expect(dexdb("check").code == 0)
  }

  @Test func `shows progress only on a terminal, and leaves nothing of it`() {
    let text = Progress.text("import", "rows", 120_000, seconds: 3, part: 25, whole: 100)
    #expect(text == "import: 120,000 rows, 40,000/s, 25%, 9 s left")
    #expect(
      Progress.text("dump", "records", 7, seconds: 0, part: 7, whole: nil) == "dump: 7 records")
    #expect(Progress.grouped(1_234_567) == "1,234,567" && Progress.grouped(999) == "999")
    let dexdb = Dexdb()
    #expect(dexdb("backup", dexdb.folder.path + "/b.dex").errors.utf8.allSatisfy { $0 != 13 })
  }

  @Test func `says who keeps it from writing`() throws {
    let dexdb = Dexdb()
    // A shell that has changed something keeps the right to write only for as long as it writes.
    let pipe = dexdb.folder.path + "/rows"
    #expect(mkfifo(pipe, 0o600) == 0)
    let terminal = PseudoTerminal(
      ["-f", dexdb.database, "import", "--into", "adv", "--format", "csv", pipe],
      folder: dexdb.folder.path)
    let rows = try #require(fopen(pipe, "w"))
    let head = dexdb("export", "--format", "csv", "from:adv").text
    fputs(head, rows)
    fflush(rows)
    // The import holds the right to write from when it reads on.
    var run = ProgramRun(output: [], errors: "", code: 0)
    for _ in 0..<200 {
      run = dexdb("recruit", "--dry-run", "name=Ana", "class=Wizard")
      if run.code != 0 { break }
    }
    #expect(run.code == 4, "\(run.errors)")
    #expect(run.errors.contains("in use by process \(terminal.child)"), "\(run.errors)")
    fclose(rows)
    #expect(terminal.waitForEnd() == 0)
    #expect(dexdb("recruit", "name=Ana", "class=Wizard").code == 0)
  }

  @Test func `ends quietly where nobody reads its output`() {
    let dexdb = Dexdb()
    let terminal = PseudoTerminal(
      ["-c", "'\(Dexdb.program)' -f test.dex dump | head -n 1; echo \"${PIPESTATUS[0]}\""],
      folder: dexdb.folder.path, program: "/bin/bash")
    #expect(terminal.waitForEnd() == 0)
    #expect(terminal.screen.lines.prefix(2).joined(separator: "|") == "{\"dexdb-dump\": 1}|141")
  }

  @Test func `salvages records into a database whose indexes find them all`() {
    // So many of the 1025 are of fire.
    let count = ["81"]
    var damagedIndexes = 0
    for page in stride(from: 3, to: Dexdb.fresh.count / 8192, by: 5) where damagedIndexes < 2 {
      let dexdb = Dexdb(isInitialized: false)
      var bytes = Dexdb.fresh
      bytes[page * 8192 + 100] ^= 0xFF
      _ = dexdb.folder.write(bytes, to: "test.dex")
      let path = dexdb.folder.path + "/saved.dex"
      let salvage = dexdb("salvage", path)
      guard salvage.code == 0, salvage.errors.contains("built anew") else { continue }
      #expect(salvage.lines.contains("pokemon: 1025 records"), "page \(page)")
      damagedIndexes += 1
      let saved = { (words: String...) in
        Dexdb.run(["-f", path] + words, folder: dexdb.folder.path)
      }
      #expect(saved("check").code == 0, "page \(page)")
      #expect(saved("count", "t:fire").lines == count, "page \(page)")
    }
    #expect(damagedIndexes > 0)
  }
}
