import Entities
import Glibc
import PageStore
import SimulatedDisk
import Testing

/// Trees, their leaves, which cannot be without them, and birds, which can.
private enum Wood {
  static let schemas = [
    Schema(
      name: "trees",
      fields: [
        FieldDefinition(1, "name", .text, index: .words, rules: [.required, .notBlank, .unique]),
        FieldDefinition(2, "height", .integer, index: .numbers),
        FieldDefinition(3, "parent", .reference(entity: "trees", onDelete: .clear)),
      ]),
    Schema(
      name: "leaves",
      fields: [
        FieldDefinition(1, "tree", .reference(entity: "trees", onDelete: .cascade)),
        FieldDefinition(2, "colour", .vocabulary(["green", "red"]), index: .terms),
      ]),
    Schema(
      name: "birds",
      fields: [
        FieldDefinition(1, "tree", .reference(entity: "trees", onDelete: .restrict)),
        FieldDefinition(
          2, "leaf", .reference(entity: "leaves", onDelete: .restrict), rules: [.required]),
        FieldDefinition(3, "song", .text),
      ]),
  ]

  /// Makes the database at `path`, in several commits, so that there are old pages too.
  static func plant(at path: String) throws {
    var options = StoreOptions()
    options.pageByteCount = 4096
    let database = try Database(path: path, options: options)
    for schema in schemas { try database.createEntity(schema) }
    for round in 0..<3 {
      try database.write { transaction throws(DatabaseError) in
        for number in 1...50 {
          let id = UInt64(round * 50 + number)
          let parent = FieldValue.integer(Int64(id / 2 + 1))
          try transaction.insert(
            "trees",
            [
              "name": .text("tree \(id) of the wood"), "height": .integer(Int64(id % 17)),
              "parent": id > 2 ? parent : .integer(Int64(id)),
            ], id: EntityID(id))
          try transaction.insert(
            "leaves", ["tree": .integer(Int64(id)), "colour": .text(id % 3 == 0 ? "red" : "green")])
          try transaction.insert(
            "birds",
            [
              "tree": parent, "leaf": .integer(Int64(id)),
              "song": .text(String(repeating: "tweet ", count: Int(id % 40))),
            ])
        }
        _ = try transaction.delete("birds", EntityID(UInt64(round * 40 + 7)))
      }
    }
    try database.close()
  }

  /// The database as another one has it after a dump and a restore.
  static func restored(_ database: Database) throws -> Database {
    let snapshot = try database.snapshot()
    let copy = try Database.inMemory()
    try copy.restore { restoration in
      for entity in try snapshot.dumpedEntities() {
        let name = entity.schema.name
        _ = try restoration.add(
          entity: name, storedSchema: entity.storedSchema, nextID: entity.nextID)
        var records: [(EntityID, Record)] = []
        try snapshot.forEach(name) { id, record throws(DatabaseError) in
          records.append((id, record))
          return true
        }
        for (id, record) in records { try restoration.add(record, id, to: name) }
      }
    }
    return copy
  }
}

@Suite struct `A salvaged database` {
  @Test func `is sound whatever pages were damaged, or nothing could be saved`() throws {
    var template = Array("/tmp/salvage-XXXXXX".utf8CString)
    let folder = mkdtemp(&template).map { String(cString: $0) } ?? ""
    defer { removeAll(folder) }
    try Wood.plant(at: folder + "/whole")
    let whole = try #require(bytes(of: folder + "/whole"))
    var random = SplitMix64(seed: 20)
    var outcomes = Set<SalvagedDatabase.Repair.Kind>()
    for trial in 0..<12 {
      var damaged = whole
      for _ in 0..<random.number(in: 1..<(trial % 3 == 0 ? 30 : 4)) {
        let page = random.number(in: 0..<(whole.count / 4096))
        damaged[page * 4096 + random.number(in: 0..<4096)] ^= UInt8(random.number(in: 1..<256))
      }
      write(damaged, to: folder + "/damaged")
      let path = folder + "/saved-\(trial)"
      let salvaged: SalvagedDatabase
      do throws(DatabaseError) {
        salvaged = try Database.salvage(from: folder + "/damaged", to: path)
      } catch {
        #expect(access(path, F_OK) != 0, "trial \(trial): \(error)")
        continue
      }
      for repair in salvaged.repairs { outcomes.insert(repair.kind) }
      let database = try Database(path: path)
      #expect(try database.check().problems == [], "trial \(trial)")
      #expect(try Wood.restored(database).check().problems == [], "trial \(trial)")
      if salvaged.hasAllRecords {
        for name in ["trees", "leaves"] {
          #expect(try database.snapshot().count(name) == 150, "trial \(trial)")
        }
      }
      try database.close()
      #expect(try Store.check(path: path).isClean)
    }
    #expect(outcomes.isSuperset(of: [.clearedReference, .lostTarget]))
  }

  private func bytes(of path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = getc(file), byte != EOF { bytes.append(UInt8(byte)) }
    return bytes
  }

  private func write(_ bytes: [UInt8], to path: String) {
    guard let file = fopen(path, "w") else { return }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
  }

  /// Removes a folder and the files in it.
  private func removeAll(_ folder: String) {
    guard let entries = opendir(folder) else { return }
    while let entry = readdir(entries) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { unlink(folder + "/" + name) }
    }
    closedir(entries)
    rmdir(folder)
  }
}
