/// Reading a map of space, believing nothing that its bytes say.
///
/// No count is used before it is known to fit the bytes that are there and the pages that the file
/// has, so hostile bytes cost no more memory than honest ones of the same length and file.
extension SpaceMap {
  /// Takes `bytes`, which may go on past the map, as the map of a file.
  ///
  /// - Parameters:
  ///   - bytes: The bytes, from the run that holds the map.
  ///   - path: The file's path, for errors.
  ///   - page: The first page of the run, for errors.
  ///   - maximumPageCount: The pages that the file can hold; a map of more is damaged.
  /// - Throws: `.corrupt`, or `.unsupportedVersion`.
  package init(
    untrusted bytes: [UInt8], path: String, page: PageID, maximumPageCount: Int
  ) throws(StoreError) {
    let reader = MapReader(bytes: bytes, path: path, page: page)
    let header = try MapHeader(reader, maximumPageCount: maximumPageCount)
    let bitmapRange = Layout.headerByteCount..<Layout.headerByteCount + header.bitmapByteCount
    let words =
      switch header.encoding {
      case .words: try reader.words(in: bitmapRange, pageCount: header.pageCount)
      case .runs: try reader.runs(in: bitmapRange, pageCount: header.pageCount)
      }
    guard let bitmap = PageBitmap(pageCount: header.pageCount, untrusted: words) else {
      throw reader.damage(.field("bitmap", words.first ?? 0))
    }
    guard bitmap.usedCount == header.usedCount else {
      throw reader.damage(
        .count("used pages", stored: UInt64(header.usedCount), found: UInt64(bitmap.usedCount)))
    }
    self.init(
      bitmap: bitmap,
      pending: try reader.pending(
        at: bitmapRange.upperBound, count: header.pendingCount, bitmap: bitmap),
      nextTableID: header.nextTableID, highestTransaction: header.highestTransaction,
      highestPageCount: header.highestPageCount)
  }
}

/// The header of a map, each count of it checked against what it counts.
private struct MapHeader {
  let encoding: SpaceMap.BitmapEncoding
  let pageCount: Int
  let usedCount: Int
  let bitmapByteCount: Int
  let pendingCount: Int
  let highestPageCount: Int
  let nextTableID: UInt64
  let highestTransaction: TransactionNumber

  init(_ reader: MapReader, maximumPageCount: Int) throws(StoreError) {
    typealias Layout = SpaceMap.Layout
    guard reader.bytes.count >= Layout.headerByteCount else {
      throw reader.damage(.truncated(byteCount: reader.bytes.count))
    }
    let version = reader.load(Layout.version, 2)
    guard version == Layout.currentVersion else {
      guard version > Layout.currentVersion else { throw reader.damage(.field("version", version)) }
      throw .unsupportedVersion(
        path: reader.path, found: Int(version), supported: Int(Layout.currentVersion))
    }
    let tag = reader.load(Layout.encoding, 2)
    guard let encoding = SpaceMap.BitmapEncoding(rawValue: tag) else {
      throw reader.damage(.field("bitmap encoding", tag))
    }
    self.encoding = encoding
    pageCount = Int(reader.load(Layout.pageCount, 4))
    usedCount = Int(reader.load(Layout.usedCount, 4))
    bitmapByteCount = Int(reader.load(Layout.bitmapByteCount, 4))
    pendingCount = Int(reader.load(Layout.pendingCount, 4))
    highestPageCount = Int(reader.load(Layout.highestPageCount, 4))
    nextTableID = reader.load(Layout.nextTableID, 8)
    highestTransaction = TransactionNumber(reader.load(Layout.highestTransaction, 8))
    guard (2...PageBitmap.maximumPageCount).contains(pageCount), pageCount <= maximumPageCount
    else { throw reader.damage(.field("page count", UInt64(pageCount))) }
    guard highestPageCount >= pageCount else {
      throw reader.damage(.field("highest page count", UInt64(highestPageCount)))
    }
    guard highestTransaction < .limit else {
      throw reader.damage(.field("highest transaction", highestTransaction.rawValue))
    }
    let byteCount =
      Layout.headerByteCount + bitmapByteCount + pendingCount * Layout.pendingByteCount
    guard reader.load(Layout.byteCount, 8) == UInt64(byteCount) else {
      throw reader.damage(
        .count("bytes", stored: reader.load(Layout.byteCount, 8), found: UInt64(byteCount)))
    }
    guard byteCount <= reader.bytes.count else {
      throw reader.damage(.truncated(byteCount: reader.bytes.count))
    }
  }
}

/// The bytes of a map, and where errors are said to be.
private struct MapReader {
  let bytes: [UInt8]
  let path: String
  let page: PageID

  func damage(_ problem: Damage.Problem) -> StoreError {
    .corrupt(Damage(path: path, page: page, problem))
  }

  /// The little-endian number in the `byteCount` bytes from `offset` on, which are there.
  func load(_ offset: Int, _ byteCount: Int) -> UInt64 {
    var value: UInt64 = 0
    for index in 0..<byteCount { value |= UInt64(bytes[offset + index]) << UInt64(index * 8) }
    return value
  }

  func words(in range: Range<Int>, pageCount: Int) throws(StoreError) -> [UInt64] {
    let count = (pageCount + 63) / 64
    guard range.count == count * 8 else {
      throw damage(.count("bitmap bytes", stored: UInt64(range.count), found: UInt64(count * 8)))
    }
    return (0..<count).map { load(range.lowerBound + $0 * 8, 8) }
  }

  func runs(in range: Range<Int>, pageCount: Int) throws(StoreError) -> [UInt64] {
    var words = [UInt64](repeating: 0, count: (pageCount + 63) / 64)
    var offset = range.lowerBound
    var position = 0
    var isUsed = true
    while offset < range.upperBound {
      let length = try variable(at: &offset, end: range.upperBound)
      guard length > 0, length <= pageCount - position else {
        throw damage(.field("length of a run of pages", UInt64(length)))
      }
      if isUsed { words.setBits(position..<position + length) }
      position += length
      isUsed.toggle()
    }
    guard position == pageCount else {
      throw damage(.count("pages", stored: UInt64(pageCount), found: UInt64(position)))
    }
    return words
  }

  /// The LEB128 number at `offset`, of 32 bits at most.
  private func variable(at offset: inout Int, end: Int) throws(StoreError) -> Int {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while offset < end, shift < 35 {
      let byte = bytes[offset]
      offset += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return Int(value) }
      shift += 7
    }
    throw damage(.field("length of a run of pages", value))
  }

  func pending(
    at start: Int, count: Int, bitmap: PageBitmap
  ) throws(StoreError) -> [PendingPage] {
    var pending: [PendingPage] = []
    pending.reserveCapacity(count)
    var previousEnd = 2
    for index in 0..<count {
      let offset = start + index * SpaceMap.Layout.pendingByteCount
      let first = PageID(UInt32(load(offset, 4)))
      let pageCount = load(offset + 4, 4)
      let birth = load(offset + 8, 8)
      let end = load(offset + 16, 8)
      guard pageCount > 0 else { throw damage(.field("pages of a pending run", pageCount)) }
      guard first >= .firstAfterMetas, first.index + Int(pageCount) <= bitmap.pageCount else {
        throw damage(.outOfBounds(first, pageCount: bitmap.pageCount))
      }
      guard first.index >= previousEnd else { throw damage(.usedTwice(first)) }
      guard birth < end else { throw damage(.field("birth of a pending page", birth)) }
      previousEnd = first.index + Int(pageCount)
      guard bitmap.isUsed(first.index..<previousEnd) else { throw damage(.notMapped(first)) }
      pending.append(
        PendingPage(
          first: first, pageCount: UInt32(pageCount), birth: TransactionNumber(birth),
          end: TransactionNumber(end)))
    }
    return pending
  }
}
