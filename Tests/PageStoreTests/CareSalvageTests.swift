import PageStore
import ProbeModel
import SimulatedDisk
import Testing

@Suite struct `Salvage` {
  /// Salvages `file`, and returns what it says and the rows that it saved.
  private func salvage(_ file: DatabaseImage) throws -> (
    report: SalvageReport, rows: [String: CareModel.Rows]
  ) {
    let disk = CareDisk(file).disk
    let system = SimulatedSystem(disk)
    let report = try Store.salvage(from: "a.db", to: "b.db", fileSystem: system)
    #expect(disk.contents(of: "a.db") == file.bytes)
    #expect(disk.names == ["a.db", "b.db"])
    let store = try Store(path: "b.db", options: .small, fileSystem: system)
    #expect(try store.check().problems == [])
    let rows = try store.contents()
    try store.close()
    return (report, rows)
  }

  @Test(arguments: UInt64(0)..<4)
  func `copies all of a healthy database`(seed: UInt64) throws {
    let (file, rows) = try DatabaseImage.sample(seed: seed)
    let (report, saved) = try salvage(file)
    #expect(report.isComplete)
    #expect(saved == rows)
    for table in report.tables { #expect(table.expectedRowCount == table.rowCount) }
  }

  @Test func `takes the first of two meta pages that say the same transaction, as readers do`()
    throws
  {
    var (file, rows) = try DatabaseImage.sample(seed: 1)
    let second = file.pageByteCount
    for offset in [48, 52, 56] { file.setU32(second + offset, 0) }
    file.setU32(second, file.checksum(second + 4..<second + 512))
    #expect(try salvage(file).rows == rows)
    for offset in 0..<512 { file.bytes.swapAt(offset, second + offset) }
    rows = [:]
    #expect(try salvage(file).rows == rows)
  }

  @Test(arguments: UInt64(0)..<24)
  func `saves every row outside damaged leaves and values, and names what is missing`(
    seed: UInt64
  ) throws {
    let (sample, rows) = try DatabaseImage.sample(seed: seed % 4)
    var random = SplitMix64(seed: seed)
    var file = sample
    let pages = sample.livePages.filter {
      ($0.kind == .leaf || $0.kind == .overflow || $0.kind == .branch)
        && $0.page != sample.catalogRoot
    }
    for _ in 0...Int(seed % 6) {
      guard let (page, kind) = pages.randomElement(using: &random) else { return }
      let range = sample.range(of: page, kind)
      file.bytes[random.number(in: range)] ^= 0x40
    }
    let (report, saved) = try salvage(file)
    for (name, table) in rows {
      let account = try #require(report.tables.first { $0.name == name })
      let found = saved[name] ?? [:]
      #expect(account.rowCount == found.count)
      for (key, value) in table {
        if let value = found[key].map({ $0 == value }) {
          #expect(value)
          continue
        }
        let isNamed =
          account.lostKeys.contains(key)
          || account.missingRanges.contains { $0.contains(key) }
        #expect(isNamed, "\(name): \(key)")
      }
      for key in found.keys where table[key] == nil { Issue.record("\(key) was deleted before") }
    }
  }

  @Test(arguments: UInt64(0)..<4)
  func `finds the leaves below damaged branches`(seed: UInt64) throws {
    let (sample, rows) = try DatabaseImage.sample(seed: seed)
    var file = sample
    for (page, kind) in sample.livePages where kind == .branch {
      file.bytes[sample.start(page) + 100] ^= 1
    }
    let (report, saved) = try salvage(file)
    #expect(saved == rows)
    #expect(!report.isComplete)
    #expect(report.tables.contains { $0.orphanRowCount > 0 })
  }

  @Test(arguments: UInt64(0)..<4)
  func `finds the state without meta pages`(seed: UInt64) throws {
    let (sample, rows) = try DatabaseImage.sample(seed: seed)
    var file = sample
    for index in 0..<512 {
      file.bytes[index] = 0
      file.bytes[sample.pageByteCount + index] = 0xFF
    }
    let (report, saved) = try salvage(file)
    #expect(saved == rows)
    #expect(report.problems.count == 2)
    #expect(report.mayHoldDeletedRows && !report.isComplete)
  }

  @Test func `says that deleted rows may be back only where they may`() throws {
    let (sample, rows) = try DatabaseImage.sample(seed: 1)
    var file = sample
    file.bytes[300] ^= 1
    let (report, saved) = try salvage(file)
    #expect(saved == rows)
    #expect(!report.mayHoldDeletedRows)
    #expect(!(try salvage(sample).report.mayHoldDeletedRows))
    // Where the map of space is damaged, an old version of a leaf is taken for the lost one.
    let branch = try #require(sample.livePages.last { $0.kind == .branch }?.page)
    file = sample
    file.bytes[sample.start(branch) + 100] ^= 1
    file.bytes[sample.start(sample.u32(60)) + 2] ^= 1
    #expect(try salvage(file).report.mayHoldDeletedRows)
  }

  @Test(arguments: UInt64(0)..<4)
  func `finds the tables without their catalog`(seed: UInt64) throws {
    let (sample, rows) = try DatabaseImage.sample(seed: seed)
    var file = sample
    file.bytes[sample.start(sample.catalogRoot) + 50] ^= 1
    let (report, saved) = try salvage(file)
    #expect(Set(saved.values) == Set(rows.values))
    #expect(!report.isComplete)
  }

  @Test func `goes on past lost transactions of the log`() throws {
    let disk = SimulatedDisk()
    let store = try Store(path: "a.db", options: .small, fileSystem: SimulatedSystem(disk))
    for number in 0..<40 {
      try store.write { transaction in
        let table = try transaction.createTableIfNeeded("t")
        try transaction.put("key \(number)", String(repeating: "v", count: 100), in: table)
      }
    }
    let image = disk.killImage()
    let log = try #require(image.contents(of: "a.db-log"))
    let place = try #require(
      log.indices.first { Array(log[$0...].prefix(6)) == Array("key 20".utf8) })
    image.rot("a.db-log", at: place, mask: 1)
    let system = SimulatedSystem(image, processID: 3)
    #expect(throws: StoreError.self) {
      try Store(path: "a.db", options: .small, fileSystem: system)
    }
    let rest = try Store.check(path: "a.db", fileSystem: SimulatedSystem(image, processID: 4))
    #expect(rest.problemCount == 1)
    let report = try Store.salvage(
      from: "a.db", to: "b.db", fileSystem: SimulatedSystem(image, processID: 5))
    #expect(report.lostTransactions.count == 1)
    let lost = try #require(report.lostTransactions.first { _ in true })
    #expect(lost.lowerBound == lost.upperBound)
    let saved = try Store(
      path: "b.db", options: .small, fileSystem: SimulatedSystem(image, processID: 6))
    let rows = try saved.contents()["t"] ?? [:]
    #expect(rows.count == 39)
    #expect(rows[Array("key 20".utf8)] == nil)
    try saved.close()
  }

  @Test(arguments: UInt64(0)..<12)
  func `survives any damage, and leaves a healthy copy or nothing`(seed: UInt64) throws {
    let sample = try DatabaseImage.sample(seed: seed % 3, rowCount: 400).file
    var random = SplitMix64(seed: seed)
    for _ in 0..<10 {
      var file = sample
      for _ in 0..<random.number(in: 1..<40) {
        let offset = random.number(in: 0..<file.bytes.count)
        let count = random.chance(80) ? 1 : 3000
        for index in offset..<min(file.bytes.count, offset + count) {
          file.bytes[index] = UInt8(truncatingIfNeeded: random.next())
        }
      }
      if random.chance(20) { file.bytes.removeLast(random.number(in: 0..<file.bytes.count)) }
      do {
        _ = try salvage(file)
      } catch StoreError.notADatabase {
        continue
      }
    }
  }

  @Test func `keeps tables apart whose names Unicode calls equal`() throws {
    let disk = SimulatedDisk(maximumFileByteCount: 16 << 20)
    let system = SimulatedSystem(disk)
    // Composed and decomposed, and what a name made up for one of them could be.
    let names = ["caf\u{E9}", "cafe\u{301}", "table 2", "table 2 1"]
    let store = try Store(path: "a.db", options: .small, fileSystem: system)
    try store.write { (transaction) throws(StoreError) in
      for name in names { _ = try transaction.createTable(name) }
    }
    try store.close()
    let report = try Store.salvage(from: "a.db", to: "b.db", fileSystem: system)
    #expect(report.tables.map { Array($0.name.utf8) }.count == names.count)
    let saved = try Store(path: "b.db", options: .small, fileSystem: system)
    let found = try saved.snapshot().tableNames().map { Array($0.utf8) }
    #expect(Set(found) == Set(names.map { Array($0.utf8) }))
    try saved.close()
  }

  @Test func `replaces nothing and wants the database to itself`() throws {
    let file = try DatabaseImage.sample(seed: 1).file
    let disk = CareDisk(file).disk
    let system = SimulatedSystem(disk)
    for path in ["a.db", "a.db-log", "a.db-lock"] {
      #expect(throws: StoreError.alreadyExists(path: path)) {
        try Store.salvage(from: "a.db", to: path, fileSystem: system)
      }
    }
    let store = try Store(path: "a.db", options: .small, fileSystem: system)
    #expect(throws: StoreError.busy(path: "a.db", holder: nil, milliseconds: 0)) {
      try Store.salvage(from: "a.db", to: "b.db", fileSystem: system)
    }
    try store.close()
    #expect(disk.names == ["a.db"])
  }
}
