import Entities
import PageStore
import SimulatedDisk

/// Two simulated processes that take turns at the steps of one workload, on one disk.
///
/// Each of them sees what the other did; now and then one dies in the middle of a step, and another
/// comes in its place and goes on.
final class StackPair {
  let workload: StackWorkload
  let history: [UInt64]
  let look: StackLook
  let findings: StackFindings
  private let disk = SimulatedDisk(maximumFileByteCount: 16 << 20)
  private var random: SplitMix64
  private var runs: [StackRun] = []
  private var nextProcess: Int32 = 1
  private var done = 0

  init(seed: UInt64, _ findings: StackFindings) throws {
    workload = StackWorkload(seed: 100 &+ seed, stepCount: 12)
    history = try workload.history()
    look = StackLook(workload: workload, history: history, findings: findings)
    self.findings = findings
    random = SplitMix64(seed: seed)
  }

  func run() throws {
    runs = [newcomer(), newcomer()]
    while done < workload.stepCount {
      let index = random.number(in: 0..<runs.count)
      if random.chance(15) {
        try die(index)
      } else {
        try step(index)
      }
    }
    look.look(disk.crashImage(.nothingKept), done...done, "seed \(workload.seed), the end")
  }

  private func newcomer() -> StackRun {
    defer { nextProcess += 1 }
    return StackRun(
      workload, on: SimulatedSystem(disk, processID: nextProcess, seed: UInt64(nextProcess)),
      done: done)
  }

  /// Does the next step in process `index`, once the other one has handed the right over.
  private func step(_ index: Int) throws {
    let run = takingOver(index)
    for attempt in 0..<3 {
      do {
        _ = try run.step()
        break
      } catch  where isBusy(error) && attempt < 2 {
        for other in runs where other !== run { other.store?.performBackgroundWork() }
      }
    }
    done = run.done
    for other in runs {
      guard let database = other.database else { continue }
      let digest = try StackDigest.of(database)
      if digest != history[done] {
        findings.note("\(workload): process \(other.system.processID) sees other contents")
      }
    }
  }

  /// The run in process `index`, at the step that both have come to.
  private func takingOver(_ index: Int) -> StackRun {
    if runs[index].done != done { runs[index].goOn(from: done) }
    return runs[index]
  }

  /// Lets process `index` die at some call of the next step.
  private func die(_ index: Int) throws {
    let run = takingOver(index)
    run.system.kill(atOperation: run.system.operationCount + random.number(in: 0..<60))
    var hasDied = false
    do {
      try step(index)
      run.system.kill()
    } catch {
      hasDied = run.system.hasCrashed
      if !hasDied { throw error }
    }
    runs[index] = newcomer()
    guard hasDied else { return }
    look.look(
      disk.killImage(), done...done + 1, "\(workload), process died after step \(done)")
    // What it has committed counts, whether it came to know that or not.
    try runs[index].open()
    guard let database = runs[index].database else { return }
    let digest = try StackDigest.of(database)
    if done + 1 < history.count, digest == history[done + 1], digest != history[done] { done += 1 }
    runs[index].goOn(from: done)
  }
}

/// True where `error` says that another process has the right to write.
private func isBusy(_ error: any Error) -> Bool {
  switch error {
  case DatabaseError.store(.busy), StoreError.busy: true
  default: false
  }
}
