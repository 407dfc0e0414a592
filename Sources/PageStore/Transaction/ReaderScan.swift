import Synchronization

/// What one look at all readers' slots found.
///
/// States that are published at or after `published` may have readers that are not in `pins`:
/// whoever frees pages treats all of those states as living.
package struct ReaderScan: Sendable {
  /// A pin of some process.
  package struct Reader: Equatable, Sendable {
    /// The process that reads.
    package let processID: Int32
    /// The state that it reads.
    package let transaction: TransactionNumber
    /// When it began, in nanoseconds of the system's clock.
    package let since: UInt64
  }

  /// The state that was published before the look began.
  package let published: PublishedState
  /// The pins that were found, in no order.
  package let readers: [Reader]

  /// The pinned states, with repetitions.
  package var pins: [TransactionNumber] { readers.map(\.transaction) }

  /// The reader of the oldest state; of several, the one that began first.
  package var oldest: Reader? {
    readers.min { ($0.transaction, $0.since) < ($1.transaction, $1.since) }
  }
}

extension SharedState {
  /// Looks at the slots of every process, and clears the rows of those that died.
  ///
  /// Asks about a row's lock only where the row has pins, and remembers nothing of the answer.
  ///
  /// - Returns: The pins, and the state that was published before.
  /// - Complexity: O(*n*) in the rows that were ever used.
  package func scanReaders() throws(StoreError) -> ReaderScan {
    let published = try published()
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    var readers: [ReaderScan.Reader] = []
    for row in 0..<(try rows.rowCount()) {
      let found = readersOfRow(row)
      guard !found.isEmpty, try rows.isAliveAfterCleaning(row) else { continue }
      readers += found
    }
    return ReaderScan(published: published, readers: readers)
  }

  /// The reader that has the oldest state pinned, or nil where nobody reads.
  package func oldestReader() throws(StoreError) -> ReaderScan.Reader? {
    try scanReaders().oldest
  }

  private func readersOfRow(_ row: Int) -> [ReaderScan.Reader] {
    var found: [ReaderScan.Reader] = []
    for slot in 0..<Layout.slotsPerRow {
      let offset = Layout.slot(slot, ofRow: row)
      let value = memory.load(offset)
      guard value != 0 else { continue }
      found.append(
        ReaderScan.Reader(
          processID: rows.process(ofRow: row), transaction: TransactionNumber(value - 1),
          since: memory.load(offset + 8)))
    }
    return found
  }
}
