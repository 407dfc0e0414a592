/// What a meta page says: the newest state that is durable, and how to go on from there.
///
/// Pages 0 and 1 are meta pages, mirrors of each other at rest. The fields lie within the first 512
/// bytes, the unit that a disk writes whole, and the checksum covers just these.
package struct MetaPage: Equatable, Sendable {
  /// The bytes of a meta page that mean something.
  package static let byteCount = 512
  /// The format that this version writes, and the newest that it reads.
  package static let version: UInt32 = 1
  /// "PageStor", as a little-endian number.
  static let magic: UInt64 = 0x726F_7453_6567_6150

  /// The bytes of the magic number, as they stand in a file.
  static var magicBytes: [UInt8] { Array("PageStor".utf8) }

  /// The fields, little-endian.
  package enum Layout {
    static let checksum = Field<UInt32>("checksum", at: 0, "CRC-32C of bytes 4..<512")
    static let version = Field<UInt32>("version", at: 4, "the format: 1")
    static let magic = Field<UInt64>("magic", at: 8, "\"PageStor\"")
    static let identityHigh = Field<UInt64>("identity", at: 16, "the store's identity")
    static let identityLow = Field<UInt64>("identity, rest", at: 24, "and the rest of it")
    static let transaction = Field<UInt64>("transaction", at: 32, "the durable state")
    static let pageByteCount = Field<UInt32>("page size", at: 40, "4096, 8192 or 16384")
    static let pageCount = Field<UInt32>("page count", at: 44, "one past the last page in use")
    static let catalogRoot = Field<UInt32>("catalog root", at: 48, "0: no tables")
    static let catalogChecksum = Field<UInt32>("catalog checksum", at: 52, "of the root")
    static let catalogLevel = Field<UInt8>("catalog level", at: 56, "of the root")
    static let logHalf = Field<UInt8>("log half", at: 57, "where replay begins")
    static let mapPage = Field<UInt32>("map page", at: 60, "first page of the map of space")
    static let mapByteCount = Field<UInt32>("map size", at: 64, "bytes of the map")
    static let mapChecksum = Field<UInt32>("map checksum", at: 68, "CRC-32C of these bytes")
    static let logEpoch = Field<UInt32>("log epoch", at: 72, "where replay begins")
    static let logOffset = Field<UInt32>("log offset", at: 76, "where replay begins")
    static let logSalt = Field<UInt64>("log salt", at: 80, "0: there is no log")
    static let mapPageCount = Field<UInt32>("map pages", at: 88, "pages of the map's run")

    /// The rows of the table in FORMAT.md.
    package static let table = [
      checksum.row, version.row, magic.row, identityHigh.row, identityLow.row, transaction.row,
      pageByteCount.row, pageCount.row, catalogRoot.row, catalogChecksum.row, catalogLevel.row,
      logHalf.row, mapPage.row, mapByteCount.row, mapChecksum.row, logEpoch.row, logOffset.row,
      logSalt.row, mapPageCount.row,
    ]
  }

  var identity: StoreIdentity
  var transaction: TransactionNumber
  var pageByteCount: Int
  var pageCount: Int
  var catalogRoot: PageID
  var catalogChecksum: UInt32
  var catalogLevel: Int
  var mapPage: PageID
  var mapPageCount: Int
  var mapByteCount: Int
  var mapChecksum: UInt32
  /// The salt of the log that goes on from this state; 0 where there is none.
  var logSalt: UInt64
  var logHalf: Int
  var logEpoch: UInt32
  var logOffset: Int

  /// The page's first 512 bytes.
  var bytes: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: MetaPage.byteCount)
    func set<Value>(_ field: Field<Value>, _ value: Int) { set(field, UInt64(value)) }
    func set<Value>(_ field: Field<Value>, _ value: UInt64) {
      for index in 0..<Value.bitWidth / 8 {
        bytes[field.offset + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * index))
      }
    }
    set(Layout.version, UInt64(MetaPage.version))
    set(Layout.magic, MetaPage.magic)
    set(Layout.identityHigh, identity.high)
    set(Layout.identityLow, identity.low)
    set(Layout.transaction, transaction.rawValue)
    set(Layout.pageByteCount, pageByteCount)
    set(Layout.pageCount, pageCount)
    set(Layout.catalogRoot, catalogRoot.index)
    set(Layout.catalogChecksum, Int(catalogChecksum))
    set(Layout.catalogLevel, catalogLevel)
    set(Layout.logHalf, logHalf)
    set(Layout.mapPage, mapPage.index)
    set(Layout.mapByteCount, mapByteCount)
    set(Layout.mapChecksum, Int(mapChecksum))
    set(Layout.logEpoch, Int(logEpoch))
    set(Layout.logOffset, logOffset)
    set(Layout.logSalt, logSalt)
    set(Layout.mapPageCount, mapPageCount)
    set(Layout.checksum, Int(MetaPage.checksum(of: bytes)))
    return bytes
  }

  private static func checksum(of bytes: [UInt8]) -> UInt32 {
    bytes.withBytes { Checksum.of($0.dropFirst(4)) }
  }

  /// What the first 512 bytes of a page say, or nil where they are no intact meta page.
  ///
  /// - Throws: `.unsupportedVersion` where they are one of a newer format.
  init?(untrusted bytes: [UInt8], path: String) throws(StoreError) {
    guard bytes.count == MetaPage.byteCount else { return nil }
    func get<Value>(_ field: Field<Value>) -> UInt64 {
      var value: UInt64 = 0
      for index in 0..<Value.bitWidth / 8 {
        value |= UInt64(bytes[field.offset + index]) << UInt64(8 * index)
      }
      return value
    }
    guard get(Layout.magic) == MetaPage.magic,
      get(Layout.checksum) == UInt64(MetaPage.checksum(of: bytes))
    else { return nil }
    let version = get(Layout.version)
    if version > UInt64(MetaPage.version) {
      throw .unsupportedVersion(
        path: path, found: Int(version), supported: Int(MetaPage.version))
    }
    identity = StoreIdentity(high: get(Layout.identityHigh), low: get(Layout.identityLow))
    transaction = TransactionNumber(get(Layout.transaction))
    pageByteCount = Int(get(Layout.pageByteCount))
    pageCount = Int(get(Layout.pageCount))
    catalogRoot = PageID(UInt32(get(Layout.catalogRoot)))
    catalogChecksum = UInt32(get(Layout.catalogChecksum))
    catalogLevel = Int(get(Layout.catalogLevel))
    mapPage = PageID(UInt32(get(Layout.mapPage)))
    mapPageCount = Int(get(Layout.mapPageCount))
    mapByteCount = Int(get(Layout.mapByteCount))
    mapChecksum = UInt32(get(Layout.mapChecksum))
    logSalt = get(Layout.logSalt)
    logHalf = Int(get(Layout.logHalf))
    logEpoch = UInt32(get(Layout.logEpoch))
    logOffset = Int(get(Layout.logOffset))
    guard version == UInt64(MetaPage.version), isConsistent else { return nil }
  }

  init(
    identity: StoreIdentity, transaction: TransactionNumber, pageByteCount: Int, pageCount: Int,
    catalogRoot: PageID, catalogChecksum: UInt32, catalogLevel: Int, mapPage: PageID,
    mapPageCount: Int, mapByteCount: Int, mapChecksum: UInt32
  ) {
    self.identity = identity
    self.transaction = transaction
    self.pageByteCount = pageByteCount
    self.pageCount = pageCount
    self.catalogRoot = catalogRoot
    self.catalogChecksum = catalogChecksum
    self.catalogLevel = catalogLevel
    self.mapPage = mapPage
    self.mapPageCount = mapPageCount
    self.mapByteCount = mapByteCount
    self.mapChecksum = mapChecksum
    logSalt = 0
    logHalf = 0
    logEpoch = 0
    logOffset = 0
  }

  /// True where the fields fit each other, as every writer's do.
  private var isConsistent: Bool {
    StoreLimits.pageByteCounts.contains(pageByteCount) && pageCount >= 2
      && (catalogRoot == .none || catalogRoot >= .firstAfterMetas)
      && catalogRoot.index < pageCount && catalogLevel < StoreLimits.levelCount
      && mapPage >= .firstAfterMetas && mapPageCount > 0
      && mapPage.index + mapPageCount <= pageCount
      && mapByteCount <= mapPageCount * pageByteCount && mapByteCount > 0
      && (catalogRoot == .none) == (catalogChecksum == 0) && logHalf < 2
      && transaction < .limit && logOffset % 8 == 0
  }
}
