import Glibc
import PageStore
import ProbeModel
import Testing

extension ProcessTests {
  /// Ways to the same file, copies of it, and forks.
  @Suite struct `A store's file` {
    @Test func `is safe from a forked child`() throws {
      let folder = try TestFolder()
      let process = try ProbeProcess("fork-use", folder.database)
      #expect(process.wait() == .exited(0), "\(process.lines)")
      #expect(try folder.check() == 61)
      #expect(folder.names == ["a.db"])
    }

    @Test func `is free though a child of a dead process lives on`() throws {
      let folder = try TestFolder()
      let process = try ProbeProcess("fork-orphan", folder.database, "for=60000")
      let child = try #require(process.line { $0.hasPrefix("child ") })
      #expect(process.wait() == .killed(SIGKILL))
      let next = try ProbeProcess("write", folder.database, "count=2")
      #expect(next.wait() == .exited(0), "\(next.lines)")
      #expect(next.newestNumber == 32)
      #expect(folder.names == ["a.db"])
      let number = try #require(child.split(separator: " ").last.flatMap { Int32($0) })
      #expect(kill(number, 0) == 0, "the child is gone already")
      kill(number, SIGKILL)
      #expect(try folder.check() == 32)
    }

    @Test func `is the same store through a symbolic link`() throws {
      let folder = try TestFolder()
      symlink("a.db", folder.path + "/link")
      // A link to nothing yet: the database is created where it leads.
      let store = try Store(path: folder.path + "/link")
      _ = try store.write(ProbeHistory.step)
      #expect(store.path.hasSuffix("/a.db"))
      let process = try ProbeProcess("write", folder.database, "count=3")
      #expect(process.wait() == .exited(0), "\(process.lines)")
      #expect(try store.write(ProbeHistory.step) == 5)
      try store.close()
      #expect(folder.names == ["a.db", "link"])
      #expect(try folder.check() == 5)
    }

    @Test func `never diverges through a hard link`() throws {
      let folder = try TestFolder()
      let store = try Store(path: folder.database)
      for _ in 0..<5 { _ = try store.write(ProbeHistory.step) }
      link(folder.database, folder.path + "/hard")
      let error = storeError { _ = try Store(path: folder.path + "/hard") }
      guard case .lockFileMissing = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      _ = try store.write(ProbeHistory.step)
      try store.close()
      // At rest either name will do.
      #expect(try folder.check(StoreOptions(), "hard") == 6)
      let other = try Store(path: folder.path + "/hard")
      _ = try other.write(ProbeHistory.step)
      try other.close()
      #expect(try folder.check() == 7)
      #expect(folder.names == ["a.db", "hard"])
    }

    @Test func `misses its log under another name`() throws {
      let folder = try TestFolder()
      let process = try ProbeProcess("write", folder.database)
      _ = try #require(process.line(12))
      process.kill()
      link(folder.database, folder.path + "/hard")
      let error = storeError { _ = try Store(path: folder.path + "/hard") }
      guard case .logMissing = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(folder.names == ["a.db", "a.db-lock", "a.db-log", "hard"])
      #expect(try folder.check() >= process.newestNumber)
    }

    @Test func `may be opened twice in one process`() throws {
      let folder = try TestFolder()
      let (a, b) = (try Store(path: folder.database), try Store(path: folder.database))
      for round in 0..<5 {
        #expect(try a.write(ProbeHistory.step) == 2 * round + 1)
        let seen = try b.read { (snapshot) throws(StoreError) in
          try ProbeHistory.count(in: snapshot)
        }
        #expect(seen == 2 * round + 1)
        #expect(try b.write(ProbeHistory.step) == 2 * round + 2)
      }
      try a.close()
      #expect(try b.write(ProbeHistory.step) == 11)
      try b.close()
      #expect(folder.names == ["a.db"])
      #expect(try folder.check() == 11)
    }

    @Test func `stays locked when another descriptor of it is closed`() throws {
      let folder = try TestFolder()
      let store = try Store(path: folder.database)
      _ = try store.write(ProbeHistory.step)
      let descriptor = Glibc.open(folder.database, O_RDWR)
      var range = flock()
      range.l_type = Int16(F_WRLCK)
      range.l_len = 10
      _ = fcntl(descriptor, F_SETLK, &range)
      close(descriptor)
      let other = try ProbeProcess("hold-open", folder.database)
      _ = try #require(other.line(0))
      // Were the locks gone, the other process would have made a lock file of its own.
      _ = try store.write(ProbeHistory.step)
      other.say()
      #expect(other.line(1)?.hasPrefix("2 ") == true, "\(other.lines)")
      try store.close()
    }

    @Test(arguments: [true, false])
    func `is not taken for whole when it was copied without its log`(isLive: Bool) throws {
      let folder = try TestFolder()
      let process = try ProbeProcess("write", folder.database, "pace=3000")
      _ = try #require(process.line(12))
      if !isLive { process.kill() }
      folder.copy("a.db", to: "copy.db")
      process.kill()
      let error = storeError { _ = try Store(path: folder.path + "/copy.db") }
      guard case .logMissing = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(try folder.check() >= process.newestNumber)
    }

    @Test func `is whole when it was copied before it had a log`() throws {
      let folder = try TestFolder()
      let holder = try ProbeProcess("hold-transaction", folder.database)
      _ = try #require(holder.line { $0 == "inside" })
      holder.say()
      _ = try #require(holder.line { $0 == "1" })
      folder.copy("a.db", to: "copy.db")
      #expect(try folder.check(StoreOptions(), "copy.db") == 1)
    }

    @Test func `refuses another's log`() throws {
      let folder = try TestFolder()
      for name in ["a.db", "b.db"] {
        let process = try ProbeProcess("write", folder.path + "/" + name)
        _ = try #require(process.line(8))
        process.kill()
      }
      rename(folder.path + "/a.db-log", folder.path + "/log")
      rename(folder.path + "/b.db-log", folder.path + "/a.db-log")
      rename(folder.path + "/log", folder.path + "/b.db-log")
      for name in ["a.db", "b.db"] {
        let before = folder.bytes(name)
        let error = storeError { _ = try Store(path: folder.path + "/" + name) }
        guard case .foreignLog = error else {
          Issue.record("\(String(describing: error))")
          continue
        }
        #expect(folder.bytes(name) == before)
      }
    }

    @Test func `may be renamed while it is open, and its old name used again`() throws {
      let folder = try TestFolder()
      let process = try ProbeProcess("write", folder.database, "pace=2000")
      _ = try #require(process.line(5))
      rename(folder.database, folder.path + "/moved.db")
      // Another opener by the new name does not find the lock file, and says so.
      let error = storeError { _ = try Store(path: folder.path + "/moved.db") }
      guard case .lockFileMissing = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      // A new database under the old name gets side files of its own.
      let other = try Store(path: folder.database)
      for _ in 0..<3 { _ = try other.write(ProbeHistory.step) }
      let before = process.lines.count
      _ = try #require(process.line(before + 20), "\(process.lines.suffix(2))")
      #expect(try other.write(ProbeHistory.step) == 4)
      let second = try ProbeProcess("write", folder.database, "count=2")
      #expect(second.wait() == .exited(0), "\(second.lines)")
      try other.close()
      #expect(try folder.check() == 6)
      process.kill()
    }

    @Test func `leaves the side files of its successor alone`() throws {
      let folder = try TestFolder()
      let old = try Store(path: folder.database)
      for _ in 0..<3 { _ = try old.write(ProbeHistory.step) }
      unlink(folder.database)
      let new = try Store(path: folder.database)
      for _ in 0..<4 { _ = try new.write(ProbeHistory.step) }
      for _ in 0..<3 { _ = try old.write(ProbeHistory.step) }
      try old.close()
      let process = try ProbeProcess("write", folder.database, "count=2")
      #expect(process.wait() == .exited(0), "\(process.lines)")
      #expect(process.newestNumber == 6)
      try new.close()
      #expect(try folder.check() == 6)
      #expect(folder.names == ["a.db"])
    }

    @Test func `comes into being once, whoever creates it`() throws {
      let folder = try TestFolder()
      for cycle in 0..<10 {
        let processes = try (0..<4).map { _ in
          try ProbeProcess("write", folder.database, "count=2")
        }
        if cycle % 2 == 1 {
          usleep(UInt32(cycle) * 400)
          processes[0].kill()
        }
        for process in processes {
          let ending = process.wait()
          #expect(
            ending == .exited(0) || process === processes[0] && cycle % 2 == 1,
            "\(process.lines)")
        }
        let known = processes.map(\.newestNumber).max() ?? 0
        let found = try folder.check()
        #expect(found >= known && found <= known + 1)
        #expect(folder.names == ["a.db"])
        unlink(folder.database)
      }
    }
  }
}
