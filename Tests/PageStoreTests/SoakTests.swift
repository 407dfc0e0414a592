import Glibc
import PageStore
import ProbeModel
import SimulatedDisk
import Testing

/// How long the soak runs and from which seed.
///
/// `DEX_SOAK_SECONDS` and `DEX_SOAK_SEED` say so, which `Scripts/soak` sets; without them nothing runs.
enum Soak {
  static let seconds = number("DEX_SOAK_SECONDS") ?? 0
  static let seed = UInt64(number("DEX_SOAK_SEED") ?? 1)

  private static func number(_ name: String) -> Int? {
    getenv(name).flatMap { Int(String(cString: $0)) }
  }

  /// Calls `body` with one seed after the other until `share` of all the time is over, or it finds
  /// something wrong; then prints a line of what was done.
  static func run(
    _ name: String, share: Double, _ summary: () -> String,
    _ body: (UInt64) throws -> [String]
  ) rethrows {
    let end = testMilliseconds() + Int(Double(seconds) * share * 1000)
    var count: UInt64 = 0
    var wrong: [String] = []
    while testMilliseconds() < end && wrong.isEmpty {
      // So that runs which began with neighbouring seeds do not repeat each other.
      let next = seed &* 0x9E37_79B9_7F4A_7C15 &+ count
      wrong = try body(next)
      count += 1
      if !wrong.isEmpty { Issue.record("soak of \(name), seed \(next): \(wrong)") }
    }
    print("soak: \(name): \(count) workloads from seed \(seed), \(summary())")
  }
}

@Suite(.serialized, .enabled(if: Soak.seconds > 0)) struct `A soak of stores on a disk that fails` {
  @Test func `crashes at every call of ever new workloads`() {
    var imageCount = 0
    var nestedCount = 0
    Soak.run(
      "crashes", share: 0.4, { "\(imageCount) images, \(nestedCount) of them of a recovery" }
    ) { seed in
      let findings = Findings()
      CrashRun(workload: .swarm(seed: seed, eventCount: 10), findings: findings).run()
      imageCount += findings.imageCount
      nestedCount += findings.nestedCount
      return findings.wrong
    }
  }

  @Test func `unwinds from every call of ever new workloads`() {
    var imageCount = 0
    Soak.run("unwinding", share: 0.1, { "\(imageCount) images" }) { seed in
      let findings = Findings()
      UnwindingRun(
        workload: .swarm(seed: seed, eventCount: 8), findings: findings, stride: 3
      ).run()
      imageCount += findings.imageCount
      return findings.wrong
    }
  }

  @Test func `lets calls of ever new workloads fail`() {
    var runCount = 0
    let faults: [Fault] = [
      .error(errno: EIO), .error(errno: ENOSPC), .error(errno: EINTR),
      .partialWrite(byteCount: 0, errno: ENOSPC), .partialWrite(byteCount: 700, errno: EIO),
      .failedSync(.clean), .failedSync(.reverted), .failedSync(.partly(seed: 3)),
    ]
    Soak.run("faults", share: 0.15, { "\(runCount) failed calls" }) { seed in
      let findings = Findings()
      var run = FaultRun(workload: .swarm(seed: seed, eventCount: 8), findings: findings)
      let fault = faults[Int(seed % UInt64(faults.count))]
      run.run(fault, stride: 5) { operation in
        switch fault {
        case .failedSync: operation.call == .sync
        case .partialWrite: operation.call == .write
        default: operation.call != .thread
        }
      }
      runCount += run.runCount
      return findings.wrong
    }
  }

  @Test func `runs the disk full at calls of ever new workloads`() {
    var fullCount = 0
    Soak.run("full disks", share: 0.05, { "\(fullCount) times full" }) { seed in
      let findings = Findings()
      fullCount += FullDiskRun(workload: .swarm(seed: seed, eventCount: 8), findings: findings)
        .run(stride: 3)
      return findings.wrong
    }
  }

  @Test func `compares ever new transactions with a dictionary`() throws {
    var callCount = 0
    try Soak.run("models", share: 0.3, { "\(callCount) calls of the system" }) { seed in
      let disk = SimulatedDisk(maximumFileByteCount: 16 << 20)
      let run = WorkloadRun(
        .swarm(seed: seed, eventCount: 60), on: SimulatedSystem(disk, seed: seed))
      do {
        try run.run()
      } catch {
        return ["\(error)"]
      }
      if run.store != nil { try run.close() }
      callCount += disk.operationCount
      return try SpaceAudit.problem(on: disk, path: WorkloadRun.path).map { [$0] } ?? []
    }
  }
}

/// Real processes and threads on a real file: one writes, eight threads and two processes read, and
/// each snapshot is hashed again and again while others come and go.
@Suite(.serialized, .enabled(if: Soak.seconds > 0)) struct `A soak of readers beside a writer` {
  @Test func `finds every snapshot as it was, and a state of the history`() throws {
    let folder = try TestFolder()
    let path = folder.database
    let milliseconds = Soak.seconds * 1000
    let writer = try ProbeProcess("write", path, "for=\(milliseconds)", "checkpoint=500")
    _ = try #require(writer.line(1))
    let readers = try (0..<2).map { _ in
      try ProbeProcess("reread", path, "for=\(milliseconds)")
    }
    let store = try Store(path: path)
    let looks = SharedCount()
    let snapshots = SharedCount()
    let crew = Crew()
    for number in 0..<8 {
      try crew.start("reader \(number)", count: 1) { _ in
        var reader = ProbeReader(store, seed: Soak.seed &+ UInt64(number))
        let problem = try reader.run(milliseconds: milliseconds)
        #expect(problem == nil)
        for _ in 0..<reader.lookCount { _ = looks.increment() }
        for _ in 0..<reader.snapshotCount { _ = snapshots.increment() }
      }
    }
    crew.finish(afterMilliseconds: milliseconds) { writer.wait(milliseconds: 0) != nil }
    try store.close()
    for process in readers + [writer] {
      let ending = process.wait(milliseconds: 60_000)
      #expect(ending == .exited(0), "\(process.lines.last ?? "")")
    }
    let others = readers.map { $0.lines.last { $0.hasPrefix("reread") } ?? "nothing" }
    #expect(looks.value > 0)
    print(
      "soak: readers: \(writer.newestNumber) transactions; eight threads hashed "
        + "\(snapshots.value) snapshots \(looks.value) times; two processes: \(others)")
  }
}
