internal import CDexData
internal import CDexShim

/// The bytes of the file of facts that the program carries, and the C calls that reading it takes.
enum EmbeddedFacts {
  /// A copy of all of the file.
  static func bytes() -> [UInt8] {
    let count = dex_data_byte_count()
    // Safe: the C array is constant, and has as many bytes as its other function says.
    return unsafe Array(UnsafeBufferPointer(start: dex_data_bytes(), count: count))
  }

  /// The CRC-32C of `bytes`.
  static func checksum(of bytes: ArraySlice<UInt8>) -> UInt32 {
    // Safe: the buffer is alive, and as long as the call is told.
    unsafe bytes.withUnsafeBytes { buffer in
      guard let start = buffer.baseAddress else { return 0 }
      return unsafe dex_crc32c(0, start, buffer.count)
    }
  }

  /// The `byteCount` bytes that the LZ4 block `block` stands for, or nil where it stands for others.
  static func decompress(_ block: ArraySlice<UInt8>, byteCount: Int) -> [UInt8]? {
    var plain = [UInt8](repeating: 0, count: byteCount)
    // Safe: the array is alive while it is filled, and not longer than its buffer says.
    let isWhole = unsafe plain.withUnsafeMutableBytes { target in
      unsafe LZ4Block.decompress(block.span.bytes, into: target)
    }
    return isWhole ? plain : nil
  }
}
