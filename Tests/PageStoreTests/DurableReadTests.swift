import PageStore
import SimulatedDisk
import Testing

@Suite struct `A reader after a kill` {
  /// A disk on which a process was killed after a transaction that it had not synced.
  private func killedDisk(count: Int) throws -> SimulatedDisk {
    let disk = SimulatedDisk()
    var options = StoreOptions.small
    options.durability = .eventual(interval: .seconds(1000))
    let store = try Store(path: "a.db", options: options, fileSystem: SimulatedSystem(disk))
    for number in 0..<count {
      try store.write { transaction in
        let table = try transaction.createTableIfNeeded("t")
        try transaction.put("key \(number)", "value", in: table)
      }
      if number == 2 { try store.sync() }
    }
    return disk.killImage()
  }

  @Test func `has seen nothing that a loss of power takes away`() throws {
    let disk = try killedDisk(count: 8)
    // Were it all durable before the reader comes, this would show nothing.
    let early = disk.crashImage(.nothingKept)
    let store = try Store(
      path: "a.db", options: .small, fileSystem: SimulatedSystem(early, processID: 2))
    #expect(try store.contents()["t"]?.count ?? 0 < 8)
    try store.close()

    var options = StoreOptions.small
    options.isReadOnly = true
    let reader = try Store(
      path: "a.db", options: options, fileSystem: SimulatedSystem(disk, processID: 3))
    let seen = try reader.contents()
    #expect(seen["t"]?.count == 8)
    for choice: CrashChoice in [.nothingKept, .everythingKept, .subset(1), .subset(2)] {
      let image = disk.crashImage(choice)
      let later = try Store(
        path: "a.db", options: .small, fileSystem: SimulatedSystem(image, processID: 4))
      #expect(try later.contents() == seen)
      try later.close()
    }
    try reader.close()
  }
}
