import PageStore
import Terminal

/// The lines of former sessions, in a file that only its owner may read.
///
/// Sessions at the same time lose nothing to each other: each adds its lines to those that are in
/// the file when it ends.
struct LineHistory {
  static let limit = 1000
  static let longestLine = 4096

  let path: String?
  private(set) var lines: [String] = []
  private var added: [String] = []

  /// `$XDG_STATE_HOME/dexdb/history`, else the same below `~/.local/state`; nil without a home.
  static var usualPath: String? {
    if let folder = SystemCalls.environment("XDG_STATE_HOME"), folder.hasPrefix("/") {
      return folder + "/dexdb/history"
    }
    return SystemCalls.environment("HOME").map { $0 + "/.local/state/dexdb/history" }
  }

  init(path: String?) {
    self.path = path
    lines = stored()
  }

  private func stored() -> [String] {
    guard let path else { return [] }
    do {
      let bytes = try SystemCalls.bytes(of: path, maximum: 2 * Self.limit * Self.longestLine)
      return Self.bounded(
        String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { String($0) })
    } catch {
      return []
    }
  }

  /// Takes a line; false where it is nothing to remember.
  mutating func add(_ line: String) -> Bool {
    let text = line.split(whereSeparator: \.isNewline).joined(separator: " ")
    if text.allSatisfy(\.isWhitespace) || text.utf8.count > Self.longestLine { return false }
    lines = Self.bounded(lines + [text])
    added.append(text)
    return true
  }

  /// Each line once, where it was last, and no more than are kept.
  private static func bounded(_ lines: [String]) -> [String] {
    var seen = Set<String>()
    let kept = lines.reversed().filter { seen.insert($0).inserted }
    return kept.prefix(limit).reversed()
  }

  /// Writes the lines to the file; that it cannot be written is no reason to fail.
  mutating func save() {
    guard let path, !added.isEmpty else { return }
    let all = Self.bounded(stored() + added)
    do {
      if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
        try SystemCalls.makeFolder(String(path[..<slash]), permissions: 0o700)
      }
      let text = all.map { $0 + "\n" }.joined()
      try SystemCalls.write(Array(text.utf8), toFile: path, permissions: 0o600)
      added = []
    } catch {}
  }
}
