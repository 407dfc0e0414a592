import Testing

/// Holds ARCHITECTURE.md true as far as names go.
@Suite struct `The description of the architecture` {
  @Test func `names only what is in the sources`() {
    let files =
      ["Package.swift", ".swift-format"] + ProjectFiles.swiftFiles(under: "Sources")
    let sources = files.map { ProjectFiles.text(of: $0) }.joined()
    let fileNames = files.map { String($0.split(separator: "/").last ?? "") }
    var count = 0
    for line in ProjectFiles.lines(of: "ARCHITECTURE.md") {
      let parts = line.split(separator: "`", omittingEmptySubsequences: false)
      for (index, name) in parts.enumerated() where index % 2 == 1 && !name.isEmpty {
        if name.contains("/") || name == "PageStore" { continue }
        count += 1
        let last = name.split(separator: ".").last ?? name
        let isThere =
          fileNames.contains(last + ".swift") || sources.contains(last) || files.contains("\(name)")
        #expect(isThere, "\(name)")
      }
    }
    #expect(count > 40)
  }

  @Test func `shows the layers that there are`() {
    let lines = ProjectFiles.lines(of: "ARCHITECTURE.md")
    let shown = lines.compactMap { $0.split(separator: " ").first.map(String.init) }
      .filter { SourceLayers.names.contains($0) }
    let names = Array(shown.prefix(SourceLayers.names.count))
    #expect(names == Array(SourceLayers.names.reversed()))
  }
}

/// Holds Tests/FAULTS.md true as far as names go.
@Suite struct `The table of faults` {
  @Test func `names only tests that there are`() {
    let files = ProjectFiles.swiftFiles(under: "Tests").map { ProjectFiles.text(of: $0) }
    let tests = files.joined()
    var count = 0
    for line in ProjectFiles.lines(of: "Tests/FAULTS.md") {
      let parts = line.split(separator: "`", omittingEmptySubsequences: false)
      for (index, name) in parts.enumerated() where index % 2 == 1 {
        count += 1
        let isThere = tests.contains("struct `\(name)`") || tests.contains("func `\(name)`")
        #expect(isThere, "\(name)")
      }
    }
    #expect(count > 150)
  }
}

/// Holds Documentation/promises.md true as far as names go.
@Suite struct `The page of promises` {
  @Test func `names only tests that there are`() {
    let files = ProjectFiles.swiftFiles(under: "Tests").map { ProjectFiles.text(of: $0) }
    let tests = files.joined()
    let words = ProjectFiles.text(of: "Documentation/promises.md")
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let parts = words.split(separator: "**").joined(separator: " ")
      .split(separator: "*", omittingEmptySubsequences: false)
    var count = 0
    for (index, name) in parts.enumerated() where index % 2 == 1 {
      count += 1
      let pair = name.split(separator: ": ", maxSplits: 1)
      let isThere =
        pair.count == 2 && tests.contains("struct `\(pair[0])`")
        && tests.contains("func `\(pair[1])`")
      #expect(isThere, "\(name)")
    }
    #expect(count > 30)
  }
}
