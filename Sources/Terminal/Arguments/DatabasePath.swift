/// Where the database is that a program works with.
package enum DatabasePath {
  /// The path that the user named, else that of the environment, else the one in the user's home.
  package static func find(named path: String?) -> String {
    if let path { return path }
    if let path = SystemCalls.environment("DEXDB_FILE"), !path.isEmpty { return path }
    if let folder = SystemCalls.environment("XDG_DATA_HOME"), folder.hasPrefix("/") {
      return folder + "/dexdb/pokedex.dex"
    }
    return (SystemCalls.environment("HOME") ?? ".") + "/.local/share/dexdb/pokedex.dex"
  }
}
