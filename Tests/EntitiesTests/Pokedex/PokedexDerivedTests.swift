import Entities
import Testing

/// What the derived fields must say, worked out from the tables by plain scans.
private struct PlainPokedex {
  let rows = PokedexTable.species.records
  let factors: [String: [String: Int]]
  let parents: [Int: Int]

  init() {
    var factors: [String: [String: Int]] = [:]
    for row in PokedexTable.typechart.records {
      factors[row.cell("attacking"), default: [:]][row.cell("defending")] = row.number("factor")
    }
    self.factors = factors
    var parents: [Int: Int] = [:]
    for row in rows where !row.cell("evolves_from").isEmpty {
      parents[row.number("number")] = row.number("evolves_from")
    }
    self.parents = parents
  }

  var types: [String] { factors.keys.sorted() }

  /// The damage that an attack does, in hundredths.
  func takes(_ attack: String, _ row: [String: String]) -> Int {
    row.list("types").reduce(100) { $0 * (factors[attack]?[$1] ?? -1) / 100 }
  }

  func stage(_ number: Int) -> Int { 1 + (parents[number].map(stage) ?? 0) }

  func root(_ number: Int) -> Int { parents[number].map(root) ?? number }

  func name(_ number: Int) -> String { rows[number - 1].cell("name") }

  /// The numbers of the rows that fulfil a condition.
  func numbers(where isWanted: ([String: String]) -> Bool) -> [UInt64] {
    rows.filter(isWanted).map { UInt64($0.number("number")) }
  }
}

@Suite struct `The derived fields of Pokémon` {
  private let plain = PlainPokedex()

  private func ids(_ filter: Filter, of entity: String = "pokemon") throws -> [UInt64] {
    try PokedexDatabase.snapshot().findIDs(Query(entity: entity, filter: filter)).map(\.rawValue)
  }

  /// Looks whether just the expected numbers satisfy the filter, and just the others do not.
  private func expect(
    _ filter: Filter, _ expected: [UInt64], _ location: SourceLocation = #_sourceLocation
  ) throws {
    #expect(try ids(filter) == expected, sourceLocation: location)
    let others = Set(1...1_025).subtracting(expected).sorted()
    #expect(try ids(.not(filter)) == others, sourceLocation: location)
  }

  @Test func `have the values that a plain scan finds`() throws {
    let snapshot = try PokedexDatabase.snapshot()
    for row in plain.rows {
      let number = row.number("number")
      func value(_ name: String, _ argument: String? = nil) throws -> FieldValue? {
        try snapshot.value(FieldPath(name, argument), of: "pokemon", EntityID(UInt64(number)))
      }
      let total = ["hp", "attack", "defense", "special_attack", "special_defense", "speed"]
        .reduce(0) { $0 + row.number($1) }
      #expect(try value("total") == .integer(Int64(total)))
      #expect(try value("stage") == .integer(Int64(plain.stage(number))))
      #expect(try value("family") == .text(plain.name(plain.root(number))))
      #expect(try value("height") == .integer(Int64(row.number("height_dm"))))
      #expect(try value("weight") == .integer(Int64(row.number("weight_hg"))))
      let weak = plain.types.filter { plain.takes($0, row) > 100 }
      let resisted = plain.types.filter { plain.takes($0, row) < 100 }
      let immune = plain.types.filter { plain.takes($0, row) == 0 }
      #expect(try value("weak") == .names(weak))
      #expect(try value("resists") == .names(resisted))
      #expect(try value("immune") == .names(immune))
      for type in plain.types {
        #expect(try value("takes", type) == .integer(Int64(plain.takes(type, row))))
      }
    }
  }

  @Test(arguments: PokemonType.allCases.map(\.name))
  func `find by match-up what a plain scan finds`(type: String) throws {
    try expect(
      .has(FieldPath("weak"), [type]), plain.numbers { plain.takes(type, $0) > 100 })
    try expect(
      .has(FieldPath("resists"), [type]), plain.numbers { plain.takes(type, $0) < 100 })
    try expect(
      .has(FieldPath("immune"), [type]), plain.numbers { plain.takes(type, $0) == 0 })
    for (comparison, limit) in [(Comparison.greaterOrEqual, 4), (.less, 1), (.equal, 2)] {
      try expect(
        .number([FieldPath("takes", type)], comparison, Number(Int64(limit))),
        plain.numbers { row in
          let factor = plain.takes(type, row)
          switch comparison {
          case .less: return factor < 100 * limit
          case .equal: return factor == 100 * limit
          default: return factor >= 100 * limit
          }
        })
    }
  }

  @Test func `find by flag what a plain scan finds`() throws {
    let ancestors = Set(plain.parents.values)
    func evolves(_ row: [String: String]) -> Bool { ancestors.contains(row.number("number")) }
    func flag(_ name: String) -> Filter { .flag(FieldPath(name)) }
    try expect(flag("is:final"), plain.numbers { !evolves($0) })
    try expect(flag("has:evolution"), plain.numbers(where: evolves))
    try expect(flag("is:mono"), plain.numbers { $0.list("types").count == 1 })
    try expect(flag("is:dual"), plain.numbers { $0.list("types").count == 2 })
    try expect(flag("is:baby"), plain.numbers { $0.cell("is_baby") == "1" })
    try expect(flag("is:mythical"), plain.numbers { $0.cell("is_mythical") == "1" })
    try expect(
      flag("is:legendary"),
      plain.numbers { $0.cell("is_legendary") == "1" && $0.cell("is_mythical") == "0" })
    try expect(flag("has:portrait"), [])
  }

  @Test func `learn who evolves from a Pokémon from one list of an index`() throws {
    let snapshot = try PokedexDatabase.snapshot()
    for number in 1...1_025 {
      let filter = Filter.number([FieldPath("evolves_from")], .equal, Number(Int64(number)))
      let children = plain.numbers { $0.cell("evolves_from") == String(number) }
      #expect(try ids(filter) == children)
      #expect(try snapshot.count("pokemon", where: filter) == children.count)
      let steps = try snapshot.explain(Query(entity: "pokemon", filter: filter))
      // A list as short as this is one cell, looked at for its length and for its rows.
      #expect(steps.count == 1)
      let words = steps[0].split(separator: " ")
      #expect(words.first == "term" && words.last == "cells")
      #expect(words.dropLast().last.flatMap { Int($0) } ?? .max <= 2, "\(steps)")
    }
  }

  @Test(arguments: [
    ("eevee", "133"), ("Eevee", "133"), ("FLAREON", "133"), ("133", "133"), ("イーブイ", "133"),
    ("mr-mime", "122"), ("Mr. Rime", "122"), ("manaphy", "489"), ("phione", "489"),
  ])
  func `find a family by whole name, slug or number`(name: String, member: String) throws {
    let chain = plain.rows[(Int(member) ?? 1) - 1].cell("evolution_chain")
    let expected = plain.numbers { $0.cell("evolution_chain") == chain }
    #expect(expected.count > 1)
    try expect(.text(FieldPath("family"), name), expected)
    // No index has sums, so that each record is looked at.
    let strong = Filter.fields([FieldPath("attack")], .greater, [FieldPath("defense")])
    #expect(
      try ids(.all([.text(FieldPath("family"), name), strong]))
        == plain.numbers {
          $0.cell("evolution_chain") == chain && $0.number("attack") > $0.number("defense")
        })
  }

  @Test(arguments: ["eev", "eeve", "nobody", "0", "99999999999999999999", ""])
  func `refuse a family by part of a name, or by none`(name: String) throws {
    let query = Query(entity: "pokemon", filter: .text(FieldPath("family"), name))
    let snapshot = try PokedexDatabase.snapshot()
    var complaint: String?
    do throws(DatabaseError) {
      _ = try snapshot.findIDs(query)
    } catch {
      if case .invalidQuery(let text) = error { complaint = text }
    }
    #expect(complaint?.contains("no Pokémon is called '\(name)'") == true)
    if name == "eeve" { #expect(complaint?.contains("did you mean 'eevee'?") == true) }
  }

  @Test func `compare heights in metres and weights in kilograms`() throws {
    func tenths(_ row: [String: String], _ column: String) -> Int { row.number(column) }
    try expect(
      .number([FieldPath("height")], .greaterOrEqual, Number(15, over: 10)),
      plain.numbers { tenths($0, "height_dm") >= 15 })
    try expect(
      .number([FieldPath("height")], .equal, Number(7, over: 10)),
      plain.numbers { tenths($0, "height_dm") == 7 })
    try expect(
      .number([FieldPath("height")], .equal, Number(71, over: 100)), [])
    try expect(
      .range([FieldPath("weight")], from: Number(100), through: nil),
      plain.numbers { tenths($0, "weight_hg") >= 1_000 })
    try expect(
      .range([FieldPath("weight")], from: Number(.min), through: Number(.max)),
      plain.numbers { _ in true })
  }

  @Test func `count forms by their species' match-ups and names`() throws {
    let forms = PokedexTable.forms.records
    func numbers(_ isWanted: ([String: String]) -> Bool) -> [UInt64] {
      forms.filter(isWanted).map { UInt64($0.number("form_id")) }
    }
    #expect(
      try ids(.has(FieldPath("weak"), ["ice"]), of: "forms")
        == numbers { plain.takes("ice", $0) > 100 })
    let found = try ids(.words(FieldPath("name"), ["glurak"], isPhrase: false), of: "forms")
    #expect(Set(found) == Set(numbers { $0.cell("number") == "6" }))
    #expect(found.count == 3)
  }
}
