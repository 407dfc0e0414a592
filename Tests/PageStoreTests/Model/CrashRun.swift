import PageStore
import SimulatedDisk

/// Runs a workload once, and before each of its calls looks at what a crash there would leave.
struct CrashRun {
  let workload: Workload
  let findings: Findings
  /// How many images with a seed are looked at for each call that changes the disk.
  var seededCount = 2
  var maximumDepth = 2

  /// How many calls the workload made.
  @discardableResult func run() -> Int {
    let disk = SimulatedDisk(maximumFileByteCount: 16 << 20)
    let system = SimulatedSystem(disk, seed: workload.seed)
    let run = WorkloadRun(workload, on: system)
    let state = Unchecked((self, run))
    system.onOperation { operation in
      if operation.call == .thread { return }
      state.value.0.crash(state.value.1, before: operation, on: disk)
    }
    do {
      try run.run()
      system.onOperation(nil)
      if let store = run.store { try store.close() }
    } catch {
      system.onOperation(nil)
      findings.note("\(workload): \(error)")
    }
    run.finish()
    return disk.operationCount
  }

  /// Looks at what a crash before `operation` leaves.
  private func crash(_ run: WorkloadRun, before operation: Operation, on disk: SimulatedDisk) {
    let check = CrashCheck(
      options: workload.options, history: run.history, possible: run.possible,
      possibleAfterCrash: run.possible, exists: run.exists, findings: findings,
      maximumDepth: maximumDepth)
    func look(_ choice: CrashChoice, _ seed: UInt64) {
      check.check(
        disk.crashImage(choice), seed: seed
      ) {
        "\(workload), call \(operation.index) (\(operation.call) \(operation.path)), \(choice)"
      }
    }
    let seed = workload.seed &* 1_000_003 &+ UInt64(operation.index)
    let changes = operation.changesDisk
    look(.everythingKept, seed)
    if changes { look(.nothingKept, seed) }
    for number in 0..<(changes ? seededCount : 1) {
      look(.seeded(seed &* 31 &+ UInt64(number)), seed &+ UInt64(number))
    }
    let pending = disk.pendingItemCount
    if changes && pending > 0 && pending <= 4 {
      for subset in 0..<(UInt64(1) << UInt64(pending)) { look(.subset(subset), seed &+ subset) }
    }
    if changes || operation.index % 8 == 0 {
      let killed = CrashCheck(
        options: workload.options, history: run.history, possible: run.possibleAfterKill,
        possibleAfterCrash: run.possible, exists: run.exists, findings: findings,
        maximumDepth: maximumDepth)
      killed.check(
        disk.killImage(), seed: seed
      ) {
        "\(workload), killed at call \(operation.index) (\(operation.call) \(operation.path))"
      }
    }
  }
}

/// Runs a workload again and again, and lets the machine crash at each of its calls in turn, so that
/// the engine unwinds from every one of them.
struct UnwindingRun {
  let workload: Workload
  let findings: Findings
  /// Crashes at every call whose number is this, modulo `stride`.
  var stride = 1

  func run() {
    var index = 0
    while findings.wrong.isEmpty {
      let disk = SimulatedDisk(maximumFileByteCount: 16 << 20)
      disk.crash(atOperation: index)
      let run = WorkloadRun(workload, on: SimulatedSystem(disk, seed: workload.seed))
      do {
        try run.run()
      } catch let error as WorkloadRun.Wrong {
        findings.note("\(workload), crash at call \(index): \(error)")
      } catch {}
      let hasCrashed = disk.hasCrashed
      run.finish()
      if !hasCrashed { return }
      let check = CrashCheck(
        options: workload.options, history: run.history, possible: run.possible,
        possibleAfterCrash: run.possible, exists: run.exists, findings: findings, maximumDepth: 0)
      let seed = UInt64(index) &* 977 &+ workload.seed
      let crashed = index
      check.check(disk.crashImage(.seeded(seed)), seed: seed) {
        "\(workload), crash at call \(crashed), seeded"
      }
      index += stride
    }
  }
}
