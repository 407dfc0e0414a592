import Glibc
import Testing

/// How much of a suite runs: with `DEX_LONG=1` in the environment, twenty times as much.
enum SuiteSize {
  static let isLong = getenv("DEX_LONG").map { String(cString: $0) } == "1"
  static func scaled(_ count: Int) -> Int { isLong ? count * 20 : count }
}

@Suite(.serialized) struct `A crash of a store` {
  @Test(arguments: Workload.distinct)
  func `leaves a state that was promised, at every call of`(workload: Workload) {
    let findings = Findings()
    CrashRun(workload: workload, findings: findings, seededCount: SuiteSize.isLong ? 12 : 2).run()
    #expect(findings.wrong == [])
    #expect(findings.imageCount > 100)
  }

  @Test(arguments: 0..<UInt64(SuiteSize.scaled(6)))
  func `leaves a state that was promised, at every call of a swarm`(seed: UInt64) {
    let findings = Findings()
    CrashRun(workload: .swarm(seed: seed &+ 100, eventCount: 10), findings: findings).run()
    #expect(findings.wrong == [])
  }

  @Test(arguments: Workload.distinct)
  func `lets the engine unwind from every call of`(workload: Workload) {
    let findings = Findings()
    UnwindingRun(workload: workload, findings: findings, stride: SuiteSize.isLong ? 1 : 2).run()
    #expect(findings.wrong == [])
  }
}

extension Workload {
  /// Workloads that each lead through other parts of the engine.
  static let distinct: [Workload] = [
    smallCommits, bigTransactions, commitsByCheckpoint, logSwitches, overflowValues, tables,
    savepoints, reopenings, closing, eventual, snapshots, largePages,
  ]

  static let smallCommits = Workload(name: "small commits", seed: 1, eventCount: 14)

  static let bigTransactions = Workload(
    name: "transactions that spill", seed: 2, eventCount: 4, changeCounts: 40...80,
    valueByteCounts: [1000, 3000], keyCount: 300, writeBufferByteCount: 24 << 10)

  static let commitsByCheckpoint = Workload(
    name: "commits by checkpoint", seed: 3, eventCount: 7, changeCounts: 10...20,
    valueByteCounts: [1500], keyCount: 200)

  static let logSwitches = Workload(
    name: "switches of the log", seed: 4, eventCount: 30, changeCounts: 3...6,
    events: weights([.transaction: 8, .checkpoint: 1]), valueByteCounts: [200, 700])

  static let overflowValues = Workload(
    name: "values of many pages", seed: 5, eventCount: 10, changeCounts: 1...3,
    valueByteCounts: [5000, 20_000, 40_000], keyCount: 10)

  static let tables = Workload(
    name: "tables made and dropped", seed: 6, eventCount: 14,
    changes: weights([.put: 4, .createTable: 3, .dropTable: 2, .renameTable: 2, .deleteRange: 1]))

  static let savepoints = Workload(
    name: "savepoints", seed: 7, eventCount: 9, changeCounts: 4...10,
    changes: weights([.put: 6, .delete: 3, .keptSavepoint: 2, .undoneSavepoint: 3, .dropTable: 1]),
    valueByteCounts: [0, 300, 2000], writeBufferByteCount: 24 << 10)

  static let reopenings = Workload(
    name: "closing and opening", seed: 8, eventCount: 10,
    events: weights([.transaction: 3, .reopen: 2, .rollback: 1]))

  static let closing = Workload(name: "closing", seed: 9, eventCount: 3, closesAtEnd: true)

  static let eventual = Workload(
    name: "eventual durability", seed: 10, eventCount: 14,
    events: weights([.transaction: 6, .sync: 1, .backgroundWork: 2, .takeSnapshot: 1]),
    durability: .eventual(interval: .milliseconds(50)))

  static let snapshots = Workload(
    name: "snapshots held", seed: 11, eventCount: 18,
    events: weights([
      .transaction: 5, .takeSnapshot: 3, .lookAtSnapshots: 2, .dropSnapshot: 2, .checkpoint: 2,
    ]), keyCount: 20)

  static let largePages = Workload(
    name: "pages of 16 KiB", seed: 12, eventCount: 10, valueByteCounts: [100, 4000, 20_000],
    pageByteCount: 16384, closesAtEnd: true)
}
