import Glibc
import PageStore
import Testing

@Suite struct `The file of a log` {
  let path = LogUnderTest.path
  let geometry = LogGeometry(initialHalf: 4096, halfCapacity: 8192)

  func open(
    _ files: LogTestFiles, identity: StoreIdentity = LogUnderTest.identity,
    salt: LogSalt = LogUnderTest.salt, salvage: Bool = false
  ) throws(StoreError) -> LogFile {
    try LogFile.open(
      in: files, path: path, identity: identity, salt: salt, geometry: geometry, salvage: salvage)
  }

  @Test func `is found by its own store only`() throws {
    let log = try LogUnderTest(half: 4096, capacity: 8192)
    _ = try open(log.files)
    #expect(throws: StoreError.foreignLog(path: path)) {
      _ = try open(log.files, identity: StoreIdentity(high: 7, low: 8))
    }
    #expect(throws: StoreError.foreignLog(path: path)) {
      _ = try open(log.files, salt: LogSalt(1))
    }
    #expect(throws: StoreError.foreignLog(path: path)) {
      _ = try open(log.files, salt: LogSalt(1), salvage: true)
    }
    #expect(throws: StoreError.logMissing(path: path)) { _ = try open(LogTestFiles()) }
  }

  @Test func `holds written zeros where frames will go`() throws {
    let log = try LogUnderTest(half: 4096, capacity: 8192)
    #expect(log.file.bytes.count == 4096 + 8192 + 4096)
    #expect(log.file.bytes[4096...].allSatisfy { $0 == 0 })
    try log.log.growHalf(1, from: 4096, to: 8192)
    #expect(log.file.bytes.count == 4096 + 2 * 8192)
  }

  @Test func `is an error with any bit of its header flipped, or cut short`() throws {
    let log = try LogUnderTest(half: 4096, capacity: 8192)
    let good = log.file.bytes
    for bit in 0..<40 * 8 {
      var bad = good
      bad[bit / 8] ^= 1 << (bit % 8)
      log.file.bytes = bad
      #expect(throws: StoreError.self, "bit \(bit)") { _ = try open(log.files) }
    }
    for count in 0..<40 {
      log.file.bytes = Array(good[..<count])
      #expect(throws: StoreError.corrupt(Damage(path: path, .truncated(byteCount: count)))) {
        _ = try open(log.files)
      }
    }
    _ = try open(log.files, salvage: true)
    log.file.bytes = good
    log.file.state.withLock { $0.badSectors = [0] }
    #expect(throws: StoreError.corrupt(Damage(path: path, .unreadable(errno: EIO)))) {
      _ = try open(log.files)
    }
  }

  /// With a checksum that fits, as another program or a later version would write it.
  @Test func `is another's where its header is whole and says so`() throws {
    let log = try LogUnderTest(half: 4096, capacity: 8192)
    let good = log.file.bytes
    func change(_ index: Int, to byte: UInt8) {
      var bytes = good
      bytes[index] = byte
      let crc = PageRepair.crc32c(bytes[0..<12] + bytes[16..<40])
      for place in 0..<4 { bytes[12 + place] = UInt8(truncatingIfNeeded: crc >> (8 * place)) }
      log.file.bytes = bytes
    }
    change(0, to: 0)
    #expect(throws: StoreError.foreignLog(path: path)) { _ = try open(log.files) }
    change(8, to: 2)
    #expect(throws: StoreError.unsupportedVersion(path: path, found: 2, supported: 1)) {
      _ = try open(log.files)
    }
  }

  @Test func `is in no place that a damaged meta page makes up`() {
    let end = LogGeometry.standard.halfCapacity
    #expect(LogPosition(untrustedHalf: 1, epoch: 2, offset: UInt32(end)) != nil)
    for (half, epoch, offset) in [(2, 1, 0), (0, 0, 0), (0, 1, 4), (1, 1, end + 8)] {
      #expect(
        LogPosition(untrustedHalf: UInt8(half), epoch: UInt32(epoch), offset: UInt32(offset))
          == nil)
    }
  }

  @Test func `leaves nothing behind, whichever step of its creation fails`() throws {
    var step = 0
    while true {
      let files = LogTestFiles()
      files.failAfter(step)
      do throws(StoreError) {
        _ = try LogFile.create(
          in: files, path: path, identity: LogUnderTest.identity, salt: LogUnderTest.salt,
          permissions: 0o600, geometry: geometry)
        break
      } catch {
        guard case .system(_, _, ENOSPC) = error else { throw error }
        #expect(files.names.isEmpty)
      }
      step += 1
    }
    #expect(step == 5)
  }

  @Test func `does not replace another file`() throws {
    let log = try LogUnderTest(half: 4096, capacity: 8192)
    let before = log.file.bytes
    #expect(throws: StoreError.system(.open, path: path, errno: EEXIST)) {
      _ = try LogFile.create(
        in: log.files, path: path, identity: LogUnderTest.identity, salt: LogSalt(3),
        permissions: 0o600, geometry: geometry)
    }
    #expect(log.files.names == [path])
    #expect(log.file.bytes == before)
  }

  @Test func `may grow again after growing failed`() throws {
    let log = try LogUnderTest(half: 4096, capacity: 8192)
    log.files.failAfter(1)
    #expect(throws: StoreError.self) { try log.log.growHalf(0, from: 4096, to: 8192) }
    log.files.state.withLock { $0.stepsToFailure = nil }
    try log.log.growHalf(0, from: 4096, to: 8192)
  }
}
