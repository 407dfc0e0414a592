import CDexShim

/// The header of a frame: what one transaction adds to the log, and how to know it for true.
///
/// The body follows the header; zeros follow the body up to the next multiple of 8, where the next
/// frame starts. Both checksums are seeded by the log's salt and by the frame's position (epoch,
/// half and offset), so no copy of a frame, no frame of an older log and no value that looks like
/// a frame is ever taken for one. Header and body are checked separately, so that a scan past
/// damage reads headers only.
package struct LogFrame: Equatable, Sendable {
  /// The fixed fields, little-endian.
  package enum Layout {
    static let headerChecksum = Field<UInt32>(
      "headerChecksum", at: 0, "CRC-32C, seeded, of bytes 4..<40")
    static let bodyChecksum = Field<UInt32>("bodyChecksum", at: 4, "CRC-32C, seeded, of the body")
    static let bodyByteCount = Field<UInt32>("bodyByteCount", at: 8, "length of the body")
    static let epoch = Field<UInt32>("epoch", at: 12, "the epoch of the half")
    static let transaction = Field<UInt64>("transaction", at: 16, "transaction number")
    static let newestDurable = Field<UInt64>(
      "newestDurable", at: 24, "newest transaction known durable when this was written")
    static let kind = Field<UInt32>("kind", at: 32, "1: commit, 2: mark")
    static let reserved = Field<UInt32>("reserved", at: 36, "zero")

    package static let table = [
      headerChecksum.row, bodyChecksum.row, bodyByteCount.row, epoch.row, transaction.row,
      newestDurable.row, kind.row, reserved.row,
    ]
  }

  /// What a frame stands for.
  package enum Kind: UInt32, Sendable {
    /// A transaction; the body holds its operations.
    case commit = 1
    /// No transaction: says after a quiet moment what is durable. Carries the newest number.
    case mark = 2
  }

  /// The length of the header.
  package static let headerByteCount = 40
  /// The longest body; a larger transaction commits by a checkpoint.
  package static let maximumBodyByteCount = 16 << 20

  /// What the frame stands for.
  package let kind: Kind
  /// The transaction, or for a mark the newest one before it.
  package let transaction: TransactionNumber
  /// The newest transaction that was known durable when the frame was written.
  package let newestDurable: TransactionNumber
  /// The length of the body.
  package let bodyByteCount: Int
  /// The body's checksum, as the header has it.
  package let bodyChecksum: UInt32

  /// The length of a frame with a body of `bodyByteCount` bytes, header and padding included.
  package static func byteCount(body bodyByteCount: Int) -> Int {
    (headerByteCount + bodyByteCount + 7) & ~7
  }

  /// The length of the frame, header and padding included.
  package var byteCount: Int { Self.byteCount(body: bodyByteCount) }

  /// The frame whose body is `body`, at `position`.
  package init(
    _ kind: Kind, transaction: TransactionNumber, newestDurable: TransactionNumber,
    body: UnsafeRawBufferPointer, at position: LogPosition, salt: LogSalt
  ) {
    precondition(
      body.count <= Self.maximumBodyByteCount, "a frame's body of \(body.count) bytes")
    precondition(
      newestDurable <= transaction, "\(newestDurable) is durable before \(transaction)")
    self.kind = kind
    self.transaction = transaction
    self.newestDurable = newestDurable
    // Safe: the caller lends the body for this call.
    bodyByteCount = body.count
    unsafe bodyChecksum = crc(body, after: Self.seed(salt, position))
  }

  /// The frame whose header is the first 40 bytes of `bytes`, or nil where they are no header that
  /// was written at this very `position`.
  ///
  /// `room` is what the half holds from `position` on; a frame that is longer is none.
  package init?(
    untrusted bytes: UnsafeRawBufferPointer, at position: LogPosition, salt: LogSalt, room: Int
  ) {
    // Safe: the guard establishes that the header's bytes are there.
    guard bytes.count >= Self.headerByteCount else { return nil }
    let header = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<Self.headerByteCount])
    guard unsafe Layout.epoch.load(from: header) == position.epoch,
      let kind = unsafe Kind(rawValue: Layout.kind.load(from: header)),
      unsafe Layout.reserved.load(from: header) == 0
    else { return nil }
    unsafe bodyByteCount = Int(Layout.bodyByteCount.load(from: header))
    guard bodyByteCount <= Self.maximumBodyByteCount, Self.byteCount(body: bodyByteCount) <= room,
      unsafe crc(Self.checked(header), after: Self.seed(salt, position))
        == Layout.headerChecksum.load(from: header)
    else { return nil }
    self.kind = kind
    unsafe transaction = TransactionNumber(Layout.transaction.load(from: header))
    unsafe newestDurable = TransactionNumber(Layout.newestDurable.load(from: header))
    unsafe bodyChecksum = Layout.bodyChecksum.load(from: header)
  }

  /// The first place in `bytes` from `offset` on, in steps of 8, where a header may start; nil
  /// where there is none.
  ///
  /// Few other bytes look like a kind and what follows it.
  package static func candidate(
    in bytes: UnsafeRawBufferPointer, from offset: Int
  ) -> Int? {
    let first = offset + Layout.kind.offset
    let count = (bytes.count - first) / 8
    // Safe: the words lie in the bytes from `first` on.
    guard count > 0, let base = bytes.baseAddress else { return nil }
    let index = unsafe dex_find_word(
      base + first, count, UInt64(Kind.commit.rawValue), UInt64(Kind.mark.rawValue))
    return index < count ? offset + 8 * index : nil
  }

  /// True where `body` is the body that the header promised.
  package func accepts(
    untrusted body: UnsafeRawBufferPointer, at position: LogPosition, salt: LogSalt
  ) -> Bool {
    // Safe: the caller lends the body for this call.
    guard body.count == bodyByteCount else { return false }
    return unsafe crc(body, after: Self.seed(salt, position)) == bodyChecksum
  }

  /// Writes the header into the first 40 bytes of `bytes`.
  package func store(
    into bytes: UnsafeMutableRawBufferPointer, at position: LogPosition, salt: LogSalt
  ) {
    // Safe: rebasing checks that there are 40 bytes.
    let header = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[..<Self.headerByteCount])
    unsafe Layout.bodyChecksum.store(bodyChecksum, into: header)
    unsafe Layout.bodyByteCount.store(UInt32(bodyByteCount), into: header)
    unsafe Layout.epoch.store(position.epoch, into: header)
    unsafe Layout.transaction.store(transaction.rawValue, into: header)
    unsafe Layout.newestDurable.store(newestDurable.rawValue, into: header)
    unsafe Layout.kind.store(kind.rawValue, into: header)
    unsafe Layout.reserved.store(0, into: header)
    let checked = unsafe Self.checked(UnsafeRawBufferPointer(header))
    unsafe Layout.headerChecksum.store(
      crc(checked, after: Self.seed(salt, position)), into: header)
  }

  /// The bytes of a header that its checksum covers.
  private static func checked(_ header: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    // Safe: a header has 40 bytes, as both callers have established.
    unsafe UnsafeRawBufferPointer(rebasing: header[Layout.headerChecksum.end...])
  }

  /// The checksum of 24 bytes that no two places of all logs share.
  private static func seed(_ salt: LogSalt, _ position: LogPosition) -> UInt32 {
    let place = UInt64(position.half) << 32 | UInt64(position.epoch)
    let words = (
      salt.rawValue.littleEndian, place.littleEndian, UInt64(position.offset).littleEndian
    )
    // Safe: the bytes of a local value.
    return unsafe withUnsafeBytes(of: words) { bytes in unsafe crc(bytes, after: 0) }
  }
}

/// The CRC-32C of all bytes so far, whose checksum was `checksum`, and of `bytes`.
private func crc(_ bytes: UnsafeRawBufferPointer, after checksum: UInt32) -> UInt32 {
  // Safe: the pointer and the count belong together.
  guard let base = bytes.baseAddress else { return checksum }
  return unsafe dex_crc32c(checksum, base, bytes.count)
}
