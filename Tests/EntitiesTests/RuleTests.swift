import Entities
import PageStore
import Testing

/// An owner of pets, and pets with one rule each for when their owner goes.
struct Owner: Entity, Equatable {
  var name: String
  static let schema = Schema(
    name: "owners", fields: [FieldDefinition(1, "name", .text, rules: [.required, .unique])])
  init(_ name: String) { self.name = name }
  init(from record: inout RecordReader) { name = record.text(1) }
  func encode(to record: inout RecordWriter) { record.set(1, text: name) }
}

struct Pet: Entity, Equatable {
  var owner: EntityID?
  var sitter: EntityID?
  var vet: EntityID?
  var friend: EntityID?
  static let schema = Schema(
    name: "pets",
    fields: [
      FieldDefinition(1, "owner", .reference(entity: "owners", onDelete: .cascade)),
      FieldDefinition(2, "sitter", .reference(entity: "owners", onDelete: .clear)),
      FieldDefinition(3, "vet", .reference(entity: "owners", onDelete: .restrict)),
      FieldDefinition(4, "friend", .reference(entity: "pets", onDelete: .cascade)),
    ])
  init(owner: EntityID? = nil, sitter: EntityID? = nil, vet: EntityID? = nil) {
    (self.owner, self.sitter, self.vet) = (owner, sitter, vet)
  }
  init(from record: inout RecordReader) {
    owner = record.referenceIfPresent(1)
    sitter = record.referenceIfPresent(2)
    vet = record.referenceIfPresent(3)
    friend = record.referenceIfPresent(4)
  }
  func encode(to record: inout RecordWriter) {
    record.set(1, reference: owner)
    record.set(2, reference: sitter)
    record.set(3, reference: vet)
    record.set(4, reference: friend)
  }
}

@Suite struct `The rules of a schema` {
  private func seeds() throws -> Database { try Database.inMemory(entities: [Seed.self]) }

  private func refusal(
    _ database: Database, _ seed: Seed
  ) -> DatabaseError? {
    do throws(DatabaseError) {
      try database.write { transaction throws(DatabaseError) in _ = try transaction.insert(seed) }
      return nil
    } catch { return error }
  }

  @Test func `keep two records from having one name, however it is written`() throws {
    let database = try seeds()
    #expect(refusal(database, Seed(name: "Sweet Pea")) == nil)
    for name in ["sweet pea", "SWEET  PEA", "Sweet-Pea", "Ｓweet Péa"] {
      #expect(
        refusal(database, Seed(name: name))
          == .invalid(
            entity: "seeds", id: EntityID(2), field: "name", .notUnique(EntityID(1))))
    }
    #expect(refusal(database, Seed(name: "Sweet Peas")) == nil)
    // A name that was given up can be taken.
    try database.write { transaction throws(DatabaseError) in
      try transaction.update(Seed(name: "Bean"), id: EntityID(1))
      try transaction.insert(Seed(name: "sweet pea"))
      try transaction.delete(Seed.self, EntityID(2))
      try transaction.insert(Seed(name: "sweet peas"))
    }
    #expect(try database.check().isClean)
  }

  @Test func `hold numbers to their range, and name the field`() throws {
    let database = try seeds()
    #expect(refusal(database, Seed(name: "a", count: 1000)) == nil)
    for count in [-1, 1001, .max] {
      #expect(
        refusal(database, Seed(name: "b", count: count))
          == .invalid(entity: "seeds", id: EntityID(2), field: "count", .outOfRange(0, 1000)))
    }
    #expect(
      refusal(database, Seed(name: "b", colour: "pink"))
        == .invalid(entity: "seeds", id: nil, field: "colour", .notInVocabulary("pink")))
  }

  @Test func `hold records by name to the same`() throws {
    let database = try seeds()
    func refusal(_ record: Record) -> DatabaseError? {
      do throws(DatabaseError) {
        try database.write { transaction throws(DatabaseError) in
          _ = try transaction.insert("seeds", record)
        }
        return nil
      } catch { return error }
    }
    #expect(
      refusal(["count": .integer(1)])
        == .invalid(entity: "seeds", id: EntityID(1), field: "name", .missing))
    #expect(
      refusal(["name": .integer(1)])
        == .invalid(entity: "seeds", id: nil, field: "name", .wrongKind))
    #expect(
      refusal(["name": .text("x"), "hue": .text("red")])
        == .noSuchField(entity: "seeds", field: "hue"))
    #expect(refusal(["name": .text("x")]) == nil)
  }

  @Test func `leave the transaction good for more after a refusal`() throws {
    let database = try seeds()
    try database.write { transaction throws(DatabaseError) in
      _ = try transaction.insert(Seed(name: "a"))
      do throws(DatabaseError) { _ = try transaction.insert(Seed(name: "A", count: 5)) } catch {}
      do throws(DatabaseError) {
        try transaction.insert(Seed(name: "b"), id: EntityID(1))
      } catch { #expect(error == .recordExists(entity: "seeds", id: EntityID(1))) }
      _ = try transaction.insert(Seed(name: "b"))
    }
    #expect(
      try database.snapshot().find(Query(entity: "seeds")).ids == [1, 2].map { EntityID($0) })
    #expect(try database.check().isClean)
  }

  @Test func `never give a number out twice`() throws {
    let database = try seeds()
    try database.write { transaction throws(DatabaseError) in
      try transaction.insert(Seed(name: "a"), id: EntityID(900))
      try transaction.delete(Seed.self, EntityID(900))
    }
    let id = try database.write { transaction throws(DatabaseError) in
      try transaction.insert(Seed(name: "b"))
    }
    #expect(id == EntityID(901))
    #expect(throws: DatabaseError.noSuchID(entity: "seeds", id: EntityID(1 << 48))) {
      try database.write { transaction throws(DatabaseError) in
        try transaction.insert(Seed(name: "c"), id: EntityID(1 << 48))
      }
    }
  }

  @Test func `leave numbers for those that come after the greatest that can be chosen`() throws {
    let database = try seeds()
    let greatest = EntityID.choiceLimit
    for id in [EntityID.limit, EntityID(greatest.rawValue + 1)] {
      #expect(throws: DatabaseError.noSuchID(entity: "seeds", id: id)) {
        try database.write { transaction throws(DatabaseError) in
          try transaction.insert(Seed(name: "late"), id: id)
        }
      }
    }
    let ids = try database.write { transaction throws(DatabaseError) in
      try transaction.insert(Seed(name: "chosen"), id: greatest)
      let next = try transaction.insert(Seed(name: "next"))
      // One that carries on where the last one was is no choice that leaves others out.
      try transaction.insert(Seed(name: "on"), id: EntityID(next.rawValue + 1))
      return [next, try transaction.insert(Seed(name: "last"))]
    }
    #expect(ids.map { $0.rawValue - greatest.rawValue } == [1, 3])
  }

  @Test func `say what becomes of references when their record goes`() throws {
    let database = try Database.inMemory(entities: [Owner.self, Pet.self])
    try database.write { transaction throws(DatabaseError) in
      for name in ["ann", "bob", "cid"] { _ = try transaction.insert(Owner(name)) }
      _ = try transaction.insert(Pet(owner: EntityID(1)))
      _ = try transaction.insert(Pet(owner: EntityID(2), sitter: EntityID(1)))
      _ = try transaction.insert(Pet(vet: EntityID(3)))
      // Two who hang on each other, and the first of them on the first owner.
      _ = try transaction.insert(Pet())
      try transaction.set(
        ["friend": .integer(4)], of: "pets", EntityID(1))
      try transaction.set(["friend": .integer(1)], of: "pets", EntityID(4))
    }
    #expect(
      throws: DatabaseError.restricted(
        entity: "owners", id: EntityID(3), by: "pets", byID: EntityID(3), field: "vet")
    ) {
      try database.write { transaction throws(DatabaseError) in
        try transaction.delete(Owner.self, EntityID(3))
      }
    }
    try database.write { transaction throws(DatabaseError) in
      try transaction.delete(Owner.self, EntityID(1))
    }
    let snapshot = try database.snapshot()
    #expect(try snapshot.find(Query(entity: "pets")).ids == [2, 3].map { EntityID($0) })
    #expect(try snapshot.get(Pet.self, EntityID(2)) == Pet(owner: EntityID(2)))
    #expect(try snapshot.check().isClean)
    #expect(
      throws: DatabaseError.invalid(
        entity: "pets", id: EntityID(5), field: "owner",
        .noSuchTarget(entity: "owners", EntityID(1)))
    ) {
      try database.write { transaction throws(DatabaseError) in
        _ = try transaction.insert(Pet(owner: EntityID(1)))
      }
    }
  }
}

@Suite struct `A check of a database` {
  @Test func `names what an index has wrong, and rebuilding puts it right`() throws {
    let database = try Database.inMemory(entities: [Seed.self])
    try database.write { transaction throws(DatabaseError) in
      for number in 0..<50 {
        _ = try transaction.insert(
          Seed(name: "bean \(number)", count: number, kinds: ["k\(number % 3)"], colour: "red"))
      }
    }
    let report = try database.check()
    #expect(report.isClean && report.recordCounts == ["seeds": 50] && report.indexCount == 6)
    for index in ["name", "count", "kinds", "colour", "*", "name/unique"] {
      try database.store.write { transaction throws(StoreError) in
        let table = try transaction.table("seeds/\(index)")
        try transaction.deleteRange(from: nil, to: nil, in: table)
      }
      let report = try database.check()
      #expect(!report.isClean)
      #expect(report.problems.allSatisfy { $0.entity == "seeds" && $0.field != nil })
      #expect(report.problems.contains { $0.id == EntityID(1) })
      try database.rebuildIndexes()
      #expect(try database.check().isClean)
    }
    // A record that is taken away behind the back of its indexes.
    try database.store.write { transaction throws(StoreError) in
      try transaction.delete([0, 0, 0, 0, 0, 0, 0, 7], in: try transaction.table("seeds"))
    }
    #expect(try database.check().problems.contains { $0.id == EntityID(7) })
  }
}
