import Glibc
import Testing

/// The programs of the nested package, which depends on this one as an outsider's does.
@Suite(.serialized) struct `The example programs` {
  private static let folder = PokedexTable.root + "Examples"

  /// What building them printed; run once.
  private static let built = Shell.run("swift build --package-path '\(folder)' 2>&1")

  private func run(_ command: String, in place: String) -> Shell.Outcome {
    Shell.run("cd '\(place)' && '\(Self.folder)/.build/debug/'\(command) 2>&1")
  }

  /// An empty folder, which `body` may use as it likes.
  private func withFolder(_ body: (String) throws -> Void) rethrows {
    let folder = Shell.run("mktemp -d").output.filter { $0 != "\n" }
    defer { _ = Shell.run("rm -r '\(folder)'") }
    try body(folder)
  }

  @Test func `keep a reading list`() throws {
    try #require(Self.built.code == 0, "\(Self.built.output)")
    withFolder { folder in
      func list(_ arguments: String) -> Shell.Outcome {
        run("reading-list books \(arguments)", in: folder)
      }
      #expect(
        list("add 'The Left Hand of Darkness' 304 novel").output == "1 The Left Hand of Darkness\n")
      #expect(list("add Kindred 264 novel history").output == "2 Kindred\n")
      #expect(list("add Persépolis 341 comic history").output == "3 Persépolis\n")
      #expect(list("find PERSE").output == "3\tPersépolis\t341 pages\tcomic, history\n")
      #expect(list("read 2").code == 0)
      #expect(
        list("find '' history novel").output == "2\tKindred\t264 pages\tnovel, history\tread\n")
      #expect(
        list("find '' novel").output.split(separator: "\n").map { $0.prefix(1) } == ["2", "1"])
      #expect(
        list("stats").output == "comic\t1\t341\nhistory\t2\t303\nnovel\t2\t284\nread 1 of 3\n")
    }
  }

  @Test func `say what is wrong with a book`() throws {
    try #require(Self.built.code == 0, "\(Self.built.output)")
    withFolder { folder in
      func list(_ arguments: String) -> Shell.Outcome {
        run("reading-list books \(arguments)", in: folder)
      }
      #expect(list("add Kindred").code == 0)
      #expect(list("add KINDRED") == Shell.Outcome(1, "reading-list: book 1 has the same title\n"))
      #expect(list("add '  '") == Shell.Outcome(1, "reading-list: the title is empty\n"))
      #expect(list("add Kim 0") == Shell.Outcome(1, "reading-list: the pages cannot be that\n"))
      #expect(list("read 9") == Shell.Outcome(1, "reading-list: there is no book 9\n"))
      #expect(list("burn").code == 2)
      #expect(list("find").output == "1\tKindred\t?\t\n")
    }
  }

  @Test func `are short enough for the README, which shows one`() throws {
    try #require(Self.built.code == 0, "\(Self.built.output)")
    let source = PokedexTable.bytes("Examples/Sources/twenty-lines/main.swift")
    let readme = String(decoding: PokedexTable.bytes("README.md"), as: UTF8.self)
    let code = String(decoding: source, as: UTF8.self)
    #expect(readme.contains("```swift\n" + code + "```\n"))
    withFolder { folder in
      #expect(run("twenty-lines", in: folder) == Shell.Outcome(0, "[\"Für Elise\"]\n"))
    }
  }
}

/// The page about records, which shows the program `guild` in parts.
extension `The example programs` {
  private static let page = String(
    decoding: PokedexTable.bytes("Documentation/library.md"), as: UTF8.self)

  /// The blocks of the page that are marked as `language`.
  private func blocks(_ language: String) -> [String] {
    Self.page.components(between: "```\(language)\n", and: "\n```\n")
  }

  @Test func `are what the page about records shows, with what they print`() throws {
    try #require(Self.built.code == 0, "\(Self.built.output)")
    let source = ["main", "Schema"].map { name in
      String(decoding: PokedexTable.bytes("Examples/Sources/guild/\(name).swift"), as: UTF8.self)
    }.joined()
    #expect(blocks("swift").count > 6)
    for block in blocks("swift") { #expect(source.contains(block), "\(block)") }
    withFolder { folder in
      #expect(run("guild", in: folder) == Shell.Outcome(0, blocks("text").joined() + "\n"))
    }
  }

  @Test(arguments: [
    ("Schema/Schema.swift", "FieldKind"), ("Schema/Schema.swift", "FieldIndex"),
    ("Schema/Schema.swift", "FieldRule"), ("Schema/Schema.swift", "DeleteRule"),
    ("Query/Filter.swift", "Filter"),
  ])
  func `have a page about records that names each case there is`(file: String, type: String) {
    let source = String(
      decoding: PokedexTable.bytes("Sources/Entities/\(file)"), as: UTF8.self)
    let body = source.components(between: "enum \(type):", and: "\n}").first ?? ""
    let cases = (body + "\n").components(between: "\n  case ", and: "\n").map { line in
      line.prefix { $0 != "(" && $0 != " " }
    }
    #expect(cases.count > 2)
    for name in cases { #expect(Self.page.contains("`.\(name)"), "\(type).\(name)") }
  }
}

extension String {
  /// The texts that stand between `start` and the next `end`, in their order.
  fileprivate func components(between start: String, and end: String) -> [String] {
    var found: [String] = []
    var rest = self[...]
    while let begin = rest.firstRange(of: start) {
      rest = rest[begin.upperBound...]
      guard let stop = rest.firstRange(of: end) else { break }
      found.append(String(rest[..<stop.lowerBound]))
      rest = rest[stop.lowerBound...]
    }
    return found
  }
}

/// Commands as a shell runs them.
private enum Shell {
  struct Outcome: Equatable {
    let code: Int32
    let output: String

    init(_ code: Int32, _ output: String) {
      self.code = code
      self.output = output
    }
  }

  static func run(_ command: String) -> Outcome {
    guard let pipe = popen(command, "r") else { return Outcome(-1, "") }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 12)
    while true {
      let count = fread(&buffer, 1, buffer.count, pipe)
      if count <= 0 { break }
      bytes += buffer[..<count]
    }
    let status = pclose(pipe)
    return Outcome(
      status & 0x7F == 0 ? (status >> 8) & 0xFF : -1, String(decoding: bytes, as: UTF8.self))
  }
}
