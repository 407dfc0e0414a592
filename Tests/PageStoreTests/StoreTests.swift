import PageStore
import SimulatedDisk
import Testing

@Suite struct `A store` {
  @Test func `keeps what was put, across reopening`() throws {
    let disk = SimulatedDisk()
    let store = try Store(path: "a.db", fileSystem: SimulatedSystem(disk))
    try store.write { transaction in
      let table = try transaction.createTable("t")
      for number in 0..<10_000 {
        try transaction.put("key \(number)", "value \(number)", in: table)
      }
    }
    for number in 0..<50 {
      try store.write { transaction in
        let table = try transaction.table("t")
        try transaction.put("more \(number)", "value \(number)", in: table)
      }
    }
    let snapshot = try store.snapshot()
    let table = try snapshot.table("t")
    #expect(table.count == 10_050)
    let found = try table.get("key 77")?.byteCount
    #expect(found == 8)
    try store.close()
    #expect(disk.names.count > 0)
    let again = try Store(path: "a.db", fileSystem: SimulatedSystem(disk, processID: 2))
    let count = try again.read { (snapshot) throws(StoreError) in try snapshot.table("t").count }
    #expect(count == 10_050)
    try again.close()
  }

  @Test func `knows the first and the last row of a table`() throws {
    let store = try Store.inMemory()
    try store.write { transaction in
      let table = try transaction.createTable("t")
      for number in 1000..<3000 { try transaction.put("\(number)", "x", in: table) }
      _ = try transaction.createTable("empty")
    }
    let snapshot = try store.snapshot()
    let table = try snapshot.table("t")
    let first = try table.first { (key, _) throws(StoreError) in key.withUnsafeBytes { Array($0) } }
    let last = try table.last { (key, _) throws(StoreError) in key.withUnsafeBytes { Array($0) } }
    #expect(first == Array("1000".utf8))
    #expect(last == Array("2999".utf8))
    let none = try snapshot.table("empty").last { (_, _) throws(StoreError) in 1 }
    #expect(none == nil)
  }

  @Test func `works in a real file and removes its side files`() throws {
    let path = "/tmp/dex-smoke-\(UInt32.random(in: 0..<UInt32.max)).db"
    let store = try Store(path: path)
    for number in 0..<200 {
      try store.write { transaction in
        let table = try transaction.createTableIfNeeded("t")
        try transaction.put("more \(number)", "value \(number)", in: table)
      }
    }
    let count = try store.read { snapshot in try snapshot.table("t").count }
    #expect(count == 200)
    try store.close()
    let again = try Store(path: path)
    let count2 = try again.read { snapshot in try snapshot.table("t").count }
    #expect(count2 == 200)
    try again.close()
    let files = PosixFileSystem()
    #expect(try !files.exists(path + "-log"))
    #expect(try !files.exists(path + "-lock"))
    try files.remove(path)
  }

  @Test func `tells names apart by their bytes, also when it recovers`() throws {
    let (composed, decomposed) = ("\u{e9}", "e\u{301}")
    let disk = SimulatedDisk()
    let store = try Store(path: "a.db", fileSystem: SimulatedSystem(disk))
    for number in 0..<3 {
      try store.write { (transaction) throws(StoreError) in
        _ = try transaction.createTable("table \(number)")
      }
    }
    for name in [composed, decomposed] {
      try store.write { (transaction) throws(StoreError) in
        try transaction.put("k", name, in: try transaction.createTable(name))
      }
    }
    let again = try Store(
      path: "a.db", fileSystem: SimulatedSystem(disk.killImage(), processID: 2))
    try again.write { (transaction) throws(StoreError) in
      _ = try transaction.table(composed)
      try transaction.drop(try transaction.table(decomposed))
    }
    let names = try again.read { (snapshot) throws(StoreError) in try snapshot.tableNames() }
    #expect(names.map { Array($0.utf8) }.last == Array(composed.utf8))
    #expect(names.count == 4)
    try again.close()
  }

  @Test func `takes bounds longer than any key, and refuses handles of what was undone`() throws {
    let store = try Store.inMemory()
    let long = [UInt8](repeating: 255, count: 70_000)
    try store.write { (transaction) throws(StoreError) in
      let table = try transaction.createTable("t")
      try transaction.put("k", "v", in: table)
      #expect(try transaction.deleteRange(from: long, to: nil, in: table) == 0)
      #expect(try transaction.deleteRange(from: nil, to: long, in: table) == 1)
      var inner: TableHandle?
      do throws(StoreError) {
        try transaction.savepoint { (transaction) throws(StoreError) in
          inner = try transaction.createTable("inner")
          throw .cancelled
        }
      } catch {}
      _ = try transaction.createTable("other")
      if let inner {
        #expect(throws: StoreError.noSuchTable("inner")) {
          try transaction.put("k", "v", in: inner)
        }
      }
    }
    try store.close()
  }

  @Test func `takes an interval without end`() throws {
    var options = StoreOptions()
    options.durability = .eventual(interval: .seconds(Int64.max))
    let store = try Store.inMemory(options: options)
    try store.write { (transaction) throws(StoreError) in _ = try transaction.createTable("t") }
    try store.close()
  }
}
