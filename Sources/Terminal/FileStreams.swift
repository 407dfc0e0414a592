internal import Glibc

/// A file that is read or written piece by piece.
package final class FileStream {
  private let path: String
  private var descriptor: Int32

  private init(_ path: String, _ flags: Int32) throws(FileFailure) {
    self.path = path
    // Safe: the string lives through the call.
    descriptor = unsafe open(path, flags | O_CLOEXEC, 0o666)
    if descriptor < 0 { throw FileFailure(path: path, errno: errno) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// A file to be read.
  package static func reading(_ path: String) throws(FileFailure) -> FileStream {
    try FileStream(path, O_RDONLY)
  }

  /// A new file, or one whose content stays until it is emptied.
  package static func replacing(
    _ path: String, _ kind: OwnFileKind
  ) throws(FileFailure) -> FileStream {
    try SystemCalls.refuseOthers(than: kind, path)
    return try FileStream(path, O_WRONLY | O_CREAT)
  }

  /// Lets the content of a file go; a pipe and the like have none.
  package func empty() throws(FileFailure) {
    while ftruncate(descriptor, 0) != 0 {
      if errno == EINVAL { return }
      if errno != EINTR { throw FileFailure(path: path, errno: errno) }
    }
  }

  /// The next bytes; fewer than `count` only at the end.
  package func read(_ count: Int) throws(FileFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    // A count from a file is not believed before the bytes are there.
    while bytes.count < count {
      let piece = try readSome(min(count - bytes.count, 1 << 20))
      if piece.isEmpty { break }
      bytes += piece
    }
    return bytes
  }

  private func readSome(_ count: Int) throws(FileFailure) -> [UInt8] {
    while true {
      var failure: Int32 = 0
      // Safe: no more is read than there is room for.
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        let got = unsafe Glibc.read(descriptor, buffer.baseAddress, count)
        failure = got < 0 ? errno : 0
        filled = max(0, got)
      }
      if failure == 0 { return bytes }
      if failure != EINTR { throw FileFailure(path: path, errno: failure) }
    }
  }

  /// Appends bytes.
  package func write(_ bytes: [UInt8]) throws(FileFailure) {
    if !SystemCalls.write(bytes, to: descriptor) { throw FileFailure(path: path, errno: errno) }
  }

  /// Closes a file that was written, and says where that fails.
  package func finish() throws(FileFailure) {
    let result = close(descriptor)
    descriptor = -1
    if result != 0 { throw FileFailure(path: path, errno: errno) }
  }
}
