import PageStore
import Testing

/// Tasks that write, and are cancelled.
@Suite struct `Concurrency of tasks` {
  @Test func `counts the writes that were not cancelled, and no other`() async throws {
    let folder = try TestFolder()
    var options = StoreOptions()
    options.busyTimeout = .seconds(900)
    let store = try Store(path: folder.database, options: options)
    let tasks = (0..<60).map { number in
      Task {
        try await store.write { (transaction) throws(StoreError) in
          try Counters.increment(["total"], in: &transaction)
          pause(milliseconds: number % 3)
        }
      }
    }
    for (number, task) in tasks.enumerated() where number % 3 == 0 {
      await Task.yield()
      task.cancel()
    }
    var successCount = 0
    for task in tasks {
      switch await task.result {
      case .success: successCount += 1
      case .failure(let error): #expect(error as? StoreError == .cancelled)
      }
    }
    #expect(successCount >= 40)
    try await expectWorks(store, total: successCount)
    try store.close()
    #expect(folder.names == ["a.db"])
  }

  @Test func `rolls back a transaction that is cancelled in the middle`() async throws {
    let folder = try TestFolder()
    let store = try Store(path: folder.database)
    let isInside = Latch()
    let task = Task {
      try await store.write { (transaction) throws(StoreError) in
        while true {
          try Counters.increment(["total"], in: &transaction)
          isInside.open()
        }
      }
    }
    #expect(await waitElsewhere(isInside))
    task.cancel()
    let result = await task.result
    #expect(throws: StoreError.cancelled) { try result.get() }
    try await expectWorks(store, total: 0)
    try store.close()
  }

  @Test func `lets a task go that is cancelled at the gate`() async throws {
    let folder = try TestFolder()
    var options = StoreOptions()
    options.busyTimeout = .seconds(900)
    let store = try Store(path: folder.database, options: options)
    let (isInside, mayLeave) = (Latch(), Latch())
    let crew = Crew()
    try crew.start("holder", count: 1) { _ in
      try store.write { (transaction) throws(StoreError) in
        isInside.open()
        mayLeave.wait()
        try Counters.increment(["total"], in: &transaction)
      }
    }
    #expect(await waitElsewhere(isInside))
    let task = Task {
      try await store.write { (transaction) throws(StoreError) in
        try Counters.increment(["total"], in: &transaction)
      }
    }
    try await Task.sleep(for: .milliseconds(20))
    task.cancel()
    // The task ends although the gate is still closed.
    let result = await task.result
    #expect(throws: StoreError.cancelled) { try result.get() }
    mayLeave.open()
    crew.finish()
    try await expectWorks(store, total: 1)
    try store.close()
  }

  @Test func `waits for one store without keeping another's tasks waiting`() async throws {
    let folder = try TestFolder()
    var options = StoreOptions()
    options.busyTimeout = .seconds(900)
    let store = try Store(path: folder.database, options: options)
    let other = try Store(path: folder.database + "2")
    let (isInside, mayLeave, isDone) = (Latch(), Latch(), Latch())
    let crew = Crew()
    try crew.start("holder", count: 1) { _ in
      try store.write { (_) throws(StoreError) in
        isInside.open()
        mayLeave.wait()
      }
    }
    #expect(await waitElsewhere(isInside))
    let tasks = (0..<100).map { _ in
      Task {
        try await store.write { (transaction) throws(StoreError) in
          try Counters.increment(["total"], in: &transaction)
        }
      }
    }
    try await Task.sleep(for: .milliseconds(20))
    let otherTask = Task {
      try await other.write { (transaction) throws(StoreError) in
        try Counters.increment(["total"], in: &transaction)
      }
      isDone.open()
    }
    #expect(await waitElsewhere(isDone))
    // One that waits behind the others is let go at once.
    tasks[70].cancel()
    let cancelled = await tasks[70].result
    #expect(throws: StoreError.cancelled) { try cancelled.get() }
    mayLeave.open()
    crew.finish()
    _ = try await otherTask.value
    for (number, task) in tasks.enumerated() where number != 70 { _ = try await task.value }
    try await expectWorks(store, total: 99)
    try await expectWorks(other, total: 1)
    try store.close()
    try other.close()
  }

  @Test func `tells each of many tasks that the gate did not open in time`() async throws {
    let folder = try TestFolder()
    var options = StoreOptions()
    options.busyTimeout = .milliseconds(100)
    let store = try Store(path: folder.database, options: options)
    let (isInside, mayLeave) = (Latch(), Latch())
    let holder = Task {
      try await store.write { (_) throws(StoreError) in
        isInside.open()
        mayLeave.wait()
      }
    }
    #expect(await waitElsewhere(isInside))
    let tasks = (0..<20).map { _ in
      Task {
        try await store.write { (transaction) throws(StoreError) in
          try Counters.increment(["total"], in: &transaction)
        }
      }
    }
    for task in tasks {
      guard case .failure(let error) = await task.result,
        case StoreError.busy(_, _, let milliseconds) = error
      else {
        Issue.record("a task was not told")
        continue
      }
      // The time in the queue counts, also for those that came to the gate too late to wait there.
      #expect(milliseconds >= 100)
    }
    mayLeave.open()
    try await holder.value
    try await expectWorks(store, total: 0)
    try store.close()
  }

  @Test func `calls a write inside a task's write nested`() async throws {
    let store = try Store.inMemory()
    let isNested = try await store.write { (_) throws(StoreError) -> Bool in
      storeError { try store.write { (_) throws(StoreError) in } }
        == .nestedWrite(path: store.path)
    }
    #expect(isNested)
    try store.close()
  }

  /// Expects that the counter says `total`, that nobody reads, and that writing goes on.
  private func expectWorks(_ store: Store, total: Int) async throws {
    #expect(try Counters.value("total", in: store) == total)
    #expect(try store.statistics().readerCount == 0)
    let after = try await store.write { (transaction) throws(StoreError) in
      try Counters.increment(["total"], in: &transaction)
    }
    #expect(after == total + 1)
    #expect(try Counters.value("total", in: store) == total + 1)
  }

  /// Waits for `latch` without blocking a thread that tasks need.
  private func waitElsewhere(_ latch: Latch) async -> Bool {
    for _ in 0..<2000 {
      if latch.isOpen { return true }
      do { try await Task.sleep(for: .milliseconds(5)) } catch { return false }
    }
    return false
  }
}
