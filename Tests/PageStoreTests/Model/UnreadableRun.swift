import PageStore
import SimulatedDisk

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
