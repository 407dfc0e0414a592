#if HAVE_PAGESTORE
  import PageStore

  /// The store of this project with everything on: checksums, log, readers' pins.
  ///
  /// `.eventual` is its default interval of 100 milliseconds.
  final class Ours: Engine {
    static let name = "ours"
    static let checks = "the checksum of every page, verified when a process first reads it"

    static let durability =
      "synced log; eventual: log written at once, which a dead process leaves whole, synced each 100 ms"

    private static let tableName = "rows"
    private let store: Store

    init(path: String, durability: Durability) throws {
      var options = StoreOptions()
      options.durability =
        durability == .immediate ? .immediate : .eventual(interval: .milliseconds(100))
      store = try Store(path: path + "/rows.dex", options: options)
    }

    func close() throws { try store.close() }

    func load(_ rows: Rows, ascending: Bool) throws {
      try store.write { (transaction) throws(StoreError) in
        let table = try transaction.createTableIfNeeded(Ours.tableName)
        for place in 0..<rows.count {
          try transaction.put(
            bytes(rows.keys[place], rows.keys.byteCount),
            bytes(rows.value(place), rows.valueByteCount), in: table)
        }
      }
    }

    static func compact(path: String) throws {
      let store = try Store(path: path + "/rows.dex")
      try store.compact()
      try store.close()
    }

    func rowCount() throws -> Int {
      let snapshot = try store.snapshot()
      let table = try snapshot.table(Ours.tableName)
      return table.count
    }

    func gets(_ keys: Keys, _ folding: Folding) throws -> Digest {
      let snapshot = try store.snapshot()
      let table = try snapshot.table(Ours.tableName)
      var digest = Digest(folding)
      for place in 0..<keys.count {
        let key = bytes(keys[place], keys.byteCount)
        guard let value = try table.get(key.bytes) else { throw BenchError.missingRow(Ours.name) }
        value.withUnsafeBytes { digest.fold(key, $0) }
      }
      return digest
    }

    func multiGets(_ keys: Keys, groupSize: Int, _ folding: Folding) throws -> Digest {
      let snapshot = try store.snapshot()
      let table = try snapshot.table(Ours.tableName)
      var digest = Digest(folding)
      var group: [UnsafeRawBufferPointer] = []
      group.reserveCapacity(groupSize)
      for start in stride(from: 0, to: keys.count, by: groupSize) {
        group.removeAll(keepingCapacity: true)
        for place in start..<min(start + groupSize, keys.count) {
          group.append(bytes(keys[place], keys.byteCount))
        }
        try table.multiGet(group) { (index, value) in
          value?.withUnsafeBytes { digest.fold(group[index], $0, at: start + index) }
        }
      }
      return digest
    }

    func scan(_ folding: Folding) throws -> Digest {
      let snapshot = try store.snapshot()
      let table = try snapshot.table(Ours.tableName)
      var digest = Digest(folding)
      var cursor = table.cursor()
      while try cursor.next() {
        let value = try cursor.value
        cursor.key.withUnsafeBytes { key in value.withUnsafeBytes { digest.fold(key, $0) } }
      }
      return digest
    }

    func ranges(from keys: Keys, rowCount: Int, _ folding: Folding) throws -> Digest {
      let snapshot = try store.snapshot()
      let table = try snapshot.table(Ours.tableName)
      var digest = Digest(folding)
      var cursor = table.cursor()
      for place in 0..<keys.count {
        let start = bytes(keys[place], keys.byteCount)
        var isReadable = try cursor.seek(start.bytes)
        guard isReadable else { throw BenchError.missingRow(Ours.name) }
        var rest = rowCount
        while isReadable {
          let value = try cursor.value
          cursor.key.withUnsafeBytes { key in value.withUnsafeBytes { digest.fold(key, $0) } }
          rest -= 1
          if rest == 0 { break }
          isReadable = try cursor.next()
        }
      }
      return digest
    }

    func commits(_ rows: Rows) throws {
      for place in 0..<rows.count {
        try store.write { (transaction) throws(StoreError) in
          let table = try transaction.table(Ours.tableName)
          try transaction.put(
            bytes(rows.keys[place], rows.keys.byteCount),
            bytes(rows.value(place), rows.valueByteCount), in: table)
        }
      }
    }

    func checkpoint() throws { try store.checkpoint() }

    func whilePinned(_ body: () throws -> Void) throws {
      let snapshot = try store.snapshot()
      try body()
      let table = try snapshot.table(Ours.tableName)
      guard table.count > 0 else { throw BenchError.missingRow(Ours.name) }
    }

    func deletes(_ keys: Keys) throws {
      var missing = 0
      try store.write { (transaction) throws(StoreError) in
        let table = try transaction.table(Ours.tableName)
        for place in 0..<keys.count {
          let key = bytes(keys[place], keys.byteCount)
          if try !transaction.delete(key.bytes, in: table) { missing += 1 }
        }
      }
      guard missing == 0 else { throw BenchError.missingRow(Ours.name) }
    }
  }

  extension Digest {
    @inline(__always)
    fileprivate mutating func fold(
      _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, at place: Int? = nil
    ) {
      guard let keyStart = key.baseAddress, let valueStart = value.baseAddress else { return }
      fold(keyStart, key.count, valueStart, value.count, at: place ?? rowCount)
    }
  }

  @inline(__always)
  private func bytes(_ start: UnsafeRawPointer, _ byteCount: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: start, count: byteCount)
  }
#endif
