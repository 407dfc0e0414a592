import CDexShim
import Glibc
import PageStore
import ProbeModel

/// A store in a file system that runs full: fills it, reads, deletes, and writes again.
struct FullDiskScenario {
  let probe: Probe
  var console: Console { probe.console }

  init(_ probe: Probe) { self.probe = probe }

  /// Mounts a small file system for each size from `from` to `to` in steps of `by`, and fills it.
  ///
  /// Mounting is for this thread alone, so all of it happens on one.
  func run() throws(StoreError) {
    var size = console["from"] ?? 64 << 10
    let end = console["to"] ?? 64 << 10
    while size <= end {
      let mounted = dex_mount_memory_for_tests(probe.path, size)
      if mounted != 0 {
        console.say("skip \(-mounted)")
        return
      }
      do throws(StoreError) {
        try Self(probe).use(probe.path + "/a.db", size)
      } catch {
        console.fail("size \(size): \(error)")
      }
      if umount2(probe.path, 2) != 0 { console.fail("size \(size): errno \(errno)") }
      size += console["by"] ?? 4096
    }
    console.say("done")
  }

  /// Lets a process die, fills the disk, and opens: all is to be read, and written once there is room.
  func recover() throws(StoreError) {
    let mounted = dex_mount_memory_for_tests(probe.path, 4 << 20)
    if mounted != 0 {
      console.say("skip \(-mounted)")
      return
    }
    let path = probe.path + "/a.db"
    let child = dex_fork_for_tests()
    if child == 0 {
      do throws(StoreError) {
        let store = try Store(path: path, options: probe.options)
        for _ in 0..<2 { _ = try store.write(ProbeHistory.step) }
        try store.checkpoint()
        for _ in 0..<98 { _ = try store.write(ProbeHistory.step) }
        _exit(0)
      } catch {
        console.say("\(error)")
        _exit(1)
      }
    }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    if status != 0 { console.fail("the writing child ended with \(status)") }
    // What the child reserved is cut off, so that recovery has no room at all.
    if let length = console["cut"] { truncate(path, length) }
    occupy(path + ".filler")
    let store = try Store(path: path, options: probe.options)
    let isReadable = try ProbeHistory.count(in: try store.snapshot())
    if isReadable != 100 { console.fail("\(isReadable) transactions are to be read of 100") }
    if let problem = try ProbeHistory.problem(in: try store.snapshot()) { console.fail(problem) }
    var isRefused = false
    do throws(StoreError) {
      _ = try store.write(ProbeHistory.step)
    } catch {
      guard case .diskFull = error else { throw error }
      isRefused = true
    }
    let count = try ProbeHistory.count(in: try store.snapshot())
    if count != (isRefused ? 100 : 101) { console.fail("\(count) transactions, \(isRefused)") }
    unlink(path + ".filler")
    if try store.write(ProbeHistory.step) != count + 1 { console.fail("not the next") }
    try probe.say(of: try store.snapshot())
    try store.close()
    console.say(isRefused ? "refused, then done" : "done")
  }

  /// The same in the folder as it is, with a limit on the length of files.
  func fillAndTidy() throws(StoreError) {
    try use(probe.path, console["longest"] ?? 0)
    console.say("done")
  }

  private func use(_ path: String, _ size: Int) throws(StoreError) {
    var options = probe.options
    options.busyTimeout = .seconds(1)
    let store: Store
    do throws(StoreError) {
      store = try Store(path: path, options: options)
    } catch {
      guard case .diskFull = error else { throw error }
      console.say("\(size) too small to create")
      return
    }
    let rows = try fill(store)
    try expect(store, rows, onlyOdd: false, "size \(size), full")
    if rows > 0 {
      try deleteHalf(store, rows, size)
      try expect(store, rows, onlyOdd: true, "size \(size), half deleted")
    }
    // There is room again, without opening again; of a few rows not even a page becomes free.
    if rows >= 64 {
      do throws(StoreError) {
        try store.write { (transaction) throws(StoreError) in
          let table = try transaction.table("t")
          try transaction.put("again", "there is room", in: table)
        }
      } catch {
        // A state that two checkpoints still hold may need the room for a moment.
        guard case .diskFull = error else { throw error }
        try store.checkpoint()
        try store.write { (transaction) throws(StoreError) in
          let table = try transaction.table("t")
          try transaction.put("again", "there is room", in: table)
        }
      }
      try store.write { (transaction) throws(StoreError) in
        _ = try transaction.delete(Array("again".utf8), in: try transaction.table("t"))
      }
    }
    try store.close()
    try reopenFull(path, options, rows, size)
    console.say("\(size) \(rows)")
  }

  /// Writes rows until there is no room, in larger and then in smaller transactions.
  ///
  /// - Returns: The number of rows; their keys are the numbers below it.
  private func fill(_ store: Store) throws(StoreError) -> Int {
    var rows = 0
    for batch in [16, 1] {
      var fullCount = 0
      while fullCount < 3 {
        do throws(StoreError) {
          try store.write { (transaction) throws(StoreError) in
            let table = try transaction.createTableIfNeeded("t")
            for row in rows..<rows + batch {
              try transaction.put(Self.key(row), Self.value(row), in: table)
            }
          }
          rows += batch
        } catch {
          guard case .diskFull = error else { throw error }
          fullCount += 1
        }
      }
    }
    return rows
  }

  static func key(_ row: Int) -> [UInt8] {
    [UInt8(row >> 16 & 255), UInt8(row >> 8 & 255), UInt8(row & 255)]
  }

  static func value(_ row: Int) -> [UInt8] {
    [UInt8](repeating: UInt8(truncatingIfNeeded: row), count: row % 7 == 0 ? 1500 : 300)
  }

  /// Deletes the rows with even numbers, a few at a time.
  private func deleteHalf(_ store: Store, _ rows: Int, _ size: Int) throws(StoreError) {
    var row = 0
    while row < rows {
      let end = min(rows, row + 16)
      do throws(StoreError) {
        try store.write { (transaction) throws(StoreError) in
          let table = try transaction.table("t")
          for number in row..<end where number % 2 == 0 {
            _ = try transaction.delete(Self.key(number), in: table)
          }
        }
      } catch {
        console.fail("size \(size): deleting from row \(row) of \(rows): \(error)")
      }
      row = end
    }
  }

  /// Ends the process where the store does not hold exactly the rows below `rows`.
  private func expect(
    _ store: Store, _ rows: Int, onlyOdd: Bool, _ when: String
  ) throws(StoreError) {
    if rows == 0 { return }
    let snapshot = try store.snapshot()
    if let problem = try problem(in: snapshot, rows, onlyOdd) {
      console.fail("\(when): \(problem)")
    }
  }

  private func problem(
    in snapshot: borrowing Snapshot, _ rows: Int, _ onlyOdd: Bool
  ) throws(StoreError) -> String? {
    let table = try snapshot.table("t")
    if table.count != (onlyOdd ? rows / 2 : rows) { return "\(table.count) rows of \(rows)" }
    for row in 0..<rows where !onlyOdd || row % 2 == 1 {
      guard let value = try table.get(Self.key(row)) else { return "row \(row) is gone" }
      let expected = Self.value(row)
      if value.byteCount != expected.count
        || value.unsafeLoad(fromByteOffset: 0, as: UInt8.self) != expected[0]
      {
        return "row \(row) is another"
      }
    }
    return nil
  }

  /// Fills the rest of the file system by a file of that name.
  private func occupy(_ filler: String) {
    let descriptor = dex_open(filler, 3, 0o600)
    if descriptor < 0 { return }
    let block = [UInt8](repeating: 1, count: 4096)
    var end: Int64 = 0
    while end < 16 << 20, dex_pwrite(descriptor, block, 4096, end) == 4096 { end += 4096 }
    _ = dex_close(descriptor)
  }

  /// Fills the rest of the file system by something else, and opens to read and delete.
  private func reopenFull(
    _ path: String, _ options: StoreOptions, _ rows: Int, _ size: Int
  ) throws(StoreError) {
    let filler = path + ".filler"
    occupy(filler)
    let store = try Store(path: path, options: options)
    if rows > 0 {
      try expect(store, rows, onlyOdd: true, "size \(size), reopened")
      do throws(StoreError) {
        try store.write { (transaction) throws(StoreError) in
          let table = try transaction.table("t")
          for row in 0..<min(rows, 8) { _ = try transaction.delete(Self.key(row), in: table) }
        }
      } catch {
        console.fail("size \(size): deleting after reopening: \(error)")
      }
    }
    try store.close()
    unlink(filler)
    let again = try Store(path: path, options: options)
    if rows > 8 {
      let count = try again.read { (snapshot) throws(StoreError) in
        try snapshot.table("t").count
      }
      if count != rows / 2 - 4 { console.fail("size \(size): \(count) rows at the end") }
    }
    try again.close()
    for side in ["-log", "-lock"] where dex_exists(path + side) == 1 {
      console.fail("size \(size): \(side) is left")
    }
    unlink(path)
  }
}
