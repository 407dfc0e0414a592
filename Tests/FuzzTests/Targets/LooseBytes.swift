import CDexShim

/// Bytes that may be anything, read and written at places that may be anywhere.
///
/// Reading outside gives zeros, and writing outside does nothing, so that what repairs an input never
/// fails by it.
struct LooseBytes {
  var bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var count: Int { bytes.count }

  func u8(_ offset: Int) -> Int { bytes.indices.contains(offset) ? Int(bytes[offset]) : 0 }
  func u16(_ offset: Int) -> Int { u8(offset) | u8(offset + 1) << 8 }
  func u32(_ offset: Int) -> Int { u16(offset) | u16(offset + 2) << 16 }

  mutating func setU32(_ offset: Int, _ value: Int) {
    for index in 0..<4 where bytes.indices.contains(offset + index) {
      bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * index))
    }
  }

  /// The bytes of `range` that are there.
  func slice(_ range: Range<Int>) -> ArraySlice<UInt8> { bytes[range.clamped(to: 0..<count)] }

  /// CRC-32C of `seed` and what is there of `range`.
  func crc(_ range: Range<Int>, after seed: [UInt8] = []) -> Int {
    let range = range.clamped(to: 0..<count)
    let start = seed.withUnsafeBytes { seed in
      seed.baseAddress.map { dex_crc32c(0, $0, seed.count) } ?? 0
    }
    return bytes.withUnsafeBytes { bytes in
      bytes.baseAddress.map { Int(dex_crc32c(start, $0 + range.lowerBound, range.count)) } ?? 0
    }
  }

  /// The checksum of pages and runs, which is never 0.
  func checksum(_ range: Range<Int>) -> Int {
    let crc = crc(range)
    return crc == 0 ? 1 : crc
  }
}

/// Takes bytes apart into numbers and pieces; at their end it gives zeros.
struct ByteFeed {
  private let bytes: [UInt8]
  private(set) var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isEmpty: Bool { position >= bytes.count }

  mutating func byte() -> UInt8 {
    defer { position += 1 }
    return position < bytes.count ? bytes[position] : 0
  }

  mutating func u16() -> Int { Int(byte()) | Int(byte()) << 8 }
  mutating func u32() -> Int { u16() | u16() << 16 }
  mutating func u64() -> UInt64 { UInt64(u32()) | UInt64(u32()) << 32 }

  /// A number below `limit`, which is above 0.
  mutating func number(below limit: Int) -> Int {
    (limit <= 256 ? Int(byte()) : u32()) % limit
  }

  /// The next `count` bytes, or those that are left.
  mutating func take(_ count: Int) -> [UInt8] {
    let start = min(position, bytes.count)
    let end = min(start + max(0, count), bytes.count)
    position = end
    return Array(bytes[start..<end])
  }

  /// All that is left.
  mutating func rest() -> [UInt8] { take(bytes.count) }
}
