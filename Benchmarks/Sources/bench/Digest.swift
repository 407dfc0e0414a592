import CDigest

/// What is folded of each row that is read.
enum Folding: Sendable {
  /// Its lengths, the first and the last word of key and value, and one of each 64 bytes between:
  /// every cache line is brought in, at one to three nanoseconds a row. Timed rounds fold this.
  case everyLine
  /// Every byte, at about ten nanoseconds a row; what is not timed folds this.
  case everyByte
}

/// What a reader saw, folded to 64 bits: keys, values and the place of each row.
///
/// Two engines that read the same rows in the same order have equal digests. The sum does not
/// depend on the order of folding, so a batched read may fold its rows as they come.
struct Digest: Equatable, Sendable {
  private let folding: Folding
  private(set) var sum: UInt64 = 0
  private(set) var rowCount = 0

  init(_ folding: Folding = .everyByte) { self.folding = folding }

  /// Folds the row that was read at `place`, counted from 0.
  @inline(__always)
  mutating func fold(
    _ key: UnsafeRawPointer, _ keyByteCount: Int, _ value: UnsafeRawPointer, _ valueByteCount: Int,
    at place: Int
  ) {
    let row =
      folding == .everyLine
      ? digest_row_lines(key, keyByteCount, value, valueByteCount)
      : digest_row(key, keyByteCount, value, valueByteCount)
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

  /// Folds the bytes of a text, as one row.
  mutating func fold(text: [UInt8]) {
    text.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      fold(start, bytes.count, start, 0)
    }
  }

  /// What two threads saw together.
  static func + (left: Digest, right: Digest) -> Digest {
    var both = left
    both.sum &+= right.sum
    both.rowCount += right.rowCount
    return both
  }

  static func == (left: Digest, right: Digest) -> Bool {
    left.sum == right.sum && left.rowCount == right.rowCount
  }
}
