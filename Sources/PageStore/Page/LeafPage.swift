/// A leaf page, to be read: slots in the order of their keys, cells anywhere below the page's end.
///
/// A slot is as `slotRows` says. A cell is the value's length (u16), the whole key, the value. A
/// length of `overflowMark` says that a reference to an overflow run stands in the value's place.
///
/// Invariants, established by `validate` for pages from disk and kept by `LeafEditor`:
/// 1. Slots and cells do not meet, and every cell lies within the page.
/// 2. Keys ascend strictly, in slot order, and all begin with the page's prefix.
/// 3. Heads are those of their keys.
package struct LeafPage {
  /// The bytes of a slot.
  package static let slotByteCount = 8
  /// The length that says that a value has a run of its own.
  package static let overflowMark = 0xFFFF

  /// The lines of the table of a slot in FORMAT.md.
  package static let slotRows = [
    FieldRow("head", at: 0, 4, "the key's head after the page's prefix"),
    FieldRow("cell", at: 4, 2, "offset of the cell"),
    FieldRow("key length", at: 6, 2, "length of the whole key"),
  ]

  let page: PageBytes

  init(_ page: PageBytes) { self.page = page }

  @inline(__always) var count: Int { page.count }

  @inline(__always) func slot(_ index: Int) -> Int { page.slotStart &+ index &<< 3 }

  @inline(__always) func head(_ index: Int) -> UInt32 { page.u32(slot(index)) }

  @inline(__always) func cell(_ index: Int) -> Int { page.u16(slot(index) &+ 4) }

  @inline(__always) func keyCount(_ index: Int) -> Int { page.u16(slot(index) &+ 6) }

  @inline(__always) func key(_ index: Int) -> ByteView {
    page.bytes(cell(index) &+ 2, keyCount(index))
  }

  /// The length that the cell in slot `index` gives for its value; `overflowMark` for a run.
  @inline(__always) func valueCount(_ index: Int) -> Int { page.u16(cell(index)) }

  @inline(__always) func isOverflow(_ index: Int) -> Bool {
    valueCount(index) == LeafPage.overflowMark
  }

  /// The value in slot `index`, which must be an inline one.
  @inline(__always) func inlineValue(_ index: Int) -> ByteView {
    let cell = cell(index)
    return page.bytes(cell &+ 2 &+ keyCount(index), page.u16(cell))
  }

  /// The reference in slot `index`, which must hold one.
  func overflow(_ index: Int) -> OverflowReference {
    OverflowReference(in: page, at: cell(index) &+ 2 &+ keyCount(index))
  }

  /// The bytes that the cell in slot `index` takes.
  @inline(__always) func cellByteCount(_ index: Int) -> Int {
    let length = valueCount(index)
    return 2 &+ keyCount(index)
      &+ (length == LeafPage.overflowMark ? OverflowReference.byteCount : length)
  }

  /// The cell in slot `index`, as it would be copied elsewhere.
  @inline(__always) func content(_ index: Int) -> LeafCell {
    let cell = cell(index)
    let keyCount = keyCount(index)
    let mark = page.u16(cell)
    let length = mark == LeafPage.overflowMark ? OverflowReference.byteCount : mark
    return LeafCell(
      key: page.bytes(cell &+ 2, keyCount), mark: mark,
      payload: page.bytes(cell &+ 2 &+ keyCount, length))
  }

  /// The bytes that slots and live cells take together.
  var usedByteCount: Int { count &* LeafPage.slotByteCount &+ page.liveByteCount }

  /// The first slot whose key is not below `key`, and whether it holds `key` itself.
  @inline(__always) func find(_ key: ByteView) -> (index: Int, isFound: Bool) {
    let order = page.compareToPrefix(key)
    if order != 0 { return (order < 0 ? 0 : count, false) }
    let head = key.head(after: page.prefixCount)
    let index = lowerBound(of: head)
    let count = count
    if index == count || self.head(index) != head { return (index, false) }
    let candidate = self.key(index).compare(key)
    if candidate >= 0 { return (index, candidate == 0) }
    return findAmongTies(key, head: head, from: index &+ 1)
  }

  /// The first slot that shares the head of `key`, whose cell is not looked at; -1 where there is
  /// none, and so no such key.
  @inline(__always) func likelySlot(of key: ByteView) -> Int {
    if page.compareToPrefix(key) != 0 { return -1 }
    let head = key.head(after: page.prefixCount)
    let index = lowerBound(of: head)
    return index < count && self.head(index) == head ? index : -1
  }

  /// The first slot whose head is not below `head`.
  @inline(__always) private func lowerBound(of head: UInt32) -> Int {
    var length = count
    if length == 0 { return 0 }
    let slots = page.slotStart
    var base = 0
    while length > 1 {
      let half = length &>> 1
      let isBelow = page.u32(slots &+ (base &+ half &- 1) &<< 3) < head
      base = base &+ (half & (0 &- (isBelow ? 1 : 0)))
      length = length &- half
    }
    return base &+ (page.u32(slots &+ base &<< 3) < head ? 1 : 0)
  }

  /// Goes on among slots that share `head`, by halves and whole keys.
  @inline(never) private func findAmongTies(
    _ key: ByteView, head: UInt32, from start: Int
  ) -> (index: Int, isFound: Bool) {
    var low = start
    var high = count
    while low < high {
      let middle = (low &+ high) &>> 1
      let middleHead = self.head(middle)
      if middleHead > head || (middleHead == head && self.key(middle).compare(key) >= 0) {
        high = middle
      } else {
        low = middle &+ 1
      }
    }
    let isFound = low < count && self.head(low) == head && self.key(low).equals(key)
    return (low, isFound)
  }
}

/// A key with its value or reference, on its way into a leaf.
struct LeafCell {
  var key: ByteView
  /// The value's length, or `LeafPage.overflowMark`.
  var mark: Int
  /// The value, or the bytes of the reference.
  var payload: ByteView

  /// The bytes that the cell takes, without its slot.
  @inline(__always) var byteCount: Int { 2 &+ key.count &+ payload.count }

  /// Key and payload in one piece, as they lie in a page; nil where they come from different places.
  @inline(__always) var keyAndPayload: ByteView? { key.joined(with: payload) }
}
