/// A sum over pairs of a term and a row, the same in whatever order they come.
///
/// Each pair adds 128 bits that depend on numbers which every process draws anew, so sums over
/// different pairs are practically never equal, whatever the pairs are.
package struct PairSum: Equatable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0
  /// How many pairs were added.
  package private(set) var count = 0

  /// The sum over no pairs.
  package init() {}

  /// Adds a pair.
  package mutating func add(_ term: TermHash, _ row: UInt64) {
    low &+= Self.scrambled(term.first &+ row &* 0x9E37_79B9_7F4A_7C15)
    high &+= Self.scrambled(term.second ^ row &* 0xD6E8_FEB8_6659_FD93)
    count += 1
  }

  /// The number with its bits mixed, a different one for each number.
  ///
  /// - Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014, § 3.
  private static func scrambled(_ number: UInt64) -> UInt64 {
    var mixed = (number ^ number >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}

/// The bytes of a term so far, as 128 bits.
package struct TermHash: Hashable {
  fileprivate var first: UInt64
  fileprivate var second: UInt64

  /// Of no bytes yet: numbers that are drawn once in each process.
  package static let start = TermHash(
    first: .random(in: .min ... .max), second: .random(in: .min ... .max))

  /// Takes one more byte.
  package mutating func fold(_ byte: UInt8) {
    first = (first ^ UInt64(byte)) &* 0x9E37_79B9_7F4A_7C15
    first ^= first >> 29
    second = (second ^ UInt64(byte)) &* 0xD6E8_FEB8_6659_FD93
    second ^= second >> 32
  }

  /// This hash with more bytes.
  package func folding(_ bytes: [UInt8]) -> TermHash {
    var hash = self
    for byte in bytes { hash.fold(byte) }
    return hash
  }

  /// This hash with the bytes from `offset` on.
  package func folding(_ bytes: RawSpan, from offset: Int = 0) -> TermHash {
    var hash = self
    for place in offset..<max(offset, bytes.byteCount) { hash.fold(bytes.byte(at: place)) }
    return hash
  }

  /// This hash with the eight bytes of a number, the greatest first.
  func folding(_ number: UInt64) -> TermHash {
    var hash = self
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      hash.fold(UInt8(truncatingIfNeeded: number >> shift))
    }
    return hash
  }
}
