import Glibc

/// Programs of this package and of the system, run as processes of their own.
enum Programs {
  /// The folder in which this program lies; the others are built beside it.
  static let folder: String = {
    var path = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &path, path.count - 1)
    let bytes = path[0..<max(0, count)].map { UInt8(bitPattern: $0) }
    guard let slash = bytes.lastIndex(of: 47) else { return "." }
    return String(decoding: bytes[0..<slash], as: UTF8.self)
  }()

  /// Runs the program to its end, and counts the seconds from before it is started until it is gone.
  ///
  /// `program` is a name beside this program, or one that the system finds; its standard output goes
  /// to the file `output`, and its standard input comes from the file `input`, or is empty.
  static func run(
    _ program: String, _ arguments: [String], output: String, input: String? = nil
  ) throws -> Double {
    let beside = "\(folder)/\(program)"
    let path = access(beside, X_OK) == 0 ? beside : program
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, input ?? "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    let complaints = output + ".complaints"
    posix_spawn_file_actions_addopen(&actions, 2, complaints, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) }
    words.append(nil)
    defer { for word in words { free(word) } }
    var process = pid_t()
    var status: Int32 = 0
    let start = ContinuousClock.now
    let failure = posix_spawnp(&process, path, &actions, nil, words, environ)
    guard failure == 0 else {
      throw BenchError("can't run \(program): \(String(cString: strerror(failure)))")
    }
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    let time = seconds(start.duration(to: .now))
    guard status == 0 else {
      let complaint = String(decoding: try FileBytes.read(complaints), as: UTF8.self)
      throw BenchError("\(program) ended with \(status >> 8): \(complaint)")
    }
    return time
  }
}

/// Bytes of files, whole.
enum FileBytes {
  static func read(_ path: String) throws -> [UInt8] {
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { throw BenchError("can't read \(path)") }
    defer { Glibc.close(descriptor) }
    var status = stat()
    fstat(descriptor, &status)
    var bytes: [UInt8] = []
    // What has no length, such as a file of the kernel, is read piece by piece.
    var piece = [UInt8](repeating: 0, count: max(1 << 16, Int(status.st_size) + 1))
    while true {
      let count = Glibc.read(descriptor, &piece, piece.count)
      guard count >= 0 else { throw BenchError("can't read \(path)") }
      if count == 0 { return bytes }
      bytes += piece[0..<count]
    }
  }

  static func write(_ bytes: [UInt8], to path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    guard descriptor >= 0 else { throw BenchError("can't write \(path)") }
    defer { Glibc.close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard written >= 0 else { throw BenchError("can't write \(path)") }
      rest = rest.dropFirst(written)
    }
  }

  static func copy(_ path: String, to other: String) throws {
    try write(read(path), to: other)
  }
}
