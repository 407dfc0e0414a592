/// A set of blocks of a file, by number.
struct BlockSet: Sendable {
  /// The length of a block.
  static let byteCount = 4096

  private var words: [UInt64] = []
  private(set) var count = 0

  func contains(_ block: Int) -> Bool {
    let word = block >> 6
    return word < words.count && words[word] >> UInt64(block & 63) & 1 == 1
  }

  mutating func insert(_ block: Int) {
    if contains(block) { return }
    let word = block >> 6
    while words.count <= word { words.append(0) }
    words[word] |= 1 << UInt64(block & 63)
    count += 1
  }

  mutating func remove(_ block: Int) {
    guard contains(block) else { return }
    words[block >> 6] &= ~(1 << UInt64(block & 63))
    count -= 1
  }

  /// Calls `body` with each block at or after `first`, in ascending order.
  func visit(from first: Int = 0, _ body: (Int) -> Void) {
    var word = first >> 6
    while word < words.count {
      var bits = words[word]
      if word == first >> 6 { bits &= ~0 << UInt64(first & 63) }
      while bits != 0 {
        body(word << 6 + bits.trailingZeroBitCount)
        bits &= bits - 1
      }
      word += 1
    }
  }

  /// The blocks that hold a byte of `range`.
  static func blocks(of range: Range<Int>) -> Range<Int> {
    range.isEmpty ? 0..<0 : range.lowerBound / byteCount..<(range.upperBound - 1) / byteCount + 1
  }
}
