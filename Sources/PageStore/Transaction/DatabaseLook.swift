extension Store {
  /// True where the file at `path` begins as a database of this library does.
  ///
  /// For programs that are about to write to a path that somebody gave them. A database that is damaged
  /// at its start is not recognised, and neither is what cannot be read.
  ///
  /// - Complexity: O(1); reads a few bytes, and takes no lock.
  public static func isDatabase(path: String) -> Bool {
    do throws(StoreError) {
      let file = try PosixFileSystem().openDatabase(path, .readOnly)
      defer { file.close() }
      var start = [UInt8](repeating: 0, count: 8 + MetaPage.magicBytes.count)
      let count = try file.read(into: &start, at: 0)
      return count == start.count && Array(start[8...]) == MetaPage.magicBytes
    } catch {
      return false
    }
  }
}
