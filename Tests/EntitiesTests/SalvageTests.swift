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

  /// The name of a tree, long enough for few of them to share a page.
  static func name(_ id: UInt64) -> String {
    "tree \(id) " + String(repeating: "of the wood ", count: 20) + "end"
  }

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
              "name": .text(name(id)), "height": .integer(Int64(id % 17)),
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
  private let folder: String
  /// The file of the wood, and its records.
  private let whole: [UInt8]
  private let records: [String: [EntityID: Record]]

  init() throws {
    var template = Array("/tmp/salvage-XXXXXX".utf8CString)
    folder = try #require(mkdtemp(&template).map { String(cString: $0) })
    try Wood.plant(at: folder + "/whole")
    whole = try #require(Self.bytes(of: folder + "/whole"))
    records = try Self.records(at: folder + "/whole")
  }

  @Test func `is sound whatever pages were damaged, or nothing could be saved`() throws {
    defer { removeAll(folder) }
    var random = SplitMix64(seed: 20)
    var outcomes = Set<SalvagedDatabase.Repair.Kind>()
    for trial in 0..<12 {
      var damaged = whole
      for _ in 0..<random.number(in: 1..<(trial % 3 == 0 ? 30 : 4)) {
        let page = random.number(in: 0..<(whole.count / 4096))
        damaged[page * 4096 + random.number(in: 0..<4096)] ^= UInt8(random.number(in: 1..<256))
      }
      guard let salvaged = try checkedSalvage(of: damaged, "trial \(trial)") else { continue }
      for repair in salvaged.repairs { outcomes.insert(repair.kind) }
    }
    #expect(outcomes.isSuperset(of: [.clearedReference, .lostTarget]))
  }

  @Test func `is whole where only the names of its tables are lost, or its indexes`() throws {
    defer { removeAll(folder) }
    let pageCount = whole.count / 4096
    let holds = { (page: Int, text: String) in
      String(decoding: whole[page * 4096..<(page + 1) * 4096], as: UTF8.self).contains(text)
    }
    // The catalog of the store names the tables, and that of the entities has the schemas.
    let catalogs = (2..<pageCount).filter { holds($0, "birds/leaf") }
    let schemas = (2..<pageCount).filter { holds($0, "schema/birds") }
    #expect(!catalogs.isEmpty && !schemas.isEmpty)
    var damaged = whole
    for page in catalogs { damaged[page * 4096 + 100] ^= 1 }
    let nameless = try #require(try checkedSalvage(of: damaged, "names"))
    #expect(nameless.records.map(\.count) == [147, 150, 150])
    #expect(nameless.unknownTables == [])
    #expect(!nameless.hasAllRecords && nameless.records.allSatisfy { $0.lostCount == nil })
    for page in schemas { damaged[page * 4096 + 100] ^= 1 }
    let unknown = try #require(try checkedSalvage(of: damaged, "schemas"))
    #expect(unknown.records.isEmpty && unknown.unknownTables.count > 2)
    var indexes = whole
    for page in 2..<pageCount where holds(page, "tree 150 of") && holds(page, "tree 101 of") {
      indexes[page * 4096 + 100] ^= 1
    }
    _ = try checkedSalvage(of: indexes, "indexes")
    let all = try #require(try checkedSalvage(of: whole, "all"))
    #expect(all.isComplete && all.records.allSatisfy { $0.lostCount == 0 })
  }

  /// Pages are sound here: what is wrong is in the rows.
  @Test
  func `tells of a row that is no record, and has been through no migration that the file was not`()
    throws
  {
    defer { removeAll(folder) }
    let store = try Store(path: folder + "/whole")
    try store.write { transaction in
      try transaction.put("x", "no record", in: try transaction.table("trees"))
    }
    try store.close()
    let migration = Migration("later") { _ in }
    let salvaged = try Database.salvage(
      from: folder + "/whole", to: folder + "/saved", migrations: [migration])
    #expect(salvaged.repairs.map(\.kind) == [.unreadable])
    #expect(!salvaged.isComplete && !salvaged.hasAllRecords)
    let saved = try Database(path: folder + "/saved")
    #expect(try saved.check().problems == [])
    #expect(try saved.snapshot().appliedMigrations().isEmpty)
    try saved.close()
  }

  @Test func `is not made of what is no database, in the place of a file, or half`() throws {
    defer { removeAll(folder) }
    var random = SplitMix64(seed: 21)
    let noise = (0..<whole.count).map { _ in UInt8(random.number(in: 0..<256)) }
    for bytes in [[], Array("a text\n".utf8), [UInt8](repeating: 0, count: 1 << 16), noise] {
      Self.write(bytes, to: folder + "/damaged")
      #expect(throws: DatabaseError.self) {
        try Database.salvage(from: folder + "/damaged", to: folder + "/saved")
      }
      #expect(access(folder + "/saved", F_OK) != 0)
    }
    for count in stride(from: 4096, to: whole.count, by: whole.count / 5) {
      _ = try checkedSalvage(of: Array(whole[..<(count + 9)]), "the first \(count) bytes")
    }
    #expect(throws: DatabaseError.store(.alreadyExists(path: folder + "/damaged"))) {
      try Database.salvage(from: folder + "/whole", to: folder + "/damaged")
    }
    // The calls after the last row come while the records are repaired.
    var calls = 0
    _ = try Database.salvage(
      from: folder + "/whole", to: folder + "/saved",
      progress: { _ in
        calls += 1
        return true
      })
    unlink(folder + "/saved")
    for limit in [1, calls / 2, calls] {
      var count = 0
      #expect(throws: DatabaseError.store(.cancelled)) {
        try Database.salvage(
          from: folder + "/whole", to: folder + "/saved",
          progress: { _ in
            count += 1
            return count < limit
          })
      }
    }
    #expect(Self.names(in: folder) == ["damaged", "whole"])
  }

  /// Salvages a file of these bytes; what comes of it must be sound, hold nothing that was not there,
  /// and be as the report says.
  private func checkedSalvage(
    of damaged: [UInt8], _ what: Comment
  ) throws -> SalvagedDatabase? {
    let path = folder + "/saved"
    Self.write(damaged, to: folder + "/damaged")
    let salvaged: SalvagedDatabase
    do throws(DatabaseError) {
      salvaged = try Database.salvage(from: folder + "/damaged", to: path)
    } catch {
      #expect(access(path, F_OK) != 0, "\(what): \(error)")
      return nil
    }
    defer { unlink(path) }
    let database = try Database(path: path)
    #expect(try database.check().problems == [], what)
    #expect(try Wood.restored(database).check().problems == [], what)
    try database.close()
    #expect(try Store.check(path: path).isClean, what)
    let saved = try Self.records(at: path)
    #expect(salvaged.records.map(\.entity) == saved.keys.sorted(), what)
    for entity in salvaged.records {
      let (before, after) = (records[entity.entity] ?? [:], saved[entity.entity] ?? [:])
      #expect(entity.count == after.count, what)
      if salvaged.pages.problems.isEmpty {
        #expect(entity.lostCount == before.count - after.count, what)
      }
      if salvaged.hasAllRecords { #expect(after == before, what) }
      if salvaged.pages.mayHoldDeletedRows { continue }
      for (id, record) in after {
        let original = try #require(before[id], what)
        for (name, value) in record.values { #expect(original[name] == value, what) }
      }
    }
    return salvaged
  }

  /// All records, by their entities.
  private static func records(at path: String) throws -> [String: [EntityID: Record]] {
    let database = try Database(path: path)
    var records: [String: [EntityID: Record]] = [:]
    let snapshot = try database.snapshot()
    for schema in try database.schemas() {
      var found: [EntityID: Record] = [:]
      try snapshot.forEach(schema.name) { id, record throws(DatabaseError) in
        found[id] = record
        return true
      }
      records[schema.name] = found
    }
    try database.close()
    return records
  }

  private static func bytes(of path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = getc(file), byte != EOF { bytes.append(UInt8(byte)) }
    return bytes
  }

  private static func write(_ bytes: [UInt8], to path: String) {
    guard let file = fopen(path, "w") else { return }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
  }

  private static func names(in folder: String) -> [String] {
    guard let entries = opendir(folder) else { return [] }
    defer { closedir(entries) }
    var names: [String] = []
    while let entry = readdir(entries) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Removes a folder and the files in it.
  private func removeAll(_ folder: String) {
    for name in Self.names(in: folder) { unlink(folder + "/" + name) }
    rmdir(folder)
  }
}
