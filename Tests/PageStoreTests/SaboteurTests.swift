import Testing

/// The table of sabotages, by which `Scripts/saboteurs` breaks the sources to see the tests fail.
@Suite struct `The table of sabotages` {
  private static let path = "Tests/Saboteurs/sabotages.txt"
  private static let keys = ["name", "file", "line", "into", "tests", "suite"]

  private static let stanzas: [[String: String]] = ProjectFiles.text(of: path)
    .split(separator: "\n\n").map { stanza in
      var fields: [String: String] = [:]
      for line in stanza.split(separator: "\n") where !line.hasPrefix("#") {
        guard let colon = line.firstIndex(of: ":") else { continue }
        fields[String(line[..<colon])] = String(line[colon...].dropFirst(2))
      }
      return fields
    }

  @Test func `has twenty or more, each with a name of its own`() {
    #expect(Self.stanzas.count >= 20)
    #expect(Set(Self.stanzas.map { $0["name"] }).count == Self.stanzas.count)
    for stanza in Self.stanzas {
      #expect(Set(stanza.keys) == Set(Self.keys), "\(stanza["name"] ?? "?")")
    }
  }

  @Test func `changes lines that the sources have once, and names suites that there are`() {
    let suites = ProjectFiles.swiftFiles(under: "Tests").map { ProjectFiles.text(of: $0) }
      .joined()
    for stanza in Self.stanzas {
      let name = stanza["name"] ?? "?"
      let file = stanza["file"] ?? ""
      let count = ProjectFiles.lines(of: file).count { $0 == stanza["line"] }
      #expect(count == 1, "\(name): \(file) has the line \(count) times")
      #expect(stanza["line"] != stanza["into"], "\(name)")
      #expect(ProjectFiles.swiftFiles(under: "Tests/\(stanza["tests"] ?? "?")").count > 0)
      for suite in (stanza["suite"] ?? "?").split(separator: "|") {
        #expect(
          suites.contains("@Suite") && suites.contains("struct `\(suite)"), "\(name): \(suite)")
      }
    }
  }
}
