import Entities
import Glibc
import PageStore

/// A Pokédex in a file, made once for all tests that only read it.
enum PokedexDatabase {
  /// The database, open for reading only, or why there is none.
  static let opened = Result<Database, any Error> {
    let path = try made.get()
    var options = StoreOptions()
    options.isReadOnly = true
    let database = try Database(path: path, entities: Pokedex.entities, options: options)
    unlink(path)
    rmdir(String(path.dropLast("/dex".count)))
    return database
  }

  /// All of it as of its making.
  static func snapshot() throws -> DatabaseSnapshot { try opened.get().snapshot() }

  private static let made = Result<String, any Error> {
    var template = Array("/tmp/pokedex-XXXXXX".utf8CString)
    _ = mkdtemp(&template)
    let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let path = folder + "/dex"
    let database = try Database(path: path, entities: Pokedex.entities)
    try database.write { transaction throws(DatabaseError) in
      try Pokedex.fill(&transaction)
    }
    try database.close()
    return path
  }
}
