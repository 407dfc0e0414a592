import Synchronization

/// The pins of one open store: slots in rows of the lock file that it owns.
///
/// To pin, a reader writes the number of the state that it found published into a free slot, and
/// looks whether that state is published still. If so, every scan that begins after a newer state
/// was published meets the slot, since both sides are sequentially consistent. If not, it writes the
/// newer number into the same slot.
///
/// A pin never changes slots: a scan could pass the new slot before it was filled and the old one
/// after it was cleared. So a copy of a pin shares its slot, which is counted.
package final class ReaderSlots: Sendable {
  typealias Layout = SharedMemory.Layout

  /// A row that is ours, and how many copies of each of its pins there are.
  ///
  /// The length of `copies` is `Layout.slotsPerRow`, which a type can only say as a literal.
  final class Row: Sendable {
    let number: Int
    let copies: InlineArray<60, Atomic<Int>>
    let cursor = Atomic<UInt>(0)

    init(_ number: Int) {
      self.number = number
      copies = InlineArray { _ in Atomic(0) }
    }
  }

  /// The rows beyond the first, and the one where a slot was found last.
  private struct FurtherRows {
    var rows: [Row] = []
    var lastUsed = 0
  }

  /// A state that stays as it is until the pin is given back with `unpin`.
  package struct Pin: Sendable {
    /// The pinned state.
    package let state: PublishedState
    let row: Row
    let slot: Int
  }

  /// The number of the first row.
  package var row: Int { first.number }
  private let shared: SharedState
  private let first: Row
  private let others = Guarded(FurtherRows())

  /// Claims a row of `shared`.
  ///
  /// - Throws: `.tooManyReaders` where there is none.
  package init(_ shared: SharedState) throws(StoreError) {
    self.shared = shared
    first = Row(try shared.rows.claim())
  }

  /// Pins the published state.
  ///
  /// - Returns: A pin that `unpin` must be given.
  /// - Throws: `.tooManyReaders` where the lock file has no room, or `.corrupt`.
  package func pin() throws(StoreError) -> Pin {
    var state = try shared.published()
    let (row, slot) = try takeSlot(for: state.transaction)
    let offset = Layout.slot(slot, ofRow: row.number)
    do throws(StoreError) {
      for _ in 0..<SharedState.maximumRetries {
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        if shared.publishedSequence == state.sequence {
          return Pin(state: state, row: row, slot: slot)
        }
        state = try shared.published()
        shared.memory.storeInOrder(state.transaction.rawValue + 1, at: offset)
      }
      throw .corrupt(
        Damage(path: shared.path, .field("published word", shared.publishedSequence)))
    } catch {
      clear(slot, of: row)
      throw error
    }
  }

  /// Pins `state`, which the caller keeps alive in another way until this returns.
  ///
  /// The caller also keeps every scan from running meanwhile, by holding the right to write: a scan
  /// that has passed the slot already would not see it.
  ///
  /// - Parameter state: The state, such as the durable one for a backup.
  /// - Returns: A pin that `unpin` must be given.
  /// - Throws: `.tooManyReaders` where the lock file has no room.
  package func pin(state: PublishedState) throws(StoreError) -> Pin {
    let (row, slot) = try takeSlot(for: state.transaction)
    return Pin(state: state, row: row, slot: slot)
  }

  /// A second pin of the same state, in the same slot; both must be given to `unpin`.
  package func copy(of pin: Pin) -> Pin {
    let before = pin.row.copies[pin.slot].wrappingAdd(1, ordering: .relaxed).oldValue
    precondition(before > 0, "a copy of a pin that was given back")
    return pin
  }

  /// Gives `pin` back; does nothing after `close()`, but must not run during it.
  package func unpin(_ pin: Pin) {
    let copies = pin.row.copies[pin.slot].load(ordering: .acquiring)
    guard copies >= 0 else { return }
    let before = pin.row.copies[pin.slot].wrappingSubtract(
      1, ordering: .acquiringAndReleasing
    ).oldValue
    precondition(before > 0, "a pin was given back twice")
    if before == 1 {
      shared.memory.store(0, at: Layout.slot(pin.slot, ofRow: pin.row.number))
    }
  }

  /// Gives all rows back, with whatever is pinned.
  ///
  /// Afterwards only `unpin` may be called: the slots may be another process's by then.
  package func close() throws(StoreError) {
    let others = others.withLock { others in
      defer { others = FurtherRows() }
      return others.rows
    }
    for row in others + [first] {
      for slot in row.copies.indices { row.copies[slot].store(.min, ordering: .releasing) }
      try shared.rows.giveBack(row.number)
    }
  }

  // MARK: Slots

  private func takeSlot(
    for transaction: TransactionNumber
  ) throws(StoreError) -> (Row, Int) {
    if let slot = takeSlot(in: first, for: transaction) { return (first, slot) }
    return try others.withLock { (others) throws(StoreError) in
      for step in others.rows.indices {
        let index = (others.lastUsed + step) % others.rows.count
        guard let slot = takeSlot(in: others.rows[index], for: transaction) else { continue }
        others.lastUsed = index
        return (others.rows[index], slot)
      }
      let row = Row(try shared.rows.claim())
      others.lastUsed = others.rows.count
      others.rows.append(row)
      guard let slot = takeSlot(in: row, for: transaction) else {
        preconditionFailure("a new row is empty, and only we fill it")
      }
      return (row, slot)
    }
  }

  /// Fills a free slot of `row`; threads begin at different ones, so they rarely meet.
  private func takeSlot(in row: Row, for transaction: TransactionNumber) -> Int? {
    let start = Int(truncatingIfNeeded: row.cursor.wrappingAdd(1, ordering: .relaxed).oldValue)
    for step in 0..<Layout.slotsPerRow {
      let slot = Int(UInt(bitPattern: start &+ step) % UInt(Layout.slotsPerRow))
      let offset = Layout.slot(slot, ofRow: row.number)
      guard shared.memory.load(offset) == 0,
        shared.memory.exchange(0, for: transaction.rawValue + 1, at: offset)
      else { continue }
      shared.memory.store(shared.system.nanoseconds(), at: offset + 8)
      row.copies[slot].store(1, ordering: .releasing)
      return slot
    }
    return nil
  }

  private func clear(_ slot: Int, of row: Row) {
    row.copies[slot].store(0, ordering: .relaxed)
    shared.memory.store(0, at: Layout.slot(slot, ofRow: row.number))
  }
}
