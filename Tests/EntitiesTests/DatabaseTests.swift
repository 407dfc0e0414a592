import Entities
import PageStore
import Testing

struct Seed: Entity, Equatable {
  var name: String
  var count: Int?
  var kinds: [String] = []
  var colour: String?
  var weight: Int?

  static let schema = Schema(
    name: "seeds",
    fields: [
      FieldDefinition(1, "name", .text, index: .words, rules: [.required, .notBlank, .unique]),
      FieldDefinition(2, "count", .integer, index: .numbers, rules: [.range(0, 1000)]),
      FieldDefinition(3, "kinds", .names(nil), index: .terms),
      FieldDefinition(4, "colour", .vocabulary(["red", "green", "blue"]), index: .terms),
      FieldDefinition(5, "weight", .decimal(denominator: 10), unit: "g"),
    ])

  init(name: String, count: Int? = nil, kinds: [String] = [], colour: String? = nil) {
    self.name = name
    self.count = count
    self.kinds = kinds
    self.colour = colour
  }

  init(from record: inout RecordReader) {
    name = record.text(1)
    count = record.integerIfPresent(2)
    kinds = record.names(3)
    colour = record.nameIfPresent(4)
    weight = record.integerIfPresent(5)
  }

  func encode(to record: inout RecordWriter) {
    record.set(1, text: name)
    record.set(2, integer: count)
    record.set(3, names: kinds)
    record.set(4, name: colour)
    record.set(5, integer: weight)
  }
}

@Suite struct `A database` {
  @Test func `keeps values and answers queries`() throws {
    let database = try Database.inMemory(entities: [Seed.self])
    let bean = Seed(name: "Runner Bean", count: 12, kinds: ["climber", "legume"], colour: "red")
    let pea = Seed(name: "Sweet Pea", count: 3, kinds: ["climber"])
    let ids = try database.write { transaction throws(DatabaseError) in
      [try transaction.insert(bean), try transaction.insert(pea)]
    }
    #expect(ids == [EntityID(1), EntityID(2)])
    let snapshot = try database.snapshot()
    #expect(try snapshot.get(Seed.self, ids[0]) == bean)
    #expect(
      try snapshot.record("seeds", ids[1])
        == ["name": .text("Sweet Pea"), "count": .integer(3), "kinds": .names(["climber"])])
    let found = try snapshot.find(
      Seed.self, where: .words(FieldPath("name"), ["pe"], isPhrase: false))
    #expect(found == [Identified(id: ids[1], value: pea)])
    #expect(try snapshot.count("seeds", where: .has(FieldPath("kinds"), ["climber"])) == 2)
  }

  @Test func `refuses a name that nobody can see`() throws {
    let database = try Database.inMemory(entities: [Seed.self])
    for name in ["", " ", "\u{3000}\u{200B}", "\u{FEFF}\t", "\u{2800}"] {
      #expect(
        throws: DatabaseError.invalid(entity: "seeds", id: EntityID(1), field: "name", .blank)
      ) {
        try database.write { transaction throws(DatabaseError) in
          try transaction.insert(Seed(name: name))
        }
      }
    }
  }

  @Test func `shows an observer every answer in the end`() async throws {
    let database = try Database.inMemory(entities: [Seed.self])
    var iterator = database.observe(Query(entity: "seeds")).makeAsyncIterator()
    #expect(try await iterator.next()?.rows.count == 0)
    try await database.write { transaction throws(DatabaseError) in
      _ = try transaction.insert(Seed(name: "a"))
    }
    #expect(try await iterator.next()?.rows.count == 1)
    try await database.write { transaction throws(DatabaseError) in
      _ = try transaction.insert(Seed(name: "b"))
    }
    #expect(try await iterator.next()?.rows.count == 2)
  }

  @Test func `says how far a check has come, and gives it up`() throws {
    let database = try Database.inMemory(entities: [Seed.self])
    try database.write { transaction in
      for number in 0..<1000 { try transaction.insert(Seed(name: "s\(number)", count: number)) }
    }
    var seen: [CheckProgress] = []
    let report = try database.check {
      seen.append($0)
      return true
    }
    #expect(report.isClean && report.recordCounts["seeds"] == 1000)
    // Records, the index of all, four indexes, and the unique names.
    #expect(seen.allSatisfy { $0.totalRowCount == 7000 })
    // It is asked every 256 rows, and between the lists of an index too.
    let counts = seen.map(\.rowCount)
    #expect(counts == counts.sorted())
    #expect(Set(stride(from: 256, through: 7000, by: 256)).isSubset(of: counts))
    #expect(throws: DatabaseError.store(.cancelled)) { try database.check { $0.rowCount < 1000 } }
    #expect(throws: DatabaseError.store(.cancelled)) { try database.check { _ in false } }
  }
}
