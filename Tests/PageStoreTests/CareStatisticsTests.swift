import PageStore
import SimulatedDisk
import Testing

@Suite struct `The statistics of a store` {
  @Test func `count pages, readers and states`() throws {
    let disk = SimulatedDisk()
    let system = SimulatedSystem(disk, processID: 41)
    let store = try Store(path: "a.db", options: .small, fileSystem: system)
    let start = try store.statistics()
    #expect(!start.holdsRight)
    #expect(start.livePageCount == 0 && start.readerCount == 0 && start.oldestReader == nil)
    try store.write { transaction in
      let table = try transaction.createTable("t")
      for number in 0..<1000 { try transaction.put("key \(number)", "value", in: table) }
    }
    let snapshot = try store.snapshot()
    for _ in 0..<3 {
      try store.write { transaction in
        let table = try transaction.table("t")
        for number in 0..<1000 { try transaction.put("key \(number)", "other", in: table) }
      }
    }
    disk.clock += 5_000_000
    let statistics = try store.statistics()
    #expect(statistics.holdsRight)
    #expect(statistics.logByteCount > 0)
    #expect(statistics.readerCount == 1)
    #expect(statistics.published == statistics.tip)
    #expect(statistics.durable < statistics.tip)
    #expect(statistics.oldestReader?.processID == 41)
    #expect(statistics.oldestReader?.transaction == snapshot.transaction)
    #expect((statistics.oldestReader?.ageMilliseconds ?? 0) >= 5)
    #expect((statistics.oldestReader?.pinnedByteCount ?? 0) > 8 * 4096)
    let report = try store.check()
    #expect(report.livePageCount == statistics.livePageCount)
    let inside = try store.write { transaction in
      let table = try transaction.table("t")
      try transaction.put("key", "value", in: table)
      return try store.statistics()
    }
    #expect(inside.livePageCount >= statistics.livePageCount)
    let table = try store.tableStatistics("t")
    #expect(table.rowCount == 1001)
    #expect(table.levelCount == 2)
    #expect(table.branchPageCount == 1)
    #expect(table.fill > 0.4 && table.fill <= 1)
    #expect(throws: StoreError.noSuchTable("u")) { try store.tableStatistics("u") }
    try store.close()
  }
}
