import PageStore
import SimulatedDisk
import Testing

@Suite(.serialized) struct `A fault` {
  /// Workloads that are cheap enough to be run once for each of their calls.
  static let workloads: [Workload] = {
    let workloads: [Workload] = [
      .smallCommits, .commitsByCheckpoint, .eventual, .reopenings, .bigTransactions,
    ]
    return workloads.map { workload in
      var workload = workload
      workload.eventCount = 6
      return workload
    }
  }()

  @Test(arguments: workloads)
  func `of any call is an error, and harms nothing`(workload: Workload) {
    let findings = Findings()
    var run = FaultRun(workload: workload, findings: findings)
    run.run(.error(errno: 5))
    #expect(findings.wrong == [])
    #expect(run.runCount > 20)
  }

  @Test(arguments: workloads)
  func `of a sync poisons the store until it is opened again`(workload: Workload) {
    let findings = Findings()
    var run = FaultRun(workload: workload, findings: findings)
    for failure: SyncFailure in [.clean, .reverted, .partly(seed: workload.seed)] {
      run.run(.failedSync(failure)) { $0.call == .sync || $0.call == .directorySync }
    }
    #expect(findings.wrong == [])
    #expect(run.poisonedCount > 0)
  }

  @Test(arguments: workloads)
  func `in the middle of a write poisons the store or fails the opening`(workload: Workload) {
    let findings = Findings()
    var run = FaultRun(workload: workload, findings: findings)
    for count in [0, 512, 700] {
      run.run(.partialWrite(byteCount: count, errno: 5)) { $0.call == .write }
    }
    #expect(findings.wrong == [])
  }

  @Test(arguments: workloads + [Workload.overflowValues, .tables, .snapshots])
  func `of a full disk fails one transaction whole`(workload: Workload) {
    let findings = Findings()
    let count = FullDiskRun(workload: workload, findings: findings).run()
    #expect(findings.wrong == [])
    #expect(count > 0)
  }

  @Test func `of reading is damage of the page that cannot be read`() throws {
    let findings = Findings()
    try UnreadableRun(workload: .overflowValues, findings: findings).run()
    #expect(findings.wrong == [])
  }
}
