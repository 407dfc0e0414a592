import CDexShim
import PageStore
import SimulatedDisk
import Testing

/// How a scan finds the few places of a log where a frame may start.
@Suite struct `A scan of a log` {
  @Test(arguments: UInt64(0)..<40)
  func `finds the words that a walk over all words finds`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var words = [UInt64](repeating: 0, count: random.number(in: 1..<2000))
    for _ in 0..<random.number(in: 0..<30) {
      let place = random.number(in: 0..<words.count)
      words[place] = random.chance(50) ? UInt64(random.number(in: 0..<5)) : random.next()
    }
    let bytes = words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
    }
    for start in [0, 1, words.count / 2, words.count - 1] {
      let expected = words[start...].firstIndex { (1...2).contains($0) } ?? words.count
      let found = bytes.withUnsafeBytes { bytes in
        bytes.baseAddress.map { dex_find_word($0 + 8 * start, words.count - start, 1, 2) }
      }
      #expect(found == expected - start)
    }
  }

  @Test func `passes over no header, wherever it stands`() {
    let kinds: [LogFrame.Kind] = [.commit, .mark]
    for (count, kind) in zip([40, 48, 4096, 8200], kinds + kinds) {
      for offset in stride(from: 0, through: count - 40, by: 8) {
        var bytes = [UInt8](repeating: 0, count: count)
        let place = LogPosition(half: 0, epoch: 1, offset: offset)
        bytes.withUnsafeMutableBytes { bytes in
          let frame = LogFrame(
            kind, transaction: TransactionNumber(7), newestDurable: TransactionNumber(7),
            body: UnsafeRawBufferPointer(start: nil, count: 0), at: place, salt: LogSalt(1))
          frame.store(
            into: UnsafeMutableRawBufferPointer(rebasing: bytes[offset...]), at: place,
            salt: LogSalt(1))
        }
        let found = bytes.withUnsafeBytes { bytes in
          candidates(in: bytes).filter { candidate in
            LogFrame(
              untrusted: UnsafeRawBufferPointer(rebasing: bytes[candidate...]), at: place,
              salt: LogSalt(1), room: 4096) != nil
          }
        }
        #expect(found == [offset])
      }
    }
  }

  /// A log whose halves lie far apart is read once, though recovery asks twice what it holds.
  @Test func `is made once by a recovery`() throws {
    let disk = SimulatedDisk(maximumFileByteCount: 16 << 20)
    var options = StoreOptions()
    options.logHalfByteCount = 64 << 10
    options.logHalfCapacity = 4 << 20
    let store = try Store(path: "/a.db", options: options, fileSystem: SimulatedSystem(disk))
    for number in 0..<4 {
      try store.write { transaction in
        let table = try transaction.createTableIfNeeded("rows")
        try transaction.put("\(number)", "value", in: table)
      }
    }
    let image = disk.killImage()
    image.recordOperations()
    let again = try Store(path: "/a.db", options: options, fileSystem: SimulatedSystem(image))
    try again.write { _ = try $0.createTable("another") }
    let readByteCount = image.operations.filter { $0.call == .read && $0.path == "/a.db-log" }
      .reduce(0) { $0 + $1.byteCount }
    let byteCount = try #require(disk.contents(of: "/a.db-log")).count
    #expect(byteCount > 4 << 20)
    // The whole once, and the first window of each of three walks.
    #expect(readByteCount <= byteCount + 3 << 20)
    let snapshot = try again.snapshot()
    let rows = try snapshot.table("rows")
    #expect(rows.count == 4)
    try again.close()
    try store.close()
  }

  private func candidates(in bytes: UnsafeRawBufferPointer) -> [Int] {
    var places: [Int] = []
    while let next = LogFrame.candidate(in: bytes, from: places.last.map { $0 + 8 } ?? 0) {
      places.append(next)
    }
    return places
  }
}
