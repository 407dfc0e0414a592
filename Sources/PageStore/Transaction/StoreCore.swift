internal import CDexShim
internal import Synchronization

/// What an open store consists of: its files, what it shares with other processes, and the state
/// of its commits.
///
/// Locks, in the order in which they may be taken: the gate, the writer, the commits. Nothing waits
/// for another thread while it holds the commits' lock.
final class StoreCore: Sendable {
  let fileSystem: any FileSystem
  let options: StoreOptions
  let path: String
  let logPath: String
  let lockPath: String
  let identity: StoreIdentity
  let file: any StoreFile
  let map: PageMap
  let shared: SharedState
  let slots: ReaderSlots
  let access: Access
  let gate: WriteGate
  /// The writer, while this process has the right to write; only for whoever is inside the gate.
  // Safe: the gate lets in one thread at a time.
  nonisolated(unsafe) var writer: Writer?
  let commits: Guarded<Commits>
  /// Rung whenever a leader or a checkpoint has finished.
  let progress = WaitWord()
  /// The snapshots that are open or being opened.
  let snapshotCount = Atomic<Int>(0)
  /// The newest durable state to which a reader that cannot register has moved on.
  let following = Guarded(TransactionNumber.zero)
  /// When the tenure began, and when the right was last given to others who had asked for it (0: it
  /// was not, or that is settled), in nanoseconds.
  let tenureBegan = Atomic<UInt64>(0)
  let handedOverAt = Atomic<UInt64>(0)
  let life = Guarded(Life.open)
  let generation = dex_fork_generation()
  /// What was replayed in memory, for a store that may not write.
  let replayed = Guarded<Replayed?>(nil)
  let keeper = Guarded<Keeper?>(nil)
  let writeQueue = WriteQueue()

  /// A state that exists in this process only: the log, replayed behind the file's pages.
  struct Replayed: Sendable {
    let map: PageMap
    let state: TreeState
    /// The durable state that it was replayed on.
    let durable: TransactionNumber
  }

  /// How this store takes part.
  enum Access: Equatable, Sendable {
    /// Reads and writes.
    case readWrite
    /// Reads; registered in the lock file like every other.
    case readOnly
    /// Reads, and cannot register; writers keep the durable states for it.
    case unregistered
  }

  enum Life: Equatable, Sendable {
    case open
    /// Being closed by its owner, who may still be making the last commits durable.
    case closing
    /// Left by its owner; snapshots may still be reading.
    case left
    case closed
  }

  init(
    fileSystem: any FileSystem, options: StoreOptions, path: String, identity: StoreIdentity,
    file: any StoreFile, map: PageMap, shared: SharedState, slots: ReaderSlots, access: Access,
    durable: TreeState, published: TreeState
  ) {
    self.fileSystem = fileSystem
    self.options = options
    self.path = path
    logPath = StoreCore.logPath(of: path)
    lockPath = StoreCore.lockPath(of: path)
    self.identity = identity
    self.file = file
    self.map = map
    self.shared = shared
    self.slots = slots
    self.access = access
    gate = WriteGate(fileSystem: fileSystem, path: path)
    commits = Guarded(Commits(durable: durable, published: published))
  }

  /// Where the halves of the log lie.
  var logGeometry: LogGeometry {
    LogGeometry(initialHalf: options.logHalfByteCount, halfCapacity: options.logHalfCapacity)
  }

  static func logPath(of path: String) -> String { path + "-log" }
  static func lockPath(of path: String) -> String { path + "-lock" }

  /// Throws in a child of the process that opened the store.
  @inline(__always) func checkProcess() throws(StoreError) {
    if dex_fork_generation() != generation { throw .forked(path: path) }
  }

  /// Throws where the store may not be used any more.
  func checkOpen() throws(StoreError) {
    try checkProcess()
    if life.withLock({ $0 }) != .open { throw .closed(path: path) }
  }

  func trace(_ event: @autoclosure () -> TraceEvent) {
    if let trace = options.trace { trace(event()) }
  }

  /// The bytes of the main file that stand for rights, far beyond any page.
  enum Locks {
    static let base: Int64 = 1 << 62
    /// Shared, for as long as a process has the store open.
    static let presence = LockByte(base)
    /// Exclusive, around opening and closing.
    static let door = LockByte(base + 1)
    /// Exclusive: the right to write.
    static let write = LockByte(base + 2)
    /// Shared, by readers that have no place in the lock file.
    static let unregistered = LockByte(base + 3)
    /// A byte for each row of the lock file, from here on.
    static let rows = LockByte(base + 16)
  }
}

/// How far the commits of this process have come.
///
/// Invariant: `published ≤ sealed ≤ tip`, and `durable` never lies behind `checkpointed`.
struct Commits {
  /// The newest committed state.
  var tip: TreeState
  /// The state that readers of all processes see.
  var published: TreeState
  /// The state that is being published.
  var sealed: TreeState?
  /// The state in the durable meta page.
  var checkpointed: TreeState
  /// The state that a checkpoint is making durable.
  var checkpointing: TreeState?
  /// Durable states that unregistered readers may be reading.
  var unregisteredStates: [TransactionNumber] = []
  /// The newest transaction known to survive a loss of power.
  var durable: TransactionNumber
  /// The end of the log, while there is one.
  var tail: LogTail?
  var log: LogFile?
  /// True while a thread writes the log, publishes, or both.
  var hasLeader = false
  /// True while a thread writes frames that it took from the tail; the next ones wait their turn, so
  /// that a sync covers all frames before it and a killed process leaves no gap.
  var isWritingLog = false
  /// How many threads wait for their turn to write frames.
  var logWaiterCount = 0
  /// Commits since the last sync began.
  var openGroupCount = 0
  /// How many threads seem to be committing: those that the last sync served, and those that came
  /// while it was under way.
  var committerCount = 1
  /// How long the last sync of the log took.
  var lastSyncNanoseconds: UInt64 = 0
  /// When it ended, in nanoseconds, and the newest commit that a mark has called durable.
  var lastSyncEnd: UInt64 = 0
  var marked = TransactionNumber.zero
  /// True once a checkpoint is wanted, because the log has moved into its other half.
  var wantsCheckpoint = false
  /// True while a thread makes the log longer, or shorter.
  var isGrowingLog = false
  var poison: StoreError?
  /// Buffers of pages that are in the file now; the writer takes them back.
  var retired: [PrivateEntry] = []
  /// When the oldest commit that is not durable yet was made, in nanoseconds.
  var oldestUnsynced: UInt64?
  /// The bytes of private pages, those that wait for publication among them.
  var privateByteCount = 0
  /// Runs of maps that a later map has taken the place of.
  var oldMapRuns: [PageRun] = []

  init(durable state: TreeState, published: TreeState) {
    tip = published
    self.published = published
    checkpointed = state
    durable = published.transaction
  }
}
