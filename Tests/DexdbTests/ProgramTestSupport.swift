import Glibc
import Synchronization

/// True for the long suites.
let isLongQueryTest = getenv("DEX_LONG").map { String(cString: $0) } == "1"

/// What a run of the program gave.
struct ProgramRun {
  var output: [UInt8]
  var errors: String
  /// The exit code, or 128 and the signal.
  var code: Int32

  var text: String { String(decoding: output, as: UTF8.self) }

  /// The lines of the output.
  var lines: [String] { text.split(separator: "\n").map { String($0) } }

  /// The cells of the rows of TSV behind the header.
  var rows: [[String]] {
    lines.dropFirst().map { line in
      line.split(separator: "\t", omittingEmptySubsequences: false).map { String($0) }
    }
  }

  /// The first cells of the rows as numbers.
  var numbers: [Int] { rows.compactMap { $0.first.flatMap { Int($0) } } }
}

/// A folder for one test, removed with all that is in it.
final class ProgramFolder: Sendable {
  let path: String

  init() {
    var template = Array("/tmp/dexdb-tests-XXXXXX".utf8CString)
    precondition(mkdtemp(&template) != nil, "no folder in /tmp")
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { Self.remove(path) }

  static func remove(_ path: String) {
    for name in names(in: path) {
      if unlink(path + "/" + name) != 0 { remove(path + "/" + name) }
    }
    rmdir(path)
  }

  static func names(in path: String) -> [String] {
    guard let listing = opendir(path) else { return [] }
    defer { closedir(listing) }
    var names: [String] = []
    while let entry = readdir(listing) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  func write(_ text: String, to name: String) -> String {
    write(Array(text.utf8), to: name)
  }

  func write(_ bytes: [UInt8], to name: String) -> String {
    let path = path + "/" + name
    guard let file = fopen(path, "w") else { return path }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
    return path
  }

  static func bytes(_ path: String) -> [UInt8] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      if count <= 0 { return bytes }
      bytes += buffer[..<count]
    }
  }
}

/// Runs the program as a user does.
struct Dexdb {
  let folder = ProgramFolder()
  var database: String

  /// The program, with a database of its own; a copy of a fresh one, or a file that is not there.
  init(isInitialized: Bool = true) {
    database = folder.path + "/test.dex"
    if isInitialized { _ = folder.write(Self.fresh, to: "test.dex") }
  }

  /// The bytes of a database as `init` makes it.
  static let fresh: [UInt8] = {
    let folder = ProgramFolder()
    let path = folder.path + "/fresh.dex"
    let made = Dexdb.run(["-f", path, "init"], folder: folder.path)
    precondition(made.code == 0, "init: \(made.errors)")
    return ProgramFolder.bytes(path)
  }()

  func callAsFunction(
    _ arguments: String..., input: String = "", environment: [String] = []
  ) -> ProgramRun {
    Self.run(
      ["-f", database] + arguments, folder: folder.path, input: input, environment: environment)
  }

  /// The program lies beside the tests.
  static let program: String = {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, 4095)
    let own = String(
      decoding: buffer[..<max(0, count)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let beside = own.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/dexdb"
    if access(beside, X_OK) == 0 { return beside }
    for argument in CommandLine.arguments where argument.contains(".xctest") {
      var folder = argument.split(separator: "/")
      while let last = folder.popLast() {
        if !last.hasSuffix(".xctest") { continue }
        return folder.map { "/" + $0 }.joined() + "/dexdb"
      }
    }
    return beside
  }()

  private static let count = Atomic(0)

  /// Runs the program with these arguments, and waits for its end.
  static func run(
    _ arguments: [String], folder: String, input: String = "", environment: [String] = [],
    program: String = Dexdb.program
  ) -> ProgramRun {
    let number = count.wrappingAdd(1, ordering: .relaxed).newValue
    let paths = ["in", "out", "err"].map { "\(folder)/.\($0)-\(number)" }
    if let file = fopen(paths[0], "w") {
      fwrite(input, 1, input.utf8.count, file)
      fclose(file)
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_addopen(&actions, 0, paths[0], O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, paths[1], O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, paths[2], O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var words = ([program] + arguments).map { strdup($0) as UnsafeMutablePointer<CChar>? } + [nil]
    let names = environment.map { $0.prefix { $0 != "=" } + "=" }
    let usual = ["SWIFT_BACKTRACE=enable=no", "PATH=/usr/bin:/bin", "TERM=xterm"].filter {
      variable in
      !names.contains { variable.hasPrefix($0) }
    }
    let all = usual + environment
    var variables = all.map { strdup($0) as UnsafeMutablePointer<CChar>? } + [nil]
    defer { for word in words + variables { free(word) } }
    var child: pid_t = 0
    let result = posix_spawn(&child, program, &actions, nil, &words, &variables)
    precondition(result == 0, "\(program) cannot be run: \(result)")
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    let run = ProgramRun(
      output: ProgramFolder.bytes(paths[1]),
      errors: String(decoding: ProgramFolder.bytes(paths[2]), as: UTF8.self),
      code: status & 127 == 0 ? status >> 8 & 255 : 128 + status & 127)
    for path in paths { unlink(path) }
    return run
  }
}
