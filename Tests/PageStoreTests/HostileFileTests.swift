import PageStore
import ProbeModel
import Testing

/// What is refused of a file that somebody has forged, and how.
@Suite struct `A file that lies` {
  /// A file system with the sample database, after `change`.
  private func place(
    _ change: (inout DatabaseImage) throws -> Void
  ) throws -> MemoryFileSystem {
    var image = try DatabaseImage.sample(seed: 4).file
    try change(&image)
    let fileSystem = MemoryFileSystem()
    let file = try fileSystem.open("a.db", .createNew(permissions: 0o600))
    try image.bytes.withUnsafeBytes { try file.write($0, at: 0) }
    file.close()
    return fileSystem
  }

  private func bytes(_ fileSystem: MemoryFileSystem) throws -> [UInt8] {
    let file = try fileSystem.open("a.db", .readOnly)
    let count = try file.byteCount()
    return try [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      initializedCount = try file.read(into: UnsafeMutableRawBufferPointer(buffer), at: 0)
    }
  }

  private func setU64(_ image: inout DatabaseImage, _ offset: Int, _ value: UInt64) {
    image.setU32(offset, Int(value & 0xFFFF_FFFF))
    image.setU32(offset + 4, Int(value >> 32))
  }

  private func put(_ store: Store) throws {
    try store.write { (transaction) throws(StoreError) in
      try transaction.put("key", "value", in: try transaction.createTableIfNeeded("t"))
    }
  }

  @Test func `about its last transaction number stays as it is`() throws {
    let last = UInt64(1) << 63 - 1
    let fileSystem = try place { image in
      setU64(&image, 32, last)
      try image.editMap { $0.highestTransaction = TransactionNumber(last) }
    }
    let before = try bytes(fileSystem)
    let store = try Store(path: "a.db", options: .small, fileSystem: fileSystem)
    #expect(
      storeError { try put(store) }
        == .corrupt(Damage(path: "a.db", .field("transaction", last + 1))))
    #expect(try store.contents().isEmpty == false)
    try store.close()
    #expect(try bytes(fileSystem) == before)
    #expect(try Store.check(path: "a.db", fileSystem: fileSystem).isClean)
  }

  @Test func `about a number that recovery would pass is not written to`() throws {
    let last = UInt64(1) << 63 - 1
    let fileSystem = try place { image in
      try image.editMap { $0.highestTransaction = TransactionNumber(last) }
      // One meta page that is older makes it a case for recovery.
      image.bytes[image.pageByteCount + 300] ^= 1
    }
    let before = try bytes(fileSystem)
    let error = storeError { _ = try Store(path: "a.db", options: .small, fileSystem: fileSystem) }
    #expect(error == .corrupt(Damage(path: "a.db", .field("transaction", last))))
    #expect(try bytes(fileSystem) == before)
  }

  @Test func `is recovered above every number that its map of space says was given out`() throws {
    let fileSystem = try place { image in
      try image.editMap { $0.highestTransaction = TransactionNumber(1000) }
      image.bytes[image.pageByteCount + 300] ^= 1
    }
    let recovered = Guarded<TransactionNumber?>(nil)
    var options = StoreOptions.small
    options.trace = { event in
      if case .recovery(let number, _) = event { recovered.withLock { $0 = number } }
    }
    try Store(path: "a.db", options: options, fileSystem: fileSystem).close()
    #expect(recovered.withLock { $0 } == TransactionNumber(1001))
  }

  @Test func `is too large where there are not addresses enough for its pages`() throws {
    let fileSystem = try place { _ in }
    var options = StoreOptions.small
    options.reservedByteCount = 16 * 4096
    #expect(
      storeError { _ = try Store(path: "a.db", options: options, fileSystem: fileSystem) }
        == .fileTooLarge(path: "a.db", maximum: 16 * 4096))
  }

  @Test func `does not get a page that its map says waits`() throws {
    var page = 0
    let fileSystem = try place { image in
      page = try #require(image.livePages.last { $0.kind == .leaf }?.page)
      try image.editMap { map in
        map.pending.removeAll { $0.indices.contains(page) }
        map.pending.append(
          PendingPage(
            first: PageID(UInt32(page)), birth: TransactionNumber(1), end: TransactionNumber(2)))
      }
    }
    let store = try Store(path: "a.db", options: .small, fileSystem: fileSystem)
    let contents = try store.contents()
    var refusals = 0
    for (name, rows) in contents {
      for key in rows.keys {
        let error = storeError {
          try store.write { (transaction) throws(StoreError) in
            _ = try transaction.delete(key, in: try transaction.table(name))
          }
        }
        if let error {
          guard case .corrupt = error else {
            Issue.record("\(error)")
            return
          }
          refusals += 1
        }
      }
    }
    #expect(refusals > 0)
    try store.close()
  }

  /// Makes every child of every branch the branch's first one, or its last.
  private func shareChildren(_ image: inout DatabaseImage, first: Bool) {
    for (page, kind) in image.livePages where kind == .branch {
      let children = (0..<image.count(page)).map { image.child(page, $0) }
      guard let only = first ? children.first : children.last else { continue }
      let number = image.u32(only.number)
      for child in children { image.setU32(child.number, number) }
    }
    image.seal()
  }

  /// The rows that a walk over all tables meets before it ends, and the errors with which it does.
  private func walk(_ store: Store, isForward: Bool) throws -> (rowCount: Int, errors: [StoreError])
  {
    var rowCount = 0
    var errors: [StoreError] = []
    let snapshot = try store.snapshot()
    for name in try snapshot.tableNames() {
      let table = try snapshot.table(name)
      var cursor = table.cursor()
      do throws(StoreError) {
        if isForward {
          while try cursor.next() { rowCount += 1 }
        } else {
          var isOnRow = try cursor.seekLast()
          while isOnRow {
            rowCount += 1
            isOnRow = try cursor.previous()
          }
        }
      } catch {
        errors.append(error)
      }
    }
    return (rowCount, errors)
  }

  @Test(arguments: [true, false])
  func `about the children of its branches is found out by each walk`(first: Bool) throws {
    let honest = try Store(path: "a.db", options: .small, fileSystem: try place { _ in })
    let count = try honest.contents().values.reduce(0) { $0 + $1.count }
    try honest.close()

    let fileSystem = try place { shareChildren(&$0, first: first) }
    let store = try Store(path: "a.db", options: .small, fileSystem: fileSystem)
    for isForward in [true, false] {
      let (rowCount, errors) = try walk(store, isForward: isForward)
      #expect(rowCount < count)
      #expect(!errors.isEmpty)
      for error in errors {
        guard case .corrupt(let damage) = error, damage.problem == .range else {
          Issue.record("\(error)")
          continue
        }
      }
    }
    #expect(storeError { try store.compact() }.isCorrupt)
    var deletions = 0
    var drops = 0
    for name in try store.snapshot().tableNames() {
      // Counting the pages may end before it meets more than there are.
      let count = storeError { _ = try store.tableStatistics(name) }
      #expect(count == nil || count.isCorrupt)
      let deletion = storeError {
        try store.write { (transaction) throws(StoreError) in
          _ = try transaction.deleteRange(from: nil, to: nil, in: try transaction.table(name))
        }
      }
      if deletion.isCorrupt { deletions += 1 }
      let drop = storeError {
        try store.write { (transaction) throws(StoreError) in
          try transaction.drop(try transaction.table(name))
        }
      }
      if drop.isCorrupt { drops += 1 }
    }
    #expect(deletions > 0)
    #expect(drops > 0)
    try store.close()
  }

  @Test func `about the order of its leaves is not packed`() throws {
    let fileSystem = MemoryFileSystem()
    let store = try Store(path: "a.db", options: .small, fileSystem: fileSystem)
    try store.write { transaction in
      let table = try transaction.createTable("t")
      for number in 10_000..<14_000 { try transaction.put("key \(number)", "value", in: table) }
    }
    try store.write { transaction in
      let table = try transaction.table("t")
      for number in 10_000..<14_000 where number % 5 < 3 {
        try transaction.delete(Array("key \(number)".utf8), in: table)
      }
    }
    try store.close()
    var image = DatabaseImage(try bytes(fileSystem))
    let branch = try #require(image.livePages.first { $0.kind == .branch }?.page)
    try #require(image.count(branch) > 3)
    let (first, second) = (image.child(branch, 1).number, image.child(branch, 2).number)
    let number = image.u32(first)
    image.setU32(first, image.u32(second))
    image.setU32(second, number)
    image.seal()
    let file = try fileSystem.open("a.db", .readWrite)
    try image.bytes.withUnsafeBytes { try file.write($0, at: 0) }
    file.close()

    let problems = try Store.check(path: "a.db", fileSystem: fileSystem).problems
    #expect(problems.count == 2)
    let forged = try Store(path: "a.db", options: .small, fileSystem: fileSystem)
    guard case .corrupt(let damage) = storeError({ try forged.compact() }) else {
      Issue.record("it was packed")
      return
    }
    #expect(damage.problem == .range)
    try forged.close()
    // What could be read can still be read.
    #expect(try Store.check(path: "a.db", fileSystem: fileSystem).problems == problems)
  }
}

extension StoreError? {
  fileprivate var isCorrupt: Bool {
    if case .corrupt? = self { true } else { false }
  }
}
