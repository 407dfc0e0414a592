import Entities
import PageStore
import SimulatedDisk
import Testing

/// Answers by their places, compared with plain arrays.
@Suite struct `The order of an answer` {
  private static let count: UInt64 = 5000

  /// Adventurers whose level is missing nowhere, and whose creation is known of a third.
  private static func filled(_ seed: UInt64) throws -> (Database, [UInt64: Adventurer]) {
    let database = try Database.inMemory(entities: Pokedex.entities)
    var random = SplitMix64(seed: seed)
    var all: [UInt64: Adventurer] = [:]
    try database.write { transaction throws(DatabaseError) in
      try transaction.fill { filler throws(DatabaseError) in
        for number in 1...count {
          var adventurer = Adventurer(
            name: ["Ana", "Bo", "Cy Ana", "Anatol"][random.number(in: 0..<4)] + " \(number)",
            profession: "Wizard", hitPoints: 80, multiplier: 300, defense: 50, evasion: 10,
            speed: random.number(in: 0..<3000))
          adventurer.level = random.number(in: 1..<7)
          adventurer.wins = random.number(in: 0..<3)
          all[number] = adventurer
          try filler.insert(adventurer, id: EntityID(number))
        }
      }
    }
    return (database, all)
  }

  @Test(arguments: [UInt64(1), 2])
  func `is the one of a plain sort, at all places`(seed: UInt64) throws {
    let (database, all) = try Self.filled(seed)
    let snapshot = try database.snapshot()
    let few = Filter.range(["level"], from: Number(2), through: Number(3))
    let filters: [(Filter, (Adventurer) -> Bool)] = [
      (.everything, { _ in true }), (few, { (2...3).contains($0.level) }),
      (.fields(["wins"], .less, ["level"]), { $0.wins < $0.level }),
    ]
    let sorts: [(String?, (Adventurer) -> Int)] = [
      (nil, { _ in 0 }), ("level", { $0.level }), ("speed", { $0.speed }),
    ]
    var random = SplitMix64(seed: seed)
    for (filter, isMatch) in filters {
      for (field, value) in sorts {
        for isDescending in [false, true] {
          var query = Query(entity: "adventurers", filter: filter)
          if let field { query.order = [SortKey([FieldPath(field)], isDescending: isDescending)] }
          let expected = all.filter { isMatch($0.value) }.sorted {
            let (a, b) = (value($0.value), value($1.value))
            return a == b ? $0.key < $1.key : isDescending ? a > b : a < b
          }.map { EntityID($0.key) }
          let order = try snapshot.order(of: query)
          #expect(order.isComplete && order.count == expected.count)
          #expect(order.ids(at: 0..<order.count + 5) == expected)
          let ends = try snapshot.order(of: query, isWhole: false)
          #expect(ends.count == expected.count && ends.isCounted)
          #expect(ends.ids(at: 0..<100) == Array(expected[..<100]))
          #expect(ends.ids(at: ends.count - 100..<ends.count) == Array(expected.suffix(100)))
          for _ in 0..<12 {
            let offset = random.number(in: 0..<expected.count)
            let limit = random.number(in: 1..<300)
            let page = Array(expected.dropFirst(offset).prefix(limit))
            #expect(order.ids(at: offset..<offset + limit) == page)
            #expect(order.place(of: expected[offset]) == offset)
            query.offset = offset
            query.limit = limit
            #expect(try snapshot.findIDs(query) == page, "\(query)")
            #expect(try snapshot.order(of: query).ids(at: 0..<limit) == page)
          }
        }
      }
    }
  }

  @Test func `puts names that begin so first, at deep places too`() throws {
    let (database, all) = try Self.filled(7)
    let snapshot = try database.snapshot()
    var query = Query(entity: "adventurers", filter: .words("name", ["ana"], isPhrase: false))
    let found = all.filter { $0.value.name.contains("Ana") }.keys.sorted()
    let starts = found.filter { all[$0]?.name.hasPrefix("Ana") == true }
    let expected = (starts + found.filter { !starts.contains($0) }).map { EntityID($0) }
    #expect(starts.count > 1600 && found.count > starts.count + 900)
    #expect(try snapshot.order(of: query).ids(at: 0..<expected.count) == expected)
    for offset in [0, 1500, starts.count - 3, starts.count + 20, expected.count - 2] {
      query.offset = offset
      query.limit = 10
      #expect(try snapshot.findIDs(query) == Array(expected.dropFirst(offset).prefix(10)))
    }
    #expect(try snapshot.order(of: query).place(of: EntityID(0)) == nil)
  }

  @Test func `has records that lack what is sorted by last`() throws {
    let database = try Database.inMemory(entities: [Thing.self])
    try database.write { transaction throws(DatabaseError) in
      for number in 0..<6000 {
        var thing = Thing()
        thing.count = number % 3 == 0 ? nil : number % 50
        _ = try transaction.insert(thing)
      }
    }
    let snapshot = try database.snapshot()
    for isDescending in [false, true] {
      var query = Query(entity: "things")
      query.order = [SortKey(["count"], isDescending: isDescending)]
      let numbers = (0..<6000).filter { $0 % 3 != 0 }.sorted {
        let (a, b) = ($0 % 50, $1 % 50)
        return a == b ? $0 < $1 : isDescending ? a > b : a < b
      }
      let expected = (numbers + (0..<6000).filter { $0 % 3 == 0 }).map { EntityID(UInt64($0 + 1)) }
      #expect(try snapshot.order(of: query).ids(at: 0..<6000) == expected)
      let ends = try snapshot.order(of: query, isWhole: false)
      #expect(ends.ids(at: 5900..<6000) == Array(expected.suffix(100)))
      for offset in [1100, 3990, 3999, 4000, 4100, 5990] {
        query.offset = offset
        query.limit = 30
        #expect(try snapshot.findIDs(query) == Array(expected.dropFirst(offset).prefix(30)))
      }
    }
  }
}
