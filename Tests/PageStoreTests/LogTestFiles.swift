import Glibc
import PageStore
import Synchronization
import Testing

/// Files in memory that count what is asked of them and fail where they are told to.
final class LogTestFiles: FileSystem {
  struct State {
    var files: [String: LogTestFile] = [:]
    /// Counts writes and syncs down; the one that finds 0 fails, with this number.
    var stepsToFailure: Int?
    var failure = ENOSPC
  }
  let state = Mutex(State())

  var names: [String] { state.withLock { Array($0.files.keys) } }

  /// Has the step after `steps` more steps fail.
  func failAfter(_ steps: Int, errno: Int32 = ENOSPC) {
    state.withLock {
      $0.stepsToFailure = steps
      $0.failure = errno
    }
  }

  /// Takes part in the count of steps.
  func step(_ call: SystemCall, _ path: String) throws(StoreError) {
    let failure = state.withLock { state -> Int32? in
      guard let left = state.stepsToFailure else { return nil }
      state.stepsToFailure = left - 1
      return left == 0 ? state.failure : nil
    }
    if let failure { throw .system(call, path: path, errno: failure) }
  }

  func open(_ path: String, _ mode: OpenMode) throws(StoreError) -> any StoreFile {
    let old = state.withLock { $0.files[path] }
    if case .createNew = mode {
      if old != nil { throw .system(.open, path: path, errno: EEXIST) }
      let file = LogTestFile(path: path, disk: self)
      state.withLock { $0.files[path] = file }
      return file
    }
    guard let old else { throw .system(.open, path: path, errno: ENOENT) }
    return old
  }

  func remove(_ path: String) throws(StoreError) { state.withLock { $0.files[path] = nil } }
  func syncDirectory(of path: String) throws(StoreError) { try step(.directorySync, path) }
  func rename(_ path: String, to newPath: String, replacing: Bool) throws(StoreError) {
    fatalError("not for logs")
  }
  func resolve(_ path: String) throws(StoreError) -> String { path }
  func exists(_ path: String) throws(StoreError) -> Bool {
    state.withLock { $0.files[path] != nil }
  }
  var processID: Int32 { 1 }
  func isResponding(_ processID: Int32) -> Bool { true }
  func nanoseconds() -> UInt64 { 0 }
  func random() -> UInt64 { 0 }
  func wait(on word: SharedWord, while expected: UInt32, nanoseconds: UInt64) {}
  func wake(_ word: SharedWord) {}
  var allowsBackgroundThreads: Bool { false }
}

/// A file of `LogTestFiles`.
final class LogTestFile: StoreFile {
  struct State {
    var bytes: [UInt8] = []
    /// Sectors of 4096 bytes that give EIO.
    var badSectors: Set<Int> = []
    var readCount = 0
    var readByteCount = 0
    var syncCount = 0
  }
  let path: String
  let state = Mutex(State())
  private unowned let disk: LogTestFiles

  init(path: String, disk: LogTestFiles) {
    self.path = path
    self.disk = disk
  }

  var bytes: [UInt8] {
    get { state.withLock { $0.bytes } }
    set { state.withLock { $0.bytes = newValue } }
  }

  func byteCount() throws(StoreError) -> Int { state.withLock { $0.bytes.count } }

  func status() throws(StoreError) -> FileStatus { fatalError("not for logs") }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(StoreError) -> Int {
    let wanted = buffer.count
    let found: [UInt8]? = state.withLock { state in
      state.readCount += 1
      let end = min(offset + wanted, state.bytes.count)
      guard offset < end else { return [] }
      let sectors = offset / 4096...(end - 1) / 4096
      guard state.badSectors.isEmpty || !sectors.contains(where: state.badSectors.contains) else {
        return nil
      }
      state.readByteCount += end - offset
      return Array(state.bytes[offset..<end])
    }
    guard let found else { throw .system(.read, path: path, errno: EIO) }
    buffer.copyBytes(from: found)
    return found.count
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(StoreError) {
    try disk.step(.write, path)
    let copy = Array(bytes)
    state.withLock { state in
      let end = offset + copy.count
      if state.bytes.count < end {
        state.bytes.append(contentsOf: repeatElement(0, count: end - state.bytes.count))
      }
      state.bytes.replaceSubrange(offset..<end, with: copy)
    }
  }

  func sync() throws(StoreError) {
    try disk.step(.sync, path)
    state.withLock { $0.syncCount += 1 }
  }

  func truncate(to byteCount: Int) throws(StoreError) {
    state.withLock { state in
      state.bytes.removeLast(max(0, state.bytes.count - byteCount))
      state.bytes += repeatElement(0, count: byteCount - state.bytes.count)
    }
  }
  func allocate(to byteCount: Int) throws(StoreError) { fatalError("not for logs") }
  func map(byteCount: Int, writable: Bool) throws(StoreError) -> any FileMapping {
    fatalError("not for logs")
  }
  func tryLock(_ byte: LockByte, _ kind: LockKind) throws(StoreError) -> Bool { true }
  func unlock(_ byte: LockByte) throws(StoreError) {}
  func isLockedElsewhere(_ byte: LockByte, against kind: LockKind) throws(StoreError) -> Bool {
    false
  }
  func close() {}
}

/// Numbers from a seed (SplitMix64).
struct LogRandom: RandomNumberGenerator {
  var state: UInt64
  init(seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
  mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
  }
}

/// A log under test: a file, its tail, and what was appended.
struct LogUnderTest {
  static let path = "store-log"
  static let identity = StoreIdentity(high: 7, low: 9)
  static let salt = LogSalt(0x1234_5678_9ABC_DEF0)

  let files = LogTestFiles()
  let file: LogTestFile
  let log: LogFile
  let geometry: LogGeometry
  var tail: LogTail
  /// The bodies of the transactions, from 1 on.
  var bodies: [[UInt8]] = []
  /// Where each transaction's frame ends, and where it starts.
  var places: [(start: LogPosition, end: LogPosition)] = []

  init(half: Int = 4096, capacity: Int = 4096, salt: LogSalt = Self.salt) throws {
    geometry = LogGeometry(initialHalf: half, halfCapacity: capacity)
    log = try LogFile.create(
      in: files, path: Self.path, identity: Self.identity, salt: salt, permissions: 0o600,
      geometry: geometry)
    file = try #require(files.state.withLock { $0.files[Self.path] })
    tail = LogTail(salt: salt, geometry: geometry)
  }

  var newest: TransactionNumber { TransactionNumber(UInt64(bodies.count)) }

  /// Appends a transaction and writes it; switches halves where it must.
  mutating func commit(_ body: [UInt8], durable: UInt64 = 0) throws {
    var start = tail.position
    let isAppended = body.withUnsafeBytes {
      tail.append(
        transaction: newest.next, durable: TransactionNumber(durable), operations: $0)
    }
    if !isAppended {
      try #require(tail.canSwitch)
      tail.switchHalf()
      start = tail.position
      let fits = body.withUnsafeBytes {
        tail.append(
          transaction: newest.next, durable: TransactionNumber(durable), operations: $0)
      }
      try #require(fits)
    }
    bodies.append(body)
    places.append((start, tail.position))
    try flush()
  }

  mutating func flush() throws {
    for chunk in tail.takeUnwritten() { try log.write(chunk) }
  }

  /// Where the frame of `transaction` starts in the file.
  func offset(of transaction: Int) -> Int {
    geometry.fileOffset(of: places[transaction - 1].start)
  }

  /// The bytes of the frame of `transaction`.
  func frameBytes(of transaction: Int) -> [UInt8] {
    let (start, end) = places[transaction - 1]
    return Array(file.bytes[geometry.fileOffset(of: start)..<geometry.fileOffset(of: end)])
  }

  /// What replay finds.
  struct Outcome {
    var frames: [TransactionNumber] = []
    var bodies: [[UInt8]] = []
    var error: StoreError?
    var missing: [ClosedRange<TransactionNumber>] = []
    var end: LogPosition?
    var newestSeen = TransactionNumber.zero
  }

  func replay(
    from start: LogPosition = .start, after durable: UInt64 = 0, salvage: Bool = false
  ) -> Outcome {
    var outcome = Outcome()
    do throws(StoreError) {
      var replay = try LogReplay(
        log, from: start, after: TransactionNumber(durable), salvage: salvage)
      do throws(StoreError) {
        while let frame = try replay.next() {
          outcome.frames.append(frame.transaction)
          outcome.bodies.append(Array(frame.body))
        }
      } catch {
        outcome.error = error
      }
      outcome.missing = replay.missing
      outcome.end = replay.endPosition
      outcome.newestSeen = replay.newestTransactionSeen
    } catch {
      outcome.error = error
    }
    return outcome
  }

  /// True where `outcome` is the first `bodies` in order, or stopped with an error after some.
  func isPrefix(_ outcome: Outcome) -> Bool {
    outcome.bodies == Array(bodies.prefix(outcome.bodies.count))
      && outcome.frames == (0..<outcome.bodies.count).map { TransactionNumber(UInt64($0 + 1)) }
  }
}
