internal import Synchronization

/// A process's time with the right to write: how it is taken, and handed over to whoever asks.
///
/// The right is a lock on a byte of the main file. A tenure begins from the durable meta page and
/// ends with a checkpoint into it, so the next one, in whatever process, finds there all it needs. A
/// holder that died leaves its name or its log behind; then the tenure begins with recovery.
extension StoreCore {
  /// Goes inside the gate, with the right to write.
  ///
  /// - Parameters:
  ///   - isCancelled: Asked while waiting; true ends it.
  ///   - wait: The wait that this is a part of; nil begins one of the options' time.
  /// - Throws: `.readOnly`, `.busy`, `.nestedWrite`, `.cancelled`, and what a recovery throws.
  func enterGate(
    isCancelled: (@Sendable () -> Bool)?, wait: WaitTime? = nil
  ) throws(StoreError) {
    try checkOpen()
    guard access == .readWrite else { throw .readOnly(path: path) }
    let wait = wait ?? waitTime()
    do throws(StoreError) {
      try gate.enter(wait, isCancelled: isCancelled)
    } catch {
      guard case .busy(let path, let holder, let milliseconds) = error else { throw error }
      // Who is inside may itself be waiting for another process.
      throw .busy(path: path, holder: shared.holder ?? holder, milliseconds: milliseconds)
    }
    do throws(StoreError) {
      try checkOpen()
      try checkNotPoisoned()
      // Safe: this thread is inside the gate, which guards the writer.
      if unsafe writer != nil && isHandOverDue { try endTenureWhereRoom() }
      if unsafe writer == nil {
        // The keeper must be there before the right is: it hands it over.
        try keeper.withLock { $0 }?.start()
        try takeRight(wait, isCancelled: isCancelled)
        unsafe writer = try beginTenure()
      }
    } catch {
      gate.leave()
      throw error
    }
  }

  /// Takes the lock that is the right to write, asking its holder for it.
  private func takeRight(
    _ wait: WaitTime, isCancelled: (@Sendable () -> Bool)?
  ) throws(StoreError) {
    try letOthersGoFirst(deadline: wait.deadline)
    while true {
      let heard = shared.handedOverCount
      if try file.tryLock(Locks.write, .exclusive) { return }
      if let isCancelled, isCancelled() { throw .cancelled }
      let now = fileSystem.nanoseconds()
      if now >= wait.deadline {
        throw .busy(path: path, holder: shared.holder, milliseconds: wait.milliseconds(at: now))
      }
      shared.askForRight()
      fileSystem.wait(
        on: shared.handedOverWord, while: heard, nanoseconds: min(wait.deadline - now, 2_000_000))
    }
  }

  /// Waits until the process that was given the right has taken it, or has had the time to.
  ///
  /// Without this, a process that writes all the time would have it back before anyone woke up.
  private func letOthersGoFirst(deadline: UInt64) throws(StoreError) {
    let given = handedOverAt.exchange(0, ordering: .relaxed)
    if given == 0 { return }
    let end = min(deadline, given + Self.headStart)
    let word = WaitWord()
    while fileSystem.nanoseconds() < end {
      if try file.isLockedElsewhere(Locks.write, against: .exclusive) { return }
      fileSystem.wait(on: word.word, while: word.value, nanoseconds: 100_000)
    }
  }

  /// How long a process that handed the right over leaves it to others, in nanoseconds.
  private static let headStart: UInt64 = 5_000_000

  /// How long a process that keeps writing may have the right while others want it, in nanoseconds.
  private static let shareOfTime: UInt64 = 30_000_000

  /// True where others want the right, and this process has had its share.
  ///
  /// The keeper hands the right over as soon as nobody is inside the gate; where threads follow each
  /// other so closely that it never finds the gate free, the next one to enter does it.
  private var isHandOverDue: Bool {
    guard shared.isRightWanted else { return false }
    let begun = tenureBegan.load(ordering: .relaxed)
    return fileSystem.nanoseconds() >= begun + Self.shareOfTime
  }

  /// Begins a tenure; the lock is held.
  func beginTenure() throws(StoreError) -> Writer {
    tenureBegan.store(fileSystem.nanoseconds(), ordering: .relaxed)
    do throws(StoreError) {
      let metas = try readMetas()
      let isClean = metas.areEqual && metas.newest.logSalt == 0 && shared.holder == nil
      let writer: Writer
      if isClean {
        writer = try makeWriter(
          from: metas.newest, try durableSpaceMap(of: metas.newest), recovery: nil)
        shared.setHolder(slots)
      } else {
        shared.setHolder(slots)
        writer = try recover(from: metas)
      }
      trace(.tenure(isHeld: true))
      return writer
    } catch {
      // A reader may be having a state published that recovery had made.
      _ = waitUntilQuiet(deadline: .max)
      try file.unlock(Locks.write)
      throw error
    }
  }

  /// A writer that goes on from the durable state `meta`.
  ///
  /// With a number for `recovery`, a holder has died. Whatever the map calls free or pending may then
  /// belong to states that the holder published, and that a reader still sees: it ends at recovery,
  /// and what was free was born after the durable state, for all that is known.
  func makeWriter(
    from meta: MetaPage, _ spaceMap: SpaceMap, recovery: TransactionNumber?
  ) throws(StoreError) -> Writer {
    let filePageCount = try map.filePageCount()
    let scan = try shared.scanReaders()
    let published = scan.published
    let state = TreeState(meta, nextTableID: UInt32(clamping: spaceMap.nextTableID))
    let living = LivingStates(
      scan.pins + [meta.transaction, published.transaction])
    var waiting = spaceMap.pending
    var bitmap = spaceMap.bitmap
    if let recovery {
      for index in waiting.indices { waiting[index].end = max(waiting[index].end, recovery) }
      bitmap.extend(to: filePageCount)
      let birth = meta.transaction.next
      // Where there is no number between the two, nothing was published in between.
      for range in bitmap.freeRanges where birth < recovery {
        waiting.append(
          PendingPage(
            first: PageID(UInt32(range.lowerBound)), pageCount: UInt32(range.count),
            birth: birth, end: recovery))
      }
      for page in waiting[spaceMap.pending.count...] { bitmap.markUsed(page.indices) }
    }
    let isHeld = try file.isLockedElsewhere(Locks.unregistered, against: .exclusive)
    let pages = PageWriter(
      map: map, bitmap: bitmap, buffers: PageBuffers(pageByteCount: map.pageByteCount))
    pages.setPageEnd(meta.pageCount)
    try pages.retire(meta.mapPage.index..<meta.mapPage.index + meta.mapPageCount)
    for page in waiting { try pages.retire(page.indices) }
    let writer = Writer(
      pages: pages,
      pending: PendingPages(waiting, living: living, held: isHeld ? meta.transaction : nil),
      base: state,
      mapRun: PageRun(
        first: meta.mapPage, pageCount: meta.mapPageCount, birth: meta.transaction),
      filePageCount: filePageCount)
    commits.withLock { commits in
      commits.tip = state
      commits.published = state
      commits.checkpointed = state
      commits.durable = state.transaction
      commits.tail = nil
      commits.log = nil
      commits.unregisteredStates = []
      commits.wantsCheckpoint = false
    }
    return writer
  }

  /// The map of space of `meta`, where this process has addresses for all pages of the state.
  func durableSpaceMap(of meta: MetaPage) throws(StoreError) -> SpaceMap {
    try map.checkRoom(forPages: meta.pageCount)
    return try map.spaceMap(of: meta, filePageCount: try map.filePageCount())
  }

  /// Both meta pages, as far as they can be read.
  func readMetas() throws(StoreError) -> MetaPair {
    try MetaPair(file: file, pageByteCount: map.pageByteCount)
  }

  /// Ends the tenure, unless the disk is too full for the checkpoint that this needs: then the process
  /// stays the holder, and may go on to delete something.
  private func endTenureWhereRoom() throws(StoreError) {
    do throws(StoreError) {
      try endTenure()
    } catch {
      switch error {
      case .diskFull, .fileTooLarge:
        // As long as another share of time.
        tenureBegan.store(fileSystem.nanoseconds(), ordering: .relaxed)
      default: throw error
      }
    }
  }

  /// Ends the tenure: makes everything durable, ends the log, and gives the right back.
  ///
  /// The caller is inside the gate.
  func endTenure() throws(StoreError) {
    // Safe: the caller is inside the gate, which guards the writer.
    guard let writer = unsafe writer else { return }
    try waitForCheckpoint()
    let (isCurrent, log) = commits.withLock { commits in
      (
        commits.checkpointed.transaction == commits.tip.transaction && commits.log == nil,
        commits.log
      )
    }
    if !isCurrent { try checkpointInside(writer, log: .end) }
    collect(writer)
    if let log {
      commits.withLock { commits in
        commits.log = nil
        commits.tail = nil
        commits.wantsCheckpoint = false
      }
      try removeLog(log)
    }
    writer.dropPrivatePages()
    if life.withLock({ $0 }) != .open { trimFile(writer) }
    unsafe self.writer = nil
    try giveRightBack()
    trace(.tenure(isHeld: false))
  }

  /// Closes `log`, which is of no more use, and removes it.
  func removeLog(_ log: LogFile) throws(StoreError) {
    if try isStillNamed() {
      try log.remove(from: fileSystem)
    } else {
      log.close()
    }
  }

  /// Frees the lock, and only then wakes those who wait for it.
  private func giveRightBack() throws(StoreError) {
    if shared.isRightWanted { handedOverAt.store(fileSystem.nanoseconds(), ordering: .relaxed) }
    shared.clearHolder()
    try file.unlock(Locks.write)
    shared.announceHandOver()
  }

  /// Hands the right over to whoever asked for it, between two transactions.
  ///
  /// While this process goes on writing it first takes its share of time: a hand-over costs as much
  /// as many commits.
  ///
  /// - Parameter patience: How long to wait for the gate, and for those who still write where the
  ///   store is poisoned, in nanoseconds. The caller tries again.
  /// - Throws: `.busy` where the gate is taken for so long.
  func handOver(patience: UInt64) throws(StoreError) {
    let word = WaitWord()
    var tip = commits.withLock { $0.tip.transaction }
    while fileSystem.nanoseconds() < tenureBegan.load(ordering: .relaxed) + Self.shareOfTime {
      fileSystem.wait(on: word.word, while: word.value, nanoseconds: 1_000_000)
      let (newTip, isBusy) = commits.withLock { commits in
        (commits.tip.transaction, commits.hasLeader || commits.checkpointing != nil)
      }
      if newTip == tip && !isBusy && !gate.isOccupied { break }
      tip = newTip
    }
    try gate.enter(waitTime(nanoseconds: patience))
    defer { gate.leave() }
    // While the gate was waited for, another thread may have done it.
    // Safe: this thread is inside the gate, which guards the writer.
    if unsafe writer == nil || !shared.isRightWanted { return }
    if commits.withLock({ $0.poison != nil }) {
      // A poisoned holder gives the right up as it is; the next one recovers.
      guard waitUntilQuiet(deadline: fileSystem.nanoseconds() + patience) else { return }
      unsafe writer = nil
      try file.unlock(Locks.write)
      shared.announceHandOver()
      return
    }
    try endTenureWhereRoom()
  }
}
