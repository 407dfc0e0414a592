import Testing

@testable import PageStore

@Suite struct `Cursors` {
  /// A tree, and positions in it as a model: -1 before the first row, `count` after the last.
  private struct Walk {
    let rows: [[UInt8]]
    var cursor: TreeCursor
    var place = -1

    mutating func next() throws {
      place = min(place + 1, rows.count)
      let isOn = try cursor.next()
      try compare(isOn)
    }

    mutating func previous() throws {
      place = max(place - 1, -1)
      let isOn = try cursor.previous()
      try compare(isOn)
    }

    mutating func seekFirst() throws {
      place = 0
      let isOn = try cursor.seekFirst()
      try compare(isOn)
    }

    mutating func seekLast() throws {
      place = rows.count - 1
      let isOn = try cursor.seekLast()
      try compare(isOn)
    }

    mutating func seek(_ key: [UInt8]) throws {
      place = rows.firstIndex { !$0.sorts(before: key) } ?? rows.count
      let isOn = try key.withBytes { key throws(StoreError) in try cursor.seek(key) }
      try compare(isOn)
    }

    private func compare(_ isOn: Bool) throws {
      try #require(isOn == rows.indices.contains(place))
      try #require(cursor.isOnEntry == isOn)
      if isOn { try #require(cursor.key.array == rows[place]) }
    }
  }

  private func store(_ keys: inout TreeTestKeys, rowCount: Int) throws -> TreeTestStore {
    let store = try TreeTestStore(pageByteCount: 4096)
    store.begin()
    for _ in 0..<rowCount { try store.put(keys.key(), keys.bytes(keys.random.below(300))) }
    store.commit()
    if keys.random.below(2) == 0 { try store.publish() }
    return store
  }

  /// A bound at a row, beside one, or anywhere.
  private func bound(_ rows: [[UInt8]], _ keys: inout TreeTestKeys) -> [UInt8]? {
    let row = rows.isEmpty ? [] : rows[keys.random.below(rows.count)]
    switch keys.random.below(6) {
    case 0: return nil
    case 1: return row
    case 2: return row + [0]
    case 3: return Array(row.dropLast())
    case 4: return Array(row.prefix(keys.random.below(4)))
    default: return keys.key()
    }
  }

  @Test(arguments: UInt64(0)..<24)
  func `go where a sorted array says, within any bounds`(seed: UInt64) throws {
    var keys = TreeTestKeys(seed: seed)
    let store = try store(&keys, rowCount: seed < 4 ? Int(seed) : 400)
    let all = store.sortedKeys
    for _ in 0..<120 {
      let lower = bound(all, &keys)
      let upper = bound(all, &keys)
      let rows = all.filter { key in
        (lower.map { !key.sorts(before: $0) } ?? true)
          && (upper.map { key.sorts(before: $0) } ?? true)
      }
      let cursor = TreeCursor(store.reader, from: lower, to: upper)
      var forward = Walk(rows: rows, cursor: cursor)
      for _ in 0..<rows.count + 2 { try forward.next() }
      for _ in 0..<rows.count + 2 { try forward.previous() }
      var backward = Walk(rows: rows, cursor: cursor)
      try backward.seekLast()
      for _ in 0..<rows.count + 2 { try backward.previous() }
      var random = Walk(rows: rows, cursor: cursor)
      var isForward = true
      for _ in 0..<100 {
        switch keys.random.below(24) {
        case 0: try random.seekFirst()
        case 1: try random.seekLast()
        case 2: if let key = bound(all, &keys) { try random.seek(key) }
        case 3: isForward.toggle()
        default: if isForward { try random.next() } else { try random.previous() }
        }
      }
    }
  }

  @Test func `find all rows below a prefix`() throws {
    var keys = TreeTestKeys(seed: 3, shapes: [.short, .number, .tie])
    let store = try store(&keys, rowCount: 2000)
    let all = store.sortedKeys
    let ranges: [([UInt8], [UInt8]?)] = [
      ([0xFF], nil), ([0xFF, 0xFF], nil), ([0x41], [0x42]), ([0x41, 0xFF], [0x42]), ([0], [1]),
      (Array("tie-".utf8), Array("tie.".utf8)), (Array("tie-AAAAB".utf8), Array("tie-AAAAC".utf8)),
    ]
    for (prefix, end) in ranges {
      let rows = all.filter { $0.starts(with: prefix) }
      var walk = Walk(rows: rows, cursor: TreeCursor(store.reader, from: prefix, to: end))
      for _ in 0...rows.count { try walk.next() }
      for _ in 0...rows.count { try walk.previous() }
    }
  }

  @Test func `remember an error`() throws {
    var keys = TreeTestKeys(seed: 4, shapes: [.number])
    let store = try TreeTestStore(pageByteCount: 4096)
    store.begin()
    for _ in 0..<500 { try store.put(keys.key(), keys.bytes(200)) }
    store.commit()
    try store.publish()
    let branch = BranchPage(store.map.view.mapped(store.editor.root.page))
    let child = branch.child(branch.count / 2)
    try store.damage(child, at: 2000)
    store.map.view.setVerified(child, 0)
    var cursor = TreeCursor(store.reader, from: nil, to: nil)
    var errors: [StoreError] = []
    while errors.count < 3 {
      do throws(StoreError) {
        if try !cursor.next() { break }
      } catch {
        errors.append(error)
      }
    }
    try #require(errors.count == 3)
    guard case .corrupt(let damage) = errors[0] else { throw errors[0] }
    #expect(damage.page == child)
    #expect(errors[1] == errors[0])
    #expect(errors[2] == errors[0])
  }
}
