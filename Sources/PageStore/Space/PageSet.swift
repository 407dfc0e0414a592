/// A set of pages by number: one bit a page, for walks that must notice where they were before.
struct PageSet {
  private var words: [UInt64]

  /// The empty set, with room for the pages below `pageCount`.
  init(pageCount: Int = 0) {
    words = Array(repeating: 0, count: (max(0, pageCount) + 63) / 64)
  }

  /// True where the page numbered `index` is in the set.
  func contains(_ index: Int) -> Bool {
    index >> 6 < words.count && words[index >> 6] >> UInt64(index & 63) & 1 == 1
  }

  /// Adds the page numbered `index`, which the set has room for; false where it was there.
  mutating func insert(_ index: Int) -> Bool {
    let bit: UInt64 = 1 << UInt64(index & 63)
    if words[index >> 6] & bit != 0 { return false }
    words[index >> 6] |= bit
    return true
  }
}
