import CDigest

/// What a reader saw, folded to 64 bits: every key, every value and the place of each row.
///
/// Two engines that read the same rows in the same order have equal digests. The sum does not
/// depend on the order of folding, so a batched read may fold its rows as they come.
struct Digest: Equatable, Sendable {
  private(set) var sum: UInt64 = 0
  private(set) var rowCount = 0

  /// Folds the row that was read at `place`, counted from 0.
  @inline(__always)
  mutating func fold(
    _ key: UnsafeRawPointer, _ keyByteCount: Int, _ value: UnsafeRawPointer, _ valueByteCount: Int,
    at place: Int
  ) {
    let row = digest_row(key, keyByteCount, value, valueByteCount)
    sum &+= row &* UInt64(truncatingIfNeeded: 2 &* place &+ 1)
    rowCount &+= 1
  }

  /// Folds the row that follows all rows folded so far.
  @inline(__always)
  mutating func fold(
    _ key: UnsafeRawPointer, _ keyByteCount: Int, _ value: UnsafeRawPointer, _ valueByteCount: Int
  ) {
    fold(key, keyByteCount, value, valueByteCount, at: rowCount)
  }

  /// Folds row numbers, in their order.
  mutating func fold(numbers: [UInt32]) {
    for number in numbers {
      withUnsafeBytes(of: number) { bytes in
        guard let start = bytes.baseAddress else { return }
        fold(start, 4, start, 0)
      }
    }
  }

  /// What two threads saw together.
  static func + (left: Digest, right: Digest) -> Digest {
    var both = left
    both.sum &+= right.sum
    both.rowCount += right.rowCount
    return both
  }
}
