import Entities
import Glibc
import PageStore
import Testing

/// What a slip of the user's, another's file or a full disk must not cost.
@Suite struct `A careful program` {
  @Test(arguments: ["", "-log", "-lock"])
  func `writes over no database, nor what belongs to one`(ending: String) {
    let dexdb = Dexdb()
    let target = dexdb.database + ending
    if !ending.isEmpty { _ = dexdb.folder.write("in use", to: "test.dex" + ending) }
    let before = ProgramFolder.bytes(target)
    let run = dexdb("export", "-o", target, "t:fire")
    #expect(run.code == 1 && run.errors.contains("database"))
    // A lock file that nobody uses goes with the opening of the store.
    if ending != "-lock" { #expect(ProgramFolder.bytes(target) == before) }
  }

  @Test(arguments: [["find", "t:fire"], ["export"], ["show", "pikachu"], ["help"], ["--version"]])
  func `says so where its output had no room`(arguments: [String]) {
    let dexdb = Dexdb()
    let quoted = arguments.map { "'\($0)'" }.joined(separator: " ")
    let script = dexdb.folder.write(
      "'\(Dexdb.program)' -f '\(dexdb.database)' \(quoted) > /dev/full\n", to: "full.sh")
    let run = Dexdb.run([script], folder: dexdb.folder.path, program: "/bin/sh")
    #expect(run.code == 1 && run.errors.contains("No space left"), "\(run)")
  }

  @Test func `leaves files alone that only look like its own unfinished one`() {
    let dexdb = Dexdb(isInitialized: false)
    let other = dexdb.folder.write("mine", to: "test.dex.new")
    #expect(dexdb("init").code == 0)
    #expect(ProgramFolder.bytes(other) == Array("mine".utf8))
    #expect(ProgramFolder.names(in: dexdb.folder.path).filter { $0.contains("dex") }.count == 2)
  }

  @Test func `gives a file of somebody else's nothing, and reads it by its own schema`() throws {
    let dexdb = Dexdb(isInitialized: false)
    let schema = Schema(
      name: "moves", fields: [FieldDefinition(1, "title", .text, index: .words)])
    let database = try Database(path: dexdb.database, entities: [])
    try database.createEntity(schema)
    try database.write { (transaction: inout DatabaseTransaction) throws in
      _ = try transaction.insert("moves", Record(["title": .text("Dance")]))
    }
    try database.close()
    #expect(dexdb("find", "from:moves title:dan").lines.count == 2)
    #expect(dexdb("set", "--dry-run", "--where", "from:moves title:dan", "title=Song").code == 0)
    #expect(dexdb("set", "--where", "from:moves title:dan", "title=Song").code == 0)
    let after = try Database(path: dexdb.database, entities: [])
    #expect(try after.schemas().map(\.name) == ["moves"])
    try after.close()
    #expect(dexdb("find", "--no-header", "from:moves show:title").text == "Song\n")
  }

  @Test func `says once which entity a query asks, as it can be read again`() {
    let dexdb = Dexdb()
    for query in ["from:moves power>=100", "t:fire", "from:adv"] {
      let line = dexdb("explain", query).lines.first ?? ""
      #expect(line.components("from:") == 1, "\(line)")
      #expect(dexdb("count", line).text == dexdb("count", query).text)
    }
  }

  @Test func `takes no quoted word for the name of what is to be changed`() {
    let dexdb = Dexdb()
    let run = dexdb("set", "--where", "\"x from:y\"", "hp=1")
    #expect(run.code == 2 && run.errors.contains("which entity"))
  }
}

extension String {
  /// How often `part` stands in the text.
  fileprivate func components(_ part: String) -> Int {
    var count = 0
    var rest = self[...]
    while let range = rest.firstRange(of: part) {
      count += 1
      rest = rest[range.upperBound...]
    }
    return count
  }
}
