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
    let isFirst = life.withLock { life in
      defer { if life == .open { life = .closing } }
      return life == .open
    }
    if !isFirst { return }
    // The keeper holds this object, so it must be let go of for either to end.
    let keeper = keeper.withLock { keeper in
      defer { keeper = nil }
      return keeper
    }
    keeper?.stop()
    var failure: StoreError?
    do throws(StoreError) {
      try gate.enter(deadline: .max)
      defer { gate.leave() }
      try leaveTenure()
    } catch {
      failure = error
    }
    if snapshotCount.load(ordering: .acquiring) == 0 { finishClosing() }
    if let failure { throw failure }
  }

  private func leaveTenure() throws(StoreError) {
    if unsafe writer == nil { return }
    if let poison = commits.withLock({ $0.poison }) {
      // Nothing may be written any more; the lock goes with the file, and the next one recovers.
      unsafe writer = nil
      throw poison
    }
    try endTenure()
  }

  /// Closes the files, once.
  func finishClosing() {
    let isLast = life.withLock { life in
      if life != .closing || snapshotCount.load(ordering: .acquiring) != 0 { return false }
      life = .closed
      return true
    }
    if !isLast { return }
    do throws(StoreError) {
      try leaveFiles()
    } catch {
      // What could not be tidied is tidied by the next one who opens the store.
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
    guard isBehindDoor, try file.tryLock(Locks.presence, .exclusive) else { return }
    // A lock file that stays tells the next one that what it sees may not be on the disk.
    if commits.withLock({ $0.poison != nil }) { return }
    try fileSystem.remove(lockPath)
    let metas = try readMetas()
    if access == .readWrite && metas.areEqual && metas.newest.logSalt == 0 {
      try fileSystem.remove(logPath)
    }
  }
}
