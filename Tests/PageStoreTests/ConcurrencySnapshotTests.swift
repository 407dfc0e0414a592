import PageStore
import Testing

/// Snapshots that are opened while a store is closed, or while what is durable moves on.
@Suite struct `Concurrency of opening snapshots` {
  @Test func `and closing the store leaves nothing half open`() throws {
    let folder = try TestFolder()
    for round in 0..<100 {
      let store = try Store(path: folder.database)
      if round == 0 { try Pattern.write(0, to: store) }
      let crew = Crew()
      let count = SharedCount()
      for reader in 0..<3 {
        try crew.start("reader \(reader)", count: 1) { _ in
          while true {
            let snapshot: Snapshot
            do throws(StoreError) {
              snapshot = try store.snapshot()
            } catch {
              if case .closed = error { return }
              throw error
            }
            _ = count.increment()
            // A snapshot that was given can be read, whatever became of the store.
            if try snapshot.table("rows").count != Pattern.rowCount + 1 {
              throw Inconsistency(what: "rows are missing")
            }
          }
        }
      }
      while count.value < round { pause(milliseconds: 0) }
      try store.close()
      crew.finish()
      #expect(folder.names == ["a.db"])
    }
  }

  @Test func `of a reader that cannot register follows what is durable`() throws {
    let folder = try TestFolder()
    let store = try Store(path: folder.database)
    try Pattern.write(0, to: store)
    let system = FailingFileSystem()
    system.refusesLockFiles.store(true, ordering: .relaxed)
    var options = StoreOptions()
    options.isReadOnly = true
    let reader = try Store(path: folder.database, options: options, fileSystem: system)
    let crew = Crew()
    let durable = SharedCount()
    for number in 0..<6 {
      try crew.start("reader \(number)") { _ in
        let before = durable.value
        let step = try Pattern.look(at: try reader.snapshot()).step
        if step < before { throw Inconsistency(what: "\(step) after \(before) was durable") }
      }
    }
    for step in 1..<60 {
      try Pattern.write(step, to: store)
      try store.checkpoint()
      durable.value = step
    }
    crew.finish()
    try reader.close()
    try store.close()
  }
}
