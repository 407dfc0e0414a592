import Glibc
import Terminal
import Testing

@testable import dexdb

@Suite struct `The documents` {
  /// The lines of a file of the project.
  private static func lines(_ path: String) -> [String] {
    var root = #filePath.split(separator: "/").map { String($0) }
    root.removeLast(3)
    let bytes = ProgramFolder.bytes("/" + root.joined(separator: "/") + "/" + path)
    return String(decoding: bytes, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false
    ).map { String($0) }
  }

  // README

  /// The commands of a section, each with the output that the section shows of it.
  private static func session(of section: String) -> [(command: String, output: [String])] {
    var steps: [(command: String, output: [String])] = []
    let body = lines("README.md").drop { $0 != "## \(section)" }.dropFirst()
    for line in body.prefix(while: { !$0.hasPrefix("## ") }) where line.hasPrefix("    ") {
      let text = String(line.dropFirst(4))
      if text.hasPrefix("$ ") {
        steps.append((String(text.dropFirst(2)), []))
      } else if !steps.isEmpty {
        steps[steps.count - 1].output.append(text)
      }
    }
    return steps
  }

  @Test func `show a newcomer what then happens`() {
    let steps = Self.session(of: "The first five minutes")
    #expect(steps.count >= 9)
    let folder = ProgramFolder()
    let programs = Dexdb.program.split(separator: "/").dropLast().map { "/" + $0 }.joined()
    for step in steps {
      // The shell's own words go to a file, so that the outputs stay apart.
      let run = Dexdb.run(
        ["-c", "cd '\(folder.path)' && \(step.command)"], folder: folder.path,
        environment: ["HOME=\(folder.path)", "PATH=\(programs):/usr/bin:/bin"],
        program: "/bin/bash")
      #expect(run.code == 0 || step.command.contains(" diff "), "\(step.command): \(run.errors)")
      #expect(run.lines == step.output, "\(step.command)")
    }
  }

  // The manual page

  private static let page = lines("Documentation/man/dexdb.1")

  /// A line of the page without its marks.
  private static func plain(_ line: String) -> String {
    var text = line
    let marks = [("\\-", "-"), ("\\e", "\\"), ("\\&", ""), ("\\ ", " "), ("\\('e", "é")]
    for (mark, plain) in marks {
      text = text.split(separator: mark, omittingEmptySubsequences: false).joined(separator: plain)
    }
    // `\[u30EA]` is a character by its number.
    let parts = text.split(separator: "\\[u", omittingEmptySubsequences: false)
    return parts.enumerated().map { place, part in
      guard place > 0, let end = part.firstIndex(of: "]"),
        let scalar = UInt32(part[..<end], radix: 16).flatMap({ Unicode.Scalar($0) })
      else { return String(part) }
      return String(Character(scalar)) + part[part.index(after: end)...]
    }.joined()
  }

  /// The options that the lines of the page explain.
  private static func options(_ lines: some Sequence<String>) -> Set<String> {
    var found = Set<String>()
    for line in lines where line.hasPrefix(".It Fl ") {
      let words = line.split(separator: " ").map { String($0) }
      for (place, word) in words.enumerated() where word == "Fl" && place + 1 < words.count {
        if words[place + 1] == "Fl" {
          found.insert("--" + plain(words[place + 2]))
        } else if words[place - 1] != "Fl" {
          found.insert("-" + plain(words[place + 1]))
        }
      }
    }
    return found
  }

  private static func options(_ options: [OptionDefinition]) -> Set<String> {
    Set(options.flatMap { [$0.name] + ($0.short.map { [$0] } ?? []) })
  }

  @Test func `of the manual name every command with its options, and no others`() {
    let body = Self.page.drop { $0 != ".Sh COMMANDS" }.prefix { $0 != ".Sh QUERIES" }
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
      #expect(Self.options(lines) == Self.options(command.options), "\(command.name)")
      let text = lines.map(Self.plain).joined(separator: "\n")
      #expect(text.contains(command.summary), "\(command.name)")
      for example in command.examples {
        #expect(text.contains(example.line), "\(example.line)")
      }
    }
    let globals = Self.page.prefix { $0 != ".Sh COMMANDS" }
    #expect(Self.options(globals) == Self.options(Program.globalOptions))
    let shell = Self.page.drop { $0 != ".Sh THE SHELL" }.prefix { $0 != ".Sh ENVIRONMENT" }
    let own = shell.filter { $0.hasPrefix(".It Cm ") }.map {
      String(Self.plain($0).split(separator: " ")[2])
    }
    #expect(Set(own) == Set(ShellCommands.own.map { "." + $0.name }))
  }

  @Test func `of the manual are pages that can be shown`() {
    guard access("/usr/bin/man", X_OK) == 0 else { return }
    var root = #filePath.split(separator: "/").map { "/" + $0 }
    root.removeLast(3)
    let run = Dexdb.run(
      ["-c", "man --warnings -l \(root.joined())/Documentation/man/dexdb.1"], folder: "/tmp",
      environment: ["LC_ALL=C.UTF-8", "MANPAGER=cat", "HOME=/tmp"], program: "/bin/bash")
    #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)")
    #expect(run.text.contains("EXIT STATUS"))
  }
}
