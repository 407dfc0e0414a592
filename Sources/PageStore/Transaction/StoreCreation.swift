/// How a database comes into being: whole, or not at all.
///
/// It is written beside its place under another name, synced, and given its name without replacing
/// anything; then the folder is synced. Of several processes that try at once, one does it.
struct StoreCreation {
  let path: String
  let options: StoreOptions
  let fileSystem: any FileSystem

  /// - Throws: `.alreadyExists` where there is a file by that name, or somebody else's by the name of
  ///   one that is to stand beside it.
  func run() throws(StoreError) {
    // The names of the files beside it are longer, and have to fit too.
    let name = path.utf8.reversed().prefix { $0 != UInt8(ascii: "/") }
    if name.count > StoreLimits.fileNameByteCount {
      throw .system(.open, path: path, errno: 36)  // ENAMETOOLONG
    }
    for (kind, name) in [
      (SideFile.log, StoreCore.logPath(of: path)), (.lock, StoreCore.lockPath(of: path)),
    ] where try !kind.isReplaceable(name, in: fileSystem) { throw .alreadyExists(path: name) }
    let file = try makeTemporary()
    do throws(StoreError) {
      try fill(file)
      try fileSystem.rename(temporary, to: path, replacing: false)
      try syncName(of: file)
      file.close()
    } catch {
      // What went wrong first is what the caller is told.
      do { try fileSystem.remove(temporary) } catch {}
      file.close()
      if case .system(.rename, _, 17) = error { throw .alreadyExists(path: path) }  // EEXIST
      throw told(error, as: path)
    }
  }

  /// The name that the file has until it is whole.
  private var temporary: String { path + MemoryFileSystem.creationSuffix }

  /// An empty file of that name, locked; one that a dead process has left is removed.
  ///
  /// Only who holds the lock of the file that has the name may rename or remove it.
  private func makeTemporary() throws(StoreError) -> any StoreFile {
    let start = fileSystem.nanoseconds()
    let word = WaitWord()
    while true {
      do throws(StoreError) {
        let file = try fileSystem.open(temporary, .createNew(permissions: options.permissions))
        do throws(StoreError) {
          if try isOurs(file) { return file }
        } catch {
          // Nobody else looks at it before it is locked.
          do { try fileSystem.remove(temporary) } catch {}
          file.close()
          throw error
        }
        file.close()
      } catch {
        guard case .system(.open, _, 17) = error else { throw told(error, as: path) }  // EEXIST
        try removeAbandoned()
      }
      if try fileSystem.exists(path) { throw .alreadyExists(path: path) }
      let waited = fileSystem.nanoseconds() - start
      if waited > options.busyTimeout.nanoseconds {
        throw .busy(path: path, holder: nil, milliseconds: Int(waited / 1_000_000))
      }
      fileSystem.wait(on: word.word, while: word.value, nanoseconds: 1_000_000)
    }
  }

  /// Removes the file of the temporary name, unless somebody is filling it.
  ///
  /// A creator that is killed leaves one; so does one that came second and is killed before it took
  /// its own away, which is why those who close look as well.
  func removeAbandoned() throws(StoreError) {
    // What is no file was not left by a creator, and is not ours to remove.
    if let kind = try fileSystem.kind(of: temporary), kind != .file {
      throw .alreadyExists(path: temporary)
    }
    let file: any StoreFile
    do throws(StoreError) {
      file = try fileSystem.open(temporary, .readWrite)
    } catch {
      if case .system(.open, _, 2) = error { return }  // ENOENT
      throw told(error, as: path)
    }
    defer { file.close() }
    guard try isOurs(file) else { return }
    guard try SideFile.creation.isOwn(file) else { throw .alreadyExists(path: temporary) }
    try fileSystem.remove(temporary)
  }

  /// Locks `file`; true where the lock was to be had, and the file still has the temporary name.
  private func isOurs(_ file: any StoreFile) throws(StoreError) -> Bool {
    guard try file.tryLock(StoreCore.Locks.door, .exclusive) else { return false }
    return try file.isNamed(temporary, in: fileSystem)
  }

  /// Makes the new name durable, or takes it away: one that may go with the next loss of power must
  /// not be found by anybody.
  private func syncName(of file: any StoreFile) throws(StoreError) {
    do throws(StoreError) {
      try fileSystem.syncDirectory(of: path)
    } catch {
      // Unless another process is there already, which syncs the folder itself.
      do throws(StoreError) {
        if try file.tryLock(StoreCore.Locks.presence, .exclusive) { try fileSystem.remove(path) }
      } catch {}
      throw error
    }
  }

  /// Says `path` for the temporary name, and says that a disk is full where it is.
  private func told(_ error: StoreError, as path: String) -> StoreError {
    guard case .system(let call, _, let errno) = error else { return error }
    if isDiskFull(errno) {
      return .diskFull(
        path: path, byteCount: Self.pageCount * options.pageByteCount, oldestReader: nil)
    }
    return .system(call, path: path, errno: errno)
  }

  /// How long a new database is, in pages: meta pages, the map, and the reserve.
  static let pageCount = 3 + 14

  private func fill(_ file: any StoreFile) throws(StoreError) {
    let pageByteCount = options.pageByteCount
    var bitmap = PageBitmap(pageCount: 3)
    bitmap.markUsed(PageID(2))
    let map = SpaceMap(
      bitmap: bitmap, pending: [], nextTableID: 1, highestTransaction: .zero, highestPageCount: 3
    ).encoded()
    let meta = MetaPage(
      identity: StoreIdentity(high: fileSystem.random(), low: fileSystem.random()),
      transaction: .zero, pageByteCount: pageByteCount, pageCount: 3, catalogRoot: .none,
      catalogChecksum: 0, catalogLevel: 0, mapPage: PageID(2), mapPageCount: 1,
      mapByteCount: map.count, mapChecksum: map.withBytes { Checksum.of($0) })
    try file.allocate(to: Self.pageCount * pageByteCount)
    for (bytes, page) in [(map, 2), (meta.bytes, 0), (meta.bytes, 1)] {
      try bytes.withBytes { bytes throws(StoreError) in
        // Safe: the bytes are lent for the call.
        try unsafe file.write(bytes.buffer, at: page * pageByteCount)
      }
    }
    try file.sync()
  }
}
