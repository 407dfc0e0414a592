/// Builds a set from containers that come by ascending number.
struct PostingSetBuilder {
  private var entries: [PostingSet.Entry] = []
  /// As many words as are in use, and room for some more.
  private var words: [UInt64] = []
  private var usedWordCount = 0
  private(set) var rowCount = 0

  /// Appends a container as it is.
  mutating func append(_ number: UInt64, _ container: Container) {
    append(number, container, .intersection, container)
  }

  /// Appends what `operation` makes of two containers, unless that is empty.
  @inline(__always)
  mutating func append(
    _ number: UInt64, _ left: Container, _ operation: SetOperation, _ right: Container
  ) {
    makeRoom()
    let (kind, count) = Container.combine(
      left, operation, right, into: &words, at: usedWordCount)
    finishEntry(number, kind, count)
  }

  /// Appends the containers of `set` at `indices`.
  mutating func append(_ set: PostingSet, _ indices: Range<Int>) {
    for index in indices { append(set.entries[index].number, set.container(at: index)) }
  }

  /// Appends the rows of a bitmap of 128 words.
  mutating func append(_ number: UInt64, bitmap: [UInt64]) {
    let count = bitmap.bitmapRowCount
    if count > Container.arrayLimit {
      append(number, Container(.bitmap, count: 0, bytes: bitmap.span.memory))
    } else if count > 0 {
      let numbers = bitmap.bitmapNumbers
      append(number, Container(.array, count: count, bytes: numbers.span.memory))
    }
  }

  /// Appends the rows of a bitmap of 128 words as a bitmap, however few they are.
  mutating func append(_ number: UInt64, wide bitmap: [UInt64]) {
    append(number, Container(.bitmap, count: 0, bytes: bitmap.span.memory))
  }

  private mutating func finishEntry(_ number: UInt64, _ kind: Container.Kind, _ count: Int) {
    if count == 0 { return }
    entries.append(
      PostingSet.Entry(
        number: number, start: UInt32(usedWordCount), rowCount: UInt16(count),
        isBitmap: kind == .bitmap))
    rowCount += count
    usedWordCount += kind == .bitmap ? Container.bitmapWordCount : (count + 3) / 4
  }

  /// Sees to it that a bitmap has room after the words in use.
  @inline(__always) private mutating func makeRoom() {
    if words.count - usedWordCount >= Container.bitmapWordCount { return }
    let count = max(Container.bitmapWordCount, words.count)
    words.append(contentsOf: repeatElement(0, count: count))
  }

  /// The set of all that was appended.
  consuming func finish() -> PostingSet {
    if entries.isEmpty { return .empty }
    if words.count > 2 * usedWordCount {
      words = Array(words[..<usedWordCount])
    } else {
      words.removeLast(words.count - usedWordCount)
    }
    return PostingSet(entries: entries, words: words, count: rowCount)
  }
}
