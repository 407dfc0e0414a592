import PageStore
import SimulatedDisk

/// Runs a workload and lets one of its writes to the main file go nowhere, or elsewhere; then the
/// file is read by a process that has not seen it before.
///
/// What it finds is right, or said to be damaged: pages are known by the checksums in their parents.
/// Losing both meta pages' writes would be an older state, but one is lost at a time.
struct LostWriteRun {
  let workload: Workload
  let findings: Findings

  /// - Returns: how often damage was found.
  func run() throws -> Int {
    let recorded = SimulatedDisk(maximumFileByteCount: 16 << 20)
    recorded.recordOperations()
    let whole = WorkloadRun(workload, on: SimulatedSystem(recorded, seed: workload.seed))
    try whole.run()
    whole.finish()
    var damageCount = 0
    for operation in recorded.operations
    where operation.call == .write && operation.path == WorkloadRun.path {
      for fault: Fault in [
        .lostWrite, .misdirectedWrite(by: workload.pageByteCount), .misdirectedWrite(by: -512),
      ] {
        if try !isRight(fault, operation) { damageCount += 1 }
      }
    }
    return damageCount
  }

  private func isRight(_ fault: Fault, _ operation: Operation) throws -> Bool {
    let disk = SimulatedDisk(maximumFileByteCount: 16 << 20)
    disk.inject(fault, atOperation: operation.index)
    let system = SimulatedSystem(disk, seed: workload.seed)
    var image: SimulatedDisk?
    // The writer itself trusts what it wrote, so the machine is lost before it reads it.
    let state = Unchecked(ImageTaker())
    system.onOperation { [disk] next in
      if next.index == operation.index + 12 { state.value.image = disk.killImage() }
    }
    let run = WorkloadRun(workload, on: system)
    disk.crash(atOperation: operation.index + 13)
    do { try run.run() } catch {}
    image = state.value.image
    let possible = run.history.indices.suffix(from: max(0, run.acknowledged - 4))
    let history = run.history
    run.finish()
    guard let image else { return true }
    var options = workload.options
    options.createsFile = false
    do {
      let store = try Store(
        path: WorkloadRun.path, options: options,
        fileSystem: SimulatedSystem(image, processID: 3))
      let digest = try StoreDigest.of(store)
      if !possible.contains(where: { history[$0] == digest }) {
        findings.note("\(workload), \(fault) at call \(operation.index): other contents")
      }
      return true
    } catch let error as StoreError {
      if case .corrupt = error { return false }
      if case .notADatabase = error { return false }
      findings.note("\(workload), \(fault) at call \(operation.index): \(error)")
      return false
    } catch {
      findings.note("\(workload), \(fault) at call \(operation.index): \(error)")
      return false
    }
  }
}

/// Takes an image out of a hook, which is called on this very thread.
private final class ImageTaker {
  var image: SimulatedDisk?
}

/// Opens and reads a store that lies at rest, and lets one reading call fail after another.
struct UnreadableRun {
  let workload: Workload
  let findings: Findings

  func run() throws {
    let disk = SimulatedDisk(maximumFileByteCount: 16 << 20)
    let run = WorkloadRun(workload, on: SimulatedSystem(disk, seed: workload.seed))
    try run.run()
    if run.store != nil { try run.close() }
    let digest = run.model.digest
    var index = 0
    while findings.wrong.isEmpty {
      let image = disk.killImage()
      image.recordOperations()
      image.inject(.error(errno: 5), atOperation: index)
      do {
        let store = try Store(
          path: WorkloadRun.path, options: workload.options,
          fileSystem: SimulatedSystem(image, processID: 3))
        let found = try StoreDigest.of(store)
        if found != digest { findings.note("EIO at call \(index): other contents") }
      } catch let error as StoreError {
        let failed = image.operations.last { $0.index == index }
        let isPage = failed?.call == .read && failed?.path == WorkloadRun.path
        if isPage, (failed?.byteCount ?? 0) > 512 {
          guard case .corrupt(let damage) = error, damage.problem == .unreadable(errno: 5) else {
            findings.note("EIO at call \(index): \(error)")
            continue
          }
        }
      }
      if image.operationCount <= index { return }
      index += 1
    }
  }
}
