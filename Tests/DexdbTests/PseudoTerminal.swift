import CDexShim
import Glibc
import Testing

/// A program on a terminal, to which one types and at which one looks.
final class PseudoTerminal {
  private let terminal: Int32
  let child: pid_t
  private(set) var screen: TerminalScreen
  /// The exit code, or 128 and the signal; nil while it runs.
  private(set) var code: Int32?
  /// How long to wait for what must come; only a hang takes so long.
  static let patience = 120

  init(
    _ arguments: [String], folder: String, columns: Int = 80, rows: Int = 24,
    environment: [String] = [], program: String = Dexdb.program
  ) {
    var words =
      ([program] + arguments).map { strdup($0) as UnsafeMutablePointer<CChar>? } + [nil]
    let all =
      [
        "SWIFT_BACKTRACE=enable=no", "PATH=/usr/bin:/bin", "TERM=xterm", "LC_ALL=C.UTF-8",
        "XDG_STATE_HOME=\(folder)/state", "HOME=\(folder)",
      ].filter { variable in
        let name = variable.prefix { $0 != "=" } + "="
        return !environment.contains { $0.hasPrefix(name) }
      } + environment
    var variables = all.map { strdup($0) as UnsafeMutablePointer<CChar>? } + [nil]
    defer { for word in words + variables { free(word) } }
    var child: pid_t = 0
    terminal = dex_spawn_on_terminal_for_tests(
      program, &words, &variables, folder, Int32(columns), Int32(rows), &child)
    precondition(terminal >= 0, "no terminal: \(terminal)")
    self.child = child
    screen = TerminalScreen(columns: columns, rows: rows)
  }

  deinit {
    if code == nil {
      kill(child, SIGKILL)
      var status: Int32 = 0
      while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    }
    close(terminal)
  }

  /// Types `text`, with control characters for keys.
  func type(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { write(terminal, $0.baseAddress, $0.count) }
      if count <= 0 { return }
      bytes = bytes.dropFirst(count)
    }
  }

  func resize(columns: Int, rows: Int) {
    screen.resize(columns: columns, rows: rows)
    dex_resize_terminal_for_tests(terminal, Int32(columns), Int32(rows))
  }

  func send(_ signal: Int32) { kill(child, signal) }

  /// Takes what the program writes within the time; false once nothing can come any more.
  @discardableResult
  private func look(milliseconds: Int32) -> Bool {
    var descriptor = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
    guard poll(&descriptor, 1, milliseconds) > 0 else { return true }
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    let count = read(terminal, &buffer, buffer.count)
    guard count > 0 else { return false }
    screen.take(Array(buffer[..<count]))
    return true
  }

  /// Waits until the screen is as `condition` says; the test fails where that never comes.
  @discardableResult
  func wait(
    _ what: String, sourceLocation: SourceLocation = #_sourceLocation,
    until condition: (TerminalScreen) -> Bool
  ) -> Bool {
    let start = ContinuousClock.now
    while !condition(screen) {
      let isOpen = look(milliseconds: 50)
      if condition(screen) { return true }
      if !isOpen || ContinuousClock.now - start > .seconds(Self.patience) {
        Issue.record(
          "\(what) never came:\n\(screen.all)", sourceLocation: sourceLocation)
        return false
      }
    }
    return true
  }

  /// Waits until `text` has been shown.
  @discardableResult
  func wait(for text: String, sourceLocation: SourceLocation = #_sourceLocation) -> Bool {
    wait("'\(text)'", sourceLocation: sourceLocation) { $0.all.contains(text) }
  }

  /// Waits until the program asks for a line.
  @discardableResult
  func waitForPrompt(sourceLocation: SourceLocation = #_sourceLocation) -> Bool {
    wait("the prompt", sourceLocation: sourceLocation) {
      $0.takesPaste && $0.beforeCursor == "dexdb> "
    }
  }

  /// Waits for the end of the program, and returns its exit code or 128 and the signal.
  func waitForEnd(sourceLocation: SourceLocation = #_sourceLocation) -> Int32 {
    if let code { return code }
    let start = ContinuousClock.now
    while true {
      look(milliseconds: 20)
      var status: Int32 = 0
      if waitpid(child, &status, WNOHANG) == child {
        while look(milliseconds: 20), ContinuousClock.now - start < .seconds(1) {}
        let code = status & 127 == 0 ? status >> 8 & 255 : 128 + status & 127
        self.code = code
        return code
      }
      if ContinuousClock.now - start > .seconds(Self.patience) {
        Issue.record("it does not end:\n\(screen.all)", sourceLocation: sourceLocation)
        return -1
      }
    }
  }
}
