import Glibc
import PageStore
import ProbeModel
import Testing

extension ProcessTests {
  /// Several processes that write and read one store at once.
  @Suite struct `Processes that share a store` {
    @Test(arguments: [2, 4], [nil, 20])
    func `take turns at writing`(processCount: Int, interval: Int?) throws {
      let folder = try TestFolder()
      let durability = interval.map { "eventual=\($0)" } ?? "immediate"
      let processes = try (0..<processCount).map { _ in
        try ProbeProcess("write", folder.database, durability, "for=1500")
      }
      for process in processes {
        #expect(process.wait() == .exited(0), "\(process.lines.suffix(2))")
        #expect(process.lines.last == "closed")
      }
      var owners: [Int: Int] = [:]
      for (index, process) in processes.enumerated() {
        for line in process.lines {
          guard let number = line.split(separator: " ").first.flatMap({ Int($0) }) else { continue }
          #expect(owners[number] == nil, "two processes were told that they wrote \(number)")
          owners[number] = index
        }
      }
      #expect(owners.count == owners.keys.max())
      #expect(try folder.check() == owners.count)
      #expect(folder.names == ["a.db"])
      // Each had many turns, though the others never stopped asking.
      var turns = [Int](repeating: 0, count: processCount)
      var last = -1
      for number in 1...max(1, owners.count) {
        guard let owner = owners[number] else { continue }
        if owner != last { turns[owner] += 1 }
        last = owner
      }
      for index in turns.indices { #expect(turns[index] >= 5, "\(turns), \(owners.count) writes") }
    }

    @Test func `count up together without losing one`() throws {
      let folder = try TestFolder()
      let processes = try (0..<3).map { _ in
        try ProbeProcess("increment", folder.database, "count=100")
      }
      for process in processes {
        #expect(process.wait() == .exited(0), "\(process.lines.suffix(2))")
      }
      let store = try Store(path: folder.database)
      let sums = try store.read { (snapshot) throws(StoreError) in
        try ProbeTally.sums(in: snapshot)
      }
      try store.close()
      #expect(sums.total == 300 && sums.parts == 300)
    }

    @Test func `see each other's commits while an old snapshot stays`() throws {
      let folder = try TestFolder()
      let first = try ProbeProcess("write", folder.database, "count=40")
      #expect(first.wait() == .exited(0))
      let holder = try ProbeProcess("hold-snapshot", folder.database)
      let held = try #require(holder.line(0))
      #expect(held.hasPrefix("40 "))
      let followers = try ["plain", "read-only"].map {
        try ProbeProcess("follow", folder.database, "to=400", $0)
      }
      for follower in followers { _ = try #require(follower.line(0)) }
      let writers = try (0..<2).map { _ in
        try ProbeProcess("write", folder.database, "count=180", "checkpoint=20")
      }
      for writer in writers {
        #expect(writer.wait() == .exited(0), "\(writer.lines.suffix(2))")
      }
      for follower in followers {
        #expect(follower.wait() == .exited(0), "\(follower.lines.suffix(2))")
        #expect(follower.newestNumber == 400)
      }
      holder.say()
      #expect(holder.wait() == .exited(0), "\(holder.lines.suffix(2))")
      #expect(try folder.check() == 400)
      #expect(folder.names == ["a.db"])
    }

    @Test func `need nobody to clean up after killed readers`() throws {
      let folder = try TestFolder()
      let writer = try ProbeProcess("write", folder.database, "pace=2000")
      _ = try #require(writer.line(3))
      for _ in 0..<(isLongTest ? 500 : 20) {
        let readers = try (0..<10).map { _ in try ProbeProcess("hold-snapshot", folder.database) }
        for reader in readers { #expect(reader.line(0)?.hasPrefix("error") == false) }
        for reader in readers { reader.send(SIGKILL) }
        for reader in readers { #expect(reader.wait() == .killed(SIGKILL)) }
      }
      // Rows are used again, so the lock file has not grown.
      var status = stat()
      stat(folder.database + "-lock", &status)
      #expect(status.st_size <= 4096 + 64 * 1024)
      let before = writer.newestNumber
      usleep(100_000)
      _ = writer.line(writer.lines.count)
      #expect(writer.newestNumber > before)
      writer.kill()
      let found = try folder.check()
      #expect(found >= writer.newestNumber && found <= writer.newestNumber + 1)
      #expect(folder.names == ["a.db"])
    }

    @Test func `go on after a writer among them is killed`() throws {
      let folder = try TestFolder()
      let reader = try ProbeProcess("hold-open", folder.database)
      _ = try #require(reader.line(0))
      var known = 0
      for cycle in 0..<20 {
        let writer = try ProbeProcess("write", folder.database)
        _ = writer.line(1)
        usleep(UInt32(cycle) * 1500)
        writer.kill()
        #expect(!writer.lines.contains { $0.hasPrefix("error") }, "\(writer.lines)")
        known = max(known, writer.newestNumber)
        let next = try ProbeProcess("write", folder.database, "count=1")
        let line = next.line { $0.first?.isNumber == true }
        let number = try #require(line?.split(separator: " ").first.flatMap { Int($0) })
        #expect(number > known && number <= known + 2, "cycle \(cycle): \(number), \(known)")
        #expect(next.wait() == .exited(0), "\(next.lines)")
        known = number
        // The process that was there all the time sees it too.
        reader.say()
        let seen = try #require(reader.line(cycle + 1))
        #expect(seen.hasPrefix("\(number) "), "cycle \(cycle): \(seen), not \(number)")
      }
      reader.say()
      reader.kill()
      #expect(try folder.check() == known)
    }

    @Test func `hear who holds the right to write`() throws {
      let folder = try TestFolder()
      let holder = try ProbeProcess("hold-transaction", folder.database)
      _ = try #require(holder.line { $0 == "inside" })
      var options = StoreOptions()
      options.busyTimeout = .milliseconds(150)
      let store = try Store(path: folder.database, options: options)
      func expectBusy(_ isResponding: Bool) {
        let start = testMilliseconds()
        let error = storeError { _ = try store.write(ProbeHistory.step) }
        #expect(testMilliseconds() - start >= 100)
        guard case .busy(_, let found?, let milliseconds) = error else {
          Issue.record("\(String(describing: error))")
          return
        }
        #expect(found.processID == holder.processID)
        #expect(found.isResponding == isResponding)
        #expect(milliseconds >= 150)
      }
      expectBusy(true)
      holder.send(SIGSTOP)
      usleep(20_000)
      expectBusy(false)
      // Reading needs nothing of the holder, stopped or not.
      let count = try store.read { (snapshot) throws(StoreError) in
        try ProbeHistory.count(in: snapshot)
      }
      #expect(count == 0)
      holder.send(SIGCONT)
      holder.say()
      _ = try #require(holder.line { $0 == "1" })
      // The holder is between two transactions, with nothing to do, and hands over.
      let number = try store.write(ProbeHistory.step)
      #expect(number == 2)
      holder.say()
      #expect(holder.wait() == .exited(0), "\(holder.lines)")
      try store.close()
      #expect(try folder.check() == 2)
    }

    @Test func `are not held up by one that recovered and then only reads`() throws {
      let folder = try TestFolder()
      let writer = try ProbeProcess("write", folder.database)
      _ = try #require(writer.line(9))
      writer.kill()
      let reader = try ProbeProcess("hold-open", folder.database)
      _ = try #require(reader.line(0))
      let next = try ProbeProcess("write", folder.database, "count=3")
      #expect(next.wait(milliseconds: 2000) == .exited(0), "\(next.lines)")
      reader.say()
      _ = try #require(reader.line(1))
    }

    @Test func `stay right while another grows the file tenfold and gives it back`() throws {
      let folder = try TestFolder()
      let first = try ProbeProcess("write", folder.database, "count=40")
      #expect(first.wait() == .exited(0))
      let holder = try ProbeProcess("hold-snapshot", folder.database)
      let reader = try ProbeProcess("hold-open", folder.database)
      _ = try #require(holder.line(0))
      _ = try #require(reader.line(0))
      let grower = try ProbeProcess("grow-and-shrink", folder.database)
      _ = try #require(grower.line { $0 == "grown" })
      reader.say()
      #expect(reader.line(1)?.hasPrefix("40 ") == true, "\(reader.lines)")
      grower.say()
      #expect(grower.wait() == .exited(0), "\(grower.lines)")
      reader.say()
      #expect(reader.line(2)?.hasPrefix("41 ") == true, "\(reader.lines)")
      holder.say()
      #expect(holder.wait() == .exited(0), "\(holder.lines)")
    }
  }
}
