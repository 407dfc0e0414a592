import Testing

@testable import PageStore

@Suite struct `Trees` {
  @Test(arguments: StoreLimits.pageByteCounts, UInt64(0)..<20)
  func `hold what a dictionary holds, through transactions and savepoints`(
    pageByteCount: Int, seed: UInt64
  ) throws {
    let store = try TreeTestStore(pageByteCount: pageByteCount)
    var keys = TreeTestKeys(seed: seed)
    for _ in 0..<8 {
      store.begin()
      for _ in 0..<(4 + keys.random.below(10)) { try step(store, &keys) }
      if keys.random.below(4) == 0 { store.rollBack() } else { store.commit() }
      try store.check()
      if keys.random.below(2) == 0 {
        try store.publish()
        try store.check()
      }
      try store.compareRows()
    }
  }

  /// Changes the tree in one of many ways, and checks it.
  private func step(_ store: TreeTestStore, _ keys: inout TreeTestKeys) throws {
    switch keys.random.below(21) {
    case 0..<8:
      for _ in 0..<keys.random.below(60) { try store.put(keys.key(), keys.value()) }
    case 8:
      for _ in 0..<keys.random.below(200) { try store.put(keys.nextAscending(), keys.value()) }
    case 9, 10:
      let known = store.sortedKeys
      for _ in 0..<min(known.count, 20) {
        try store.put(known[keys.random.below(known.count)], keys.value())
      }
    case 11..<14:
      let known = store.sortedKeys
      for _ in 0..<keys.random.below(60) {
        try store.delete(known.randomElement(using: &keys.random) ?? [])
        try store.delete(keys.key())
      }
    case 14, 15:
      let bounds = [keys.key(), keys.key()].sorted { $0.sorts(before: $1) }
      try store.deleteRange(from: bounds[0], to: keys.random.below(6) == 0 ? nil : bounds[1])
    case 16, 17: store.openSavepoint()
    case 18:
      if store.savepointCount > 0 {
        if keys.random.below(2) == 0 { store.releaseSavepoint() } else { store.rollBackSavepoint() }
        try store.compareRows()
      }
    case 19:
      try store.spill()
    default: if keys.random.below(2) == 0 { try store.deleteAll() }
    }
    try store.check()
  }

  @Test(arguments: StoreLimits.pageByteCounts, TreeTestKeys.Shape.allCases)
  func `take keys of every shape in every order`(
    pageByteCount: Int, shape: TreeTestKeys.Shape
  ) throws {
    var keys = TreeTestKeys(seed: 5, shapes: [shape])
    let distinct = Set((0..<1500).map { _ in keys.key() })
    let ascending = distinct.sorted { $0.sorts(before: $1) }
    for order in [ascending, ascending.reversed(), ascending.shuffled(using: &keys.random)] {
      let store = try TreeTestStore(pageByteCount: pageByteCount)
      store.begin()
      for key in order { try store.put(key, keys.bytes(keys.random.below(30))) }
      try store.check()
      store.commit()
      try store.publish()
      try store.compareRows()
      store.begin()
      for key in order.shuffled(using: &keys.random).dropLast(distinct.count / 20) {
        try store.delete(key)
      }
      try store.check()
      try store.compareRows()
      for key in order { try store.delete(key) }
      #expect(store.editor.root.isEmpty)
      store.commit()
      #expect(store.pages.bitmap.usedCount == 2)
      #expect(store.pages.buffers.lentByteCount == 0)
    }
  }

  @Test func `fill pages in a sorted load, and two thirds of them in a random one`() throws {
    let value = [UInt8](repeating: 0x76, count: 100)
    let cellByteCount = 2 + 16 + value.count + LeafPage.slotByteCount
    for (isSorted, least) in [(true, 0.95), (false, 0.66)] {
      let store = try TreeTestStore(pageByteCount: 8192)
      var random = SpaceRandom(seed: 11)
      var numbers = Array(0..<100_000)
      if !isSorted { numbers.shuffle(using: &random) }
      store.begin()
      for number in numbers { try store.put(TreeTestKeys.number(number), value) }
      let report = try store.check()
      let fill = Double(100_000 * cellByteCount) / Double(report.pageCounts[0] * 8192)
      #expect(fill > least, "\(fill)")
      store.commit()
      try store.publish()
      store.begin()
      for number in numbers where number % 20 > 0 { try store.delete(TreeTestKeys.number(number)) }
      let rest = try store.check()
      #expect(rest.pageCounts[0] * 10 < report.pageCounts[0], "\(rest.pageCounts)")
      store.commit()
    }
  }

  @Test(arguments: StoreLimits.pageByteCounts)
  func `split branches whose prefix a new separator breaks`(pageByteCount: Int) throws {
    let store = try TreeTestStore(pageByteCount: pageByteCount)
    var keys = TreeTestKeys(seed: 8, shapes: [.long])
    store.begin()
    let value = [UInt8](repeating: 1, count: pageByteCount / 5)
    for group in 1...12 {
      let prefix = [UInt8](repeating: UInt8(group * 16), count: 255 + 60 * (group % 4))
      var suffixes = (0..<400).map { TreeTestKeys.number($0) }
      if group % 3 > 0 { suffixes.shuffle(using: &keys.random) }
      for suffix in suffixes {
        let rest = keys.random.below(group > 6 ? 400 : 4)
        try store.put(prefix + suffix.suffix(3) + keys.bytes(rest), value)
      }
    }
    try store.check()
    // Short keys just before and behind each group, down to where its prefix begins.
    for group in (1...12).shuffled(using: &keys.random) {
      for length in [1, 2, 100, 255, 300] {
        let edge = [UInt8](repeating: UInt8(group * 16), count: length)
        for number in 0..<10 {
          try store.put(edge.dropLast() + [edge[0] - 1, UInt8(number)], value)
          try store.put(edge + [0xFF, UInt8(number)], value)
        }
      }
      try store.check()
    }
    try store.compareRows()
    for key in store.sortedKeys.shuffled(using: &keys.random) { try store.delete(key) }
    #expect(store.editor.root.isEmpty)
  }

  @Test func `refuse to outgrow the map, and roll back`() throws {
    let store = try TreeTestStore(pageByteCount: 4096, reservedByteCount: 1 << 20)
    store.begin()
    for number in 0..<1000 { try store.put(TreeTestKeys.number(number), [1, 2, 3]) }
    store.commit()
    for valueByteCount in [900, 60_000] {
      store.begin()
      let value = [UInt8](repeating: 2, count: valueByteCount)
      #expect(throws: StoreError.fileTooLarge(path: "tree", maximum: 1 << 20)) {
        for number in 0..<2000 { try store.put(TreeTestKeys.number(number), value) }
      }
      store.rollBack()
      try store.check()
      try store.compareRows()
    }
  }

  @Test func `reuse what one transaction makes and drops`() throws {
    let store = try TreeTestStore(pageByteCount: 4096)
    store.begin()
    let value = [UInt8](repeating: 1, count: 50_000)
    for _ in 0..<100 { try store.put([1], value) }
    #expect(store.pages.bitmap.usedCount == 2 + 1 + 13)
    store.openSavepoint()
    for _ in 0..<10 { try store.put([1], value) }
    try store.check()
    store.releaseSavepoint()
    #expect(store.pages.bitmap.usedCount - store.pages.droppedPageCount == 2 + 1 + 13)
    store.commit()
    #expect(store.pages.bitmap.usedCount == 2 + 1 + 13)
    try store.check()
  }
}
