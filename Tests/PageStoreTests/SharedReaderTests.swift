import PageStore
import Testing

@Suite struct `Readers in the lock file` {
  @Test func `are seen by every process until they unpin`() throws {
    let store = SharedTestStore()
    let writer = try store.create(5, process: 1)
    let (reader, file) = try store.attach(process: 2)
    let slots = try ReaderSlots(reader)
    let pin = try slots.pin()
    try writer.publish(SharedTestStore.state(6))
    let later = try slots.pin()
    #expect(try writer.scanReaders().pins.sorted() == [5, 6].map { TransactionNumber($0) })
    #expect(try writer.scanReaders().published.transaction == TransactionNumber(6))
    let oldest = try writer.oldestReader()
    #expect(oldest?.processID == 2)
    #expect(oldest?.transaction == TransactionNumber(5))
    slots.unpin(pin)
    #expect(try writer.scanReaders().pins == [TransactionNumber(6)])
    slots.unpin(later)
    #expect(try writer.oldestReader() == nil)
    try slots.close()
    _ = file
  }

  @Test func `stay in their slot until the last copy is gone`() throws {
    let writer = try SharedTestStore().create(5)
    let slots = try ReaderSlots(writer)
    let pin = try slots.pin()
    let copy = slots.copy(of: pin)
    slots.unpin(pin)
    #expect(try writer.scanReaders().pins == [TransactionNumber(5)])
    slots.unpin(copy)
    #expect(try writer.scanReaders().pins.isEmpty)
  }

  @Test func `given back after their store was closed touch nobody's slots`() throws {
    let store = SharedTestStore()
    let writer = try store.create(5)
    let slots = try ReaderSlots(writer)
    let late = try slots.pin()
    try slots.close()
    let (next, _) = try store.attach(process: 2)
    let nextSlots = try ReaderSlots(next)
    #expect(nextSlots.row == 0)
    let pins = try (0..<60).map { _ in try nextSlots.pin() }
    slots.unpin(late)
    #expect(try writer.scanReaders().pins.count == pins.count)
  }

  @Test func `may pin an older state that lives`() throws {
    let writer = try SharedTestStore().create(5)
    let slots = try ReaderSlots(writer)
    let pin = try slots.pin(state: SharedTestStore.state(3))
    #expect(try writer.scanReaders().pins == [TransactionNumber(3)])
    slots.unpin(pin)
  }

  @Test func `cannot unpin twice`() async {
    await #expect(processExitsWith: .failure) {
      let slots = try ReaderSlots(SharedTestStore().create())
      let pin = try slots.pin()
      slots.unpin(pin)
      slots.unpin(pin)
    }
  }

  @Test func `take further rows when theirs is full`() throws {
    let store = SharedTestStore()
    let writer = try store.create(5)
    let slots = try ReaderSlots(writer)
    let (other, file) = try store.attach(process: 2)
    let otherSlots = try ReaderSlots(other)
    // 5000 pins need 84 rows, so the file grows too.
    let pins = try (0..<5000).map { _ in try slots.pin() }
    #expect(try other.scanReaders().pins.count == 5000)
    let one = try otherSlots.pin()
    #expect(try writer.scanReaders().pins.count == 5001)
    for pin in pins { slots.unpin(pin) }
    #expect(try other.scanReaders().pins.count == 1)
    otherSlots.unpin(one)
    try slots.close()
    try otherSlots.close()
    _ = file
  }

  @Test func `that died are cleared, and their rows used again`() throws {
    let store = SharedTestStore()
    let writer = try store.create(5)
    let slots = try ReaderSlots(writer)
    let (dead, file) = try store.attach(process: 2)
    let deadSlots = try ReaderSlots(dead)
    _ = try deadSlots.pin()
    #expect(try writer.scanReaders().pins.count == 1)
    file.close()
    #expect(try writer.scanReaders().pins.isEmpty)
    let (next, nextFile) = try store.attach(process: 3)
    let nextSlots = try ReaderSlots(next)
    #expect(nextSlots.row == deadSlots.row)
    #expect(nextSlots.row != slots.row)
    _ = nextFile
  }

  @Test func `that claim a dead row are never cleared with it`() async throws {
    let store = SharedTestStore()
    let writer = try store.create(5)
    let isDone = SharedTestCounter()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for process in Int32(2)..<5 {
        group.addTask {
          for _ in 0..<300 {
            let (shared, file) = try store.attach(process: process)
            let slots = try ReaderSlots(shared)
            let pin = try slots.pin()
            let found = try shared.scanReaders().readers
            #expect(found.contains { $0.processID == process })
            if Bool.random() { slots.unpin(pin) }
            file.close()
          }
        }
      }
      let cleaner = Task {
        while isDone.value == 0 {
          _ = try writer.scanReaders()
          await Task.yield()
        }
      }
      try await group.waitForAll()
      isDone.value = 1
      try await cleaner.value
    }
    #expect(try writer.scanReaders().pins.isEmpty)
  }

  @Test func `that claim a row while its cleaner stalls are left alone`() throws {
    let store = SharedTestStore()
    let writer = try store.create(5)
    let (cleaner, cleanerFile) = try store.attach(process: 2)
    let (dead, deadFile) = try store.attach(process: 3)
    _ = try ReaderSlots(dead).pin()
    deadFile.close()
    let newFile = SharedTestFile(store.disk)
    cleanerFile.stall.withLock { stall in
      stall = {
        do throws(StoreError) {
          let new = try store.attach(process: 4, file: newFile)
          _ = try ReaderSlots(new).pin()
        } catch {
          Issue.record("\(error)")
        }
      }
    }
    _ = try cleaner.scanReaders()
    #expect(try writer.scanReaders().readers.map(\.processID) == [4])
  }

  /// The new pin needs a row of its own, and is late while it asks for that one's lock.
  @Test func `that are late pin what is published by then`() throws {
    let store = SharedTestStore()
    let writer = try store.create(5)
    let (reader, file) = try store.attach(process: 2)
    let slots = try ReaderSlots(reader)
    let others = try (0..<60).map { _ in
      try slots.pin(state: SharedTestStore.state(9))
    }
    let living = SharedTestCounter()
    file.stall.withLock { stall in
      stall = {
        do throws(StoreError) {
          try writer.publish(SharedTestStore.state(6))
          let scan = try writer.scanReaders()
          living.value = (scan.pins + [scan.published.transaction]).map(\.rawValue).min() ?? 0
        } catch {
          Issue.record("\(error)")
        }
      }
    }
    let late = try slots.pin()
    // Nobody had the older state pinned when the writer looked, so its pages may be used again.
    #expect(living.value == 6)
    #expect(late.state.transaction.rawValue >= living.value)
    for pin in others + [late] { slots.unpin(pin) }
  }

  /// A page is a counter here: the writer reuses the state of a transaction by marking it dead, once
  /// a scan says that nobody has it pinned.
  @Test(arguments: [false, true])
  func `keep what they pinned while a thread publishes`(inOtherProcesses: Bool) async throws {
    let store = SharedTestStore()
    let writer = try store.create(1)
    let oldestLiving = SharedTestCounter()
    let last: UInt64 = 3000
    try await withThrowingTaskGroup(of: Void.self) { group in
      for process in Int32(2)..<5 {
        group.addTask {
          let opened = inOtherProcesses ? try store.attach(process: process) : nil
          let slots = try ReaderSlots(opened?.0 ?? writer)
          var previous: UInt64 = 0
          while previous < last {
            let pin = try slots.pin()
            let number = pin.state.transaction.rawValue
            #expect(SharedTestStore.isWhole(pin.state))
            #expect(number >= previous)
            for _ in 0..<20 {
              let oldest = oldestLiving.value
              if oldest > number { Issue.record("\(number) was reused below \(oldest)") }
            }
            previous = number
            slots.unpin(pin)
            await Task.yield()
          }
          try slots.close()
        }
      }
      for transaction in 2...last {
        try writer.publish(SharedTestStore.state(transaction))
        let scan = try writer.scanReaders()
        let oldest = min(scan.pins.min() ?? scan.published.transaction, scan.published.transaction)
        oldestLiving.value = oldest.rawValue
        if transaction % 16 == 0 { await Task.yield() }
      }
      try await group.waitForAll()
    }
  }
}
