public import CDexShim

/// A place among the rows of a table, within a range of keys.
///
/// A cursor begins before the first row. `next()` and `previous()` move it and say whether it is on
/// a row now; past either end, moving the other way comes back. An error is thrown again by every
/// later move.
@safe public struct Cursor: ~Copyable, ~Escapable {
  @usableFromInline var page: UnsafeRawPointer
  @usableFromInline var slots: UnsafeRawPointer
  @usableFromInline var index = -1
  @usableFromInline var begin = 0
  @usableFromInline var end = 0
  /// The path and the bounds, apart, so that what a scan touches stays in registers.
  private let state: State

  private final class State {
    var tree: TreeCursor
    init(_ tree: TreeCursor) { self.tree = tree }
  }

  @_lifetime(immortal)
  init(_ tree: TreeCursor) {
    state = State(tree)
    // Safe: the snapshot keeps the page; no slot is looked at before a move.
    unsafe page = tree.leaf.page.start
    unsafe slots = tree.leaf.page.start
  }

  /// Moves to the next row, or to the first where the cursor stands before it.
  ///
  /// Inlined into callers, since a scan spends most of its time here.
  ///
  /// - Throws: `.corrupt` where a page is damaged.
  /// - Complexity: O(1) for most rows, O(log *n*) for the first of a leaf.
  @inlinable @_lifetime(self: copy self)
  public mutating func next() throws(StoreError) -> Bool {
    index &+= 1
    if index < end {
      prefetch(at: index &+ 10 < end ? index &+ 10 : index)
      return true
    }
    return try moveToNextLeaf()
  }

  /// Moves to the previous row, or to the last where the cursor stands after it.
  ///
  /// - Throws: `.corrupt` where a page is damaged.
  /// - Complexity: O(1) for most rows, O(log *n*) for the last of a leaf.
  @inlinable @_lifetime(self: copy self)
  public mutating func previous() throws(StoreError) -> Bool {
    index &-= 1
    if index >= begin {
      prefetch(at: index &- 10 >= begin ? index &- 10 : index)
      return true
    }
    return try moveToPreviousLeaf()
  }

  /// Asks for the memory of the cell in `slot`: a scan is over before it would come by itself.
  @inlinable @inline(__always) func prefetch(at slot: Int) {
    // Safe: the slot is one of the range, and a prefetch reads nothing.
    let cell = unsafe Int(
      UInt16(littleEndian: (slots + slot &<< 3).load(fromByteOffset: 4, as: UInt16.self)))
    unsafe dex_prefetch(page + cell)
    unsafe dex_prefetch(page + cell + 64)
  }

  /// Moves to the first row of the range whose key is not below `key`; false where there is none.
  ///
  /// - Throws: `.corrupt` where a page on the way is damaged.
  /// - Complexity: O(log *n*) in the rows of the table.
  @_lifetime(self: copy self)
  public mutating func seek(_ key: RawSpan) throws(StoreError) -> Bool {
    try key.withBytes { key throws(StoreError) in
      try moving { tree throws(StoreError) in try tree.seek(key) }
    }
  }

  /// Moves to the first row of the range whose key is not below `key`; false where there is none.
  ///
  /// - Throws: `.corrupt` where a page on the way is damaged.
  /// - Complexity: O(log *n*) in the rows of the table.
  @_lifetime(self: copy self)
  public mutating func seek(_ key: [UInt8]) throws(StoreError) -> Bool {
    try key.withBytes { key throws(StoreError) in
      try moving { tree throws(StoreError) in try tree.seek(key) }
    }
  }

  /// Moves to the last row of the range; false where there is none.
  ///
  /// - Throws: `.corrupt` where a page on the way is damaged.
  /// - Complexity: O(log *n*) in the rows of the table.
  @_lifetime(self: copy self)
  public mutating func seekLast() throws(StoreError) -> Bool {
    try moving { tree throws(StoreError) in try tree.seekLast() }
  }

  /// The key of the row that the cursor is on; empty where it is on none.
  @inlinable public var key: RawSpan {
    @_lifetime(copy self) get {
      if index < begin || index >= end { return RawSpan() }
      // Safe: the page was validated, so its cells lie within it, and the snapshot keeps it.
      let slot = unsafe slots + index &<< 3
      let cell = unsafe Int(UInt16(littleEndian: slot.load(fromByteOffset: 4, as: UInt16.self)))
      let count = unsafe Int(UInt16(littleEndian: slot.load(fromByteOffset: 6, as: UInt16.self)))
      let span = unsafe RawSpan(_unsafeStart: page + (cell &+ 2), byteCount: count)
      return unsafe _overrideLifetime(span, copying: self)
    }
  }

  /// The value of the row that the cursor is on; empty where it is on none.
  ///
  /// - Throws: `.corrupt` where the value lies in pages of its own, and these are damaged.
  @inlinable public var value: RawSpan {
    @_lifetime(copy self) get throws(StoreError) {
      if index < begin || index >= end { return RawSpan() }
      // Safe: as in `key`.
      let slot = unsafe slots + index &<< 3
      let cell = unsafe Int(UInt16(littleEndian: slot.load(fromByteOffset: 4, as: UInt16.self)))
      let keyCount = unsafe Int(UInt16(littleEndian: slot.load(fromByteOffset: 6, as: UInt16.self)))
      let count = unsafe Int(
        UInt16(littleEndian: page.loadUnaligned(fromByteOffset: cell, as: UInt16.self)))
      if count == 0xFFFF { return try overflowValue() }
      let span = unsafe RawSpan(_unsafeStart: page + (cell &+ 2 &+ keyCount), byteCount: count)
      return unsafe _overrideLifetime(span, copying: self)
    }
  }

  @usableFromInline @inline(never) @_lifetime(self: copy self)
  mutating func moveToNextLeaf() throws(StoreError) -> Bool {
    try moving { tree throws(StoreError) in try tree.moveToNextLeaf() }
  }

  @usableFromInline @inline(never) @_lifetime(self: copy self)
  mutating func moveToPreviousLeaf() throws(StoreError) -> Bool {
    try moving { tree throws(StoreError) in try tree.moveToPreviousLeaf() }
  }

  @usableFromInline @inline(never) @_lifetime(copy self)
  func overflowValue() throws(StoreError) -> RawSpan {
    let tree = state.tree
    let bytes = try tree.reader.overflowValue(tree.leaf.overflow(index))
    // Safe: the run was verified, and the snapshot keeps it.
    let span = unsafe RawSpan(_unsafeStart: bytes.start, byteCount: bytes.count)
    return unsafe _overrideLifetime(span, copying: self)
  }

  /// Moves the tree's cursor by `body`, and follows it.
  @_lifetime(self: copy self)
  private mutating func moving(
    _ body: (inout TreeCursor) throws(StoreError) -> Bool
  ) throws(StoreError) -> Bool {
    let state = state
    state.tree.index = index
    let isThere: Bool
    do throws(StoreError) {
      isThere = try body(&state.tree)
    } catch {
      follow(state)
      throw error
    }
    follow(state)
    return isThere
  }

  /// Shows the row that the tree's cursor is on.
  @_lifetime(self: copy self)
  private mutating func follow(_ state: State) {
    let leaf = state.tree.leaf.page
    index = state.tree.index
    begin = state.tree.begin
    end = state.tree.end
    // Safe: the snapshot keeps the page.
    unsafe page = leaf.start
    unsafe slots = leaf.start + leaf.slotStart
  }
}
