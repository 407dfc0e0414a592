/// How a portrait becomes bytes and comes back.
///
/// Eight bytes, little-endian, lead: version, bits a pixel, compression, the number of colours less
/// one, width and height. Then come the colours of the palette, red, green, blue and alpha of each,
/// and the body: an index into the palette for each pixel, packed from the lowest bit on without
/// gaps between rows, or the four channels of each pixel where there are too many colours.
public enum PortraitCoding {
  /// The fixed part in front.
  enum Layout {
    static let version = 0
    static let bitsPerPixel = 1
    static let compression = 2
    static let lastColor = 3
    static let width = 4
    static let height = 6
    static let byteCount = 8
  }

  /// The version that this library writes, and the newest that it reads.
  static let currentVersion: UInt8 = 1
  /// The most colours that a palette can have.
  static let maximumPaletteCount = 256

  /// How the body is kept.
  enum Compression: UInt8 {
    case none = 0
    case lz4 = 1
  }

  /// How much work encoding may take.
  public enum Effort: Sendable {
    /// For what is written often: the fast compressor.
    case fast
    /// For what is written once and read often: the compressor that searches longest.
    case high
  }

  /// The bytes of `portrait`, with a palette where it has at most 256 colours.
  ///
  /// - Throws: `.tooLong` where they would be more than `Portrait.maximumByteCount`.
  /// - Complexity: O(pixels).
  public static func encode(
    _ portrait: Portrait, effort: Effort = .high
  ) throws(PortraitError) -> [UInt8] {
    let palette = PortraitPalette(of: portrait)
    let bitsPerPixel = palette?.bitsPerPixel ?? 32
    let colors = palette?.colors ?? []
    let plain = palette.map { $0.pack(portrait.pixels) } ?? channelBytes(of: portrait.pixels)
    let shorter = LZ4Block.compress(plain, effort: effort)
    let compression = shorter == nil ? Compression.none : .lz4
    let body = shorter ?? plain
    let byteCount = Layout.byteCount + colors.count * 4 + body.count
    try Portrait.checkByteCount(byteCount)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(byteCount)
    bytes += [currentVersion, UInt8(bitsPerPixel), compression.rawValue]
    bytes.append(UInt8(max(colors.count, 1) - 1))
    for side in [portrait.width, portrait.height] {
      bytes.append(UInt8(truncatingIfNeeded: side))
      bytes.append(UInt8(side >> 8))
    }
    bytes += channelBytes(of: colors)
    bytes += body
    return bytes
  }

  /// The portrait that `bytes` hold, believing nothing they say.
  ///
  /// Memory is asked for only once the length of the body shows that it can fill the picture.
  ///
  /// - Throws: what is wrong, `PortraitError`.
  /// - Complexity: O(pixels).
  public static func decode(untrusted bytes: [UInt8]) throws(PortraitError) -> Portrait {
    // Safe: bytes have no padding that could be read by mistake.
    try decode(untrusted: unsafe bytes.span.bytes)
  }

  /// The portrait that `bytes` hold, believing nothing they say.
  ///
  /// - Throws: what is wrong, `PortraitError`.
  /// - Complexity: O(pixels).
  public static func decode(untrusted bytes: RawSpan) throws(PortraitError) -> Portrait {
    let header = try PortraitHeader(untrusted: bytes)
    let body = bytes.extracting(header.bodyStart..<bytes.byteCount)
    let pixels =
      header.bitsPerPixel == 32
      ? try PixelDecoder.channels(body, of: header)
      : try PixelDecoder.indexed(
        body, palette: bytes.extracting(Layout.byteCount..<header.bodyStart), of: header)
    return Portrait(trusted: pixels, width: header.width, height: header.height)
  }

  /// Red, green, blue and alpha of each of `colors`.
  static func channelBytes(of colors: [PixelColor]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(colors.count * 4)
    for color in colors {
      bytes.append(color.red)
      bytes.append(color.green)
      bytes.append(color.blue)
      bytes.append(color.alpha)
    }
    return bytes
  }
}
