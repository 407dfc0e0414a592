import CLZ4
import Entities
import SimulatedDisk
import Testing

@Suite struct `The coding of portraits` {
  /// Portraits that need each number of bits, of sizes that fill their last byte or do not.
  static let examples: [PortraitExample] = [1, 2, 3, 4, 5, 16, 17, 256, 257, 2000].flatMap {
    count in
    [(1, 1), (7, 5), (48, 48), (61, 3)].map { width, height in
      PortraitExample(width: width, height: height, colorCount: count)
    }
  }

  @Test(arguments: examples, [PortraitCoding.Effort.fast, .high])
  func `gives back every pixel`(example: PortraitExample, effort: PortraitCoding.Effort) throws {
    let portrait = try example.portrait()
    let bytes = try PortraitCoding.encode(portrait, effort: effort)
    #expect(try PortraitCoding.decode(untrusted: bytes) == portrait)
  }

  @Test func `reads what was written by hand`() throws {
    // Version 1, 2 bits a pixel, not compressed, 3 colours, 3 by 2 pixels.
    let bytes: [UInt8] = [
      1, 2, 0, 2, 3, 0, 2, 0, 255, 0, 0, 255, 0, 255, 0, 128, 0, 0, 0, 0, 0b10_01_00_10,
      0b0000_01_00,
    ]
    // The indices are 2, 0, 1, 2 from the lowest bits of the first byte on, then 0 and 1.
    let red = PixelColor(red: 255, green: 0, blue: 0)
    let green = PixelColor(red: 0, green: 255, blue: 0, alpha: 128)
    let portrait = try PortraitCoding.decode(untrusted: bytes)
    #expect(portrait.width == 3)
    #expect(portrait.height == 2)
    #expect(portrait.pixels == [.clear, red, green, .clear, red, green])
  }

  @Test(arguments: [5, 100, 300])
  func `keeps bodies that liblz4 reads`(colorCount: Int) throws {
    let portrait = try PortraitExample(width: 40, height: 40, colorCount: colorCount).portrait()
    let bytes = try PortraitCoding.encode(portrait)
    let paletteCount = colorCount > 256 ? 0 : Int(bytes[3]) + 1
    try #require(bytes[2] == 1)
    let bits = Int(bytes[1])
    var plain = [CChar](repeating: 0, count: 40 * 40 * bits / 8)
    let body = bytes[(8 + paletteCount * 4)...].map { CChar(bitPattern: $0) }
    let count = LZ4_decompress_safe(body, &plain, Int32(body.count), Int32(plain.count))
    #expect(Int(count) == plain.count)
  }

  @Test func `takes few bytes for few colours`() throws {
    let flat = try Portrait(
      width: 64, height: 64, pixels: Array(repeating: PixelColor(rgb: 0x123456), count: 4096))
    // 512 bytes of equal bits in front of compression, and a palette of one colour.
    #expect(try PortraitCoding.encode(flat).count < 40)
  }

  @Test(arguments: [1, 3, 5, 40, 300], [(9, 7), (33, 31)])
  func `refuses every truncation`(colorCount: Int, size: (Int, Int)) throws {
    let bytes = try PortraitCoding.encode(
      try PortraitExample(width: size.0, height: size.1, colorCount: colorCount).portrait())
    for length in 0..<bytes.count {
      #expect(throws: PortraitError.self, "the first \(length)") {
        try PortraitCoding.decode(untrusted: Array(bytes[..<length]))
      }
    }
  }

  @Test(arguments: [1, 3, 5, 40, 300])
  func `survives every flipped bit`(colorCount: Int) throws {
    let bytes = try PortraitCoding.encode(
      try PortraitExample(width: 21, height: 19, colorCount: colorCount).portrait())
    var refused = 0
    for bit in 0..<bytes.count * 8 {
      var flipped = bytes
      flipped[bit / 8] ^= 1 << UInt8(bit % 8)
      do throws(PortraitError) {
        let portrait = try PortraitCoding.decode(untrusted: flipped)
        #expect(portrait.pixels.count == portrait.width * portrait.height)
      } catch {
        refused += 1
      }
    }
    // All bits of version, and all that make a size that the body does not fill.
    #expect(refused >= 8)
  }

  @Test(arguments: 0..<64)
  func `survives bytes without sense behind a good header`(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let bits = [1, 2, 4, 8, 32].randomElement(using: &random) ?? 1
    var bytes: [UInt8] = [1, UInt8(bits), 1, bits == 32 ? 0 : 1, 40, 0, 40, 0]
    bytes += (0..<(bits == 32 ? 0 : 8)).map { _ in UInt8.random(in: 0...255, using: &random) }
    bytes += (0..<Int.random(in: 0..<900, using: &random)).map { _ in
      UInt8.random(in: 0...255, using: &random)
    }
    do throws(PortraitError) {
      let portrait = try PortraitCoding.decode(untrusted: bytes)
      #expect(portrait.pixels.count == 1600)
    } catch {
      #expect(bytes.count >= 8)
    }
  }

  @Test(
    arguments: [
      ([2], PortraitError.unknownVersion(2)),
      ([], .cut(offset: 0)),
      ([1, 1, 0, 0], .cut(offset: 4)),
      ([1, 3, 0, 0, 1, 0, 1, 0], .corrupt(.bitsPerPixel(3))),
      ([1, 8, 2, 0, 1, 0, 1, 0], .corrupt(.compression(2))),
      ([1, 1, 0, 2, 1, 0, 1, 0], .corrupt(.paletteCount(3))),
      ([1, 32, 0, 1, 1, 0, 1, 0], .corrupt(.paletteCount(2))),
      ([1, 1, 0, 0, 0, 0, 1, 0], .size(width: 0, height: 1)),
      ([1, 1, 0, 0, 1, 0, 1, 16], .size(width: 1, height: 4097)),
      ([1, 1, 0, 0, 1, 0, 1, 0, 9, 9], .cut(offset: 10)),
      ([1, 1, 0, 0, 9, 0, 1, 0, 9, 9, 9, 9, 0], .corrupt(.bodyByteCount(1, expected: 2))),
      ([1, 1, 0, 0, 1, 0, 1, 0, 9, 9, 9, 9, 1], .corrupt(.colorIndex(1, paletteCount: 1))),
      ([1, 1, 0, 1, 1, 0, 1, 0, 9, 9, 9, 9, 8, 8, 8, 8, 2], .corrupt(.padding)),
      ([1, 8, 1, 0, 4, 0, 1, 0, 9, 9, 9, 9, 0xFF], .corrupt(.lz4)),
      (
        [1, 32, 1, 0, 0, 16, 0, 16, 0, 0],
        .corrupt(.bomb(bodyByteCount: 2, expected: 4096 * 4096 * 4))
      ),
    ] as [([UInt8], PortraitError)])
  func `says what is wrong`(bytes: [UInt8], error: PortraitError) {
    #expect(throws: error) { try PortraitCoding.decode(untrusted: bytes) }
  }

  @Test func `refuses more bytes than a portrait may have`() {
    let bytes = [UInt8](repeating: 1, count: Portrait.maximumByteCount + 1)
    #expect(throws: PortraitError.tooLong(byteCount: bytes.count)) {
      try PortraitCoding.decode(untrusted: bytes)
    }
  }

  @Test func `takes the largest portrait`() throws {
    let side = Portrait.maximumSide
    let pixels = (0..<side * side).map { PixelColor(rgb: UInt32($0 / side % 3)) }
    let portrait = try Portrait(width: side, height: side, pixels: pixels)
    let bytes = try PortraitCoding.encode(portrait, effort: .fast)
    #expect(try PortraitCoding.decode(untrusted: bytes).pixels == pixels)
  }

  @Test func `refuses sizes that pixels do not fill`() {
    #expect(throws: PortraitError.pixelCount(3, expected: 4)) {
      try Portrait(width: 2, height: 2, pixels: [.clear, .clear, .clear])
    }
    #expect(throws: PortraitError.size(width: 4097, height: 1)) {
      try Portrait(width: 4097, height: 1, pixels: [])
    }
  }
}

/// A portrait of random pixels of so many colours.
struct PortraitExample: Sendable, CustomTestStringConvertible {
  let width: Int
  let height: Int
  let colorCount: Int

  var testDescription: String { "\(width) by \(height) of \(colorCount) colours" }

  func portrait() throws -> Portrait {
    var random = SplitMix64(seed: UInt64(width * 1_000_000 + height * 10_000 + colorCount))
    let colors = (0..<colorCount).map { _ in
      PixelColor(bits: UInt32.random(in: 0...UInt32.max, using: &random))
    }
    // Runs, as pictures have them, after each colour came once.
    var pixels: [PixelColor] = Array(colors.prefix(width * height))
    while pixels.count < width * height {
      let color = colors[Int.random(in: 0..<colorCount, using: &random)]
      let length = min(Int.random(in: 1...9, using: &random), width * height - pixels.count)
      pixels += Array(repeating: color, count: length)
    }
    return try Portrait(width: width, height: height, pixels: pixels)
  }
}
