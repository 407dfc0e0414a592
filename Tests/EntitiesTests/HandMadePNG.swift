import Testing

/// A PNG file made without libpng: rows without a filter in deflated data that is only stored.
struct HandMadePNG: Sendable, CustomTestStringConvertible {
  var width: Int
  var height: Int
  var bitDepth: Int
  /// 0 gray, 2 colour, 3 palette, 4 gray and alpha, 6 colour and alpha.
  var colorType: Int
  var isInterlaced = false
  /// Chunks between header and data, such as a palette.
  var chunks: [(type: String, data: [UInt8])] = []
  /// The numbers that make each pixel, row by row.
  var samples: [[Int]]

  var testDescription: String {
    "type \(colorType), \(bitDepth) bits\(isInterlaced ? ", interlaced" : "")"
  }

  var bytes: [UInt8] {
    var header = Self.bigEndian(width) + Self.bigEndian(height)
    header += [UInt8(bitDepth), UInt8(colorType), 0, 0, isInterlaced ? 1 : 0]
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    file += Self.chunk("IHDR", header)
    for (type, data) in chunks { file += Self.chunk(type, data) }
    return file + Self.chunk("IDAT", Self.stored(scanlines)) + Self.chunk("IEND", [])
  }

  /// First column and row of each pass of Adam7, and its steps.
  private static let passes = [
    (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
    (0, 1, 1, 2),
  ]

  private var scanlines: [UInt8] {
    let passes = isInterlaced ? Self.passes : [(0, 0, 1, 1)]
    return passes.flatMap { left, top, across, down in
      stride(from: top, to: height, by: down).flatMap { row -> [UInt8] in
        let columns = Array(stride(from: left, to: width, by: across))
        if columns.isEmpty { return [] }
        return [0] + packed(columns.flatMap { samples[row * width + $0] })
      }
    }
  }

  /// Samples in bytes, the first in the highest bits.
  private func packed(_ samples: [Int]) -> [UInt8] {
    var bits: [Int] = []
    for sample in samples {
      for place in stride(from: bitDepth - 1, through: 0, by: -1) {
        bits.append(sample >> place & 1)
      }
    }
    while bits.count % 8 != 0 { bits.append(0) }
    return stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | UInt8($1) }
    }
  }

  /// zlib's frame about stored blocks.
  private static func stored(_ plain: [UInt8]) -> [UInt8] {
    precondition(plain.count < 65536)
    let length = [UInt8(plain.count & 255), UInt8(plain.count >> 8)]
    var low = 1
    var high = 0
    for byte in plain {
      low = (low + Int(byte)) % 65521
      high = (high + low) % 65521
    }
    return [0x78, 0x01, 1] + length + length.map { ~$0 } + plain + bigEndian(high << 16 | low)
  }

  static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let checked = Array(type.utf8) + data
    return bigEndian(data.count) + checked + bigEndian(Int(checksum(checked)))
  }

  /// CRC-32, bit by bit.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var register = ~UInt32(0)
    for byte in bytes {
      for place in 0..<8 {
        let bit = (register ^ UInt32(byte) >> UInt32(place)) & 1
        register = register >> 1 ^ (bit == 1 ? 0xEDB8_8320 : 0)
      }
    }
    return ~register
  }

  private static func bigEndian(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}
