import PageStore
import Testing

@Suite struct `The shared lock file` {
  @Test func `tells everybody what was published`() throws {
    let store = SharedTestStore()
    let writer = try store.create(5)
    let (reader, _) = try store.attach(process: 2)
    #expect(try reader.published().transaction == TransactionNumber(5))
    #expect(reader.instance == writer.instance)
    for transaction in UInt64(6)..<20 {
      let published = try writer.publish(SharedTestStore.state(transaction))
      let seen = try reader.published()
      #expect(seen == published)
      #expect(SharedTestStore.isWhole(seen))
    }
  }

  @Test func `names the holder of the right to write until it hands over`() throws {
    let store = SharedTestStore()
    let shared = try store.create(process: 41)
    let slots = try ReaderSlots(shared)
    let (other, _) = try store.attach(process: 2)
    #expect(other.holder == nil)
    shared.setHolder(slots)
    #expect(other.holder?.processID == 41)
    other.askForRight()
    #expect(shared.wantedCount == 1)
    shared.clearHolder()
    shared.announceHandOver()
    #expect(other.holder == nil)
    #expect(other.handedOverCount == 1)
    shared.raiseTip(to: TransactionNumber(90))
    shared.raiseTip(to: TransactionNumber(80))
    #expect(other.tip == TransactionNumber(90))
  }

  @Test func `survives a writer killed while it publishes`() throws {
    let store = SharedTestStore()
    let writer = try store.create(5)
    let (reader, _) = try store.attach(process: 2)
    try writer.publish(SharedTestStore.state(6))
    let sequence = writer.publishedSequence
    for word in 0..<12 {
      store.disk.set(0xDEAD, at: 128 + Int((sequence + 1) & 1) * 128 + word * 8)
      #expect(try reader.published() == writer.published())
      #expect(try reader.published().transaction == TransactionNumber(6))
    }
    try reader.publish(SharedTestStore.state(7))
    #expect(SharedTestStore.isWhole(try writer.published()))
    #expect(try writer.published().transaction == TransactionNumber(7))
  }

  @Test func `never publishes an older state`() async {
    await #expect(processExitsWith: .failure) {
      let writer = try SharedTestStore().create(5)
      try writer.publish(SharedTestStore.state(5))
    }
  }

  @Test func `of another store is refused`() throws {
    let store = SharedTestStore()
    #expect(throws: StoreError.lockFileMissing(path: "test-lock")) { try store.attach(process: 2) }
    let writer = try store.create()
    #expect(throws: StoreError.lockFileMissing(path: "test-lock")) {
      try store.attach(process: 2, identity: (11, 23))
    }
    store.disk.set(9, at: 8)
    #expect(
      throws: StoreError.unsupportedVersion(path: "test-lock", found: 9, supported: 1)
    ) { try store.attach(process: 2) }
    _ = writer
  }

  @Test(arguments: UInt64(0)..<20)
  func `of any bytes never traps`(seed: UInt64) throws {
    var random = SpaceRandom(seed: seed)
    let store = SharedTestStore()
    let writer = try store.create(5)
    let slots = try ReaderSlots(writer)
    let pin = try slots.pin()
    for _ in 0..<300 {
      let offset = 8 * (random.below(2) == 0 ? random.below(60) : 512 + random.below(400))
      let before = store.disk.word(at: offset)
      store.disk.set([0, 1, .max, 1 << 40, 4000, random.next()][random.below(6)], at: offset)
      do throws(StoreError) {
        let (shared, _) = try store.attach(process: 3)
        _ = try shared.scanReaders()
        _ = shared.holder
        let slots = try ReaderSlots(shared)
        let pin = try slots.pin()
        slots.unpin(pin)
        try slots.close()
      } catch {
        switch error {
        case .corrupt, .lockFileMissing, .unsupportedVersion: break
        default: Issue.record("\(error)")
        }
      }
      store.disk.set(before, at: offset)
    }
    slots.unpin(pin)
  }
}
