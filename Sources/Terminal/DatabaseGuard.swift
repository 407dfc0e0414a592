internal import PageStore

/// A kind of file that a command writes, and over which alone it writes again.
package struct OwnFileKind: Sendable {
  /// What the file is, in words.
  let name: String
  /// The bytes with which each of them begins.
  let start: [UInt8]

  package init(_ name: String, start: [UInt8]) {
    self.name = name
    self.start = start
  }
}

extension SystemCalls {
  /// Refuses to write over a database, or over a file that stands beside one and belongs to it.
  static func refuseDatabase(_ path: String) throws(FileFailure) {
    // What a link leads to is what would be written over.
    let target = realPath(path) ?? path
    var owners = [target]
    for ending in ["-log", "-lock"] where target.hasSuffix(ending) {
      owners.append(String(target.dropLast(ending.count)))
    }
    guard let owner = owners.first(where: { Store.isDatabase(path: $0) }) else { return }
    let what = owner == target ? "is a database" : "belongs to the database \(owner)"
    throw FileFailure(path: path, reason: "it \(what), which is never written over")
  }

  /// Refuses to write over a file that is neither empty nor of this kind, and over databases.
  package static func refuseOthers(
    than kind: OwnFileKind, _ path: String
  ) throws(FileFailure) {
    try refuseDatabase(path)
    guard let target = realPath(path), isRegularFile(target) else { return }
    let file = try FileStream.reading(target)
    let start = try file.read(kind.start.count)
    if !start.isEmpty, start != kind.start {
      throw FileFailure(
        path: path, reason: "it is there, and is no \(kind.name), so that it is not written over")
    }
  }
}
