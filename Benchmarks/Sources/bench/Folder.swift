import Glibc

/// A folder of the measured databases.
struct Folder {
  let path: String

  /// A new folder with a name of its own inside the folder at `parent`.
  static func temporary(in parent: String) throws -> Folder {
    var template = Array("\(parent)/bench-XXXXXX".utf8CString)
    guard let path = mkdtemp(&template) else { throw failure("make a folder in", parent) }
    return Folder(path: String(cString: path))
  }

  /// The empty folder `name` inside this one, made anew.
  func emptied(_ name: String) throws -> Folder {
    let folder = Folder(path: "\(path)/\(name)")
    try folder.remove()
    guard mkdir(folder.path, 0o755) == 0 else { throw Folder.failure("make", folder.path) }
    return folder
  }

  /// Removes the folder and all in it, if it is there.
  func remove() throws {
    guard access(path, F_OK) == 0 else { return }
    for entry in try entries() {
      if entry.isFolder {
        try Folder(path: entry.path).remove()
      } else if unlink(entry.path) != 0 {
        throw Folder.failure("remove", entry.path)
      }
    }
    guard rmdir(path) == 0 else { throw Folder.failure("remove", path) }
  }

  /// The bytes that its files take on the disk.
  func byteCount() throws -> Int {
    try entries().reduce(0) { (sum, entry) in
      try sum + (entry.isFolder ? Folder(path: entry.path).byteCount() : entry.byteCount)
    }
  }

  /// Lets the kernel forget what it holds of the folder's files.
  func dropFromPageCache() throws {
    for entry in try entries() where !entry.isFolder {
      let descriptor = open(entry.path, O_RDONLY)
      guard descriptor >= 0 else { throw Folder.failure("read", entry.path) }
      fsync(descriptor)
      posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
      Glibc.close(descriptor)
    }
  }

  private struct Entry {
    var path: String
    var isFolder: Bool
    var byteCount: Int
  }

  private func entries() throws -> [Entry] {
    try names().map { name in
      let entry = "\(path)/\(name)"
      var status = stat()
      guard lstat(entry, &status) == 0 else { throw Folder.failure("look at", entry) }
      return Entry(
        path: entry, isFolder: status.st_mode & S_IFMT == S_IFDIR,
        byteCount: Int(status.st_blocks) * 512)
    }
  }

  /// The names of what is in it.
  func names() throws -> [String] {
    guard let stream = opendir(path) else { throw Folder.failure("list", path) }
    defer { closedir(stream) }
    var names: [String] = []
    while let found = readdir(stream) {
      let name = withUnsafeBytes(of: &found.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }

  private static func failure(_ deed: String, _ path: String) -> BenchError {
    BenchError("can't \(deed) \(path): \(String(cString: strerror(errno)))")
  }
}
