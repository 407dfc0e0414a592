import CLMDB
import Glibc

/// LMDB with its default map of pages, readers that belong to no thread, and cursors.
///
/// Sorted loads use `MDB_APPEND`; `.eventual` is `MDB_NOSYNC`. It has no checksums.
final class LMDB: Engine {
  static let name = "lmdb"
  static let checks = "nothing: it has no checksums"
  static let durability =
    "synced pages; eventual: MDB_NOSYNC, which only order of writing keeps whole"

  private nonisolated(unsafe) let environment: OpaquePointer
  private let table: MDB_dbi

  init(path: String, durability: Durability) throws {
    var created: OpaquePointer?
    try check(mdb_env_create(&created))
    guard let environment = created else { throw BenchError("LMDB made no environment") }
    try check(mdb_env_set_mapsize(environment, 64 << 30))
    let unsynced = durability == .eventual ? MDB_NOSYNC : 0
    // Reading ahead fills a memory that is too small with pages that nobody asked for.
    let readAhead = isMemoryLimited ? MDB_NORDAHEAD : 0
    try check(mdb_env_open(environment, path, UInt32(MDB_NOTLS | unsynced | readAhead), 0o644))
    var transaction: OpaquePointer?
    try check(mdb_txn_begin(environment, nil, 0, &transaction))
    var table = MDB_dbi()
    try check(mdb_dbi_open(transaction, nil, 0, &table))
    try check(mdb_txn_commit(transaction))
    self.environment = environment
    self.table = table
  }

  func close() { mdb_env_close(environment) }

  /// Writes a copy without free pages, which is LMDB's way to compact, in place of the original.
  static func compact(path: String) throws {
    let copy = path + "/compacted"
    let database = try LMDB(path: path, durability: .immediate)
    guard mkdir(copy, 0o755) == 0 else { throw BenchError("can't make \(copy)") }
    try check(mdb_env_copy2(database.environment, copy, UInt32(MDB_CP_COMPACT)))
    database.close()
    guard rename(copy + "/data.mdb", path + "/data.mdb") == 0, rmdir(copy) == 0 else {
      throw BenchError("can't replace \(path) by its copy")
    }
  }

  func rowCount() throws -> Int {
    try read { transaction in
      var statistics = MDB_stat()
      try check(mdb_stat(transaction, table, &statistics))
      return Int(statistics.ms_entries)
    }
  }

  func load(_ rows: Rows, ascending: Bool) throws {
    try write { transaction in
      try withCursor(transaction) { cursor in
        for place in 0..<rows.count {
          var key = MDB_val(rows.keys[place], rows.keys.byteCount)
          var value = MDB_val(rows.value(place), rows.valueByteCount)
          try check(mdb_cursor_put(cursor, &key, &value, ascending ? UInt32(MDB_APPEND) : 0))
        }
      }
    }
  }

  func gets(_ keys: Keys, _ folding: Folding) throws -> Digest {
    try read { transaction in
      var digest = Digest(folding)
      for place in 0..<keys.count {
        var key = MDB_val(keys[place], keys.byteCount)
        var value = MDB_val()
        try check(mdb_get(transaction, table, &key, &value))
        digest.fold(key.mv_data, key.mv_size, value.mv_data, value.mv_size)
      }
      return digest
    }
  }

  func scan(_ folding: Folding) throws -> Digest {
    try read { transaction in
      try withCursor(transaction) { cursor in
        var digest = Digest(folding)
        var key = MDB_val()
        var value = MDB_val()
        var status = mdb_cursor_get(cursor, &key, &value, MDB_FIRST)
        while status == MDB_SUCCESS {
          digest.fold(key.mv_data, key.mv_size, value.mv_data, value.mv_size)
          status = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)
        }
        guard status == MDB_NOTFOUND else { throw LMDB.failure(status) }
        return digest
      }
    }
  }

  func ranges(from keys: Keys, rowCount: Int, _ folding: Folding) throws -> Digest {
    try read { transaction in
      try withCursor(transaction) { cursor in
        var digest = Digest(folding)
        for place in 0..<keys.count {
          var key = MDB_val(keys[place], keys.byteCount)
          var value = MDB_val()
          try check(mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE))
          digest.fold(key.mv_data, key.mv_size, value.mv_data, value.mv_size)
          for _ in 1..<rowCount {
            let status = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)
            if status == MDB_NOTFOUND { break }
            try check(status)
            digest.fold(key.mv_data, key.mv_size, value.mv_data, value.mv_size)
          }
        }
        return digest
      }
    }
  }

  func commits(_ rows: Rows) throws {
    for place in 0..<rows.count {
      try write { transaction in
        var key = MDB_val(rows.keys[place], rows.keys.byteCount)
        var value = MDB_val(rows.value(place), rows.valueByteCount)
        try check(mdb_put(transaction, table, &key, &value, 0))
      }
    }
  }

  /// LMDB has no log: its pages are synced.
  func checkpoint() throws { try check(mdb_env_sync(environment, 1)) }

  func whilePinned(_ body: () throws -> Void) throws { try read { _ in try body() } }

  func deletes(_ keys: Keys) throws {
    try write { transaction in
      for place in 0..<keys.count {
        var key = MDB_val(keys[place], keys.byteCount)
        try check(mdb_del(transaction, table, &key, nil))
      }
    }
  }

  @inline(__always)
  private func read<Result>(_ body: (OpaquePointer) throws -> Result) throws -> Result {
    var begun: OpaquePointer?
    try check(mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &begun))
    guard let transaction = begun else { throw BenchError("LMDB began no transaction") }
    defer { mdb_txn_abort(transaction) }
    return try body(transaction)
  }

  @inline(__always)
  private func write(_ body: (OpaquePointer) throws -> Void) throws {
    var begun: OpaquePointer?
    try check(mdb_txn_begin(environment, nil, 0, &begun))
    guard let transaction = begun else { throw BenchError("LMDB began no transaction") }
    do {
      try body(transaction)
    } catch {
      mdb_txn_abort(transaction)
      throw error
    }
    try check(mdb_txn_commit(transaction))
  }

  @inline(__always)
  private func withCursor<Result>(
    _ transaction: OpaquePointer, _ body: (OpaquePointer) throws -> Result
  ) throws -> Result {
    var opened: OpaquePointer?
    try check(mdb_cursor_open(transaction, table, &opened))
    guard let cursor = opened else { throw BenchError("LMDB opened no cursor") }
    defer { mdb_cursor_close(cursor) }
    return try body(cursor)
  }

  fileprivate static func failure(_ status: Int32) -> BenchError {
    BenchError("LMDB: \(String(cString: mdb_strerror(status)))")
  }
}

extension MDB_val {
  fileprivate init(_ start: UnsafeRawPointer, _ byteCount: Int) {
    self.init(mv_size: byteCount, mv_data: UnsafeMutableRawPointer(mutating: start))
  }
}

@inline(__always)
private func check(_ status: Int32) throws {
  if status != MDB_SUCCESS { throw LMDB.failure(status) }
}
