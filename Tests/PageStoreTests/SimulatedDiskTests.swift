import Glibc
import PageStore
import SimulatedDisk
import Synchronization
import Testing

@Suite struct `A simulated disk` {
  let disk = SimulatedDisk()
  let system: SimulatedSystem

  init() { system = SimulatedSystem(disk) }

  /// A file whose name is durable, and whose bytes are too.
  private func file(_ path: String, _ bytes: [UInt8]) throws -> any StoreFile {
    disk.setContents(of: path, to: bytes)
    return try system.open(path, .readWrite)
  }

  private static func filled(_ byte: UInt8, _ count: Int) -> [UInt8] {
    [UInt8](repeating: byte, count: count)
  }

  // MARK: Crashes

  @Test func `forgets what was not synced, and only that`() throws {
    let file = try system.open("/a", .createNew(permissions: 0o644))
    try file.write([1, 2, 3], at: 0)
    #expect(disk.crashImage(.nothingKept).names.isEmpty)
    try file.sync()
    #expect(disk.crashImage(.nothingKept).names.isEmpty, "the name is not durable yet")
    try system.syncDirectory(of: "/a")
    #expect(disk.durableContents(of: "/a") == [1, 2, 3])
    try file.write([4, 5], at: 2)
    #expect(disk.contents(of: "/a") == [1, 2, 4, 5])
    #expect(disk.durableContents(of: "/a") == [1, 2, 3])
    #expect(disk.crashImage(.everythingKept).contents(of: "/a") == [1, 2, 4, 5])
    #expect(disk.contents(of: "/a") == [1, 2, 4, 5], "an image leaves the disk as it is")
  }

  @Test func `keeps every subset of pending sectors by number`() throws {
    let file = try file("/a", Self.filled(0, 2048))
    try file.write(Self.filled(1, 1024), at: 0)
    try file.write(Self.filled(2, 512), at: 1536)
    #expect(disk.pendingSectorCount == 3)
    var seen: Set<[UInt8]> = []
    for number in UInt64(0)..<8 {
      let image = disk.crashImage(.subset(number))
      let bytes = try #require(image.contents(of: "/a"))
      #expect(bytes.count == 2048)
      seen.insert([bytes[0], bytes[512], bytes[1024], bytes[1536]])
    }
    #expect(seen.count == 8)
    #expect(seen.contains([0, 1, 0, 2]))
  }

  @Test func `keeps an older version of a sector that was written twice`() throws {
    let file = try file("/a", Self.filled(0, 512))
    try file.write(Self.filled(1, 512), at: 0)
    try file.write(Self.filled(2, 512), at: 0)
    let first = (UInt64(0)..<4).map { disk.crashImage(.subset($0)).contents(of: "/a")?.first }
    #expect(first == [0, 1, 2, 2])
  }

  @Test func `settles sizes and names apart from bytes`() throws {
    let file = try file("/a", [])
    try file.write(Self.filled(1, 512), at: 0)
    _ = try system.open("/b", .createNew(permissions: 0o644))
    #expect(disk.pendingItemCount == 3)
    let images = (UInt64(0)..<8).map { disk.crashImage(.subset($0)) }
    #expect(images.map { $0.contents(of: "/a")?.count } == [0, 0, 512, 512, 0, 0, 512, 512])
    #expect(images.map { $0.contents(of: "/a")?.first } == [nil, nil, 0, 1, nil, nil, 0, 1])
    #expect(images.map { $0.names.contains("/b") }.map { $0 ? 1 : 0 } == [0, 0, 0, 0, 1, 1, 1, 1])
  }

  @Test func `brings cut bytes back only with the size from before`() throws {
    let file = try file("/a", Self.filled(7, 2048))
    try file.truncate(to: 600)
    try file.truncate(to: 2048)
    for seed in UInt64(0)..<200 {
      let bytes = try #require(disk.crashImage(.seeded(seed)).contents(of: "/a"))
      #expect(bytes.prefix(600).allSatisfy { $0 == 7 })
      let rest = Set(bytes.dropFirst(600))
      #expect(rest.count <= 1)
    }
    #expect(disk.durableContents(of: "/a") == Self.filled(7, 2048))
    let kept = disk.crashImage(.everythingKept).contents(of: "/a")
    #expect(kept == Self.filled(7, 600) + Self.filled(0, 1448))
  }

  @Test func `tears sectors, but never harms what is the same before and after`() throws {
    var old = Self.filled(9, 512)
    let file = try file("/a", old)
    for i in 256..<512 { old[i] = UInt8(i & 0x7F) | 0x80 }
    try file.write(Array(old[256...]), at: 256)
    var torn = 0
    for seed in UInt64(0)..<300 {
      let bytes = try #require(disk.crashImage(.seeded(seed)).contents(of: "/a"))
      #expect(bytes.prefix(256).allSatisfy { $0 == 9 })
      if bytes != old && bytes != Self.filled(9, 512) { torn += 1 }
      #expect(disk.crashImage(.seeded(seed)).contents(of: "/a") == bytes, "a seed decides all")
    }
    #expect(torn > 20)
  }

  @Test(arguments: UInt64(0)..<24)
  func `agrees with a model of two plain arrays`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let disk = SimulatedDisk(maximumFileByteCount: 1 << 20)
    let system = SimulatedSystem(disk)
    let file = try system.open("/a", .createNew(permissions: 0o644))
    try system.syncDirectory(of: "/a")
    var visible: [UInt8] = []
    var durable: [UInt8] = []
    let mapping = try file.map(byteCount: 1 << 20, writable: false)
    for step in 0..<120 {
      switch random.number(in: 0..<10) {
      case 0..<6:
        let offset = random.number(in: 0..<30_000)
        let byte = UInt8(truncatingIfNeeded: random.next() % 4)
        let bytes = Self.filled(byte, random.number(in: 1..<9000))
        try file.write(bytes, at: offset)
        let end = offset + bytes.count
        if visible.count < end { visible += Self.filled(0, end - visible.count) }
        visible.replaceSubrange(offset..<end, with: bytes)
      case 6:
        let count = random.number(in: 0..<40_000)
        try file.truncate(to: count)
        visible = Array(visible.prefix(count)) + Self.filled(0, max(0, count - visible.count))
      case 7:
        let count = random.number(in: 0..<40_000)
        try file.allocate(to: count)
        visible += Self.filled(0, max(0, count - visible.count))
      default:
        try file.sync()
        durable = visible
      }
      #expect(mapping.bytes(0..<visible.count) == visible)
      #expect(try file.contents() == visible)
      guard step.isMultiple(of: 4) else { continue }
      #expect(disk.durableContents(of: "/a") == durable)
      #expect(disk.crashImage(.everythingKept).contents(of: "/a") == visible)
      #expect(disk.killImage().contents(of: "/a") == visible)
      #expect(disk.killImage().durableContents(of: "/a") == durable)
    }
  }

  @Test func `crashes at a chosen call, after which nothing changes`() throws {
    let file = try file("/a", [1])
    disk.crash(atOperation: disk.operationCount + 1)
    try file.write([2], at: 0)
    #expect(!system.hasCrashed)
    #expect(throws: StoreError.system(.write, path: "/a", errno: EIO)) {
      try file.write([3], at: 0)
    }
    #expect(system.hasCrashed)
    #expect(throws: StoreError.self) { try file.sync() }
    #expect(throws: StoreError.self) { try system.remove("/a") }
    #expect(throws: StoreError.self) { try SimulatedSystem(disk).open("/a", .readOnly) }
    file.close()
    #expect(disk.contents(of: "/a") == [2])
    #expect(disk.crashImage(.nothingKept).contents(of: "/a") == [1])
    #expect(!disk.crashImage(.nothingKept).hasCrashed)
  }

  @Test func `decides about names one by one, in their order`() throws {
    _ = try file("/a", [1])
    let b = try system.open("/b", .createNew(permissions: 0o644))
    try b.write([2], at: 0)
    try b.sync()
    try system.rename("/b", to: "/a", replacing: true)
    #expect(disk.durableContents(of: "/a") == [1])
    #expect(disk.crashImage(.subset(0b10)).contents(of: "/a") == [2])
    #expect(disk.crashImage(.subset(0b01)).names == ["/a", "/b"])
    try system.syncDirectory(of: "/a")
    #expect(disk.durableContents(of: "/a") == [2])
    try system.remove("/a")
    #expect(disk.names.isEmpty)
    #expect(disk.durableContents(of: "/a") == [2])
  }

  @Test func `keeps files apart from their copies`() throws {
    let file = try file("/a", Self.filled(1, 5000))
    try file.write(Self.filled(2, 5000), at: 0)
    let crashed = disk.crashImage(.nothingKept)
    let killed = disk.killImage()
    try file.write(Self.filled(3, 5000), at: 0)
    let other = try SimulatedSystem(crashed).open("/a", .readWrite)
    try other.write([4], at: 0)
    #expect(disk.contents(of: "/a") == Self.filled(3, 5000))
    #expect(killed.contents(of: "/a") == Self.filled(2, 5000))
    #expect(crashed.contents(of: "/a") == [4] + Self.filled(1, 4999))
  }

  @Test func `may lose what was written through a mapping`() throws {
    let file = try file("/a", Self.filled(0, 1024))
    let mapping = try file.map(byteCount: 4096, writable: true)
    mapping.base.storeBytes(of: 1, toByteOffset: 0, as: UInt8.self)
    mapping.base.storeBytes(of: 1, toByteOffset: 600, as: UInt8.self)
    #expect(disk.pendingSectorCount == 2)
    #expect(disk.durableContents(of: "/a") == Self.filled(0, 1024))
    let half = disk.crashImage(.subset(0b10)).contents(of: "/a")
    #expect(half?[0] == 0)
    #expect(half?[600] == 1)
    try file.sync()
    #expect(disk.pendingSectorCount == 0)
    #expect(disk.durableContents(of: "/a")?[600] == 1)
  }

  // MARK: Faults

  @Test func `fails a sync in three ways, each followed by success`() throws {
    for (failure, visible, durable) in [
      (SyncFailure.clean, 1, [0]), (.reverted, 0, [0]), (.partly(seed: 3), 1, [0, 1]),
    ] as [(SyncFailure, UInt8, Set<UInt8>)] {
      let file = try file("/a", Self.filled(0, 16_384))
      try file.write(Self.filled(1, 16_384), at: 0)
      disk.inject(.failedSync(failure)) { $0.call == .sync }
      #expect(throws: StoreError.system(.sync, path: "/a", errno: EIO)) { try file.sync() }
      #expect(disk.contents(of: "/a") == Self.filled(visible, 16_384))
      #expect(disk.pendingSectorCount == 0)
      try file.sync()
      let bytes = try #require(disk.durableContents(of: "/a"))
      #expect(Set(bytes) == durable)
      #expect(disk.contents(of: "/a") == Self.filled(visible, 16_384))
      // Written again, they are like any other.
      try file.write(Self.filled(2, 16_384), at: 0)
      try file.sync()
      #expect(disk.durableContents(of: "/a") == Self.filled(2, 16_384))
    }
  }

  @Test func `fails the sync of a folder`() throws {
    _ = try system.open("/a", .createNew(permissions: 0o644))
    disk.inject(.failedSync(.clean)) { $0.call == .directorySync }
    #expect(throws: StoreError.system(.directorySync, path: "/a", errno: EIO)) {
      try system.syncDirectory(of: "/a")
    }
    try system.syncDirectory(of: "/a")
    #expect(disk.names == ["/a"])
    #expect(disk.crashImage(.everythingKept).names.isEmpty)
  }

  @Test func `fails single calls`() throws {
    let file = try file("/a", Self.filled(0, 8192))
    disk.inject(.error(errno: EIO)) { $0.call == .read && $0.offset == 4096 }
    #expect(try file.bytes(at: 0, count: 1) == [0])
    #expect(throws: StoreError.system(.read, path: "/a", errno: EIO)) {
      try file.bytes(at: 4096, count: 1)
    }
    #expect(try file.bytes(at: 4096, count: 1) == [0])

    disk.inject(.partialWrite(byteCount: 2, errno: EIO), atOperation: disk.operationCount)
    #expect(throws: StoreError.system(.write, path: "/a", errno: EIO)) {
      try file.write([1, 2, 3], at: 0)
    }
    #expect(try file.bytes(at: 0, count: 3) == [1, 2, 0])

    disk.inject(.lostWrite) { $0.call == .write }
    try file.write([5], at: 100)
    #expect(try file.bytes(at: 100, count: 1) == [0])
    disk.inject(.misdirectedWrite(by: 4096)) { $0.call == .write }
    try file.write([6], at: 100)
    #expect(try file.bytes(at: 100, count: 1) == [0])
    #expect(try file.bytes(at: 4196, count: 1) == [6])

    disk.rot("/a", at: 4196, mask: 0xF0)
    #expect(try file.bytes(at: 4196, count: 1) == [0xF6])
    disk.rot("/a", at: 8000, mask: 1)
    try file.sync()
    #expect(disk.durableContents(of: "/a")?[8000] == 1)
    disk.loseName("/a")
    #expect(disk.names.isEmpty)
    #expect(try file.byteCount() == 8192)
  }

  @Test func `runs full, and has room again`() throws {
    let disk = SimulatedDisk(capacity: 5 * 4096)
    let system = SimulatedSystem(disk)
    let file = try system.open("/a", .createNew(permissions: 0o644))
    try file.allocate(to: 2 * 4096)
    #expect(disk.room == 3 * 4096)
    try file.write(Self.filled(1, 2 * 4096), at: 0)
    #expect(disk.room == 3 * 4096, "what is allocated costs nothing more")
    #expect(throws: StoreError.system(.allocate, path: "/a", errno: ENOSPC)) {
      try file.allocate(to: 6 * 4096)
    }
    #expect(try file.byteCount() == 2 * 4096)
    #expect(throws: StoreError.system(.write, path: "/a", errno: ENOSPC)) {
      try file.write(Self.filled(2, 10 * 4096), at: 4096)
    }
    #expect(try file.byteCount() == 5 * 4096, "a part was written")
    #expect(disk.room == 0)
    disk.setRoom(4096)
    try file.write([3], at: 5 * 4096)
    #expect(disk.room == 0)
    try file.truncate(to: 4096)
    #expect(disk.room == 5 * 4096)
    try system.remove("/a")
    #expect(disk.room == 5 * 4096)
    file.close()
    #expect(disk.room == 6 * 4096)
  }

  // MARK: Processes

  @Test func `lets a process die without the others`() throws {
    let file = try file("/lock", Self.filled(0, 4096))
    let mine = try file.map(byteCount: 4096, writable: true)
    let other = SimulatedSystem(disk, processID: 2)
    let theirs = try other.open("/lock", .readWrite)
    let seen = try theirs.map(byteCount: 4096, writable: true)
    #expect(try file.tryLock(LockByte(0), .exclusive))
    #expect(try !theirs.tryLock(LockByte(0), .shared))
    mine.base.storeBytes(of: 1, as: UInt8.self)
    #expect(other.isResponding(1))

    system.kill()
    #expect(system.hasCrashed)
    #expect(!other.hasCrashed)
    #expect(!other.isResponding(1))
    #expect(try theirs.tryLock(LockByte(0), .exclusive))
    #expect(throws: StoreError.self) { try file.write([1], at: 0) }
    // What a dead process still writes reaches nobody.
    mine.base.storeBytes(of: 2, as: UInt8.self)
    #expect(mine.bytes(0..<1) == [2])
    #expect(seen.bytes(0..<1) == [1])
    #expect(try theirs.bytes(at: 0, count: 1) == [1])
    #expect(disk.killImage().contents(of: "/lock")?.first == 1)
  }

  @Test func `kills a process at its own call`() throws {
    let other = SimulatedSystem(disk, processID: 2)
    _ = try file("/a", [1])
    system.kill(atOperation: system.operationCount)
    #expect(try other.exists("/a"))
    #expect(throws: StoreError.self) { try system.exists("/a") }
    #expect(try other.exists("/a"))
  }

  @Test func `hands the turn over before each call`() throws {
    let calls = Mutex<[SystemCall]>([])
    let other = SimulatedSystem(disk, processID: 2)
    let file = try file("/a", [1, 2])
    system.onOperation { operation in
      calls.withLock { $0.append(operation.call) }
      // As another process that runs just now.
      if operation.call == .read { try? other.open("/a", .readWrite).write([9], at: 1) }
    }
    #expect(try file.bytes(at: 0, count: 2) == [1, 9])
    try file.sync()
    #expect(calls.withLock { $0 } == [.read, .sync])
    system.onOperation(nil)
    disk.recordOperations()
    try file.write([1], at: 1)
    _ = try file.byteCount()
    #expect(disk.operations.map(\.changesDisk) == [true, false])
    #expect(disk.operations.map(\.offset) == [1, 0])
  }

  @Test func `has the clock and the chance that the test gives it`() throws {
    disk.clock = 5
    #expect(system.nanoseconds() == 5)
    let word = UnsafeMutablePointer<Atomic<UInt32>>.allocate(capacity: 1)
    defer { word.deallocate() }
    word.initialize(to: Atomic(1))
    system.wait(on: SharedWord(word), while: 0, nanoseconds: 10)
    #expect(system.nanoseconds() == 5)
    system.wait(on: SharedWord(word), while: 1, nanoseconds: 10)
    #expect(system.nanoseconds() == 15)
    let (a, b) = (SimulatedSystem(disk, seed: 4), SimulatedSystem(disk, seed: 4))
    #expect(a.random() == b.random())
    #expect(a.random() != a.random())
    #expect(!system.allowsBackgroundThreads)
  }

  @Test func `makes images by the thousand`() throws {
    let file = try file("/a", Self.filled(1, 300_000))
    try file.write(Self.filled(2, 8192), at: 16_384)
    for seed in UInt64(0)..<2000 {
      let image = disk.crashImage(.seeded(seed))
      let system = SimulatedSystem(image)
      let mapping = try system.open("/a", .readOnly).map(byteCount: 1 << 30, writable: false)
      #expect(mapping.bytes(0..<1) == [1])
    }
  }
}
