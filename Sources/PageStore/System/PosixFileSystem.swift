import CDexShim
import Glibc

/// The file system of the machine.
///
/// Paths are as the system takes them; a relative one starts at the working directory of the moment.
package final class PosixFileSystem: FileSystem {
  package init() {}

  package var allowsBackgroundThreads: Bool { true }

  // MARK: Names

  package func open(_ path: String, _ mode: OpenMode) throws(StoreError) -> any StoreFile {
    let (number, permissions) = mode.shimArguments
    return PosixFile(path: path, descriptor: try Self.descriptor(of: path, number, permissions))
  }

  /// Opens `path` in the way that the shim knows as `mode`.
  private static func descriptor(
    of path: String, _ mode: dex_open_mode, _ permissions: UInt32
  ) throws(StoreError) -> Int32 {
    try checkSpelling(of: path, .open)
    // Safe: the string lives through the call.
    let opened = unsafe dex_open(path, Int32(mode.rawValue), permissions)
    return try StoreError.checked(opened, .open, path)
  }

  /// Refuses a path that C would cut short.
  private static func checkSpelling(of path: String, _ call: SystemCall) throws(StoreError) {
    if path.utf8.contains(0) { throw .system(call, path: path, errno: EINVAL) }
  }

  package func remove(_ path: String) throws(StoreError) {
    try Self.checkSpelling(of: path, .remove)
    // Safe: the string lives through the call.
    let answer = unsafe dex_unlink(path)
    if answer == -ENOENT { return }
    _ = try StoreError.checked(answer, .remove, path)
  }

  package func rename(
    _ path: String, to newPath: String, replacing: Bool
  ) throws(StoreError) {
    try Self.checkSpelling(of: path, .rename)
    try Self.checkSpelling(of: newPath, .rename)
    // Safe: the strings live through the call.
    let answer = unsafe dex_rename(path, newPath, replacing)
    _ = try StoreError.checked(answer, .rename, answer == -EEXIST ? newPath : path)
  }

  package func syncDirectory(of path: String) throws(StoreError) {
    let folder = path.splitAtLastComponent.folder
    let descriptor = try Self.descriptor(of: folder, DEX_OPEN_DIRECTORY, 0)
    let answer = dex_fsync(descriptor)
    _ = dex_close(descriptor)
    // EINVAL says that this file system keeps names without being asked.
    if answer == -EINVAL { return }
    _ = try StoreError.checked(answer, .directorySync, folder)
  }

  package func exists(_ path: String) throws(StoreError) -> Bool {
    try Self.checkSpelling(of: path, .status)
    // Safe: the string lives through the call.
    let answer = unsafe dex_exists(path)
    return try StoreError.checked(answer, .status, path) == 1
  }

  package func kind(of path: String) throws(StoreError) -> FileKind? {
    try Self.checkSpelling(of: path, .status)
    // Safe: the string lives through the call.
    let answer = unsafe dex_kind(path)
    switch dex_kind_number(UInt32(try StoreError.checked(answer, .status, path))) {
    case DEX_KIND_NONE: return nil
    case DEX_KIND_FILE: return .file
    case DEX_KIND_FOLDER: return .folder
    case DEX_KIND_PIPE: return .pipe
    case DEX_KIND_SOCKET: return .socket
    case DEX_KIND_LINK: return .link
    default: return .device
    }
  }

  package func byteCount(of path: String) -> Int? {
    // Safe: the string lives through the call.
    let answer = unsafe dex_byte_count(path)
    return answer < 0 ? nil : Int(answer)
  }

  package func resolve(_ path: String) throws(StoreError) -> String {
    try Self.checkSpelling(of: path, .open)
    var current = path
    // As many links as the system itself follows.
    for _ in 0..<40 {
      let (whole, isThere) = try Self.realPath(of: current, asked: path)
      if isThere { return whole }
      // Nothing there: the name may be free, or that of a link that leads nowhere yet.
      let (folder, name) = current.splitAtLastComponent
      guard !name.isEmpty else { throw .system(.open, path: path, errno: ENOENT) }
      let (realFolder, folderIsThere) = try Self.realPath(of: folder, asked: path)
      guard folderIsThere else { throw .system(.open, path: path, errno: ENOENT) }
      let candidate = realFolder == "/" ? "/" + name : realFolder + "/" + name
      guard let target = try Self.target(ofLink: candidate, asked: path) else { return candidate }
      current = target.hasPrefix("/") ? target : realFolder + "/" + target
    }
    throw .system(.open, path: path, errno: ELOOP)
  }

  /// The path without links, and true; or false where it leads to nothing.
  private static func realPath(
    of path: String, asked: String
  ) throws(StoreError) -> (String, isThere: Bool) {
    var answer: Int32 = 0
    // Safe: the closure says how many bytes it has set.
    let real = unsafe String(unsafeUninitializedCapacity: 4096) { buffer in
      // Safe: the buffer holds any path of the system, and is read up to the terminator.
      unsafe buffer.withMemoryRebound(to: CChar.self) { (characters) -> Int in
        guard let base = characters.baseAddress else { return 0 }
        answer = unsafe dex_realpath(path, base)
        return unsafe answer == 0 ? strlen(base) : 0
      }
    }
    if answer == -ENOENT { return ("", isThere: false) }
    _ = try StoreError.checked(answer, .open, asked)
    return (real, isThere: true)
  }

  /// Where the symbolic link at `path` leads, or nil where there is nothing.
  private static func target(
    ofLink path: String, asked: String
  ) throws(StoreError) -> String? {
    var answer = 0
    // Safe: the closure says how many bytes it has set.
    let target = unsafe String(unsafeUninitializedCapacity: 4096) { buffer in
      // Safe: as many bytes are taken as the callee says that it wrote.
      unsafe buffer.withMemoryRebound(to: CChar.self) { (characters) -> Int in
        guard let base = characters.baseAddress else { return 0 }
        answer = unsafe dex_readlink(path, base, characters.count)
        return max(0, answer)
      }
    }
    // EINVAL: a file has come into being there meanwhile.
    if answer == -Int(ENOENT) || answer == -Int(EINVAL) { return nil }
    _ = try StoreError.checked(answer, .open, asked)
    return target
  }

  // MARK: Processes and time

  package var processID: Int32 { dex_getpid() }

  package func isResponding(_ processID: Int32) -> Bool { dex_is_responding(processID) == 1 }

  package func nanoseconds() -> UInt64 { dex_nanoseconds() }

  package func random() -> UInt64 { dex_random() }

  package func wait(on word: SharedWord, while expected: UInt32, nanoseconds: UInt64) {
    // Safe: the word stays mapped while anyone waits, by its own contract.
    unsafe dex_futex_wait(word.pointer, expected, nanoseconds)
  }

  package func wake(_ word: SharedWord) {
    // Safe: the word is mapped.
    unsafe dex_futex_wake(word.pointer)
  }
}

extension OpenMode {
  /// The shim's number for this mode, and its permission bits.
  fileprivate var shimArguments: (dex_open_mode, UInt32) {
    switch self {
    case .readOnly: (DEX_OPEN_READ_ONLY, 0)
    case .readWrite: (DEX_OPEN_READ_WRITE, 0)
    case .createNew(let permissions): (DEX_OPEN_CREATE_NEW, permissions)
    case .openOrCreate(let permissions): (DEX_OPEN_OR_CREATE, permissions)
    }
  }
}

extension String {
  /// The folder that the path leads through last, `.` where it names none, and the name in it.
  fileprivate var splitAtLastComponent: (folder: String, name: String) {
    guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", self) }
    let name = String(self[utf8.index(after: slash)...])
    return (slash == startIndex ? "/" : String(self[..<slash]), name)
  }
}
