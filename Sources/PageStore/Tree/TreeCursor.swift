/// A place in a tree, moving forward and backward within a range of keys.
///
/// The cursor stands before the first entry, on an entry, or after the last. The path of branches
/// above its leaf lies inline, so that making one allocates nothing. An error is remembered and
/// thrown again by every later move.
struct TreeCursor {
  let reader: TreeReader
  private let lower: [UInt8]?
  private let upper: [UInt8]?

  /// The leaf, and the slots of it that lie in the range.
  private(set) var leaf: LeafPage
  var index = -1
  private(set) var begin = 0
  private(set) var end = 0

  private var place = Place.beforeFirst
  private var failure: StoreError?
  private var path = InlineArray<32, Step>(repeating: Step(page: 0, index: 0))

  private enum Place { case beforeFirst, inside, afterLast }

  private struct Step {
    var page: UInt
    var index: Int

    var branch: BranchPage {
      // Safe: the address of a page that the cursor came through, which its snapshot keeps.
      unsafe BranchPage(PageBytes(UnsafeRawPointer(bitPattern: page).unsafelyUnwrapped))
    }
  }

  /// A cursor before the first entry from `lower` on and below `upper`.
  init(_ reader: TreeReader, from lower: [UInt8]?, to upper: [UInt8]?) {
    self.reader = reader
    self.lower = lower
    self.upper = upper
    // Any page will do: no slot of it is in range.
    leaf = LeafPage(reader.view.mapped(.none))
  }

  /// The entry's key; the cursor must stand on one.
  var key: ByteView { leaf.key(index) }

  var isOnEntry: Bool { place == .inside && index >= begin && index < end }

  /// Moves to the first entry, or from the leaf's last to the next leaf's first.
  mutating func moveToNextLeaf() throws(StoreError) -> Bool {
    try check()
    switch place {
    case .beforeFirst: return try seekFirst()
    case .afterLast:
      index = end
      return false
    case .inside:
      return try remembering { cursor throws(StoreError) in try cursor.stepForward() }
    }
  }

  /// Moves to the last entry, or from the leaf's first to the previous leaf's last.
  mutating func moveToPreviousLeaf() throws(StoreError) -> Bool {
    try check()
    switch place {
    case .afterLast: return try seekLast()
    case .beforeFirst:
      index = -1
      return false
    case .inside:
      return try remembering { cursor throws(StoreError) in try cursor.stepBackward() }
    }
  }

  /// Moves to the first entry of the range.
  mutating func seekFirst() throws(StoreError) -> Bool {
    try check()
    return try remembering { cursor throws(StoreError) in
      if let lower = cursor.lower {
        return try lower.withBytes { key throws(StoreError) in try cursor.descend(to: key) }
      }
      return try cursor.descendToEdge(isLast: false)
    }
  }

  /// Moves to the last entry of the range.
  mutating func seekLast() throws(StoreError) -> Bool {
    try check()
    return try remembering { cursor throws(StoreError) in
      guard let upper = cursor.upper else { return try cursor.descendToEdge(isLast: true) }
      // The first entry at or past the end, and one back.
      let isFound = try upper.withBytes { key throws(StoreError) in
        try cursor.descend(to: key, ignoringBounds: true)
      }
      if !isFound && cursor.place == .afterLast { return try cursor.descendToEdge(isLast: true) }
      cursor.applyBounds()
      cursor.index = min(cursor.index, cursor.end) - 1
      if cursor.index >= cursor.begin { return true }
      return try cursor.stepBackward()
    }
  }

  /// Moves to the first entry of the range that is not below `key`.
  mutating func seek(_ key: ByteView) throws(StoreError) -> Bool {
    try check()
    return try remembering { cursor throws(StoreError) in
      if let lower = cursor.lower {
        let isBelow = lower.withBytes { key.compare($0) < 0 }
        if isBelow { return try cursor.seekFirst() }
      }
      return try cursor.descend(to: key)
    }
  }

  private func check() throws(StoreError) {
    if let failure { throw failure }
    try reader.checkProcess()
  }

  /// Runs `body`, and keeps what it throws.
  private mutating func remembering(
    _ body: (inout TreeCursor) throws(StoreError) -> Bool
  ) throws(StoreError) -> Bool {
    do throws(StoreError) {
      return try body(&self)
    } catch {
      failure = error
      place = .afterLast
      begin = 0
      end = 0
      index = 0
      throw error
    }
  }

  /// Goes to the first entry not below `key`.
  private mutating func descend(
    to key: ByteView, ignoringBounds: Bool = false
  ) throws(StoreError) -> Bool {
    let root = reader.root
    if root.isEmpty { return leaveAtEnd() }
    var level = root.level
    var page = try reader.page(root.page, root.checksum, level: level)
    while level > 0 {
      let branch = BranchPage(page)
      let index = branch.childIndex(for: key)
      // Safe: the tree keeps the page for as long as the path.
      path[level] = unsafe Step(page: UInt(bitPattern: page.start), index: index)
      level &-= 1
      if level == 0 { reader.view.mapped(branch.child(index)).prefetch(0, lineCount: 5) }
      page = try reader.page(branch.child(index), branch.checksum(index), level: level)
    }
    leaf = LeafPage(page)
    place = .inside
    index = leaf.find(key).index
    if ignoringBounds {
      if index < leaf.count { return true }
      begin = 0
      end = leaf.count
    } else {
      applyBounds()
      if index < begin { index = begin }
      if index < end { return true }
    }
    let isFound = try stepForward(ignoringBounds: ignoringBounds)
    if isFound && leaf.key(index).compare(key) < 0 { throw outOfRange() }
    return isFound
  }

  /// Goes to the first or the last entry of the whole tree, and into the range from there.
  private mutating func descendToEdge(isLast: Bool) throws(StoreError) -> Bool {
    let root = reader.root
    if root.isEmpty { return isLast ? leaveAtStart() : leaveAtEnd() }
    try enter(root.page, root.checksum, level: root.level, atLast: isLast)
    if begin < end { return true }
    return isLast ? leaveAtStart() : leaveAtEnd()
  }

  /// Goes down from a page along its first or last children, to the leaf's first or last entry.
  private mutating func enter(
    _ id: PageID, _ checksum: UInt32, level: Int, atLast: Bool
  ) throws(StoreError) {
    var level = level
    var page = try reader.page(id, checksum, level: level)
    while level > 0 {
      let branch = BranchPage(page)
      let index = atLast ? branch.count &- 1 : 0
      // Safe: the tree keeps the page for as long as the path.
      path[level] = unsafe Step(page: UInt(bitPattern: page.start), index: index)
      level &-= 1
      page = try reader.page(branch.child(index), branch.checksum(index), level: level)
    }
    leaf = LeafPage(page)
    place = .inside
    applyBounds()
    index = atLast ? end &- 1 : begin
  }

  /// Goes to the next leaf's first entry.
  private mutating func stepForward(ignoringBounds: Bool = false) throws(StoreError) -> Bool {
    if !ignoringBounds && end < leaf.count { return leaveAtEnd() }
    var level = 1
    while level <= reader.root.level {
      let branch = path[level].branch
      let next = path[level].index &+ 1
      if next < branch.count {
        path[level].index = next
        if level == 1 && next &+ 1 < branch.count {
          reader.view.mapped(branch.child(next &+ 1)).prefetch(0, lineCount: 8)
        }
        let last = leaf.key(leaf.count &- 1)
        try enter(branch.child(next), branch.checksum(next), level: level &- 1, atLast: false)
        if leaf.key(0).compare(last) <= 0 { throw outOfRange() }
        if ignoringBounds {
          index = 0
          return true
        }
        return begin < end ? true : leaveAtEnd()
      }
      level &+= 1
    }
    return leaveAtEnd()
  }

  /// Goes to the previous leaf's last entry.
  private mutating func stepBackward() throws(StoreError) -> Bool {
    if begin > 0 { return leaveAtStart() }
    var level = 1
    while level <= reader.root.level {
      let branch = path[level].branch
      let previous = path[level].index &- 1
      if previous >= 0 {
        path[level].index = previous
        if level == 1 && previous > 0 {
          reader.view.mapped(branch.child(previous &- 1)).prefetch(0, lineCount: 8)
        }
        let first = leaf.key(0)
        try enter(
          branch.child(previous), branch.checksum(previous), level: level &- 1, atLast: true)
        if leaf.key(leaf.count &- 1).compare(first) >= 0 { throw outOfRange() }
        return begin < end ? true : leaveAtStart()
      }
      level &+= 1
    }
    return leaveAtStart()
  }

  /// The error of a leaf whose keys are not beyond those that the cursor came from.
  ///
  /// Pages that are forged so that branches share their children would make a walk endless, were its
  /// keys not to go one way.
  private func outOfRange() -> StoreError {
    reader.map.damage(.range, leaf.page.number)
  }

  /// Finds the slots of the leaf that lie in the range.
  private mutating func applyBounds() {
    let count = leaf.count
    begin = 0
    end = count
    if count == 0 { return }
    if let lower {
      begin = lower.withBytes { lower in
        leaf.key(0).compare(lower) >= 0 ? 0 : leaf.find(lower).index
      }
    }
    if let upper {
      end = upper.withBytes { upper in
        leaf.key(count - 1).compare(upper) < 0 ? count : leaf.find(upper).index
      }
    }
    if end < begin { end = begin }
  }

  private mutating func leaveAtEnd() -> Bool {
    place = .afterLast
    begin = 0
    end = 0
    index = 0
    return false
  }

  private mutating func leaveAtStart() -> Bool {
    place = .beforeFirst
    begin = 0
    end = 0
    index = -1
    return false
  }
}

extension [UInt8] {
  /// Lends the bytes as a view for the time of `body`.
  @inline(__always) func withBytes<Result, Failure: Error>(
    _ body: (ByteView) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // Safe: the view does not leave the closure.
    try unsafe span.bytes.withUnsafeBytes { buffer throws(Failure) in
      try unsafe body(ByteView(buffer))
    }
  }
}
