import Glibc
import PageStore
import ProbeModel
import SimulatedDisk
import Testing

/// What is left of a store whose processes are killed, as another process finds it.
extension ProcessTests {
  @Suite struct `A store whose process is killed` {
    /// How many cycles each way of committing goes through.
    static var cycleCount: Int { isLongTest ? 5000 : 100 }

    @Test(arguments: [nil, 50])
    func `keeps every acknowledged commit, and writes on`(interval: Int?) throws {
      let folder = try TestFolder()
      var random = SplitMix64(seed: UInt64(interval ?? 7))
      var known = 0
      var seenLog = 0
      for cycle in 0..<Self.cycleCount {
        let durability = interval.map { "eventual=\($0)" } ?? "immediate"
        let checkpoints = cycle % 3 == 0 ? "checkpoint=5" : "plain"
        // Every fifth process comes to its end by itself, and is killed somewhere on the way.
        let count = cycle % 5 == 4 ? "count=\(Int.random(in: 0..<4, using: &random))" : "endless"
        let process = try ProbeProcess("write", folder.database, durability, checkpoints, count)
        if cycle % 5 != 3 { _ = process.line(0) }
        usleep(UInt32(Int.random(in: 0..<(cycle % 5 == 4 ? 15_000 : 50_000), using: &random)))
        process.kill()
        if let error = process.lines.first(where: { $0.hasPrefix("error") }) {
          Issue.record("cycle \(cycle): \(error)")
        }
        known = max(known, process.newestNumber)
        if folder.names.contains("a.db-log") { seenLog += 1 }

        // The next process writes, or is killed while it recovers.
        let next = try ProbeProcess("write", folder.database, durability, "count=1")
        if cycle % 2 == 0 {
          usleep(UInt32(Int.random(in: 0..<8000, using: &random)))
          next.kill()
          known = max(known, next.newestNumber)
        } else {
          let line = next.line { $0.first?.isNumber == true }
          let number = try #require(line?.split(separator: " ").first.flatMap { Int($0) })
          // One transaction may have been under way that nobody has heard of.
          #expect(number > known && number <= known + 2, "cycle \(cycle): \(number), \(known)")
          #expect(next.wait() == .exited(0), "cycle \(cycle): \(next.lines)")
          known = number
        }

        let found = try folder.check()
        #expect(found >= known && found <= known + 2, "cycle \(cycle): \(found), not \(known)")
        known = found
        #expect(folder.names == ["a.db"], "cycle \(cycle)")
      }
      #expect(seenLog > 0)
    }

    @Test func `applies each transaction once`() throws {
      let folder = try TestFolder()
      var random = SplitMix64(seed: 3)
      var total = 0
      for cycle in 0..<(isLongTest ? 500 : 20) {
        let process = try ProbeProcess("increment", folder.database)
        _ = process.line(0)
        usleep(UInt32(Int.random(in: 0..<30_000, using: &random)))
        process.kill()
        let acknowledged = process.lines.last?.split(separator: " ").compactMap { Int($0) } ?? []
        let store = try Store(path: folder.database)
        let (sums, own) = try store.read { (snapshot) throws(StoreError) in
          (
            try ProbeTally.sums(in: snapshot),
            try ProbeTally.count(in: snapshot, of: Int(process.processID))
          )
        }
        try store.close()
        #expect(sums.total == sums.parts, "cycle \(cycle)")
        if acknowledged.count == 2 {
          #expect((acknowledged[0]...acknowledged[0] + 1).contains(own), "cycle \(cycle)")
          #expect((acknowledged[1]...acknowledged[1] + 1).contains(sums.total), "cycle \(cycle)")
        }
        #expect(sums.total >= total)
        total = sums.total
      }
    }
  }
}

/// What processes do to each other; one test at a time, since they measure time.
@Suite(.serialized) struct ProcessTests {}
