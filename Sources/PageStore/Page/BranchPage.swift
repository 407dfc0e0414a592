/// A branch page, to be read: children in key order, with a separator between each two.
///
/// After the prefix stand four arrays of `capacity` entries each, a multiple of 8: heads of the
/// separators (u32), child numbers (u32), child checksums (u32), and the place of each separator's
/// suffix (u16 offset, u16 length). Separator *i* stands between child *i* and child *i* + 1, is
/// above every key of the one and not above any key of the other, and is kept without the page's
/// prefix. There is one separator less than children; unused heads are `UInt32.max`.
///
/// Invariants, established by `validate` for pages from disk and kept by `BranchEditor`:
/// 1. Arrays and suffixes do not meet and lie within the page; there is at least one child.
/// 2. Separators ascend strictly, and heads are theirs.
struct BranchPage {
  /// The bytes that each child takes in the arrays.
  static let entryByteCount = 16

  let page: PageBytes

  init(_ page: PageBytes) { self.page = page }

  @inline(__always) var count: Int { page.count }

  @inline(__always) var separatorCount: Int { page.count &- 1 }

  @inline(__always) func head(_ index: Int) -> UInt32 { page.u32(page.slotStart &+ index &<< 2) }

  @inline(__always) func childOffset(_ index: Int) -> Int {
    page.slotStart &+ (page.capacity &+ index) &<< 2
  }

  @inline(__always) func child(_ index: Int) -> PageID { PageID(page.u32(childOffset(index))) }

  @inline(__always) func checksumOffset(_ index: Int) -> Int {
    page.slotStart &+ (page.capacity &<< 1 &+ index) &<< 2
  }

  /// The checksum of child `index`; 0 where the child has not been written yet.
  @inline(__always) func checksum(_ index: Int) -> UInt32 { page.u32(checksumOffset(index)) }

  @inline(__always) func suffixOffset(_ index: Int) -> Int {
    page.slotStart &+ (page.capacity &* 3 &+ index) &<< 2
  }

  /// Separator `index` without the page's prefix.
  @inline(__always) func suffix(_ index: Int) -> ByteView {
    let offset = suffixOffset(index)
    return page.bytes(page.u16(offset), page.u16(offset &+ 2))
  }

  /// Separator `index`, whole.
  func separator(_ index: Int) -> [UInt8] { page.prefix.array + suffix(index).array }

  /// The child whose range holds `key`: as many separators are not above it.
  @inline(__always) func childIndex(for key: ByteView) -> Int {
    let order = page.compareToPrefix(key)
    if order != 0 { return order < 0 ? 0 : page.count &- 1 }
    let prefixCount = page.prefixCount
    let head = key.head(after: prefixCount)
    let heads = page.slotStart
    var length = separatorCount
    if length <= 0 { return 0 }
    var base = 0
    while length > 1 {
      let half = length &>> 1
      let isBelow = page.u32(heads &+ (base &+ half &- 1) &<< 2) < head
      base = base &+ (half & (0 &- (isBelow ? 1 : 0)))
      length = length &- half
    }
    base = base &+ (page.u32(heads &+ base &<< 2) < head ? 1 : 0)
    if base == separatorCount || page.u32(heads &+ base &<< 2) != head { return base }
    // A tie: the separator itself decides, unless more of them share the head.
    let rest = key.dropFirst(prefixCount)
    if suffix(base).compare(rest) > 0 { return base }
    let next = base &+ 1
    if next == separatorCount || page.u32(heads &+ next &<< 2) != head { return next }
    return childIndexAmongTies(rest, head: head, from: next)
  }

  /// Goes on among separators that share `head`, by halves and whole suffixes.
  @inline(never) private func childIndexAmongTies(
    _ suffix: ByteView, head: UInt32, from start: Int
  ) -> Int {
    var low = start
    var high = separatorCount
    while low < high {
      let middle = (low &+ high) &>> 1
      let middleHead = self.head(middle)
      if middleHead > head || (middleHead == head && self.suffix(middle).compare(suffix) > 0) {
        high = middle
      } else {
        low = middle &+ 1
      }
    }
    return low
  }

  /// The child `index` with the separator after it, as it would be copied elsewhere.
  func content(_ index: Int) -> BranchEntry {
    let hasSeparator = index < separatorCount
    return BranchEntry(
      child: child(index), checksum: checksum(index), lead: page.prefix,
      tail: hasSeparator ? suffix(index) : page.bytes(0, 0))
  }

  /// The bytes that the page's entries would take in a page without a prefix.
  var usedByteCount: Int {
    page.count &* BranchPage.entryByteCount &+ page.liveByteCount
      &+ separatorCount &* page.prefixCount
  }
}

/// A child and the separator after it, on their way into a branch.
///
/// The separator is `lead` followed by `tail`, two pieces of memory; the last entry of a page has
/// none that counts.
struct BranchEntry {
  var child: PageID
  var checksum: UInt32
  var lead: ByteView
  var tail: ByteView

  /// The separator's length.
  @inline(__always) var separatorCount: Int { lead.count &+ tail.count }

  /// The separator's byte at `index`.
  @inline(__always) func separatorByte(_ index: Int) -> UInt8 {
    index < lead.count ? lead[index] : tail[index &- lead.count]
  }

  /// How many bytes the separators of both entries share at their start.
  func commonPrefixCount(with other: BranchEntry) -> Int {
    let limit = min(separatorCount, other.separatorCount, StoreLimits.prefixByteCount)
    var index = 0
    while index < limit && separatorByte(index) == other.separatorByte(index) { index &+= 1 }
    return index
  }

  /// The separator, whole.
  var separator: [UInt8] { lead.array + tail.array }
}
