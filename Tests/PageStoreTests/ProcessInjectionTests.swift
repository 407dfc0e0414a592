import Glibc
import PageStore
import ProbeModel
import Testing

/// Real processes on real files, killed or stopped at every call of the system, or given an error by it.
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

      /// True where `line` is an error that tells of it: of the call, or of what followed from it.
      func explains(_ line: String) -> Bool {
        let name = rawValue.split(separator: "=").last ?? ""
        return line.hasPrefix("error ")
          && [String(name), "has no room for", "must be opened again"].contains {
            line.contains($0)
          }
      }

      /// The calls that can end so.
      var calls: [String] {
        let changing = ["pwrite64", "fdatasync", "fsync", "ftruncate", "fallocate"]
        let naming = ["openat", "unlink", "renameat2", "linkat", "readlink"]
        let looking = ["pread64", "newfstatat", "fcntl", "mmap", "sync_file_range", "close"]
        switch self {
        case .kill: return changing + naming + looking
        // A close that is not made keeps its locks, which the system never does.
        case .inputOutput:
          return changing + naming + looking.filter { $0 != "mmap" && $0 != "close" }
        case .diskFull: return changing.filter { $0 != "ftruncate" } + ["openat", "renameat2"]
        case .interrupted: return changing + ["openat", "pread64", "fcntl"]
        case .noMemory: return ["openat", "mmap", "fcntl", "unlink", "renameat2"]
        case .noDescriptors: return ["openat"]
        }
      }
    }

    /// What the process finds when it begins.
    enum Beginning: CaseIterable { case nothing, rest, crash }

    /// A database that another process left, and how much is in it at least.
    private struct Original {
      let beginning: Beginning
      let known: Int
      private let folder: TestFolder

      init(_ beginning: Beginning) throws {
        self.beginning = beginning
        folder = try TestFolder()
        if beginning == .nothing {
          known = 0
          return
        }
        let isCrash = beginning == .crash
        let process = try ProbeProcess("write", folder.database, isCrash ? "endless" : "count=60")
        if isCrash {
          _ = try #require(process.line(60))
          process.kill()
        } else {
          #expect(process.wait() == .exited(0))
        }
        known = process.newestNumber
      }

      /// A folder with a copy of it.
      func copy() throws -> TestFolder {
        let copy = try TestFolder()
        for name in folder.names where !name.hasSuffix("-lock") {
          folder.copy(name, to: name, in: copy)
        }
        return copy
      }
    }

    /// A writing probe that is struck at call `number` of a kind, and the tracer's notes on it.
    private struct TracedProbe {
      let process: ProbeProcess
      private let record: TestFolder

      init(_ folder: TestFolder, _ strike: String, at call: String, _ number: Int) throws {
        record = try TestFolder()
        let files = [folder.path] + ["", "-log", "-lock", "-new"].map { folder.database + $0 }
        process = try ProbeProcess(
          ["write", folder.database, "count=7", "checkpoint=3"],
          under: ["/usr/bin/strace", "-f", "-qq", "-o", record.path + "/trace"]
            + files.flatMap { ["-P", $0] }
            + ["-e", "trace=\(call)", "-e", "inject=\(call):\(strike):when=\(number)"])
      }

      var notes: String { String(decoding: record.bytes("trace") ?? [], as: UTF8.self) }

      /// The threads that were stopped; kinds of calls are counted for each, so that another one
      /// may be struck later.
      var stopped: [pid_t] {
        notes.split(separator: "\n").filter { $0.contains("--- stopped by SIGSTOP") }
          .compactMap { $0.split(separator: " ").first.flatMap { pid_t($0) } }
      }

      /// Lets it go on whenever it is stopped, and waits for its end.
      func goOn() -> ProbeProcess.Ending? {
        let end = testMilliseconds() + 60_000
        while testMilliseconds() < end {
          for thread in stopped { kill(thread, SIGCONT) }
          if let ending = process.wait(milliseconds: 50) { return ending }
        }
        return nil
      }
    }

    /// Runs the probe and strikes at call `number`; false where it made no such call.
    private func strike(
      _ strike: Strike, at call: String, _ number: Int, _ original: Original
    ) throws -> Bool {
      let folder = try original.copy()
      let probe = try TracedProbe(folder, strike.rawValue, at: call, number)
      let process = probe.process
      let ending = process.wait(milliseconds: 60_000)
      let place = Comment(
        rawValue: "\(strike.rawValue) at \(call) \(number), \(original.beginning)")
      let isStruck =
        strike == .kill ? ending == .killed(SIGKILL) : probe.notes.contains("(INJECTED)")
      if !isStruck {
        #expect(ending == .exited(0), place)
      } else if strike != .kill {
        let isError = ending == .exited(3) && strike.explains(process.lines.last ?? "")
        #expect(
          isError && strike != .interrupted || ending == .exited(0),
          "\(place) ended \(String(describing: ending)): \(process.lines.last ?? "")")
      }
      // One transaction may have been under way that nobody has heard of, and one of the crash.
      let known = max(original.known, process.newestNumber)
      let found = try folder.check()
      #expect(found >= known && found <= known + 2, "\(place): \(found), not \(known)")
      try expectRest(folder, place)
      return isStruck
    }

    private func expectRest(_ folder: TestFolder, _ place: Comment) throws {
      #expect(folder.names == ["a.db"], place)
      let report = try Store.check(path: folder.database)
      #expect(report.isClean, "\(place): \(report)")
    }

    /// Stops the probe at call `number` until another has written; false where it made no such call.
    ///
    /// The other one writes, or says that somebody else is busy.
    private func stop(
      at call: String, _ number: Int, _ original: Original
    ) throws -> (isStopped: Bool, hasWritten: Bool) {
      let folder = try original.copy()
      let place = Comment(rawValue: "stopped at \(call) \(number), \(original.beginning)")
      let probe = try TracedProbe(folder, "signal=STOP", at: call, number)
      let end = testMilliseconds() + 60_000
      while probe.stopped.isEmpty && testMilliseconds() < end {
        if probe.process.wait(milliseconds: 2) != nil { break }
      }
      if probe.stopped.isEmpty {
        #expect(probe.process.wait() == .exited(0), place)
        return (false, false)
      }
      let other = try ProbeProcess("write", folder.database, "count=1", "timeout=150")
      let ending = other.wait()
      let hasWritten = ending == .exited(0)
      if !hasWritten {
        let isBusy = other.lines.last?.contains("busy") == true
        #expect(ending == .exited(3) && isBusy, "\(place): \(other.lines)")
      }
      #expect(probe.goOn() == .exited(0), place)
      // A crash may have left one transaction that nobody has heard of.
      let least = original.known + 7 + (hasWritten ? 1 : 0)
      let found = try folder.check()
      let most = least + (original.beginning == .crash ? 1 : 0)
      #expect(found >= least && found <= most, "\(place): \(found), not \(least)")
      try expectRest(folder, place)
      return (true, hasWritten)
    }

    @Test(arguments: Beginning.allCases)
    func `goes on after it was stopped at any call, and keeps nobody waiting without a word`(
      beginning: Beginning
    ) throws {
      let original = try Original(beginning)
      var (count, writtenCount) = (0, 0)
      for call in Strike.kill.calls {
        var number = 1
        while true {
          let (isStopped, hasWritten) = try stop(at: call, number, original)
          if !isStopped { break }
          count += 1
          writtenCount += hasWritten ? 1 : 0
          number += 1
        }
      }
      print(
        "injected: signal=STOP, \(beginning): \(count) calls, \(writtenCount) times another wrote")
      fflush(nil)
      #expect(writtenCount > 0 && writtenCount < count)
    }

    static var strikes: [Strike] {
      getenv("DEX_INJECT").map { String(cString: $0) } == "kill" ? [.kill] : Strike.allCases
    }

    @Test(arguments: strikes, Beginning.allCases)
    func `keeps every acknowledged commit whichever call it strikes`(
      strike: Strike, beginning: Beginning
    ) throws {
      let original = try Original(beginning)
      var count = 0
      for call in strike.calls {
        var number = 1
        while try self.strike(strike, at: call, number, original) { number += 1 }
        // Whatever the beginning, these are made, and are seen by the tracer.
        if ["pwrite64", "fdatasync", "openat", "fcntl"].contains(call) {
          #expect(number > 1, "no \(call) was struck")
        }
        count += number - 1
      }
      print("injected: \(strike.rawValue), \(beginning): \(count) calls")
      fflush(nil)
      #expect(count > 0)
    }
  }
}
