internal import Synchronization

/// The way of a write transaction: in through the gate, to a commit or a rollback, and out.
extension StoreCore {
  /// Begins a transaction; the caller is inside the gate.
  func begin() throws(StoreError) -> Writer {
    // Safe: the caller is inside the gate, which guards the writer.
    guard let writer = unsafe writer else { preconditionFailure("a tenure has begun") }
    collect(writer)
    let number = writer.base.transaction.next
    if number >= .limit {
      throw .corrupt(Damage(path: path, .field("transaction", number.rawValue)))
    }
    writer.begin(number, living: try livingStates(writer))
    writer.frameLimit = commits.withLock { commits in
      min((commits.tail?.currentHalfByteCount ?? 0) / 4, LogFrame.maximumBodyByteCount)
    }
    return writer
  }

  /// The states that somebody sees or may come to see.
  ///
  /// Published is read before the readers are looked for: a reader that pins later pins that state
  /// or a newer one, and all newer ones are this process's own.
  func livingStates(_ writer: Writer) throws(StoreError) -> LivingStates {
    var (states, unregistered) = commits.withLock { commits in
      var states = [
        commits.tip.transaction, commits.published.transaction, commits.checkpointed.transaction,
      ]
      if let sealed = commits.sealed { states.append(sealed.transaction) }
      if let checkpointing = commits.checkpointing { states.append(checkpointing.transaction) }
      return (states, commits.unregisteredStates)
    }
    if !writer.pending.isEmpty {
      let scan = try shared.scanReaders()
      states += scan.pins
      states.append(scan.published.transaction)
    }
    if !unregistered.isEmpty || writer.pending.isHeld {
      if try file.isLockedElsewhere(Locks.unregistered, against: .exclusive) {
        states += unregistered
      } else {
        // A checkpoint may have added one meanwhile, for a reader that has come since.
        let count = unregistered.count
        unregistered = []
        commits.withLock { $0.unregisteredStates.removeFirst(count) }
        if writer.pending.isHeld { writer.pending.endHold() }
      }
    }
    return LivingStates(states)
  }

  /// Commits the transaction in `writer`; the caller is inside the gate.
  ///
  /// - Returns: The number to wait for, or nil where there is nothing to wait for.
  /// - Throws: Whatever kept it from being committed; it has been rolled back then.
  func commit(_ writer: Writer) throws(StoreError) -> TransactionNumber? {
    do throws(StoreError) {
      try checkProcess()
    } catch {
      writer.rollBack()
      throw error
    }
    if !writer.hasChanges {
      writer.rollBack()
      return nil
    }
    do throws(StoreError) {
      let state = try writer.close()
      let usesReserve = try reserveFile(for: writer)
      if !usesReserve, try commitThroughLog(state, writer) {
        return state.transaction
      }
      try commitByCheckpoint(state, writer)
      return nil
    } catch {
      if writer.base.transaction < writer.pages.transaction { writer.rollBack() }
      if error.isWantOfRoom { wantCheckpoint() }
      throw error
    }
  }

  /// Has a checkpoint made soon, which frees the pages that only the older durable state needs.
  private func wantCheckpoint() {
    commits.withLock { $0.wantsCheckpoint = true }
    keeper.withLock { $0 }?.nudge()
  }

  private func commitThroughLog(
    _ state: TreeState, _ writer: Writer
  ) throws(StoreError) -> Bool {
    if writer.needsCheckpoint { return false }
    guard try append(state, of: writer) else { return false }
    writer.finish(state)
    return true
  }

  /// Commits the transaction by making it the durable state: where it is too large for the log, where
  /// there is no log yet, and where the log has no room.
  private func commitByCheckpoint(
    _ state: TreeState, _ writer: Writer
  ) throws(StoreError) {
    try waitForCheckpoint()
    let mapRun = try placeMap(writer)
    let plan: LogPlan
    do throws(StoreError) {
      plan = try logPlan(writer)
    } catch {
      writer.pages.free(mapRun)
      throw error
    }
    writer.finish(state)
    commits.withLock { $0.tip = state }
    shared.raiseTip(to: state.transaction)
    let checkpoint = try planCheckpoint(
      writer, mapRun: mapRun, log: plan, publishesEarly: false)
    try runCheckpoint(checkpoint)
    if case .start(let log) = plan {
      commits.withLock { commits in
        commits.log = log
        commits.tail = LogTail(salt: log.salt, geometry: log.geometry)
      }
    }
    collect(writer)
    writer.hasCommitted = true
    trace(.commit(state.transaction, frameByteCount: 0))
  }

  /// What becomes of the log: the first commit of a tenure needs none, the second makes one.
  ///
  /// Where there is no room for a log, every commit is a checkpoint.
  private func logPlan(_ writer: Writer) throws(StoreError) -> LogPlan {
    if commits.withLock({ $0.log != nil }) { return .keep }
    if !writer.hasCommitted { return .end }
    // Beside a name that leads elsewhere, a log would not be found again.
    if try !isStillNamed() { return .end }
    if try !SideFile.log.isReplaceable(logPath, in: fileSystem) { return .end }
    do throws(StoreError) {
      try fileSystem.remove(logPath)
      return .start(
        try LogFile.create(
          in: fileSystem, path: logPath, identity: identity, salt: LogSalt(fileSystem.random() | 1),
          permissions: try file.status().permissions & 0o666, geometry: logGeometry))
    } catch {
      if case .system(_, _, let errno) = error, isDiskFull(errno) { return .end }
      throw error
    }
  }

  /// Does what is due after a commit, where no thread of the store's own does it.
  ///
  /// The commit has succeeded, so that a checkpoint fails is not its error: the next one tries again,
  /// or is told of the poison.
  func settleAfterCommit() throws(StoreError) {
    let (wantsCheckpoint, isEager) = commits.withLock {
      ($0.wantsCheckpoint, $0.privateByteCount > 16 << 20)
    }
    if options.durability != .immediate && isEager { try publishTip() }
    if !wantsCheckpoint { return }
    if fileSystem.allowsBackgroundThreads {
      keeper.withLock { $0 }?.nudge()
    } else {
      do throws(StoreError) { try checkpoint() } catch {}
    }
  }
}
