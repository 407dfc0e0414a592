/// Bytes that numbers and texts are put behind each other in, little-endian.
struct ByteSink {
  private(set) var bytes: [UInt8] = []

  mutating func put<Value: FixedWidthInteger>(_ value: Value) {
    for shift in stride(from: 0, to: Value.bitWidth, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  mutating func put(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

  /// Puts the lengths of all of `texts`, in a byte each, and then the texts themselves.
  mutating func put(texts: [String]) throws(FactError) {
    for text in texts {
      guard let count = UInt8(exactly: text.utf8.count) else {
        throw FactError(table: "texts", "longer than 255 bytes: \(text)")
      }
      bytes.append(count)
    }
    for text in texts { bytes.append(contentsOf: text.utf8) }
  }
}
