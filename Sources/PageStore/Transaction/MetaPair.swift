/// The two meta pages of a file, and which of them opening relies on.
struct MetaPair {
  private let first: MetaPage?
  private let second: MetaPage?
  /// The newer of the two, or the only one that is whole.
  let newest: MetaPage

  /// Reads both pages.
  ///
  /// - Throws: `.corrupt` with `.noMetaPage` where neither is whole, `.unsupportedVersion`.
  init(file: any StoreFile, pageByteCount: Int) throws(StoreError) {
    first = try MetaPair.read(file, at: 0)
    second = try MetaPair.read(file, at: pageByteCount)
    switch (first, second) {
    case (let first?, let second?):
      newest = second.transaction > first.transaction ? second : first
    case (let only?, nil), (nil, let only?):
      newest = only
    case (nil, nil):
      throw .corrupt(Damage(path: file.path, .noMetaPage))
    }
    if newest.pageByteCount != pageByteCount {
      throw .corrupt(Damage(path: file.path, .field("page size", UInt64(newest.pageByteCount))))
    }
    if let first, let second, first.identity != second.identity {
      throw .corrupt(Damage(path: file.path, .field("identity", second.identity.low)))
    }
  }

  /// True where both pages are whole and say the same.
  var areEqual: Bool { first != nil && first == second }

  /// The page that `newest` did not come from.
  var otherPage: Int { newest == first ? 1 : 0 }

  /// The meta page at `offset` of `file`, or nil where there is none that is whole.
  static func read(
    _ file: any StoreFile, at offset: Int
  ) throws(StoreError) -> MetaPage? {
    var bytes = [UInt8](repeating: 0, count: MetaPage.byteCount)
    let count: Int
    do throws(StoreError) {
      count = try file.read(into: &bytes, at: offset)
    } catch {
      if case .system(.read, _, _) = error { return nil }
      throw error
    }
    if count < bytes.count { return nil }
    return try MetaPage(untrusted: bytes, path: file.path)
  }
}

extension StoreFile {
  /// Writes `meta` to meta page `number`, and syncs it.
  func write(_ meta: MetaPage, toPage number: Int) throws(StoreError) {
    try meta.bytes.withBytes { bytes throws(StoreError) in
      // Safe: the bytes are lent for the call.
      try unsafe write(bytes.buffer, at: number * meta.pageByteCount)
    }
    try sync()
  }

  /// Reads into all of `bytes` from `offset`; fewer only where the file ends.
  func read(into bytes: inout [UInt8], at offset: Int) throws(StoreError) -> Int {
    var span = bytes.mutableSpan
    // Safe: any bytes are numbers of 8 bits.
    var raw = unsafe span.mutableBytes
    // Safe: the array's bytes are lent for the call.
    return try unsafe raw.withUnsafeMutableBytes { buffer throws(StoreError) in
      try unsafe read(into: buffer, at: offset)
    }
  }
}
