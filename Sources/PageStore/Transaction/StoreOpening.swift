internal import Synchronization

/// How a store is opened: found or created, locked, joined or started anew, recovered.
///
/// All of it happens behind the *door*, a lock that one process at a time holds. Whoever then gets
/// the *presence* lock exclusively is alone: nobody else has the store open, so what a lock file or
/// a log says is left from the past.
extension StoreCore {
  /// Opens the store at `path`.
  static func open(
    _ path: String, _ options: StoreOptions, _ fileSystem: any FileSystem
  ) throws(StoreError) -> StoreCore {
    try options.validate()
    let path = try fileSystem.resolve(path)
    let (file, isWritable) = try openMainFile(path, options, fileSystem)
    do throws(StoreError) {
      let meta = try firstMeta(of: file)
      let opening = StoreOpening(
        fileSystem: fileSystem, options: options, path: path, file: file, isWritable: isWritable,
        pageByteCount: meta.pageByteCount)
      return try opening.run()
    } catch {
      file.close()
      throw error
    }
  }

  /// Opens the main file, or creates it where that is wanted.
  private static func openMainFile(
    _ path: String, _ options: StoreOptions, _ fileSystem: any FileSystem
  ) throws(StoreError) -> (file: any StoreFile, isWritable: Bool) {
    while true {
      do throws(StoreError) {
        return (try fileSystem.openDatabase(path, .readWrite), true)
      } catch {
        guard case .system(.open, _, let errno) = error else { throw error }
        if errno == 2 && !options.isReadOnly && options.createsFile {  // ENOENT
          do throws(StoreError) {
            try StoreCreation(path: path, options: options, fileSystem: fileSystem).run()
          } catch {
            // Another process was faster, so there is one to open.
            if error == .alreadyExists(path: path) { continue }
            throw error
          }
          continue
        }
        if isRefusal(errno) && options.isReadOnly {
          return (try fileSystem.open(path, .readOnly), false)
        }
        throw error
      }
    }
  }

  /// A meta page of `file`, from which its page size can be told.
  static func firstMeta(of file: any StoreFile) throws(StoreError) -> MetaPage {
    if let meta = try MetaPair.read(file, at: 0) { return meta }
    for pageByteCount in StoreLimits.pageByteCounts {
      if let meta = try MetaPair.read(file, at: pageByteCount),
        meta.pageByteCount == pageByteCount
      {
        return meta
      }
    }
    for offset in [0] + StoreLimits.pageByteCounts {
      var start = [UInt8](repeating: 0, count: 16)
      let count: Int
      do throws(StoreError) {
        count = try file.read(into: &start, at: offset)
      } catch {
        if case .system(.read, _, let errno) = error {
          throw .corrupt(Damage(path: file.path, page: PageID(0), .unreadable(errno: errno)))
        }
        throw error
      }
      if count == 16 && Array(start[8...]) == MetaPage.magicBytes {
        throw .corrupt(Damage(path: file.path, .noMetaPage))
      }
    }
    throw .notADatabase(path: file.path, .file)
  }
}

/// One opening, from the open main file to a store that takes part.
private struct StoreOpening {
  let fileSystem: any FileSystem
  let options: StoreOptions
  let path: String
  let file: any StoreFile
  let isWritable: Bool
  let pageByteCount: Int

  typealias Locks = StoreCore.Locks

  func run() throws(StoreError) -> StoreCore {
    try lockDoor()
    // Where this throws, the file is closed next, and its locks go with it.
    let core = try isWritable ? takePart() : readUnregistered()
    try file.unlock(Locks.door)
    return core
  }

  /// Waits for the door.
  private func lockDoor() throws(StoreError) {
    let start = fileSystem.nanoseconds()
    let word = WaitWord()
    let limit = options.busyTimeout.nanoseconds
    while try !file.tryLock(Locks.door, isWritable ? .exclusive : .shared) {
      let waited = fileSystem.nanoseconds() - start
      if waited > limit {
        throw .busy(path: path, holder: nil, milliseconds: Int(waited / 1_000_000))
      }
      fileSystem.wait(on: word.word, while: word.value, nanoseconds: 1_000_000)
    }
  }

  // MARK: With a place in the lock file

  private func takePart() throws(StoreError) -> StoreCore {
    if try file.tryLock(Locks.presence, .exclusive) { return try startAlone() }
    if try !file.tryLock(Locks.presence, .shared) {
      // Somebody has the store for itself, since there is no room or no right for a lock file.
      if options.isReadOnly { return try readUnregistered() }
      throw .busy(path: path, holder: nil, milliseconds: 0)
    }
    return try join()
  }

  /// Starts the lock file anew; nobody else has the store open.
  private func startAlone() throws(StoreError) -> StoreCore {
    let metas = try MetaPair(file: file, pageByteCount: pageByteCount)
    let meta = metas.newest
    try checkLength(meta)
    let lockPath = StoreCore.lockPath(of: path)
    if try !mayMakeSideFiles(meta) {
      try file.unlock(Locks.presence)
      return try readUnregistered()
    }
    // Whoever closes a store removes its lock file. Recovery would write them again itself.
    let isAtRest = metas.areEqual && meta.logSalt == 0
    if isAtRest, try fileSystem.exists(lockPath) {
      if options.isReadOnly { try file.sync() } else { try rewrite(metas) }
    }
    // Whoever created the store may have died before its name was durable.
    if meta.transaction == .zero, !options.isReadOnly { try fileSystem.syncDirectory(of: path) }
    if let shared = try createLockFile(lockPath, meta) {
      do throws(StoreError) {
        return try finishAlone(shared, metas: metas, isShared: true)
      } catch {
        // Nobody else can have come in. After a failed write the lock file stays, and tells the next
        // one so; what kept the store from opening is what the caller is told.
        if case .system = error { throw error }
        do { try fileSystem.remove(lockPath) } catch {}
        throw error
      }
    }
    if options.isReadOnly {
      try file.unlock(Locks.presence)
      return try readUnregistered()
    }
    let lockFile = try MemoryFileSystem().open("lock", .openOrCreate(permissions: 0o600))
    return try finishAlone(try start(lockFile, meta, locks: file), metas: metas, isShared: false)
  }

  /// True where what has the names of the files beside the database may be replaced by them.
  ///
  /// - Throws: `.alreadyExists` where it is somebody else's, and this store is to write; one that only
  ///   reads can do without them.
  private func mayMakeSideFiles(_ meta: MetaPage) throws(StoreError) -> Bool {
    var names = [(SideFile.lock, StoreCore.lockPath(of: path))]
    // A log that the state needs is opened, and believed only if it is its own.
    if !options.isReadOnly && meta.logSalt == 0 {
      names.append((SideFile.log, StoreCore.logPath(of: path)))
    }
    for (kind, name) in names where try !kind.isReplaceable(name, in: fileSystem) {
      if options.isReadOnly { return false }
      throw .alreadyExists(path: name)
    }
    return true
  }

  /// A new lock file with the state of `meta`, or nil where there is no room or no right for one.
  ///
  /// A file that is there already is left from the past, and may be in use all the same: where the
  /// database that it belonged to was removed or given another name. So it is not written to.
  private func createLockFile(
    _ lockPath: String, _ meta: MetaPage
  ) throws(StoreError) -> SharedState? {
    do throws(StoreError) {
      let permissions = try file.status().permissions & 0o666
      let lockFile = try openNew(lockPath, permissions: permissions)
      do throws(StoreError) {
        return try start(lockFile, meta, locks: file)
      } catch {
        lockFile.close()
        try fileSystem.remove(lockPath)
        throw error
      }
    } catch {
      guard case .system(let call, _, let errno) = error, call != .map,
        isDiskFull(errno) || isRefusal(errno)
      else { throw error }
      return nil
    }
  }

  /// A new file of the name `lockPath`, in the place of an old one.
  private func openNew(
    _ lockPath: String, permissions: UInt32
  ) throws(StoreError) -> any StoreFile {
    do throws(StoreError) {
      return try fileSystem.open(lockPath, .createNew(permissions: permissions))
    } catch {
      guard case .system(.open, _, 17) = error else { throw error }  // EEXIST
    }
    try fileSystem.remove(lockPath)
    return try fileSystem.open(lockPath, .createNew(permissions: permissions))
  }

  /// Writes both meta pages again, after an opening that did not end well.
  ///
  /// The page cache may show one that never reached the disk, and then the disk may still have an
  /// older one, whose pages the newer one calls free.
  private func rewrite(_ metas: MetaPair) throws(StoreError) {
    for number in [metas.otherPage, 1 - metas.otherPage] {
      try file.write(metas.newest, toPage: number)
    }
  }

  private func start(
    _ lockFile: any StoreFile, _ meta: MetaPage, locks: any StoreFile
  ) throws(StoreError) -> SharedState {
    try SharedState.create(
      lockFile, locks: SharedState.Locks(file: locks, base: Locks.rows), system: fileSystem,
      identity: (meta.identity.high, meta.identity.low),
      state: TreeState(meta, nextTableID: 1).published, tip: meta.transaction)
  }

  /// Recovers where that is needed, and lets others in.
  private func finishAlone(
    _ shared: SharedState, metas: MetaPair, isShared: Bool
  ) throws(StoreError) -> StoreCore {
    let core = try makeCore(
      shared, metas: metas, access: options.isReadOnly ? .readOnly : .readWrite)
    if !metas.areEqual || metas.newest.logSalt != 0 {
      if options.isReadOnly {
        try core.replayInMemory(metas.newest)
      } else {
        try core.recoverNow()
      }
    }
    if isShared {
      _ = try file.tryLock(Locks.presence, .shared)
    }
    return core
  }

  /// Takes part in the lock file of those who have the store open.
  private func join() throws(StoreError) -> StoreCore {
    let lockPath = StoreCore.lockPath(of: path)
    let lockFile: any StoreFile
    do throws(StoreError) {
      lockFile = try fileSystem.open(lockPath, .readWrite)
    } catch {
      guard case .system(.open, _, let errno) = error else { throw error }
      if errno == 2 { throw .lockFileMissing(path: lockPath) }
      if isRefusal(errno) && options.isReadOnly {
        try file.unlock(Locks.presence)
        return try readUnregistered()
      }
      throw error
    }
    let metas = try MetaPair(file: file, pageByteCount: pageByteCount)
    let shared = try SharedState.attach(
      lockFile, locks: SharedState.Locks(file: file, base: Locks.rows), system: fileSystem,
      identity: (metas.newest.identity.high, metas.newest.identity.low))
    let core = try makeCore(
      shared, metas: metas, access: options.isReadOnly ? .readOnly : .readWrite)
    if core.access == .readWrite {
      try core.recoverIfAbandoned()
    } else if try shared.published().transaction == metas.newest.transaction {
      // Where all who are here only read, what a dead writer left in the log is still to be shown.
      _ = try replayIfAbandoned(core, metas)
    }
    return core
  }

  // MARK: Without

  /// Reads durable states only, with a lock that asks writers to keep them.
  ///
  /// Such a reader does not count as present: whoever comes next must still be able to find that it
  /// is alone, and to make a lock file.
  private func readUnregistered() throws(StoreError) -> StoreCore {
    guard try file.tryLock(Locks.unregistered, .shared) else {
      throw .busy(path: path, holder: nil, milliseconds: 0)
    }
    while true {
      let metas = try MetaPair(file: file, pageByteCount: pageByteCount)
      try checkLength(metas.newest)
      let memory = MemoryFileSystem()
      let lockFile = try memory.open("lock", .openOrCreate(permissions: 0o600))
      let core = try makeCore(
        try start(lockFile, metas.newest, locks: lockFile), metas: metas, access: .unregistered)
      if try replayIfAbandoned(core, metas) { return core }
    }
  }

  // MARK: Both

  /// Replays the log of `metas` in memory, where there is one and nobody is writing.
  ///
  /// - Returns: False where another process has recovered meanwhile.
  private func replayIfAbandoned(
    _ core: StoreCore, _ metas: MetaPair
  ) throws(StoreError) -> Bool {
    if metas.newest.logSalt == 0 {
      if !metas.areEqual { try core.makeVisible(nil) }
      return true
    }
    if try file.isLockedElsewhere(Locks.write, against: .exclusive) { return true }
    // Somebody who is here already may take the right and recover while this goes on; what is pinned
    // he leaves as it is.
    let pin = try core.slots.pin()
    defer { core.slots.unpin(pin) }
    if pin.state.transaction != metas.newest.transaction { return false }
    do throws(StoreError) {
      try core.replayInMemory(metas.newest)
      return true
    } catch {
      // Whoever recovered had no more use for the log.
      let now = try MetaPair(file: file, pageByteCount: pageByteCount).newest
      if now == metas.newest { throw error }
      return false
    }
  }

  private func makeCore(
    _ shared: SharedState, metas: MetaPair, access: StoreCore.Access
  ) throws(StoreError) -> StoreCore {
    let map = try PageMap(
      reserving: options.reservedByteCount, for: file, pageByteCount: pageByteCount)
    try map.checkRoom(forPages: metas.newest.pageCount)
    return StoreCore(
      fileSystem: fileSystem, options: options, path: path, identity: metas.newest.identity,
      file: file, map: map, shared: shared, slots: try ReaderSlots(shared), access: access,
      durable: TreeState(metas.newest, nextTableID: 1),
      published: TreeState(try shared.published()))
  }

  private func checkLength(_ meta: MetaPage) throws(StoreError) {
    let byteCount = try file.byteCount()
    if byteCount < meta.pageCount * pageByteCount {
      throw .corrupt(Damage(path: path, .truncated(byteCount: byteCount)))
    }
  }
}

/// True where `errno` says that the caller may not: EACCES, EROFS or EPERM.
func isRefusal(_ errno: Int32) -> Bool { errno == 13 || errno == 30 || errno == 1 }

extension StoreCore {
  /// Takes the right to write, and with it recovers what a dead process left.
  ///
  /// Where there is no room for that, the log is replayed in memory, and the store is for reading.
  func recoverNow() throws(StoreError) {
    do throws(StoreError) {
      try enterGate(isCancelled: nil)
      defer { gate.leave() }
      // Whoever only reads is not to keep others from writing.
      try endTenure()
    } catch {
      guard error.isWantOfRoom else { throw error }
      try replayInMemory(try readMetas().newest)
    }
  }

  /// Recovers where the one who had the right to write has died, and nobody has taken it since.
  func recoverIfAbandoned() throws(StoreError) {
    guard try file.tryLock(Locks.write, .exclusive) else { return }
    do throws(StoreError) {
      let metas = try readMetas()
      let isClean = metas.areEqual && metas.newest.logSalt == 0 && shared.holder == nil
      if isClean {
        try file.unlock(Locks.write)
        return
      }
      try gate.enter(.unlimited)
      defer { gate.leave() }
      // Safe: this thread is inside the gate, which guards the writer.
      unsafe writer = try beginTenure()
      try endTenure()
    } catch {
      guard error.isWantOfRoom else { throw error }
      try replayInMemory(try readMetas().newest)
    }
  }
}
