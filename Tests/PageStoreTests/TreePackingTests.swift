import Testing

@testable import PageStore

@Suite struct `Packing a tree` {
  @Test(arguments: StoreLimits.pageByteCounts, UInt64(0)..<6)
  func `keeps all rows, and leaves pages as full as a sorted load does`(
    pageByteCount: Int, seed: UInt64
  ) throws {
    let store = try TreeTestStore(pageByteCount: pageByteCount)
    var keys = TreeTestKeys(seed: seed)
    let rowCount = pageByteCount > 16384 ? 6000 : 2000
    store.begin()
    for _ in 0..<rowCount { try store.put(keys.key(), keys.bytes(keys.random.below(200))) }
    for _ in 0..<20 { try store.put(keys.key(), keys.value()) }
    store.commit()
    if seed % 2 == 0 { try store.publish() }
    store.begin()
    for key in store.sortedKeys where keys.random.below(5) > 1 { try store.delete(key) }
    store.commit()
    if seed % 3 == 0 { try store.publish() }
    try pack(store, budget: seed % 2 == 0 ? 1000 : 40)
    try store.compareRows()

    let sorted = try TreeTestStore(pageByteCount: pageByteCount)
    sorted.begin()
    for key in store.sortedKeys { try sorted.put(key, store.model[key] ?? []) }
    sorted.commit()
    let (count, least) = (store.pages.bitmap.usedCount, sorted.pages.bitmap.usedCount)
    #expect(count <= least + least * 15 / 100 + 3, "\(count) pages where \(least) are enough")
    // What is packed is left alone.
    #expect(try pack(store, budget: 1000) <= count / 16)
    try store.publish()
    try store.compareRows()
  }

  /// Packs the whole tree, a transaction for each step; the pages that were copied.
  @discardableResult private func pack(_ store: TreeTestStore, budget: Int) throws -> Int {
    var next: [UInt8]? = []
    var copied = 0
    while let start = next {
      store.begin()
      var work = Packing(budget: budget, start: start)
      try store.editor.pack(&work)
      store.commit()
      try store.check()
      copied += work.copiedPageCount
      next = work.next
    }
    return copied
  }
}
