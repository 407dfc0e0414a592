import Entities
import Testing

@Suite struct `The values of an indexed field` {
  @Test func `are those of the records, each once`() throws {
    let database = try Database.inMemory(entities: Pokedex.entities)
    try database.write { transaction throws(DatabaseError) in try Pokedex.fill(&transaction) }
    let snapshot = try database.snapshot()
    var expected: Set<String> = []
    try snapshot.forEach("pokemon") { _, record throws(DatabaseError) in
      if case .names(let names)? = record.values["abilities"] { expected.formUnion(names) }
      return true
    }
    #expect(expected.count > 200)
    let found = try snapshot.values(of: "abilities", in: "pokemon", limit: 1000)
    #expect(found.map { Set($0) } == expected && found?.count == expected.count)
    #expect(try snapshot.values(of: "abilities", in: "pokemon", limit: 100) == nil)
    #expect(try snapshot.values(of: "hp", in: "pokemon", limit: 1000) == nil)
  }
}
