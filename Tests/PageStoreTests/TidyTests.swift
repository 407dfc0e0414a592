import Testing

/// Holds the sources to what ARCHITECTURE.md promises of them.
@Suite struct `The sources` {
  private static let layers = SourceLayers.names

  /// The files in which `unsafe` may stand, by layer.
  private static let unsafeFiles: [String: [String]] = [
    "Vocabulary": ["Field", "SystemErrorText"],
    "System": [
      "BackgroundThread", "FileSystem", "Guarded", "HeapValue", "MemoryFileSystem", "PosixFile",
      "PosixFileSystem", "PosixMapping",
    ],
    "Page": ["Checksum", "KeyOrder", "PageBytes"],
    "Space": [],
    "Tree": [
      "Catalog", "MultiGet", "PageBuffers", "PageMap", "PageMapView", "PageWriter", "SurvivorWalk",
      "TableRecord",
      "TreeChecker", "TreeCursor", "TreeEditor",
    ],
    "Log": [
      "LogFile", "LogFileHeader", "LogFrame", "LogReplay", "LogScanner", "LogTail", "LogWindow",
      "OperationBuffer", "OperationReader",
    ],
    "Transaction": [
      "Checkpointer", "Cursor", "KeyForms", "MetaPair", "PageOutput", "Recovery", "Salvage",
      "SalvageSource",
      "SharedMemory", "SharedRows", "Snapshot", "StoreChecker", "StoreChecking", "StoreClosing",
      "StoreCore", "StoreCreation", "StoreOpening", "StoreStatistics", "Table", "Tenure",
      "WritePath", "WriteTransaction", "Writer",
    ],
  ]

  /// The files of the other modules in which `unsafe` may stand.
  private static let unsafeModuleFiles: [String: [String]] = [
    "Index": ["ContainerBytes", "NameFolding"],
    "Entities": [
      "ByteReader", "EmbeddedFacts", "LZ4Block", "PNGCoding", "PixelDecoder", "PortraitCoding",
      "PortraitHeader", "QuestLog", "QuestStage",
    ],
    "Terminal": ["FileStreams", "PictureLibrary", "Screen", "SystemCalls"],
    "dexdb": ["CommandLineEditor"],
    "questrunner": [],
  ]

  /// How many uses may stand without a comment that says why they are safe.
  private static let unexplainedLimit = 0

  /// The files that are longer than a file should be.
  private static let longFiles = [
    "Transaction/Writer.swift", "Tree/PageWriter.swift",
  ]

  private static func files(of layer: String) -> [SourceFile] {
    ProjectFiles.swiftFiles(under: "Sources/PageStore/" + layer).map { SourceFile($0) }
  }

  private static let allFiles = ProjectFiles.swiftFiles(under: "Sources").map { SourceFile($0) }

  @Test func `lie in the folders of the layers`() {
    let inLayers = Self.layers.flatMap { Self.files(of: $0).map(\.path) }
    let all = Self.allFiles.map(\.path).filter { $0.hasPrefix("Sources/PageStore/") }
    #expect(inLayers.sorted() == all.sorted())
    #expect(all.count > 50)
  }

  @Test func `of a layer name only types of the layers before it`() {
    var layerOfType: [String: Int] = [:]
    let files = Self.layers.map { Self.files(of: $0) }
    for (layer, files) in files.enumerated() {
      for type in files.flatMap(\.declaredTypes) { layerOfType[type] = layer }
    }
    #expect(layerOfType.count > 100)
    for (layer, files) in files.enumerated() {
      for file in files {
        for (number, line) in file.code.enumerated() {
          for word in words(in: line) where (layerOfType[word] ?? 0) > layer {
            Issue.record("\(file.path):\(number + 1) names \(word)")
          }
        }
      }
    }
  }

  @Test func `say unsafe in the files where they may`() {
    for layer in Self.layers {
      let found = Self.files(of: layer).filter { !$0.unsafeLines.isEmpty }.map(\.name)
      #expect(found == Self.unsafeFiles[layer], "in \(layer)")
    }
  }

  @Test(arguments: ["Index", "Entities", "Terminal", "dexdb", "questrunner"])
  func `of a module say unsafe in the files where they may`(module: String) {
    let files = ProjectFiles.swiftFiles(under: "Sources/" + module).map { SourceFile($0) }
    let found = files.filter { !$0.unsafeLines.isEmpty }.map(\.name)
    #expect(found.sorted() == Self.unsafeModuleFiles[module]?.sorted())
  }

  @Test func `explain what is unsafe`() {
    var unexplained: [String] = []
    for file in Self.allFiles {
      unexplained += file.unexplainedUnsafeLines.map { "\(file.path):\($0 + 1)" }
    }
    let list = unexplained.joined(separator: "\n")
    #expect(unexplained.count <= Self.unexplainedLimit, "\(unexplained.count):\n\(list)")
  }

  @Test(arguments: ["@unchecked", "try!", "try?", "as!"])
  func `have none of`(token: String) {
    for file in Self.allFiles {
      for (number, line) in file.code.enumerated() {
        // A word of its own: the end of `Entry?` is none.
        let isThere = line.split(whereSeparator: { " (=,{[".contains($0) }).contains {
          $0.hasPrefix(token)
        }
        if isThere { Issue.record("\(file.path):\(number + 1)") }
      }
    }
  }

  @Test func `leave nothing for later`() {
    let marks = ["TO" + "DO", "FIX" + "ME", "XX" + "X"]
    for file in Self.allFiles {
      for (number, line) in file.lines.enumerated() where marks.contains(where: line.contains) {
        Issue.record("\(file.path):\(number + 1)")
      }
    }
  }

  @Test func `unwrap nothing by force`() {
    for file in Self.allFiles {
      for (number, line) in file.code.enumerated() where unwrapsByForce(line) {
        Issue.record("\(file.path):\(number + 1)")
      }
    }
  }

  @Test func `are files of a length that one can read`() {
    let long = Self.allFiles.filter { $0.lines.count > 400 }.map { file in
      file.path.split(separator: "/").suffix(2).joined(separator: "/")
    }
    #expect(Set(long).subtracting(Self.longFiles).isEmpty)
  }

  @Test func `have functions of a length that one can read`() {
    for file in Self.allFiles {
      for function in file.functions where function.lineCount > 60 {
        Issue.record(
          "\(file.path):\(function.line + 1): \(function.name) has \(function.lineCount) lines")
      }
    }
  }

  /// True where a `!` follows an expression and no operator begins with it.
  private func unwrapsByForce(_ line: String) -> Bool {
    let bytes = Array(line.utf8)
    for index in bytes.indices.dropFirst() where bytes[index] == UInt8(ascii: "!") {
      let next = index + 1 < bytes.count ? bytes[index + 1] : UInt8(ascii: " ")
      if isWordByte(bytes[index - 1]) || bytes[index - 1] == UInt8(ascii: ")")
        || bytes[index - 1] == UInt8(ascii: "]")
      {
        if next != UInt8(ascii: "=") { return true }
      }
    }
    return false
  }
}

/// A Swift file as lines, and what a simple look at them tells.
private struct SourceFile: Sendable {
  let path: String
  let lines: [String]
  /// The lines without comments and without what stands in quotes.
  let code: [String]

  init(_ path: String) {
    self.path = path
    lines = ProjectFiles.lines(of: path)
    code = lines.map(codeOnly)
  }

  /// The file's name without its ending.
  var name: String { String((path.split(separator: "/").last ?? "").dropLast(6)) }

  /// The types that the file declares outside of all others, for other files to use.
  var declaredTypes: [String] {
    code.compactMap { line in
      if line.hasPrefix(" ") || line.contains("private ") { return nil }
      let words = words(in: line)
      let keywords: Set = ["struct", "class", "enum", "protocol", "typealias", "actor"]
      guard let place = words.firstIndex(where: { keywords.contains($0) }),
        place + 1 < words.count
      else { return nil }
      return words[place + 1]
    }
  }

  /// The numbers of the lines that say `unsafe`.
  var unsafeLines: [Int] {
    code.indices.filter { words(in: code[$0]).contains("unsafe") }
  }

  /// Those of them above which, up to the next blank line, no comment says why they are safe.
  var unexplainedUnsafeLines: [Int] {
    unsafeLines.filter { number in
      var above = number
      while above >= 0, lines[above].contains(where: { $0 != " " }) {
        if lines[above].contains("// Safe:") { return false }
        above -= 1
      }
      return true
    }
  }

  struct Function {
    let name: String
    let line: Int
    let lineCount: Int
  }

  /// The functions and initialisers, each up to the brace that stands as far in as it does.
  var functions: [Function] {
    code.indices.compactMap { start in
      let words = words(in: code[start])
      guard !code[start].hasSuffix("}"), !code[start].contains(".init("),
        let name = words.first(where: { ["func", "init", "deinit", "subscript"].contains($0) })
      else { return nil }
      let indent = String(code[start].prefix { $0 == " " })
      // A requirement of a protocol has no brace before the next line that is blank.
      let head = code[start...].prefix { !$0.hasSuffix("{") && !$0.isEmpty }
      guard head.endIndex < code.endIndex, !code[head.endIndex].isEmpty else { return nil }
      guard let end = code[start...].firstIndex(where: { $0.hasPrefix(indent + "}") }) else {
        return nil
      }
      let place = words.firstIndex(of: name) ?? 0
      return Function(
        name: words[min(place + 1, words.count - 1)], line: start, lineCount: end - start + 1)
    }
  }
}

/// `line` without its comment, and with nothing between its quotes.
private func codeOnly(_ line: String) -> String {
  var result: [UInt8] = []
  var isQuoted = false
  var isEscaped = false
  var previous: UInt8 = 0
  for byte in line.utf8 {
    defer { previous = byte }
    if isQuoted {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isQuoted = false
      }
      continue
    }
    if byte == UInt8(ascii: "\"") {
      isQuoted = true
      continue
    }
    if byte == UInt8(ascii: "/") && previous == byte {
      result.removeLast()
      break
    }
    result.append(byte)
  }
  return String(decoding: result, as: UTF8.self)
}

/// The words of `line`: runs of letters, digits and underscores.
private func words(in line: String) -> [String] {
  line.utf8.split { !isWordByte($0) }.map { String(decoding: $0, as: UTF8.self) }
}

private func isWordByte(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: "_") || (48...57).contains(byte) || (65...90).contains(byte)
    || (97...122).contains(byte)
}
