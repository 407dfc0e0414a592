#if HAVE_PAGESTORE
  import CSQLite

  /// SQLite with a table by number, read column by column within one transaction.
  final class SQLiteRecords: RecordEngine {
    static let name = "sqlite"
    static let checks = "nothing: it has no checksums"

    private let database: SQLite
    private let select: SQLite.Statement

    init(_ players: [Player], path: String) throws {
      database = try SQLite(path: path)
      try database.execute(
        """
        CREATE TABLE players (
          id INTEGER PRIMARY KEY, name TEXT NOT NULL, profession TEXT NOT NULL, city TEXT,
          level INTEGER NOT NULL, experience INTEGER NOT NULL, currentHitPoints INTEGER NOT NULL,
          totalHitPoints INTEGER NOT NULL, attack INTEGER NOT NULL, defense INTEGER NOT NULL,
          evasion INTEGER NOT NULL, speed INTEGER NOT NULL, wins INTEGER NOT NULL,
          losses INTEGER NOT NULL, created INTEGER NOT NULL, score REAL NOT NULL);
        BEGIN
        """)
      let places = (1...16).map { "?\($0)" }.joined(separator: ", ")
      let insert = try database.prepare("INSERT INTO players VALUES (\(places))")
      for (place, player) in players.enumerated() {
        insert.bind(place + 1, 1)
        insert.bind(player.name, 2)
        insert.bind(player.profession, 3)
        if let city = player.city { insert.bind(city, 4) } else { insert.bindNull(4) }
        for (offset, number) in player.integers.enumerated() {
          insert.bind(number, Int32(5 + offset))
        }
        insert.bind(player.score, 16)
        _ = try insert.run()
      }
      try database.execute("COMMIT")
      select = try database.prepare("SELECT * FROM players WHERE id = ?1")
    }

    func read(_ numbers: [Int], _ body: (Int, Player) -> Void) throws {
      try database.execute("BEGIN")
      for number in numbers {
        select.bind(number, 1)
        let isThere = try select.readRow { body(number, Player(columnsOf: $0)) }
        if !isThere { throw BenchError.missingRow(Self.name) }
      }
      try database.execute("COMMIT")
    }
  }

  extension Player {
    /// The row that the statement is on.
    fileprivate init(columnsOf statement: OpaquePointer) {
      func integer(_ column: Int32) -> Int { Int(sqlite3_column_int64(statement, column)) }
      func text(_ column: Int32) -> String {
        guard let start = sqlite3_column_text(statement, column) else { return "" }
        let count = Int(sqlite3_column_bytes(statement, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
      }
      name = text(1)
      profession = text(2)
      city = sqlite3_column_type(statement, 3) == SQLITE_NULL ? nil : text(3)
      level = integer(4)
      experience = integer(5)
      currentHitPoints = integer(6)
      totalHitPoints = integer(7)
      attack = integer(8)
      defense = integer(9)
      evasion = integer(10)
      speed = integer(11)
      wins = integer(12)
      losses = integer(13)
      created = integer(14)
      score = sqlite3_column_double(statement, 15)
    }
  }
#endif
