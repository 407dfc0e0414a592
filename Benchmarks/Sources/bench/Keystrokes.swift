import CTerminal
import Glibc

/// `dexdb browse` on a terminal, and how long each of many keys takes until something comes back.
///
/// As `Scripts/keystrokes` measures it, with fewer kinds of keys and without their distribution.
struct Keystrokes {
  private let terminal: Int32
  private let child: pid_t

  /// How long nothing comes before the screen is taken for settled, in milliseconds.
  private static let quiet: Int32 = 60
  /// How long a key may take before the measurement is given up, in milliseconds.
  private static let patience: Int32 = 20_000

  /// The longest time of all keys, in seconds.
  static func longest(file: String) throws -> Double {
    let screens = try Keystrokes(file: file)
    defer { screens.end() }
    _ = try screens.settle(patience: patience)
    var longest = 0.0
    for key in keys {
      // A letter that does something may begin a word, where another follows at once.
      if key.count == 1, key.first?.isLetter == true { usleep(300_000) }
      for byte in key.first == "\u{1B}" ? [key] : key.map({ "\($0)" }) {
        longest = max(longest, try screens.press(byte))
      }
    }
    return longest
  }

  private static let up = "\u{1B}OA"
  private static let down = "\u{1B}OB"
  private static let pageUp = "\u{1B}[5~"
  private static let pageDown = "\u{1B}[6~"
  private static let home = "\u{1B}OH"
  private static let end = "\u{1B}OF"
  private static let enter = "\r"
  private static let escape = "\u{1B}"

  /// Keys, and words that are typed at one go: searches, moving, the grid, sorting, one record, and
  /// searches that more than one index, or none, answers.
  private static let keys = [
    down, pageDown, end, up, pageUp, home,
    "/", "bel", "\u{7F}", enter, down, end, home, escape,
    "g", end, pageUp, home, "g",
    "s", down, down, down, enter, end, pageUp, home, pageDown, enter, escape, home, escape,
    "/", "class:wiz level>9", enter, end, escape,
    "/", "*or*", enter, end, escape,
    "/", "hp<maxhp", enter, end, escape,
  ]

  private init(file: String) throws {
    let program = "\(Programs.folder)/dexdb"
    let arguments: [String] = [program, "-f", file, "browse", "from:adventurers"]
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    words.append(nil)
    defer { for word in words { free(word) } }
    var child = pid_t()
    terminal = terminal_start(program, words, 100, 40, &child)
    self.child = child
    guard terminal >= 0 else { throw BenchError("there is no terminal for dexdb browse") }
  }

  private func end() {
    kill(child, SIGTERM)
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    close(terminal)
  }

  /// The seconds from a key until the first byte comes back; waits until the last one has come.
  private func press(_ key: String) throws -> Double {
    let bytes = Array(key.utf8)
    let start = ContinuousClock.now
    guard write(terminal, bytes, bytes.count) == bytes.count else {
      throw BenchError("dexdb browse takes no keys")
    }
    guard let first = try settle(patience: 2000) else { return 0 }
    return seconds(start.duration(to: first))
  }

  /// Waits until nothing more comes; when the first byte came, or nil where none did.
  private func settle(patience: Int32) throws -> ContinuousClock.Instant? {
    var first: ContinuousClock.Instant?
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let start = ContinuousClock.now
    while start.duration(to: .now) < .milliseconds(Self.patience) {
      var descriptor = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
      let count = poll(&descriptor, 1, first == nil ? patience : Self.quiet)
      if count == 0 { return first }
      if count < 0, errno == EINTR { continue }
      guard count > 0, read(terminal, &buffer, buffer.count) > 0 else {
        throw BenchError("dexdb browse has ended")
      }
      first = first ?? .now
    }
    throw BenchError("dexdb browse goes on drawing")
  }
}

/// The time in which a key is answered at once, as far as anybody sees: 60 pictures a second.
final class Deadline: ProgramContestant {
  static let name = "16-ms"
  static let checks = "nothing and does nothing"

  init(path: String, roster: String, questCount: Int) {}

  func prepare(_ task: ProgramTask) {}

  func run(_ task: ProgramTask) -> Double { 0.016 }

  func answer(_ task: ProgramTask) -> Digest? { nil }
}
