import CPNG
import Entities
import SimulatedDisk
import Testing

@Suite struct `Portraits as PNG` {
  /// Every kind of PNG there is, 11 by 9 pixels.
  static let kinds: [HandMadePNG] = [
    (0, [1, 2, 4, 8, 16]), (2, [8, 16]), (3, [1, 2, 4, 8]), (4, [8, 16]), (6, [8, 16]),
  ].flatMap { colorType, depths in
    depths.flatMap { depth in
      [false, true].map { file(colorType: colorType, bitDepth: depth, isInterlaced: $0) }
    }
  }

  private static let palette: [[UInt8]] = (0..<256).map { number in
    [UInt8(number), UInt8(255 - number), UInt8(number * 7 & 255)]
  }
  /// Alpha of the first colours; the others are opaque.
  private static let paletteAlpha: [UInt8] = [0, 100]

  private static func file(colorType: Int, bitDepth: Int, isInterlaced: Bool) -> HandMadePNG {
    var random = SplitMix64(seed: UInt64(colorType * 100 + bitDepth))
    let channelCount = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][colorType] ?? 0
    let samples = (0..<99).map { _ in
      (0..<channelCount).map { _ in
        // Samples of 16 bits repeat a byte, so that no rounding is left to choose.
        bitDepth == 16
          ? Int.random(in: 0...255, using: &random) * 257
          : Int.random(in: 0..<(1 << bitDepth), using: &random)
      }
    }
    var png = HandMadePNG(
      width: 11, height: 9, bitDepth: bitDepth, colorType: colorType, isInterlaced: isInterlaced,
      samples: samples)
    if colorType == 3 {
      png.chunks = [
        ("PLTE", palette.prefix(1 << bitDepth).flatMap { $0 }), ("tRNS", paletteAlpha),
      ]
    }
    return png
  }

  /// What the samples of a pixel mean.
  private static func color(_ samples: [Int], of png: HandMadePNG) -> PixelColor {
    let parts = samples.map { UInt8($0 * 255 / ((1 << png.bitDepth) - 1)) }
    switch png.colorType {
    case 0: return PixelColor(red: parts[0], green: parts[0], blue: parts[0])
    case 2: return PixelColor(red: parts[0], green: parts[1], blue: parts[2])
    case 3:
      let color = palette[samples[0]]
      return PixelColor(
        red: color[0], green: color[1], blue: color[2],
        alpha: samples[0] < paletteAlpha.count ? paletteAlpha[samples[0]] : 255)
    case 4: return PixelColor(red: parts[0], green: parts[0], blue: parts[0], alpha: parts[1])
    default: return PixelColor(red: parts[0], green: parts[1], blue: parts[2], alpha: parts[3])
    }
  }

  @Test(arguments: kinds)
  func `come from every kind of file`(png: HandMadePNG) throws {
    let portrait = try PNGCoding.decode(untrusted: png.bytes)
    #expect(portrait.width == 11)
    #expect(portrait.height == 9)
    #expect(portrait.pixels == png.samples.map { Self.color($0, of: png) })
  }

  @Test(arguments: `The coding of portraits`.examples)
  func `give back every pixel`(example: PortraitExample) throws {
    let portrait = try example.portrait()
    #expect(try PNGCoding.decode(untrusted: PNGCoding.encode(portrait)) == portrait)
  }

  @Test(arguments: [2, 200, 700])
  func `are read the same by libpng`(colorCount: Int) throws {
    let portrait = try PortraitExample(width: 37, height: 21, colorCount: colorCount).portrait()
    let file = try PNGCoding.encode(portrait)
    // The color type stands in the header: 3 is a palette.
    #expect((file[25] == 3) == (colorCount <= 256))
    var image = png_image()
    image.version = png_uint_32(PNG_IMAGE_VERSION)
    var pixels = [UInt8](repeating: 0, count: 37 * 21 * 4)
    // The library keeps the address of the file from the first call to the second.
    let isRead = file.withUnsafeBufferPointer { file in
      guard png_image_begin_read_from_memory(&image, file.baseAddress, file.count) != 0 else {
        return false
      }
      image.format = png_uint_32(PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA)
      return png_image_finish_read(&image, nil, &pixels, 0, nil) != 0
    }
    try #require(isRead)
    #expect(pixels == portrait.pixels.flatMap { [$0.red, $0.green, $0.blue, $0.alpha] })
  }

  @Test(arguments: kinds)
  func `refuse every truncation`(png: HandMadePNG) {
    let bytes = png.bytes
    let read = (0..<bytes.count).filter { isRead(Array(bytes[..<$0])) }
    #expect(read.isEmpty, "the first \(read) bytes")
  }

  @Test(arguments: kinds)
  func `refuse every flipped bit`(png: HandMadePNG) {
    let bytes = png.bytes
    let read = (0..<bytes.count * 8).filter { bit in
      var flipped = bytes
      flipped[bit / 8] ^= 1 << UInt8(bit % 8)
      return isRead(flipped)
    }
    #expect(read.isEmpty, "bits \(read)")
  }

  /// True where a portrait comes out, false where an error does.
  private func isRead(_ bytes: [UInt8]) -> Bool {
    do throws(PortraitError) {
      return try PNGCoding.decode(untrusted: bytes).width > 0
    } catch {
      return false
    }
  }

  @Test(arguments: 0..<200)
  func `survive wrong data under right checksums`(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    var png = Self.kinds[seed % Self.kinds.count]
    switch seed % 4 {
    case 0: png.bitDepth = [1, 2, 4, 8, 16].randomElement(using: &random) ?? 1
    case 1: png.colorType = Int.random(in: 0...7, using: &random)
    case 2: png.chunks.removeAll()
    default: png.width = Int.random(in: 1...11, using: &random)
    }
    png.samples = png.samples.map { $0.map { $0 & ((1 << png.bitDepth) - 1) } }
    png.chunks.append(("gAMA", (0..<4).map { _ in UInt8.random(in: 0...255, using: &random) }))
    do throws(PortraitError) {
      let portrait = try PNGCoding.decode(untrusted: png.bytes)
      #expect(portrait.pixels.count == portrait.width * portrait.height)
    } catch {
      #expect(error != .notPNG)
    }
  }

  @Test func `say what is wrong with a file`() {
    var huge = Self.kinds[0]
    huge.width = 4097
    huge.height = 1
    huge.samples = Array(repeating: [0], count: 4097)
    #expect(throws: PortraitError.size(width: 4097, height: 1)) {
      try PNGCoding.decode(untrusted: huge.bytes)
    }
    #expect(throws: PortraitError.notPNG) {
      try PNGCoding.decode(untrusted: Array("GIF89a, more or less".utf8))
    }
    #expect(throws: PortraitError.cut(offset: 0)) { try PNGCoding.decode(untrusted: []) }
    #expect(throws: PortraitError.cut(offset: 8)) {
      try PNGCoding.decode(untrusted: Array(huge.bytes.prefix(8)))
    }
  }

  @Test func `refuse a small file of a huge picture before they ask for memory`() {
    let header = HandMadePNG.chunk("IHDR", [0, 0, 16, 0, 0, 0, 16, 0, 8, 6, 0, 0, 0])
    let file =
      Array(Self.kinds[0].bytes.prefix(8)) + header
      + HandMadePNG.chunk("IDAT", Array(repeating: 0, count: 1000)) + HandMadePNG.chunk("IEND", [])
    #expect(throws: PortraitError.corruptPNG(.bomb, offset: 8)) {
      try PNGCoding.decode(untrusted: file)
    }
  }

  @Test(arguments: [30, 60, 100, 4000])
  func `read no more than their pixels need`(blockCount: Int) {
    // Four rows of one white pixel, then blocks of zeros that nobody asked for.
    let rows = [UInt8](repeating: 255, count: 5 * 4).enumerated().map { $0 % 5 == 0 ? 0 : $1 }
    var data: [UInt8] = [0x78, 0x01]
    for plain in [rows] + Array(repeating: [UInt8](repeating: 0, count: 1000), count: blockCount) {
      let length = [UInt8(plain.count & 255), UInt8(plain.count >> 8)]
      data += [0] + length + length.map { ~$0 } + plain
    }
    data += [1, 0, 0, 0xFF, 0xFF, 0, 0, 0, 0]
    let header = HandMadePNG.chunk("IHDR", [0, 0, 0, 1, 0, 0, 0, 4, 8, 6, 0, 0, 0])
    let file =
      Array(Self.kinds[0].bytes.prefix(8)) + header + HandMadePNG.chunk("IDAT", data)
      + HandMadePNG.chunk("IEND", [])
    do throws(PortraitError) {
      let portrait = try PNGCoding.decode(untrusted: file)
      #expect(blockCount <= 60 && portrait.pixels.allSatisfy { $0.bits == .max })
    } catch {
      #expect(blockCount > 60 && error == .png("more data than pixels"), "\(error)")
    }
  }
}
