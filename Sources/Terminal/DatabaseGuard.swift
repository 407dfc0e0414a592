internal import PageStore

extension SystemCalls {
  /// Refuses to write over a database, or over a file that stands beside one and belongs to it.
  static func refuseDatabase(_ path: String) throws(FileFailure) {
    var owners = [path]
    for ending in ["-log", "-lock"] where path.hasSuffix(ending) {
      owners.append(String(path.dropLast(ending.count)))
    }
    guard let owner = owners.first(where: { Store.isDatabase(path: $0) }) else { return }
    let what = owner == path ? "is a database" : "belongs to the database \(owner)"
    throw FileFailure(path: path, reason: "it \(what), which is never written over")
  }
}
