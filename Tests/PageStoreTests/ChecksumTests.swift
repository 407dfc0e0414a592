import CDexShim
import SimulatedDisk
import Testing

@Suite struct `A checksum` {
  /// - Source: RFC 3720, § B.4, and Koopman's check value.
  static let published: [([UInt8], UInt32)] = [
    (Array("123456789".utf8), 0xE306_9283),
    ([UInt8](repeating: 0, count: 32), 0x8A91_36AA),
    ([UInt8](repeating: 0xFF, count: 32), 0x62A8_AB43),
    ([UInt8](0..<32), 0x46DD_794E),
    ([UInt8]((0..<32).reversed()), 0x113F_DB5C),
    ([], 0),
  ]

  @Test(arguments: published)
  func `agrees with the published values`(bytes: [UInt8], expected: UInt32) {
    bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      #expect(dex_crc32c(0, base, bytes.count) == expected)
      #expect(dex_crc32c_portable(0, base, bytes.count) == expected)
    }
  }

  @Test func `is the same by instruction and by table, at every length and alignment`() throws {
    var random = SplitMix64(seed: 1)
    let bytes = (0..<70_000).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    let lengths =
      Array(0..<700) + (0..<300).map { _ in random.number(in: 0..<69_000) }
      + [4092, 4096, 8188, 8192, 12_288, 12_312, 16_380, 16_384, 65_536]
    bytes.withUnsafeBytes { bytes in
      for length in lengths {
        let start = random.number(in: 0..<64)
        let seed = UInt32(truncatingIfNeeded: random.next())
        guard let base = bytes.baseAddress.map({ $0 + start }) else { return }
        let fast = dex_crc32c(seed, base, length)
        let portable = dex_crc32c_portable(seed, base, length)
        #expect(fast == portable, "length \(length), start \(start), seed \(seed)")
      }
    }
  }

  @Test func `goes on from the checksum of the part before`() {
    let bytes = [UInt8](0..<200)
    bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      let whole = dex_crc32c(0, base, 200)
      for cut in 0...200 {
        #expect(dex_crc32c(dex_crc32c(0, base, cut), base + cut, 200 - cut) == whole)
      }
    }
  }
}
