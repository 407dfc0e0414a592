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
    var result: Result<[PixelColor], PortraitError> = .failure(.corrupt(.lz4))
    // Safe: the memory is this call's own, and is filled before it is read.
    unsafe withUnsafeTemporaryAllocation(of: PixelColor.self, capacity: 256) { table in
      unsafe fill(table, from: palette)
      if header.compression == .none {
        result = unsafe expand(body, by: table, of: header)
        return
      }
      unsafe withUnsafeTemporaryAllocation(byteCount: header.plainByteCount, alignment: 16) {
        plain in
        guard unsafe LZ4Block.decompress(body, into: plain) else { return }
        result = unsafe expand(plain.bytes, by: table, of: header)
      }
    }
    return try result.get()
  }

  /// Fills `table` with a colour for each value of a byte, so that a look-up needs no check.
  private static func fill(
    _ table: UnsafeMutableBufferPointer<PixelColor>, from palette: RawSpan
  ) {
    // Safe: the table has 256 colours.
    unsafe table.initialize(repeating: .clear)
    for index in 0..<palette.byteCount / 4 {
      // Safe: the offset is checked by the call, four bytes of any value are a number, and a
      // palette has at most 256 colours.
      let bits = unsafe palette.unsafeLoadUnaligned(fromByteOffset: index * 4, as: UInt32.self)
      unsafe table[index] = PixelColor(bits: UInt32(littleEndian: bits))
    }
  }

  /// A pixel of `table` for each index in `plain`.
  private static func expand(
    _ plain: RawSpan, by table: UnsafeMutableBufferPointer<PixelColor>, of header: PortraitHeader
  ) -> Result<[PixelColor], PortraitError> {
    var largest = 0
    // Safe: the array has room for all pixels, the loops write just as many, and `plain` has the
    // bits of as many.
    let pixels = unsafe [PixelColor](unsafeUninitializedCapacity: header.pixelCount) {
      buffer, count in
      let target = unsafe UnsafeMutableBufferPointer(rebasing: buffer[..<header.pixelCount])
      unsafe plain.withUnsafeBytes { bytes in
        switch header.bitsPerPixel {
        case 8:
          largest = unsafe largestIndex(bytes, bits: 8)
          unsafe expandBytes(bytes, by: table, into: target)
        case 4:
          largest = unsafe largestIndex(bytes, bits: 4)
          unsafe expandFractions(bytes, by: table, into: target, bits: 4)
        case 2:
          largest = unsafe largestIndex(bytes, bits: 2)
          unsafe expandFractions(bytes, by: table, into: target, bits: 2)
        default:
          largest = unsafe largestIndex(bytes, bits: 1)
          unsafe expandFractions(bytes, by: table, into: target, bits: 1)
        }
      }
      count = header.pixelCount
    }
    guard largest < header.paletteCount else {
      return .failure(.corrupt(.colorIndex(largest, paletteCount: header.paletteCount)))
    }
    return hasPadding(plain, of: header) ? .failure(.corrupt(.padding)) : .success(pixels)
  }

  /// The largest index that `bytes` hold.
  ///
  /// A loop apart from the one that looks colours up: it becomes vector instructions.
  @inline(__always)
  private static func largestIndex(_ bytes: UnsafeRawBufferPointer, bits: Int) -> Int {
    let mask = UInt8((1 << bits) - 1)
    var largest: UInt8 = 0
    for shift in stride(from: UInt8(0), to: 8, by: bits) {
      // Safe: each place is one of the buffer's.
      for place in 0..<bytes.count { largest = max(largest, unsafe bytes[place] &>> shift & mask) }
    }
    return Int(largest)
  }

  /// Writes the colour of each byte.
  private static func expandBytes(
    _ bytes: UnsafeRawBufferPointer, by table: UnsafeMutableBufferPointer<PixelColor>,
    into pixels: UnsafeMutableBufferPointer<PixelColor>
  ) {
    guard let source = bytes.baseAddress, let colors = table.baseAddress,
      let target = pixels.baseAddress
    else { return }
    for place in 0..<pixels.count {
      // Safe: there is a byte for each pixel, and a colour for each value of a byte.
      unsafe target[place] =
        unsafe colors[Int(source.load(fromByteOffset: place, as: UInt8.self))]
    }
  }

  /// Writes the colour of each group of `bits` bits.
  @inline(__always)
  private static func expandFractions(
    _ bytes: UnsafeRawBufferPointer, by table: UnsafeMutableBufferPointer<PixelColor>,
    into pixels: UnsafeMutableBufferPointer<PixelColor>, bits: Int
  ) {
    guard let source = bytes.baseAddress, let colors = table.baseAddress,
      var target = pixels.baseAddress
    else { return }
    let perByte = 8 / bits
    let mask = (1 << bits) - 1
    for whole in 0..<pixels.count / perByte {
      // Safe: the byte holds `perByte` pixels of those that there are.
      let byte = Int(unsafe source.load(fromByteOffset: whole, as: UInt8.self))
      for place in 0..<perByte {
        unsafe target[place] = unsafe colors[byte &>> (place &* bits) & mask]
      }
      unsafe target += perByte
    }
    let left = pixels.count % perByte
    if left == 0 { return }

    // Safe: a last byte follows where the pixels do not end with a whole one.
    let byte = Int(unsafe bytes[bytes.count - 1])
    for place in 0..<left { unsafe target[place] = unsafe colors[byte &>> (place &* bits) & mask] }
  }

  /// True where bits after the last pixel are set, which the encoder leaves at zero.
  private static func hasPadding(_ plain: RawSpan, of header: PortraitHeader) -> Bool {
    let used = header.pixelCount * header.bitsPerPixel % 8
    // Safe: a portrait has at least one pixel, so there is a last byte; the call checks the offset.
    let last = unsafe plain.unsafeLoad(fromByteOffset: plain.byteCount - 1, as: UInt8.self)
    return used != 0 && last >> UInt8(used) != 0
  }
}
