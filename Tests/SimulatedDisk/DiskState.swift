import Glibc
import PageStore

/// All of a simulated disk that its mutex guards, with the processes that use it.
struct DiskState: Sendable {
  // The medium
  var files: [Int: SimulatedFile] = [:]
  var names: [String: Int] = [:]
  var durableNames: [String: Int] = [:]
  var pendingNames: [NameChange] = []
  private var nextFile = 1
  let maximumFileByteCount: Int
  /// The bytes of all blocks that files may have.
  var capacity: Int
  /// What of the capacity no file has taken; negative where it was lowered.
  var room: Int

  // Its processes
  var handles: [Int: Handle] = [:]
  private var nextHandle = 1
  var processes: [Int: SimulatedProcess] = [:]
  private var nextProcess = 1
  /// Who holds which lock: by file, by byte, by open file.
  var locks: [Int: [Int64: [Int: LockKind]]] = [:]
  var writableMappings: [WeakMapping] = []

  // The run
  var clock: UInt64 = 1_000_000_000
  var operationCount = 0
  var crashOperation: Int?
  var hasCrashed = false
  var isRecording = false
  var operations: [Operation] = []
  var faults: [FaultRule] = []

  init(maximumFileByteCount: Int, capacity: Int) {
    self.maximumFileByteCount = maximumFileByteCount
    self.capacity = capacity
    room = capacity
  }

  /// A file that some process has open.
  struct Handle: Sendable {
    let file: Int
    let process: Int
    let isWritable: Bool
  }

  struct SimulatedProcess: Sendable {
    let processID: Int32
    var isAlive = true
    var isResponding = true
    /// The call, counted from this process's first, at which it dies.
    var deathOperation: Int?
    var operationCount = 0
  }

  /// A change of a name that no sync of its folder has made durable.
  ///
  /// A rename is one change, which happens or does not, and belongs to the new name's folder.
  enum NameChange: Sendable {
    case link(String, file: Int)
    case unlink(String)
    case rename(String, to: String, file: Int)

    var folder: Substring {
      switch self {
      case .link(let path, _), .unlink(let path), .rename(_, let path, _):
        DiskState.folder(of: path)
      }
    }

    func apply(to names: inout [String: Int]) {
      switch self {
      case .link(let path, let file): names[path] = file
      case .unlink(let path): names[path] = nil
      case .rename(let path, let newPath, let file):
        names[path] = nil
        names[newPath] = file
      }
    }
  }

  static func folder(of path: String) -> Substring {
    path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
  }

  // MARK: Names

  mutating func create(_ path: String, permissions: UInt32) -> Int {
    let number = nextFile
    nextFile += 1
    files[number] = SimulatedFile(
      number: UInt64(number), permissions: permissions, maximumByteCount: maximumFileByteCount)
    change(.link(path, file: number))
    return number
  }

  mutating func change(_ change: NameChange) {
    change.apply(to: &names)
    pendingNames.append(change)
    collect()
  }

  mutating func syncFolder(of path: String) {
    let folder = Self.folder(of: path)
    for change in pendingNames where change.folder == folder { change.apply(to: &durableNames) }
    pendingNames.removeAll { $0.folder == folder }
    collect()
  }

  mutating func failSyncOfFolder(of path: String, _ failure: SyncFailure) {
    let folder = Self.folder(of: path)
    if case .partly(let seed) = failure {
      var random = SplitMix64(seed: seed)
      for change in pendingNames where change.folder == folder && random.chance(50) {
        change.apply(to: &durableNames)
      }
    }
    pendingNames.removeAll { $0.folder == folder }
    if case .reverted = failure {
      names = names.filter { Self.folder(of: $0.key) != folder }
      for (path, file) in durableNames where Self.folder(of: path) == folder {
        names[path] = file
      }
    }
    collect()
  }

  /// Forgets the files that nothing can lead to any more.
  mutating func collect() {
    var reachable = Set(names.values).union(durableNames.values)
    for handle in handles.values { reachable.insert(handle.file) }
    for change in pendingNames {
      switch change {
      case .link(_, let file), .rename(_, _, let file): reachable.insert(file)
      case .unlink: break
      }
    }
    let used = Set(names.values).union(handles.values.map(\.file))
    var taken = 0
    for (number, file) in files {
      if !reachable.contains(number) {
        files[number] = nil
        locks[number] = nil
      } else if used.contains(number) {
        taken += file.allocated.count
      }
    }
    room = capacity - taken * BlockSet.byteCount
  }

  func linkCount(of file: Int) -> Int { names.values.count { $0 == file } }

  // MARK: Open files

  mutating func open(_ file: Int, process: Int, isWritable: Bool) -> Int {
    let number = nextHandle
    nextHandle += 1
    handles[number] = Handle(file: file, process: process, isWritable: isWritable)
    return number
  }

  mutating func close(_ handle: Int) {
    guard let closed = handles.removeValue(forKey: handle) else { return }
    for byte in (locks[closed.file] ?? [:]).keys { locks[closed.file]?[byte]?[handle] = nil }
    collect()
  }

  /// Calls `body` with file `number` and the disk's room.
  mutating func withFile<Value>(
    _ number: Int, _ body: (inout SimulatedFile, inout Int) throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    guard let index = files.index(forKey: number) else {
      preconditionFailure("open file \(number) is gone")
    }
    return try body(&files.values[index], &room)
  }

  // MARK: Processes

  mutating func addProcess(_ processID: Int32) -> Int {
    let number = nextProcess
    nextProcess += 1
    processes[number] = SimulatedProcess(processID: processID)
    return number
  }

  /// Ends `process`: its locks go, and its mappings no longer reach the files.
  mutating func kill(_ process: Int) {
    guard processes[process]?.isAlive == true else { return }
    processes[process]?.isAlive = false
    detachMappings { $0.process == process }
    for (handle, open) in handles where open.process == process { close(handle) }
  }

  mutating func crash() {
    hasCrashed = true
    detachMappings { _ in true }
  }

  /// Gives each writable mapping that `isMeant` names memory of its own.
  private mutating func detachMappings(_ isMeant: (WeakMapping) -> Bool) {
    for mapping in writableMappings where isMeant(mapping) {
      mapping.mapping?.detach(fileByteCount: files[mapping.file]?.byteCount ?? 0)
    }
    writableMappings.removeAll { isMeant($0) || $0.mapping == nil }
  }

  // MARK: Faults

  /// The fault that meets `operation`, which it uses up.
  mutating func takeFault(for operation: Operation) -> Fault? {
    guard let index = faults.firstIndex(where: { $0.matches(operation) }) else { return nil }
    let fault = faults[index].fault
    faults[index].remainingCount -= 1
    if faults[index].remainingCount <= 0 { faults.remove(at: index) }
    return fault
  }

  // MARK: Images

  var pendingSectorCount: Int { files.values.reduce(0) { $0 + $1.pendingSectorCount } }

  /// The state that a machine finds which starts after a crash.
  func afterCrash(_ choice: CrashChoice) -> DiskState {
    let count: Int
    if case .subset = choice { count = pendingSectorCount } else { count = 0 }
    var decider = CrashDecider(choice, pendingSectorCount: count)
    var next = DiskState(maximumFileByteCount: maximumFileByteCount, capacity: capacity)
    next.clock = clock
    next.nextFile = nextFile
    for (number, file) in files.sorted(by: { $0.key < $1.key }) {
      decider.beginFile()
      let size = decider.sizeIndex(of: file.pendingSizes.count)
      let image = file.imageAfterCrash(&decider, sizeIndex: size)
      next.files[number] = file.afterCrash(image: image, sizeIndex: size)
    }
    next.durableNames = durableNames
    decider.beginFile()
    for change in pendingNames where decider.isKept() { change.apply(to: &next.durableNames) }
    next.names = next.durableNames
    next.collect()
    return next
  }

  /// The state that is left when all processes die and the machine goes on.
  func afterKill() -> DiskState {
    var next = self
    next.handles = [:]
    next.locks = [:]
    next.processes = [:]
    next.writableMappings = []
    next.operationCount = 0
    next.hasCrashed = false
    next.crashOperation = nil
    next.operations = []
    next.faults = []
    next.files = files.mapValues { $0.copy() }
    next.collect()
    return next
  }
}

/// A writable mapping, as long as its process keeps it.
struct WeakMapping: Sendable {
  weak let mapping: SimulatedMapping?
  let process: Int
  let file: Int
}
