import Glibc
import PageStore
import ProbeModel
import Testing

extension ProcessTests {
  /// Full disks, short files, missing rights.
  @Suite struct `A store under limits` {
    @Test func `is usable on a full disk of any size`() throws {
      let folder = try TestFolder()
      let process = try ProbeProcess(
        "full-disk", folder.path, "from=65536", "to=\(4 << 20)",
        "by=\(isLongTest ? 4096 : 203 * 1024)")
      #expect(process.wait(milliseconds: 600_000) == .exited(0), "\(process.lines.suffix(3))")
      if process.lines.last?.hasPrefix("skip") != true { #expect(process.lines.last == "done") }
    }

    @Test(arguments: ["immediate", "eventual=10000"])
    func `is read after a crash on a disk without room for recovery`(durability: String) throws {
      let folder = try TestFolder()
      let process = try ProbeProcess("full-recovery", folder.path, durability, "cut=\(18 * 8192)")
      #expect(process.wait() == .exited(0), "\(process.lines)")
      if process.lines.last?.hasPrefix("skip") != true {
        #expect(process.lines.last == "refused, then done")
      }
    }

    @Test(arguments: [200, 400, 1024, 2048, 4096])
    func `is usable where files may not grow`(kibibytes: Int) throws {
      let folder = try TestFolder()
      let process = try ProbeProcess("fill", folder.database, "longest=\(kibibytes << 10)")
      #expect(process.wait() == .exited(0), "\(process.lines.suffix(3))")
      #expect(process.lines.last == "done")
      #expect(folder.names.isEmpty)
    }

    @Test(arguments: [512, 1024, 2048, 1 << 16])
    func `is usable with few addresses`(mebibytes: Int) throws {
      let folder = try TestFolder()
      let process = try ProbeProcess(
        "write", folder.database, "count=30", "addresses=\(mebibytes << 20)")
      #expect(process.wait() == .exited(0), "\(process.lines.suffix(3))")
      #expect(try folder.check() == 30)
    }

    @Test func `says that it has no addresses where there are none`() throws {
      let folder = try TestFolder()
      // More than the sample is long, and all of them asked for at once.
      try Store(path: folder.database).close()
      let process = try ProbeProcess(
        "write", folder.database, "count=1", "addresses=\(24 << 20)")
      #expect(process.wait() == .exited(3), "\(process.lines)")
      #expect(process.lines.last?.contains("ENOMEM") == true, "\(process.lines)")
      #expect(folder.names == ["a.db"])
    }

    @Test func `works with the standard streams closed`() throws {
      let folder = try TestFolder()
      let process = try ProbeProcess("write", folder.database, "count=20", "bare")
      #expect(process.wait() == .exited(0), "\(process.lines)")
      #expect(try folder.check() == 20)
    }

    @Test(arguments: [0o600, 0o640, 0o644])
    func `gives its side files no wider permissions than its own`(permissions: Int) throws {
      let folder = try TestFolder()
      let process = try ProbeProcess("write", folder.database, "permissions=\(permissions)")
      _ = try #require(process.line(5))
      for name in folder.names {
        var status = stat()
        stat(folder.path + "/" + name, &status)
        #expect(Int(status.st_mode) & 0o777 & ~permissions == 0, "\(name)")
      }
      #expect(folder.names.count == 3)
      process.kill()
    }

    /// What may stand in the way of a reader.
    enum Obstacle: CaseIterable { case none, file, folder, both }

    @Test(arguments: Obstacle.allCases, [false, true])
    func `is read without changing a byte`(obstacle: Obstacle, isCrashed: Bool) throws {
      let folder = try TestFolder()
      let writer = try ProbeProcess("write", folder.database, isCrashed ? "endless" : "count=20")
      if isCrashed {
        _ = try #require(writer.line(20))
        writer.kill()
        unlink(folder.database + "-lock")
      } else {
        #expect(writer.wait() == .exited(0))
      }
      let known = writer.newestNumber
      var user = "plain"
      if obstacle != .none && getuid() == 0 { user = "user=65534" }
      if obstacle == .file || obstacle == .both {
        for name in folder.names { chmod(folder.path + "/" + name, 0o444) }
      } else {
        for name in folder.names { chmod(folder.path + "/" + name, 0o666) }
      }
      if obstacle == .folder || obstacle == .both { chmod(folder.path, 0o555) }
      let before = (folder.bytes("a.db"), folder.bytes("a.db-log"))
      let reader = try ProbeProcess("hold-open", folder.database, "read-only", user)
      let line = try #require(reader.line(0))
      let found = line.split(separator: " ").first.flatMap { Int($0) } ?? -1
      #expect((known...known + 1).contains(found), "\(reader.lines)")
      let second = try ProbeProcess("check", folder.database, "read-only", user)
      #expect(second.wait() == .exited(0), "\(second.lines)")
      #expect(second.lines.first == line)
      // Writing is refused.
      if obstacle == .file || obstacle == .both {
        let other = try ProbeProcess("write", folder.database, "count=1", user)
        #expect(other.wait() == .exited(3), "\(other.lines)")
      }
      reader.kill()
      chmod(folder.path, 0o777)
      #expect(folder.bytes("a.db") == before.0)
      #expect(folder.bytes("a.db-log") == before.1)
      for name in folder.names { chmod(folder.path + "/" + name, 0o644) }
      #expect(try folder.check() == found)
    }

    @Test func `is read where the file system is for reading only`() throws {
      let folder = try TestFolder()
      let process = try ProbeProcess("read-only-mount", folder.path)
      #expect(process.wait() == .exited(0), "\(process.lines)")
      if process.lines.last?.hasPrefix("skip") != true { #expect(process.lines.last == "done") }
    }

    @Test func `shows a reader without rights a state that stays`() throws {
      let folder = try TestFolder()
      let first = try ProbeProcess("write", folder.database, "count=30")
      #expect(first.wait() == .exited(0))
      chmod(folder.database, 0o644)
      let user = getuid() == 0 ? "user=65534" : "plain"
      chmod(folder.path, 0o755)
      let reader = try ProbeProcess("hold-snapshot", folder.database, "read-only", user)
      let line = try #require(reader.line(0))
      #expect(line.hasPrefix("30 "), "\(reader.lines)")
      let writers = try (0..<2).map { _ in
        try ProbeProcess("write", folder.database, "count=150", "checkpoint=10")
      }
      let follower = try ProbeProcess("follow", folder.database, "to=331", "read-only", user)
      for writer in writers { #expect(writer.wait() == .exited(0), "\(writer.lines.suffix(2))") }
      // Each tenure ends with a durable state, which the follower sees.
      let last = try ProbeProcess("write", folder.database, "count=1")
      #expect(last.wait() == .exited(0))
      #expect(follower.wait() == .exited(0), "\(follower.lines.suffix(2))")
      reader.say()
      #expect(reader.wait() == .exited(0), "\(reader.lines)")
      #expect(try folder.check() == 331)
      #expect(folder.names == ["a.db"])
    }

    @Test func `refuses to write through a store for reading`() throws {
      let folder = try TestFolder()
      let process = try ProbeProcess("write", folder.database, "count=2")
      #expect(process.wait() == .exited(0))
      var options = StoreOptions()
      options.isReadOnly = true
      let store = try Store(path: folder.database, options: options)
      let error = storeError { _ = try store.write(ProbeHistory.step) }
      guard case .readOnly = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      // Another process may write beside it, and it sees that.
      let writer = try ProbeProcess("write", folder.database, "count=2")
      #expect(writer.wait() == .exited(0), "\(writer.lines)")
      let seen = try store.read { (snapshot) throws(StoreError) in
        try ProbeHistory.count(in: snapshot)
      }
      #expect(seen == 4)
      try store.close()
      #expect(folder.names == ["a.db"])
    }

    @Test func `may be opened and closed any number of times in one process`() throws {
      let folder = try TestFolder()
      for round in 0..<300 {
        let store = try Store(path: folder.database)
        if round % 10 == 0 { _ = try store.write(ProbeHistory.step) }
        try store.close()
      }
      #expect(try folder.check() == 30)
    }
  }
}
