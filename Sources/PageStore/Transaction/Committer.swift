internal import CDexShim
internal import Glibc
internal import Synchronization

/// How commits become durable and visible: the log, group commit and publication.
///
/// A commit appends its frame and lets the next writer in. Whoever then waits and finds nobody
/// leading becomes the leader: it seals the tip, writes the log up to it, writes the tip's pages to
/// their places, which nobody looks at yet, syncs the log, and publishes the tip. So publication
/// follows the sync, precedes the acknowledgement, and never goes back: there is one leader at a
/// time, and each seals a newer tip.
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

  /// Gives the threads that were committing a moment to join this group: at most as long as the last
  /// sync took, since each of them that comes later costs another one.
  private func gather() {
    let (wished, patience) = commits.withLock { ($0.committerCount, $0.lastSyncNanoseconds) }
    if wished <= 1 { return }
    let end = fileSystem.nanoseconds() + min(patience, 500_000)
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
    try writeLog(chunks, to: log)
  }

  /// Takes frames out of the tail by `take`, once those that were taken before are in the file.
  ///
  /// The caller writes them with `writeLog`, without delay.
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
    defer { resign() }
    let (tip, chunks, log, groupCount) = try takeUnwritten { commits in
      let tip = commits.tip
      if publishes && tip.transaction > commits.published.transaction { commits.sealed = tip }
      let groupCount = commits.openGroupCount
      if syncs {
        commits.openGroupCount = 0
        commits.oldestUnsynced = nil
      }
      return (tip, commits.tail?.takeUnwritten() ?? [], commits.log, groupCount)
    }
    try writeLog(chunks, to: log)
    do throws(StoreError) {
      // The disk works on the frames while the pages are written; nobody sees those before the sync.
      if syncs && publishes { log?.startWriting(chunks) }
      let state = publishes ? try writeSealedPages(of: tip) : nil
      if syncs {
        try syncLog(log)
        trace(.sync(tip.transaction, commitCount: groupCount))
      }
      if let state { try announce(state) }
    } catch {
      throw poison(error)
    }
    guard syncs else { return }
    noteDurable(tip.transaction)
    // Those of this group will be back, and the others could not join it in time.
    commits.withLock { $0.committerCount = groupCount + $0.openGroupCount }
  }

  /// Writes frames that the caller took from the tail, and lets the next one take some.
  ///
  /// - Throws: What poisons the store, since frames behind the missing ones would be no part of it.
  func writeLog(_ chunks: [LogChunk], to log: LogFile?) throws(StoreError) {
    var failure: StoreError?
    do throws(StoreError) {
      if let log { for chunk in chunks { try log.write(chunk) } }
    } catch {
      // Before the turn passes on: whoever has it next must find the poison.
      failure = poison(error)
    }
    passTurnOn()
    if let failure { throw failure }
  }

  /// Lets the next thread write frames.
  func passTurnOn() {
    let isAwaited = commits.withLock { commits in
      commits.isWritingLog = false
      return commits.logWaiterCount > 0
    }
    if isAwaited { ringProgress() }
  }

  /// Makes the frames in the file durable.
  func syncLog(_ log: LogFile?) throws(StoreError) {
    guard let log else { return }
    let start = fileSystem.nanoseconds()
    try log.sync()
    let end = fileSystem.nanoseconds()
    commits.withLock { commits in
      commits.lastSyncNanoseconds = end - start
      commits.lastSyncEnd = end
    }
  }

  /// Notes that everything through `transaction` is durable.
  func noteDurable(_ transaction: TransactionNumber) {
    commits.withLock { $0.durable = max($0.durable, transaction) }
  }

  /// Writes the pages of `tip`, where it was sealed, for the state to be announced; the caller leads.
  private func writeSealedPages(of tip: TreeState) throws(StoreError) -> TreeState? {
    if commits.withLock({ $0.sealed == nil }) { return nil }
    return try writePages(of: tip)
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
  /// Whoever leads, writes the log or makes a checkpoint meanwhile finds that out by itself, and says
  /// when it has ended: see `waitUntilQuiet`.
  ///
  /// - Returns: The error to throw.
  func poison(_ error: StoreError) -> StoreError {
    commits.withLock { commits in
      if commits.poison == nil { commits.poison = .poisoned(path: path) }
    }
    ringProgress()
    return error
  }

  /// Throws where a failure has stopped all writing.
  func checkNotPoisoned() throws(StoreError) {
    if let poison = commits.withLock({ $0.poison }) { throw poison }
  }

  /// Waits until no thread of this process writes to the files any more, once the store is poisoned
  /// and the caller is inside the gate; false where that takes longer than until `deadline`.
  ///
  /// Only then may the right to write pass on: a page written later could be another process's.
  func waitUntilQuiet(deadline: UInt64) -> Bool {
    while true {
      let heard = progress.value
      let isQuiet = commits.withLock { commits in
        !commits.hasLeader && !commits.isWritingLog && commits.checkpointing == nil
      }
      if isQuiet { return true }
      let now = fileSystem.nanoseconds()
      if now >= deadline { return false }
      fileSystem.wait(
        on: progress.word, while: heard, nanoseconds: min(deadline - now, 10_000_000))
    }
  }
}
