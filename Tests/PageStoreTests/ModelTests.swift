import SimulatedDisk
import Testing

@Suite struct `A store and a dictionary` {
  @Test(arguments: 0..<UInt64(SuiteSize.scaled(40)))
  func `agree after any run of transactions`(seed: UInt64) throws {
    for number in 0..<UInt64(25) {
      let seed = seed &* 1000 &+ number
      let disk = SimulatedDisk(maximumFileByteCount: 16 << 20)
      let run = WorkloadRun(
        .swarm(seed: seed, eventCount: 40), on: SimulatedSystem(disk, seed: seed))
      try run.run()
      if run.store != nil { try run.close() }
      let problem = try SpaceAudit.problem(on: disk, path: WorkloadRun.path)
      #expect(problem == nil, "seed \(seed)")
    }
  }
}
