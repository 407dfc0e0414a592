import CLevelDB

/// LevelDB with a Bloom filter of 10 bits a key, a block cache that holds everything, a write buffer of 64 MiB
/// and the compression that it was built with.
///
/// `.immediate` syncs its log at each write. Its reads do not verify checksums, as by default.
final class LevelDB: Engine {
  static let name = "leveldb"
  static let checks =
    "nothing: there are checksums of blocks, but reads do not verify them by default"
  static let durability = "synced log; eventual: log in the page cache, no sync"

  private nonisolated(unsafe) let database: OpaquePointer
  private nonisolated(unsafe) let options: OpaquePointer
  private nonisolated(unsafe) let filter: OpaquePointer
  private nonisolated(unsafe) let cache: OpaquePointer
  private nonisolated(unsafe) let reading: OpaquePointer
  private nonisolated(unsafe) let committing: OpaquePointer
  private nonisolated(unsafe) let filling: OpaquePointer

  init(path: String, durability: Durability) throws {
    func made(_ object: OpaquePointer?) throws -> OpaquePointer {
      guard let object else { throw BenchError("LevelDB made no options") }
      return object
    }
    options = try made(leveldb_options_create())
    filter = try made(leveldb_filterpolicy_create_bloom(10))
    cache = try made(leveldb_cache_create_lru(cacheByteCount))
    reading = try made(leveldb_readoptions_create())
    committing = try made(leveldb_writeoptions_create())
    filling = try made(leveldb_writeoptions_create())
    leveldb_options_set_create_if_missing(options, 1)
    leveldb_options_set_filter_policy(options, filter)
    leveldb_options_set_cache(options, cache)
    leveldb_options_set_write_buffer_size(options, 64 << 20)
    leveldb_writeoptions_set_sync(committing, durability == .immediate ? 1 : 0)
    let options = options
    database = try made(
      try call { message in leveldb_open(options, path, &message) })
  }

  func close() {
    leveldb_close(database)
    leveldb_writeoptions_destroy(filling)
    leveldb_writeoptions_destroy(committing)
    leveldb_readoptions_destroy(reading)
    leveldb_options_destroy(options)
    leveldb_cache_destroy(cache)
    leveldb_filterpolicy_destroy(filter)
  }

  func load(_ rows: Rows, ascending: Bool) throws {
    let batchSize = 1000
    for start in stride(from: 0, to: rows.count, by: batchSize) {
      let end = min(start + batchSize, rows.count)
      try write(sync: end == rows.count) { batch in
        for place in start..<end {
          leveldb_writebatch_put(
            batch, characters(rows.keys[place]), rows.keys.byteCount, characters(rows.value(place)),
            rows.valueByteCount)
        }
      }
    }
  }

  func rowCount() throws -> Int {
    try withIterator { iterator in
      var count = 0
      leveldb_iter_seek_to_first(iterator)
      while leveldb_iter_valid(iterator) != 0 {
        count += 1
        leveldb_iter_next(iterator)
      }
      return count
    }
  }

  func settle() { leveldb_compact_range(database, nil, 0, nil, 0) }

  func gets(_ keys: Keys, _ folding: Folding) throws -> Digest {
    var digest = Digest(folding)
    for place in 0..<keys.count {
      let key = keys[place]
      var byteCount = 0
      let found = try call { message in
        leveldb_get(database, reading, characters(key), keys.byteCount, &byteCount, &message)
      }
      guard let found else { throw BenchError.missingRow(LevelDB.name) }
      digest.fold(key, keys.byteCount, found, byteCount)
      leveldb_free(found)
    }
    return digest
  }

  func scan(_ folding: Folding) throws -> Digest {
    try withIterator { iterator in
      var digest = Digest(folding)
      leveldb_iter_seek_to_first(iterator)
      while try fold(iterator, into: &digest) { leveldb_iter_next(iterator) }
      return digest
    }
  }

  func ranges(from keys: Keys, rowCount: Int, _ folding: Folding) throws -> Digest {
    try withIterator { iterator in
      var digest = Digest(folding)
      for place in 0..<keys.count {
        leveldb_iter_seek(iterator, characters(keys[place]), keys.byteCount)
        guard try fold(iterator, into: &digest) else { throw BenchError.missingRow(LevelDB.name) }
        for _ in 1..<rowCount {
          leveldb_iter_next(iterator)
          guard try fold(iterator, into: &digest) else { break }
        }
      }
      return digest
    }
  }

  func commits(_ rows: Rows) throws {
    for place in 0..<rows.count {
      try call { message in
        leveldb_put(
          database, committing, characters(rows.keys[place]), rows.keys.byteCount,
          characters(rows.value(place)), rows.valueByteCount, &message)
      }
    }
  }

  func whilePinned(_ body: () throws -> Void) throws {
    let snapshot = leveldb_create_snapshot(database)
    defer { leveldb_release_snapshot(database, snapshot) }
    try body()
  }

  func deletes(_ keys: Keys) throws {
    try write(sync: true) { batch in
      for place in 0..<keys.count {
        leveldb_writebatch_delete(batch, characters(keys[place]), keys.byteCount)
      }
    }
  }

  private func write(sync: Bool, _ fill: (OpaquePointer) -> Void) throws {
    guard let batch = leveldb_writebatch_create() else { throw BenchError("LevelDB: no batch") }
    defer { leveldb_writebatch_destroy(batch) }
    fill(batch)
    leveldb_writeoptions_set_sync(filling, sync ? 1 : 0)
    try call { message in leveldb_write(database, filling, batch, &message) }
  }

  private func withIterator<Result>(_ body: (OpaquePointer) throws -> Result) throws -> Result {
    guard let iterator = leveldb_create_iterator(database, reading) else {
      throw BenchError("LevelDB: no iterator")
    }
    defer { leveldb_iter_destroy(iterator) }
    let result = try body(iterator)
    try call { message in leveldb_iter_get_error(iterator, &message) }
    return result
  }

  /// Folds the row at `iterator`; false when there is none.
  @inline(__always)
  private func fold(_ iterator: OpaquePointer, into digest: inout Digest) throws -> Bool {
    guard leveldb_iter_valid(iterator) != 0 else { return false }
    var keyByteCount = 0
    var valueByteCount = 0
    guard let key = leveldb_iter_key(iterator, &keyByteCount),
      let value = leveldb_iter_value(iterator, &valueByteCount)
    else { throw BenchError("LevelDB: a row without a key or value") }
    digest.fold(key, keyByteCount, value, valueByteCount)
    return true
  }
}

/// Calls LevelDB and throws the message that it leaves.
@inline(__always)
private func call<Result>(
  _ body: (inout UnsafeMutablePointer<CChar>?) -> Result
) throws -> Result {
  var message: UnsafeMutablePointer<CChar>?
  let result = body(&message)
  if let message {
    defer { leveldb_free(message) }
    throw BenchError("LevelDB: \(String(cString: message))")
  }
  return result
}

@inline(__always)
private func characters(_ start: UnsafeRawPointer) -> UnsafePointer<CChar> {
  start.assumingMemoryBound(to: CChar.self)
}
