import CSQLite
import Synchronization

/// SQLite as a store of keys: one table `WITHOUT ROWID`, in WAL mode, mapped, its statements prepared.
///
/// Each reading call has a connection of its own; all writing goes through one, one call at a time,
/// which is faster than SQLite's own waiting. `.immediate` is `synchronous=FULL` and `.eventual`
/// `NORMAL`, which syncs at checkpoints alone and keeps the file consistent. Pages have 8 KiB, so
/// that values of 1 KiB need no overflow pages.
final class SQLiteStore: Engine {
  static let name = "sqlite"
  static let checks = "nothing: it has no checksums"
  static let durability =
    "log synced (WAL, synchronous=FULL); eventual: synchronous=NORMAL, synced at checkpoints"

  private let path: String
  private let durability: Durability
  private let idle: Mutex<[Connection]>
  private let writer: Mutex<Connection>

  init(path: String, durability: Durability) throws {
    let first = try Connection(path, durability)
    self.path = path
    self.durability = durability
    idle = Mutex([])
    writer = Mutex(first)
  }

  func close() {
    idle.withLock { connections in
      for connection in connections { connection.close() }
      connections = []
    }
    writer.withLock { $0.close() }
  }

  func load(_ rows: Rows, ascending: Bool) throws {
    try writer.withLock { connection in
      try connection.transaction(writing: true) {
        for place in 0..<rows.count { try connection.put(rows, place) }
      }
    }
  }

  /// Empties the log into the file, as others have theirs in order after a load.
  func settle() throws {
    try writer.withLock { try $0.execute("PRAGMA wal_checkpoint(TRUNCATE); ANALYZE") }
  }

  static func compact(path: String) throws {
    let database = try SQLiteStore(path: path, durability: .immediate)
    defer { database.close() }
    try database.writer.withLock { try $0.execute("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)") }
  }

  func rowCount() throws -> Int {
    try reading { connection in
      let count = connection.count
      guard sqlite3_step(count) == SQLITE_ROW else { throw connection.failure() }
      defer { sqlite3_reset(count) }
      return Int(sqlite3_column_int64(count, 0))
    }
  }

  func gets(_ keys: Keys, _ folding: Folding) throws -> Digest {
    try reading { connection in
      var digest = Digest(folding)
      let get = connection.get
      for place in 0..<keys.count {
        let key = keys[place]
        sqlite3_bind_blob(get, 1, key, Int32(keys.byteCount), nil)
        guard sqlite3_step(get) == SQLITE_ROW, let value = sqlite3_column_blob(get, 0) else {
          throw BenchError.missingRow(SQLiteStore.name)
        }
        digest.fold(key, keys.byteCount, value, Int(sqlite3_column_bytes(get, 0)))
        sqlite3_reset(get)
      }
      return digest
    }
  }

  func scan(_ folding: Folding) throws -> Digest {
    try reading { connection in
      var digest = Digest(folding)
      defer { sqlite3_reset(connection.all) }
      while try connection.fold(connection.all, into: &digest) {}
      return digest
    }
  }

  func ranges(from keys: Keys, rowCount: Int, _ folding: Folding) throws -> Digest {
    try reading { connection in
      var digest = Digest(folding)
      let range = connection.range
      for place in 0..<keys.count {
        sqlite3_bind_blob(range, 1, keys[place], Int32(keys.byteCount), nil)
        var rest = rowCount
        while rest > 0, try connection.fold(range, into: &digest) { rest -= 1 }
        guard rest < rowCount else { throw BenchError.missingRow(SQLiteStore.name) }
        sqlite3_reset(range)
      }
      return digest
    }
  }

  func commits(_ rows: Rows) throws {
    for place in 0..<rows.count { try writer.withLock { try $0.put(rows, place) } }
  }

  func checkpoint() throws {
    try writer.withLock { try $0.execute("PRAGMA wal_checkpoint(RESTART)") }
  }

  func whilePinned(_ body: () throws -> Void) throws {
    try reading { connection in
      // A transaction of SQLite holds on to nothing before its first read.
      try connection.execute("SELECT 1 FROM rows LIMIT 1")
      try body()
    }
  }

  func deletes(_ keys: Keys) throws {
    try writer.withLock { connection in
      try connection.transaction(writing: true) {
        for place in 0..<keys.count { try connection.delete(keys, place) }
      }
    }
  }

  private func reading<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    let connection = try idleConnection()
    defer { idle.withLock { $0.append(connection) } }
    return try connection.transaction(writing: false) { try body(connection) }
  }

  private func idleConnection() throws -> Connection {
    if let connection = idle.withLock({ $0.popLast() }) { return connection }
    return try Connection(path, durability)
  }
}

/// One connection with its statements; one thread at a time uses it.
private final class Connection: Sendable {
  nonisolated(unsafe) let handle: OpaquePointer
  nonisolated(unsafe) let get: OpaquePointer
  nonisolated(unsafe) let all: OpaquePointer
  nonisolated(unsafe) let range: OpaquePointer
  nonisolated(unsafe) let count: OpaquePointer
  private nonisolated(unsafe) let insert: OpaquePointer
  private nonisolated(unsafe) let removal: OpaquePointer

  init(_ path: String, _ durability: Durability) throws {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    guard sqlite3_open_v2(path + "/rows.sqlite", &opened, flags, nil) == SQLITE_OK,
      let handle = opened
    else { throw BenchError("SQLite cannot open \(path)") }
    self.handle = handle
    // A map reads ahead on every fault, which a memory that is too small does not stand.
    let mapByteCount = isMemoryLimited ? 0 : 16 << 30
    let settings = """
      PRAGMA page_size=8192; PRAGMA journal_mode=WAL; PRAGMA mmap_size=\(mapByteCount);
      PRAGMA cache_size=-\(cacheByteCount / 1024); PRAGMA temp_store=MEMORY;
      PRAGMA synchronous=\(durability == .immediate ? "FULL" : "NORMAL");
      CREATE TABLE IF NOT EXISTS rows (k BLOB PRIMARY KEY, v BLOB NOT NULL) WITHOUT ROWID;
      """
    guard sqlite3_exec(handle, settings, nil, nil, nil) == SQLITE_OK else {
      throw BenchError("SQLite: \(String(cString: sqlite3_errmsg(handle)))")
    }
    func prepared(_ text: String) throws -> OpaquePointer {
      var statement: OpaquePointer?
      let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
      guard sqlite3_prepare_v3(handle, text, -1, flags, &statement, nil) == SQLITE_OK,
        let statement
      else { throw BenchError("SQLite: \(String(cString: sqlite3_errmsg(handle)))") }
      return statement
    }
    get = try prepared("SELECT v FROM rows WHERE k = ?1")
    all = try prepared("SELECT k, v FROM rows ORDER BY k")
    range = try prepared("SELECT k, v FROM rows WHERE k >= ?1 ORDER BY k")
    count = try prepared("SELECT count(*) FROM rows")
    insert = try prepared("INSERT OR REPLACE INTO rows VALUES (?1, ?2)")
    removal = try prepared("DELETE FROM rows WHERE k = ?1")
  }

  func close() {
    for statement in [get, all, range, count, insert, removal] { sqlite3_finalize(statement) }
    sqlite3_close(handle)
  }

  func execute(_ text: String) throws {
    guard sqlite3_exec(handle, text, nil, nil, nil) == SQLITE_OK else { throw failure() }
  }

  func failure() -> BenchError {
    BenchError("SQLite: \(String(cString: sqlite3_errmsg(handle)))")
  }

  func transaction<Result>(writing: Bool, _ body: () throws -> Result) throws -> Result {
    try execute(writing ? "BEGIN IMMEDIATE" : "BEGIN")
    do {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
      throw error
    }
  }

  @inline(__always)
  func put(_ rows: Rows, _ place: Int) throws {
    sqlite3_bind_blob(insert, 1, rows.keys[place], Int32(rows.keys.byteCount), nil)
    sqlite3_bind_blob(insert, 2, rows.value(place), Int32(rows.valueByteCount), nil)
    try finish(insert)
  }

  @inline(__always)
  func delete(_ keys: Keys, _ place: Int) throws {
    sqlite3_bind_blob(removal, 1, keys[place], Int32(keys.byteCount), nil)
    try finish(removal)
  }

  private func finish(_ statement: OpaquePointer) throws {
    let status = sqlite3_step(statement)
    sqlite3_reset(statement)
    guard status == SQLITE_DONE else { throw failure() }
  }

  /// Steps the statement and folds its row; false when there is none.
  @inline(__always)
  func fold(_ statement: OpaquePointer, into digest: inout Digest) throws -> Bool {
    switch sqlite3_step(statement) {
    case SQLITE_ROW:
      guard let key = sqlite3_column_blob(statement, 0),
        let value = sqlite3_column_blob(statement, 1)
      else { throw BenchError("SQLite: a row without a key or value") }
      digest.fold(
        key, Int(sqlite3_column_bytes(statement, 0)), value,
        Int(sqlite3_column_bytes(statement, 1)))
      return true
    case SQLITE_DONE: return false
    default: throw failure()
    }
  }
}
