import Glibc
import Testing

/// The program on real files, killed at every call of the system, or given an error by it.
///
/// strace does that, as for the store's own probe; only where `DEX_INJECT` is set.
@Suite(.serialized, .enabled(if: getenv("DEX_INJECT") != nil)) struct `Commands under a tracer` {
  /// A command that changes how many adventurers there are.
  enum Change: CaseIterable {
    case recruit, delete, load, compact

    /// The arguments, and how many adventurers there are afterwards of three.
    func arguments(_ folder: ProgramFolder) -> (words: [String], count: Int) {
      switch self {
      case .recruit: return (["recruit", "name=Zed", "class=Baker"], 4)
      case .delete: return (["delete", "--yes", "from:adv", "name:ana"], 2)
      case .load:
        let rows = ["Uma", "Vic", "Wes"].map { "\($0),Monk,1,0,80,80,1,50,5,60,0,0\n" }
        let file = folder.write(
          "name,profession,level,experience,hp,maxhp,multiplier,defense,evasion,speed,wins,losses\n"
            + rows.joined(), to: "more.csv")
        return (["import", "--into", "adventurers", file], 6)
      case .compact: return (["compact"], 3)
      }
    }
  }

  enum Strike: String, CaseIterable {
    case kill = "signal=KILL"
    case inputOutput = "error=EIO"
    case diskFull = "error=ENOSPC"
  }

  private static let calls = [
    "pwrite64", "fdatasync", "fsync", "ftruncate", "fallocate", "openat", "renameat2", "unlink",
    "pread64",
  ]

  /// A database with three adventurers.
  private static let original: [UInt8] = {
    let dexdb = Dexdb()
    for name in ["Ana", "Bob", "Cid"] { _ = dexdb("recruit", "name=\(name)", "class=Monk") }
    return ProgramFolder.bytes(dexdb.database)
  }()

  /// Runs the command and strikes at call `number`; false where it made no such call.
  private func strike(
    _ strike: Strike, at call: String, _ number: Int, _ change: Change
  ) -> Bool {
    let dexdb = Dexdb(isInitialized: false)
    _ = dexdb.folder.write(Self.original, to: "test.dex")
    let (words, count) = change.arguments(dexdb.folder)
    let trace = dexdb.folder.path + "/trace"
    let files = [dexdb.folder.path] + ["", "-log", "-lock", "-new"].map { dexdb.database + $0 }
    let run = Dexdb.run(
      ["-f", "-qq", "-o", trace] + files.flatMap { ["-P", $0] }
        + ["-e", "trace=\(call)", "-e", "inject=\(call):\(strike.rawValue):when=\(number)"]
        + [Dexdb.program, "-f", dexdb.database] + words,
      folder: dexdb.folder.path, program: "/usr/bin/strace")
    let place = Comment(rawValue: "\(change), \(strike.rawValue) at \(call) \(number)")
    let notes = String(decoding: ProgramFolder.bytes(trace), as: UTF8.self)
    let isStruck = strike == .kill ? run.code == 128 + SIGKILL : notes.contains("(INJECTED)")
    if isStruck && strike != .kill && run.code != 0 {
      #expect(run.code < 128 && run.errors.hasPrefix("dexdb: "), "\(place): \(run.errors)")
    }
    // After a strike the change is there whole or not at all; once it was said to be, it is.
    let found = dexdb("count", "from:adv")
    let possible = isStruck && run.code != 0 ? [3, count] : [count]
    #expect(possible.contains(Int(found.lines.last ?? "") ?? -1), "\(place): \(found)")
    let check = dexdb("check")
    #expect(check.code == 0, "\(place): \(check.text)\(check.errors)")
    let names = Set(ProgramFolder.names(in: dexdb.folder.path))
    #expect(names.isSubset(of: ["test.dex", "trace", "more.csv"]), "\(place): \(names)")
    return isStruck
  }

  @Test(arguments: Change.allCases, Strike.allCases)
  func `are done whole or not at all, whichever call is struck`(change: Change, strike: Strike) {
    var count = 0
    for call in Self.calls where strike != .diskFull || call != "pread64" {
      var number = 1
      while self.strike(strike, at: call, number, change) { number += 1 }
      count += number - 1
    }
    print("injected: dexdb, \(change), \(strike.rawValue): \(count) calls")
    fflush(nil)
    #expect(count > 5)
  }
}
