/// A file that stands beside a database, under a name that is made from the database's.
///
/// Such a name can be somebody's own: that of another database, or of a text. So nothing under it is
/// removed but what this library may have left there.
enum SideFile {
  case log, lock, creation

  /// True where the name `path` is free, or may be made so.
  ///
  /// A link counts as what it leads to, since only the link goes.
  func isReplaceable(_ path: String, in fileSystem: any FileSystem) throws(StoreError) -> Bool {
    switch try fileSystem.kind(of: path) {
    case nil: return true
    case .file, .link: break
    default: return false
    }
    let file: any StoreFile
    do throws(StoreError) {
      file = try fileSystem.open(path, .readOnly)
    } catch {
      guard case .system(.open, _, let errno) = error else { throw error }
      if errno == 2 { return true }  // ENOENT
      // Such as the lock file of somebody whose process has died.
      if isRefusal(errno) { return fileSystem.byteCount(of: path).map(isOwn(byteCount:)) ?? false }
      throw error
    }
    defer { file.close() }
    return try isOwn(file)
  }

  /// True where `file` may be one of this kind that a process has left.
  ///
  /// A loss of power may leave any bytes in what was not synced, so ours are not known by what they
  /// begin with. It is what somebody else's file is known by that counts: a length that ours never
  /// have, text, or a database. What is none of these, such as a small image of a disk, passes for
  /// ours.
  func isOwn(_ file: any StoreFile) throws(StoreError) -> Bool {
    var start = [UInt8](repeating: 0, count: 16)
    _ = try file.read(into: &start, at: 0)
    let first = (0..<8).reduce(UInt64(0)) { $0 | UInt64(start[$1]) << UInt64(8 * $1) }
    switch self {
    case .log where first == LogFileHeader.magic: return true
    case .lock where first == SharedMemory.Layout.magicValue: return true
    default: break
    }
    // What other databases begin with is text too.
    let isText = start.prefix(15).allSatisfy { (9...13).contains($0) || (32...126).contains($0) }
    let byteCount = try file.byteCount()
    if isText || !isOwn(byteCount: byteCount) { return false }
    do throws(StoreError) {
      let meta = try StoreCore.firstMeta(of: file)
      // One that has come into use was not left by a creator.
      return self == .creation && meta.transaction == .zero
    } catch {
      switch error {
      case .notADatabase: return true
      case .corrupt:
        // A creator gives the file its length before it writes.
        return self == .creation
          && StoreLimits.pageByteCounts.contains { $0 * StoreCreation.pageCount == byteCount }
      default: throw error
      }
    }
  }

  /// True where one of this kind can be `byteCount` bytes long.
  private func isOwn(byteCount: Int) -> Bool {
    let maximum =
      switch self {
      case .log: LogGeometry.standard.start(ofHalf: 1) + LogGeometry.standard.halfCapacity
      case .lock: SharedMemory.Layout.row(SharedMemory.Layout.maximumRowCount)
      case .creation: StoreCreation.pageCount * (StoreLimits.pageByteCounts.max() ?? 0)
      }
    return byteCount % 4096 == 0 && byteCount <= maximum
  }
}
