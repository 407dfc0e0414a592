import Glibc
import Terminal
import Testing

@testable import questrunner

@Suite struct `The manual page of questrunner` {
  private static let path: String = {
    var root = #filePath.split(separator: "/").map { String($0) }
    root.removeLast(3)
    return "/" + root.joined(separator: "/") + "/Documentation/man/questrunner.1"
  }()

  private static let lines = String(decoding: Programs.bytes(path), as: UTF8.self)
    .split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }

  /// A line without the marks of the page.
  private static func plain(_ line: String) -> String {
    [("\\-", "-"), ("\\e", "\\"), ("\\&", ""), ("\\[u2026]", "…"), ("\\('e", "é"), ("\\(aq", "'")]
      .reduce(line) { text, mark in
        text.split(separator: mark.0, omittingEmptySubsequences: false).joined(separator: mark.1)
      }
  }

  /// The options that lines explain: `.It Fl Fl name` and `.It Fl f , Fl Fl file`.
  private static func options(_ lines: some Sequence<String>) -> Set<String> {
    Set(
      lines.filter { $0.hasPrefix(".It Fl ") }.compactMap { line in
        let words = line.split(separator: " ").map { String($0) }
        let place = words.indices.dropLast(2).first { words[$0] == "Fl" && words[$0 + 1] == "Fl" }
        return place.map { "--" + plain(words[$0 + 2]) }
      })
  }

  @Test func `names every command with its options, and no others`() {
    let body = Self.lines.drop { $0 != ".Sh COMMANDS" }.prefix { $0 != ".Sh ENVIRONMENT" }
    var sections: [String: [String]] = [:]
    var name = ""
    for line in body {
      if line.hasPrefix(".It Cm ") { name = String(line.split(separator: " ")[2]) }
      sections[name, default: []].append(line)
    }
    sections[""] = nil
    #expect(Set(sections.keys) == Set(Program.commands.map(\.name)))
    for command in Program.commands {
      let lines = sections[command.name] ?? []
      #expect(Self.options(lines) == Set(command.options.map(\.name)), "\(command.name)")
      let text = lines.map(Self.plain).joined(separator: "\n")
      for part in [command.summary] + command.details + command.examples.map(\.line) {
        #expect(text.contains(part), "\(command.name): \(part)")
      }
    }
    let globals = Self.lines.prefix { $0 != ".Sh COMMANDS" }
    #expect(Self.options(globals) == Set(Program.globalOptions.map(\.name)))
  }

  @Test func `is a page that can be shown`() {
    guard access("/usr/bin/man", X_OK) == 0 else { return }
    let shown = Programs().runScript("LC_ALL=C.UTF-8 MANPAGER=cat man --warnings -l '\(Self.path)'")
    #expect(shown.code == 0 && shown.errors.isEmpty, "\(shown.errors)")
    #expect(shown.text.contains("EXIT STATUS"))
  }
}

@Suite struct `Help` {
  @Test(arguments: [40, 80, 100])
  func `fits the terminal`(columns: Int) {
    for command in Program.commands {
      let text = CommandHelp.text(of: command, program: Program.name, columns: columns)
      let laidOut = Set(command.examples.map { "  " + $0.line })
      for line in text.split(separator: "\n").dropFirst() where !laidOut.contains(String(line)) {
        // A word alone may be longer.
        let isLong = line.count > columns
        #expect(!isLong || !line.drop { $0 == " " }.contains(" "), "\(command.name): \(line)")
      }
      let words = { (text: String) in text.split { " \n".contains($0) }.map { String($0) } }
      #expect(
        words(text)
          == words(CommandHelp.text(of: command, program: Program.name, columns: 10_000)))
    }
  }
}
