/// A state of the store that readers may pin: where its trees begin.
package struct PublishedState: Hashable, Sendable {
  /// The publication's number, which only grows; given by `SharedState.publish`.
  package internal(set) var sequence: UInt64 = 0
  /// The newest transaction that the state holds.
  package var transaction: TransactionNumber
  /// The root of the catalog, or `.none` where there are no tables.
  package var catalogRoot: PageID
  /// The checksum of the root page.
  package var catalogChecksum: UInt32
  /// The level of the root page; 0 is a leaf.
  package var catalogLevel: UInt8
  /// The pages that the state may point to: all of its numbers are lower.
  package var pageCount: Int
  /// The number that the next new table gets.
  package var nextTableID: UInt64

  package init(
    transaction: TransactionNumber, catalogRoot: PageID, catalogChecksum: UInt32,
    catalogLevel: UInt8, pageCount: Int, nextTableID: UInt64
  ) {
    self.transaction = transaction
    self.catalogRoot = catalogRoot
    self.catalogChecksum = catalogChecksum
    self.catalogLevel = catalogLevel
    self.pageCount = pageCount
    self.nextTableID = nextTableID
  }

  /// True where both are one state, and this says that it needs fewer pages of the file.
  fileprivate func isShorter(than other: PublishedState) -> Bool {
    transaction == other.transaction && catalogRoot == other.catalogRoot
      && catalogChecksum == other.catalogChecksum && pageCount < other.pageCount
  }
}

/// What the processes that have a store open tell each other, through the mapped lock file.
///
/// The published state stands in one of two cells; the low bit of the published word says which.
/// A publisher fills the other cell and then moves the word, so one that is killed in between has
/// changed nothing. A reader loads the word, then the cell, then the word again: while it has not
/// moved, nobody may have written to that cell.
///
/// The file is believed only by those who share the main file with a live process. Even so nothing
/// in it can make us trap or loop for ever: each word is checked where it is read.
package final class SharedState: Sendable {
  typealias Layout = SharedMemory.Layout

  /// The bytes of the main file that stand for rights over the lock file.
  package struct Locks: Sendable {
    /// The main file, whose bytes are locked.
    package let file: any StoreFile
    /// The byte that stands for row 0; the next `SharedState.lockByteCount` bytes are taken.
    package let base: LockByte

    package init(file: any StoreFile, base: LockByte) {
      self.file = file
      self.base = base
    }

    func row(_ row: Int) -> LockByte { LockByte(base.offset + Int64(row)) }
    var growth: LockByte { row(Layout.maximumRowCount) }
  }

  /// The number of lock bytes from `Locks.base` on: one a row, and one for letting the file grow.
  package static let lockByteCount = SharedMemory.Layout.maximumRowCount + 1

  /// The path of the lock file.
  package var path: String { file.path }
  /// A number that tells this lock file from every other one, before or after.
  package let instance: UInt64
  let memory: SharedMemory
  let file: any StoreFile
  let locks: Locks
  let system: any FileSystem
  let rows: SharedRows

  private init(
    _ memory: SharedMemory, file: any StoreFile, locks: Locks, system: any FileSystem
  ) {
    self.memory = memory
    self.file = file
    self.locks = locks
    self.system = system
    instance = memory.load(Layout.instance)
    rows = SharedRows(memory: memory, file: file, locks: locks, system: system)
  }

  /// Fills `file` anew.
  ///
  /// The caller is alone: nobody else has the file mapped.
  ///
  /// - Parameters:
  ///   - file: The lock file, whatever it holds.
  ///   - locks: Where the rows' locks are.
  ///   - system: The system that `file` belongs to.
  ///   - identity: The store's identity.
  ///   - state: The state that is published first.
  ///   - tip: The newest transaction number that was ever given out.
  /// - Returns: The shared state, with `state` published.
  /// - Throws: `.system` where the file cannot be written or mapped.
  package static func create(
    _ file: any StoreFile, locks: Locks, system: any FileSystem, identity: (UInt64, UInt64),
    state: PublishedState, tip: TransactionNumber
  ) throws(StoreError) -> SharedState {
    if try file.byteCount() > 0 { try file.truncate(to: 0) }
    try SharedRows.writeZeros(to: Layout.row(Layout.rowsPerGrowth), of: file, from: 0)
    let memory = SharedMemory(try file.map(byteCount: Layout.reservedByteCount, writable: true))
    memory.store(Layout.currentVersion, at: Layout.version)
    memory.store(identity.0, at: Layout.identity)
    memory.store(identity.1, at: Layout.identity + 8)
    memory.store(system.random() | 1, at: Layout.instance)
    memory.store(UInt64(Layout.rowsPerGrowth), at: Layout.rowCapacity)
    memory.store(tip.rawValue, at: Layout.tip)
    var first = state
    first.sequence = 1
    PublishedCell(first).store(to: memory)
    memory.storeInOrder(first.sequence, at: Layout.published)
    memory.storeInOrder(Layout.magicValue, at: Layout.magic)
    return SharedState(memory, file: file, locks: locks, system: system)
  }

  /// Takes part in what `file` holds, which other live processes use.
  ///
  /// - Parameters:
  ///   - file: The lock file.
  ///   - locks: Where the rows' locks are.
  ///   - system: The system that `file` belongs to.
  ///   - identity: The store's identity.
  /// - Returns: The shared state.
  /// - Throws: `.lockFileMissing` where this is not the lock file of a store with that identity,
  ///   `.unsupportedVersion`, or `.corrupt`.
  package static func attach(
    _ file: any StoreFile, locks: Locks, system: any FileSystem, identity: (UInt64, UInt64)
  ) throws(StoreError) -> SharedState {
    guard try file.byteCount() >= Layout.row(Layout.rowsPerGrowth) else {
      throw .lockFileMissing(path: file.path)
    }
    let memory = SharedMemory(try file.map(byteCount: Layout.reservedByteCount, writable: true))
    guard memory.load(Layout.magic) == Layout.magicValue else {
      throw .lockFileMissing(path: file.path)
    }
    let version = memory.load(Layout.version)
    guard version == Layout.currentVersion else {
      throw .unsupportedVersion(
        path: file.path, found: Int(clamping: version), supported: Int(Layout.currentVersion))
    }
    guard memory.load(Layout.identity) == identity.0,
      memory.load(Layout.identity + 8) == identity.1, memory.load(Layout.instance) != 0
    else { throw .lockFileMissing(path: file.path) }
    let shared = SharedState(memory, file: file, locks: locks, system: system)
    _ = try shared.rows.rowCount()
    _ = try shared.published()
    return shared
  }
}

// MARK: - The published state

extension SharedState {
  /// How often a reader that was overtaken by publications tries again.
  static let maximumRetries = 1 << 20

  /// The number of the newest publication.
  package var publishedSequence: UInt64 { memory.load(Layout.published) }

  /// The state that is published now.
  ///
  /// - Returns: A state that was the published one at some moment during the call.
  /// - Throws: `.corrupt` where the cell does not hold what a publisher writes.
  package func published() throws(StoreError) -> PublishedState {
    for _ in 0..<Self.maximumRetries {
      let sequence = publishedSequence
      let cell = PublishedCell(loading: sequence, from: memory)
      guard publishedSequence == sequence else { continue }
      guard let state = cell.state, state.sequence == sequence else {
        throw .corrupt(Damage(path: path, .field("published state", sequence)))
      }
      return state
    }
    throw .corrupt(Damage(path: path, .field("published word", publishedSequence)))
  }

  /// Publishes `state`, and wakes those who wait for a publication.
  ///
  /// The caller is the only publisher: it holds the right to write, or what the holder gave it.
  ///
  /// - Parameter state: The new state; its sequence is ignored.
  /// - Returns: The state with its sequence.
  /// - Throws: `.corrupt` where what is published now cannot be read, or is neither older nor the same
  ///   state in more pages.
  @discardableResult
  package func publish(_ state: PublishedState) throws(StoreError) -> PublishedState {
    let current = try published()
    // Our own numbers ascend, so it is the lock file that says something else.
    if state.transaction <= current.transaction && !state.isShorter(than: current) {
      throw .corrupt(
        Damage(path: path, .field("published transaction", current.transaction.rawValue)))
    }
    var next = state
    next.sequence = current.sequence + 1
    PublishedCell(next).store(to: memory)
    memory.storeInOrder(next.sequence, at: Layout.published)
    let bell = memory.sharedWord(Layout.publishedBell)
    bell.add(1)
    if memory.sharedWord(Layout.publishedWaiters).value != 0 { system.wake(bell) }
    return next
  }

  /// Sleeps until a publication other than `sequence` is there, or the time is over.
  ///
  /// May return early, and always does so after `nanoseconds`.
  package func waitForPublication(after sequence: UInt64, nanoseconds: UInt64) {
    let waiters = memory.sharedWord(Layout.publishedWaiters)
    let bell = memory.sharedWord(Layout.publishedBell)
    waiters.add(1)
    let heard = bell.value
    if publishedSequence == sequence {
      system.wait(on: bell, while: heard, nanoseconds: nanoseconds)
    }
    waiters.add(.max)
  }
}

/// A published state as the twelve words of its cell.
struct PublishedCell {
  private var words: InlineArray<12, UInt64>
  private static let wordCount = SharedMemory.Layout.cellByteCount / 8

  /// The cell for `state`.
  init(_ state: PublishedState) {
    precondition((2...Int(UInt32.max)).contains(state.pageCount), "\(state.pageCount) pages")
    precondition(state.catalogRoot.index < state.pageCount, "root \(state.catalogRoot)")
    precondition(state.transaction.rawValue < .max, "\(state.transaction)")
    words = [
      state.sequence, state.transaction.rawValue, UInt64(state.catalogRoot.rawValue),
      UInt64(state.catalogChecksum), UInt64(state.catalogLevel), UInt64(state.pageCount),
      state.nextTableID, 0, 0, 0, 0, 0,
    ]
    words[Self.wordCount - 1] = Self.check(of: words)
  }

  /// The cell that publication `sequence` chooses, whatever it holds.
  init(loading sequence: UInt64, from memory: SharedMemory) {
    let start = SharedMemory.Layout.cell(sequence)
    words = InlineArray { memory.load(start + $0 * 8) }
  }

  /// The state, or nil where these are not the words of one.
  var state: PublishedState? {
    guard words[Self.wordCount - 1] == Self.check(of: words), words[0] < .max,
      words[1] < .max,
      let root = UInt32(exactly: words[2]), let checksum = UInt32(exactly: words[3]),
      let level = UInt8(exactly: words[4]), let pageCount = UInt32(exactly: words[5]),
      pageCount >= 2, root < pageCount, level < StoreLimits.levelCount
    else { return nil }
    var state = PublishedState(
      transaction: TransactionNumber(words[1]), catalogRoot: PageID(root),
      catalogChecksum: checksum, catalogLevel: level, pageCount: Int(pageCount),
      nextTableID: words[6])
    state.sequence = words[0]
    return state
  }

  /// Stores the words into the cell that their sequence chooses.
  func store(to memory: SharedMemory) {
    let start = SharedMemory.Layout.cell(words[0])
    for index in words.indices { memory.store(words[index], at: start + index * 8) }
  }

  /// A mix of all words but the last.
  private static func check(of words: InlineArray<12, UInt64>) -> UInt64 {
    var mixed: UInt64 = 0x9E37_79B9_7F4A_7C15
    for index in 0..<wordCount - 1 {
      mixed = (mixed ^ words[index]) &* 0xBF58_476D_1CE4_E5B9
      mixed ^= mixed >> 29
    }
    return mixed
  }
}
