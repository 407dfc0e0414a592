import Glibc
import SimulatedDisk
import Testing

@testable import PageStore

/// States that are read or written elsewhere, while a writer goes on.
@Suite struct `A state that somebody needs` {
  private static let path = "/folder/a.db"
  private static let rowCount = 400

  private static func values(_ generation: Int) -> CareModel.Rows {
    var rows: CareModel.Rows = [:]
    for number in 0..<rowCount {
      rows[Array("key \(1000 + number)".utf8)] = [UInt8](
        repeating: UInt8(generation), count: 40 + number % 50)
    }
    return rows
  }

  private static func put(_ generation: Int, in store: Store) throws(StoreError) {
    let rows = values(generation)
    try store.write { (transaction) throws(StoreError) in
      let table = try transaction.createTableIfNeeded("rows")
      for (key, value) in rows { try transaction.put(key, value, in: table) }
    }
  }

  /// The transactions begin when the checkpoint has written its pages, and end before it does.
  ///
  /// Each replaces every page, and could use what the one before has left; the next checkpoint writes
  /// them, and dies before the state that it makes is durable.
  @Test(arguments: 4...8)
  func `is made durable whole while transactions replace its pages`(last: Int) throws {
    let disk = SimulatedDisk()
    let system = SimulatedSystem(disk)
    let store = try Store(path: Self.path, options: .small, fileSystem: system)
    // The second makes the log, by a checkpoint.
    for generation in [0, 1, 2] { try Self.put(generation, in: store) }
    let images = Guarded<[SimulatedDisk]>([])
    let hasWritten = SharedCount()
    onFirstSync(of: system) {
      do throws(StoreError) {
        let thread = try BackgroundThread(path: "test") {
          let error = storeError { () throws(StoreError) in
            for generation in 3...last { try Self.put(generation, in: store) }
          }
          if error == nil { hasWritten.value = 1 }
        }
        thread.join()
      } catch {
        Issue.record("\(error)")
      }
    }
    try store.checkpoint()
    #expect(hasWritten.value == 1)
    onFirstSync(of: system) {
      images.withLock { $0 = [disk.killImage(), disk.crashImage(.nothingKept)] }
    }
    try store.checkpoint()
    system.onOperation(nil)
    for image in images.withLock({ $0 }) {
      let reopened = try Store(
        path: Self.path, options: .small, fileSystem: SimulatedSystem(image, processID: 2))
      #expect(try reopened.contents() == ["rows": Self.values(last)])
      try reopened.close()
    }
    #expect(images.withLock { $0.count } == 2)
    try store.close()
  }

  /// Runs `body` before the next sync of the main file.
  private func onFirstSync(of system: SimulatedSystem, _ body: @escaping @Sendable () -> Void) {
    let count = SharedCount()
    system.onOperation { operation in
      if operation.call == .sync && operation.path == Self.path && count.increment() == 1 { body() }
    }
  }

  /// The reader has no row in the lock file, and has come after the writer.
  @Test func `stays for a reader without a row that came in the middle of a tenure`() throws {
    let disk = SimulatedDisk()
    let store = try Store(path: Self.path, options: .small, fileSystem: SimulatedSystem(disk))
    try Self.put(1, in: store)
    try store.checkpoint()
    try Self.put(2, in: store)
    try store.checkpoint()
    disk.inject(.error(errno: EACCES)) {
      $0.call == .open && $0.path == Self.path + "-lock" && $0.processID == 2
    }
    var options = StoreOptions.small
    options.isReadOnly = true
    let reader = try Store(
      path: Self.path, options: options, fileSystem: SimulatedSystem(disk, processID: 2))
    let snapshot = try reader.snapshot()
    for generation in 3...8 {
      try Self.put(generation, in: store)
      try store.checkpoint()
    }
    #expect(try snapshot.contents() == ["rows": Self.values(2)])
    try reader.close()
    #expect(try store.contents() == ["rows": Self.values(8)])
    try store.close()
  }
}
