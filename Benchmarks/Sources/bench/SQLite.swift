import CSQLite

/// A database of SQLite, mapped and with a large cache, as fast as its settings make it.
final class SQLite {
  private let handle: OpaquePointer

  init(path: String) throws {
    var opened: OpaquePointer?
    guard sqlite3_open(path + "/search.sqlite", &opened) == SQLITE_OK, let handle = opened else {
      throw BenchError("SQLite cannot open \(path)")
    }
    self.handle = handle
    for setting in [
      "journal_mode=off", "synchronous=off", "cache_size=-400000", "mmap_size=4000000000",
      "locking_mode=exclusive", "temp_store=memory",
    ] {
      try execute("PRAGMA \(setting)")
    }
  }

  func execute(_ text: String) throws {
    guard sqlite3_exec(handle, text, nil, nil, nil) == SQLITE_OK else { throw failure() }
  }

  func prepare(_ text: String) throws -> Statement {
    var prepared: OpaquePointer?
    guard sqlite3_prepare_v2(handle, text, -1, &prepared, nil) == SQLITE_OK,
      let statement = prepared
    else { throw failure() }
    return Statement(statement, self)
  }

  fileprivate func failure() -> BenchError {
    BenchError("SQLite: \(String(cString: sqlite3_errmsg(handle)))")
  }

  /// A statement that was compiled once; it lives as long as the process.
  final class Statement {
    private let handle: OpaquePointer
    private let database: SQLite

    fileprivate init(_ handle: OpaquePointer, _ database: SQLite) {
      self.handle = handle
      self.database = database
    }

    func bind(_ number: Int, _ place: Int32) { sqlite3_bind_int64(handle, place, Int64(number)) }

    func bind(_ text: String, _ place: Int32) {
      let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
      sqlite3_bind_text(handle, place, text, -1, transient)
    }

    func bind(_ number: Double, _ place: Int32) { sqlite3_bind_double(handle, place, number) }

    func bindNull(_ place: Int32) { sqlite3_bind_null(handle, place) }

    /// Runs the statement and `body` on its first row; false where there is none.
    func readRow(_ body: (OpaquePointer) -> Void) throws -> Bool {
      let step = sqlite3_step(handle)
      defer { sqlite3_reset(handle) }
      switch step {
      case SQLITE_ROW:
        body(handle)
        return true
      case SQLITE_DONE: return false
      default: throw database.failure()
      }
    }

    /// Runs the statement; the numbers in the first column of its rows.
    func run() throws -> [UInt32] {
      var numbers: [UInt32] = []
      while true {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: numbers.append(UInt32(sqlite3_column_int64(handle, 0)))
        case SQLITE_DONE:
          sqlite3_reset(handle)
          return numbers
        default: throw database.failure()
        }
      }
    }
  }
}

/// SQLite with a table for types and one for words that are B-trees by value, and rows by number.
final class SQLiteFilters: FilterEngine {
  static let name = "sqlite"
  static let checks = "nothing: it has no checksums"

  private let database: SQLite
  private let statements: [SearchFilter.Kind: SQLite.Statement]

  init(_ rows: SearchRows, path: String) throws {
    database = try SQLite(path: path)
    try database.execute(
      """
      CREATE TABLE types (type INTEGER, row INTEGER, PRIMARY KEY (type, row)) WITHOUT ROWID;
      CREATE TABLE words (word TEXT, row INTEGER, PRIMARY KEY (word, row)) WITHOUT ROWID;
      CREATE TABLE numbers (row INTEGER PRIMARY KEY, number INTEGER);
      BEGIN
      """)
    let type = try database.prepare("INSERT INTO types VALUES (?1, ?2)")
    let word = try database.prepare("INSERT OR IGNORE INTO words VALUES (?1, ?2)")
    let number = try database.prepare("INSERT INTO numbers VALUES (?1, ?2)")
    for row in 0..<rows.count {
      for bit in 0..<SearchRows.typeCount where rows.types[row] >> UInt32(bit) & 1 == 1 {
        type.bind(bit, 1)
        type.bind(row, 2)
        _ = try type.run()
      }
      for text in rows.names[row] {
        word.bind(text, 1)
        word.bind(row, 2)
        _ = try word.run()
      }
      number.bind(row, 1)
      number.bind(Int(rows.numbers[row]), 2)
      _ = try number.run()
    }
    try database.execute("COMMIT; CREATE INDEX byNumber ON numbers (number); ANALYZE")
    let types = "SELECT a.row FROM types a"
    let second = " JOIN types b ON b.row = a.row AND b.type = ?2"
    statements = [
      .twoTypes: try database.prepare("\(types)\(second) WHERE a.type = ?1 ORDER BY a.row"),
      .threeTypes: try database.prepare(
        "\(types)\(second) JOIN types c ON c.row = a.row AND c.type = ?3"
          + " WHERE a.type = ?1 ORDER BY a.row"),
      .typeAndPrefix: try database.prepare(
        "SELECT DISTINCT w.row FROM words w JOIN types a ON a.row = w.row AND a.type = ?1"
          + " WHERE w.word >= ?2 AND w.word < ?3 ORDER BY w.row"),
      .typeAndRange: try database.prepare(
        "\(types) CROSS JOIN numbers n ON n.row = a.row"
          + " WHERE a.type = ?1 AND n.number BETWEEN ?2 AND ?3 ORDER BY a.row"),
    ]
  }

  func answer(_ filter: SearchFilter) throws -> [UInt32] {
    guard let statement = statements[filter.kind] else { throw BenchError("no statement") }
    for (place, type) in filter.types.enumerated() { statement.bind(type, Int32(place + 1)) }
    switch filter.kind {
    case .twoTypes, .threeTypes: break
    case .typeAndPrefix:
      statement.bind(filter.prefix, 2)
      statement.bind(filter.prefix + "\u{10FFFF}", 3)
    case .typeAndRange:
      statement.bind(Int(filter.lower), 2)
      statement.bind(Int(filter.upper), 3)
    }
    return try statement.run()
  }

  func rows(of answer: [UInt32]) -> [UInt32] { answer }
}

/// FTS5 with indexes for prefixes of one to three letters, and the first word in a column of its own.
final class SQLiteNames: NameEngine {
  static let name = "sqlite"
  static let checks = "nothing: it has no checksums"

  private let database: SQLite
  private let search: SQLite.Statement

  init(_ rows: SearchRows, path: String) throws {
    database = try SQLite(path: path)
    try database.execute(
      """
      CREATE VIRTUAL TABLE names USING fts5(first, rest, content='', detail=column, prefix='1 2 3');
      BEGIN
      """)
    let insert = try database.prepare("INSERT INTO names (rowid, first, rest) VALUES (?1, ?2, ?3)")
    for row in 0..<rows.count {
      insert.bind(row, 1)
      insert.bind(rows.names[row][0], 2)
      insert.bind(rows.names[row].dropFirst().joined(separator: " "), 3)
      _ = try insert.run()
    }
    try database.execute("COMMIT; INSERT INTO names (names) VALUES ('optimize')")
    search = try database.prepare("SELECT rowid FROM names WHERE names MATCH ?1 LIMIT ?2")
  }

  func first(_ limit: Int, prefix: String) throws -> [UInt32] {
    search.bind("first:\(prefix)*", 1)
    search.bind(limit, 2)
    var rows = try search.run()
    if rows.count < limit {
      search.bind("rest:\(prefix)*", 1)
      for row in try search.run() where rows.count < limit && !rows.contains(row) {
        rows.append(row)
      }
    }
    return rows
  }
}
