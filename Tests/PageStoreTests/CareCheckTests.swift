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
