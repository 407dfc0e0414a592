/// The fixed part of an encoded portrait, checked against the length of the whole.
///
/// Invariants, true of every value of this type:
/// 1. Both sides are 1 to `Portrait.maximumSide`.
/// 2. `bitsPerPixel` is 1, 2, 4, 8 or 32, and the palette has no more colours than that can number.
/// 3. The body begins within the bytes, and could become `plainByteCount` bytes.
struct PortraitHeader {
  let bitsPerPixel: Int
  let compression: PortraitCoding.Compression
  let paletteCount: Int
  let width: Int
  let height: Int

  /// Where the body begins.
  var bodyStart: Int { PortraitCoding.Layout.byteCount + paletteCount * 4 }
  var pixelCount: Int { width * height }
  /// The length of the body before it was compressed.
  var plainByteCount: Int { (pixelCount * bitsPerPixel + 7) / 8 }

  /// Takes the header from `bytes`, believing nothing they say.
  init(untrusted bytes: RawSpan) throws(PortraitError) {
    typealias Layout = PortraitCoding.Layout
    try Portrait.checkByteCount(bytes.byteCount)
    guard bytes.byteCount >= 1 else { throw .cut(offset: 0) }
    guard bytes[Layout.version] == PortraitCoding.currentVersion else {
      throw .unknownVersion(bytes[Layout.version])
    }
    guard bytes.byteCount >= Layout.byteCount else { throw .cut(offset: bytes.byteCount) }
    let bits = bytes[Layout.bitsPerPixel]
    guard [1, 2, 4, 8, 32].contains(bits) else { throw .corrupt(.bitsPerPixel(bits)) }
    guard let compression = PortraitCoding.Compression(rawValue: bytes[Layout.compression]) else {
      throw .corrupt(.compression(bytes[Layout.compression]))
    }
    bitsPerPixel = Int(bits)
    self.compression = compression
    let lastColor = Int(bytes[Layout.lastColor])
    paletteCount = bits == 32 ? 0 : lastColor + 1
    guard bits == 32 ? lastColor == 0 : paletteCount <= 1 << bits else {
      throw .corrupt(.paletteCount(lastColor + 1))
    }
    width = bytes.side(at: Layout.width)
    height = bytes.side(at: Layout.height)
    try Portrait.checkSize(width: width, height: height)
    guard bytes.byteCount >= bodyStart else { throw .cut(offset: bytes.byteCount) }
    try checkBody(byteCount: bytes.byteCount - bodyStart)
  }

  private func checkBody(byteCount: Int) throws(PortraitError) {
    switch compression {
    case .none:
      guard byteCount == plainByteCount else {
        throw .corrupt(.bodyByteCount(byteCount, expected: plainByteCount))
      }
    case .lz4:
      guard plainByteCount <= LZ4Block.longestPlain(ofByteCount: byteCount) else {
        throw .corrupt(.bomb(bodyByteCount: byteCount, expected: plainByteCount))
      }
    }
  }
}

extension RawSpan {
  fileprivate subscript(offset: Int) -> UInt8 {
    // Safe: reading one byte has no alignment, and the call checks the offset.
    unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)
  }

  fileprivate func side(at offset: Int) -> Int { Int(self[offset]) | Int(self[offset + 1]) << 8 }
}
