/// Who holds the right to write, who wants it, and the newest number that was given out.
///
/// The right itself is a lock on the main file; these words only tell others about it.
extension SharedState {
  /// The newest transaction number that was ever given out, so that none is given out twice.
  package var tip: TransactionNumber { TransactionNumber(memory.load(Layout.tip)) }

  /// Notes that every number through `transaction` was given out.
  package func raiseTip(to transaction: TransactionNumber) {
    memory.raise(Layout.tip, to: transaction.rawValue)
  }

  /// Notes that this process, which has `slots`, holds the right to write.
  ///
  /// Whoever wants it still asks again.
  package func setHolder(_ slots: ReaderSlots) {
    memory.store(0, at: Layout.isRightWanted)
    memory.store(UInt64(UInt32(bitPattern: system.processID)), at: Layout.holderProcess)
    memory.storeInOrder(UInt64(slots.row) + 1, at: Layout.holderRow)
  }

  /// Notes that the right is given back with everything in order.
  package func clearHolder() {
    memory.store(0, at: Layout.holderProcess)
    memory.storeInOrder(0, at: Layout.holderRow)
  }

  /// Wakes those who want the right, once its lock is free.
  package func announceHandOver() {
    handedOverWord.add(1)
    system.wake(handedOverWord)
  }

  /// The process that noted that it holds the right; nil after a clean hand-over.
  ///
  /// A holder that died is still named, so whoever gets the lock then knows that it must recover.
  package var holder: ProcessDescription? {
    guard memory.load(Layout.holderRow) != 0 else { return nil }
    let process = Int32(truncatingIfNeeded: memory.load(Layout.holderProcess))
    return ProcessDescription(processID: process, isResponding: system.isResponding(process))
  }

  /// Raised whenever another process wants the right to write; the holder sleeps on it.
  package var wantedWord: SharedWord { memory.sharedWord(Layout.wanted) }

  /// Raised at each clean hand-over; those who want the right sleep on it.
  package var handedOverWord: SharedWord { memory.sharedWord(Layout.handedOver) }

  /// Asks the holder for the right to write.
  package func askForRight() {
    memory.storeInOrder(1, at: Layout.isRightWanted)
    wantedWord.add(1)
    system.wake(wantedWord)
  }

  /// True where somebody has asked since the holder took the right.
  package var isRightWanted: Bool { memory.load(Layout.isRightWanted) != 0 }

  /// The number of times that the holder was woken.
  package var wantedCount: UInt32 { wantedWord.value }

  /// The number of clean hand-overs.
  package var handedOverCount: UInt32 { handedOverWord.value }
}
