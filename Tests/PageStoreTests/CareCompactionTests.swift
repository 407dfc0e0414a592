import PageStore
import SimulatedDisk
import Synchronization
import Testing

@Suite struct `Compaction` {
  /// A store of which nine rows in ten were deleted.
  private func sparse(_ system: any FileSystem, rowCount: Int = 4000) throws -> (
    store: Store, rows: [String: CareModel.Rows]
  ) {
    let store = try Store(path: "a.db", options: .small, fileSystem: system)
    var rows: [String: CareModel.Rows] = [:]
    for name in ["first", "second"] {
      try store.write { transaction in
        let table = try transaction.createTable(name)
        for number in 0..<rowCount {
          let key = Array("key \(number)".utf8)
          let count = number % 50 == 0 ? 9000 : 40
          let value = [UInt8](repeating: UInt8(number % 251), count: count)
          try transaction.put(key, value, in: table)
          if number % 10 == 0 { rows[name, default: [:]][key] = value }
        }
      }
    }
    for name in ["first", "second"] {
      try store.write { transaction in
        let table = try transaction.table(name)
        for number in 0..<rowCount where number % 10 != 0 {
          try transaction.delete(Array("key \(number)".utf8), in: table)
        }
      }
    }
    return (store, rows)
  }

  /// No more than the pages in use, and a little to work with.
  private func expectSmall(_ store: Store, location: SourceLocation = #_sourceLocation) throws {
    let statistics = try store.statistics()
    let used = statistics.livePageCount + statistics.mapPageCount + statistics.pendingPageCount + 2
    let limit = used + used / 32 + 48
    #expect(
      statistics.fileByteCount <= limit * statistics.pageByteCount, "\(statistics)",
      sourceLocation: location)
  }

  @Test func `shrinks the file to what is in use`() throws {
    let disk = SimulatedDisk()
    let (store, rows) = try sparse(SimulatedSystem(disk))
    let before = try store.statistics().fileByteCount
    var steps = 0
    let gained = try store.compact { _ in
      steps += 1
      return true
    }
    #expect(gained > before / 3)
    #expect(steps > 0)
    try expectSmall(store)
    #expect(try store.contents() == rows)
    let report = try store.check()
    #expect(report.problems == [])
    #expect(report.isComplete)
    // There is nothing left to gain.
    #expect(try store.compact() <= 4096 * 64)
    let size = try store.statistics().fileByteCount
    #expect(try store.compact() >= 0)
    #expect(try store.statistics().fileByteCount <= size)
    try store.close()
    let again = try Store(
      path: "a.db", options: .small, fileSystem: SimulatedSystem(disk, processID: 2))
    #expect(try again.contents() == rows)
    try again.close()
  }

  /// A store of two tables whose leaves are less than half full, with a large value here and there.
  private func halfEmpty(_ system: any FileSystem, rowCount: Int) throws -> (
    store: Store, rows: [String: CareModel.Rows]
  ) {
    let store = try Store(path: "a.db", options: .small, fileSystem: system)
    var random = SplitMix64(seed: 3)
    var tables: [String: CareModel.Rows] = [:]
    for name in ["first", "second"] {
      var rows: CareModel.Rows = [:]
      try store.write { transaction in
        let table = try transaction.createTable(name)
        for number in 0..<rowCount {
          let key = Array("\(random.next()) \(number)".utf8)
          rows[key] = [UInt8](repeating: UInt8(number % 251), count: number % 50 == 0 ? 9000 : 150)
          try transaction.put(key, rows[key] ?? [], in: table)
        }
      }
      try store.write { transaction in
        let table = try transaction.table(name)
        for key in rows.keys.sorted(by: { $0.lexicographicallyPrecedes($1) })
        where random.chance(60) {
          try transaction.delete(key, in: table)
          rows[key] = nil
        }
      }
      tables[name] = rows
    }
    return (store, tables)
  }

  @Test func `fills the leaves that deletions here and there left half empty`() throws {
    let system = SimulatedSystem(SimulatedDisk())
    let (store, rows) = try halfEmpty(system, rowCount: 4000)
    try store.compact()
    #expect(try store.contents() == rows)
    #expect(try store.check().problems == [])
    let other = try Store(path: "b.db", options: .small, fileSystem: system)
    for (name, rows) in rows {
      try other.write { transaction in
        let table = try transaction.createTable(name)
        for (key, value) in rows.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
          try transaction.put(key, value, in: table)
        }
      }
      // A sorted load fills its leaves whole, and here an eighth of each is left free.
      let (count, least) = (
        try store.tableStatistics(name).leafPageCount, try other.tableStatistics(name).leafPageCount
      )
      #expect(count <= least * 130 / 100, "\(count) leaves where \(least) are enough")
      #expect(count >= least * 105 / 100, "\(count) leaves where \(least) are enough")
    }
    try store.close()
    try other.close()
  }

  @Test func `lets writers in while it looks at leaves that are full, and can be ended`() throws {
    let store = try Store.inMemory(options: .small)
    try store.write { transaction in
      let table = try transaction.createTable("junk")
      for number in 0..<10_000 { try transaction.put("junk \(number)", "value", in: table) }
    }
    try store.write { transaction in
      let table = try transaction.createTable("t")
      let value = [UInt8](repeating: 1, count: 900)
      for number in 100_000..<112_000 {
        try transaction.put(Array("\(number)".utf8), value, in: table)
      }
      _ = try transaction.createTable("u")
    }
    try store.write { transaction in try transaction.drop(try transaction.table("junk")) }
    try #require(try store.tableStatistics("t").leafPageCount > 2 * 1024)
    var steps = 0
    try store.compact { progress in
      steps += 1
      #expect(progress.movedPageCount == 0)
      return false
    }
    #expect(steps == 1)
    var stepsOfLooking = 0
    steps = 0
    try store.compact { progress in
      steps += 1
      if progress.movedPageCount == 0 { stepsOfLooking += 1 }
      do {
        try store.write { transaction in
          try transaction.put("\(steps)", "value", in: try transaction.table("u"))
        }
      } catch {
        Issue.record("\(error)")
      }
      return true
    }
    #expect(stepsOfLooking >= 2)
    #expect(try store.tableStatistics("u").rowCount == steps)
    try store.close()
  }

  @Test func `gains beside a snapshot what the moves gain`() throws {
    let store = try Store.inMemory(options: .small)
    func fill(_ name: String, _ numbers: Range<Int>) throws {
      try store.write { transaction in
        let table = try transaction.createTableIfNeeded(name)
        let value = [UInt8](repeating: 1, count: 150)
        for number in numbers { try transaction.put(Array("\(number)".utf8), value, in: table) }
      }
    }
    try fill("junk", 100_000..<104_000)
    try fill("half", 100_000..<110_000)
    try store.write { transaction in
      let table = try transaction.table("half")
      for number in 100_000..<110_000 where number % 5 < 3 {
        try transaction.delete(Array("\(number)".utf8), in: table)
      }
    }
    try store.checkpoint()
    var older = [try store.snapshot()]
    try store.write { transaction in try transaction.drop(try transaction.table("junk")) }
    try store.checkpoint()
    let second = try store.snapshot()
    let rows = try second.contents()
    // The places of the junk are not free yet, and so this comes to stand behind all else.
    try fill("late", 100_000..<101_000)
    try store.checkpoint()
    let lateCount = try store.tableStatistics("late").leafPageCount
    older.removeAll()
    let gained = try store.compact()
    #expect(gained >= lateCount / 2 * 4096, "\(gained / 4096) of \(lateCount)")
    #expect(try second.contents() == rows)
    #expect(try store.check().problems == [])
    try store.close()
  }

  @Test func `ends beside a snapshot, which still sees its rows`() throws {
    let disk = SimulatedDisk()
    let (store, rows) = try sparse(SimulatedSystem(disk))
    try store.compact()
    let snapshot = try store.snapshot()
    try store.write { transaction in
      let table = try transaction.table("first")
      for number in 0..<4000 { try transaction.put("more \(number)", "value", in: table) }
    }
    try store.write { transaction in
      let table = try transaction.table("first")
      try transaction.deleteRange(from: Array("more".utf8), to: nil, in: table)
    }
    let second = try store.snapshot()
    let before = try store.statistics().fileByteCount
    try store.compact()
    #expect(try store.statistics().fileByteCount <= before)
    #expect(try snapshot.contents() == rows)
    #expect(try second.contents() == rows)
    #expect(try store.check().problems == [])
    try store.close()
  }

  @Test(arguments: UInt64(0)..<8)
  func `keeps every row of any store, and never enlarges it`(seed: UInt64) throws {
    let disk = SimulatedDisk()
    var model = CareModel(seed: seed)
    let store = try Store(path: "a.db", options: .small, fileSystem: SimulatedSystem(disk))
    var snapshots: [Snapshot] = []
    for _ in 0..<12 {
      let count = model.random.number(in: 1..<150)
      try model.change(store, count: count)
      if model.random.chance(30) { snapshots.append(try store.snapshot()) }
      if model.random.chance(30) { snapshots.removeAll() }
      if model.random.chance(50) {
        let before = try store.statistics().fileByteCount
        try store.compact()
        #expect(try store.statistics().fileByteCount <= before)
        #expect(try store.contents() == model.tables)
        let report = try store.check()
        #expect(report.problems == [])
        #expect(report.isComplete)
      }
    }
    snapshots.removeAll()
    try store.close()
    #expect(try Store.check(path: "a.db", fileSystem: SimulatedSystem(disk)).problems == [])
    let again = try Store(
      path: "a.db", options: .small, fileSystem: SimulatedSystem(disk, processID: 2))
    #expect(try again.contents() == model.tables)
    try again.close()
  }

  @Test func `goes on beside a writer and a reader of other threads`() throws {
    let store = try Store.inMemory(options: .small)
    try store.write { transaction in
      let table = try transaction.createTable("t")
      for number in 0..<20_000 { try transaction.put("key \(number)", "first", in: table) }
    }
    try store.write { transaction in
      let table = try transaction.table("t")
      for number in 0..<18_000 { try transaction.delete(Array("key \(number)".utf8), in: table) }
    }
    let isDone = Atomic<Bool>(false)
    try CareThreads().run {
      var number = 0
      while !isDone.load(ordering: .acquiring) {
        number += 1
        try store.write { transaction in
          let table = try transaction.table("t")
          try transaction.put("new \(number)", "\(number)", in: table)
        }
        let snapshot = try store.snapshot()
        let count = try snapshot.contents()["t"]?.count
        if count != 2000 + number { throw CareFailure.changed }
      }
    } and: {
      defer { isDone.store(true, ordering: .releasing) }
      for _ in 0..<3 { try store.compact() }
    }
    #expect(try store.check().problems == [])
    try store.close()
  }

  /// Each of the three images takes its turn; debug builds try a part of the calls.
  #if DEBUG
    private static let crashStep = 12
  #else
    private static let crashStep = 3
  #endif

  @Test(arguments: 0..<3)
  func `loses nothing when it crashes at any call`(choice: Int) throws {
    let disk = SimulatedDisk()
    let (store, rows) = try halfEmpty(SimulatedSystem(disk), rowCount: 300)
    try store.close()
    let bytes = try #require(disk.contents(of: "a.db"))
    let counting = SimulatedDisk()
    counting.setContents(of: "a.db", to: bytes)
    let counted = try Store(path: "a.db", options: .small, fileSystem: SimulatedSystem(counting))
    let first = counting.operationCount
    let names = rows.keys.sorted()
    let before = try names.map { try counted.tableStatistics($0).leafPageCount }
    try counted.compact()
    let last = counting.operationCount
    let after = try names.map { try counted.tableStatistics($0).leafPageCount }
    // Leaves were packed, and not only moved.
    for (before, after) in zip(before, after) { #expect(after < before) }
    try counted.close()
    #expect(last > first + 20)
    for index in stride(from: first + choice, through: last + 12, by: Self.crashStep) {
      let disk = SimulatedDisk()
      disk.setContents(of: "a.db", to: bytes)
      disk.crash(atOperation: index)
      do {
        let store = try Store(path: "a.db", options: .small, fileSystem: SimulatedSystem(disk))
        try store.compact()
        try store.close()
      } catch {
        #expect(disk.hasCrashed, "\(error)")
      }
      let image = disk.crashImage(
        [.nothingKept, .everythingKept, .seeded(UInt64(index))][choice])
      let again = try Store(path: "a.db", options: .small, fileSystem: SimulatedSystem(image))
      #expect(try again.contents() == rows, "call \(index)")
      try again.compact()
      let report = try again.check()
      #expect(report.problems == [], "call \(index)")
      #expect(try again.contents() == rows)
      try again.close()
      #expect((image.contents(of: "a.db")?.count ?? .max) <= bytes.count)
    }
  }

  @Test func `is not needed for the space behind the last page, which closing gives back`() throws {
    let disk = SimulatedDisk()
    let store = try Store(path: "a.db", options: .small, fileSystem: SimulatedSystem(disk))
    try store.write { transaction in
      let table = try transaction.createTable("t")
      for number in 0..<5000 { try transaction.put("key \(number)", "value", in: table) }
    }
    let statistics = try store.statistics()
    try store.close()
    let size = try #require(disk.contents(of: "a.db")?.count)
    let used = statistics.livePageCount + statistics.pendingPageCount + statistics.mapPageCount + 2
    #expect(size <= (used + 24) * 4096)
    #expect(try Store.check(path: "a.db", fileSystem: SimulatedSystem(disk)).problems == [])
  }
}
