import Glibc
import SimulatedDisk
import Testing

@testable import PageStore

/// Writes that fail where somebody could go on as if they had not.
@Suite struct `A write that was lost` {
  private static let path = "/folder/a.db"
  private static let log = path + "-log"

  private static var options: StoreOptions {
    var options = StoreOptions()
    options.writeBufferByteCount = 256 << 10
    options.logHalfByteCount = 16 << 10
    options.logHalfCapacity = 1 << 20
    return options
  }

  private static func put(
    _ numbers: Range<Int>, to transaction: inout WriteTransaction
  ) throws(StoreError) {
    let rows = try transaction.createTableIfNeeded("rows")
    for number in numbers {
      try transaction.put(
        Array("\(1_000_000 + number * 7919 % 100_003)".utf8), [UInt8](repeating: 1, count: 400),
        in: rows)
    }
  }

  private static func rowCount(_ store: Store) throws -> Int {
    let snapshot = try store.snapshot()
    var count = 0
    var cursor = try snapshot.table("rows").cursor()
    while try cursor.next() { count += 1 }
    return count
  }

  @Test func `ends the transaction whose pages it was to move, savepoint or not`() throws {
    let disk = SimulatedDisk(maximumFileByteCount: 64 << 20)
    let store = try Store(
      path: Self.path, options: Self.options, fileSystem: SimulatedSystem(disk))
    try store.write { (transaction) throws(StoreError) in try Self.put(0..<10, to: &transaction) }
    let error = storeError {
      try store.write { (transaction) throws(StoreError) in
        try Self.put(10..<20, to: &transaction)
        disk.inject(.error(errno: EIO)) { $0.call == .write && $0.path == Self.path }
        let inner = storeError {
          try transaction.savepoint { (transaction) throws(StoreError) in
            try Self.put(20..<4000, to: &transaction)
          }
        }
        if inner == nil { Issue.record("nothing was moved to the file") }
      }
    }
    #expect(error == .system(.write, path: Self.path, errno: EIO))
    #expect(try Self.rowCount(store) == 10)
    // The next transaction starts from what was there.
    try store.write { (transaction) throws(StoreError) in try Self.put(10..<4000, to: &transaction)
    }
    #expect(try Self.rowCount(store) == 4000)
    #expect(try store.check().problems == [])
    try store.close()
  }

  @Test func `stops all writing where only a sync for room told of it`() throws {
    let disk = SimulatedDisk(maximumFileByteCount: 64 << 20)
    let system = SimulatedSystem(disk)
    let store = try Store(path: Self.path, options: Self.options, fileSystem: system)
    let end = 4096 + 16 << 10
    let growthCount = SharedCount()
    system.onOperation { operation in
      // Where the first half ends, nothing but its growth is written.
      guard operation.call == .write && operation.path == Self.log && operation.offset == end else {
        return
      }
      if growthCount.increment() > 1 { return }
      disk.inject(.error(errno: EIO)) { $0.call == .sync && $0.path == Self.log }
    }
    var error: StoreError?
    var number = 0
    while error == nil && number < 2000 {
      error = storeError {
        try store.write { (transaction) throws(StoreError) in
          try Self.put(number..<number + 1, to: &transaction)
        }
      }
      number += 1
    }
    #expect(growthCount.value > 0)
    #expect(error == .poisoned(path: Self.path))
    #expect(storeError { try store.close() } == .poisoned(path: Self.path))
    // What was acknowledged is there after recovery.
    let recovered = try Store(
      path: Self.path, options: Self.options, fileSystem: SimulatedSystem(disk.killImage()))
    #expect(try Self.rowCount(recovered) >= number - 1)
    try recovered.close()
  }

  @Test(arguments: [0, 39, 4096, 20_000, 1_048_576, 1_069_055])
  func `of a log that was cut is damage, and no torn end`(byteCount: Int) throws {
    let disk = SimulatedDisk(maximumFileByteCount: 64 << 20)
    let store = try Store(
      path: Self.path, options: Self.options, fileSystem: SimulatedSystem(disk))
    for number in 0..<20 {
      try store.write { (transaction) throws(StoreError) in
        try Self.put(number..<number + 1, to: &transaction)
      }
    }
    let image = disk.killImage()
    let log = try #require(image.contents(of: Self.log))
    try #require(log.count > byteCount)
    let system = SimulatedSystem(image)
    let file = try system.open(Self.log, .readWrite)
    try file.truncate(to: byteCount)
    file.close()
    guard
      case .corrupt = storeError({
        try Store(path: Self.path, options: Self.options, fileSystem: system).close()
      })
    else {
      Issue.record("opened with a log of \(byteCount) bytes")
      return
    }
  }

  @Test func `by whoever forged a tree is an error where branches are filled`() throws {
    let tree = try TreeTestStore(pageByteCount: 4096)
    tree.begin()
    for number in 0..<4000 {
      try tree.put(Array("shared prefix \(1_000_000 + number * 2)".utf8), [1, 2, 3])
    }
    let root = tree.editor.root
    try #require(root.level >= 1)
    let (_, page) = try tree.pages.edit(
      root.page, root.checksum, level: root.level, table: TreeTestStore.table)
    let branch = BranchEditor(page: page, pageByteCount: 4096)
    let last = branch.branch.count - 1
    let (first, other) = (branch.branch.child(0), branch.branch.child(last))
    branch.setChild(0, to: other)
    branch.setChild(last, to: first)
    let error = storeError {
      for number in 0..<60_000 {
        let key = Array("shared prefix \(1_000_000 + number * 7919 % 8003)x\(number)".utf8)
        _ = try key.withBytes { key throws(StoreError) in try tree.editor.put(key, key) }
      }
    }
    guard case .corrupt = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}
