import PageStore
import SimulatedDisk

/// Runs a workload and lets one of its calls fail; then looks at what the store makes of it.
///
/// Where what is on disk became unknown, everything that writes is refused until the store is opened
/// again. Elsewhere the transaction has failed whole, and the store goes on. Either way the state
/// that is seen, and the one that a crash or a kill leaves, is one that may be.
struct FaultRun {
  let workload: Workload
  let findings: Findings
  private(set) var poisonedCount = 0
  private(set) var runCount = 0

  init(workload: Workload, findings: Findings) {
    self.workload = workload
    self.findings = findings
  }

  /// Runs the workload once for each of its calls that `matches`, with `fault` for that call.
  mutating func run(
    _ fault: Fault, stride: Int = 1, matching matches: (Operation) -> Bool = { _ in true }
  ) {
    let disk = SimulatedDisk(maximumFileByteCount: 16 << 20)
    disk.recordOperations()
    let run = WorkloadRun(workload, on: SimulatedSystem(disk, seed: workload.seed))
    do { try run.run() } catch { findings.note("\(workload): \(error)") }
    run.finish()
    var count = 0
    for operation in disk.operations where matches(operation) {
      count += 1
      if count % stride != 0 { continue }
      if findings.wrong.count > 3 { return }
      runCount += 1
      do {
        try self.run(fault, atOperation: operation.index)
      } catch {
        findings.note(
          "\(workload), \(fault) at call \(operation.index) (\(operation.call) \(operation.path)): "
            + "\(error)")
      }
    }
  }

  private mutating func run(_ fault: Fault, atOperation index: Int) throws {
    let disk = SimulatedDisk(maximumFileByteCount: 16 << 20)
    disk.inject(fault, atOperation: index)
    let run = WorkloadRun(workload, on: SimulatedSystem(disk, seed: workload.seed))
    defer { run.finish() }
    var isPoisoned = false
    do {
      try run.run()
    } catch let error as StoreError {
      isPoisoned = try look(at: run, after: error)
    }
    if isPoisoned { poisonedCount += 1 }
    if !isPoisoned, try !goOn(run, on: disk) { return }
    let seed = workload.seed &+ UInt64(index) &* 31
    for (image, possible) in [
      // A sync that failed may have taken from the page cache what the process had written to it.
      (disk.killImage(), run.possible), (disk.crashImage(.seeded(seed)), run.possible),
      (disk.crashImage(.nothingKept), run.possible),
    ] {
      let check = CrashCheck(
        options: workload.options, history: run.history, possible: possible,
        possibleAfterCrash: run.possible, exists: run.exists, findings: findings, maximumDepth: 1)
      check.check(image, seed: seed) { [workload] in
        "\(workload), \(fault) at call \(index), crashed afterwards"
      }
    }
  }

  /// Looks at an open store after `error`; true where it is poisoned.
  private func look(at run: WorkloadRun, after error: StoreError) throws -> Bool {
    guard let store = run.store else { return false }
    let digest = try StoreDigest.of(store)
    do {
      try run.transaction()
    } catch StoreError.poisoned {
      try expectRefusal { try store.write { _ = try $0.createTable("refused") } }
      try expectRefusal { try store.checkpoint() }
      guard digest == run.history.last || run.history.contains(digest) else {
        throw WorkloadRun.Wrong(description: "other contents after \(error)")
      }
      guard try StoreDigest.of(store) == digest else {
        throw WorkloadRun.Wrong(description: "a poisoned store changed")
      }
      return true
    }
    return false
  }

  private func expectRefusal(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch StoreError.poisoned {
      return
    }
    throw WorkloadRun.Wrong(description: "a poisoned store writes")
  }

  /// Does more work, after opening where opening or closing has failed.
  ///
  /// - Returns: false where opening has found an older state than the newest, which may be.
  private func goOn(_ run: WorkloadRun, on disk: SimulatedDisk) throws -> Bool {
    disk.clearFaults()
    if run.store == nil {
      let system = SimulatedSystem(disk, processID: 5)
      let digest = try StoreDigest.of(
        Store(path: WorkloadRun.path, options: workload.options, fileSystem: system))
      if digest != run.model.digest, run.history[run.possible].contains(digest) { return false }
      try run.open()
    }
    for _ in 0..<3 { try run.transaction() }
    guard let store = run.store, try StoreDigest.of(store) == run.model.digest else {
      throw WorkloadRun.Wrong(description: "other contents after going on")
    }
    return true
  }
}

/// Runs a workload and lets the disk run full at one of its calls.
///
/// The transaction that had no room fails whole, reading goes on, a row can be deleted, and once
/// there is room again writing goes on, all without opening the store again.
struct FullDiskRun {
  let workload: Workload
  let findings: Findings

  /// Runs the workload once for every `stride`th of its calls that changes the disk.
  ///
  /// - Returns: how often the disk's being full was noticed.
  func run(stride: Int = 1) -> Int {
    var fullCount = 0
    var index = 0
    while findings.wrong.count < 4 {
      let disk = SimulatedDisk(maximumFileByteCount: 16 << 20)
      do {
        guard let wasFull = try run(on: disk, fullFrom: index) else { return fullCount }
        if wasFull { fullCount += 1 }
      } catch {
        findings.note("\(workload), disk full at call \(index): \(error)")
      }
      index += stride
    }
    return fullCount
  }

  /// - Returns: whether anything failed; nil where the workload has no such call.
  private func run(on disk: SimulatedDisk, fullFrom index: Int) throws -> Bool? {
    let system = SimulatedSystem(disk, seed: workload.seed)
    let run = WorkloadRun(workload, on: system)
    defer { run.finish() }
    system.onOperation { if $0.index == index { disk.setRoom(0) } }
    var wasFull = false
    do {
      try run.run()
      if disk.operationCount <= index { return nil }
    } catch let error as StoreError {
      guard case .diskFull = error else { throw error }
      wasFull = true
    }
    if let store = run.store {
      guard try StoreDigest.of(store) == run.model.digest else {
        throw WorkloadRun.Wrong(description: "other contents when the disk is full")
      }
      try run.deleteSomething()
    }
    disk.setRoom(1 << 30)
    if run.store == nil { try run.open() }
    for _ in 0..<3 { try run.transaction() }
    try run.close()
    try run.open()
    try run.close()
    if let problem = try SpaceAudit.problem(on: disk, path: WorkloadRun.path) {
      throw WorkloadRun.Wrong(description: problem)
    }
    return wasFull
  }
}
