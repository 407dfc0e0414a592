import Glibc
import PageStore
import ProbeModel
import Testing

/// Real processes on real files, killed at every call of the system, or given an error by it.
///
/// strace does that: it counts one kind of call on the store's files and strikes at the *n*th. Runs
/// only where `DEX_INJECT` is set, as `Scripts/inject` does, since each call is a process of its own:
/// to `kill` for kills alone.
extension ProcessTests {
  @Suite(.enabled(if: getenv("DEX_INJECT") != nil)) struct `A store under a tracer` {
    /// What happens at the call, in the tracer's words.
    enum Strike: String, CaseIterable, CustomTestStringConvertible {
      case kill = "signal=KILL"
      case inputOutput = "error=EIO"
      case diskFull = "error=ENOSPC"
      case interrupted = "error=EINTR"
      case noMemory = "error=ENOMEM"
      case noDescriptors = "error=EMFILE"

      var testDescription: String { rawValue }

      /// The calls that can end so.
      var calls: [String] {
        let changing = ["pwrite64", "fdatasync", "fsync", "ftruncate", "fallocate"]
        let naming = ["openat", "unlink", "renameat2", "linkat", "readlink"]
        let looking = ["pread64", "newfstatat", "fcntl", "mmap", "sync_file_range", "close"]
        switch self {
        case .kill: return changing + naming + looking
        case .inputOutput: return changing + naming + looking.filter { $0 != "mmap" }
        case .diskFull: return changing.filter { $0 != "ftruncate" } + ["openat", "renameat2"]
        case .interrupted: return changing + ["openat", "pread64", "fcntl"]
        case .noMemory: return ["openat", "mmap", "fcntl", "unlink", "renameat2"]
        case .noDescriptors: return ["openat"]
        }
      }
    }

    /// What the process finds when it begins.
    enum Beginning: CaseIterable { case nothing, rest, crash }

    /// A database that another process left as `beginning` says, and how much is in it.
    private func folder(_ beginning: Beginning) throws -> (folder: TestFolder, known: Int) {
      let folder = try TestFolder()
      if beginning == .nothing { return (folder, 0) }
      let isCrash = beginning == .crash
      let process = try ProbeProcess("write", folder.database, isCrash ? "endless" : "count=60")
      if isCrash {
        _ = try #require(process.line(60))
        process.kill()
      } else {
        #expect(process.wait() == .exited(0))
      }
      return (folder, process.newestNumber)
    }

    /// Runs the probe and strikes at call `number`; false where it made no such call.
    private func strike(
      _ strike: Strike, at call: String, _ number: Int, _ beginning: Beginning
    ) throws -> Bool {
      let (folder, before) = try folder(beginning)
      let record = try TestFolder()
      let files = [folder.path] + ["", "-log", "-lock", "-new"].map { folder.database + $0 }
      let process = try ProbeProcess(
        ["write", folder.database, "count=7", "checkpoint=3"],
        under: ["/usr/bin/strace", "-f", "-qq", "-o", record.path + "/trace"]
          + files.flatMap { ["-P", $0] }
          + ["-e", "trace=\(call)", "-e", "inject=\(call):\(strike.rawValue):when=\(number)"])
      let ending = process.wait(milliseconds: 60_000)
      let place = Comment(rawValue: "\(strike.rawValue) at \(call) \(number), \(beginning)")
      let trace = String(decoding: record.bytes("trace") ?? [], as: UTF8.self)
      let isStruck = strike == .kill ? ending == .killed(SIGKILL) : trace.contains("(INJECTED)")
      if !isStruck {
        #expect(ending == .exited(0), place)
      } else if strike != .kill {
        let isError = ending == .exited(3) && process.lines.last?.hasPrefix("error ") == true
        #expect(isError || ending == .exited(0), "\(place) ended \(String(describing: ending))")
      }
      // One transaction may have been under way that nobody has heard of, and one of the crash.
      let known = max(before, process.newestNumber)
      let found = try folder.check()
      #expect(found >= known && found <= known + 2, "\(place): \(found), not \(known)")
      #expect(folder.names == ["a.db"], place)
      let report = try Store.check(path: folder.database)
      #expect(report.isClean, "\(place): \(report)")
      return isStruck
    }

    static var strikes: [Strike] {
      getenv("DEX_INJECT").map { String(cString: $0) } == "kill" ? [.kill] : Strike.allCases
    }

    @Test(arguments: strikes, Beginning.allCases)
    func `keeps every acknowledged commit whichever call it strikes`(
      strike: Strike, beginning: Beginning
    ) throws {
      var count = 0
      for call in strike.calls {
        var number = 1
        while try self.strike(strike, at: call, number, beginning) { number += 1 }
        count += number - 1
      }
      print("injected: \(strike.rawValue), \(beginning): \(count) calls")
      fflush(nil)
      #expect(count > 0)
    }
  }
}
