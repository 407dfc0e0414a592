/// The pixels of an encoded portrait's body.
enum PixelDecoder {
  /// The pixels of a body that holds the four channels of each.
  static func channels(
    _ body: RawSpan, of header: PortraitHeader
  ) throws(PortraitError) -> [PixelColor] {
    var isWhole = false
    // Safe: the array has four bytes for each pixel, which are all written before they count.
    let pixels = unsafe [PixelColor](unsafeUninitializedCapacity: header.pixelCount) {
      buffer, count in
      let target = UnsafeMutableRawBufferPointer(buffer)
      switch header.compression {
      case .none:
        unsafe body.withUnsafeBytes { unsafe target.copyMemory(from: $0) }
        isWhole = true
      case .lz4: isWhole = unsafe LZ4Block.decompress(body, into: target)
      }
      if !isWhole { return }
      #if _endian(big)
        for place in 0..<header.pixelCount {
          unsafe buffer[place].bits = unsafe buffer[place].bits.byteSwapped
        }
      #endif
      count = header.pixelCount
    }
    guard isWhole else { throw .corrupt(.lz4) }
    return pixels
  }

  /// The pixels of a body that holds their places in `palette`.
  static func indexed(
    _ body: RawSpan, palette: RawSpan, of header: PortraitHeader
  ) throws(PortraitError) -> [PixelColor] {
    let table = colorTable(palette)
    if header.compression == .none { return try expand(body, by: table, of: header) }
    var result: Result<[PixelColor], PortraitError> = .failure(.corrupt(.lz4))
    // Safe: the memory is this call's own, and is filled before it is read.
    unsafe withUnsafeTemporaryAllocation(byteCount: header.plainByteCount, alignment: 16) { plain in
      guard unsafe LZ4Block.decompress(body, into: plain) else { return }
      do throws(PortraitError) {
        result = .success(try expand(unsafe plain.bytes, by: table, of: header))
      } catch {
        result = .failure(error)
      }
    }
    return try result.get()
  }

  /// A colour for each value of a byte, so that a look-up needs no check.
  private static func colorTable(_ palette: RawSpan) -> InlineArray<256, PixelColor> {
    var table = InlineArray<256, PixelColor>(repeating: .clear)
    for index in 0..<palette.byteCount / 4 {
      // Safe: the offset is checked by the call, and four bytes of any value are a number.
      let bits = unsafe palette.unsafeLoadUnaligned(fromByteOffset: index * 4, as: UInt32.self)
      table[index] = PixelColor(bits: UInt32(littleEndian: bits))
    }
    return table
  }

  /// A pixel of `table` for each index in `plain`.
  private static func expand(
    _ plain: RawSpan, by table: InlineArray<256, PixelColor>, of header: PortraitHeader
  ) throws(PortraitError) -> [PixelColor] {
    let pixelCount = header.pixelCount
    var largest = 0
    // Safe: the array has room for `pixelCount` pixels, the loops write just as many, and `plain`
    // has the bits of as many.
    let pixels = unsafe [PixelColor](unsafeUninitializedCapacity: pixelCount) { buffer, count in
      unsafe plain.withUnsafeBytes { bytes in
        largest =
          switch header.bitsPerPixel {
          case 8: unsafe expandBytes(bytes, by: table, into: buffer)
          case 4: unsafe expandFractions(bytes, by: table, into: buffer, bits: 4)
          case 2: unsafe expandFractions(bytes, by: table, into: buffer, bits: 2)
          default: unsafe expandFractions(bytes, by: table, into: buffer, bits: 1)
          }
      }
      count = pixelCount
    }
    guard largest < header.paletteCount else {
      throw .corrupt(.colorIndex(largest, paletteCount: header.paletteCount))
    }
    try checkPadding(plain, of: header)
    return pixels
  }

  /// Writes the colour of each byte; returns the largest of them.
  private static func expandBytes(
    _ bytes: UnsafeRawBufferPointer, by table: InlineArray<256, PixelColor>,
    into pixels: UnsafeMutableBufferPointer<PixelColor>
  ) -> Int {
    var largest: UInt8 = 0
    for place in 0..<pixels.count {
      // Safe: there is a byte for each pixel.
      let index = unsafe bytes[place]
      largest = max(largest, index)
      unsafe pixels[place] = table[Int(index)]
    }
    return Int(largest)
  }

  /// Writes the colour of each group of `bits` bits; returns the largest index.
  @inline(__always)
  private static func expandFractions(
    _ bytes: UnsafeRawBufferPointer, by table: InlineArray<256, PixelColor>,
    into pixels: UnsafeMutableBufferPointer<PixelColor>, bits: Int
  ) -> Int {
    let perByte = 8 / bits
    let mask = (1 << bits) - 1
    var largest = 0
    var place = 0
    for whole in 0..<pixels.count / perByte {
      // Safe: the byte holds `perByte` pixels of those that there are.
      var byte = Int(unsafe bytes[whole])
      for _ in 0..<perByte {
        largest = max(largest, byte & mask)
        unsafe pixels[place] = table[byte & mask]
        byte >>= bits
        place += 1
      }
    }
    if place == pixels.count { return largest }

    // Safe: a last byte follows where the pixels do not end with a whole one.
    var byte = Int(unsafe bytes[bytes.count - 1])
    while place < pixels.count {
      largest = max(largest, byte & mask)
      unsafe pixels[place] = table[byte & mask]
      byte >>= bits
      place += 1
    }
    return largest
  }

  /// Throws where bits after the last pixel are set, which the encoder leaves at zero.
  private static func checkPadding(
    _ plain: RawSpan, of header: PortraitHeader
  ) throws(PortraitError) {
    let used = header.pixelCount * header.bitsPerPixel % 8
    // Safe: a portrait has at least one pixel, so there is a last byte; the call checks the offset.
    let last = unsafe plain.unsafeLoad(fromByteOffset: plain.byteCount - 1, as: UInt8.self)
    guard used == 0 || last >> UInt8(used) == 0 else { throw .corrupt(.padding) }
  }
}
