/// Which pages of the main file are in use: one bit a page, 1 = in use.
///
/// Invariants:
/// 1. Pages 0 and 1, the meta pages, are in use.
/// 2. Bits at and past `pageCount` are 0, though no page stands behind them.
/// 3. No window of `1 << k` free pages starts below `windowHints[k]`. A hint rises only over pages
///    that were looked at, and falls when a page is freed or the file grows.
package struct PageBitmap: Sendable {
  /// The most pages that a file can have: every number fits, and so does the end of every range.
  package static let maximumPageCount = Int(UInt32.max)

  /// The bits, lowest page first, in `(pageCount + 63) / 64` words.
  package private(set) var words: [UInt64]
  /// The number of pages that the bitmap speaks of.
  package private(set) var pageCount: Int
  /// The number of pages in use.
  package private(set) var usedCount: Int
  private var windowHints: [Int]

  private static let windowClasses = 16

  /// The bitmap of a file of `pageCount` pages, of which only the meta pages are in use.
  package init(pageCount: Int = 2) {
    precondition((2...Self.maximumPageCount).contains(pageCount), "\(pageCount) pages")
    words = Array(repeating: 0, count: (pageCount + 63) / 64)
    words[0] = 0b11
    self.pageCount = pageCount
    usedCount = 2
    windowHints = Array(repeating: 2, count: Self.windowClasses)
  }

  /// The bitmap of `words`, or nil where they break an invariant.
  init?(pageCount: Int, untrusted words: [UInt64]) {
    guard (2...Self.maximumPageCount).contains(pageCount), words.count == (pageCount + 63) / 64,
      words[0] & 0b11 == 0b11,
      pageCount % 64 == 0 || words[words.count - 1] >> (pageCount % 64) == 0
    else { return nil }
    self.words = words
    self.pageCount = pageCount
    usedCount = words.reduce(0) { $0 + $1.nonzeroBitCount }
    windowHints = Array(repeating: 2, count: Self.windowClasses)
  }

  /// The number of pages that are free.
  package var freeCount: Int { pageCount - usedCount }

  /// The number of free pages below `limit`.
  ///
  /// - Complexity: O(*n*) in the words.
  package func freeCount(below limit: Int) -> Int {
    let limit = min(limit, pageCount)
    var used = 0
    for word in words[..<(limit >> 6)] { used += word.nonzeroBitCount }
    if limit & 63 != 0 {
      used += (words[limit >> 6] & (1 << UInt64(limit & 63) - 1)).nonzeroBitCount
    }
    return limit - used
  }

  /// The free pages of `range`, ascending.
  package func freePages(in range: Range<Int>) -> [PageID] {
    range.filter { $0 < pageCount }.map { PageID(UInt32($0)) }.filter { !isUsed($0) }
  }

  /// The lowest free page, or nil where the file has none.
  ///
  /// - Complexity: as of `allocate`.
  package var lowestFree: PageID? {
    let index = nextFree(from: windowHints[0])
    return index < pageCount ? PageID(UInt32(index)) : nil
  }

  /// The highest page in use.
  ///
  /// - Complexity: O(*n*) in the words above it.
  package var highestUsed: PageID {
    guard let index = words.lastIndex(where: { $0 != 0 }) else {
      preconditionFailure("the meta pages are always in use")
    }
    return PageID(UInt32(index * 64 + 63 - words[index].leadingZeroBitCount))
  }

  /// True where `page` is in use; false also past the end.
  package func isUsed(_ page: PageID) -> Bool {
    page.index < pageCount && words[page.index >> 6] & bit(page.index) != 0
  }

  /// True where every page of `range` is in use.
  package func isUsed(_ range: Range<Int>) -> Bool {
    range.upperBound <= pageCount && nextFree(from: range.lowerBound) >= range.upperBound
  }

  private func bit(_ index: Int) -> UInt64 { 1 << UInt64(index & 63) }
}

// MARK: - Changes

extension PageBitmap {
  /// Takes the lowest free page, or nil where the file has none and must be extended.
  ///
  /// - Complexity: O(1) amortised: words that were passed over are looked at again only after a
  ///   page in or below them was freed.
  package mutating func allocate() -> PageID? {
    let index = nextFree(from: windowHints[0])
    guard index < pageCount else {
      windowHints[0] = pageCount
      return nil
    }
    windowHints[0] = index + 1
    words[index >> 6] |= bit(index)
    usedCount += 1
    return PageID(UInt32(index))
  }

  /// True where `count` free pages below `limit` follow each other.
  ///
  /// - Complexity: O(*n*) in the words from the lowest free window of at least `count / 2` pages.
  package func hasFreeRun(_ count: Int, below limit: Int) -> Bool {
    firstRun(count, below: limit).start != nil
  }

  /// Takes the lowest `count` free pages that follow each other, and returns the first of them.
  ///
  /// Nil where the file has no such run and must be extended.
  ///
  /// - Complexity: O(*n*) in the words from the lowest free window of at least `count / 2` pages.
  package mutating func allocateRun(_ count: Int) -> PageID? {
    precondition(count > 0, "a run of \(count) pages")
    let windowClass = Self.windowClass(of: count)
    let (start, firstWindow) = firstRun(count, below: pageCount)
    guard let start else {
      windowHints[windowClass] = firstWindow ?? pageCount
      return nil
    }
    windowHints[windowClass] = firstWindow == start ? start + count : firstWindow ?? start
    words.setBits(start..<start + count)
    usedCount += count
    return PageID(UInt32(start))
  }

  /// Adds free pages until the file has `pageCount` of them; does nothing where it has.
  package mutating func extend(to pageCount: Int) {
    precondition(pageCount <= Self.maximumPageCount, "\(pageCount) pages")
    guard pageCount > self.pageCount else { return }
    lowerHints(toFree: self.pageCount)
    let missing = (pageCount + 63) / 64 - words.count
    words.append(contentsOf: repeatElement(0, count: missing))
    self.pageCount = pageCount
  }

  /// Marks `page` as in use, extending the file to it where it lies past the end.
  ///
  /// - Precondition: it was free.
  package mutating func markUsed(_ page: PageID) {
    extend(to: page.index + 1)
    precondition(!isUsed(page), "\(page) is in use already")
    words[page.index >> 6] |= bit(page.index)
    usedCount += 1
  }

  /// Marks `page` as free.
  ///
  /// - Precondition: it was in use, and is no meta page.
  package mutating func markFree(_ page: PageID) {
    precondition(page >= .firstAfterMetas, "\(page) is a meta page")
    precondition(isUsed(page), "\(page) of \(pageCount) is free already")
    words[page.index >> 6] &= ~bit(page.index)
    usedCount -= 1
    lowerHints(toFree: page.index)
  }

  /// Marks the pages of `range` as in use, extending the file to them where they lie past the end.
  ///
  /// - Precondition: all of them were free.
  package mutating func markUsed(_ range: Range<Int>) {
    extend(to: range.upperBound)
    precondition(
      nextUsed(from: range.lowerBound, limit: range.upperBound) >= range.upperBound,
      "one of \(range) is in use already")
    words.setBits(range)
    usedCount += range.count
  }

  /// Marks the pages of `range` as free.
  ///
  /// - Precondition: all of them were in use, and none is a meta page.
  package mutating func markFree(_ range: Range<Int>) {
    precondition(range.lowerBound >= 2, "\(range) has a meta page")
    precondition(isUsed(range), "one of \(range) is free already")
    if range.isEmpty { return }
    words.setBits(range, to: false)
    usedCount -= range.count
    lowerHints(toFree: range.lowerBound)
  }

  /// Cuts the file to its first `pageCount` pages.
  ///
  /// - Precondition: all pages from there on are free.
  package mutating func truncate(to pageCount: Int) {
    precondition((2...self.pageCount).contains(pageCount), "\(pageCount) of \(self.pageCount)")
    precondition(highestUsed.index < pageCount, "\(highestUsed) is in use, past \(pageCount)")
    words.removeLast(words.count - (pageCount + 63) / 64)
    self.pageCount = pageCount
  }

  /// The windows that hold the newly free page `index` start below it, by less than their length.
  private mutating func lowerHints(toFree index: Int) {
    for windowClass in windowHints.indices {
      let lowest = max(2, index - (1 << windowClass) + 1)
      if lowest < windowHints[windowClass] { windowHints[windowClass] = lowest }
    }
  }
}

// MARK: - Search

extension PageBitmap {
  /// The ranges of pages in use, ascending, as indices.
  package var usedRanges: Ranges { Ranges(bitmap: self, ofUsed: true) }
  /// The ranges of free pages, ascending, as indices.
  package var freeRanges: Ranges { Ranges(bitmap: self, ofUsed: false) }

  /// The maximal ranges of pages in one condition.
  package struct Ranges: Sequence, IteratorProtocol, Sendable {
    fileprivate let bitmap: PageBitmap
    private let ofUsed: Bool
    private var position = 0

    fileprivate init(bitmap: PageBitmap, ofUsed: Bool) {
      self.bitmap = bitmap
      self.ofUsed = ofUsed
    }

    /// The next range, or nil after the last.
    package mutating func next() -> Range<Int>? {
      let start = ofUsed ? bitmap.nextUsed(from: position) : bitmap.nextFree(from: position)
      guard start < bitmap.pageCount else { return nil }
      position = ofUsed ? bitmap.nextFree(from: start) : bitmap.nextUsed(from: start)
      return start..<position
    }
  }

  /// The class of the longest windows that runs of `count` pages are sure to hold.
  private static func windowClass(of count: Int) -> Int {
    min(Int.bitWidth - 1 - count.leadingZeroBitCount, windowClasses - 1)
  }

  /// Where the first `count` free pages below `limit` follow each other, and the first window of
  /// their class that was passed or found on the way.
  private func firstRun(_ count: Int, below limit: Int) -> (start: Int?, window: Int?) {
    let windowClass = Self.windowClass(of: count)
    let limit = min(limit, pageCount)
    var firstWindow: Int?
    var start = nextFree(from: windowHints[...windowClass].reduce(2, max))
    while start < limit {
      let end = nextUsed(from: start, limit: min(start + count, limit))
      if end - start >= 1 << windowClass, firstWindow == nil { firstWindow = start }
      if end - start >= count { return (start, firstWindow) }
      start = nextFree(from: end)
    }
    return (nil, firstWindow)
  }

  /// The first free page from `start` on, or `pageCount`.
  private func nextFree(from start: Int) -> Int {
    guard start < pageCount else { return pageCount }
    var index = start >> 6
    var word = ~words[index] & (UInt64.max << UInt64(start & 63))
    while word == 0 {
      index += 1
      guard index < words.count else { return pageCount }
      word = ~words[index]
    }
    return min(pageCount, index * 64 + word.trailingZeroBitCount)
  }

  /// The first page in use from `start` on, or the lesser of `limit` and `pageCount`.
  private func nextUsed(from start: Int, limit: Int = .max) -> Int {
    let end = min(limit, pageCount)
    guard start < end else { return end }
    var index = start >> 6
    var word = words[index] & (UInt64.max << UInt64(start & 63))
    while word == 0 {
      index += 1
      guard index * 64 < end else { return end }
      word = words[index]
    }
    return min(end, index * 64 + word.trailingZeroBitCount)
  }
}

extension PageBitmap: Equatable {
  /// True where both say the same of the same pages, whatever they remember from searching.
  package static func == (left: PageBitmap, right: PageBitmap) -> Bool {
    left.pageCount == right.pageCount && left.words == right.words
  }
}

extension [UInt64] {
  /// Sets the bits of `range`, or clears them, a word at a time.
  mutating func setBits(_ range: Range<Int>, to isSet: Bool = true) {
    var index = range.lowerBound
    while index < range.upperBound {
      let width = Swift.min(64 - (index & 63), range.upperBound - index)
      let ones = width == 64 ? UInt64.max : (1 << UInt64(width)) - 1
      if isSet {
        self[index >> 6] |= ones << UInt64(index & 63)
      } else {
        self[index >> 6] &= ~(ones << UInt64(index & 63))
      }
      index += width
    }
  }
}
