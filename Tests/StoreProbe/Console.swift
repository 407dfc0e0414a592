import CDexShim
import Glibc

/// Lines to whoever started the probe, written at once, and what was asked for on the command line.
struct Console {
  private let output: Int32
  private let options: [String: String]

  /// - Parameter arguments: Options as `name=value`.
  init(_ arguments: some Sequence<String>) {
    var options: [String: String] = [:]
    for argument in arguments {
      let parts = argument.split(separator: "=", maxSplits: 1)
      options[String(parts[0])] = parts.count > 1 ? String(parts[1]) : "1"
    }
    self.options = options
    if options["bare"] != nil {
      // The way out stays open under a high number, while the standard streams are closed.
      output = fcntl(1, F_DUPFD, 100)
      for descriptor in Int32(0)..<3 { close(descriptor) }
    } else {
      output = 1
    }
  }

  subscript(name: String) -> Int? { options[name].flatMap { Int($0) } }
  func text(_ name: String) -> String? { options[name] }

  /// Writes a line in one piece.
  func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(output, bytes, bytes.count)
  }

  /// Says `line` and ends the process, without closing anything.
  func fail(_ line: String) -> Never {
    say("error " + line)
    _exit(3)
  }

  /// Waits for a line from whoever started the probe; false at the end.
  func hear() -> Bool {
    var byte: UInt8 = 0
    while read(0, &byte, 1) == 1 { if byte == 10 { return true } }
    return false
  }
}

/// Milliseconds of a clock that never goes back.
func milliseconds() -> Int { Int(dex_nanoseconds() / 1_000_000) }

func pause(milliseconds: Int) { usleep(UInt32(milliseconds) * 1000) }
