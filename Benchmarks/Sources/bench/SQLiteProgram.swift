import Glibc

/// SQLite's own program, `sqlite3`, with the same facts in a file of its own.
///
/// Its table of adventurers has an index for each column that has one here. Where it imports, it
/// keeps no journal, and syncs once at the end.
final class SQLiteProgram: ProgramContestant {
  static let name = "sqlite3"
  static let checks = "nothing: it has no checksums; a backup is not read back"
  static let durability = "synced before the program ends; import keeps no journal"

  private let path: String
  private let roster: String
  private var made: Set<String> = []

  init(path: String, roster: String, questCount: Int) throws {
    self.path = path
    self.roster = roster
    try makePokedex()
  }

  private func file(_ name: String) -> String { "\(path)/\(name).sqlite" }

  private var output: String { path + "/output" }

  @discardableResult
  private func run(_ name: String, _ statements: String) throws -> Double {
    try Programs.run("sqlite3", ["-batch", file(name), statements], output: output)
  }

  /// Runs a script, which may hold commands of the program.
  @discardableResult
  private func script(_ name: String, _ lines: String) throws -> Double {
    try FileBytes.write(Array(lines.utf8), to: path + "/script")
    return try Programs.run(
      "sqlite3", ["-batch", file(name)], output: output, input: path + "/script")
  }

  /// Number, name and types of all Pokémon, as `dexdb` tells them, with the index that suits `find`.
  private func makePokedex() throws {
    let facts = path + "/facts.dex"
    _ = try Programs.run("dexdb", ["-f", facts, "init"], output: output)
    _ = try Programs.run(
      "dexdb", ["-f", facts, "find", "--no-header", "show:id,name,type"], output: output)
    var pokemon: [UInt8] = []
    var types: [UInt8] = []
    for line in try FileBytes.read(output).split(separator: 10) {
      let cells = line.split(separator: 9, omittingEmptySubsequences: false)
      guard cells.count == 3 else { throw BenchError("a Pokémon without number, name and types") }
      pokemon += cells[0] + [9] + cells[1] + [10]
      for type in cells[2].split(separator: 44) {
        types += type.drop { $0 == 32 } + [9] + cells[0] + [10]
      }
    }
    try FileBytes.write(pokemon, to: path + "/pokemon.tsv")
    try FileBytes.write(types, to: path + "/types.tsv")
    unlink(facts)
    try script(
      "pokedex",
      """
      CREATE TABLE pokemon (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
      CREATE TABLE types (type TEXT, id INTEGER, PRIMARY KEY (type, id)) WITHOUT ROWID;
      .mode tabs
      .import \(path)/pokemon.tsv pokemon
      .import \(path)/types.tsv types
      ANALYZE;

      """)
  }

  /// The script that imports the adventurers and makes the indexes.
  private var importing: String {
    let texts: Set = ["name", "profession"]
    let columns = Roster.columns.dropFirst().map { name in
      "\(name) \(texts.contains(name) ? "TEXT" : "INTEGER") NOT NULL"
    }
    let indexes = Roster.columns.dropFirst().map { "CREATE INDEX by_\($0) ON adventurers (\($0));" }
    return """
      PRAGMA journal_mode=OFF;
      PRAGMA cache_size=-400000;
      CREATE TABLE adventurers (id INTEGER PRIMARY KEY, \(columns.joined(separator: ", ")));
      .mode tabs
      .import --skip 1 \(roster) adventurers
      BEGIN;
      \(indexes.joined(separator: "\n"))
      COMMIT;

      """
  }

  private func makeRoster() throws {
    if made.insert("roster").inserted { try script("roster", importing) }
  }

  func prepare(_ task: ProgramTask) throws {
    switch task {
    case .initialize, .find, .quests, .keystrokes: break
    case .importing: unlink(file("imported"))
    case .exporting, .check: try makeRoster()
    case .backup:
      try makeRoster()
      unlink(file("copy"))
    case .compact:
      try makeRoster()
      if made.insert("half").inserted {
        try FileBytes.copy(file("roster"), to: file("half"))
        try run("half", "DELETE FROM adventurers WHERE level <= 100")
      }
      try FileBytes.copy(file("half"), to: file("compacted"))
    }
    sync()
  }

  func run(_ task: ProgramTask) throws -> Double {
    switch task {
    case .initialize, .quests, .keystrokes: throw BenchError("sqlite3 does no such task")
    case .find:
      try Programs.run(
        "sqlite3",
        [
          "-batch", "-readonly", "-separator", "\t", file("pokedex"),
          """
          SELECT p.id, p.name FROM types a JOIN types b ON b.id = a.id JOIN pokemon p ON p.id = a.id
          WHERE a.type = 'fire' AND b.type = 'flying' ORDER BY p.id
          """,
        ], output: output)
    case .importing: try script("imported", importing)
    case .exporting:
      try Programs.run(
        "sqlite3",
        [
          "-batch", "-readonly", "-header", "-separator", "\t", file("roster"),
          "SELECT * FROM adventurers ORDER BY id",
        ], output: output)
    case .check: try run("roster", "PRAGMA integrity_check")
    case .backup: try run("roster", ".backup \(file("copy"))")
    case .compact: try run("compacted", "VACUUM")
    }
  }

  func answer(_ task: ProgramTask) throws -> Digest? {
    var digest = Digest()
    switch task {
    case .initialize, .quests, .keystrokes: return nil
    case .check:
      guard try FileBytes.read(output) == Array("ok\n".utf8) else {
        throw BenchError("sqlite3 finds its file damaged")
      }
      digest.fold(text: Array("well".utf8))
    case .find: digest.fold(text: try FileBytes.read(output))
    case .exporting: digest.fold(text: Roster.importedColumns(try FileBytes.read(output)))
    case .importing: try foldCount(of: "imported", into: &digest)
    case .backup: try foldCount(of: "copy", into: &digest)
    case .compact: try foldCount(of: "compacted", into: &digest)
    }
    return digest
  }

  private func foldCount(of name: String, into digest: inout Digest) throws {
    try run(name, "SELECT count(*) FROM adventurers")
    digest.fold(text: try FileBytes.read(output))
  }
}
