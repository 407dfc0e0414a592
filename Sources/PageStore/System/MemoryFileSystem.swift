import CDexShim
import Glibc
import Synchronization

/// Files in memory, which only those see who share this object, and which go with it.
///
/// Each is a nameless file of the operating system, so mappings, locks and sizes are the real ones.
/// The names are this object's: plain strings, without folders or links. An open file outlives its
/// name. Where /proc is not mounted, two opens of one name share their locks, which therefore do not
/// conflict, and their right to write; all else works.
package final class MemoryFileSystem: FileSystem {
  private struct Entry {
    /// Keeps the file alive while it has a name.
    let file: PosixFile
    let linkCount: LinkCount
  }

  private let entries = Guarded<[String: Entry]>([:])
  private let machine = PosixFileSystem()
  /// Where databases are, if not in memory.
  private let folder: String?

  package init() { folder = nil }

  /// Files in memory, but for databases, which are files without a name in the file system that holds
  /// `folder`; nil where that has none, or gives them no name afterwards.
  ///
  /// That is tried with an empty file, which has the name `trialName`, a path in `folder` that nothing
  /// has, for a moment.
  package init?(databasesIn folder: String, trialName: String) {
    self.folder = folder
    // Safe: the name lives through the call.
    let descriptor = unsafe dex_open_nameless(folder, 0o600)
    if descriptor < 0 { return nil }
    let file = PosixFile(path: folder, descriptor: descriptor)
    defer { file.close() }
    // Without /proc, or where a policy forbids it, it gets none.
    do throws(StoreError) {
      try file.giveName(trialName)
      try machine.remove(trialName)
    } catch {
      return nil
    }
  }

  package var allowsBackgroundThreads: Bool { true }

  /// The machine's: what is in memory goes with its store, and a copy is to outlive it.
  package var copyTarget: any FileSystem { machine }

  // MARK: Names

  package func open(_ path: String, _ mode: OpenMode) throws(StoreError) -> any StoreFile {
    try withEntries { (entries) throws(StoreError) in
      var entry = entries[path]
      switch mode {
      case .readOnly, .readWrite:
        break
      case .createNew(let permissions):
        if entry != nil { throw .system(.open, path: path, errno: EEXIST) }
        entry = try create(path, permissions)
      case .openOrCreate(let permissions):
        if entry == nil { entry = try create(path, permissions) }
      }
      guard let entry else { throw .system(.open, path: path, errno: ENOENT) }
      let descriptor = try entry.file.reopen(writable: mode != .readOnly)
      entries[path] = entry
      return PosixFile(path: path, descriptor: descriptor, linkCount: entry.linkCount)
    }
  }

  private func create(
    _ path: String, _ permissions: UInt32
  ) throws(StoreError) -> Entry {
    let descriptor: Int32
    if let folder, path.hasSuffix(Self.creationSuffix) {
      // Safe: the name lives through the call.
      descriptor = unsafe dex_open_nameless(folder, permissions)
    } else {
      // Safe: the name lives through the call; it is only shown in /proc.
      descriptor = unsafe dex_open_memory("dex", permissions)
    }
    let count = LinkCount()
    let file = PosixFile(
      path: path, descriptor: try StoreError.checked(descriptor, .open, path), linkCount: count)
    return Entry(file: file, linkCount: count)
  }

  /// What the name ends in that a database has while it is created.
  package static let creationSuffix = "-new"

  /// Gives the database `path` the name `newPath` among the files of the machine, which it keeps.
  ///
  /// - Throws: `.system(.rename, …)`, with `EEXIST` where there is a file by that name.
  package func publish(_ path: String, as newPath: String) throws(StoreError) {
    try withEntries { (entries) throws(StoreError) in
      guard let entry = entries[path] else { throw .system(.rename, path: path, errno: ENOENT) }
      try entry.file.giveName(newPath)
    }
  }

  package func remove(_ path: String) throws(StoreError) {
    entries.withLock { $0.removeValue(forKey: path)?.linkCount.drop() }
  }

  package func rename(
    _ path: String, to newPath: String, replacing: Bool
  ) throws(StoreError) {
    try withEntries { (entries) throws(StoreError) in
      guard let entry = entries[path] else { throw .system(.rename, path: path, errno: ENOENT) }
      if path == newPath {
        if replacing { return }
        throw .system(.rename, path: newPath, errno: EEXIST)
      }
      if let replaced = entries[newPath] {
        guard replacing else { throw .system(.rename, path: newPath, errno: EEXIST) }
        replaced.linkCount.drop()
      }
      entries[newPath] = entry
      entries[path] = nil
    }
  }

  package func syncDirectory(of path: String) throws(StoreError) {}

  package func resolve(_ path: String) throws(StoreError) -> String { path }

  package func exists(_ path: String) throws(StoreError) -> Bool {
    entries.withLock { $0[path] != nil }
  }

  /// Calls `body` with the names, alone.
  private func withEntries<Value: Sendable>(
    _ body: (inout [String: Entry]) throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    try entries.withLock { (entries) throws(StoreError) in try body(&entries) }
  }

  // MARK: Processes and time

  package var processID: Int32 { machine.processID }
  package func isResponding(_ processID: Int32) -> Bool { machine.isResponding(processID) }
  package func nanoseconds() -> UInt64 { machine.nanoseconds() }
  package func random() -> UInt64 { machine.random() }

  package func wait(on word: SharedWord, while expected: UInt32, nanoseconds: UInt64) {
    machine.wait(on: word, while: expected, nanoseconds: nanoseconds)
  }

  package func wake(_ word: SharedWord) { machine.wake(word) }
}
