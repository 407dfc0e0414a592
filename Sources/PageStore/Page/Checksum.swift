internal import CDexShim

/// CRC-32C (Castagnoli), as pages, references and the meta pages carry it.
///
/// A stored checksum is never 0, so that 0 can say "not written yet": where the CRC is 0, 1 is
/// stored. Source: RFC 3720, appendix B.4.
enum Checksum {
  /// The checksum of `bytes`.
  static func of(_ bytes: ByteView) -> UInt32 {
    // Safe: the view's bytes are alive, and as many as it says.
    let crc = unsafe dex_crc32c(0, bytes.start, bytes.count)
    return crc == 0 ? 1 : crc
  }

  /// The checksum of a page: over everything after the field that holds it.
  static func ofPage(_ page: PageBytes, pageByteCount: Int) -> UInt32 {
    of(page.bytes(4, pageByteCount &- 4))
  }
}
