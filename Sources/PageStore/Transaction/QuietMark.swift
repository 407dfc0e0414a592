internal import Synchronization

/// The mark that tells in the log, after a quiet moment, that its newest commit is durable.
///
/// A frame proves that those before it were acknowledged; nothing proves that of the last one, so
/// that one which rots looks like one that a crash has torn. The mark does. It is not synced, since
/// whether a loss of power leaves it there matters to nobody's commit, and what it says is true.
extension StoreCore {
  /// How long ago the last sync must be, in nanoseconds.
  private static let quietTime: UInt64 = 200_000_000

  /// Appends a mark to the log, once after each commit that nothing has followed for a moment.
  ///
  /// That the mark cannot be written is no failure, unless a frame stands behind it by then, which
  /// replay would not find.
  func markQuietLog() {
    let now = fileSystem.nanoseconds()
    guard let (log, chunks, place) = commits.withLock({ $0.takeMark(now, after: Self.quietTime) })
    else { return }
    do throws(StoreError) {
      for chunk in chunks { try log.write(chunk) }
    } catch {
      let isAlone = commits.withLock { $0.tail?.retractMark(at: place) ?? false }
      if !isAlone { _ = poison(error) }
    }
    passTurnOn()
  }
}

extension Commits {
  /// Appends a mark where one is due, and takes the turn to write it.
  fileprivate mutating func takeMark(
    _ now: UInt64, after quietTime: UInt64
  ) -> (LogFile, [LogChunk], LogPosition)? {
    // A checkpoint says more than a mark could.
    guard poison == nil, !hasLeader, !isWritingLog, durable == tip.transaction,
      marked < tip.transaction, checkpointed.transaction < tip.transaction,
      now >= lastSyncEnd, now - lastSyncEnd >= quietTime,
      let log, let tail, !tail.hasUnwritten
    else { return nil }
    marked = tip.transaction
    let place = tail.position
    guard self.tail?.appendMark(newest: tip.transaction, durable: tip.transaction) == true else {
      return nil
    }
    isWritingLog = true
    return (log, self.tail?.takeUnwritten() ?? [], place)
  }
}
