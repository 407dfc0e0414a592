import CDexShim
import Glibc
import PageStore
import ProbeModel

/// A store in a file system that is for reading only, closed or left by a process that died.
struct ReadOnlyMountScenario {
  let probe: Probe
  var console: Console { probe.console }

  init(_ probe: Probe) { self.probe = probe }

  func run() throws(StoreError) {
    let mounted = dex_mount_memory_for_tests(probe.path, 16 << 20)
    if mounted != 0 {
      console.say("skip \(-mounted)")
      return
    }
    for isCrashed in [false, true] {
      let path = probe.path + (isCrashed ? "/crashed.db" : "/clean.db")
      writeInChild(path, isCrashed)
      remount(isReadOnly: true)
      var options = StoreOptions()
      options.isReadOnly = true
      // Two at once, since neither can tell the other that it is there.
      let stores = [
        try Store(path: path, options: options), try Store(path: path, options: options),
      ]
      for store in stores {
        let snapshot = try store.snapshot()
        if let problem = try ProbeHistory.problem(in: snapshot) { console.fail(problem) }
        let count = try ProbeHistory.count(in: snapshot)
        if count != 20 { console.fail("\(path): \(count) transactions") }
      }
      for store in stores { try store.close() }
      do throws(StoreError) {
        _ = try Store(path: path)
        console.fail("\(path) was opened for writing")
      } catch {
        guard case .system(.open, _, EROFS) = error else { throw error }
      }
      remount(isReadOnly: false)
      let store = try Store(path: path)
      if try store.write(ProbeHistory.step) != 21 { console.fail("\(path): not the next") }
      try store.close()
    }
    console.say("done")
  }

  private func writeInChild(_ path: String, _ isCrashed: Bool) {
    let child = dex_fork_for_tests()
    if child == 0 {
      do throws(StoreError) {
        let store = try Store(path: path)
        for _ in 0..<20 { _ = try store.write(ProbeHistory.step) }
        if !isCrashed { try store.close() }
        _exit(0)
      } catch {
        console.say("\(error)")
        _exit(1)
      }
    }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    if status != 0 { console.fail("the writing child ended with \(status)") }
  }

  private func remount(isReadOnly: Bool) {
    let flags = UInt(32 | (isReadOnly ? 1 : 0))  // MS_REMOUNT, MS_RDONLY
    if mount("none", probe.path, "tmpfs", flags, nil) != 0 { console.fail("errno \(errno)") }
  }
}
