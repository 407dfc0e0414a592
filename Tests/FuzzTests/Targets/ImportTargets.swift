import CDexShim
import Entities
import Glibc
import Terminal

@testable import dexdb

extension FuzzTarget {
  /// Files that are imported or restored: as readers see them, and as the commands do.
  static let imports =
    ["csv", "tsv", "json", "jsonl"].flatMap { format in
      [
        FuzzTarget(
          name: "read-\(format)", longestInput: 2048, limits: (8, 512), dictionary: format,
          seeds: { ImportSeeds.files(format) },
          run: { bytes throws(FuzzFinding) in try FuzzedReading.read(bytes, format) }),
        FuzzTarget(
          name: "import-\(format)", longestInput: 2048, limits: (16, 768), dictionary: format,
          seeds: { ImportSeeds.files(format) },
          run: { bytes throws(FuzzFinding) in
            try FuzzedCommand.run(bytes) { path in try FuzzedImport.run(path, format) }
          }),
      ]
    } + [
      FuzzTarget(
        name: "restore", longestInput: 4096, limits: (16, 768), dictionary: "dump",
        seeds: { try FuzzedRestore.seeds() },
        run: { bytes throws(FuzzFinding) in
          try FuzzedCommand.run(bytes) { path in try FuzzedRestore.run(path) }
        })
    ]
}

/// Small files of each format.
enum ImportSeeds {
  static func files(_ format: String) -> [[UInt8]] {
    let texts =
      switch format {
      case "csv":
        [
          "name,profession,level\nAnn,ranger,3\n\"B \"\"o\"\"\",wizard,7\n",
          "sep=;\nid;name;profession\n4;Cy;monk\n", "name\r\n\"a\r\nb\"\r\n",
          "name,evasion\rx,1.5\r",
        ]
      case "tsv":
        ["name\tprofession\tcreated\nAnn\tranger\t2020-01-02\nB\\to\twizard\t\\e\n", "id\tname\n"]
      case "json":
        [
          "[{\"name\": \"Ann\", \"profession\": \"ranger\", \"level\": 3},\n {\"id\": 9}]", "[]",
          "[{\"name\":\"\\u00e9\\ud83d\\ude00\",\"x\":[1,true,null,-1.5e3],\"y\":{\"a\":\"b\"}}]",
        ]
      default:
        [
          "{\"name\": \"Ann\", \"profession\": \"ranger\"}\n{\"id\": 9, \"name\": \"B\"}\n",
          "{\"name\":\"\\\"\\\\\\n\",\"hp\":0}\n\n{}\n",
        ]
      }
    return texts.map { Array($0.utf8) }
  }
}

/// What the readers say of a file, in one piece.
enum FuzzedReading {
  static func read(_ bytes: [UInt8], _ format: String) throws(FuzzFinding) {
    var rows: [ImportedRow] = []
    do {
      switch format {
      case "json":
        var reader = JSONReader([])
        reader.take(part: bytes)
        try reader.forEachElement { rows.append($0) }
        try reader.finishElements()
      case "jsonl":
        var reader = JSONReader([])
        reader.take(part: bytes)
        try reader.forEachLine { rows.append($0) }
      default:
        let isCSV = format == "csv"
        let separator = isCSV ? RecordChunks.separator(of: bytes) : 9
        var reader = DelimitedReader(isCSV: isCSV, separator: separator)
        try reader.forEachRow(in: bytes) { rows.append($0) }
        try reader.finish()
      }
    } catch let error as ImportError {
      try FuzzFinding.unless(
        error.line > 0 && error.column > 0 && !error.message.isEmpty, "an error without a place")
    } catch {
      throw FuzzFinding("\(error)")
    }
    let lineCount = bytes.count { $0 == 10 || $0 == 13 } + 1
    for row in rows {
      try FuzzFinding.unless(
        (1...lineCount).contains(row.line) && row.values.allSatisfy { $0.column > 0 },
        "a row in line \(row.line) of \(lineCount)")
    }
  }
}

/// Runs commands on files in memory.
enum FuzzedCommand {
  /// Calls `body` with the path of a file of these bytes, which is gone afterwards.
  static func run(_ bytes: [UInt8], _ body: (String) throws -> Void) throws(FuzzFinding) {
    let descriptor = dex_open_memory("input", 0o600)
    guard descriptor >= 0 else { throw FuzzFinding("no file in memory") }
    defer { close(descriptor) }
    guard SystemCalls.write(bytes, to: descriptor) else { throw FuzzFinding("no room") }
    do {
      try body("/proc/self/fd/\(descriptor)")
    } catch let error as CommandFailure {
      try FuzzFinding.unless(!error.message.isEmpty, "a failure without a message")
    } catch let finding as FuzzFinding {
      throw finding
    } catch {
      // Other errors are told by their own words.
      try FuzzFinding.unless(!CommandFailure(error).message.isEmpty, "\(error) has no words")
    }
  }
}

/// The command `import`, into a database in memory that stays as it was.
enum FuzzedImport {
  private static let database = Result { () throws -> Database in
    let database = try FuzzedDatabase.make(Pokedex.entities)
    try database.write { transaction throws(DatabaseError) in
      for (adventurer, id) in FuzzedQuest.roster {
        _ = try transaction.insert(adventurer, id: EntityID(id))
      }
    }
    return database
  }

  static func run(_ path: String, _ format: String) throws {
    let database = try database.get()
    for conflict in ["error", "replace"] {
      var arguments = ParsedArguments()
      arguments.operands = [path]
      arguments.set("--into", "adventurers")
      arguments.set("--format", format)
      arguments.set("--on-conflict", conflict)
      arguments.set("--dry-run", "")
      if conflict == "replace" { arguments.set("--on-error", "skip") }
      let session = ShellSession(globals: ParsedArguments())
      try session.keep(database, isWritable: true)
      let context = CommandContext(
        command: .importing, arguments: arguments, globals: ParsedArguments(), session: session)
      do {
        try Command.importing.run(context)
      } catch let error as CommandFailure {
        try FuzzFinding.unless(!error.message.isEmpty, "a failure without a message")
      }
    }
    let count = try database.snapshot().count("adventurers")
    try FuzzFinding.unless(
      count == FuzzedQuest.roster.count, "a dry run has left \(count) adventurers")
  }
}

/// The command `restore`, into a file that is removed again.
enum FuzzedRestore {
  private static let path = "/tmp/dexdb-fuzz-\(getpid()).dex"

  /// Dumps of a database of adventurers, and of one with a single small entity.
  static func seeds() throws -> [[UInt8]] {
    let small = Schema(
      name: "things",
      fields: [
        FieldDefinition(1, "name", .text, index: .words), FieldDefinition(2, "size", .integer),
        FieldDefinition(3, "tags", .names(nil), index: .terms),
        FieldDefinition(4, "friend", .reference(entity: "things", onDelete: .clear)),
      ])
    let database = try FuzzedDatabase.make([])
    defer { do { try database.close() } catch {} }
    try database.createEntity(small)
    try database.write { transaction throws(DatabaseError) in
      let first = try transaction.insert("things", ["name": .text("a b"), "size": .integer(-3)])
      _ = try transaction.insert(
        "things",
        ["tags": .names(["x", "y"]), "friend": .integer(Int64(first.rawValue))])
    }
    return [try dump(database), Array("{\"dexdb-dump\": 1}\n{\"end\": 0}\n".utf8)]
  }

  private static func dump(_ database: Database) throws -> [UInt8] {
    let session = ShellSession(globals: ParsedArguments())
    try session.keep(database, isWritable: true)
    let context = CommandContext(
      command: .dump, arguments: ParsedArguments(), globals: ParsedArguments(), session: session)
    var text = ""
    var writer = DumpWriter(context)
    try writer.run(database) { text += $0 }
    return Array(text.utf8)
  }

  static func run(_ dumpPath: String) throws {
    unlink(path)
    defer { unlink(path) }
    var globals = ParsedArguments()
    globals.set("--file", path)
    var arguments = ParsedArguments()
    arguments.operands = [dumpPath]
    let context = CommandContext(
      command: .restore, arguments: arguments, globals: globals,
      session: ShellSession(globals: globals))
    try Command.restore.run(context)
    // What was made is whole, and its dump makes the same again.
    let database = try Database(path: path)
    defer { do { try database.close() } catch {} }
    let report = try database.check()
    try FuzzFinding.unless(report.problemCount == 0, "what was restored has problems")
    let made = try dump(database)
    try FuzzFinding.unless(!made.isEmpty, "nothing was restored")
  }
}
