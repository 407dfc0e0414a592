import CDexShim
import Glibc

/// The built program in a terminal of its own, with an emulator that sees what it shows.
final class TerminalProgram {
  private(set) var emulator: TerminalEmulator
  private(set) var process: pid_t = 0
  private let master: Int32
  private let slave: Int32
  /// How the terminal was set before the program began.
  private(set) var firstModes: [UInt32] = []
  private var status: Int32?
  /// What the program wrote to a file in the place of its output.
  let output: String?

  /// Starts the program; with `output`, its standard output is a file and not the terminal.
  init(
    _ arguments: [String], environment: [String] = [], columns: Int = 80, rows: Int = 24,
    output: String? = nil, program: String = Dexdb.program
  ) {
    emulator = TerminalEmulator(columns: columns, rows: rows)
    self.output = output
    var name = [CChar](repeating: 0, count: 256)
    master = dex_open_terminal_for_tests(&name, name.count)
    precondition(master >= 0, "no terminal: \(master)")
    let path = String(
      decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    firstModes = modes
    resize(columns: columns, rows: rows, tells: false)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    // A process without a terminal that opens one gets it as its own.
    posix_spawn_file_actions_addopen(&actions, 0, path, O_RDWR, 0)
    if let output {
      posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    } else {
      posix_spawn_file_actions_adddup2(&actions, 0, 1)
    }
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    // A session of its own; and no signal blocked, as the threads of tests have them.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, 0x80 | Int16(POSIX_SPAWN_SETSIGMASK))
    var words = ([program] + arguments).map { strdup($0) as UnsafeMutablePointer<CChar>? }
    words.append(nil)
    let names = Set(environment.compactMap { $0.split(separator: "=").first })
    let usual = [
      "SWIFT_BACKTRACE=enable=no", "PATH=/usr/bin:/bin", "TERM=xterm-256color", "HOME=/nowhere",
    ].filter { setting in !names.contains { setting.hasPrefix($0 + "=") } }
    var variables = (usual + environment).map { strdup($0) as UnsafeMutablePointer<CChar>? }
    variables.append(nil)
    let result = posix_spawn(&process, program, &actions, &attributes, &words, &variables)
    precondition(result == 0, "the program cannot be run: \(result)")
    for word in words + variables { free(word) }
    posix_spawn_file_actions_destroy(&actions)
    posix_spawnattr_destroy(&attributes)
  }

  deinit {
    if status == nil {
      kill(process, SIGKILL)
      _ = wait()
    }
    close(master)
    close(slave)
  }

  // MARK: Keys and signals

  func send(_ text: String) { send(bytes: Array(text.utf8)) }

  func send(bytes: [UInt8]) {
    precondition(write(master, bytes, bytes.count) == bytes.count, "the terminal is full")
  }

  func signal(_ number: Int32) { kill(process, number) }

  /// True while a signal would do nothing at all.
  func ignores(_ number: Int32) -> Bool {
    let status = String(decoding: ProgramFolder.bytes("/proc/\(process)/status"), as: UTF8.self)
    let line = status.split(separator: "\n").first { $0.hasPrefix("SigIgn:") }
    let mask = line.flatMap { UInt64($0.dropFirst(7).filter { !$0.isWhitespace }, radix: 16) }
    return (mask ?? .max) >> UInt64(number - 1) & 1 == 1
  }

  func resize(columns: Int, rows: Int, tells: Bool = true) {
    _ = dex_resize_terminal_for_tests(master, Int32(columns), Int32(rows))
    if tells { emulator.resize(columns: columns, rows: rows) }
  }

  /// How the terminal handles what is typed and shown.
  var modes: [UInt32] {
    var modes = termios()
    tcgetattr(slave, &modes)
    return [modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag]
  }

  // MARK: Waiting

  /// Reads what the program shows until it satisfies `condition`; false after a generous time.
  func waits(until condition: (TerminalEmulator) -> Bool) -> Bool {
    for _ in 0..<400 {
      read()
      if condition(emulator) { return true }
    }
    return false
  }

  func shows(_ text: String) -> Bool { waits { $0.text.contains(text) } }

  /// Takes what the program wrote, or waits a moment for it.
  @discardableResult
  private func read() -> Bool {
    var polled = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    if poll(&polled, 1, 50) <= 0 { return false }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = Glibc.read(master, &buffer, buffer.count)
    if count > 0 { emulator.receive(Array(buffer[..<count])) }
    return count > 0
  }

  /// Waits for the program's end: its exit code, or 128 and the signal that ended it.
  func wait() -> Int32 {
    var status: Int32 = 0
    for _ in 0..<1200 {
      read()
      if waitpid(process, &status, WNOHANG) == process {
        self.status = status
        // A terminal gives a few thousand bytes at a time.
        while read() {}
        return status & 127 == 0 ? status >> 8 & 255 : 128 + status & 127
      }
    }
    kill(process, SIGKILL)
    waitpid(process, &status, 0)
    self.status = status
    return -1
  }

  /// Waits until the program has stopped.
  func isStopped() -> Bool {
    for _ in 0..<1200 {
      var status: Int32 = 0
      if waitpid(process, &status, WNOHANG | WUNTRACED) == process { return status & 0xFF == 0x7F }
      read()
    }
    return false
  }
}
