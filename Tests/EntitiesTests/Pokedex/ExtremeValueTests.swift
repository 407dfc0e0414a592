import Entities
import PageStore
import Testing

/// Records with values that no rule allows, as a damaged or foreign file can hold them.
private enum ExtremeRecords {
  /// The bytes of `record`, encoded by the fields of `schema` without their rules.
  static func bytes(_ schema: Schema, _ record: Record) throws -> [UInt8] {
    var lax = schema
    for place in lax.fields.indices {
      lax.fields[place].rules = []
      if case .reference = lax.fields[place].kind { lax.fields[place].kind = .integer }
      lax.fields[place].index = nil
      lax.fields[place].searchedAs = nil
    }
    let database = try Database.inMemory()
    try database.createEntity(lax)
    try database.write { transaction throws(DatabaseError) in
      _ = try transaction.insert(schema.name, record)
    }
    return try database.store.write { transaction throws(StoreError) in
      var bytes: [UInt8] = []
      let table = try transaction.table(schema.name)
      _ = try transaction.edit(in: table) { _, value throws(StoreError) in
        for place in 0..<value.byteCount {
          bytes.append(value.unsafeLoad(fromByteOffset: place, as: UInt8.self))
        }
        return .keep
      }
      return bytes
    }
  }

  /// A database with that record as number 1, behind the back of all rules.
  static func database(_ schema: Schema, _ record: Record) throws -> Database {
    let database = try Database.inMemory(entities: Pokedex.entities)
    let bytes = try bytes(schema, record)
    try database.store.write { transaction throws(StoreError) in
      try transaction.put(
        [0, 0, 0, 0, 0, 0, 0, 1], bytes, in: try transaction.table(schema.name))
    }
    return database
  }
}

@Suite struct `A number that no rule allows` {
  static let extremes: [Int64] = [.min, .min + 1, -1, .max - 1, .max]

  @Test(arguments: extremes)
  func `in an adventurer of a damaged file does no harm`(extreme: Int64) throws {
    var record: Record = ["name": .text("Ana"), "profession": .text("Wizard")]
    for field in Adventurer.schema.fields where field.kind.isNumeric {
      record[field.name] = .integer(extreme)
    }
    let database = try ExtremeRecords.database(Adventurer.schema, record)
    let adventurer = try #require(try database.snapshot().get(Adventurer.self, EntityID(1)))
    #expect(adventurer.level == Int(extreme))
    #expect(adventurer.created == Int(extreme))
    // A quarter of a hundredth of the number, to the nearest.
    #expect(
      abs(Double(adventurer.evasion) - Double(extreme) / 25) <= max(1, abs(Double(extreme)) / 1e15))
    try ask(database, "adventurers")
  }

  @Test(arguments: extremes)
  func `in a Pokémon of a damaged file does no harm`(extreme: Int64) throws {
    var record: Record = [
      "slug": .text("x"), "name": .text("X"), "types": .names(["fire"]),
      "growth_rate": .text("slow"), "color": .text("red"), "shape": .text("ball"),
      "is_baby": .flag(false), "is_legendary": .flag(false), "is_mythical": .flag(false),
    ]
    for field in Pokemon.schema.fields where field.kind.isNumeric {
      record[field.name] = .integer(extreme)
    }
    let database = try ExtremeRecords.database(Pokemon.schema, record)
    let pokemon = try #require(try database.snapshot().get(Pokemon.self, EntityID(1)))
    // Six of a kind, as near to their sum as numbers come.
    let (sum, isOver) = extreme.multipliedReportingOverflow(by: 6)
    #expect(pokemon.stats.total == Int(isOver ? (extreme < 0 ? Int64.min : .max) : sum))
    try ask(database, "pokemon")
  }

  /// Asks for everything that is computed of the record, in all the ways there are.
  private func ask(_ database: Database, _ entity: String) throws {
    let snapshot = try database.snapshot()
    var paths = snapshot.paths(of: entity, database)
    paths += ["id"].map { FieldPath($0) }
    for path in paths {
      var query = Query(entity: entity)
      query.columns = [.field(path)]
      query.order = [SortKey([path], isDescending: true)]
      // What is damaged may be refused; it must not trap.
      _ = try? snapshot.find(query)
      query.columns = [Aggregate.sum, .average, .minimum].map { .aggregate($0, path) }
      query.order = []
      _ = try? snapshot.find(query)
      _ = try? snapshot.count(entity, where: .number([path, path], .greater, Number(1, over: 3)))
    }
  }

  @Test func `is a day long before or after all others`() {
    // As java.time.Instant has them: of the least and the greatest number of milliseconds.
    #expect(DateReader.text(of: .min) == "-292275055-05-16")
    #expect(DateReader.text(of: .max) == "+292278994-08-17")
    for day in ["0000-01-01", "-0001-12-31", "+10000-01-01", "9999-12-31", "-292275055-05-17"] {
      #expect(DateReader.day(day).map { DateReader.text(of: $0.lowerBound) } == day)
      #expect(DateReader.day(day).map { DateReader.text(of: $0.upperBound) } == day)
    }
    #expect(DateReader.day("+292278994-08-17")?.upperBound == .max)
    for day in [
      "-292275055-05-16", "+292278994-08-18", "12025-01-31", "+999999999-01-01", "-1-01-01",
    ] {
      #expect(DateReader.day(day) == nil)
    }
    #expect(DateReader.text(of: -1) == "1969-12-31")
    #expect(DateReader.text(of: -86_400_000) == "1969-12-31")
    #expect(DateReader.text(of: -86_400_001) == "1969-12-30")
  }

  @Test(arguments: [Int.min, -1, 129, .max])
  func `is refused of a program too`(evasion: Int) throws {
    let database = try Database.inMemory(entities: Pokedex.entities)
    var adventurer = Adventurer.recruit(
      name: "Ana", profession: "Wizard", seed: 42, id: EntityID(1))
    adventurer.evasion = evasion
    let wanted = DatabaseError.invalid(
      entity: "adventurers", id: EntityID(1), field: "evasion", .outOfRange(0, 3200))
    #expect(throws: wanted) {
      try database.write { transaction throws(DatabaseError) in
        _ = try transaction.insert(adventurer)
      }
    }
  }
}

extension DatabaseSnapshot {
  /// The fields of an entity, stored and derived.
  fileprivate func paths(of entity: String, _ database: Database) -> [FieldPath] {
    let stored = ((try? schema(of: entity)) ?? nil)?.fields.map { FieldPath($0.name) } ?? []
    return stored
      + database.derivedFields(of: entity).map { FieldPath($0.name, $0.arguments?.first) }
  }
}

extension FieldKind {
  fileprivate var isNumeric: Bool {
    switch self {
    case .integer, .decimal, .date, .reference: true
    default: false
    }
  }
}
