import PageStore

/// Files in memory for one input: mapped, locked and cut as real ones, but without threads of the
/// store's own, so that an input does the same each time.
final class FuzzFiles: FileSystem {
  private let files = MemoryFileSystem()
  private let numbers = Guarded<UInt64>(1)
  private let clock = Guarded<UInt64>(1)

  init() {}

  var allowsBackgroundThreads: Bool { false }

  /// Puts a file of these bytes at `path`, `byteCount` long where that is more.
  func place(_ path: String, _ bytes: [UInt8], byteCount: Int = 0) throws(StoreError) {
    let file = try files.open(path, .createNew(permissions: 0o600))
    defer { file.close() }
    try write(file, bytes, at: 0)
    if byteCount > bytes.count { try file.truncate(to: byteCount) }
  }

  /// Writes `bytes` at `offset` of the file at `path`.
  func write(_ path: String, _ bytes: [UInt8], at offset: Int) throws(StoreError) {
    let file = try files.open(path, .readWrite)
    defer { file.close() }
    try write(file, bytes, at: offset)
  }

  private func write(
    _ file: any StoreFile, _ bytes: [UInt8], at offset: Int
  ) throws(StoreError) {
    try bytes.span.bytes.withUnsafeBytes { (bytes) throws(StoreError) in
      try file.write(bytes, at: offset)
    }
  }

  /// The bytes of the file at `path`.
  func bytes(_ path: String) throws(StoreError) -> [UInt8] {
    let file = try files.open(path, .readOnly)
    defer { file.close() }
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: try file.byteCount(), alignment: 8)
    defer { buffer.deallocate() }
    let count = try file.read(into: buffer, at: 0)
    return Array(buffer[..<count])
  }

  func open(_ path: String, _ mode: OpenMode) throws(StoreError) -> any StoreFile {
    try files.open(path, mode)
  }
  func remove(_ path: String) throws(StoreError) { try files.remove(path) }
  func rename(_ path: String, to newPath: String, replacing: Bool) throws(StoreError) {
    try files.rename(path, to: newPath, replacing: replacing)
  }
  func syncDirectory(of path: String) throws(StoreError) {}
  func resolve(_ path: String) throws(StoreError) -> String { path }
  func exists(_ path: String) throws(StoreError) -> Bool { try files.exists(path) }

  var processID: Int32 { files.processID }
  func isResponding(_ processID: Int32) -> Bool { files.isResponding(processID) }
  func nanoseconds() -> UInt64 {
    clock.withLock { clock in
      clock += 1000
      return clock
    }
  }
  func random() -> UInt64 {
    numbers.withLock { number in
      number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return number
    }
  }
  /// Takes no time, but on the clock.
  func wait(on word: SharedWord, while expected: UInt32, nanoseconds: UInt64) {
    clock.withLock { $0 &+= min(nanoseconds, 1 << 40) }
  }
  func wake(_ word: SharedWord) { files.wake(word) }
}
