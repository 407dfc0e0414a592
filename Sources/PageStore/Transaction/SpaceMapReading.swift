/// How the map of space is found and read, by whoever begins a tenure and by whoever checks a file.
extension PageMap {
  /// Reads and decodes the map of space that `meta` names; `filePageCount` pages can be read.
  func spaceMap(of meta: MetaPage, filePageCount: Int) throws(StoreError) -> SpaceMap {
    let first = meta.mapPage
    if first.index + meta.mapPageCount > filePageCount {
      throw damage(.outOfBounds(first, pageCount: filePageCount), first)
    }
    var bytes = [UInt8](repeating: 0, count: meta.mapByteCount)
    let count: Int
    do throws(StoreError) {
      count = try file.read(into: &bytes, at: first.index * pageByteCount)
    } catch {
      guard case .system(.read, _, let errno) = error else { throw error }
      throw damage(.unreadable(errno: errno), first)
    }
    if count < bytes.count { throw damage(.truncated(byteCount: count), first) }
    let checksum = bytes.withBytes { Checksum.of($0) }
    if checksum != meta.mapChecksum {
      throw damage(.checksum(stored: meta.mapChecksum, computed: checksum), first)
    }
    let spaceMap: SpaceMap
    do throws(StoreError) {
      spaceMap = try SpaceMap(
        untrusted: bytes, path: file.path, page: first,
        maximumPageCount: min(filePageCount, meta.pageCount))
    } catch {
      // A newer format has newer meta pages, so here it is a lie.
      guard case .unsupportedVersion(_, let found, _) = error else { throw error }
      throw damage(.field("version", UInt64(clamping: found)), first)
    }
    if !spaceMap.bitmap.isUsed(first.index..<first.index + meta.mapPageCount) {
      throw damage(.notMapped(first), first)
    }
    let run = first.index..<first.index + meta.mapPageCount
    for page in spaceMap.pending where page.indices.overlaps(run) {
      throw damage(.usedTwice(page.first), first)
    }
    if meta.catalogRoot != .none && !spaceMap.bitmap.isUsed(meta.catalogRoot) {
      throw damage(.notMapped(meta.catalogRoot), first)
    }
    return spaceMap
  }
}
