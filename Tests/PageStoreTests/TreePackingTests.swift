import Testing

@testable import PageStore

@Suite struct `Packing a tree` {
  private static let budgets = [1000, 40, 33, 25, 17, 12]

  @Test(arguments: StoreLimits.pageByteCounts, UInt64(0)..<6)
  func `keeps all rows, and leaves no branch with more leaves than its rows need`(
    pageByteCount: Int, seed: UInt64
  ) throws {
    var keys = TreeTestKeys(seed: seed)
    let store = try halfEmpty(pageByteCount, &keys)
    if seed % 3 == 0 { try store.publish() }
    let budget = Self.budgets[Int(seed)]
    try pack(store, budget: budget)
    try store.compareRows()
    try store.publish()
    try store.compareRows()
    try expectPacked(store, pageByteCount: pageByteCount)
    if budget < 25 { return }
    // What is packed is left alone.
    #expect(
      try pack(store, budget: 1000).copiedPageCount
        <= store.pages.bitmap.usedCount / 8)
    try store.compareRows()
  }

  @Test(arguments: 1...40)
  func `keeps all rows with whatever budget, and copies no more pages`(budget: Int) throws {
    var keys = TreeTestKeys(seed: UInt64(budget))
    let store = try halfEmpty(4096, &keys)
    try pack(store, budget: budget)
    try store.compareRows()
    if budget >= 12 { try expectPacked(store, pageByteCount: 4096) }
  }

  @Test(arguments: [1, 7, 50])
  func `ends a step where enough pages were looked at, and goes on from there`(
    lookBudget: Int
  ) throws {
    var keys = TreeTestKeys(seed: 5)
    let store = try halfEmpty(4096, &keys)
    var branchCount = 0
    try forEachBranch(store) { _, _ in branchCount += 1 }
    let stepCount = try pack(store, budget: 1000, lookBudget: lookBudget).stepCount
    #expect(stepCount >= branchCount)
    try store.compareRows()
    try expectPacked(store, pageByteCount: 4096)
  }

  @Test func `leaves an eighth of each leaf free`() throws {
    var keys = TreeTestKeys(seed: 2)
    let store = try halfEmpty(4096, &keys)
    try pack(store, budget: 1000)
    let capacity = LeafEditor.capacity(pageByteCount: 4096)
    var fullCount = 0
    var leafCount = 0
    try forEachBranch(store) { _, leaves in
      leafCount += leaves.count
      fullCount += leaves.count { $0.usedByteCount > capacity * 7 / 8 }
    }
    // Those that had no neighbours to be joined with stay as they are.
    #expect(fullCount * 10 < leafCount, "\(fullCount) of \(leafCount)")
  }

  // MARK: Trees

  /// A tree of three levels or more, of which three rows in five were deleted here and there.
  private func halfEmpty(_ pageByteCount: Int, _ keys: inout TreeTestKeys) throws -> TreeTestStore {
    let store = try TreeTestStore(pageByteCount: pageByteCount)
    store.begin()
    // Eight rows fill a leaf.
    for number in 0..<4000 * max(1, pageByteCount / 8192) {
      let key = keys.bytes(8) + TreeTestKeys.number(number)
      try store.put(key, keys.bytes(keys.random.below(pageByteCount / 4 - 64)))
    }
    for _ in 0..<100 { try store.put(keys.key(), keys.value()) }
    store.commit()
    try store.publish()
    store.begin()
    for key in store.sortedKeys where keys.random.below(5) > 1 { try store.delete(key) }
    store.commit()
    try #require(store.editor.root.level >= 2)
    return store
  }

  /// Packs the whole tree, a transaction for each step.
  @discardableResult private func pack(
    _ store: TreeTestStore, budget: Int, lookBudget: Int = Packing.lookLimit
  ) throws -> (copiedPageCount: Int, stepCount: Int) {
    var next: [UInt8]? = []
    var copied = 0
    var steps = 0
    while let start = next {
      store.begin()
      var work = Packing(budget: budget, start: start, lookBudget: lookBudget)
      try store.editor.pack(&work)
      store.commit()
      #expect(work.copiedPageCount <= budget)
      if let next = work.next { try #require(start.sorts(before: next)) }
      copied += work.copiedPageCount
      next = work.next
      steps += 1
      if steps % 16 == 0 { try store.check() }
    }
    try store.check()
    return (copied, steps)
  }

  /// Calls `body` with each branch right above leaves, and those.
  private func forEachBranch(
    _ store: TreeTestStore, _ body: (BranchPage, [LeafPage]) -> Void
  ) throws {
    func visit(_ id: PageID, _ checksum: UInt32, level: Int) throws {
      let branch = BranchPage(try store.reader.page(id, checksum, level: level))
      if level == 1 {
        var leaves: [LeafPage] = []
        for index in 0..<branch.count {
          leaves.append(
            LeafPage(try store.reader.page(branch.child(index), branch.checksum(index), level: 0)))
        }
        return body(branch, leaves)
      }
      for index in 0..<branch.count {
        try visit(branch.child(index), branch.checksum(index), level: level - 1)
      }
    }
    let root = store.editor.root
    try visit(root.page, root.checksum, level: root.level)
  }

  /// No branch has many more leaves than the bytes below it fill, to seven eighths.
  ///
  /// A cell takes up to a quarter of a page, so on average an eighth stays free behind the last;
  /// and where less than a sixteenth can be saved, nothing is.
  private func expectPacked(
    _ store: TreeTestStore, pageByteCount: Int,
    location: SourceLocation = #_sourceLocation
  ) throws {
    let capacity = LeafEditor.capacity(pageByteCount: pageByteCount)
    try forEachBranch(store) { branch, leaves in
      let byteCount = leaves.reduce(0) { $0 + $1.usedByteCount }
      let least = byteCount * 8 / 7 / capacity + 1
      #expect(leaves.count <= least * 4 / 3 + 3, "for \(least)", sourceLocation: location)
    }
  }
}
