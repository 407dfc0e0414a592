/// How far a copy has come.
public struct CopyProgress: Equatable, Sendable {
  /// The table that is being copied.
  public var table: String
  /// The rows that were copied, of all tables.
  public var rowCount: Int
  /// The rows that there are.
  public var totalRowCount: Int
}

extension Store {
  /// Copies the newest state to a new database in a file at `path`, while readers and writers go on.
  ///
  /// See `Snapshot.copy(to:pageByteCount:progress:)`.
  public func backup(
    to path: String, pageByteCount: Int? = nil, progress: ((CopyProgress) -> Bool)? = nil
  ) throws(StoreError) {
    try snapshot().copy(to: path, pageByteCount: pageByteCount, progress: progress)
  }
}

extension Snapshot {
  /// Copies everything in the snapshot to a new database at `path`.
  ///
  /// The copy is a store of its own, with another identity, and as small as it can be. It is written
  /// under another name beside its place, read back and checked, made durable, and only then gets
  /// its name; nothing is ever replaced, and whatever fails, nothing is left behind. The copy of a
  /// store in memory is a file on disk as well.
  ///
  /// - Parameters:
  ///   - path: Where the copy is to be. Its folder must exist.
  ///   - pageByteCount: The size of the copy's pages; nil keeps that of the original.
  ///   - progress: Called now and then; false gives up, and `.cancelled` is thrown.
  /// - Throws: `.alreadyExists`, also where `path` leads to the original by whatever name;
  ///   `.diskFull`, `.corrupt`, `.cancelled`, `.invalidOption`, `.system`.
  public func copy(
    to path: String, pageByteCount: Int? = nil, progress: ((CopyProgress) -> Bool)? = nil
  ) throws(StoreError) {
    let core = pin.core
    var options = StoreOptions()
    options.pageByteCount = pageByteCount ?? pin.map.pageByteCount
    // The copy is its owner's to write, also where the original is not.
    options.permissions = try core.file.status().permissions & 0o666 | 0o600
    let target = try NewStoreFile(
      path, options: options, sourceByteCount: try core.file.byteCount(),
      fileSystem: core.fileSystem.copyTarget)
    if core.fileSystem.copyTarget === core.fileSystem {
      try target.refuse(sourcePath: core.path)
    }
    try target.write { transaction throws(StoreError) in
      try copyRows(into: &transaction, progress)
    }
  }

  private func copyRows(
    into transaction: inout WriteTransaction, _ progress: ((CopyProgress) -> Bool)?
  ) throws(StoreError) {
    var tables: [(name: String, rowCount: Int)] = []
    for name in try tableNames() { tables.append((name, try table(name).count)) }
    var state = CopyProgress(
      table: "", rowCount: 0, totalRowCount: tables.reduce(0) { $0 &+ $1.rowCount })
    for (name, _) in tables {
      state.table = name
      let copy = try transaction.createTable(name)
      let table = try table(name)
      var cursor = table.cursor()
      while try cursor.next() {
        try transaction.put(cursor.key, cursor.value, in: copy)
        state.rowCount += 1
        if state.rowCount % 1024 == 0, let progress, !progress(state) { throw .cancelled }
      }
      if let progress, !progress(state) { throw .cancelled }
    }
  }
}

/// A database that is written whole under a temporary name or none, and then gets its own.
struct NewStoreFile {
  let path: String
  private let temporaryPath: String
  private let options: StoreOptions
  private let fileSystem: any FileSystem
  /// Where it is written without a name, so that nothing is left of it if the process dies.
  private let nameless: MemoryFileSystem?

  /// How much memory the pages of the new database may take before they go into its file, in bytes.
  private static let bufferByteCount = 16 << 20

  /// - Parameters:
  ///   - path: Where the database is to be.
  ///   - options: How it is made.
  ///   - sourceByteCount: The size of the file that the rows come from, which tells how many
  ///     addresses the new one can need.
  ///   - fileSystem: Where the files are.
  /// - Throws: `.alreadyExists` where there is a file by that name.
  init(
    _ path: String, options: StoreOptions, sourceByteCount: Int, fileSystem: any FileSystem
  ) throws(StoreError) {
    self.path = try fileSystem.resolve(path)
    self.fileSystem = fileSystem
    let (folder, name) = self.path.splitAfterLastSlash
    // Whoever opens the copy makes files with longer names beside it.
    if name.utf8.count > StoreLimits.fileNameByteCount {
      throw .system(.open, path: self.path, errno: 36)  // ENAMETOOLONG
    }
    let ending = "-part-\(fileSystem.processID)-\(fileSystem.random() & 0xFFFF_FFFF)"
    temporaryPath =
      folder + name.beginning(byteCount: StoreLimits.fileNameByteCount - ending.utf8.count) + ending
    nameless =
      fileSystem is PosixFileSystem
      ? MemoryFileSystem(databasesIn: folder.isEmpty ? "." : folder, trialName: temporaryPath) : nil
    var options = options
    options.durability = .eventual(interval: .seconds(1 << 30))
    options.writeBufferByteCount = min(options.writeBufferByteCount, Self.bufferByteCount)
    options.maximumByteCount = nil
    options.reservedByteCount = min(
      options.reservedByteCount, max(1 << 32, sourceByteCount.nextPowerOfTwo << 4))
    options.trace = nil
    self.options = options
    if try fileSystem.exists(self.path) { throw .alreadyExists(path: self.path) }
  }

  /// Throws where the new database would take the place of a file of the one at `source`.
  func refuse(sourcePath source: String) throws(StoreError) {
    let names = [source, StoreCore.logPath(of: source), StoreCore.lockPath(of: source)]
    if names.contains(path) || names.contains(StoreCore.logPath(of: path))
      || names.contains(StoreCore.lockPath(of: path))
    {
      throw .alreadyExists(path: path)
    }
  }

  /// Fills the database by `body`, checks it, makes it durable, and gives it its name.
  func write<Result>(
    _ body: (inout WriteTransaction) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    do throws(StoreError) {
      let system: any FileSystem = nameless ?? fileSystem
      let store = try Store(path: temporaryPath, options: options, fileSystem: system)
      let result: Result
      do throws(StoreError) {
        result = try store.write(body)
      } catch {
        closeQuietly(store)
        throw error
      }
      try store.close()
      let report = try Store.check(path: temporaryPath, fileSystem: system)
      if let problem = report.problems.first { throw problem }
      try makeDurable(system)
      if let nameless {
        try nameless.publish(temporaryPath, as: path)
      } else {
        try fileSystem.rename(temporaryPath, to: path, replacing: false)
      }
      try syncName()
      return result
    } catch {
      removeAll()
      if case .system(.rename, _, 17) = error { throw .alreadyExists(path: path) }  // EEXIST
      throw told(error)
    }
  }

  /// Makes the new name durable, or takes it away: nobody must find one that may go with the power.
  private func syncName() throws(StoreError) {
    do throws(StoreError) {
      try fileSystem.syncDirectory(of: path)
    } catch {
      try fileSystem.remove(path)
      throw error
    }
  }

  private func makeDurable(_ system: any FileSystem) throws(StoreError) {
    let file = try system.open(temporaryPath, .readWrite)
    defer { file.close() }
    try file.sync()
  }

  /// Closes a store whose files are removed next.
  private func closeQuietly(_ store: Store) {
    do { try store.close() } catch {}
  }

  /// Removes what is left; what went wrong before is what the caller is told.
  private func removeAll() {
    if nameless != nil { return }
    for name in [
      temporaryPath, StoreCore.logPath(of: temporaryPath), StoreCore.lockPath(of: temporaryPath),
    ] {
      do { try fileSystem.remove(name) } catch {}
    }
  }

  /// Says `path` for the temporary name.
  private func told(_ error: StoreError) -> StoreError {
    switch error {
    case .diskFull(let found, let byteCount, _) where found.hasPrefix(temporaryPath):
      return .diskFull(path: path, byteCount: byteCount, oldestReader: nil)
    case .system(let call, let found, let errno) where found.hasPrefix(temporaryPath):
      if isDiskFull(errno) { return .diskFull(path: path, byteCount: 0, oldestReader: nil) }
      return .system(call, path: path, errno: errno)
    case .corrupt(var damage) where damage.path == temporaryPath:
      damage.path = path
      return .corrupt(damage)
    default:
      return error
    }
  }
}

extension String {
  /// What stands before the last name of the path, and that name.
  fileprivate var splitAfterLastSlash: (folder: String, name: String) {
    guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", self) }
    let start = utf8.index(after: slash)
    return (String(self[..<start]), String(self[start...]))
  }

  /// As many of the first characters as fit into `byteCount` bytes of UTF-8.
  fileprivate func beginning(byteCount: Int) -> String {
    var end = startIndex
    while end < endIndex {
      let next = index(after: end)
      if utf8.distance(from: startIndex, to: next) > byteCount { break }
      end = next
    }
    return String(self[..<end])
  }
}

extension Int {
  /// The least power of two that is not smaller, for numbers up to 2^56.
  fileprivate var nextPowerOfTwo: Int {
    let number = Swift.min(Swift.max(self, 1), 1 << 56)
    return 1 << (Int.bitWidth - (number - 1).leadingZeroBitCount)
  }
}
