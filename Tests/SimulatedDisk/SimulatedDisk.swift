import PageStore
import Synchronization

/// A disk that keeps what was synced apart from what was not, and that fails when told to.
///
/// Programs use it through a `SimulatedSystem` each. Every file has a visible image, which is what
/// programs read, and a durable one, which is what the medium has; changes between two syncs are
/// pending, and `crashImage` decides about each of them. Names are durable once their folder is
/// synced. All of it follows from the calls and the seeds.
package final class SimulatedDisk: Sendable {
  let state: Mutex<DiskState>

  /// An empty disk.
  ///
  /// `maximumFileByteCount` is how long a file may become; `capacity` how many bytes all files may
  /// take, in blocks of 4096.
  package init(maximumFileByteCount: Int = 256 << 20, capacity: Int = 1 << 50) {
    precondition(maximumFileByteCount > 0 && maximumFileByteCount.isMultiple(of: 4096))
    state = Mutex(DiskState(maximumFileByteCount: maximumFileByteCount, capacity: capacity))
  }

  private init(_ state: DiskState) { self.state = Mutex(state) }

  // MARK: Crashes

  /// How many calls were made to this disk.
  package var operationCount: Int { state.withLock { $0.operationCount } }

  /// Lets the machine crash at call `index`: it and all later ones, of every process, fail.
  package func crash(atOperation index: Int?) { state.withLock { $0.crashOperation = index } }

  /// Lets the machine crash now.
  package func crash() { state.withLock { $0.crash() } }

  /// True once the machine has crashed; nothing changes any more.
  package var hasCrashed: Bool { state.withLock { $0.hasCrashed } }

  /// How many sector writes a crash now would decide about.
  package var pendingSectorCount: Int { state.withLock { $0.pendingSectorCount } }

  /// How many changes, of sectors, sizes and names, a crash now would decide about.
  package var pendingItemCount: Int {
    state.withLock { state in
      state.pendingSectorCount + state.pendingNames.count
        + state.files.values.count { !$0.pendingSizes.isEmpty }
    }
  }

  /// The disk that a machine finds which starts after a crash; this one stays as it is.
  package func crashImage(_ choice: CrashChoice) -> SimulatedDisk {
    SimulatedDisk(state.withLock { $0.afterCrash(choice) })
  }

  /// The disk that is left when all processes die at once and the machine goes on.
  ///
  /// The visible images stay, with what is pending, and so does the clock; open files and locks go.
  package func killImage() -> SimulatedDisk { SimulatedDisk(state.withLock { $0.afterKill() }) }

  // MARK: What was called

  /// Starts to keep a list of all calls.
  package func recordOperations() { state.withLock { $0.isRecording = true } }

  /// The calls since `recordOperations`.
  package var operations: [Operation] { state.withLock { $0.operations } }

  // MARK: Faults

  /// Lets `fault` meet the call with this index.
  package func inject(_ fault: Fault, atOperation index: Int) {
    inject(fault) { $0.index == index }
  }

  /// Lets `fault` meet the next `count` calls that `matches` is true of.
  package func inject(
    _ fault: Fault, count: Int = 1, where matches: @escaping @Sendable (Operation) -> Bool
  ) {
    let rule = FaultRule(fault: fault, matches: matches, remainingCount: count)
    state.withLock { $0.faults.append(rule) }
  }

  /// Forgets the faults that have not met a call.
  package func clearFaults() { state.withLock { $0.faults = [] } }

  /// The bytes that files may still take.
  package var room: Int { state.withLock { max(0, $0.room) } }

  /// Lets files take `byteCount` bytes more than they have now, in whole blocks.
  package func setRoom(_ byteCount: Int) {
    state.withLock { state in
      state.capacity += byteCount - state.room
      state.room = byteCount
    }
  }

  /// Flips the bits of `mask` in the byte at `offset` of the file at `path`, at rest.
  package func rot(_ path: String, at offset: Int, mask: UInt8) {
    state.withLock { state in
      guard let file = state.names[path] else { return }
      state.files[file]?.rot(at: offset, mask: mask)
    }
  }

  /// Loses the name `path`, from the medium too.
  package func loseName(_ path: String) {
    state.withLock { state in
      state.names[path] = nil
      state.durableNames[path] = nil
      state.collect()
    }
  }

  // MARK: Contents

  /// The names, in order.
  package var names: [String] { state.withLock { $0.names.keys.sorted() } }

  /// What programs read in the file at `path`, or nil where there is none.
  package func contents(of path: String) -> [UInt8]? {
    state.withLock { state in
      guard let number = state.names[path], let file = state.files[number] else { return nil }
      return [UInt8](file.bytes(0..<file.byteCount))
    }
  }

  /// What the medium has of the file at `path`, if it has the name.
  package func durableContents(of path: String) -> [UInt8]? {
    crashImage(.nothingKept).contents(of: path)
  }

  /// Puts a file of these bytes at `path`, durable, in place of any other.
  package func setContents(of path: String, to bytes: [UInt8]) {
    state.withLock { state in
      let number = state.create(path, permissions: 0o644)
      bytes.withUnsafeBytes { bytes in
        var room = Int.max
        _ = state.files[number]?.write(bytes, at: 0, room: &room)
      }
      state.files[number]?.sync()
      state.pendingNames.removeAll { change in
        if case .link(path, number) = change { true } else { false }
      }
      state.durableNames[path] = number
      state.collect()
    }
  }

  // MARK: Time

  /// The time on the clock that all simulated processes share, in nanoseconds.
  package var clock: UInt64 {
    get { state.withLock { $0.clock } }
    set { state.withLock { $0.clock = newValue } }
  }
}
