import Glibc
import PageStore
import Testing

@Suite struct `Replay of a log` {
  /// A log of `count` small transactions of different lengths; each knows all but one durable.
  func smallLog(_ count: Int = 8, isProving: Bool = true) throws -> LogUnderTest {
    var log = try LogUnderTest()
    for number in 1...count {
      let durable = isProving ? UInt64(max(0, number - 2)) : 0
      try log.commit(
        (0..<number * 5 % 17).map { UInt8(number * 16 + $0 & 0xFF) }, durable: durable)
    }
    return log
  }

  @Test func `gives every transaction in order, and where the log goes on`() throws {
    let log = try smallLog()
    let outcome = log.replay()
    #expect(outcome.error == nil)
    #expect(outcome.bodies == log.bodies)
    #expect(log.isPrefix(outcome))
    #expect(outcome.end == log.tail.position)
    #expect(outcome.newestSeen == log.newest)
  }

  /// Longer than what is read at a time.
  @Test func `gives frames of any length`() throws {
    var log = try LogUnderTest(half: 8 << 20, capacity: 8 << 20)
    var random = LogRandom(seed: 4)
    for count in [10, 3 << 20, 70_000, 1 << 20, 5] { try log.commit(random.bytes(count)) }
    let outcome = log.replay()
    #expect(outcome.error == nil)
    #expect(outcome.bodies == log.bodies)
  }

  @Test func `of an empty log gives nothing`() throws {
    let log = try LogUnderTest()
    let outcome = log.replay(after: 41)
    #expect(outcome.frames.isEmpty)
    #expect(outcome.error == nil)
    #expect(outcome.end == .start)
    #expect(outcome.newestSeen == TransactionNumber(41))
  }

  @Test func `passes over what the durable state has, from any place before it`() throws {
    let log = try smallLog()
    for durable in 0...8 {
      for first in 0...durable {
        let start = first == 0 ? .start : log.places[first - 1].end
        let outcome = log.replay(from: start, after: UInt64(durable))
        #expect(outcome.bodies == Array(log.bodies[durable...]))
      }
    }
  }

  @Test func `gives a prefix or an error when the file ends anywhere`() throws {
    let log = try smallLog()
    let good = log.file.bytes
    let last = log.geometry.fileOffset(of: log.tail.position)
    for count in 4096..<last + 64 {
      log.file.bytes = Array(good[..<count])
      let outcome = log.replay()
      #expect(log.isPrefix(outcome))
      let whole = log.places.count { log.geometry.fileOffset(of: $0.end) <= count }
      #expect(outcome.bodies.count == whole)
      #expect(outcome.error == nil)
    }
  }

  @Test func `gives the transactions before a tail torn at any byte of the last three`() throws {
    let log = try smallLog(isProving: false)
    let good = log.file.bytes
    let from = log.offset(of: 6)
    let end = log.geometry.fileOffset(of: log.tail.position)
    var random = LogRandom(seed: 1)
    for cut in from..<end {
      for fill in 0..<2 {
        var torn = good
        for place in cut..<end {
          torn[place] = fill == 0 ? 0 : UInt8(truncatingIfNeeded: random.next())
        }
        log.file.bytes = torn
        let outcome = log.replay()
        #expect(outcome.error == nil)
        #expect(log.isPrefix(outcome))
        let whole = log.places.count { log.geometry.fileOffset(of: $0.end) <= cut }
        #expect(outcome.bodies.count >= whole)
        // Only padding may be torn without harm.
        if outcome.bodies.count > whole { #expect(cut % 8 != 0) }
      }
    }
  }

  @Test func `gives a prefix or an error with any bit flipped`() throws {
    let log = try smallLog()
    let good = log.file.bytes
    let end = log.geometry.fileOffset(of: log.tail.position)
    for bit in 4096 * 8..<(end + 8) * 8 {
      var bad = good
      bad[bit / 8] ^= 1 << (bit % 8)
      log.file.bytes = bad
      let outcome = log.replay()
      #expect(log.isPrefix(outcome))
      guard outcome.bodies.count < log.bodies.count else { continue }
      // The last frame says that transaction 6 is durable, if it is not the broken one itself.
      let lost = outcome.bodies.count + 1
      if lost <= 6 {
        #expect(
          outcome.error
            == .lostTransactions(
              path: LogUnderTest.path, first: TransactionNumber(UInt64(lost)),
              last: TransactionNumber(6)))
      } else {
        #expect(outcome.error == nil)
      }
    }
  }

  @Test(arguments: 1..<7)
  func `names the transactions that a zeroed sector took`(first: Int) throws {
    var log = try LogUnderTest(half: 65536, capacity: 65536)
    for number in 1...8 {
      try log.commit([UInt8](repeating: UInt8(number), count: 4000), durable: UInt64(number - 1))
    }
    var bytes = log.file.bytes
    let sector = log.offset(of: first) / 512 * 512
    bytes.replaceSubrange(sector..<sector + 512, with: repeatElement(0, count: 512))
    log.file.bytes = bytes
    let outcome = log.replay()
    let lost = outcome.bodies.count + 1
    #expect(lost == first || lost == first - 1)
    #expect(
      outcome.error
        == .lostTransactions(
          path: LogUnderTest.path, first: TransactionNumber(UInt64(lost)),
          last: TransactionNumber(7)))
  }

  @Test func `ignores later frames that prove nothing`() throws {
    let log = try smallLog(isProving: false)
    var bytes = log.file.bytes
    bytes[log.offset(of: 4)] ^= 1
    log.file.bytes = bytes
    let outcome = log.replay()
    #expect(outcome.error == nil)
    #expect(outcome.bodies.count == 3)
    #expect(outcome.end == log.places[3].start)
    #expect(outcome.newestSeen == TransactionNumber(8))
  }

  @Test func `is told by a mark what was lost`() throws {
    var log = try smallLog(4, isProving: false)
    let isAppended = log.tail.appendMark(newest: log.newest, durable: log.newest)
    #expect(isAppended)
    try log.flush()
    #expect(log.replay().bodies == log.bodies)
    #expect(log.replay().end == log.tail.position)
    var bytes = log.file.bytes
    bytes[log.offset(of: 4)] ^= 1
    log.file.bytes = bytes
    #expect(
      log.replay().error
        == .lostTransactions(
          path: LogUnderTest.path, first: TransactionNumber(4), last: TransactionNumber(4)))
  }

  @Test func `does not mourn what a checkpoint covered`() throws {
    let log = try smallLog()
    var bytes = log.file.bytes
    bytes[log.offset(of: 2)] ^= 1
    log.file.bytes = bytes
    let outcome = log.replay(from: log.places[4].end, after: 5)
    #expect(outcome.error == nil)
    #expect(outcome.bodies == Array(log.bodies[5...]))
  }

  @Test func `takes no frame for another that was copied`() throws {
    var log = try smallLog()
    let bytes = log.file.bytes
    let end = log.geometry.fileOffset(of: log.tail.position)
    for number in 1...8 {
      var bad = bytes
      let copy = log.frameBytes(of: number)
      bad.replaceSubrange(end..<end + copy.count, with: copy)
      log.file.bytes = bad
      let outcome = log.replay()
      #expect(outcome.error == nil)
      #expect(outcome.bodies == log.bodies)
    }
    // And none for one that lies, byte for byte, in a value.
    log.file.bytes = bytes
    try log.commit([0, 0, 0, 0, 0, 0, 0, 0] + log.frameBytes(of: 8) + log.frameBytes(of: 7))
    var bad = log.file.bytes
    bad[log.offset(of: 9)] ^= 1
    log.file.bytes = bad
    let outcome = log.replay()
    #expect(outcome.error == nil)
    #expect(outcome.bodies == Array(log.bodies[..<8]))
  }

  @Test func `takes no frame of a log with another salt`() throws {
    let log = try smallLog()
    var other = try LogUnderTest(salt: LogSalt(1))
    for body in log.bodies { try other.commit(body, durable: UInt64(other.bodies.count)) }
    var bytes = log.file.bytes
    let from = log.offset(of: 5)
    bytes.replaceSubrange(from..<8192, with: other.file.bytes[from..<8192])
    log.file.bytes = bytes
    let outcome = log.replay()
    #expect(outcome.error == nil)
    #expect(outcome.bodies == Array(log.bodies[..<4]))
  }

  @Test(arguments: UInt64(0)..<8)
  func `follows the switches, with old epochs left behind`(seed: UInt64) throws {
    var random = LogRandom(seed: seed)
    var log = try LogUnderTest()
    // The checkpoint: where replay starts, and the state.
    var start = LogPosition.start
    var durable = 0
    for number in 1...300 {
      let body = random.bytes(Int.random(in: 0...400, using: &random))
      if log.tail.remainingByteCount < 480, !log.tail.canSwitch {
        start = log.tail.position
        durable = number - 1
        log.tail.cover(upTo: start)
      }
      try log.commit(body, durable: UInt64(number - 1))
      let outcome = log.replay(from: start, after: UInt64(durable))
      #expect(outcome.error == nil)
      #expect(outcome.bodies == Array(log.bodies[durable...]))
      #expect(outcome.end == log.tail.position)
    }
    #expect(log.tail.position.epoch > 4)
    // A lost frame anywhere since the checkpoint is proved, but for the last.
    let good = log.file.bytes
    for number in durable + 1..<300 {
      var bad = good
      bad[log.offset(of: number) + 20] ^= 4
      log.file.bytes = bad
      #expect(
        log.replay(from: start, after: UInt64(durable)).error
          == .lostTransactions(
            path: LogUnderTest.path, first: TransactionNumber(UInt64(number)),
            last: TransactionNumber(299)))
    }
    // An old main file beside this log goes back to the beginning.
    log.file.bytes = good
    #expect(
      log.replay().error
        == .lostTransactions(
          path: LogUnderTest.path, first: TransactionNumber(1), last: TransactionNumber(299)))
  }

  @Test func `goes on at the end of a half from where a checkpoint was`() throws {
    var log = try LogUnderTest()
    try log.commit([UInt8](repeating: 1, count: 4000))
    let start = log.tail.position
    try log.commit([2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2])
    #expect(log.tail.position.half == 1)
    #expect(log.replay(from: start, after: 1).bodies == [log.bodies[1]])
  }

  @Test func `reads around a bad sector, and proves what was there`() throws {
    var log = try LogUnderTest(half: 65536, capacity: 65536)
    for number in 1...12 {
      try log.commit([UInt8](repeating: UInt8(number), count: 3000), durable: UInt64(number - 1))
    }
    log.file.state.withLock { $0.badSectors = [3] }
    let outcome = log.replay()
    #expect(
      outcome.error
        == .lostTransactions(
          path: LogUnderTest.path, first: TransactionNumber(3), last: TransactionNumber(11)))
    let salvaged = log.replay(salvage: true)
    #expect(salvaged.error == nil)
    #expect(salvaged.missing == [TransactionNumber(3)...TransactionNumber(5)])
    #expect(salvaged.bodies == Array(log.bodies[..<2] + log.bodies[5...]))
  }

  @Test(arguments: 0..<64)
  func `for a salvage gives all whole frames and names the others`(broken: Int) throws {
    var log = try LogUnderTest()
    for number in 1...8 {
      try log.commit([UInt8](repeating: UInt8(number), count: 700), durable: UInt64(number - 1))
    }
    // Six of the frames break or not; the last two are whole.
    var bytes = log.file.bytes
    for number in 1...6 where broken >> (number - 1) & 1 == 1 {
      bytes[log.offset(of: number) + (number % 2 == 0 ? 9 : 60)] ^= 0x10
    }
    log.file.bytes = bytes
    let whole = (1...8).filter { $0 > 6 || broken >> ($0 - 1) & 1 == 0 }
    let outcome = log.replay(salvage: true)
    #expect(outcome.error == nil)
    #expect(outcome.frames == whole.map { TransactionNumber(UInt64($0)) })
    #expect(outcome.bodies == whole.map { log.bodies[$0 - 1] })
    let missing = (1...8).filter { number in
      outcome.missing.contains { $0.contains(TransactionNumber(UInt64(number))) }
    }
    #expect(missing == (1...8).filter { !whole.contains($0) })
    #expect(outcome.end == log.tail.position)
  }

  @Test func `gives its error again when asked again`() throws {
    let log = try smallLog()
    var bytes = log.file.bytes
    bytes[log.offset(of: 2)] ^= 1
    log.file.bytes = bytes
    var replay = try LogReplay(log.log, from: .start, after: .zero)
    _ = try replay.next()
    for _ in 0..<3 {
      do throws(StoreError) {
        _ = try replay.next()
        Issue.record("went on after an error")
      } catch {
        guard case .lostTransactions = error else { throw error }
      }
    }
  }

  @Test func `reads the file a few times at most, whatever is in it`() throws {
    var log = try LogUnderTest(half: 2 << 20, capacity: 2 << 20)
    for number in 1...40 {
      let byteCount = [10, 5000, 300_000][number % 3]
      if byteCount > log.tail.remainingByteCount, !log.tail.canSwitch { break }
      try log.commit(
        [UInt8](repeating: 0xA5, count: byteCount), durable: UInt64(max(0, number - 2)))
    }
    var bytes = log.file.bytes
    bytes[log.offset(of: 3)] ^= 1
    log.file.bytes = bytes
    let size = bytes.count
    for salvage in [false, true] {
      log.file.state.withLock {
        $0.readByteCount = 0
        $0.readCount = 0
      }
      let outcome = log.replay(salvage: salvage)
      #expect((outcome.error == nil) == salvage)
      let (byteCount, count) = log.file.state.withLock { ($0.readByteCount, $0.readCount) }
      #expect(byteCount < (salvage ? 5 : 3) * size, "\(byteCount) of \(size)")
      #expect(count < 60, "\(count)")
    }
  }

  @Test(arguments: UInt64(0)..<200)
  func `survives any garbage`(seed: UInt64) throws {
    var random = LogRandom(seed: seed)
    let log = try smallLog()
    var bytes = log.file.bytes
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      let place = Int.random(in: 4096..<bytes.count, using: &random)
      let count = min(bytes.count - place, Int.random(in: 1...600, using: &random))
      bytes.replaceSubrange(place..<place + count, with: random.bytes(count))
    }
    bytes.removeLast(Int.random(in: 0...bytes.count - 4096, using: &random))
    log.file.bytes = bytes
    #expect(log.isPrefix(log.replay()))
    let salvaged = log.replay(salvage: true)
    for (number, body) in zip(salvaged.frames, salvaged.bodies) {
      #expect(log.bodies[Int(number.rawValue) - 1] == body)
    }
    _ = log.replay(from: LogPosition(half: 1, epoch: .max, offset: 1 << 20), after: .max)
  }
}
