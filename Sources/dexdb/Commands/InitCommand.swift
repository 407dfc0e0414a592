import Entities
import PageStore
import Terminal

extension Command {
  static let initialize = Command(
    name: "init", operands: "[OPTIONS]",
    summary: "Make a database with the whole Pokédex and a gallery of portraits.",
    details: [
      "The file is the one that -f names, else $DEXDB_FILE, else "
        + "$XDG_DATA_HOME/dexdb/pokedex.dex, else ~/.local/share/dexdb/pokedex.dex. Nothing is ever "
        + "replaced. No network is needed."
    ],
    examples: [
      Example("dexdb init", "in your home"),
      Example("dexdb -f my.dex init", "in a file of its own"),
    ]
  ) { context in
    try context.checkOperandCount(0...0)
    try context.checkWriting()
    let path = context.databasePath
    if path.hasPrefix("/"), let end = path.lastIndex(of: "/"), end != path.startIndex {
      try SystemCalls.makeFolder(String(path[..<end]))
    }
    context.catchSignals()
    try DatabaseCreation.create(at: path, entities: Pokedex.entities) { database in
      try DatabaseCreation.fill(database)
      try context.checkInterruption()
    }
    let database = try context.openForReading()
    let snapshot = try database.snapshot()
    var counts: [String] = []
    for schema in try database.schemas() {
      let count = try snapshot.count(schema.name)
      if count > 0 { counts.append("\(count) \(schema.name)") }
    }
    context.note("made \(path): " + counts.joined(separator: ", "))
    context.note("next: \(Program.name) find t:fire t:flying, \(Program.name) show pikachu")
  }
}

/// Makes a database whole or not at all.
enum DatabaseCreation {
  static func create(
    at path: String, entities: [any Entity.Type], _ fill: (Database) throws -> Void
  ) throws {
    if try PosixFileSystem().exists(path) {
      throw CommandFailure(
        "\(path) exists already", help: ["name another file with -f; nothing is ever replaced"])
    }
    // It is filled under another name, so that whoever finds the file finds all of it.
    let partial = path + ".\(String(UInt32.random(in: .min ... .max), radix: 36)).new"
    if try PosixFileSystem().exists(partial) {
      throw CommandFailure("\(partial) exists already", help: ["try again"])
    }
    var options = StoreOptions()
    options.createsFile = true
    do {
      let files = PosixFileSystem()
      let database = try Database(path: partial, entities: entities, options: options)
      do {
        try fill(database)
      } catch {
        try database.close()
        throw error
      }
      try database.close()
      try files.rename(partial, to: path, replacing: false)
    } catch {
      for ending in ["", "-log", "-lock"] { try PosixFileSystem().remove(partial + ending) }
      if case DatabaseError.store(.system(let call, _, let code)) = error {
        throw CommandFailure(StoreError.system(call, path: path, errno: code))
      }
      throw error
    }
  }

  /// Puts the bundled Pokédex and the gallery into an empty database.
  static func fill(_ database: Database) throws {
    try database.write { (transaction: inout DatabaseTransaction) throws in
      try Pokedex.fill(&transaction)
      for name in PortraitGallery.names {
        guard let picture = PortraitGallery.portrait(named: name) else { continue }
        try transaction.insert(
          StoredPortrait(
            name: name, width: picture.width, height: picture.height,
            pixels: try PortraitCoding.encode(picture)))
      }
    }
  }
}
