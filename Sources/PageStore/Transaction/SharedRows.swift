import Synchronization

/// The rows of the lock file: each belongs to the open store that holds its lock byte.
///
/// Locks belong to the open main file, so they do not keep threads of this process apart; the mutex
/// does. It is held around every claim and every clearing, and so around every lock and unlock of a
/// row. A row is cleared only while its lock is held: what a live process wrote is never touched.
final class SharedRows: Sendable {
  typealias Layout = SharedMemory.Layout

  private let memory: SharedMemory
  private let file: any StoreFile
  private let locks: SharedState.Locks
  private let system: any FileSystem
  private let owned = Guarded<Set<Int>>([])
  private let readableRowCount = Atomic<Int>(Layout.rowsPerGrowth)

  init(
    memory: SharedMemory, file: any StoreFile, locks: SharedState.Locks, system: any FileSystem
  ) {
    self.memory = memory
    self.file = file
    self.locks = locks
    self.system = system
  }

  /// The number of rows that were ever used, all of which can be read.
  func rowCount() throws(StoreError) -> Int {
    let count = memory.load(Layout.rowCount)
    guard count > UInt64(readableRowCount.load(ordering: .acquiring)) else { return Int(count) }
    guard count <= UInt64(Layout.maximumRowCount), count <= memory.load(Layout.rowCapacity),
      try file.byteCount() >= Layout.row(Int(count))
    else { throw .corrupt(Damage(path: file.path, .field("row count", count))) }
    readableRowCount.max(Int(count), ordering: .acquiringAndReleasing)
    return Int(count)
  }

  /// The process that wrote its name into `row`.
  func process(ofRow row: Int) -> Int32 {
    Int32(truncatingIfNeeded: memory.load(Layout.row(row) + Layout.rowProcess))
  }

  // MARK: Claiming

  /// Takes the lowest row whose lock is to be had, and clears it.
  ///
  /// - Throws: `.tooManyReaders` where all rows are taken.
  func claim() throws(StoreError) -> Int {
    try owned.withLock { (owned) throws(StoreError) in
      for row in 0..<Layout.maximumRowCount where !owned.contains(row) {
        guard try locks.file.tryLock(locks.row(row), .exclusive) else { continue }
        do throws(StoreError) {
          try growIfNeeded(toHold: row)
        } catch {
          try locks.file.unlock(locks.row(row))
          throw error
        }
        clearSlots(ofRow: row)
        let start = Layout.row(row)
        memory.store(
          UInt64(UInt32(bitPattern: system.processID)), at: start + Layout.rowProcess)
        memory.store(
          memory.load(start + Layout.rowGeneration) &+ 1, at: start + Layout.rowGeneration)
        memory.store(system.nanoseconds(), at: start + Layout.rowOpened)
        memory.store(0, at: start + Layout.rowFlags)
        memory.raise(Layout.rowCount, to: UInt64(row) + 1)
        owned.insert(row)
        return row
      }
      throw .tooManyReaders(
        path: file.path, maximum: Layout.maximumRowCount * Layout.slotsPerRow)
    }
  }

  /// Clears `row`, which this object claimed, and gives its lock back.
  func giveBack(_ row: Int) throws(StoreError) {
    try owned.withLock { (owned) throws(StoreError) in
      precondition(owned.remove(row) != nil, "row \(row) belongs to somebody else")
      clear(row)
      try locks.file.unlock(locks.row(row))
    }
  }

  /// True where the process that wrote `row` holds it still; where it died, clears the row.
  func isAliveAfterCleaning(_ row: Int) throws(StoreError) -> Bool {
    try owned.withLock { (owned) throws(StoreError) in
      guard !owned.contains(row) else { return true }
      guard try !locks.file.isLockedElsewhere(locks.row(row), against: .exclusive),
        try locks.file.tryLock(locks.row(row), .exclusive)
      else { return true }
      clear(row)
      try locks.file.unlock(locks.row(row))
      return false
    }
  }

  private func clear(_ row: Int) {
    clearSlots(ofRow: row)
    memory.store(0, at: Layout.row(row) + Layout.rowProcess)
  }

  private func clearSlots(ofRow row: Int) {
    for slot in 0..<Layout.slotsPerRow {
      memory.store(0, at: Layout.slot(slot, ofRow: row) + 8)
      memory.storeInOrder(0, at: Layout.slot(slot, ofRow: row))
    }
  }

  // MARK: Growing

  /// Writes the bytes of `row`, where nobody did so yet.
  ///
  /// Rows at or past the capacity are used by nobody, so whoever holds the growth lock may write
  /// zeros there, again after another grower was killed.
  private func growIfNeeded(toHold row: Int) throws(StoreError) {
    if row < readableRowCount.load(ordering: .acquiring) { return }
    try lockGrowth()
    do throws(StoreError) {
      let stored = memory.load(Layout.rowCapacity)
      guard (UInt64(Layout.rowsPerGrowth)...UInt64(Layout.maximumRowCount)).contains(stored),
        try file.byteCount() >= Layout.row(Int(stored))
      else { throw .corrupt(Damage(path: file.path, .field("row capacity", stored))) }
      var capacity = Int(stored)
      if row >= capacity {
        let grown = (row / Layout.rowsPerGrowth + 1) * Layout.rowsPerGrowth
        try Self.writeZeros(to: Layout.row(grown), of: file, from: Layout.row(capacity))
        capacity = grown
        memory.storeInOrder(UInt64(capacity), at: Layout.rowCapacity)
      }
      readableRowCount.max(capacity, ordering: .acquiringAndReleasing)
    } catch {
      try locks.file.unlock(locks.growth)
      throw error
    }
    try locks.file.unlock(locks.growth)
  }

  private func lockGrowth() throws(StoreError) {
    let word = memory.sharedWord(Layout.handedOver)
    for _ in 0..<1000 {
      if try locks.file.tryLock(locks.growth, .exclusive) { return }
      system.wait(on: word, while: word.value, nanoseconds: 1_000_000)
    }
    throw .busy(path: file.path, holder: nil, milliseconds: 1000)
  }

  /// Makes `file` at least `end` bytes long, with zeros written from `start` on.
  ///
  /// Holes would do for reading, but touching one in a full file system of memory is fatal. A write
  /// that succeeds has its blocks, or the promise of them. The length comes first: whatever a write
  /// that fails leaves, the file is as long as one of ours can be.
  static func writeZeros(
    to end: Int, of file: any StoreFile, from start: Int
  ) throws(StoreError) {
    if try file.byteCount() < end { try file.truncate(to: end) }
    let zeros = [UInt8](repeating: 0, count: end - start)
    // Safe: the bytes are borrowed for the call only.
    try unsafe zeros.span.bytes.withUnsafeBytes { (bytes) throws(StoreError) in
      try unsafe file.write(bytes, at: start)
    }
  }
}
