import Glibc
import PageStore
import Synchronization

/// A system without files: a clock that counts, a process number, and sleeps that only yield.
final class SharedTestSystem: FileSystem {
  let processID: Int32
  private let clock = Atomic<UInt64>(1)

  init(processID: Int32 = 1) { self.processID = processID }

  func open(_ path: String, _ mode: OpenMode) throws(StoreError) -> any StoreFile {
    throw .system(.open, path: path, errno: ENOENT)
  }
  func remove(_ path: String) throws(StoreError) {}
  func rename(_ path: String, to newPath: String, replacing: Bool) throws(StoreError) {}
  func syncDirectory(of path: String) throws(StoreError) {}
  func resolve(_ path: String) throws(StoreError) -> String { path }
  func exists(_ path: String) throws(StoreError) -> Bool { false }
  func isResponding(_ processID: Int32) -> Bool { true }
  func nanoseconds() -> UInt64 { clock.wrappingAdd(1, ordering: .relaxed).newValue }
  func random() -> UInt64 { UInt64.random(in: 0...UInt64.max) }
  func wait(on word: SharedWord, while expected: UInt32, nanoseconds: UInt64) { sched_yield() }
  func wake(_ word: SharedWord) {}
  var allowsBackgroundThreads: Bool { false }
}

/// Memory that stands for a file on disk: its bytes and its locks, whoever has it open.
final class SharedTestDisk: Sendable {
  static let capacity = 8 << 20
  fileprivate let address: UInt
  fileprivate let state = Mutex(State())

  fileprivate struct State {
    var byteCount = 0
    var locks: [LockByte: ObjectIdentifier] = [:]
  }

  init() {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: Self.capacity, alignment: 4096)
    // Bytes past the end hold rubbish, so that reading them shows.
    memory.initializeMemory(as: UInt8.self, repeating: 0xA5, count: Self.capacity)
    address = UInt(bitPattern: memory)
  }

  deinit { base.deallocate() }

  var base: UnsafeMutableRawPointer {
    guard let base = UnsafeMutableRawPointer(bitPattern: address) else { fatalError("no memory") }
    return base
  }

  /// Sets the word at `offset`, as a damaged process would.
  func set(_ value: UInt64, at offset: Int) {
    base.advanced(by: offset).assumingMemoryBound(to: Atomic<UInt64>.self)
      .pointee.store(value, ordering: .sequentiallyConsistent)
  }

  /// The word at `offset`.
  func word(at offset: Int) -> UInt64 {
    base.advanced(by: offset).assumingMemoryBound(to: Atomic<UInt64>.self)
      .pointee.load(ordering: .sequentiallyConsistent)
  }
}

/// A disk's file, opened once: its locks conflict with those of every other opening.
final class SharedTestFile: StoreFile {
  let disk: SharedTestDisk
  /// Runs once, after the file was asked about a lock and before it answers.
  let stall = Mutex<(@Sendable () -> Void)?>(nil)
  var path: String { "test-lock" }

  init(_ disk: SharedTestDisk) { self.disk = disk }
  deinit { close() }

  func byteCount() throws(StoreError) -> Int { disk.state.withLock(\.byteCount) }
  func status() throws(StoreError) -> FileStatus {
    FileStatus(device: 1, inode: 1, permissions: 0o600, linkCount: 1)
  }
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(StoreError) -> Int {
    0
  }
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(StoreError) {
    disk.state.withLock { state in
      UnsafeMutableRawBufferPointer(start: disk.base + offset, count: bytes.count)
        .copyMemory(from: bytes)
      state.byteCount = max(state.byteCount, offset + bytes.count)
    }
  }
  func sync() throws(StoreError) {}
  func truncate(to byteCount: Int) throws(StoreError) {
    disk.state.withLock { $0.byteCount = byteCount }
  }
  func allocate(to byteCount: Int) throws(StoreError) {
    disk.state.withLock { $0.byteCount = max($0.byteCount, byteCount) }
  }
  func map(byteCount: Int, writable: Bool) throws(StoreError) -> any FileMapping {
    SharedTestMapping(disk)
  }
  func tryLock(_ byte: LockByte, _ kind: LockKind) throws(StoreError) -> Bool {
    defer { runStall() }
    return disk.state.withLock { state in
      if let owner = state.locks[byte] { return owner == ObjectIdentifier(self) }
      state.locks[byte] = ObjectIdentifier(self)
      return true
    }
  }
  func unlock(_ byte: LockByte) throws(StoreError) {
    disk.state.withLock { state in
      if state.locks[byte] == ObjectIdentifier(self) { state.locks[byte] = nil }
    }
  }
  func isLockedElsewhere(_ byte: LockByte, against kind: LockKind) throws(StoreError) -> Bool {
    let isLocked = disk.state.withLock { state in
      state.locks[byte].map { $0 != ObjectIdentifier(self) } ?? false
    }
    runStall()
    return isLocked
  }
  private func runStall() {
    let stall = stall.withLock { stall in
      defer { stall = nil }
      return stall
    }
    stall?()
  }
  func close() {
    disk.state.withLock { state in
      state.locks = state.locks.filter { $0.value != ObjectIdentifier(self) }
    }
  }
}

/// A number that threads share.
final class SharedTestCounter: Sendable {
  private let number = Atomic<UInt64>(0)

  var value: UInt64 {
    get { number.load(ordering: .sequentiallyConsistent) }
    set { number.store(newValue, ordering: .sequentiallyConsistent) }
  }
}

/// The memory of a disk.
private final class SharedTestMapping: FileMapping {
  private let disk: SharedTestDisk
  init(_ disk: SharedTestDisk) { self.disk = disk }
  var base: UnsafeMutableRawPointer { disk.base }
  var byteCount: Int { SharedTestDisk.capacity }
  func overlayMemory(_ range: Range<Int>) throws(StoreError) {}
}

/// A lock file, and the processes that share it.
struct SharedTestStore {
  let disk = SharedTestDisk()
  static let identity: (UInt64, UInt64) = (11, 22)

  /// A state whose fields all follow from its transaction.
  static func state(_ transaction: UInt64) -> PublishedState {
    PublishedState(
      transaction: TransactionNumber(transaction),
      catalogRoot: PageID(UInt32(transaction % 1000)), catalogChecksum: UInt32(transaction &* 3),
      catalogLevel: UInt8(transaction % 7), pageCount: Int(transaction) + 1000,
      nextTableID: transaction &* 5)
  }

  static func isWhole(_ state: PublishedState) -> Bool {
    var expected = self.state(state.transaction.rawValue)
    expected.catalogLevel = state.catalogLevel
    return expected.catalogRoot == state.catalogRoot
      && expected.catalogChecksum == state.catalogChecksum
      && expected.pageCount == state.pageCount && expected.nextTableID == state.nextTableID
      && UInt64(state.catalogLevel) == state.transaction.rawValue % 7
  }

  /// Creates the lock file with `transaction` published, and opens it as process `process`.
  func create(_ transaction: UInt64 = 1, process: Int32 = 1) throws -> SharedState {
    let file = SharedTestFile(disk)
    return try SharedState.create(
      file, locks: SharedState.Locks(file: file, base: LockByte(1 << 40)),
      system: SharedTestSystem(processID: process), identity: Self.identity,
      state: Self.state(transaction), tip: TransactionNumber(transaction))
  }

  /// Opens the lock file as process `process`; dropping the result, or closing its file, kills it.
  func attach(
    process: Int32, identity: (UInt64, UInt64) = identity
  ) throws(StoreError) -> (SharedState, SharedTestFile) {
    let file = SharedTestFile(disk)
    return (try attach(process: process, file: file, identity: identity), file)
  }

  /// Opens the lock file as process `process`, through `file`.
  func attach(
    process: Int32, file: SharedTestFile, identity: (UInt64, UInt64) = identity
  ) throws(StoreError) -> SharedState {
    try SharedState.attach(
      file, locks: SharedState.Locks(file: file, base: LockByte(1 << 40)),
      system: SharedTestSystem(processID: process), identity: identity)
  }
}
