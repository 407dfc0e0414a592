internal import CDexShim
internal import Glibc
internal import Synchronization

/// How commits become durable and visible: the log, group commit and publication.
///
/// A commit appends its frame and lets the next writer in. Whoever then waits and finds nobody
/// leading becomes the leader: it seals the tip, writes the log up to it, syncs, writes the tip's
/// pages and publishes them. So publication follows the sync, precedes the acknowledgement, and
/// never goes back: there is one leader at a time, and each seals a newer tip.
extension StoreCore {
  /// Appends the frame of the transaction in `writer` whose state is `state`.
  ///
  /// - Returns: False where the log has no room, and the commit needs a checkpoint.
  func append(
    _ state: TreeState, of writer: Writer
  ) throws(StoreError) -> Bool {
    let frameByteCount = writer.operations.byteCount
    let isAppended = try commits.withLock { commits throws(StoreError) in
      if let poison = commits.poison { throw poison }
      guard var tail = commits.tail else { return false }
      commits.tail = nil
      defer { commits.tail = tail }
      if !tail.append(
        transaction: state.transaction, durable: commits.durable, operations: writer.operations)
      {
        guard tail.canSwitch else { return false }
        tail.switchHalf()
        commits.wantsCheckpoint = true
        if !tail.append(
          transaction: state.transaction, durable: commits.durable, operations: writer.operations)
        {
          return false
        }
      }
      commits.tip = state
      commits.openGroupCount += 1
      commits.privateByteCount = writer.pages.buffers.lentByteCount
      if commits.oldestUnsynced == nil { commits.oldestUnsynced = fileSystem.nanoseconds() }
      return true
    }
    if isAppended {
      shared.raiseTip(to: state.transaction)
      trace(.commit(state.transaction, frameByteCount: frameByteCount))
    }
    return isAppended
  }

  /// Returns once `transaction` is durable and visible.
  func waitUntilDurable(_ transaction: TransactionNumber) throws(StoreError) {
    while try becomeLeader(unless: { commits in
      commits.durable >= transaction && commits.published.transaction >= transaction
    }) {
      gather()
      try lead(syncs: true, publishes: true)
    }
  }

  /// Gives the committers of the last group a moment to join this one: at most a third of what the
  /// last sync took.
  private func gather() {
    let (wished, patience) = commits.withLock { ($0.lastGroupCount, $0.lastSyncNanoseconds / 3) }
    if wished <= 1 { return }
    let end = fileSystem.nanoseconds() + min(patience, 200_000)
    while commits.withLock({ $0.openGroupCount }) < wished, fileSystem.nanoseconds() < end {
      sched_yield()
    }
  }

  /// Makes everything through the present tip visible to this process's readers, without a sync.
  func publishTip() throws(StoreError) {
    let target = commits.withLock { $0.tip.transaction }
    while try becomeLeader(unless: { $0.published.transaction >= target }) {
      try lead(syncs: false, publishes: true)
    }
  }

  /// Makes everything through the present tip durable, and visible.
  func syncTip() throws(StoreError) {
    let target = commits.withLock { $0.tip.transaction }
    while try becomeLeader(unless: { commits in
      commits.durable >= target && commits.published.transaction >= target
    }) {
      try lead(syncs: true, publishes: true)
    }
  }

  /// Writes out the frames that wait in memory, so that they survive this process.
  func flushLog() throws(StoreError) {
    // Whoever leads may be syncing, which takes long; writing need not wait for that.
    let (chunks, log) = try takeUnwritten { commits in
      (commits.tail?.takeUnwritten() ?? [], commits.log)
    }
    do throws(StoreError) {
      try writeLog(chunks, to: log, syncs: false)
    } catch {
      throw poison(error)
    }
  }

  /// Takes frames out of the tail by `take`, once those that were taken before are in the file.
  ///
  /// The caller writes them with `writeLog`, without delay, or poisons the store.
  func takeUnwritten<Result>(
    _ take: (inout Commits) -> Result
  ) throws(StoreError) -> Result {
    while true {
      let heard = progress.value
      let result = try commits.withLock { commits throws(StoreError) -> Result? in
        if let poison = commits.poison { throw poison }
        if commits.isWritingLog {
          commits.logWaiterCount += 1
          return nil
        }
        commits.isWritingLog = true
        return take(&commits)
      }
      if let result { return result }
      fileSystem.wait(on: progress.word, while: heard, nanoseconds: 100_000_000)
      commits.withLock { $0.logWaiterCount -= 1 }
    }
  }

  /// Waits until nobody leads, and leads; false where `isDone` says that there is no need any more.
  func becomeLeader(
    unless isDone: (borrowing Commits) -> Bool = { _ in false }
  ) throws(StoreError) -> Bool {
    while true {
      let heard = progress.value
      enum Turn { case done, lead, wait }
      let turn = try commits.withLock { commits throws(StoreError) -> Turn in
        if isDone(commits) { return .done }
        if let poison = commits.poison { throw poison }
        if commits.hasLeader { return .wait }
        commits.hasLeader = true
        return .lead
      }
      switch turn {
      case .done: return false
      case .lead: return true
      case .wait: fileSystem.wait(on: progress.word, while: heard, nanoseconds: 100_000_000)
      }
    }
  }

  /// Writes the log through the tip, and where asked for syncs and publishes it.
  ///
  /// The caller leads, and does not any more when this returns or throws.
  private func lead(syncs: Bool, publishes: Bool) throws(StoreError) {
    let (tip, chunks, log, groupCount) = try takeUnwritten { commits in
      let tip = commits.tip
      if publishes && tip.transaction > commits.published.transaction { commits.sealed = tip }
      let groupCount = commits.openGroupCount
      if syncs {
        // Falls slowly, so that one group that came together badly does not break up the next.
        commits.lastGroupCount = max(1, groupCount, commits.lastGroupCount - 1)
        commits.openGroupCount = 0
        commits.oldestUnsynced = nil
      }
      return (tip, commits.tail?.takeUnwritten() ?? [], commits.log, groupCount)
    }
    do throws(StoreError) {
      try writeLog(chunks, to: log, syncs: syncs)
      if syncs { trace(.sync(tip.transaction, commitCount: groupCount)) }
      if publishes { try publish(tip) }
    } catch {
      throw poison(error)
    }
    commits.withLock { commits in
      if syncs { commits.durable = max(commits.durable, tip.transaction) }
    }
    resign()
  }

  func writeLog(_ chunks: [LogChunk], to log: LogFile?, syncs: Bool) throws(StoreError) {
    if let log { for chunk in chunks { try log.write(chunk) } }
    let isAwaited = commits.withLock { commits in
      commits.isWritingLog = false
      return commits.logWaiterCount > 0
    }
    if isAwaited { ringProgress() }
    guard syncs, let log else { return }
    let start = fileSystem.nanoseconds()
    try log.sync()
    let end = fileSystem.nanoseconds()
    commits.withLock { $0.lastSyncNanoseconds = end - start }
  }

  /// Writes the pages of the sealed state `tip` and makes it visible; the caller leads.
  func publish(_ tip: TreeState) throws(StoreError) {
    if commits.withLock({ $0.sealed == nil }) { return }
    let state = try writePages(of: tip)
    try announce(state)
  }

  /// Writes the private pages of `tip` to the file.
  ///
  /// Exclusively where no writer can be copying them meanwhile, since the caller is inside the gate.
  ///
  /// - Returns: The state with the checksum of its root.
  func writePages(
    of tip: TreeState, isExclusive: Bool = false
  ) throws(StoreError) -> TreeState {
    var output = PageOutput(
      map, access == .readWrite ? (isExclusive ? .fileAlone : .file) : .memory)
    var state = tip
    state.catalog = try output.writeCatalog(tip.catalog)
    retire(output.written)
    trace(.publish(tip.transaction, pageCount: output.pageCount))
    return state
  }

  /// Makes `state`, whose pages are in the file, the one that all readers see; the caller leads.
  func announce(_ state: TreeState) throws(StoreError) {
    try shared.publish(state.published)
    commits.withLock { commits in
      commits.published = state
      commits.sealed = nil
      if commits.tip.transaction == state.transaction { commits.tip = state }
    }
  }

  /// Lets pages be read from the file from now on.
  private func retire(_ written: [PageID]) {
    var retired: [PrivateEntry] = []
    retired.reserveCapacity(written.count)
    for page in written {
      let entry = map.view.privateEntry(page)
      if entry.rawValue == 0 { continue }
      retired.append(entry)
      map.view.setPrivateEntry(page, .none)
    }
    commits.withLock { $0.retired += retired }
  }

  /// Stops leading.
  func resign() {
    commits.withLock { commits in
      commits.hasLeader = false
      commits.sealed = nil
    }
    ringProgress()
  }

  func ringProgress() {
    progress.ring()
    fileSystem.wake(progress.word)
  }

  /// Stops all writing, since what is on disk is unknown after `error`.
  ///
  /// - Returns: The error to throw.
  func poison(_ error: StoreError) -> StoreError {
    commits.withLock { commits in
      if commits.poison == nil { commits.poison = .poisoned(path: path) }
      commits.hasLeader = false
      commits.isWritingLog = false
      commits.sealed = nil
    }
    ringProgress()
    return error
  }
}
