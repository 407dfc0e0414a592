import CDexShim

/// The first bytes of a log file: whose log it is.
///
/// Zeros follow, up to `LogGeometry.headerByteCount`. The header is written once, before the log's
/// first frame, and never changed.
package struct LogFileHeader: Equatable, Sendable {
  /// The fixed fields, little-endian.
  package enum Layout {
    static let magic = Field<UInt64>("magic", at: 0, "the bytes \"dex log\\n\"")
    static let version = Field<UInt32>("version", at: 8, "format version: 1")
    static let checksum = Field<UInt32>("checksum", at: 12, "CRC-32C of bytes 0..<12, 16..<40")
    static let identityHigh = Field<UInt64>("identityHigh", at: 16, "identity of the store")
    static let identityLow = Field<UInt64>("identityLow", at: 24, "its second half")
    static let salt = Field<UInt64>("salt", at: 32, "salt of the log")

    package static let table = [
      magic.row, version.row, checksum.row, identityHigh.row, identityLow.row, salt.row,
    ]
  }

  /// The bytes "dex log\n", read as a little-endian integer.
  static let magic: UInt64 = 0x0A67_6F6C_2078_6564
  /// The format version that this code writes, and the newest that it reads.
  package static let version: UInt32 = 1

  /// The store that the log belongs to.
  package let identity: StoreIdentity
  /// The salt of the log's frames.
  package let salt: LogSalt

  /// The header of a log of the store `identity`.
  package init(identity: StoreIdentity, salt: LogSalt) {
    self.identity = identity
    self.salt = salt
  }

  /// Takes `bytes`, the start of the file at `path`, as a header, believing nothing they say.
  ///
  /// - Throws: `.corrupt` where the checksum does not fit, `.foreignLog` where the file is whole
  ///   but no log, `.unsupportedVersion`.
  package init(untrusted bytes: UnsafeRawBufferPointer, path: String) throws(StoreError) {
    // Safe: the guard establishes that all fields are there.
    guard bytes.count >= Layout.salt.end else {
      throw .corrupt(Damage(path: path, .truncated(byteCount: bytes.count)))
    }
    let stored = unsafe Layout.checksum.load(from: bytes)
    let computed = unsafe Self.checksum(of: bytes)
    guard stored == computed else {
      throw .corrupt(Damage(path: path, .checksum(stored: stored, computed: computed)))
    }
    guard unsafe Layout.magic.load(from: bytes) == Self.magic else {
      throw .foreignLog(path: path)
    }
    let version = unsafe Layout.version.load(from: bytes)
    guard version == Self.version else {
      throw .unsupportedVersion(path: path, found: Int(version), supported: Int(Self.version))
    }
    unsafe identity = StoreIdentity(
      high: Layout.identityHigh.load(from: bytes), low: Layout.identityLow.load(from: bytes))
    unsafe salt = LogSalt(Layout.salt.load(from: bytes))
  }

  /// The header's bytes, zeros included.
  package var bytes: [UInt8] {
    var result = [UInt8](repeating: 0, count: LogGeometry.headerByteCount)
    // Safe: the array is longer than the fields.
    unsafe result.withUnsafeMutableBytes { bytes in
      unsafe Layout.magic.store(Self.magic, into: bytes)
      unsafe Layout.version.store(Self.version, into: bytes)
      unsafe Layout.identityHigh.store(identity.high, into: bytes)
      unsafe Layout.identityLow.store(identity.low, into: bytes)
      unsafe Layout.salt.store(salt.rawValue, into: bytes)
      unsafe Layout.checksum.store(Self.checksum(of: UnsafeRawBufferPointer(bytes)), into: bytes)
    }
    return result
  }

  /// The checksum that belongs into a header whose other fields are in `bytes`.
  private static func checksum(of bytes: UnsafeRawBufferPointer) -> UInt32 {
    // Safe: both callers have established that all fields are there.
    guard let base = bytes.baseAddress else { return 0 }
    let start = unsafe dex_crc32c(0, base, Layout.checksum.offset)
    let rest = Layout.checksum.end..<Layout.salt.end
    return unsafe dex_crc32c(start, base + rest.lowerBound, rest.count)
  }
}
