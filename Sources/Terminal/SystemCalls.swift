internal import CDexShim
internal import Glibc

/// Why something outside the program could not be read or written.
package struct FileFailure: Error, Equatable, Sendable {
  package var path: String
  /// What the system says, in words.
  package var reason: String

  package init(path: String, reason: String) {
    self.path = path
    self.reason = reason
  }

  init(path: String, errno code: Int32) {
    self.path = path
    reason = SystemCalls.text(ofError: code)
  }
}

/// The calls of the system that the programs make, in the one file where they are unsafe.
package enum SystemCalls {
  /// The value of an environment variable.
  package static func environment(_ name: String) -> String? {
    // Safe: the string is copied before anything could change the environment.
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }

  /// What an error number means.
  package static func text(ofError code: Int32) -> String {
    // Safe: the string is the library's, and is copied at once.
    unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
  }

  package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// The size of the terminal in columns and rows; nil where it is none or does not tell.
  package static func terminalSize(_ descriptor: Int32) -> (columns: Int, rows: Int)? {
    let size = dex_terminal_size(descriptor)
    return size > 0xFFFF ? (Int(size >> 16), Int(size & 0xFFFF)) : nil
  }

  /// Writes all bytes; false where the other end is gone or the system refuses.
  package static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var position = 0
    while position < bytes.count {
      // Safe: the range lies in the array.
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.write(
          descriptor, buffer.baseAddress.map { unsafe $0 + position }, buffer.count - position)
      }
      if count > 0 {
        position += count
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }

  /// Shows bytes with a command of the shell; false where it cannot be run.
  package static func page(_ bytes: [UInt8], with command: String) -> Bool {
    // Safe: the array and the string live through the call.
    unsafe dex_page(command, bytes, bytes.count) == 0
  }

  /// A descriptor of a file, or of standard input for `-`.
  package static func openForReading(_ path: String) throws(FileFailure) -> Int32 {
    if path == "-" { return 0 }
    // Safe: the string lives through the call.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { throw FileFailure(path: path, errno: errno) }
    if isFolder(path) {
      close(descriptor)
      throw FileFailure(path: path, reason: "it is a folder, and a file is wanted")
    }
    return descriptor
  }

  /// The bytes of a file; nil for a pipe and the like.
  package static func byteCount(of descriptor: Int32) -> Int? {
    var status = dex_status()
    // Safe: the structure lives through the call.
    return unsafe dex_stat(descriptor, &status) == 0 && status.byte_count > 0
      ? Int(status.byte_count) : nil
  }

  /// Closes a descriptor, but never standard input.
  package static func close(_ descriptor: Int32) {
    if descriptor > 0 { _ = Glibc.close(descriptor) }
  }

  /// The next bytes of a descriptor, as many as are there; none at its end.
  package static func read(_ descriptor: Int32) throws(FileFailure) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      if !dex_has_input(descriptor) { throw FileFailure(path: "input", reason: "interrupted") }
      // Safe: no more is read than the buffer holds.
      let count = unsafe buffer.withUnsafeMutableBytes {
        unsafe Glibc.read(descriptor, $0.baseAddress, $0.count)
      }
      if count >= 0 {
        buffer.removeSubrange(count...)
        return buffer
      }
      if errno != EINTR { throw FileFailure(path: "input", errno: errno) }
    }
  }

  /// All bytes of a file, or of standard input for `-`.
  package static func bytes(of path: String, maximum: Int) throws(FileFailure) -> [UInt8] {
    let descriptor = try openForReading(path)
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    while true {
      let more: [UInt8]
      do throws(FileFailure) {
        more = try read(descriptor)
      } catch {
        throw FileFailure(path: path, reason: error.reason)
      }
      if more.isEmpty { return bytes }
      if bytes.count + more.count > maximum {
        throw FileFailure(path: path, reason: "it is larger than \(maximum) bytes")
      }
      bytes += more
    }
  }

  /// Where a path leads in the end; nil where it leads to nothing.
  static func realPath(_ path: String) -> String? {
    // Safe: the strings live through their calls, and the result is copied before it is freed.
    guard let result = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(result) }
    return unsafe String(cString: result)
  }

  /// What tells the file that a path leads to from every other one; nil where there is none.
  package static func identity(ofFile path: String) -> [UInt64]? {
    var status = stat()
    // Safe: the string and the structure live through the call.
    guard unsafe stat(path, &status) == 0 else { return nil }
    return [UInt64(status.st_dev), UInt64(status.st_ino)]
  }

  /// True where the path names a file with content, no folder, device or pipe.
  package static func isRegularFile(_ path: String) -> Bool {
    // Safe: the string lives through the call.
    unsafe dex_kind(path) == Int32(DEX_KIND_FILE.rawValue)
  }

  /// Creates a file, or replaces what is in it, all at once.
  ///
  /// With `permissions`, the file has these afterwards, and never others that let more people in.
  package static func write(
    _ bytes: [UInt8], toFile path: String, permissions: UInt32? = nil
  ) throws(FileFailure) {
    let file = try OutputFile(path, permissions: permissions)
    do throws(FileFailure) {
      try file.write(bytes)
      try file.close()
    } catch {
      file.abandon()
      throw error
    }
  }

  /// Opens a file to be written from its start.
  ///
  /// A new file, and one that takes the place of another, is written under the second name that is
  /// returned, and gets its own by `finish`. What could not take a place unnoticed is written to as it
  /// is: pipes and devices, files of others or with several names, and those in a folder where no
  /// other file may be made.
  static func openForWriting(
    _ path: String, permissions: UInt32? = nil
  ) throws(FileFailure) -> (descriptor: Int32, partial: (name: String, target: String)?) {
    try refuseDatabase(path)
    let target = realPath(path) ?? path
    var status = stat()
    // Safe: the string and the structure live through the call.
    let isThere = unsafe stat(target, &status) == 0
    // Safe: the string lives through the call.
    if isThere, unsafe access(target, W_OK) != 0 { throw FileFailure(path: path, errno: errno) }
    let isReplaced =
      status.st_mode & S_IFMT == S_IFREG && status.st_nlink == 1 && status.st_uid == geteuid()
    if isThere ? isReplaced : !isLink(path) {
      let folder = target.lastIndex(of: "/").map { String(target[...$0]) } ?? ""
      let name = "\(folder).dexdb-\(getpid())-\(UInt32.random(in: .min ... .max)).part"
      let mode = permissions ?? (isThere ? status.st_mode & 0o777 : 0o666)
      // Safe: the string lives through the call.
      let descriptor = unsafe open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
      if descriptor >= 0 {
        if isThere || permissions != nil { _ = fchmod(descriptor, mode) }
        return (descriptor, (name, target))
      }
      // Where the disk is full or there are no descriptors, what is there stays as it is.
      if !isThere || ![EACCES, EPERM, EROFS].contains(errno) {
        throw FileFailure(path: path, errno: errno)
      }
    }
    return (try openInPlace(path, permissions: permissions), nil)
  }

  /// Opens a file to be written from its start, and empties it.
  static func openInPlace(
    _ path: String, permissions: UInt32? = nil
  ) throws(FileFailure) -> Int32 {
    try refuseDatabase(path)
    // Safe: the string lives through the call.
    let descriptor = unsafe open(
      path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, permissions ?? 0o666)
    if descriptor < 0 { throw FileFailure(path: path, errno: errno) }
    return descriptor
  }

  private static func isLink(_ path: String) -> Bool {
    var status = stat()
    // Safe: the string and the structure live through the call.
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// Makes the bytes that were written durable, and gives them their name; false where the system
  /// refuses.
  static func finish(
    _ descriptor: Int32, _ partial: (name: String, target: String)?
  ) -> Bool {
    // Pipes and some file systems know nothing of this.
    let isDurable = partial == nil || fsync(descriptor) == 0 || errno == EINVAL
    let code = errno
    let isClosed = closeWritten(descriptor)
    if !isDurable { errno = code }
    guard let partial, isDurable, isClosed else { return isDurable && isClosed }
    // Safe: the strings live through the call.
    return unsafe rename(partial.name, partial.target) == 0
  }

  /// Takes a file away.
  static func remove(_ path: String) {
    // Safe: the string lives through the call.
    _ = unsafe unlink(path)
  }

  /// Closes a file that was written; false where the system has not taken all of it.
  static func closeWritten(_ descriptor: Int32) -> Bool { Glibc.close(descriptor) == 0 }

  /// What the last call failed of.
  static var lastError: Int32 { errno }

  /// True where nobody reads what was written.
  static var isLastErrorBrokenPipe: Bool { errno == EPIPE }

  /// The names in a folder, in their order.
  package static func names(in path: String) throws(FileFailure) -> [String] {
    var count = 0
    // Safe: the string and the count live through the call.
    guard let list = unsafe dex_list(path, &count) else {
      throw FileFailure(path: path, errno: errno)
    }
    // Safe: the list has that many bytes, and is freed after they have been copied.
    let bytes = unsafe Array(UnsafeRawBufferPointer(start: list, count: count))
    unsafe free(list)
    return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
      .filter { $0 != "." && $0 != ".." }.sorted()
  }

  /// True where the path leads to a folder.
  package static func isFolder(_ path: String) -> Bool {
    // Safe: the string lives through the call.
    let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if descriptor >= 0 { _ = Glibc.close(descriptor) }
    return descriptor >= 0
  }

  /// Makes a folder and those above it.
  package static func makeFolder(
    _ path: String, permissions: UInt32 = 0o777
  ) throws(FileFailure) {
    var current = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
      current += (current.isEmpty || current.hasSuffix("/") ? "" : "/") + part
      // Safe: the string lives through the call.
      if unsafe mkdir(current, permissions) != 0, errno != EEXIST {
        throw FileFailure(path: current, errno: errno)
      }
    }
  }

  /// The path of this program; nil where the system does not say.
  package static func ownPath() -> String? {
    var buffer = [CChar](repeating: 0, count: 4096)
    // Safe: no more is written than the buffer holds, and the string lives through the call.
    let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
    if count <= 0 || count == buffer.count { return nil }
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// True where the file at `path` may be run.
  package static func isExecutable(_ path: String) -> Bool {
    // Safe: the string lives through the call.
    unsafe access(path, X_OK) == 0
  }

  /// Why the file at `path` may not be written; nil where it may.
  package static func writingError(_ path: String) -> Int32? {
    // Safe: the string lives through the call.
    unsafe access(path, W_OK) == 0 ? nil : errno
  }

  /// Milliseconds since the beginning of 1970.
  package static func now() -> Int64 {
    var time = timespec()
    // Safe: the structure lives through the call.
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
