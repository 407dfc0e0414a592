internal import Synchronization

/// How a committed state becomes the durable one, which opening starts from.
///
/// The order is what makes it safe; each step is durable before the next: the log through the state,
/// the state's pages and the map of space, one meta page, its mirror. Only then may anything be
/// reused that the older durable state needs: pages, the old map, the covered half of the log. What
/// a checkpoint must know is fixed while its caller is inside the gate; the rest runs outside, beside
/// readers and writers. Commit by checkpoint, hand-over, closing and recovery are the same steps.
struct CheckpointPlan: Sendable {
  /// The state, whose pages may still be private.
  var state: TreeState
  var chunks: [LogChunk]
  var log: LogFile?
  /// The map of space at the state, and the run that it goes to.
  var mapBytes: [UInt8]
  var mapRun: PageRun
  var oldMapRun: PageRun
  /// Where replay begins, and the salt of the log there; no salt, no log.
  var logPosition: LogPosition
  var logSalt: UInt64
  var meta: MetaPage
  /// True to show the state to readers as soon as its log is durable; false where the state itself
  /// becomes durable only by this checkpoint.
  var publishesEarly: Bool
  /// The meta page that is written first: never the only one that opening can rely on.
  var firstMeta = 0
}

/// What becomes of the log at a checkpoint.
enum LogPlan {
  /// It goes on.
  case keep
  /// It ends here: the meta pages will name none.
  case end
  /// A new one begins here.
  case start(LogFile)
}

extension StoreCore {
  /// Finds the place for the map of space of a checkpoint to come, and blocks for it.
  ///
  /// - Throws: `.diskFull` or `.fileTooLarge`; nothing has changed then.
  func placeMap(_ writer: Writer) throws(StoreError) -> PageRun {
    let pages = writer.pages
    let pageCount = SpaceMap(
      bitmap: pages.bitmap, pending: writer.pending.all,
      nextTableID: UInt64(writer.base.nextTableID), highestTransaction: shared.tip,
      highestPageCount: pages.bitmap.pageCount
    ).runPageCount(bytesPerPage: map.pageByteCount, addedPending: 1 + pages.ended.count)
    let run = try pages.takeMapRun(pageCount: pageCount)
    do throws(StoreError) {
      try reserveFile(writer, pageCount: max(pages.pageEnd, run.indices.upperBound), spare: 0)
    } catch {
      pages.free(run)
      throw error
    }
    return run
  }

  /// Fixes what a checkpoint of the tip must know, and leads from here on unless it throws.
  ///
  /// The caller is inside the gate, between two transactions. The map goes to `mapRun`.
  func planCheckpoint(
    _ writer: Writer, mapRun: PageRun, log plan: LogPlan, publishesEarly: Bool
  ) throws(StoreError) -> CheckpointPlan {
    try waitForCheckpoint()
    _ = try becomeLeader()
    do throws(StoreError) {
      return try planAsLeader(writer, mapRun: mapRun, log: plan, publishesEarly: publishesEarly)
    } catch {
      resign()
      throw error
    }
  }

  private func planAsLeader(
    _ writer: Writer, mapRun: PageRun, log plan: LogPlan, publishesEarly: Bool
  ) throws(StoreError) -> CheckpointPlan {
    collect(writer)
    let pageByteCount = map.pageByteCount
    let pages = writer.pages
    let pending = writer.pending.all
    let oldMapRun = writer.mapRun
    var bitmap = pages.bitmap
    bitmap.markFree(oldMapRun.indices)
    bitmap.truncate(to: bitmap.highestUsed.index + 1)
    let mapBytes = SpaceMap(
      bitmap: bitmap, pending: pending, nextTableID: UInt64(writer.base.nextTableID),
      highestTransaction: max(shared.tip, writer.base.transaction),
      highestPageCount: bitmap.pageCount
    ).encoded()
    writer.mapRun = mapRun
    let (state, chunks, position) = try takeUnwritten { commits in
      var state = commits.tip
      state.pageCount = max(state.pageCount, bitmap.pageCount)
      if state.transaction > commits.published.transaction { commits.sealed = state }
      commits.checkpointing = state
      commits.wantsCheckpoint = false
      commits.openGroupCount = 0
      commits.oldestUnsynced = nil
      return (state, commits.tail?.takeUnwritten() ?? [], commits.tail?.position ?? .start)
    }
    let oldLog = commits.withLock { $0.log }
    let (salt, start): (UInt64, LogPosition) =
      switch plan {
      case .keep: (oldLog?.salt.rawValue ?? 0, position)
      case .end: (0, .start)
      case .start(let log): (log.salt.rawValue, .start)
      }
    let meta = MetaPage(
      identity: identity, transaction: state.transaction, pageByteCount: pageByteCount,
      pageCount: bitmap.pageCount, catalogRoot: state.catalog.page,
      catalogChecksum: state.catalog.checksum, catalogLevel: state.catalog.level,
      mapPage: mapRun.first, mapPageCount: mapRun.pageCount, mapByteCount: mapBytes.count,
      mapChecksum: mapBytes.withBytes { Checksum.of($0) })
    return CheckpointPlan(
      state: state, chunks: chunks, log: oldLog, mapBytes: mapBytes, mapRun: mapRun,
      oldMapRun: oldMapRun, logPosition: start, logSalt: salt, meta: meta,
      publishesEarly: publishesEarly)
  }

  /// Carries `plan` out.
  ///
  /// The caller leads, and does not any more when this returns or throws.
  func runCheckpoint(_ plan: CheckpointPlan) throws(StoreError) {
    let start = fileSystem.nanoseconds()
    var leads = true
    defer {
      if leads { resign() }
    }
    do throws(StoreError) {
      try writeLog(plan.chunks, to: plan.log)
      try syncLog(plan.log)
      var state = try writePages(of: plan.state, isExclusive: !plan.publishesEarly)
      state.pageCount = plan.meta.pageCount
      if plan.publishesEarly {
        try announceIfNewer(state)
        noteDurable(state.transaction)
        leads = false
        resign()
      }
      try plan.mapBytes.withBytes { bytes throws(StoreError) in
        // Safe: the bytes are lent for the call.
        try unsafe file.write(bytes.buffer, at: plan.mapRun.first.index * map.pageByteCount)
      }
      try file.sync()
      try writeMetas(of: plan, state)
      if !plan.publishesEarly {
        try announceIfNewer(state)
        noteDurable(state.transaction)
        leads = false
        resign()
      }
      finishCheckpoint(plan, state)
      trace(.checkpoint(state.transaction, nanoseconds: fileSystem.nanoseconds() - start))
    } catch {
      let failure = poison(error)
      commits.withLock { $0.checkpointing = nil }
      ringProgress()
      throw failure
    }
  }

  /// Writes the meta page and its mirror, each durable before what follows.
  ///
  /// Others may have led since the state was announced. Where they failed, whoever has the right next
  /// recovers, and it is not for this process to say any more what is durable.
  private func writeMetas(
    of plan: CheckpointPlan, _ state: TreeState
  ) throws(StoreError) {
    var meta = plan.meta
    meta.catalogChecksum = state.catalog.checksum
    meta.logSalt = plan.logSalt
    if plan.logSalt != 0 {
      meta.logHalf = plan.logPosition.half
      meta.logEpoch = plan.logPosition.epoch
      meta.logOffset = plan.logPosition.offset
    }
    for number in [plan.firstMeta, 1 - plan.firstMeta] {
      try checkNotPoisoned()
      try file.write(meta, toPage: number)
    }
  }

  /// Announces `state`, also where readers see it already but believe the file to be longer than the
  /// meta page will say: behind that, it may be cut.
  private func announceIfNewer(_ state: TreeState) throws(StoreError) {
    let isNewer = commits.withLock { commits in
      let published = commits.published
      return state.transaction > published.transaction
        || state.transaction == published.transaction && state.pageCount < published.pageCount
    }
    if isNewer { try announce(state) }
  }

  /// Lets go of what the older durable state needed.
  private func finishCheckpoint(_ plan: CheckpointPlan, _ state: TreeState) {
    commits.withLock { commits in
      let older = commits.checkpointed.transaction
      commits.checkpointed = state
      commits.checkpointing = nil
      commits.oldMapRuns.append(plan.oldMapRun)
      commits.unregisteredStates.append(older)
      if plan.logSalt != 0 && plan.logSalt == commits.log?.salt.rawValue {
        commits.tail?.cover(upTo: plan.logPosition)
      }
    }
    ringProgress()
  }

  /// Waits until no checkpoint is under way.
  func waitForCheckpoint() throws(StoreError) {
    while true {
      let heard = progress.value
      let isRunning = try commits.withLock { commits throws(StoreError) in
        if let poison = commits.poison { throw poison }
        return commits.checkpointing != nil
      }
      if !isRunning { return }
      fileSystem.wait(on: progress.word, while: heard, nanoseconds: 100_000_000)
    }
  }

  /// Makes the tip durable by a checkpoint, from within the gate.
  func checkpointInside(
    _ writer: Writer, log plan: LogPlan
  ) throws(StoreError) {
    try waitForCheckpoint()
    let checkpoint = try planCheckpoint(
      writer, mapRun: try placeMap(writer), log: plan, publishesEarly: false)
    try runCheckpoint(checkpoint)
    collect(writer)
  }

  /// Makes the tip durable by a checkpoint, without keeping writers out while it runs.
  ///
  /// - Parameter patience: How long to wait for the gate, in nanoseconds; nil is as long as a writer.
  /// - Throws: What kept it from becoming durable; a failure in the middle poisons the store.
  func checkpoint(patience: UInt64? = nil) throws(StoreError) {
    guard let (plan, hasSwitched) = try planFromOutside(patience: patience) else { return }
    try runCheckpoint(plan)
    // A half that was filled before a checkpoint came round is too short for this writer.
    if hasSwitched { growLog() }
  }

  private func planFromOutside(
    patience: UInt64?
  ) throws(StoreError) -> (CheckpointPlan, hasSwitched: Bool)? {
    try enterGate(isCancelled: nil, wait: patience.map { waitTime(nanoseconds: $0) })
    defer { gate.leave() }
    // Safe: the caller is inside the gate, which guards the writer.
    guard let writer = unsafe writer else { return nil }
    let isCurrent = commits.withLock { commits in
      let isCurrent = commits.checkpointed.transaction == commits.tip.transaction
      // Nothing is left that a checkpoint could free: the next commit may want one again.
      if isCurrent { commits.wantsCheckpoint = false }
      return isCurrent
    }
    if isCurrent { return nil }
    try waitForCheckpoint()
    collect(writer)
    let hasSwitched = commits.withLock { $0.wantsCheckpoint }
    let plan = try planCheckpoint(
      writer, mapRun: try placeMap(writer), log: .keep, publishesEarly: true)
    return (plan, hasSwitched)
  }

  /// Takes back what committers and checkpoints have left for the writer.
  func collect(_ writer: Writer) {
    let (retired, runs, published) = commits.withLock { commits in
      let result = (commits.retired, commits.oldMapRuns, commits.published)
      commits.retired.removeAll()
      commits.oldMapRuns.removeAll()
      return result
    }
    for entry in retired { writer.pages.takeBack(entry) }
    for run in runs { writer.free(run) }
    writer.rebase(published)
  }

  /// Doubles the half of the log that a checkpoint has just freed, up to the most it may have.
  ///
  /// Where there is no room, the log stays as long as it was. A failed sync is another matter: the
  /// system tells of a lost write once, and this one may have been told of a commit's frames.
  ///
  /// One thread at a time does it,
  /// since frames may follow as soon as it says that the half has grown, and a second one's zeros
  /// would fall on them.
  private func growLog() {
    let growth = commits.withLock { commits -> (LogFile, Int, Int, Int)? in
      guard !commits.isGrowingLog, let log = commits.log, let tail = commits.tail,
        let half = tail.freeHalf
      else { return nil }
      let old = tail.byteCount(ofHalf: half)
      let new = log.geometry.grown(old)
      if new <= old { return nil }
      commits.isGrowingLog = true
      return (log, half, old, new)
    }
    guard let (log, half, old, new) = growth else { return }
    var hasGrown = true
    do throws(StoreError) {
      try log.growHalf(half, from: old, to: new)
    } catch {
      hasGrown = false
      if case .system(.write, _, let errno) = error, isDiskFull(errno) {
        // It stays as long as it was, and others need the blocks more.
        do throws(StoreError) { try log.shrinkHalf(half, to: old) } catch {}
      } else {
        _ = poison(error)
      }
    }
    commits.withLock { commits in
      commits.isGrowingLog = false
      // Meanwhile the log may have ended, and another one begun.
      if hasGrown && commits.log === log && commits.tail?.freeHalf == half {
        commits.tail?.freeHalfGrew(to: new)
      }
    }
  }
}
