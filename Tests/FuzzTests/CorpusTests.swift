import Glibc
import Testing

/// The inputs that are kept for the fuzz targets.
private enum Corpus {
  /// The kept files of `folder`, which is beside this file, by their names.
  static func files(_ folder: String) -> [(name: String, bytes: [UInt8])] {
    var root = #filePath.split(separator: "/").map { String($0) }
    root.removeLast()
    let path = "/" + root.joined(separator: "/") + "/" + folder
    return names(in: path).map { ($0, bytes(path + "/" + $0)) }
  }

  /// The inputs that are kept for `target`, each a line in base 64.
  static func inputs(of target: String) -> [[UInt8]] {
    files("Corpus").first { $0.name == target + ".txt" }.map { file in
      file.bytes.split(separator: UInt8(ascii: "\n")).map { decoded(base64: $0) }
    } ?? []
  }

  private static func decoded(base64 line: ArraySlice<UInt8>) -> [UInt8] {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var bytes: [UInt8] = []
    var bits = 0
    var bitCount = 0
    for character in line {
      guard let digit = alphabet.firstIndex(of: character) else { break }
      bits = bits << 6 | digit
      bitCount += 6
      if bitCount < 8 { continue }
      bitCount -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> bitCount))
      bits &= 1 << bitCount - 1
    }
    return bytes
  }

  private static func names(in path: String) -> [String] {
    guard let listing = opendir(path) else { return [] }
    defer { closedir(listing) }
    var names: [String] = []
    while let entry = readdir(listing) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  private static func bytes(_ path: String) -> [UInt8] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
  }
}

@Suite struct `A fuzz target` {
  @Test(arguments: FuzzTarget.all.map(\.name))
  func `answers each of its seeds, whole and cut`(name: String) throws {
    let target = try #require(FuzzTarget.all.first { $0.name == name })
    let seeds = try target.seeds()
    #expect(!seeds.isEmpty)
    for seed in seeds {
      #expect(seed.count <= target.longestInput, "\(seed.count)")
      try target.run(seed)
      try target.run([])
      for part in 1..<4 { try target.run(Array(seed.prefix(seed.count * part / 4))) }
    }
  }

  @Test(arguments: FuzzTarget.all.map(\.name))
  func `answers each input that is kept`(name: String) throws {
    let target = try #require(FuzzTarget.all.first { $0.name == name })
    let inputs = Corpus.inputs(of: name)
    #expect(!inputs.isEmpty)
    for (line, bytes) in inputs.enumerated() {
      #expect(throws: Never.self, "\(name), line \(line + 1)") { try target.run(bytes) }
    }
  }

  @Test(arguments: FuzzTarget.all.map(\.name))
  func `answers each input that was a finding once`(name: String) throws {
    let target = try #require(FuzzTarget.all.first { $0.name == name })
    for (file, bytes) in Corpus.files("Findings/\(name)") {
      #expect(throws: Never.self, "\(name)/\(file)") { try target.run(bytes) }
    }
  }

  @Test func `has a name of its own, and its dictionary`() {
    let names = FuzzTarget.all.map(\.name)
    #expect(Set(names).count == names.count)
    let dictionaries = Set(Corpus.files("Dictionaries").map(\.name))
    let wanted = Set(FuzzTarget.all.compactMap { $0.dictionary.map { $0 + ".dict" } })
    #expect(dictionaries == wanted)
  }
}
