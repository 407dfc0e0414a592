import CDexShim
import Glibc
import PageStore
import ProbeModel
import Synchronization
import Testing

/// A running `store-probe`, and the lines that it has said; killed with the last reference.
final class ProbeProcess {
  let processID: pid_t
  private let output: Int32
  private let input: Int32
  private var pending: [UInt8] = []
  private var ended: Ending?
  /// Every line so far.
  private(set) var lines: [String] = []

  enum Ending: Equatable {
    case exited(Int32)
    case killed(Int32)
  }

  /// Keeps a pipe's ends from leaking into a process that another thread starts.
  private static let starting = Mutex(())

  /// The probe, which lies beside the tests.
  private static let program: String = {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, 4095)
    let own = String(
      decoding: buffer[..<max(0, count)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let beside = own.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/store-probe"
    if access(beside, X_OK) == 0 { return beside }
    // Where the tests are a library that another program runs, its path is among the arguments.
    for argument in CommandLine.arguments where argument.contains(".xctest") {
      var folder = argument.split(separator: "/")
      while let last = folder.popLast() {
        if !last.hasSuffix(".xctest") { continue }
        return folder.map { "/" + $0 }.joined() + "/store-probe"
      }
    }
    return beside
  }()

  convenience init(_ arguments: String...) throws { try self.init(arguments) }

  /// Starts the probe with `arguments`, run by `tracer`, which is a program and its own arguments.
  init(_ arguments: [String], under tracer: [String] = []) throws {
    let command = tracer + [Self.program] + arguments
    var outputs: [Int32] = [0, 0]
    var inputs: [Int32] = [0, 0]
    var child: pid_t = 0
    let result = Self.starting.withLock { _ -> Int32 in
      guard pipe(&outputs) == 0, pipe(&inputs) == 0 else { return errno }
      for descriptor in outputs + inputs { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      posix_spawn_file_actions_adddup2(&actions, inputs[0], 0)
      posix_spawn_file_actions_adddup2(&actions, outputs[1], 1)
      defer { posix_spawn_file_actions_destroy(&actions) }
      let environment = ["SWIFT_BACKTRACE=enable=no", "PATH=/usr/bin:/bin"]
      var words = command.map { strdup($0) as UnsafeMutablePointer<CChar>? }
      var variables = environment.map { strdup($0) as UnsafeMutablePointer<CChar>? }
      words.append(nil)
      variables.append(nil)
      defer { for word in words + variables { free(word) } }
      return posix_spawn(&child, command[0], &actions, nil, &words, &variables)
    }
    guard result == 0 else { throw StoreError.system(.open, path: command[0], errno: result) }
    processID = child
    output = outputs[0]
    input = inputs[1]
    close(outputs[1])
    close(inputs[0])
    _ = fcntl(output, F_SETFL, O_NONBLOCK)
  }

  deinit {
    if ended == nil { kill() }
    close(output)
    close(input)
  }

  /// Sends a signal.
  func send(_ signal: Int32) { Glibc.kill(processID, signal) }

  /// Kills the process, and takes in what it had said.
  func kill() {
    send(SIGKILL)
    send(SIGCONT)
    _ = wait(milliseconds: 10_000)
  }

  /// Says a line to the process.
  func say(_ line: String = "go") {
    let bytes = Array((line + "\n").utf8)
    _ = write(input, bytes, bytes.count)
  }

  /// Ends the process's input.
  private func receive(milliseconds: Int32) {
    var descriptor = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    _ = poll(&descriptor, 1, milliseconds)
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(output, &buffer, buffer.count)
      if count <= 0 { break }
      pending += buffer[..<count]
    }
    while let end = pending.firstIndex(of: 10) {
      lines.append(String(decoding: pending[..<end], as: UTF8.self))
      pending.removeSubrange(...end)
    }
  }

  private func reap() {
    if ended != nil { return }
    var status: Int32 = 0
    guard waitpid(processID, &status, WNOHANG) == processID else { return }
    ended = status & 127 == 0 ? .exited(status >> 8 & 255) : .killed(status & 127)
  }

  /// Waits until line number `index` was said, and returns it; nil where the process ended before,
  /// or the time was over.
  func line(_ index: Int, milliseconds: Int = 20_000) -> String? {
    let end = testMilliseconds() + milliseconds
    while lines.count <= index {
      let hadEnded = ended != nil
      receive(milliseconds: hadEnded ? 0 : 5)
      if lines.count > index { break }
      if hadEnded || testMilliseconds() > end { return nil }
      reap()
    }
    return lines[index]
  }

  /// Waits until a line fulfils `condition`; nil where the process ended before, or in vain.
  func line(
    milliseconds: Int = 20_000, where condition: (String) -> Bool
  ) -> String? {
    var index = 0
    let end = testMilliseconds() + milliseconds
    while let line = line(index, milliseconds: max(0, end - testMilliseconds())) {
      if condition(line) { return line }
      index += 1
    }
    return nil
  }

  /// Waits for the end of the process; nil where the time is over.
  func wait(milliseconds: Int = 20_000) -> Ending? {
    let end = testMilliseconds() + milliseconds
    while ended == nil {
      receive(milliseconds: 2)
      reap()
      if testMilliseconds() > end { return ended }
    }
    receive(milliseconds: 0)
    return ended
  }

  /// The largest number that a line began with; what was acknowledged last.
  var newestNumber: Int {
    lines.lazy.compactMap { $0.split(separator: " ").first.flatMap { Int($0) } }.max() ?? 0
  }
}

/// Milliseconds of a clock that never goes back.
func testMilliseconds() -> Int { Int(dex_nanoseconds() / 1_000_000) }

/// True for the long suites.
let isLongTest = getenv("DEX_LONG").map { String(cString: $0) } == "1"

/// A folder for one test, removed with it.
final class TestFolder {
  let path: String

  init() throws {
    var template = Array("/tmp/dex-process-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw StoreError.system(.open, path: "/tmp", errno: errno)
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    chmod(path, 0o777)
  }

  deinit {
    for name in names {
      unlink(path + "/" + name)
      rmdir(path + "/" + name)
    }
    rmdir(path)
  }

  /// The path of the database in it.
  var database: String { path + "/a.db" }

  /// The names of all files, in their order.
  var names: [String] {
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

  /// The bytes of the file `name`, or nil where there is none.
  func bytes(_ name: String) -> [UInt8]? {
    guard let file = fopen(path + "/" + name, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      if count <= 0 { return bytes }
      bytes += buffer[..<count]
    }
  }

  /// Copies the file `name` to `newName` as another program would.
  func copy(_ name: String, to newName: String) {
    guard let bytes = bytes(name), let file = fopen(path + "/" + newName, "w") else { return }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
  }

  /// Opens the database, checks that it is a state of the history, and closes it.
  ///
  /// - Returns: The number of transactions that it holds.
  func check(_ options: StoreOptions = StoreOptions(), _ name: String = "a.db") throws -> Int {
    let store = try Store(path: path + "/" + name, options: options)
    let count = try store.read { (snapshot) throws(StoreError) in
      let problem = try ProbeHistory.problem(in: snapshot)
      if let problem { Issue.record("\(problem)") }
      return try ProbeHistory.count(in: snapshot)
    }
    try store.close()
    return count
  }
}

/// The error that `body` throws, or nil.
func storeError(_ body: () throws -> Void) -> StoreError? {
  do {
    try body()
    return nil
  } catch {
    return error as? StoreError
  }
}
