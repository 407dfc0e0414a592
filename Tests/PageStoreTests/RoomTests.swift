import PageStore
import SimulatedDisk
import Testing

/// What a disk or a cap without room lets a store do.
@Suite struct `Where there is little room` {
  /// A store whose log begins with a page a half and may take much more.
  private var options: StoreOptions {
    var options = StoreOptions.small
    options.logHalfByteCount = 4096
    options.logHalfCapacity = 4 << 20
    return options
  }

  @Test func `the log gives back what it does not need before a transaction fails`() throws {
    // The rows need a quarter of this at most, and the log would take all of the rest.
    let disk = SimulatedDisk(maximumFileByteCount: 16 << 20, capacity: 1 << 20)
    let store = try Store(path: "a.db", options: options, fileSystem: SimulatedSystem(disk))
    var random = SplitMix64(seed: 3)
    var rows: [Int: Int] = [:]
    for round in 0..<1500 {
      let number = random.number(in: 0..<200)
      // Now and then a row that makes the file longer for a while.
      let count = round % 500 == 499 ? 60_000 : 400
      try store.write { transaction in
        let table = try transaction.createTableIfNeeded("t")
        try transaction.put("key \(number)", [UInt8](repeating: 7, count: count), in: table)
      }
      rows[number] = count
      if count > 400 {
        try store.write { transaction in
          try transaction.put("key \(number)", [7], in: try transaction.table("t"))
        }
        rows[number] = 1
      }
      store.performBackgroundWork()
    }
    #expect(try store.contents()["t"]?.count == rows.count)
    #expect(try store.check().problems == [])
    try store.close()
    #expect(disk.names == ["a.db"])
  }

  @Test func `what was deleted can always be made durable`() throws {
    var options = StoreOptions.small
    options.maximumByteCount = 4 << 20
    let disk = SimulatedDisk(maximumFileByteCount: 256 << 20)
    let store = try Store(path: "a.db", options: options, fileSystem: SimulatedSystem(disk))
    var count = 0
    let fill = { (number: Int, name: String) in
      try store.write { transaction in
        let table = try transaction.createTableIfNeeded(name)
        try transaction.put("key \(number)", [UInt8](repeating: 7, count: 3000), in: table)
      }
    }
    let refusal = storeError {
      while true {
        try fill(count, "t")
        count += 1
      }
    }
    guard case .fileTooLarge = refusal else {
      Issue.record("\(String(describing: refusal))")
      return
    }
    #expect(count > 500)
    try store.checkpoint()
    // Each page that waits for the next checkpoint makes the map of space longer that it writes.
    for number in 0..<count {
      try store.write { transaction in
        try transaction.delete("key \(number)", in: try transaction.table("t"))
      }
    }
    var added = 0
    while storeError({ try fill(added, "u") }) == nil { added += 1 }
    try store.checkpoint()
    try fill(added, "u")
    #expect(try store.check().problems == [])
    try store.close()
    #expect(disk.names == ["a.db"])
  }
}

@Suite struct `A log whose frames say what nobody can have done` {
  enum Deed: CaseIterable { case longKey, namelessTable, secondTable, strangeTable }

  @Test(arguments: Deed.allCases)
  func `is damaged, and names itself`(deed: Deed) throws {
    let disk = SimulatedDisk()
    let store = try Store(path: "a.db", options: .small, fileSystem: SimulatedSystem(disk))
    for number in 0..<3 {
      try store.write { transaction in
        try transaction.put("key", "\(number)", in: try transaction.createTableIfNeeded("t"))
      }
    }
    let image = disk.killImage()
    let system = SimulatedSystem(image, processID: 2)
    // The log begins behind the second commit; its salt stands in the meta page.
    let bytes = try #require(image.contents(of: "a.db"))
    let salt = (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[80 + $1]) << UInt64(8 * $1) }
    var operations = OperationBuffer()
    switch deed {
    case .longKey:
      [UInt8](repeating: 7, count: 5000).withUnsafeBytes { key in
        operations.put(table: 1, key: key, value: UnsafeRawBufferPointer(rebasing: key[..<1]))
      }
    case .namelessTable: operations.createTable(9, name: "")
    case .secondTable: operations.createTable(9, name: "t")
    case .strangeTable: operations.dropTable(9)
    }
    var tail = LogTail(salt: LogSalt(salt))
    let isAppended = tail.append(
      transaction: TransactionNumber(3), durable: TransactionNumber(2), operations: operations)
    #expect(isAppended)
    let log = try system.open("a.db-log", .readWrite)
    for chunk in tail.takeUnwritten() {
      try chunk.bytes.withUnsafeBytes { try log.write($0, at: chunk.offset) }
    }
    log.close()
    for isReadOnly in [true, false] {
      var options = StoreOptions.small
      options.isReadOnly = isReadOnly
      let error = storeError {
        _ = try Store(path: "a.db", options: options, fileSystem: system)
      }
      guard case .corrupt(let damage) = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(damage.path == "a.db-log")
    }
  }
}

@Suite struct `Statistics of a store that shows what a dead process left` {
  @Test func `tell of the transactions in its log`() throws {
    let disk = SimulatedDisk()
    let store = try Store(path: "a.db", options: .small, fileSystem: SimulatedSystem(disk))
    for number in 0..<30 {
      try store.write { transaction in
        try transaction.put("\(number)", "v", in: try transaction.createTableIfNeeded("t"))
      }
    }
    let image = disk.killImage()
    var options = StoreOptions.small
    options.isReadOnly = true
    let reader = try Store(
      path: "a.db", options: options, fileSystem: SimulatedSystem(image, processID: 2))
    let snapshot = try reader.snapshot()
    #expect(try snapshot.table("t").count == 30)
    #expect(snapshot.transaction == TransactionNumber(30))
    let statistics = try reader.statistics()
    #expect(statistics.published == TransactionNumber(30))
    #expect(statistics.tip == TransactionNumber(30))
    #expect(statistics.durable < TransactionNumber(30))
    #expect(statistics.logByteCount == image.contents(of: "a.db-log")?.count)
    try reader.close()
  }
}
