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

  /// The numbers of the pages, ascending.
  var indices: some Sequence<Int> {
    words.indices.lazy.filter { words[$0] != 0 }.flatMap { word in
      (0..<64).lazy.filter { words[word] >> UInt64($0) & 1 == 1 }.map { word * 64 + $0 }
    }
  }

  /// Makes room for the pages below `pageCount`.
  mutating func extend(to pageCount: Int) {
    let missing = (pageCount + 63) / 64 - words.count
    if missing > 0 { words.append(contentsOf: repeatElement(0, count: missing)) }
  }

  /// Takes the pages of `range` out, those that are in the set.
  mutating func remove(_ range: Range<Int>) {
    let range = range.clamped(to: 0..<words.count * 64)
    words.setBits(range, to: false)
  }

  /// Adds the page numbered `index`, which the set has room for; false where it was there.
  mutating func insert(_ index: Int) -> Bool {
    let bit: UInt64 = 1 << UInt64(index & 63)
    if words[index >> 6] & bit != 0 { return false }
    words[index >> 6] |= bit
    return true
  }
}
