/// Gathers bytes in the forms that `ByteReader` reads.
struct ByteWriter: Sendable {
  var bytes: [UInt8] = []

  mutating func byte(_ byte: UInt8) { bytes.append(byte) }

  mutating func variable(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  mutating func zigzag(_ value: Int64) {
    variable(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
  }

  mutating func real(_ value: Double) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: value.bitPattern >> shift))
    }
  }

  mutating func text(_ text: String) {
    variable(UInt64(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  mutating func byteArray(_ array: [UInt8]) {
    variable(UInt64(array.count))
    bytes.append(contentsOf: array)
  }
}
