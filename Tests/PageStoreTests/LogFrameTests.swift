import PageStore
import Testing

@Suite struct `A frame's header` {
  let salt = LogSalt(99)
  let place = LogPosition(half: 1, epoch: 6, offset: 512)
  let body: [UInt8] = Array(1...50)

  func header() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 40)
    let frame = body.withUnsafeBytes {
      LogFrame(
        .commit, transaction: TransactionNumber(12), newestDurable: TransactionNumber(10),
        body: $0, at: place, salt: salt)
    }
    bytes.withUnsafeMutableBytes { frame.store(into: $0, at: place, salt: salt) }
    return bytes
  }

  func read(
    _ bytes: [UInt8], at position: LogPosition, salt: LogSalt, room: Int = 4096
  ) -> LogFrame? {
    bytes.withUnsafeBytes { LogFrame(untrusted: $0, at: position, salt: salt, room: room) }
  }

  @Test func `comes back as it was stored`() throws {
    let frame = try #require(read(header(), at: place, salt: salt))
    #expect(frame.kind == .commit)
    #expect(frame.transaction == TransactionNumber(12))
    #expect(frame.newestDurable == TransactionNumber(10))
    #expect(frame.bodyByteCount == 50)
    #expect(frame.byteCount == 96)
    #expect(body.withUnsafeBytes { frame.accepts(untrusted: $0, at: place, salt: salt) })
  }

  @Test func `is not taken for one anywhere else`() {
    let bytes = header()
    #expect(read(bytes, at: place, salt: LogSalt(98)) == nil)
    #expect(read(bytes, at: place.advanced(by: 8), salt: salt) == nil)
    #expect(read(bytes, at: LogPosition(half: 0, epoch: 6, offset: 512), salt: salt) == nil)
    #expect(read(bytes, at: LogPosition(half: 1, epoch: 8, offset: 512), salt: salt) == nil)
    #expect(read(bytes, at: place, salt: salt, room: 95) == nil)
    #expect(read(bytes, at: place, salt: salt, room: 96) != nil)
  }

  @Test func `is refused with any bit flipped, and at any shorter length`() {
    let good = header()
    for bit in 0..<good.count * 8 {
      var bad = good
      bad[bit / 8] ^= 1 << (bit % 8)
      #expect(read(bad, at: place, salt: salt) == nil, "bit \(bit)")
    }
    for count in 0..<good.count {
      #expect(read(Array(good[..<count]), at: place, salt: salt) == nil)
    }
  }

  @Test func `leaves no byte between its fields`() {
    for table in [LogFrame.Layout.table, LogFileHeader.Layout.table] {
      var end = 0
      for row in table {
        #expect(row.offset == end, "\(row.name)")
        end = row.offset + row.byteCount
      }
      #expect(end == 40)
    }
  }

  @Test func `does not take a body over the limit`() async {
    await #expect(processExitsWith: .failure) {
      let body = [UInt8](repeating: 0, count: LogFrame.maximumBodyByteCount + 1)
      _ = body.withUnsafeBytes {
        LogFrame(
          .commit, transaction: TransactionNumber(1), newestDurable: .zero, body: $0, at: .start,
          salt: LogSalt(1))
      }
    }
  }
}
