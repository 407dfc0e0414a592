/// The transactions that a log holds beyond a durable state, in order, and proof of what is missing.
///
/// Replay takes frames with consecutive numbers and stops at the first place where there is none.
/// A torn tail looks like that, and so does damage. What tells them apart is a later frame: each
/// says which transaction was known durable when it was written, so a frame that calls a missing
/// transaction durable proves that an acknowledged commit was lost. To find one, replay looks on
/// through the rest of both halves, once, at the header of a frame wherever one could start.
///
/// Memory is bounded by a window of 1 MiB and the longest body; time is linear in the file's size.
package struct LogReplay: ~Copyable {
  /// A transaction of the log.
  @safe package struct Frame {
    /// Its number.
    package let transaction: TransactionNumber
    /// Its operations, valid until the next call of `next()`.
    package let body: UnsafeRawBufferPointer
  }

  private enum Progress {
    case reading
    case ended
    case failed(StoreError)
  }

  private let log: LogFile
  private let scanner: LogScanner
  private let durable: TransactionNumber
  private let goesPastLosses: Bool
  private var place: LogPosition
  private var expected: TransactionNumber
  /// What the whole log says, once somebody has asked; the same for each replay of it.
  var evidence: LogScanner.Evidence?
  private var newestInOrder: TransactionNumber
  private var progress = Progress.reading

  /// The transactions that were missing, for a salvage; in ascending order.
  package private(set) var missing: [ClosedRange<TransactionNumber>] = []

  /// Replays `log` from the place and for the state that the durable meta page names.
  ///
  /// Frames up to the `durable` state are passed over. With `salvage`, replay goes on past missing
  /// transactions, where later frames prove that they existed.
  ///
  /// - Throws: `.system` where the file cannot be looked at.
  package init(
    _ log: LogFile, from start: LogPosition, after durable: TransactionNumber,
    salvage: Bool = false
  ) throws(StoreError) {
    self.log = log
    self.durable = durable
    goesPastLosses = salvage
    scanner = try LogScanner(log, from: start)
    place = start
    expected = durable.next
    newestInOrder = durable
  }

  /// Where the tail would go on: behind the last frame that was taken.
  package var endPosition: LogPosition { place }

  /// The newest transaction that any frame mentions, taken or not; complete once `next()` gave nil.
  ///
  /// Recovery numbers itself above it, so that no number stands for two states.
  package var newestTransactionSeen: TransactionNumber {
    max(newestInOrder, evidence?.newestTransaction ?? .zero)
  }

  /// The next transaction, or nil at the log's tail.
  ///
  /// An error persists: asking again gives it again.
  ///
  /// - Throws: `.lostTransactions` where acknowledged transactions are missing; `.system`.
  package mutating func next() throws(StoreError) -> Frame? {
    switch progress {
    case .ended: return nil
    case .failed(let error): throw error
    case .reading: break
    }
    do throws(StoreError) {
      guard let frame = try nextInOrder() else {
        progress = .ended
        return nil
      }
      return frame
    } catch {
      progress = .failed(error)
      throw error
    }
  }

  private mutating func nextInOrder() throws(StoreError) -> Frame? {
    while true {
      if let found = try frameInOrder() {
        // Safe: nothing moves the scanner's window before the caller's next call.
        if let frame = take(found) { return frame }
      } else if try !skipLoss() {
        return nil
      }
    }
  }

  /// The frame that goes on from here: at this very place, or at the start of the next half.
  private func frameInOrder() throws(StoreError) -> LogScanner.Found? {
    // Safe: what was found is given on at once, before the window moves.
    if let found = try scanner.frame(at: place), isInOrder(found.frame) {
      return found
    }
    guard let next = place.startOfNextHalf, let found = try scanner.frame(at: next),
      isInOrder(found.frame)
    else { return nil }
    return found
  }

  /// True where `frame` may follow what was taken so far.
  ///
  /// Before the first transaction was taken that is also one which the durable state has.
  private func isInOrder(_ frame: LogFrame) -> Bool {
    switch frame.kind {
    case .commit:
      frame.transaction == expected || (expected == durable.next && frame.transaction <= durable)
    case .mark: frame.transaction < expected
    }
  }

  /// Moves behind `found`; gives its transaction, if it is one that was asked for.
  private mutating func take(_ found: LogScanner.Found) -> Frame? {
    // Safe: the bytes are given on, and stay until the window moves.
    let frame = found.frame
    place = found.position.advanced(by: frame.byteCount)
    newestInOrder = max(newestInOrder, frame.transaction)
    guard frame.kind == .commit, frame.transaction == expected else { return nil }
    expected = expected.next
    return unsafe Frame(transaction: frame.transaction, body: found.body)
  }

  /// Decides what it means that no frame is in order here.
  ///
  /// - Returns: True where a salvage goes on at a later frame; false at the tail.
  private mutating func skipLoss() throws(StoreError) -> Bool {
    let evidence: LogScanner.Evidence
    if let known = self.evidence {
      evidence = known
    } else {
      evidence = try scanner.evidence()
      self.evidence = evidence
    }
    let last = evidence.newestDurable
    guard last >= expected else { return false }
    guard goesPastLosses else {
      throw .lostTransactions(path: log.path, first: expected, last: last)
    }
    if let later = try scanner.firstCommit(
      from: expected, at: place, newestEpoch: evidence.newestEpoch)
    {
      if expected < later.transaction {
        missing.append(expected...TransactionNumber(later.transaction.rawValue - 1))
      }
      place = later.position
      expected = later.transaction
      return true
    }
    missing.append(expected...last)
    expected = last.next
    return false
  }
}
