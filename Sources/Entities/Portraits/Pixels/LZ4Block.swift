internal import CLZ4

/// One block of LZ4, whose plain length its reader knows.
enum LZ4Block {
  /// The block of `plain`, or nil where it would not be shorter.
  static func compress(_ plain: [UInt8], effort: PortraitCoding.Effort) -> [UInt8]? {
    guard plain.count > 1 else { return nil }
    let limit = plain.count - 1
    // Safe: liblz4 reads as many bytes as it is told the source has, and writes at most as many as
    // it is told that the target holds. Bytes of one size rebind to characters.
    let block = unsafe [UInt8](unsafeUninitializedCapacity: limit) { target, count in
      let written = unsafe plain.withUnsafeBytes { source -> Int32 in
        let from = unsafe source.bindMemory(to: CChar.self).baseAddress
        let to = unsafe UnsafeMutableRawBufferPointer(target).bindMemory(to: CChar.self).baseAddress
        return switch effort {
        case .fast: unsafe LZ4_compress_default(from, to, Int32(plain.count), Int32(limit))
        case .high:
          unsafe LZ4_compress_HC(
            from, to, Int32(plain.count), Int32(limit), LZ4HC_CLEVEL_MAX)
        }
      }
      count = Int(max(written, 0))
    }
    return block.isEmpty ? nil : block
  }

  /// The most bytes that a block of `byteCount` bytes can become.
  ///
  /// - Source: the LZ4 block format; a byte adds at most 255 to the length of a match.
  static func longestPlain(ofByteCount byteCount: Int) -> Int { byteCount * 255 }

  /// Fills `target` with what `block` holds; false unless it fills it exactly.
  static func decompress(_ block: RawSpan, into target: UnsafeMutableRawBufferPointer) -> Bool {
    // Safe: liblz4 stays within the two lengths that it is told, whatever the block says.
    let count = unsafe block.withUnsafeBytes { source in
      unsafe LZ4_decompress_safe(
        source.bindMemory(to: CChar.self).baseAddress,
        target.bindMemory(to: CChar.self).baseAddress, Int32(source.count), Int32(target.count))
    }
    return count == target.count
  }
}
