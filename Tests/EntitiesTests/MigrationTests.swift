import Entities
import PageStore
import SimulatedDisk
import Testing

/// Shoes as three versions of a program keep them.
enum Shoes {
  static let first = Schema(
    name: "shoes",
    fields: [
      FieldDefinition(1, "name", .text, index: .words, rules: [.required]),
      FieldDefinition(2, "size", .text),
      FieldDefinition(3, "smell", .integer),
      FieldDefinition(4, "colour", .text),
    ])

  static let last = Schema(
    name: "shoes",
    fields: [
      FieldDefinition(1, "title", .text, index: .words, rules: [.required, .unique]),
      FieldDefinition(2, "size", .decimal(denominator: 2), index: .numbers),
      FieldDefinition(4, "colour", .text, index: .terms),
      FieldDefinition(5, "laces", .flag, rules: [.required]),
    ])

  struct First: Entity {
    static let schema = Shoes.first
    init(from record: inout RecordReader) {}
    func encode(to record: inout RecordWriter) {}
  }

  struct Last: Entity {
    static let schema = Shoes.last
    init(from record: inout RecordReader) {}
    func encode(to record: inout RecordWriter) {}
  }

  static let migrations = [
    Migration("titles and laces") { editor throws(DatabaseError) in
      try editor.renameField("shoes", from: "name", to: "title")
      try editor.setRules("shoes", "title", [.required, .unique])
      try editor.addField(
        "shoes", FieldDefinition(5, "laces", .flag, rules: [.required]), value: .flag(true))
      try editor.dropField("shoes", "smell")
    },
    Migration("sizes are numbers") { editor throws(DatabaseError) in
      try editor.retypeField("shoes", "size", to: .decimal(denominator: 2), index: .numbers) {
        value throws(DatabaseError) in
        guard case .text(let text) = value, let number = Double(text) else { return nil }
        return .integer(Int64(number * 2))
      }
      try editor.addIndex("shoes", "colour", .terms)
    },
    Migration("boxes") { editor throws(DatabaseError) in
      try editor.createEntity(
        Schema(name: "boxes", fields: [FieldDefinition(1, "label", .text)]))
      try editor.custom { transaction throws(DatabaseError) in
        try transaction.forEachID("shoes") { id, transaction throws(DatabaseError) in
          _ = try transaction.insert("boxes", ["label": .text("box \(id)")])
        }
      }
    },
  ]

  static func before(_ number: Int) -> Record {
    [
      "name": .text("Shoe \(number)"), "size": .text(number % 5 == 0 ? "odd" : "\(number).5"),
      "smell": .integer(Int64(number)), "colour": .text(number % 2 == 0 ? "red" : "blue"),
    ]
  }

  static func after(_ number: Int) -> Record {
    var record: Record = [
      "title": .text("Shoe \(number)"), "laces": .flag(true),
      "colour": .text(number % 2 == 0 ? "red" : "blue"),
    ]
    if number % 5 != 0 { record["size"] = .integer(Int64(number * 2 + 1)) }
    return record
  }

  static let count = 40

  static func options(_ writeBufferByteCount: Int) -> StoreOptions {
    var options = StoreOptions()
    options.writeBufferByteCount = writeBufferByteCount
    options.reservedByteCount = 16 << 20
    options.pageByteCount = 4096
    return options
  }

  static func fill(_ store: Store) throws {
    let database = try Database(store, entities: [First.self])
    try database.write { transaction throws(DatabaseError) in
      for number in 1...count { _ = try transaction.insert("shoes", before(number)) }
    }
  }

  /// Which version the database has, wholly; nil where it has neither.
  static func version(of database: Database) throws -> Int? {
    let snapshot = try database.snapshot()
    guard try snapshot.check().isClean else { return nil }
    let isOld = try snapshot.schema(of: "shoes") == first
    for number in 1...count {
      let record = try snapshot.record("shoes", EntityID(UInt64(number)))
      if record != (isOld ? before(number) : after(number)) { return nil }
    }
    if isOld { return try snapshot.entityNames() == ["shoes"] ? 1 : nil }
    guard try snapshot.schema(of: "shoes") == last, try snapshot.count("boxes") == count,
      try snapshot.count("shoes", where: .text(FieldPath("colour"), "red")) == count / 2
    else { return nil }
    return 2
  }
}

extension DatabaseTransaction {
  mutating func forEachID(
    _ entity: String,
    _ body: (EntityID, inout DatabaseTransaction) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    for id in try findIDs(Query(entity: entity)) { try body(id, &self) }
  }
}

@Suite struct `A migration` {
  @Test func `keeps the data, and the new program reads it`() throws {
    let store = try Store.inMemory()
    try Shoes.fill(store)
    let database = try Database(store, entities: [Shoes.Last.self], migrations: Shoes.migrations)
    #expect(try Shoes.version(of: database) == 2)
    let range = Filter.range([FieldPath("size")], from: Number(3), through: Number(9))
    #expect(
      try database.snapshot().findIDs(Query(entity: "shoes", filter: range)).map(\.rawValue)
        == [3, 4, 6, 7, 8])
    // Once more does nothing.
    let again = try Database(store, entities: [Shoes.Last.self], migrations: Shoes.migrations)
    #expect(try Shoes.version(of: again) == 2)
  }

  @Test func `is refused by an older program afterwards, and needed by the newer one before`()
    throws
  {
    let store = try Store.inMemory()
    try Shoes.fill(store)
    #expect(throws: DatabaseError.self) { try Database(store, entities: [Shoes.Last.self]) }
    #expect(throws: DatabaseError.migrationNeeded(Shoes.migrations.map(\.name))) {
      try Database(
        store, entities: [Shoes.Last.self], migrations: Shoes.migrations, isReadOnly: true)
    }
    #expect(try Shoes.version(of: try Database(store)) == 1)
    _ = try Database(store, entities: [Shoes.Last.self], migrations: Shoes.migrations)
    for migrations in [[], Array(Shoes.migrations.prefix(1))] {
      #expect(
        throws: DatabaseError.newerFile(
          "migration '\(Shoes.migrations[migrations.count].name)' is not known to this program")
      ) { try Database(store, entities: [Shoes.First.self], migrations: migrations) }
    }
    // A shell that knows no types opens everything.
    #expect(try Shoes.version(of: try Database(store)) == 2)
  }

  @Test func `that fails leaves everything as it was`() throws {
    let store = try Store.inMemory()
    try Shoes.fill(store)
    let failing =
      Shoes.migrations + [
        Migration("impossible") { editor throws(DatabaseError) in
          try editor.setRules("shoes", "colour", [.unique])
        }
      ]
    #expect(
      throws: DatabaseError.migrationFailed(
        name: "impossible",
        .invalid(entity: "shoes", id: EntityID(3), field: "colour", .notUnique(EntityID(1))))
    ) { try Database(store, entities: [Shoes.Last.self], migrations: failing) }
    let database = try Database(store)
    #expect(try Shoes.version(of: database) == 1)
    let trial = try database.tryMigrations(entities: [Shoes.Last.self], failing)
    #expect(trial.pending == failing.map(\.name))
    #expect(trial.failure != nil)
  }

  @Test func `can be tried on a copy first`() throws {
    let store = try Store.inMemory()
    try Shoes.fill(store)
    let database = try Database(store)
    let trial = try database.tryMigrations(entities: [Shoes.Last.self], Shoes.migrations)
    #expect(trial.failure == nil)
    #expect(trial.changes.map(\.entity) == ["boxes", "shoes"])
    #expect(trial.changes.map(\.recordCounts.before) == [nil, Shoes.count])
    #expect(trial.changes.map(\.recordCounts.after) == [Shoes.count, Shoes.count])
    #expect(trial.changes[1].differences.contains("drops field 3 'smell'"))
    #expect(try Shoes.version(of: database) == 1)
  }

  @Test func `counts as done in a file that is new`() throws {
    let store = try Store.inMemory()
    let database = try Database(store, entities: [Shoes.Last.self], migrations: Shoes.migrations)
    #expect(try database.snapshot().entityNames() == ["shoes"])
    _ = try Database(store, entities: [Shoes.Last.self], migrations: Shoes.migrations)
  }

  @Test func `is seen by a program that has the database open`() throws {
    let store = try Store.inMemory()
    try Shoes.fill(store)
    let open = try Database(store, entities: [Shoes.First.self])
    _ = try Database(store, entities: [Shoes.Last.self], migrations: Shoes.migrations)
    #expect(throws: DatabaseError.schemaChanged(entity: "shoes")) {
      try open.snapshot().get(Shoes.First.self, EntityID(1))
    }
    #expect(try Shoes.version(of: open) == 2)
  }

  @Test(arguments: [32 << 10, 256 << 20])
  func `is wholly done or not at all at every crash`(writeBufferByteCount: Int) throws {
    let options = Shoes.options(writeBufferByteCount)
    let disk = SimulatedDisk(maximumFileByteCount: 16 << 20)
    let store = try Store(path: "shoes", options: options, fileSystem: SimulatedSystem(disk))
    try Shoes.fill(store)
    try store.close()
    let versions = Guarded<[Int: Int]>([:])
    @Sendable func look(_ image: SimulatedDisk, _ place: String) {
      do {
        let store = try Store(path: "shoes", options: options, fileSystem: SimulatedSystem(image))
        let version = try Shoes.version(of: try Database(store))
        if let version { versions.withLock { $0[version, default: 0] += 1 } }
        #expect(version != nil, "\(place)")
        try store.close()
      } catch {
        Issue.record("\(place): \(error)")
      }
    }
    let system = SimulatedSystem(disk, seed: 1)
    system.onOperation { operation in
      // The many writes of pages that nobody can see yet are all alike.
      let isSpilling = operation.call == .write && operation.byteCount <= 4096
      guard operation.changesDisk && !(isSpilling && operation.index % 5 > 0) else { return }
      look(disk.crashImage(.everythingKept), "all kept before call \(operation.index)")
      look(disk.crashImage(.nothingKept), "nothing kept before call \(operation.index)")
      look(
        disk.crashImage(.seeded(UInt64(operation.index))),
        "some kept before call \(operation.index)")
      look(disk.killImage(), "killed before call \(operation.index)")
    }
    let opened = try Store(path: "shoes", options: options, fileSystem: system)
    let database = try Database(opened, entities: [Shoes.Last.self], migrations: Shoes.migrations)
    try database.close()
    system.onOperation(nil)
    look(disk.crashImage(.nothingKept), "the end")
    let seen = versions.withLock { $0 }
    #expect((seen[1] ?? 0) > 10 && (seen[2] ?? 0) > 5, "\(seen)")
  }
}
