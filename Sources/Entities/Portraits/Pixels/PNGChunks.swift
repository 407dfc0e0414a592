/// What a PNG file says of itself, once all of its chunks were found whole.
///
/// libpng reads pixels from a file whose end is missing, and asks for memory by the header alone.
/// So the file is walked first: signature, each chunk's length and checksum, the end chunk.
struct PNGChunks {
  let width: Int
  let height: Int

  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  private static let headerType: UInt32 = 0x4948_4452
  private static let dataType: UInt32 = 0x4944_4154
  private static let endType: UInt32 = 0x4945_4E44
  /// Length and type before a chunk's data, and its checksum after.
  private static let frameByteCount = 12
  /// The most bytes that one byte of deflated data can become.
  private static let longestRatio = 1032

  /// Walks `file`, believing nothing it says.
  init(untrusted file: [UInt8]) throws(PortraitError) {
    try Portrait.checkByteCount(file.count)
    let lead = file.prefix(Self.signature.count)
    guard lead.elementsEqual(Self.signature.prefix(lead.count)) else { throw .notPNG }
    guard lead.count == Self.signature.count else { throw .cut(offset: 0) }
    let first = try Chunk(at: Self.signature.count, in: file)
    guard first.type == Self.headerType, first.byteCount == 13 else {
      throw .corruptPNG(.header, offset: first.offset)
    }
    let start = first.offset + 8
    width = Int(file.bigEndian(at: start))
    height = Int(file.bigEndian(at: start + 4))
    try Portrait.checkSize(width: width, height: height)
    let bitDepth = Int(file[start + 8])
    let channelCount = Self.channelCount(ofColorType: file[start + 9])
    var dataByteCount = 0
    var chunk = first
    while chunk.type != Self.endType {
      chunk = try Chunk(at: chunk.end, in: file)
      if chunk.type == Self.dataType { dataByteCount += chunk.byteCount }
    }
    let rowByteCount = (width * channelCount * bitDepth + 7) / 8
    guard rowByteCount * height <= dataByteCount * Self.longestRatio else {
      throw .corruptPNG(.bomb, offset: first.offset)
    }
  }

  /// The numbers that make a pixel, or 0 where there is no such type and libpng will say so.
  private static func channelCount(ofColorType type: UInt8) -> Int {
    switch type {
    case 0, 3: 1
    case 2: 3
    case 4: 2
    case 6: 4
    default: 0
    }
  }

  /// A chunk that lies wholly in the file and matches its checksum.
  private struct Chunk {
    let offset: Int
    let byteCount: Int
    let type: UInt32

    var end: Int { offset + PNGChunks.frameByteCount + byteCount }

    init(at offset: Int, in file: [UInt8]) throws(PortraitError) {
      guard file.count - offset >= PNGChunks.frameByteCount else { throw .cut(offset: offset) }
      self.offset = offset
      byteCount = Int(file.bigEndian(at: offset))
      type = file.bigEndian(at: offset + 4)
      guard byteCount <= file.count - offset - PNGChunks.frameByteCount else {
        throw .cut(offset: offset)
      }
      let checked = file[(offset + 4)..<(offset + 8 + byteCount)]
      guard CRC32.checksum(of: checked) == file.bigEndian(at: offset + 8 + byteCount) else {
        throw .corruptPNG(.checksum, offset: offset)
      }
    }
  }
}

/// The checksum of PNG: CRC-32 of ISO 3309.
private enum CRC32 {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in
      value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1
    }
  }

  static func checksum(of bytes: ArraySlice<UInt8>) -> UInt32 {
    let table = table
    return ~bytes.reduce(~UInt32(0)) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
  }
}

extension [UInt8] {
  fileprivate func bigEndian(at offset: Int) -> UInt32 {
    self[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }
}
