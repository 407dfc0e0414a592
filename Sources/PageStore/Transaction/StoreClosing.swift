internal import CDexShim
internal import Synchronization

/// How a store is left: durable, with the right to write given back, and as one file where nobody
/// else has it open.
extension StoreCore {
  /// Closes the store for its owner.
  ///
  /// Snapshots that are open read on; the last one closes the files.
  ///
  /// - Throws: What kept the last commits from becoming durable; the store is closed all the same.
  func close() throws(StoreError) {
    if dex_fork_generation() != generation { throw .forked(path: path) }
    // The thread that is to be waited for may be waiting for this one.
    if gate.isInside { throw .nestedWrite(path: path) }
    let isFirst = life.withLock { life in
      defer { if life == .open { life = .closing } }
      return life == .open
    }
    if !isFirst { return }
    let keeper = keeper.withLock { keeper in
      // The keeper refers to us, so we let go of it.
      defer { keeper = nil }
      return keeper
    }
    keeper?.stop()
    var failure: StoreError?
    do throws(StoreError) {
      try gate.enter(.unlimited)
      defer { gate.leave() }
      try leaveTenure()
    } catch {
      failure = error
    }
    life.withLock { $0 = .left }
    finishClosing()
    if let failure { throw failure }
  }

  private func leaveTenure() throws(StoreError) {
    // Safe: the caller is inside the gate, which guards the writer.
    if unsafe writer == nil { return }
    if let poison = commits.withLock({ $0.poison }) {
      // Nothing may be written any more; the lock goes with the file, and the next one recovers.
      _ = waitUntilQuiet(deadline: .max)
      unsafe writer = nil
      throw poison
    }
    do throws(StoreError) {
      try endTenure()
    } catch {
      // A sync of the log needs no room, and is all that commits need which were not awaited.
      if error.isWantOfRoom { try syncTip() }
      throw error
    }
  }

  /// Notes that a snapshot is gone, or was never opened; the last one of a store that its owner has
  /// left closes the files.
  func releaseSnapshot() {
    if snapshotCount.subtract(1, ordering: .sequentiallyConsistent).newValue == 0 {
      finishClosing()
    }
  }

  /// Closes the files, once, when the owner has left and nobody reads.
  private func finishClosing() {
    let isLast = life.withLock { life in
      if life != .left || snapshotCount.load(ordering: .sequentiallyConsistent) != 0 {
        return false
      }
      life = .closed
      return true
    }
    if !isLast { return }
    do throws(StoreError) {
      try leaveFiles()
    } catch {
      // What could not be tidied is tidied by the next one who opens the store.
    }
    // Where the file is mapped through this very open file, for want of another descriptor or of
    // /proc, its locks would not go before the mapping does.
    for lock in [Locks.door, Locks.presence, Locks.write, Locks.unregistered] {
      do throws(StoreError) { try file.unlock(lock) } catch {}
    }
    file.close()
  }

  /// Gives the rows back, and removes the side files where nobody else has the store open.
  private func leaveFiles() throws(StoreError) {
    guard access != .unregistered else { return }
    let word = WaitWord()
    var isBehindDoor = false
    for _ in 0..<1000 {
      isBehindDoor = try file.tryLock(Locks.door, .exclusive)
      if isBehindDoor { break }
      fileSystem.wait(on: word.word, while: word.value, nanoseconds: 1_000_000)
    }
    try slots.close()
    guard isBehindDoor, try file.tryLock(Locks.presence, .exclusive), try isStillNamed() else {
      return
    }
    // A lock file that stays tells the next one that what it sees may not be on the disk.
    if commits.withLock({ $0.poison != nil }) { return }
    try fileSystem.remove(lockPath)
    let metas = try readMetas()
    if access == .readWrite && metas.areEqual && metas.newest.logSalt == 0,
      try SideFile.log.isReplaceable(logPath, in: fileSystem)
    {
      try fileSystem.remove(logPath)
    }
    try StoreCreation(path: path, options: options, fileSystem: fileSystem).removeAbandoned()
  }

  /// True where the path leads to the file that this store has open.
  ///
  /// Where the database was removed or given another name, what stands beside the path may belong to
  /// another one, and is not ours to touch.
  func isStillNamed() throws(StoreError) -> Bool { try file.isNamed(path, in: fileSystem) }
}

extension StoreFile {
  /// True where `path` leads to this very file.
  func isNamed(_ path: String, in fileSystem: any FileSystem) throws(StoreError) -> Bool {
    let named: any StoreFile
    do throws(StoreError) {
      named = try fileSystem.open(path, .readOnly)
    } catch {
      if case .system(.open, _, 2) = error { return false }  // ENOENT
      throw error
    }
    defer { named.close() }
    let (ours, theirs) = (try status(), try named.status())
    return ours.device == theirs.device && ours.inode == theirs.inode
  }
}
