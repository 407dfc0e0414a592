import Glibc
import SimulatedDisk
import Testing

/// How long the soak of stacks runs and from which seed, as `Scripts/soak` says.
private enum StackSoak {
  static let seconds = number("DEX_SOAK_SECONDS") ?? 0
  static let seed = UInt64(number("DEX_SOAK_SEED") ?? 1)

  private static func number(_ name: String) -> Int? {
    getenv(name).flatMap { Int(String(cString: $0)) }
  }

  /// Calls `body` with one seed after the other until `share` of all the time is over, or it finds
  /// something wrong; then prints a line of what was done.
  static func run(_ name: String, share: Double, _ body: (UInt64, StackFindings) throws -> Void) {
    let findings = StackFindings()
    let end = time(nil) + Int(Double(seconds) * share)
    var count: UInt64 = 0
    while time(nil) < end && findings.wrong.isEmpty {
      let next = seed &* 0x9E37_79B9_7F4A_7C15 &+ count
      do {
        try body(next, findings)
      } catch {
        findings.note("\(error)")
      }
      count += 1
      if !findings.wrong.isEmpty {
        Issue.record("soak of \(name), seed \(next): \(findings.wrong)")
      }
    }
    print("soak: \(name): \(count) workloads from seed \(seed), \(findings.count) images")
  }

  static func workload(_ seed: UInt64) -> StackWorkload {
    StackWorkload(seed: seed, migrationStep: seed % 2 == 0 ? 5 : nil)
  }
}

@Suite(.serialized, .enabled(if: StackSoak.seconds > 0)) struct `A soak of stacks` {
  @Test func `crashes at calls of ever new workloads`() {
    StackSoak.run("crashes of stacks", share: 0.5) { seed, findings in
      try StackCrashes(StackSoak.workload(seed), findings).run(stride: 2)
    }
  }

  @Test func `lets calls of ever new workloads fail`() {
    let faults: [Fault] = [
      .error(errno: EIO), .error(errno: ENOSPC), .partialWrite(byteCount: 700, errno: EIO),
      .failedSync(.clean), .failedSync(.reverted), .failedSync(.partly(seed: 5)), .lostWrite,
      .misdirectedWrite(by: 4096),
    ]
    StackSoak.run("faults in stacks", share: 0.25) { seed, findings in
      _ = try StackFaults(StackSoak.workload(seed), findings)
        .run(faults[Int(seed % UInt64(faults.count))], stride: 5)
    }
  }

  @Test func `lets two processes take turns at ever new workloads`() {
    StackSoak.run("pairs of processes", share: 0.25) { seed, findings in
      try StackPair(seed: seed, findings).run()
    }
  }
}
