import Entities
import Testing

@Suite struct `An adventurer` {
  private func database() throws -> Database {
    try Database.inMemory(entities: Pokedex.entities)
  }

  private var ana: Adventurer {
    Adventurer.recruit(name: "Ana", profession: "Wizard", seed: 42, id: EntityID(1))
  }

  @Test func `is kept with all that there is to it`() throws {
    let database = try database()
    var adventurer = ana
    adventurer.level = 7
    adventurer.experience = 12_345
    adventurer.currentHitPoints = 3
    adventurer.wins = 4
    adventurer.losses = 5
    adventurer.created = 1_760_000_000_000
    let picture = StoredPortrait(name: "wizard-1", width: 2, height: 1, pixels: [1, 2, 3])
    let (id, pictureID) = try database.write { transaction throws(DatabaseError) in
      let pictureID = try transaction.insert(picture)
      adventurer.portrait = pictureID
      return (try transaction.insert(adventurer), pictureID)
    }
    let snapshot = try database.snapshot()
    #expect(try snapshot.get(Adventurer.self, id) == adventurer)
    #expect(try snapshot.get(StoredPortrait.self, pictureID) == picture)
    try database.write { transaction throws(DatabaseError) in
      try transaction.delete(StoredPortrait.self, pictureID)
    }
    adventurer.portrait = nil
    #expect(try database.snapshot().get(Adventurer.self, id) == adventurer)
  }

  @Test func `keeps its evasion, which is asked for in percent`() throws {
    let database = try database()
    let ids = try database.write { transaction throws(DatabaseError) in
      try (0...128).map { evasion throws(DatabaseError) in
        var adventurer = ana
        adventurer.evasion = evasion
        return try transaction.insert(adventurer)
      }
    }
    let snapshot = try database.snapshot()
    for (evasion, id) in ids.enumerated() {
      #expect(try snapshot.get(Adventurer.self, id)?.evasion == evasion)
      let percent = Number(Int64(evasion * 100), over: 256)
      let filter = Filter.number([FieldPath("evasion")], .equal, percent)
      #expect(try snapshot.find(Adventurer.self, where: filter).map(\.id) == [id])
    }
  }

  @Test(arguments: [
    ("name", FieldValue.text("")), ("name", .text(" \t\u{3000}")), ("profession", .text("\n")),
    ("level", .integer(0)), ("level", .integer(201)), ("experience", .integer(-1)),
    ("current_hit_points", .integer(-1)), ("total_hit_points", .integer(0)),
    ("multiplier", .integer(0)), ("multiplier", .integer(65_536)), ("defense", .integer(0)),
    ("evasion", .integer(3_201)), ("speed", .integer(10_001)), ("speed", .integer(-1)),
    ("wins", .integer(-1)), ("portrait", .integer(9)),
    ("name", .text(String(repeating: "x", count: 256))),
  ])
  func `is refused with the name of the field that is wrong`(
    field: String, value: FieldValue
  ) throws {
    let database = try database()
    let adventurer = ana
    let id = try database.write { transaction throws(DatabaseError) in
      try transaction.insert(adventurer)
    }
    var refused: String?
    do {
      try database.write { transaction throws(DatabaseError) in
        try transaction.set([field: value], of: "adventurers", id)
      }
    } catch {
      guard case .invalid("adventurers", id, let name, _) = error else { throw error }
      refused = name
    }
    #expect(refused == field)
    #expect(try database.snapshot().get(Adventurer.self, id) == adventurer)
  }

  @Test func `has a picture that comes back as it was`() throws {
    let name = try #require(PortraitGallery.names.first)
    let picture = try #require(PortraitGallery.portrait(named: name))
    var stored = try StoredPortrait(name: name, picture)
    #expect(try stored.portrait() == picture)
    #expect(stored.width == picture.width && stored.height == picture.height)
    stored.width += 1
    #expect(throws: PortraitError.size(width: picture.width + 1, height: picture.height)) {
      try stored.portrait()
    }
  }

  @Test func `is alive, hurt or fallen by its hit points`() throws {
    let database = try database()
    let total = ana.totalHitPoints
    try database.write { transaction throws(DatabaseError) in
      for current in [total, total - 1, 0] {
        var adventurer = ana
        adventurer.currentHitPoints = current
        try transaction.insert(adventurer)
      }
    }
    func ids(_ flag: String) throws -> [UInt64] {
      let query = Query(entity: "adventurers", filter: .flag(FieldPath(flag)))
      return try database.snapshot().findIDs(query).map(\.rawValue)
    }
    #expect(try ids("is:alive") == [1, 2])
    #expect(try ids("is:fallen") == [3])
    #expect(try ids("is:hurt") == [2, 3])
    #expect(try ids("has:portrait") == [])
  }
}
