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
}
