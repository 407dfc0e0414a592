import CDexShim
import Glibc
import PageStore
import ProbeModel

/// A process that uses a store as its command line says, and tells in lines what it did.
///
/// `store-probe COMMAND PATH [name=value …]`. Started by the tests, which kill it, stop it, and
/// compare what it acknowledged with what the store then holds.
@main struct Probe {
  let path: String
  let console: Console

  static func main() {
    let arguments = CommandLine.arguments
    guard arguments.count >= 3 else {
      print("usage: store-probe COMMAND PATH [name=value …]")
      exit(2)
    }
    let probe = Probe(path: arguments[2], console: Console(arguments[3...]))
    probe.restrict()
    do throws(StoreError) {
      try probe.run(arguments[1])
    } catch {
      probe.console.fail("\(error)")
    }
    exit(0)
  }

  /// Gives up what the options say: rights of root, long files, addresses.
  private func restrict() {
    if let user = console["user"] {
      let number = UInt32(user)
      if setgroups(0, nil) != 0 || setgid(number) != 0 || setuid(number) != 0 {
        console.fail("no change of user")
      }
    }
    if let byteCount = console["addresses"] {
      var limit = rlimit(rlim_cur: rlim_t(byteCount), rlim_max: rlim_t(byteCount))
      setrlimit(__rlimit_resource_t(9), &limit)
    }
    if let byteCount = console["longest"] {
      var limit = rlimit(rlim_cur: rlim_t(byteCount), rlim_max: rlim_t(byteCount))
      setrlimit(__rlimit_resource_t(1), &limit)
    }
  }

  private func run(_ command: String) throws(StoreError) {
    switch command {
    case "write": try write()
    case "increment": try increment()
    case "check": try check()
    case "hold-snapshot": try holdSnapshot()
    case "hold-transaction": try holdTransaction()
    case "hold-open": try holdOpen()
    case "follow": try follow()
    case "reread": try reread()
    case "fork-use": try ForkScenario(self).run()
    case "fork-orphan": try ForkScenario(self).leaveOrphan()
    case "full-disk": try FullDiskScenario(self).run()
    case "read-only-mount": try ReadOnlyMountScenario(self).run()
    case "full-recovery": try FullDiskScenario(self).recover()
    case "fill": try FullDiskScenario(self).fillAndTidy()
    case "grow-and-shrink": try growAndShrink()
    case "make-fixture": try FixtureScenario(self).run()
    case "forged": try HostileScenario(self).run()
    default: console.fail("no command \(command)")
    }
  }

  /// The options of the store.
  var options: StoreOptions {
    var options = StoreOptions()
    if let interval = console["eventual"] {
      options.durability = .eventual(interval: .milliseconds(interval))
    }
    options.isReadOnly = console["read-only"] != nil
    options.createsFile = console["creates"] != 0
    if let timeout = console["timeout"] { options.busyTimeout = .milliseconds(timeout) }
    if let permissions = console["permissions"] { options.permissions = UInt32(permissions) }
    return options
  }

  func open() throws(StoreError) -> Store { try Store(path: path, options: options) }

  // MARK: Writing

  /// Goes on with the history, and says each number once it is acknowledged.
  private func write() throws(StoreError) {
    let store = try open()
    console.say("open")
    let count = console["count"] ?? .max
    let end = console["for"].map { milliseconds() + $0 } ?? .max
    var done = 0
    while done < count && milliseconds() < end {
      var transactionNumber = TransactionNumber(0)
      let number = try store.write { (transaction) throws(StoreError) in
        transactionNumber = transaction.number
        return try ProbeHistory.step(&transaction)
      }
      console.say("\(number) \(transactionNumber.rawValue)")
      done += 1
      if let rest = console["pace"] { usleep(UInt32(rest)) }
      if let every = console["checkpoint"], done % every == 0 { try store.checkpoint() }
    }
    console.say("closing")
    try store.close()
    console.say("closed")
  }

  /// Counts up a number of its own and one that all share, by reading and writing.
  private func increment() throws(StoreError) {
    let store = try open()
    console.say("open")
    for _ in 0..<(console["count"] ?? .max) {
      let (own, total) = try store.write { (transaction) throws(StoreError) in
        try ProbeTally.increment(&transaction, of: Int(getpid()))
      }
      console.say("\(own) \(total)")
      if let rest = console["pace"] { usleep(UInt32(rest)) }
    }
    try store.close()
    console.say("closed")
  }

  /// Stays inside a transaction until a line comes, or for a time.
  private func holdTransaction() throws(StoreError) {
    let store = try open()
    let number = try store.write { (transaction) throws(StoreError) in
      let number = try ProbeHistory.step(&transaction)
      console.say("inside")
      waitForWord()
      return number
    }
    console.say("\(number)")
    waitForWord()
    try store.close()
    console.say("closed")
  }

  private func waitForWord() {
    if let time = console["for"] {
      pause(milliseconds: time)
    } else {
      _ = console.hear()
    }
  }

  // MARK: Reading

  /// Looks at the whole store once.
  private func check() throws(StoreError) {
    let store = try open()
    try say(of: try store.snapshot())
    try store.close()
    console.say("closed")
  }

  /// Says the count and the hash of `snapshot`; fails where it is no state of the history.
  func say(of snapshot: Snapshot) throws(StoreError) {
    if let problem = try ProbeHistory.problem(in: snapshot) { console.fail(problem) }
    console.say("\(try ProbeHistory.count(in: snapshot)) \(try ProbeHistory.hash(of: snapshot))")
  }

  /// Holds one snapshot and looks at it again and again, until a line comes or for a time.
  private func holdSnapshot() throws(StoreError) {
    let store = try open()
    let snapshot = try store.snapshot()
    try say(of: snapshot)
    let hash = try ProbeHistory.hash(of: snapshot)
    let end = milliseconds() + (console["for"] ?? 1 << 40)
    var looks = 0
    while milliseconds() < end {
      var input = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
      if poll(&input, 1, 10) > 0 { break }
      if try ProbeHistory.hash(of: snapshot) != hash { console.fail("the snapshot has changed") }
      looks += 1
    }
    console.say("unchanged \(looks)")
    try store.close()
    if try ProbeHistory.hash(of: snapshot) != hash { console.fail("the snapshot has changed") }
    console.say("closed")
  }

  /// Opens snapshots and hashes them again and again, for a time.
  private func reread() throws(StoreError) {
    let store = try open()
    var reader = ProbeReader(store, seed: UInt64(getpid()))
    if let problem = try reader.run(milliseconds: console["for"] ?? 1000) { console.fail(problem) }
    console.say("reread \(reader.snapshotCount) snapshots \(reader.lookCount) times")
    try store.close()
  }

  /// Opens the store, reads once, and stays until a line comes.
  private func holdOpen() throws(StoreError) {
    let store = try open()
    try say(of: try store.snapshot())
    while console.hear() { try say(of: try store.snapshot()) }
    try store.close()
    console.say("closed")
  }

  /// Says each count that becomes visible, and checks each, until one is reached.
  private func follow() throws(StoreError) {
    let store = try open()
    console.say("open")
    let target = console["to"] ?? .max
    var seen = -1
    while seen < target {
      let snapshot = try store.snapshot()
      let count = try ProbeHistory.count(in: snapshot)
      if count < seen { console.fail("\(count) after \(seen)") }
      if count == seen {
        usleep(500)
        continue
      }
      seen = count
      if let problem = try ProbeHistory.problem(in: snapshot) { console.fail(problem) }
      console.say("\(count)")
    }
    try store.close()
    console.say("closed")
  }

  /// Makes the file many times as long, deletes it all again, and closes.
  private func growAndShrink() throws(StoreError) {
    let store = try open()
    let value = [UInt8](repeating: 7, count: 4000)
    for round in 0..<10 {
      try store.write { (transaction) throws(StoreError) in
        let bulk = try transaction.createTableIfNeeded("bulk")
        for row in 0..<200 {
          try transaction.put(Array("row \(round) \(row)".utf8), value, in: bulk)
        }
      }
    }
    try store.checkpoint()
    console.say("grown")
    waitForWord()
    try store.write { (transaction) throws(StoreError) in
      try transaction.drop(try transaction.table("bulk"))
    }
    try store.checkpoint()
    _ = try store.write { (transaction) throws(StoreError) in try ProbeHistory.step(&transaction) }
    try store.close()
    console.say("closed")
  }
}
