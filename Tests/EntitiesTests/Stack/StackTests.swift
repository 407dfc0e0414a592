import Entities
import Glibc
import PageStore
import SimulatedDisk
import Testing

@Suite(.serialized) struct `A stack on a disk that fails` {
  static let workloads = [
    StackWorkload(seed: 1), StackWorkload(seed: 2, stepCount: 10, migrationStep: 6),
  ]

  @Test(arguments: workloads)
  func `holds the contents after a step, whenever the machine crashes`(workload: StackWorkload)
    throws
  {
    let findings = StackFindings()
    try StackCrashes(workload, findings).run(stride: QuestTestData.isLong ? 1 : 3)
    #expect(findings.wrong == [])
    #expect(findings.count > 100)
  }

  @Test(
    arguments: [
      .error(errno: EIO), .error(errno: ENOSPC), .error(errno: EINTR),
      .partialWrite(byteCount: 700, errno: EIO), .partialWrite(byteCount: 0, errno: ENOSPC),
      .failedSync(.clean), .failedSync(.reverted), .failedSync(.partly(seed: 5)),
    ] as [Fault])
  func `holds the contents after a step, whichever call fails`(fault: Fault) throws {
    let findings = StackFindings()
    let failed = try StackFaults(Self.workloads[1], findings)
      .run(fault, stride: QuestTestData.isLong ? 1 : fault.isOfSyncs ? 5 : 17)
    #expect(findings.wrong == [])
    #expect(failed > 3)
  }

  @Test(arguments: [.lostWrite, .misdirectedWrite(by: 4096)] as [Fault])
  func `gives right contents or an error where a write goes astray`(fault: Fault) throws {
    let findings = StackFindings()
    _ = try StackFaults(Self.workloads[0], findings)
      .run(fault, stride: QuestTestData.isLong ? 1 : 7)
    #expect(findings.wrong == [])
    #expect(findings.count > 10)
  }

  @Test func `gives right contents or an error where bits rot or a name is lost`() throws {
    let workload = Self.workloads[0]
    let findings = StackFindings()
    let history = try workload.history()
    let look = StackLook(workload: workload, history: history, findings: findings)
    var random = SplitMix64(seed: 11)
    for _ in 0..<(QuestTestData.isLong ? 4000 : 150) {
      let disk = SimulatedDisk(maximumFileByteCount: 16 << 20)
      let run = StackRun(workload, on: SimulatedSystem(disk))
      let steps = random.number(in: 2..<workload.stepCount)
      while run.done < steps, try run.step() {}
      let image = random.chance(50) ? disk.killImage() : disk.crashImage(.everythingKept)
      let log = StackWorkload.path + "-log"
      let path = random.chance(50) ? log : StackWorkload.path
      guard let size = image.contents(of: path)?.count, size > 0 else { continue }
      if path == log && random.chance(8) {
        image.loseName(path)
      } else {
        image.rot(path, at: random.number(in: 0..<size), mask: 1 << UInt8(random.next() & 7))
      }
      // Rot in the last synced group looks like a torn tail to anyone.
      look.look(
        image, max(0, run.done - 1)...run.done, mayBeDamaged: true,
        "seed 11, damage in \(path) after step \(run.done)")
    }
    #expect(findings.wrong == [])
    #expect(findings.count > 100)
  }

  @Test(arguments: 0..<UInt64(QuestTestData.isLong ? 400 : 12))
  func `is one for two processes, of which one dies now and then`(seed: UInt64) throws {
    let findings = StackFindings()
    try StackPair(seed: seed, findings).run()
    #expect(findings.wrong == [])
  }
}

/// Runs a workload once, and before its calls looks at what a crash or a kill there would leave.
struct StackCrashes {
  let workload: StackWorkload
  let look: StackLook

  init(_ workload: StackWorkload, _ findings: StackFindings) throws {
    self.workload = workload
    look = StackLook(workload: workload, history: try workload.history(), findings: findings)
  }

  /// Looks before every `stride`th call that changes the disk.
  func run(stride: Int = 1) throws {
    let disk = SimulatedDisk(maximumFileByteCount: 16 << 20)
    let system = SimulatedSystem(disk)
    let run = StackRun(workload, on: system)
    let state = UncheckedRun(run)
    let (workload, look) = (workload, look)
    system.onOperation { operation in
      guard operation.changesDisk, operation.index % stride == 0 else { return }
      let done = state.run.done
      let place = "\(workload), call \(operation.index) (\(operation.call) \(operation.path))"
      let seed = workload.seed &* 31 &+ UInt64(operation.index)
      look.look(disk.crashImage(.nothingKept), done...done + 1, "\(place), nothing kept")
      look.look(disk.crashImage(.everythingKept), done...done + 1, "\(place), all kept")
      look.look(disk.crashImage(.seeded(seed)), done...done + 1, "\(place), seed \(seed)")
      look.look(disk.killImage(), done...done + 1, "\(place), killed")
    }
    while try run.step() {}
    system.onOperation(nil)
    look.look(disk.crashImage(.nothingKept), run.done...run.done, "\(workload), the end")
  }
}

/// Takes a run into a hook, which is called on this very thread.
private struct UncheckedRun: Sendable {
  nonisolated(unsafe) let run: StackRun
  init(_ run: StackRun) { self.run = run }
}

/// Runs a workload and lets one of its calls fail; then looks at what is left, and goes on.
struct StackFaults {
  let workload: StackWorkload
  let look: StackLook

  init(_ workload: StackWorkload, _ findings: StackFindings) throws {
    self.workload = workload
    look = StackLook(workload: workload, history: try workload.history(), findings: findings)
  }

  /// Does so for every `stride`th call that `fault` can meet.
  ///
  /// - Returns: How often a step failed.
  func run(_ fault: Fault, stride: Int) throws -> Int {
    let disk = SimulatedDisk(maximumFileByteCount: 16 << 20)
    disk.recordOperations()
    let run = StackRun(workload, on: SimulatedSystem(disk))
    while try run.step() {}
    var failedCount = 0
    var number = 0
    for operation in disk.operations where fault.meets(operation) {
      number += 1
      if number % stride != 0 { continue }
      if try self.run(fault, atOperation: operation) { failedCount += 1 }
    }
    return failedCount
  }

  private func run(_ fault: Fault, atOperation operation: Operation) throws -> Bool {
    let disk = SimulatedDisk(maximumFileByteCount: 16 << 20)
    disk.inject(fault, atOperation: operation.index)
    let run = StackRun(workload, on: SimulatedSystem(disk))
    let place = "\(workload), \(fault) at call \(operation.index) (\(operation.call))"
    var hasFailed = false
    do {
      while try run.step() {}
    } catch {
      hasFailed = true
    }
    let possible = run.done...run.done + (hasFailed ? 1 : 0)
    for (image, name) in [
      (disk.killImage(), "killed"), (disk.crashImage(.nothingKept), "nothing kept"),
      (disk.crashImage(.seeded(UInt64(operation.index))), "seeded"),
    ] {
      look.look(
        image, possible, mayBeDamaged: fault.isLie, "\(place), after step \(run.done), \(name)")
    }
    if fault.isLie { return hasFailed }
    // Whoever opens it next goes on to the same end.
    disk.clearFaults()
    let image = disk.killImage()
    let next = StackRun(
      workload, on: SimulatedSystem(image, processID: 9), done: try steps(image, possible))
    while try next.step() {}
    look.look(image.killImage(), next.done...next.done, "\(place), gone on")
    return hasFailed
  }

  /// How many steps the database on `disk` has gone through, as its contents tell.
  private func steps(_ disk: SimulatedDisk, _ possible: ClosedRange<Int>) throws -> Int {
    let digest = try look.digest(disk)
    return possible.last { $0 < look.history.count && look.history[$0] == digest }
      ?? possible.lowerBound
  }
}

extension Fault {
  /// True where the call is reported as done and was not.
  var isLie: Bool {
    switch self {
    case .lostWrite, .misdirectedWrite: true
    default: false
    }
  }

  /// True where only syncs can meet it, of which there are few.
  var isOfSyncs: Bool {
    if case .failedSync = self { true } else { false }
  }

  /// True where the fault can meet `operation`.
  func meets(_ operation: Operation) -> Bool {
    switch self {
    case .error: operation.call != .thread
    case .failedSync: operation.call == .sync || operation.call == .directorySync
    case .partialWrite, .lostWrite, .misdirectedWrite: operation.call == .write
    }
  }
}
