import PageStore
import Testing

/// The forms that keys, values and closures may have.
@Suite struct `A call with a key` {
  private func makeStore() throws -> Store {
    let store = try Store.inMemory(options: .small)
    try store.write { transaction in
      let table = try transaction.createTable("t")
      for number in 10..<60 { try transaction.put("k\(number)", "\(number)", in: table) }
    }
    return store
  }

  private func text(_ bytes: RawSpan) -> String {
    bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `takes strings and arrays in a transaction`() throws {
    let store = try makeStore()
    try store.write { transaction in
      let table = try transaction.table("t")
      #expect(try transaction.contains("k10", in: table))
      #expect(try transaction.contains(Array("k10".utf8), in: table))
      #expect(try !transaction.contains("k1", in: table))
      if let value = try transaction.get("k11", in: table) {
        #expect(text(value) == "11")
      } else {
        Issue.record("k11 is not there")
      }
      if let value = try transaction.get(Array("k12".utf8), in: table) {
        #expect(text(value) == "12")
      } else {
        Issue.record("k12 is not there")
      }
      #expect(try transaction.delete("k10", in: table))
      #expect(try !transaction.delete("k10", in: table))
      #expect(try transaction.deleteRange(from: "k20", to: "k30", in: table) == 10)
      #expect(try transaction.deleteRange(from: "k50", to: nil, in: table) == 10)
      try transaction.put("bytes", [1, 2, 3], in: table)
      #expect(try transaction.count(of: table) == 30)
      #expect(try transaction.deleteRange(from: nil, to: nil, in: table) == 30)
    }
    try store.close()
  }

  @Test func `takes strings and arrays in a snapshot`() throws {
    let store = try makeStore()
    let snapshot = try store.snapshot()
    let table = try snapshot.table("t")
    #expect(try table.contains("k10"))
    #expect(try !table.contains(Array("k1".utf8)))
    var found: [String] = []
    try table.multiGet(["k59", "nothing", "k10", ""]) { (index, value) throws(StoreError) in
      #expect(index == found.count)
      if let value { found.append(text(value)) } else { found.append("-") }
    }
    #expect(found == ["59", "-", "10", "-"])
    try table.multiGet([[], Array("k12".utf8)]) { (index, value) throws(StoreError) in
      #expect((value?.byteCount ?? -1) == (index == 0 ? -1 : 2))
    }
    var cursor = table.cursor(from: "k55")
    #expect(try cursor.next())
    #expect(text(cursor.key) == "k55")
    #expect(try cursor.seek("k57x"))
    #expect(text(cursor.key) == "k58")
    var count = 0
    var prefixed = table.cursor(prefix: "k3")
    while try prefixed.next() { count += 1 }
    #expect(count == 10)
  }

  @Test func `takes closures that throw nothing or anything`() throws {
    struct Failure: Error {}
    let store = try makeStore()
    try store.write { (transaction) throws(StoreError) in
      let table = try transaction.table("t")
      #expect(try transaction.edit(to: Array("k20".utf8), in: table) { _, _ in .delete } == 10)
    }
    try store.write { transaction in
      let table = try transaction.table("t")
      #expect(throws: Failure.self) {
        try transaction.edit(in: table) { _, _ in throw Failure() }
      }
      #expect(throws: Failure.self) {
        try transaction.savepoint { transaction in
          try transaction.put("more", "rows", in: table)
          throw Failure()
        }
      }
      #expect(try transaction.count(of: table) == 40)
    }
    let snapshot = try store.snapshot()
    let table = try snapshot.table("t")
    #expect(try table.first { key, value in text(key) + text(value) } == "k2020")
    #expect(try table.last { key, value in text(key) + text(value) } == "k5959")
  }

  @Test func `takes bounds that are longer than a key`() throws {
    let store = try Store.inMemory(options: .small)
    let long = StoreLimits.keyByteCount
    var keys: [[UInt8]] = []
    for byte in [UInt8(6), 7, 8, 255] {
      for count in [1, long - 1, long] { keys.append([UInt8](repeating: byte, count: count)) }
    }
    keys.append([UInt8](repeating: 7, count: long - 1) + [8])
    var bounds: [[UInt8]?] = [nil]
    for byte in [UInt8(6), 7, 255] {
      for count in [long, long + 1, 70_000] {
        bounds.append([UInt8](repeating: byte, count: count))
      }
    }
    for lower in bounds {
      for upper in bounds {
        try store.write { transaction in
          let table = try transaction.createTableIfNeeded("t")
          for key in keys { try transaction.put(key, [1], in: table) }
          let expected = keys.filter { key in
            if let lower, key.lexicographicallyPrecedes(lower) { return false }
            guard let upper else { return true }
            return key.lexicographicallyPrecedes(upper)
          }.count
          #expect(try transaction.deleteRange(from: lower, to: upper, in: table) == expected)
          #expect(try transaction.count(of: table) == keys.count - expected)
        }
      }
    }
  }
}
