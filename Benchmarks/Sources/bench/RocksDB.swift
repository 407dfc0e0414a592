import CRocksDB

/// RocksDB with a full Bloom filter of 10 bits a key, a block cache that holds everything, hashes in
/// its blocks, a write buffer of 64 MiB, logs that are used again, and Snappy as LevelDB has it.
///
/// Its blocks lie uncompressed in the cache, so compression costs warm reads nothing. `.immediate`
/// syncs its log at each write.
final class RocksDB: Engine {
  static let name = "rocksdb"
  static let checks = "the checksum of every block when it enters the cache"
  static let durability = "synced log; eventual: log in the page cache, no sync"

  private nonisolated(unsafe) let database: OpaquePointer
  private nonisolated(unsafe) let family: OpaquePointer
  private nonisolated(unsafe) let options: OpaquePointer
  private nonisolated(unsafe) let cache: OpaquePointer
  private nonisolated(unsafe) let reading: OpaquePointer
  private nonisolated(unsafe) let committing: OpaquePointer
  private nonisolated(unsafe) let filling: OpaquePointer

  init(path: String, durability: Durability) throws {
    func made(_ object: OpaquePointer?) throws -> OpaquePointer {
      guard let object else { throw BenchError("RocksDB made no object") }
      return object
    }
    options = try made(rocksdb_options_create())
    reading = try made(rocksdb_readoptions_create())
    committing = try made(rocksdb_writeoptions_create())
    filling = try made(rocksdb_writeoptions_create())
    cache = try made(rocksdb_cache_create_lru(cacheByteCount))
    RocksDB.set(options, try made(rocksdb_block_based_options_create()), cache)
    rocksdb_writeoptions_set_sync(committing, durability == .immediate ? 1 : 0)
    (database, family) = try RocksDB.open(path, options)
  }

  /// By families even though there is one: getting many keys at once asks for its handle.
  private static func open(
    _ path: String, _ options: OpaquePointer
  ) throws -> (database: OpaquePointer, family: OpaquePointer) {
    var families: [OpaquePointer?] = [nil]
    var familyOptions: [OpaquePointer?] = [options]
    var message: UnsafeMutablePointer<CChar>?
    let database = "default".withCString { name in
      var names: [UnsafePointer<CChar>?] = [name]
      return rocksdb_open_column_families(
        options, path, 1, &names, &familyOptions, &families, &message)
    }
    try throwing(message)
    guard let database, let family = families[0] else {
      throw BenchError("RocksDB opened nothing")
    }
    return (database, family)
  }

  private static func set(
    _ options: OpaquePointer, _ blocks: OpaquePointer, _ cache: OpaquePointer
  ) {
    rocksdb_options_set_create_if_missing(options, 1)
    rocksdb_options_increase_parallelism(options, 2)
    rocksdb_options_set_write_buffer_size(options, 64 << 20)
    rocksdb_options_set_compression(options, CInt(rocksdb_snappy_compression))
    rocksdb_options_set_recycle_log_file_num(options, 4)
    rocksdb_options_set_max_open_files(options, -1)
    // Only the filter and cache of the table's options stay; RocksDB owns the filter from here on.
    rocksdb_block_based_options_set_filter_policy(
      blocks, rocksdb_filterpolicy_create_bloom_full(10))
    rocksdb_block_based_options_set_block_cache(blocks, cache)
    rocksdb_block_based_options_set_data_block_index_type(
      blocks, CInt(rocksdb_block_based_table_data_block_index_type_binary_search_and_hash))
    rocksdb_options_set_block_based_table_factory(options, blocks)
    rocksdb_block_based_options_destroy(blocks)
  }

  func close() {
    rocksdb_column_family_handle_destroy(family)
    rocksdb_close(database)
    rocksdb_writeoptions_destroy(filling)
    rocksdb_writeoptions_destroy(committing)
    rocksdb_readoptions_destroy(reading)
    rocksdb_cache_destroy(cache)
    rocksdb_options_destroy(options)
  }

  func load(_ rows: Rows, ascending: Bool) throws {
    let batchSize = 1000
    for start in stride(from: 0, to: rows.count, by: batchSize) {
      let end = min(start + batchSize, rows.count)
      try write(sync: end == rows.count) { batch in
        for place in start..<end {
          rocksdb_writebatch_put(
            batch, characters(rows.keys[place]), rows.keys.byteCount,
            characters(rows.value(place)), rows.valueByteCount)
        }
      }
    }
  }

  func settle() { rocksdb_compact_range(database, nil, 0, nil, 0) }

  func rowCount() throws -> Int {
    try withIterator { iterator in
      var count = 0
      rocksdb_iter_seek_to_first(iterator)
      while rocksdb_iter_valid(iterator) != 0 {
        count += 1
        rocksdb_iter_next(iterator)
      }
      return count
    }
  }

  func gets(_ keys: Keys, _ folding: Folding) throws -> Digest {
    var digest = Digest(folding)
    for place in 0..<keys.count {
      let key = keys[place]
      let found = try call { message in
        rocksdb_get_pinned(database, reading, characters(key), keys.byteCount, &message)
      }
      try fold(key, keys.byteCount, found, into: &digest)
    }
    return digest
  }

  func multiGets(_ keys: Keys, groupSize: Int, _ folding: Folding) throws -> Digest {
    var digest = Digest(folding)
    let lengths = [Int](repeating: keys.byteCount, count: groupSize)
    var starts = [UnsafePointer<CChar>?](repeating: nil, count: groupSize)
    var found = [OpaquePointer?](repeating: nil, count: groupSize)
    var messages = [UnsafeMutablePointer<CChar>?](repeating: nil, count: groupSize)
    for start in stride(from: 0, to: keys.count, by: groupSize) {
      let count = min(groupSize, keys.count - start)
      for place in 0..<count { starts[place] = characters(keys[start + place]) }
      rocksdb_batched_multi_get_cf(
        database, reading, family, count, &starts, lengths, &found, &messages, false)
      for place in 0..<count {
        try throwing(messages[place])
        try fold(keys[start + place], keys.byteCount, found[place], into: &digest)
      }
    }
    return digest
  }

  @inline(__always)
  private func fold(
    _ key: UnsafeRawPointer, _ keyByteCount: Int, _ found: OpaquePointer?,
    into digest: inout Digest
  ) throws {
    var byteCount = 0
    guard let found, let value = rocksdb_pinnableslice_value(found, &byteCount) else {
      throw BenchError.missingRow(RocksDB.name)
    }
    digest.fold(key, keyByteCount, value, byteCount)
    rocksdb_pinnableslice_destroy(found)
  }

  func scan(_ folding: Folding) throws -> Digest {
    try withIterator { iterator in
      var digest = Digest(folding)
      rocksdb_iter_seek_to_first(iterator)
      while try fold(iterator, into: &digest) { rocksdb_iter_next(iterator) }
      return digest
    }
  }

  func ranges(from keys: Keys, rowCount: Int, _ folding: Folding) throws -> Digest {
    try withIterator { iterator in
      var digest = Digest(folding)
      for place in 0..<keys.count {
        rocksdb_iter_seek(iterator, characters(keys[place]), keys.byteCount)
        guard try fold(iterator, into: &digest) else { throw BenchError.missingRow(RocksDB.name) }
        for _ in 1..<rowCount {
          rocksdb_iter_next(iterator)
          guard try fold(iterator, into: &digest) else { break }
        }
      }
      return digest
    }
  }

  func commits(_ rows: Rows) throws {
    for place in 0..<rows.count {
      try call { message in
        rocksdb_put(
          database, committing, characters(rows.keys[place]), rows.keys.byteCount,
          characters(rows.value(place)), rows.valueByteCount, &message)
      }
    }
  }

  func checkpoint() throws {
    let flushing = rocksdb_flushoptions_create()
    defer { rocksdb_flushoptions_destroy(flushing) }
    try call { message in rocksdb_flush(database, flushing, &message) }
  }

  func whilePinned(_ body: () throws -> Void) throws {
    let snapshot = rocksdb_create_snapshot(database)
    defer { rocksdb_release_snapshot(database, snapshot) }
    try body()
  }

  func deletes(_ keys: Keys) throws {
    try write(sync: true) { batch in
      for place in 0..<keys.count {
        rocksdb_writebatch_delete(batch, characters(keys[place]), keys.byteCount)
      }
    }
  }

  private func write(sync: Bool, _ fill: (OpaquePointer) -> Void) throws {
    guard let batch = rocksdb_writebatch_create() else { throw BenchError("RocksDB: no batch") }
    defer { rocksdb_writebatch_destroy(batch) }
    fill(batch)
    rocksdb_writeoptions_set_sync(filling, sync ? 1 : 0)
    try call { message in rocksdb_write(database, filling, batch, &message) }
  }

  private func withIterator<Result>(_ body: (OpaquePointer) throws -> Result) throws -> Result {
    guard let iterator = rocksdb_create_iterator(database, reading) else {
      throw BenchError("RocksDB: no iterator")
    }
    defer { rocksdb_iter_destroy(iterator) }
    let result = try body(iterator)
    try call { message in rocksdb_iter_get_error(iterator, &message) }
    return result
  }

  /// Folds the row at `iterator`; false when there is none.
  @inline(__always)
  private func fold(_ iterator: OpaquePointer, into digest: inout Digest) throws -> Bool {
    guard rocksdb_iter_valid(iterator) != 0 else { return false }
    var keyByteCount = 0
    var valueByteCount = 0
    guard let key = rocksdb_iter_key(iterator, &keyByteCount),
      let value = rocksdb_iter_value(iterator, &valueByteCount)
    else { throw BenchError("RocksDB: a row without a key or value") }
    digest.fold(key, keyByteCount, value, valueByteCount)
    return true
  }
}

/// Calls RocksDB and throws the message that it leaves.
@inline(__always)
private func call<Result>(
  _ body: (inout UnsafeMutablePointer<CChar>?) -> Result
) throws -> Result {
  var message: UnsafeMutablePointer<CChar>?
  let result = body(&message)
  try throwing(message)
  return result
}

@inline(__always)
private func throwing(_ message: UnsafeMutablePointer<CChar>?) throws {
  guard let message else { return }
  defer { rocksdb_free(message) }
  throw BenchError("RocksDB: \(String(cString: message))")
}

@inline(__always)
private func characters(_ start: UnsafeRawPointer) -> UnsafePointer<CChar> {
  start.assumingMemoryBound(to: CChar.self)
}
