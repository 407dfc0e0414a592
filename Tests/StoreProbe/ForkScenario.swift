import CDexShim
import Glibc
import PageStore
import ProbeModel

/// What a forked child can and cannot do with its parent's store.
struct ForkScenario {
  let probe: Probe
  var console: Console { probe.console }

  init(_ probe: Probe) { self.probe = probe }

  /// Forks with a snapshot open and in the middle of a transaction; parent and child go on.
  func run() throws(StoreError) {
    let store = try probe.open()
    let parent = getpid()
    for _ in 0..<30 { _ = try store.write(ProbeHistory.step) }
    let snapshot = try store.snapshot()
    let hash = try ProbeHistory.hash(of: snapshot)
    let number = try store.write { (transaction) throws(StoreError) in
      let number = try ProbeHistory.step(&transaction)
      let table = try transaction.table("counter")
      fork { () -> Int32 in
        childProblem(store, snapshot, &transaction, table)
      }
      try transaction.put("after", "fork", in: try transaction.createTableIfNeeded("fork"))
      try transaction.drop(try transaction.table("fork"))
      return number
    }
    // A child that leaves the closure as if nothing had happened commits nothing.
    do throws(StoreError) {
      try store.write { (transaction) throws(StoreError) in
        let table = try transaction.table("counter")
        try transaction.put(Array("other".utf8), [1], in: table)
        let child = dex_fork_for_tests()
        if child == 0 {
          alarm(10)
          return
        }
        var status: Int32 = 0
        waitpid(child, &status, 0)
        if status != 0 { console.fail("the committing child ended with \(status)") }
        _ = try transaction.delete(Array("other".utf8), in: table)
      }
      if getpid() != parent { _exit(25) }
    } catch {
      if getpid() == parent { throw error }
      if case .forked = error { _exit(0) }
      _exit(26)
    }
    // Outside a transaction too, where the child also drops what it inherited.
    fork { () -> Int32 in
      let dropped = try? store.snapshot()
      if dropped != nil { return 20 }
      do {
        _ = try store.write(ProbeHistory.step)
        return 21
      } catch {
        guard case .forked = error as? StoreError else { return 22 }
      }
      do throws(StoreError) {
        try store.close()
        return 23
      } catch {
        if case .forked = error { return 0 }
        return 24
      }
    }
    if try ProbeHistory.hash(of: snapshot) != hash { console.fail("the snapshot has changed") }
    for _ in 0..<30 { _ = try store.write(ProbeHistory.step) }
    if try ProbeHistory.hash(of: snapshot) != hash { console.fail("the snapshot has changed") }
    let count = try ProbeHistory.count(in: try store.snapshot())
    if count != number + 30 { console.fail("\(count) after \(number)") }
    try probe.say(of: try store.snapshot())
    try store.close()
    console.say("closed")
  }

  /// What the child could do although it must not; 0 where all was refused.
  private func childProblem(
    _ store: Store, _ snapshot: Snapshot, _ transaction: inout WriteTransaction,
    _ table: TableHandle
  ) -> Int32 {
    func isForked(_ body: () throws(StoreError) -> Void) -> Bool {
      do throws(StoreError) {
        try body()
        return false
      } catch {
        if case .forked = error { return true }
        return false
      }
    }
    if !isForked({ () throws(StoreError) in _ = try store.snapshot() }) { return 10 }
    if !isForked({ () throws(StoreError) in _ = try snapshot.tableNames() }) { return 11 }
    if !isForked({ () throws(StoreError) in _ = try ProbeHistory.hash(of: snapshot) }) {
      return 12
    }
    if !isForked({ () throws(StoreError) in try store.sync() }) { return 13 }
    if !isForked({ () throws(StoreError) in try store.checkpoint() }) { return 14 }
    if !isForked({ () throws(StoreError) in try store.close() }) { return 15 }
    do throws(StoreError) {
      _ = try ProbeHistory.step(&transaction)
      return 16
    } catch {
      guard case .forked = error else { return 17 }
    }
    do throws(StoreError) {
      try transaction.put(Array("n".utf8), [1], in: table)
      return 18
    } catch {
      guard case .forked = error else { return 19 }
    }
    return 0
  }

  /// Leaves a child behind that lives on with the inherited store, and dies.
  func leaveOrphan() throws(StoreError) {
    let store = try probe.open()
    for _ in 0..<30 { _ = try store.write(ProbeHistory.step) }
    let snapshot = try store.snapshot()
    _ = try store.write { (transaction) throws(StoreError) in
      _ = try ProbeHistory.step(&transaction)
      let child = dex_fork_for_tests()
      if child == 0 {
        pause(milliseconds: console["for"] ?? 10_000)
        _exit(0)
      }
      console.say("child \(child)")
      pause(milliseconds: 20)
      kill(getpid(), SIGKILL)
    }
    _ = snapshot
  }

  /// Runs `body` in a child, which ends with what it answers, and complains unless that is 0.
  private func fork(_ body: () -> Int32) {
    let child = dex_fork_for_tests()
    if child == 0 {
      alarm(10)
      _exit(body())
    }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    if status != 0 { console.fail("the child ended with \(status >> 8), signal \(status & 127)") }
  }
}
