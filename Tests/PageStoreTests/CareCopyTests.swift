import Glibc
import PageStore
import SimulatedDisk
import Synchronization
import Testing

@Suite struct `A backup` {
  @Test(arguments: UInt64(0)..<6)
  func `equals its source row by row`(seed: UInt64) throws {
    let disk = SimulatedDisk()
    let system = SimulatedSystem(disk)
    var model = CareModel(seed: seed)
    let store = try Store(path: "a.db", options: .small, fileSystem: system)
    for _ in 0..<10 { try model.change(store, count: 100) }
    var counts: [Int] = []
    let size = [4096, 8192, 16384][Int(seed % 3)]
    try store.backup(to: "b.db", pageByteCount: size) { progress in
      counts.append(progress.rowCount)
      return true
    }
    #expect(counts.last == model.tables.values.reduce(0) { $0 + $1.count })
    let rows = model.tables
    try model.change(store, count: 10)
    try store.close()
    #expect(disk.names == ["a.db", "b.db"])
    let report = try Store.check(path: "b.db", fileSystem: system)
    #expect(report.problems == [])
    #expect(report.isComplete)
    #expect(report.pageByteCount == size)
    let copy = try Store(path: "b.db", options: .small, fileSystem: system)
    #expect(try copy.contents() == rows)
    let original = try #require(disk.contents(of: "a.db"))
    let bytes = try #require(disk.durableContents(of: "b.db"))
    #expect(original[16..<32] != bytes[16..<32])
    try copy.close()
  }

  @Test func `holds the snapshot's rows while a writer goes on`() throws {
    let folder = try TestFolder()
    let store = try Store.inMemory(options: .small)
    try store.write { transaction in
      let table = try transaction.createTable("t")
      for number in 0..<3000 { try transaction.put("key \(number)", "first", in: table) }
    }
    let snapshot = try store.snapshot()
    let rows = try snapshot.contents()
    let isDone = Atomic<Bool>(false)
    let count = Atomic<Int>(0)
    try CareThreads().run {
      var number = 0
      while !isDone.load(ordering: .acquiring) {
        number += 1
        try store.write { transaction in
          let table = try transaction.table("t")
          try transaction.put("key \(number % 3000)", "\(number)", in: table)
          try transaction.delete(Array("key \((number + 7) % 3000)".utf8), in: table)
        }
        count.add(1, ordering: .relaxed)
      }
    } and: {
      defer { isDone.store(true, ordering: .releasing) }
      for number in 0..<3 {
        while count.load(ordering: .relaxed) < number * 10 {}
        let path = "\(folder.path)/copy \(number)"
        try snapshot.copy(to: path)
        let copy = try Store(path: path, options: .small)
        #expect(try copy.contents() == rows)
        try copy.close()
      }
    }
    #expect(try store.contents() != rows)
    #expect(try store.check().problems == [])
  }

  @Test func `of a store in memory is a file that outlives it`() throws {
    let folder = try TestFolder()
    let store = try Store.inMemory(options: .small)
    try store.write { transaction in
      let table = try transaction.createTable("t")
      for number in 0..<500 { try transaction.put("key \(number)", "\(number)", in: table) }
    }
    let rows = try store.contents()
    try store.backup(to: folder.database)
    try store.snapshot().copy(to: folder.path + "/b.db", pageByteCount: 16384)
    #expect(throws: StoreError.alreadyExists(path: folder.database)) {
      try store.backup(to: folder.database)
    }
    try store.close()
    #expect(folder.names == ["a.db", "b.db"])
    for name in folder.names {
      let copy = try Store(path: folder.path + "/" + name)
      #expect(try copy.contents() == rows)
      #expect(try copy.check().problems == [])
      try copy.close()
    }
  }

  @Test func `replaces nothing, and refuses its source by any name`() throws {
    let disk = SimulatedDisk()
    let system = SimulatedSystem(disk)
    let store = try Store(path: "a.db", options: .small, fileSystem: system)
    try store.write { transaction in _ = try transaction.createTable("t") }
    disk.setContents(of: "b.db", to: [1, 2, 3])
    for path in ["a.db", "b.db", "a.db-log", "a.db-lock"] {
      #expect(throws: StoreError.alreadyExists(path: path)) { try store.backup(to: path) }
    }
    #expect(disk.contents(of: "b.db") == [1, 2, 3])
    #expect(throws: StoreError.cancelled) { try store.backup(to: "c.db") { _ in false } }
    #expect(throws: StoreError.invalidOption("pageByteCount 5000: must be 4096, 8192 or 16384")) {
      try store.backup(to: "c.db", pageByteCount: 5000)
    }
    try store.close()
    #expect(disk.names == ["a.db", "b.db"])
  }

  @Test func `refuses its source through links of a real file system`() throws {
    let folder = "/tmp/dex-care-\(UInt64.random(in: 0...UInt64.max))"
    #expect(mkdir(folder, 0o700) == 0)
    let store = try Store(path: folder + "/a.db")
    try store.write { transaction in
      let table = try transaction.createTable("t")
      for number in 0..<100 { try transaction.put("key \(number)", "value", in: table) }
    }
    #expect(symlink("a.db", folder + "/link") == 0)
    #expect(Glibc.link(folder + "/a.db", folder + "/hard") == 0)
    for name in ["a.db", "link", "hard"] {
      #expect(throws: StoreError.self) { try store.backup(to: "\(folder)/\(name)") }
    }
    try store.backup(to: folder + "/b.db")
    try store.close()
    #expect(names(in: folder) == ["a.db", "b.db", "hard", "link"])
    #expect(try Store.check(path: folder + "/b.db").problems == [])
    let copy = try Store(path: folder + "/b.db")
    #expect(try copy.contents()["t"]?.count == 100)
    try copy.close()
    for name in names(in: folder) { unlink("\(folder)/\(name)") }
    rmdir(folder)
  }

  private func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  private func error(_ body: () throws(StoreError) -> Void) -> StoreError? {
    do throws(StoreError) {
      try body()
      return nil
    } catch {
      return error
    }
  }

  @Test func `leaves nothing behind on a full disk or after any failed call`() throws {
    let disk = SimulatedDisk()
    let system = SimulatedSystem(disk)
    var model = CareModel(seed: 8)
    let store = try Store(path: "a.db", options: .small, fileSystem: system)
    for _ in 0..<4 { try model.change(store, count: 200) }
    let names = disk.names
    var failureCount = 0
    for room in stride(from: 0, to: 4 << 20, by: 20_480) {
      disk.setRoom(room)
      guard let error = error({ () throws(StoreError) in try store.backup(to: "b.db") }) else {
        break
      }
      guard case .diskFull(let path, _, _) = error else { throw error }
      #expect(path == "b.db")
      #expect(disk.names == names)
      failureCount += 1
    }
    #expect(failureCount > 4)
    try system.remove("b.db")
    disk.setRoom(1 << 40)
    let first = disk.operationCount
    try store.backup(to: "b.db")
    let count = disk.operationCount - first
    try system.remove("b.db")
    for offset in stride(from: 0, to: count, by: 3) {
      let index = disk.operationCount + offset
      disk.inject(.error(errno: 5), atOperation: index)
      do {
        try store.backup(to: "b.db")
      } catch {
        // A lock file that cannot be removed is found by the one who opens the store next.
        let left = disk.names.filter { !names.contains($0) }
        #expect(left.allSatisfy { $0 != "b.db" }, "call \(offset): \(error)")
      }
      for name in disk.names where !names.contains(name) { try system.remove(name) }
      disk.clearFaults()
    }
    #expect(try store.contents() == model.tables)
    try store.close()
  }
}
