import PageStore

/// What a store should hold: of each table its keys, and a hash of each row.
///
/// The digest of all of it can be told from the rows in any order, and is kept up to date with each
/// change; the digest of a snapshot is worked out from what a cursor walks over.
struct StoreModel: Sendable {
  struct Table: Sendable {
    var rows: [[UInt8]: UInt64] = [:]
    var sum: UInt64 = 0
  }

  private(set) var tables: [String: Table] = [:]

  /// The names of all tables, in order.
  var names: [String] { tables.keys.sorted() }

  /// The hash of everything.
  var digest: UInt64 {
    tables.reduce(0) { $0 &+ StoreDigest.table($1.key, sum: $1.value.sum) }
  }

  mutating func create(_ name: String) { tables[name] = Table() }

  mutating func drop(_ name: String) { tables[name] = nil }

  mutating func rename(_ name: String, to newName: String) {
    tables[newName] = tables.removeValue(forKey: name)
  }

  mutating func put(_ key: [UInt8], _ value: [UInt8], in name: String) {
    let hash = StoreDigest.row(key, value)
    let old = tables[name]?.rows.updateValue(hash, forKey: key)
    tables[name]?.sum &+= hash &- (old ?? 0)
  }

  @discardableResult mutating func delete(_ key: [UInt8], from name: String) -> Bool {
    guard let old = tables[name]?.rows.removeValue(forKey: key) else { return false }
    tables[name]?.sum &-= old
    return true
  }

  @discardableResult mutating func deleteRange(
    from lower: [UInt8], to upper: [UInt8]?, in name: String
  ) -> Int {
    let keys = (tables[name]?.rows.keys).map(Array.init) ?? []
    let gone = keys.filter { key in
      !key.lexicographicallyPrecedes(lower)
        && (upper.map { key.lexicographicallyPrecedes($0) } ?? true)
    }
    for key in gone { delete(key, from: name) }
    return gone.count
  }

  /// A key of the table that `random` chooses, or nil where it is empty.
  func someKey(in name: String, using random: inout some RandomNumberGenerator) -> [UInt8]? {
    guard let rows = tables[name]?.rows, !rows.isEmpty else { return nil }
    // The order of a dictionary differs from run to run, so it must not decide.
    let keys = rows.keys.sorted { $0.lexicographicallyPrecedes($1) }
    return keys[Int.random(in: 0..<keys.count, using: &random)]
  }
}

/// What stands for the contents of a store: equal contents have equal digests.
enum StoreDigest {
  /// What is wrong with what a cursor walks over.
  struct Disorder: Error, CustomStringConvertible {
    let description: String
  }

  /// The hash of everything that `snapshot` holds.
  static func of(_ snapshot: borrowing Snapshot) throws -> UInt64 {
    var digest: UInt64 = 0
    for name in try snapshot.tableNames() {
      let table = try snapshot.table(name)
      var cursor = table.cursor()
      var sum: UInt64 = 0
      var count = 0
      var last: [UInt8] = []
      while try cursor.next() {
        let key = cursor.key.withUnsafeBytes { [UInt8]($0) }
        if count > 0 && !last.lexicographicallyPrecedes(key) {
          throw Disorder(description: "\(key) after \(last) in \(name)")
        }
        sum &+= try cursor.value.withUnsafeBytes { value in
          key.withUnsafeBytes { hash($0, hash(value, 2)) }
        }
        count += 1
        last = key
      }
      if count != table.count {
        throw Disorder(description: "\(count) rows in \(name), not \(table.count)")
      }
      digest &+= self.table(name, sum: sum)
    }
    return digest
  }

  /// The hash of everything that the newest snapshot of `store` holds.
  static func of(_ store: Store) throws -> UInt64 { try of(try store.snapshot()) }

  static func row(_ key: [UInt8], _ value: [UInt8]) -> UInt64 {
    key.withUnsafeBytes { key in value.withUnsafeBytes { hash(key, hash($0, 2)) } }
  }

  static func table(_ name: String, sum: UInt64) -> UInt64 {
    Array(name.utf8).withUnsafeBytes { hash($0, sum ^ 0x5851_F42D_4C95_7F2D) }
  }

  private static func hash(_ bytes: UnsafeRawBufferPointer, _ seed: UInt64) -> UInt64 {
    var hash = seed &+ UInt64(bytes.count) &* 0x9E37_79B9_7F4A_7C15
    func add(_ word: UInt64) {
      hash = (hash ^ word) &* 0xBF58_476D_1CE4_E5B9
      hash ^= hash >> 29
    }
    var offset = 0
    while offset + 8 <= bytes.count {
      add(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    while offset < bytes.count {
      add(UInt64(bytes[offset]))
      offset += 1
    }
    add(0x94D0_49BB_1331_11EB)
    return hash
  }
}
