import Glibc
import Testing

/// The files of this package, for tests that hold its texts true.
enum ProjectFiles {
  /// The folder that the package is in, with a slash at its end.
  static let root: String = {
    let folders = #filePath.split(separator: "/").dropLast(3)
    return "/" + folders.joined(separator: "/") + "/"
  }()

  /// The lines of the file at `path` in the package; none, and a failed test, where it is absent.
  static func lines(of path: String) -> [String] {
    text(of: path).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The file at `path` in the package, as text.
  static func text(of path: String) -> String {
    String(decoding: bytes(of: path), as: UTF8.self)
  }

  /// The bytes of the file at `path` in the package.
  static func bytes(of path: String) -> [UInt8] {
    guard let file = fopen(root + path, "r") else {
      Issue.record("there is no \(path)")
      return []
    }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      if count <= 0 { return bytes }
      bytes += buffer[..<count]
    }
  }

  /// The paths of all Swift files under `folder` in the package, in their order.
  static func swiftFiles(under folder: String) -> [String] {
    var found: [String] = []
    for name in names(in: folder) {
      let path = folder + "/" + name
      if name.hasSuffix(".swift") {
        found.append(path)
      } else if !name.contains(".") {
        found += swiftFiles(under: path)
      }
    }
    return found
  }

  private static func names(in folder: String) -> [String] {
    guard let listing = opendir(root + folder) else { return [] }
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
}

/// The folders of PageStore's sources.
enum SourceLayers {
  /// Their names, lowest first.
  static let names = ["Vocabulary", "System", "Page", "Space", "Tree", "Log", "Transaction"]
}
