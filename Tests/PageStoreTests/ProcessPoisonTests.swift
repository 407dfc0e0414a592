import Glibc
import PageStore
import ProbeModel
import Synchronization
import Testing

extension ProcessTests {
  /// A process whose disk has failed, among others whose disk has not.
  @Suite struct `A poisoned store` {
    @Test(arguments: [nil, 20])
    func `does not keep others from writing`(interval: Int?) throws {
      let folder = try TestFolder()
      let system = FailingFileSystem()
      var options = StoreOptions()
      if let interval { options.durability = .eventual(interval: .milliseconds(interval)) }
      let store = try Store(path: folder.database, options: options, fileSystem: system)
      for _ in 0..<5 { _ = try store.write(ProbeHistory.step) }
      try store.sync()
      system.failsSyncs.store(true, ordering: .relaxed)
      let error = storeError {
        _ = try store.write(ProbeHistory.step)
        try store.sync()
      }
      guard case .system(.sync, _, EIO) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      // Nothing is written any more, though the disk says that it is well again; reading goes on.
      system.failsSyncs.store(false, ordering: .relaxed)
      let second = storeError { _ = try store.write(ProbeHistory.step) }
      guard case .poisoned = second else {
        Issue.record("\(String(describing: second))")
        return
      }
      let seen = try store.read { (snapshot) throws(StoreError) in
        try ProbeHistory.count(in: snapshot)
      }
      #expect((5...6).contains(seen))

      // Another process recovers, beside it: the last commit is there or not.
      let process = try ProbeProcess("write", folder.database, "count=2")
      #expect(process.wait() == .exited(0), "\(process.lines)")
      #expect((7...8).contains(process.newestNumber))
      let later = try store.read { (snapshot) throws(StoreError) in
        try ProbeHistory.count(in: snapshot)
      }
      #expect(later == process.newestNumber)
      let third = storeError { try store.close() }
      if let third, case .poisoned = third {
      } else if third != nil {
        Issue.record("\(String(describing: third))")
      }
      #expect(try folder.check() == process.newestNumber)
      #expect(folder.names == ["a.db"])
    }
  }
}

/// The file system of the machine, whose syncs can be made to fail, and which may refuse to let lock
/// files be written.
final class FailingFileSystem: FileSystem {
  let failsSyncs = Atomic(false)
  let refusesLockFiles = Atomic(false)
  private let system = PosixFileSystem()

  func open(_ path: String, _ mode: OpenMode) throws(StoreError) -> any StoreFile {
    if refusesLockFiles.load(ordering: .relaxed) && mode != .readOnly && path.hasSuffix("-lock") {
      throw .system(.open, path: path, errno: EACCES)
    }
    return FailingFile(try system.open(path, mode), self)
  }
  func remove(_ path: String) throws(StoreError) { try system.remove(path) }
  func rename(_ path: String, to newPath: String, replacing: Bool) throws(StoreError) {
    try system.rename(path, to: newPath, replacing: replacing)
  }
  func syncDirectory(of path: String) throws(StoreError) { try system.syncDirectory(of: path) }
  func resolve(_ path: String) throws(StoreError) -> String { try system.resolve(path) }
  func exists(_ path: String) throws(StoreError) -> Bool { try system.exists(path) }
  var processID: Int32 { system.processID }
  func isResponding(_ processID: Int32) -> Bool { system.isResponding(processID) }
  func nanoseconds() -> UInt64 { system.nanoseconds() }
  func random() -> UInt64 { system.random() }
  func wait(on word: SharedWord, while expected: UInt32, nanoseconds: UInt64) {
    system.wait(on: word, while: expected, nanoseconds: nanoseconds)
  }
  func wake(_ word: SharedWord) { system.wake(word) }
  var allowsBackgroundThreads: Bool { true }
}

/// A file of it.
private final class FailingFile: StoreFile {
  private let file: any StoreFile
  private let system: FailingFileSystem

  init(_ file: any StoreFile, _ system: FailingFileSystem) {
    self.file = file
    self.system = system
  }

  var path: String { file.path }
  func byteCount() throws(StoreError) -> Int { try file.byteCount() }
  func status() throws(StoreError) -> FileStatus { try file.status() }
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(StoreError) -> Int {
    try file.read(into: buffer, at: offset)
  }
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(StoreError) {
    try file.write(bytes, at: offset)
  }
  func sync() throws(StoreError) {
    if system.failsSyncs.load(ordering: .relaxed) {
      throw .system(.sync, path: path, errno: EIO)
    }
    try file.sync()
  }
  func truncate(to byteCount: Int) throws(StoreError) { try file.truncate(to: byteCount) }
  func allocate(to byteCount: Int) throws(StoreError) { try file.allocate(to: byteCount) }
  func map(byteCount: Int, writable: Bool) throws(StoreError) -> any FileMapping {
    try file.map(byteCount: byteCount, writable: writable)
  }
  func tryLock(_ byte: LockByte, _ kind: LockKind) throws(StoreError) -> Bool {
    try file.tryLock(byte, kind)
  }
  func unlock(_ byte: LockByte) throws(StoreError) { try file.unlock(byte) }
  func isLockedElsewhere(_ byte: LockByte, against kind: LockKind) throws(StoreError) -> Bool {
    try file.isLockedElsewhere(byte, against: kind)
  }
  func close() { file.close() }
}
