import Glibc
import PageStore
import Synchronization

/// A simulated process, with the system as it sees it.
///
/// Several may share a disk. After the machine has crashed or the process was killed, each call
/// fails with `EIO` and changes nothing, so that what the engine does while it unwinds is lost.
package final class SimulatedSystem: FileSystem {
  package let disk: SimulatedDisk
  package let processID: Int32

  private let process: Int
  private let randomness: Mutex<SplitMix64>
  private let hook = Mutex<Hook?>(nil)

  /// What is called before each call.
  ///
  /// In an object, since a closure that is taken out of a mutex
  /// and put back again and again is wrapped anew each time.
  private final class Hook: Sendable {
    let body: @Sendable (Operation) -> Void
    init(_ body: @escaping @Sendable (Operation) -> Void) { self.body = body }
  }

  /// A new process on `disk`; `seed` decides its random numbers.
  package init(_ disk: SimulatedDisk, processID: Int32 = 1, seed: UInt64 = 0) {
    self.disk = disk
    self.processID = processID
    process = disk.state.withLock { $0.addProcess(processID) }
    randomness = Mutex(SplitMix64(seed: seed))
  }

  package var allowsBackgroundThreads: Bool { false }

  // MARK: The test's side

  /// Calls `body` before each call, on the caller's thread, with no lock held.
  ///
  /// Waiting calls it too, as a call of the kind `.thread` that has no number of its own.
  package func onOperation(_ body: (@Sendable (Operation) -> Void)?) {
    let next = body.map { Hook($0) }
    hook.withLock { $0 = next }
  }

  /// True once the machine has crashed or this process was killed.
  package var hasCrashed: Bool {
    disk.state.withLock { $0.hasCrashed || $0.processes[process]?.isAlive != true }
  }

  /// Kills the process: its locks go, its writable mappings reach nobody any more.
  package func kill() { disk.state.withLock { $0.kill(process) } }

  /// Lets the process die at its own call `index`, counted from 0.
  package func kill(atOperation index: Int?) {
    disk.state.withLock { $0.processes[process]?.deathOperation = index }
  }

  /// How many calls this process has made.
  package var operationCount: Int {
    disk.state.withLock { $0.processes[process]?.operationCount ?? 0 }
  }

  /// Lets others see the process as stopped, or as running again.
  package func setResponding(_ isResponding: Bool) {
    disk.state.withLock { $0.processes[process]?.isResponding = isResponding }
  }

  // MARK: Calls

  /// Counts a call and does it, unless a crash or a fault prevents that.
  func perform<Value: Sendable>(
    _ call: SystemCall, _ path: String, offset: Int = 0, byteCount: Int = 0,
    mode: OpenMode? = nil,
    _ body: (inout DiskState, Fault?) throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    let process = process
    let (index, own) = disk.state.withLock { state in
      defer {
        state.operationCount += 1
        state.processes[process]?.operationCount += 1
      }
      return (state.operationCount, state.processes[process]?.operationCount ?? 0)
    }
    let operation = Operation(
      index: index, processID: processID, call: call, path: path, offset: offset,
      byteCount: byteCount, mode: mode)
    hook.withLock { $0 }?.body(operation)
    return try disk.state.withLock { (state) throws(StoreError) in
      if let crash = state.crashOperation, index >= crash, !state.hasCrashed { state.crash() }
      if let death = state.processes[process]?.deathOperation, own >= death { state.kill(process) }
      guard !state.hasCrashed, state.processes[process]?.isAlive == true else {
        throw .system(call, path: path, errno: EIO)
      }
      if state.isRecording { state.operations.append(operation) }
      let fault = state.takeFault(for: operation)
      if case .error(let errno) = fault { throw .system(call, path: path, errno: errno) }
      return try body(&state, fault)
    }
  }

  package func open(_ path: String, _ mode: OpenMode) throws(StoreError) -> any StoreFile {
    let process = process
    let (handle, file) = try perform(.open, path, mode: mode) {
      (state, _) throws(StoreError) -> (Int, Int) in
      var file = state.names[path]
      switch mode {
      case .readOnly, .readWrite:
        break
      case .createNew(let permissions):
        if file != nil { throw .system(.open, path: path, errno: EEXIST) }
        file = state.create(path, permissions: permissions)
      case .openOrCreate(let permissions):
        if file == nil { file = state.create(path, permissions: permissions) }
      }
      guard let file else { throw .system(.open, path: path, errno: ENOENT) }
      let handle = state.open(file, process: process, isWritable: mode != .readOnly)
      return (handle, file)
    }
    return SimulatedOpenFile(
      system: self, process: process, path: path, handle: handle, file: file)
  }

  package func remove(_ path: String) throws(StoreError) {
    try perform(.remove, path) { (state, _) throws(StoreError) in
      if state.names[path] != nil { state.change(.unlink(path)) }
    }
  }

  package func rename(
    _ path: String, to newPath: String, replacing: Bool
  ) throws(StoreError) {
    try perform(.rename, path) { (state, _) throws(StoreError) in
      guard let file = state.names[path] else {
        throw .system(.rename, path: path, errno: ENOENT)
      }
      if !replacing && state.names[newPath] != nil {
        throw .system(.rename, path: newPath, errno: EEXIST)
      }
      if path != newPath { state.change(.rename(path, to: newPath, file: file)) }
    }
  }

  package func syncDirectory(of path: String) throws(StoreError) {
    try perform(.directorySync, path) { (state, fault) throws(StoreError) in
      if case .failedSync(let failure) = fault {
        state.failSyncOfFolder(of: path, failure)
        throw .system(.directorySync, path: path, errno: EIO)
      }
      state.syncFolder(of: path)
    }
  }

  package func resolve(_ path: String) throws(StoreError) -> String {
    try perform(.status, path) { (_, _) throws(StoreError) in path }
  }

  package func exists(_ path: String) throws(StoreError) -> Bool {
    try perform(.status, path) { (state, _) throws(StoreError) in state.names[path] != nil }
  }

  // MARK: Processes and time

  package func isResponding(_ processID: Int32) -> Bool {
    disk.state.withLock { state in
      state.processes.values.contains {
        $0.processID == processID && $0.isAlive && $0.isResponding
      }
    }
  }

  package func nanoseconds() -> UInt64 { disk.clock }

  package func random() -> UInt64 { randomness.withLock { $0.next() } }

  package func wait(on word: SharedWord, while expected: UInt32, nanoseconds: UInt64) {
    let operation = Operation(
      index: disk.operationCount, processID: processID, call: .thread, path: "", offset: 0,
      byteCount: 0, mode: nil)
    hook.withLock { $0 }?.body(operation)
    guard word.pointer.pointee.load(ordering: .acquiring) == expected else { return }
    disk.state.withLock { state in
      let (later, overflow) = state.clock.addingReportingOverflow(nanoseconds)
      state.clock = overflow ? .max : later
    }
  }

  package func wake(_ word: SharedWord) {}
}
