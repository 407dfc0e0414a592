/// Words of a command line that somebody may copy.
enum ShellWord {
  /// `text` as a shell takes it for one word.
  static func quoted(_ text: String) -> String {
    let plain = "-_./:=,+@%#".utf8
    let isPlain = text.utf8.allSatisfy { byte in
      (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
        || plain.contains(byte)
    }
    // A hash begins a comment only at the start of a word.
    if isPlain, !text.isEmpty, !text.hasPrefix("#") { return text }
    return "'"
      + text.split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: "'\\''") + "'"
  }
}
