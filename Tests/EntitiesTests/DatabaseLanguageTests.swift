import Entities
import PageStore
import Testing

@Suite struct `A query in the language` {
  private func pokedex() throws -> Database { try PokedexDatabase.opened.get() }

  private func empty() throws -> Database { try Database.inMemory(entities: Pokedex.entities) }

  private func catalog() -> FieldCatalog {
    FieldCatalog(
      schemas: Pokedex.entities.map { $0.schema },
      derived: { name in
        Pokedex.entities.first { $0.schema.name == name }?.derivedFields ?? []
      }, defaultEntity: "pokemon")
  }

  private func ids(
    _ text: String, _ database: Database, of entity: String = "pokemon"
  ) throws -> [UInt64] {
    try database.snapshot().findIDs(try database.query(text, of: entity)).map(\.rawValue)
  }

  @Test func `asks the entity that is named, and no other`() throws {
    let database = try Database.inMemory()
    for name in ["my_books", "My-Films"] {
      try database.createEntity(Schema(name: name, fields: [FieldDefinition(1, "name", .text)]))
    }
    #expect(throws: DatabaseError.noSuchEntity("ghosts")) {
      try database.query("boo", of: "ghosts")
    }
    for (line, entity) in [
      ("", "my_books"), ("from:my_books", "my_books"), ("from:MY_B", "my_books"),
      ("from:my-films x", "My-Films"), ("from:my-", "My-Films"),
    ] {
      #expect(try database.query(line, of: "my_books").entity == entity)
    }
    #expect(throws: QueryError.self) { try database.query("from:my", of: "my_books") }
    let schemas = try database.schemas()
    let undecided = FieldCatalog(schemas: schemas, derived: { _ in [] }, defaultEntity: "ghosts")
    #expect(throws: QueryError.self) { try QueryParser.query("boo", in: undecided) }
    #expect(try QueryParser.query("from:my_ boo", in: undecided).entity == "my_books")
  }

  @Test func `is refused where a number of few stands for nothing`() throws {
    for line in ["gen:10", "g=0", "generation!=10", "from:forms gen:11", "gen:1.5"] {
      #expect(throws: QueryError.self, "\(line)") { try QueryParser.query(line, in: catalog()) }
    }
    for line in ["gen<10", "gen>=0", "gen:8..12", "gen:9", "hp:1000", "from:adv level:500"] {
      _ = try QueryParser.query(line, in: catalog())
    }
    // The whole range of numbers is no category, and its width no number.
    let wide = Schema(
      name: "wide", fields: [FieldDefinition(1, "n", .integer, rules: [.range(.min, .max)])])
    let other = FieldCatalog(schemas: [wide], derived: { _ in [] }, defaultEntity: "wide")
    _ = try QueryParser.query("n:7", in: other)
  }

  @Test func `in one language leaves names of other languages out`() throws {
    let database = try pokedex()
    #expect(try ids("bulba lang:fr", database) == [])
    #expect(try ids("bulbiz lang:fr", database) == [1])
    #expect(try ids("bulba lang:en", database) == [1])
    #expect(try ids("name=bulbasaur lang:de", database) == [])
    #expect(try ids("bulba", database) == [1])
    // Where nothing is translated, a language says nothing.
    let other = try empty()
    try other.write { transaction throws(DatabaseError) in
      try transaction.insert(
        Adventurer.recruit(name: "Ana", profession: "Wizard", seed: 1, id: EntityID(1)))
    }
    #expect(try ids("ana lang:fr", other, of: "adventurers") == [1])
  }

  @Test func `sorts groups by anything that is made of them`() throws {
    let database = try pokedex()
    func rows(_ text: String) throws -> [[FieldValue?]] {
      try database.snapshot().find(try database.query(text, of: "pokemon")).rows.map(\.values)
    }
    let chart = try rows("group:type show:count,avg.takes.ice sort:avg.takes.ice")
    let means = chart.compactMap { row -> Double? in
      guard case .real(let mean)? = row[2] else { return nil }
      return mean
    }
    #expect(means.count == 18 && means == means.sorted() && means.first != means.last)
    #expect(
      try rows("group:type show:count,avg.takes.ice sort:-avg.takes.ice").first?[0]
        == chart.last?[0])
    #expect(try rows("show:count sort:count") == [[.integer(1025)]])
    #expect(try rows("show:count,max.hp sort:-max.hp").count == 1)
    #expect(throws: QueryError.self) { try rows("sort:count") }
    var ungrouped = Query(entity: "pokemon")
    ungrouped.order = [SortKey(.count)]
    #expect(throws: DatabaseError.self) { try database.snapshot().findIDs(ungrouped) }
  }

  @Test(arguments: [
    "name:25", "25", "#25", "\"25\"", "25-", "name:25a", "２５", "from:moves 7", "from:moves #7",
    "from:adv #7", "from:adv 7", "from:adv id=7", "group:type sort:-avg.takes.ice,count,type",
    "show:count,min.takes.ice sort:min.takes.ice", "from:adv atk=1.1",
  ])
  func `is printed as a line that asks the same`(line: String) throws {
    let catalog = catalog()
    let query = try QueryParser.query(line, in: catalog)
    let text = QueryPrinter.text(of: query, in: catalog)
    #expect(try QueryParser.query(text, in: catalog) == query, "\(text)")
  }

  @Test func `prints the number of a record so that it means no field`() throws {
    let database = try pokedex()
    for entity in ["pokemon", "forms", "moves"] {
      let all = try database.snapshot().findIDs(Query(entity: entity))
      let id = try #require(all.dropFirst(6).first?.rawValue)
      let query = Query(entity: entity, filter: .id(id))
      let text = QueryPrinter.text(of: query, in: catalog())
      #expect(try ids(text, database) == [id], "\(text)")
    }
  }

  @Test func `has no sum where numbers are too great to be added`() throws {
    let database = try Database.inMemory()
    try database.createEntity(
      Schema(name: "stars", fields: [FieldDefinition(1, "mass", .real)]))
    try database.write { transaction throws(DatabaseError) in
      for _ in 0..<3 { _ = try transaction.insert("stars", ["mass": .real(1e308)]) }
    }
    let query = try database.query("show:count,sum.mass,avg.mass,max.mass", of: "stars")
    #expect(
      try database.snapshot().find(query).rows[0].values == [.integer(3), nil, nil, .real(1e308)])
  }

  @Test func `finds a fraction as it was typed`() throws {
    let database = try empty()
    try database.write { transaction throws(DatabaseError) in
      for multiplier in [281, 282, 283] {
        var adventurer = Adventurer.recruit(
          name: "Ana", profession: "Wizard", seed: 1, id: EntityID(1))
        adventurer.multiplier = multiplier
        try transaction.insert(adventurer)
      }
    }
    // 1.1 · 256 = 281.6, and 282 is the nearest.
    #expect(try ids("atk=1.1", database, of: "adventurers") == [2])
    #expect(try ids("atk:1.1", database, of: "adventurers") == [2])
    #expect(try ids("atk!=1.1", database, of: "adventurers") == [1, 3])
    #expect(try ids("atk<1.1", database, of: "adventurers") == [1])
    // Tenths can be typed in full, so that nothing lies between 0.7 and 0.8.
    #expect(try ids("height:0.75", try pokedex()) == [])
  }
}
