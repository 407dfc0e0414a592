import PageStore
import Testing

@Suite struct `The tail of a log` {
  let geometry = LogGeometry(initialHalf: 4096, halfCapacity: 16384)

  func tail() -> LogTail { LogTail(salt: LogSalt(5), geometry: geometry) }

  func append(_ count: Int, to tail: inout LogTail, transaction: UInt64 = 1) -> Bool {
    [UInt8](repeating: 1, count: count).withUnsafeBytes {
      tail.append(transaction: TransactionNumber(transaction), durable: .zero, operations: $0)
    }
  }

  @Test func `gathers frames of one half in one chunk`() {
    var tail = tail()
    #expect(append(1, to: &tail))
    #expect(append(9, to: &tail, transaction: 2))
    #expect(tail.position == LogPosition(half: 0, epoch: 1, offset: 48 + 56))
    let chunks = tail.takeUnwritten()
    #expect(chunks.map(\.offset) == [4096])
    #expect(chunks.map(\.bytes.count) == [104])
    #expect(tail.takeUnwritten().isEmpty)
    #expect(append(1, to: &tail, transaction: 3))
    #expect(tail.takeUnwritten().map(\.offset) == [4096 + 104])
  }

  @Test func `refuses the frame that does not fit, and changes nothing`() {
    var tail = tail()
    #expect(!append(4057, to: &tail))
    #expect(tail.position == .start)
    #expect(!tail.hasUnwritten)
    #expect(append(4056, to: &tail))
    #expect(tail.remainingByteCount == 0)
    #expect(!append(0, to: &tail))
  }

  @Test func `makes two chunks across a switch`() {
    var tail = tail()
    #expect(append(4000, to: &tail))
    #expect(tail.canSwitch)
    tail.switchHalf()
    #expect(append(1, to: &tail, transaction: 2))
    #expect(tail.takeUnwritten().map(\.offset) == [4096, 4096 + 16384])
    #expect(tail.position == LogPosition(half: 1, epoch: 2, offset: 48))
  }

  @Test func `switches only into a half that is covered`() {
    var tail = tail()
    #expect(append(100, to: &tail))
    let early = tail.position
    #expect(append(100, to: &tail, transaction: 2))
    tail.switchHalf()
    #expect(!tail.canSwitch)
    #expect(tail.freeHalf == nil)
    tail.cover(upTo: early)
    #expect(!tail.canSwitch)
    tail.cover(upTo: tail.position)
    #expect(tail.canSwitch)
    #expect(tail.freeHalf == 0)
  }

  @Test func `takes a checkpoint at the very end of a half for one that covers it`() {
    var tail = tail()
    #expect(append(100, to: &tail))
    let end = tail.position
    tail.switchHalf()
    tail.cover(upTo: end)
    #expect(tail.canSwitch)
  }

  @Test func `takes a mark back only while nothing follows it`() {
    var tail = tail()
    let place = tail.position
    func mark() -> Bool { tail.appendMark(newest: TransactionNumber(3), durable: .zero) }
    func retract() -> Bool { tail.retractMark(at: place) }
    #expect(mark())
    _ = tail.takeUnwritten()
    #expect(retract())
    #expect(tail.position == place)
    #expect(mark())
    #expect(append(1, to: &tail))
    let after = tail.position
    #expect(!retract())
    _ = tail.takeUnwritten()
    #expect(!retract())
    #expect(tail.position == after)
  }

  @Test func `shortens the half that it does not need, once`() {
    var tail = tail()
    tail.freeHalfGrew(to: 8192)
    #expect(tail.byteCount(ofHalf: 1) == 8192)
    let halves = [tail.shortenFreeHalf(), tail.shortenFreeHalf()]
    #expect(halves == [1, nil])
    #expect(tail.byteCount(ofHalf: 1) == 4096)
  }

  @Test func `uses a half that has grown`() {
    var tail = tail()
    tail.freeHalfGrew(to: geometry.grown(4096))
    tail.switchHalf()
    #expect(append(8000, to: &tail))
    #expect(tail.currentHalfByteCount == 8192)
  }

  @Test func `does not switch into a half that is needed`() async {
    await #expect(processExitsWith: .failure) {
      var tail = LogTail(salt: LogSalt(5))
      tail.switchHalf()
      tail.switchHalf()
    }
  }

  @Test func `does not let a half grow that is needed`() async {
    await #expect(processExitsWith: .failure) {
      var tail = LogTail(salt: LogSalt(5))
      tail.switchHalf()
      tail.freeHalfGrew(to: 2 << 20)
    }
  }
}
