import PageStore
import SimulatedDisk
import Testing

@Suite struct `Checking a store` {
  @Test(arguments: UInt64(0)..<12)
  func `finds nothing wrong after any run of transactions`(seed: UInt64) throws {
    let disk = SimulatedDisk()
    var model = CareModel(seed: seed)
    for round in 0..<3 {
      let store = try Store(
        path: "a.db", options: .small,
        fileSystem: SimulatedSystem(disk, processID: Int32(round + 1), seed: seed))
      var snapshots: [Snapshot] = []
      for step in 0..<20 {
        let count = model.random.number(in: 1..<60)
        try model.change(store, count: count)
        if step % 4 == 0 { snapshots.append(try store.snapshot()) }
        if model.random.chance(10) { snapshots.removeAll() }
        if model.random.chance(20) { try store.checkpoint() }
        if model.random.chance(30) { expectClean(try store.check()) }
      }
      snapshots.removeAll()
      let report = try store.check()
      expectClean(report)
      for table in report.tables { #expect(table.rowCount == model.tables[table.name]?.count) }
      #expect(report.tables.count == model.tables.count)
      #expect(try store.contents() == model.tables)
      try store.close()
      let before = disk.contents(of: "a.db")
      let rest = try Store.check(path: "a.db", fileSystem: SimulatedSystem(disk, processID: 99))
      expectClean(rest)
      #expect(rest.tables == report.tables)
      #expect(disk.contents(of: "a.db") == before)
    }
  }

  private func expectClean(_ report: CheckReport, location: SourceLocation = #_sourceLocation) {
    #expect(report.problems == [], sourceLocation: location)
    #expect(report.problemCount == 0, sourceLocation: location)
    #expect(report.isComplete, sourceLocation: location)
    let pages =
      report.livePageCount + report.pendingPageCount + report.freePageCount + report.mapPageCount
      + 2
    #expect(pages == report.fileByteCount / report.pageByteCount, sourceLocation: location)
  }

  /// The log has shown readers a state of many pages, of which the checkpoint needs few.
  @Test(arguments: [200, 1000, 3000])
  func `calls no file cut that compaction has made shorter`(rowCount: Int) throws {
    let disk = SimulatedDisk()
    let store = try Store(
      path: "a.db", options: .small, fileSystem: SimulatedSystem(disk, processID: 1))
    let other = try Store(
      path: "a.db", options: .small, fileSystem: SimulatedSystem(disk, processID: 2))
    for number in 0..<3 {
      try store.write { transaction in
        let table = try transaction.createTableIfNeeded("t")
        for row in 0..<rowCount / 3 {
          let value = [UInt8](repeating: UInt8(number), count: 100)
          try transaction.put(Array("\(number) \(row)".utf8), value, in: table)
        }
      }
    }
    for number in 0..<3 {
      try store.write { transaction in
        let table = try transaction.table("t")
        for row in 1..<rowCount / 3 {
          try transaction.delete(Array("\(number) \(row)".utf8), in: table)
        }
      }
    }
    try store.checkpoint()
    try store.compact()
    for checked in [store, other] {
      let report = try checked.check()
      #expect(report.problems == [])
      #expect(report.tables.map(\.rowCount) == [3])
    }
    try other.close()
    try store.close()
  }

  @Test(arguments: 0..<16)
  func `takes no page that is used again meanwhile for the map of space`(place: Int) throws {
    let disk = SimulatedDisk()
    let system = SimulatedSystem(disk)
    let store = try Store(path: "a.db", options: .small, fileSystem: system)
    @Sendable func put(_ numbers: Range<Int>) throws {
      for number in numbers {
        try store.write { transaction in
          let table = try transaction.createTableIfNeeded("t")
          try transaction.put("key \(number)", "value", in: table)
        }
      }
    }
    try put(0..<20)
    let count = SharedCount()
    system.onOperation { operation in
      guard operation.call == .read || operation.call == .status, count.increment() == place + 1
      else { return }
      // Inside the gate nobody else writes.
      do {
        for number in 0..<6 {
          try put(100 + 10 * number..<110 + 10 * number)
          try store.checkpoint()
        }
      } catch StoreError.nestedWrite {
      } catch {
        Issue.record(error)
      }
    }
    let report = try store.check()
    system.onOperation(nil)
    #expect(report.problems == [])
    #expect(report.tables.map(\.rowCount) == [20])
    try store.close()
  }

  @Test func `tells how far it is, and ends when it is told to`() throws {
    let store = try Store.inMemory()
    try store.write { transaction in
      let table = try transaction.createTable("t")
      for number in 0..<20_000 {
        try transaction.put("key \(number)", String(repeating: "value", count: 40), in: table)
      }
    }
    var told: [PageCheckProgress] = []
    let report = try store.check { progress in
      told.append(progress)
      return true
    }
    #expect(told.count > 5)
    // Each tree counts by itself, of which the catalog is one of a page.
    #expect(told.map(\.pageCount) == (0..<told.count).map { 1 + 64 * ($0 + 1) })
    #expect(report.livePageCount - (told.last?.pageCount ?? 0) < 64 + 2)
    #expect(told.allSatisfy { $0.totalPageCount >= report.livePageCount })
    var count = 0
    #expect(throws: StoreError.cancelled) {
      try store.check { _ in
        count += 1
        return count < 2
      }
    }
    #expect(count == 2)
    #expect(try store.check().problems == [])
    try store.close()
  }

  @Test func `works in memory, beside transactions of another thread`() throws {
    let store = try Store.inMemory()
    let group = CareThreads()
    try group.run {
      for number in 0..<200 {
        try store.write { transaction in
          let table = try transaction.createTableIfNeeded("t")
          try transaction.put("key \(number)", "value", in: table)
        }
      }
    } and: {
      for _ in 0..<10 {
        let report = try store.check()
        #expect(report.problems == [])
        #expect(report.isComplete)
      }
    }
    #expect(try store.check().tables.map(\.rowCount) == [200])
    try store.close()
  }
}
