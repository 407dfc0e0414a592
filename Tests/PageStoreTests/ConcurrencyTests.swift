import PageStore
import Testing

/// Readers, a writer and those who look after a store, all at once.
@Suite struct `Concurrency of readers and a writer` {
  @Test(arguments: [Durability.immediate, .eventual(interval: .milliseconds(5))])
  func `shows every reader whole states only`(durability: Durability) throws {
    let folder = try TestFolder()
    var options = StoreOptions()
    options.durability = durability
    options.logHalfByteCount = 64 << 10
    let store = try Store(path: folder.database, options: options)
    try Pattern.write(0, to: store)
    let crew = Crew()
    let written = SharedCount()
    try crew.start("writer") { round in
      try Pattern.write(round + 1, to: store)
      written.value = round + 1
    }
    for reader in 0..<8 {
      let last = SharedCount()
      try crew.start("reader \(reader)") { _ in
        let before = written.value
        let snapshot = try store.snapshot()
        let (step, checksum) = try Pattern.look(at: snapshot)
        if step < before || step < last.value {
          throw Inconsistency(what: "step \(step) after \(before) was acknowledged")
        }
        last.value = step
        pause(milliseconds: reader % 4)
        if try Pattern.look(at: snapshot).checksum != checksum {
          throw Inconsistency(what: "the snapshot of step \(step) has changed")
        }
      }
    }
    try crew.start("checkpointer") { _ in
      try store.checkpoint()
      pause(milliseconds: 10)
    }
    try crew.start("observer") { round in
      let statistics = try store.statistics()
      if statistics.published > statistics.tip || statistics.durable > statistics.tip {
        throw Inconsistency(what: "\(statistics)")
      }
      if round % 8 == 0, let problem = try store.check().problems.first { throw problem }
      pause(milliseconds: 5)
    }
    // On a machine that is busy, until the log has moved on at least.
    crew.finish(afterMilliseconds: 2000) { written.value >= 20 }
    #expect(written.value >= 20)
    #expect(try store.statistics().readerCount == 0)
    try store.close()
    #expect(folder.names == ["a.db"])
    #expect(try Store.check(path: folder.database).isClean)
  }

  @Test func `lets snapshots read on after the store was closed`() throws {
    let folder = try TestFolder()
    let store = try Store(path: folder.database)
    for step in 0..<20 { try Pattern.write(step, to: store) }
    let crew = Crew()
    let areReading = Latch()
    let count = SharedCount()
    let isClosed = Latch()
    for reader in 0..<4 {
      try crew.start("reader \(reader)", count: 1) { _ in
        let snapshot = try store.snapshot()
        let first = try Pattern.look(at: snapshot)
        if count.increment() == 4 { areReading.open() }
        while true {
          let wasClosed = isClosed.isOpen
          if try Pattern.look(at: snapshot) != first {
            throw Inconsistency(what: "the snapshot has changed")
          }
          if wasClosed { return }
        }
      }
    }
    try #require(areReading.wait())
    let snapshot = try store.snapshot()
    try store.close()
    isClosed.open()
    #expect(storeError { try Pattern.write(99, to: store) } == .closed(path: store.path))
    #expect(storeError { _ = try store.snapshot() } == .closed(path: store.path))
    let step = try Pattern.look(at: snapshot).step
    #expect(step == 19)
    crew.finish()
  }

  @Test func `gives the files back with the last snapshot of a closed store`() throws {
    let folder = try TestFolder()
    do {
      let store = try Store(path: folder.database)
      try Pattern.write(0, to: store)
      let snapshot = try store.snapshot()
      try store.close()
      #expect(folder.names.contains("a.db-lock"))
      _ = try Pattern.look(at: snapshot)
    }
    #expect(folder.names == ["a.db"])
  }
}

/// Threads that want to write at the same time.
@Suite struct `Concurrency of writers` {
  @Test(arguments: [Durability.immediate, .eventual(interval: .milliseconds(5))])
  func `loses no count of eight threads`(durability: Durability) throws {
    let folder = try TestFolder()
    var options = StoreOptions()
    options.durability = durability
    options.logHalfByteCount = 16 << 10
    let store = try Store(path: folder.database, options: options)
    let crew = Crew()
    let count = 60
    for thread in 0..<8 {
      try crew.start("writer \(thread)", count: count) { round in
        let own = try Counter.increment(["thread \(thread)", "total"], in: store)
        if own != round + 1 { throw Inconsistency(what: "\(own) after \(round)") }
      }
    }
    crew.finish()
    #expect(try Counter.value("total", in: store) == 8 * count)
    try store.close()
    let again = try Store(path: folder.database)
    for thread in 0..<8 { #expect(try Counter.value("thread \(thread)", in: again) == count) }
    #expect(try Counter.value("total", in: again) == 8 * count)
    try again.close()
  }

  @Test func `calls a write inside a write nested, and goes on`() throws {
    let store = try Store.inMemory()
    var found: StoreError?
    try store.write { (transaction) throws(StoreError) in
      let table = try transaction.createTable("counters")
      try transaction.put("outer", "1", in: table)
      found = storeError { try store.write { (_) throws(StoreError) in } }
      try transaction.put("after", "1", in: table)
    }
    #expect(found == .nestedWrite(path: store.path))
    let snapshot = try store.snapshot()
    let count = try snapshot.table("counters").count
    #expect(count == 2)
    try store.close()
  }

  @Test func `tells a thread that waits too long who is writing`() throws {
    let folder = try TestFolder()
    var options = StoreOptions()
    options.busyTimeout = .milliseconds(60)
    let store = try Store(path: folder.database, options: options)
    let (isInside, mayLeave) = (Latch(), Latch())
    let crew = Crew()
    try crew.start("holder", count: 1) { _ in
      try store.write { (transaction) throws(StoreError) in
        isInside.open()
        mayLeave.wait()
        _ = try transaction.createTable("t")
      }
    }
    try #require(isInside.wait())
    let error = storeError { try store.write { (_) throws(StoreError) in } }
    if case .busy(_, let holder, let milliseconds) = error {
      #expect(milliseconds >= 60)
      #expect(holder?.isResponding == true)
    } else {
      Issue.record("\(String(describing: error))")
    }
    mayLeave.open()
    crew.finish()
    #expect(try store.snapshot().tableNames() == ["t"])
    try store.close()
  }
}
