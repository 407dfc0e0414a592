import Entities
import PageStore
import SimulatedDisk
import Testing

/// A database of things after random edits, and what should be in it.
struct ThingStore {
  let database: Database
  var things: [UInt64: Thing] = [:]
  var random: SplitMix64

  init(seed: UInt64, edits: Int) throws {
    database = try Database.inMemory(entities: [Thing.self])
    random = SplitMix64(seed: seed)
    try edit(edits)
  }

  mutating func edit(_ count: Int) throws {
    var (things, random) = (things, random)
    try database.write { transaction throws(DatabaseError) in
      for _ in 0..<count {
        let thing = Thing(random: &random)
        let some = things.keys.sorted().dropFirst(random.number(in: 0..<max(1, things.count))).first
        switch random.number(in: 0..<10) {
        case 0..<6: things[try transaction.insert(thing).rawValue] = thing
        case 6..<9:
          guard let some else { continue }
          try transaction.update(thing, id: EntityID(some))
          things[some] = thing
        default:
          guard let some else { continue }
          try transaction.delete(Thing.self, EntityID(some))
          things[some] = nil
        }
      }
    }
    (self.things, self.random) = (things, random)
  }

  func matching(_ filter: Filter, language: String? = nil) -> [UInt64] {
    things.keys.sorted().filter {
      PlainMeaning(id: $0, thing: things[$0] ?? Thing(), language: language).matches(filter)
    }
  }
}

@Suite struct `A query` {
  @Test(arguments: UInt64(0)..<12)
  func `finds what a plain look at every record finds`(seed: UInt64) throws {
    var store = try ThingStore(seed: seed, edits: 160)
    var sizes = Set<Int>()
    for _ in 0..<150 {
      let filter = Filter.random(&store.random)
      let language = store.random.oneIn(4) ? "de" : nil
      let expected = store.matching(filter, language: language)
      sizes.insert(expected.count)
      var query = Query(entity: "things", filter: filter)
      query.language = language
      query.order = [SortKey([FieldPath("id")])]
      let found = try store.database.snapshot().findIDs(query).map(\.rawValue)
      #expect(found == expected, "\(filter)")
      let count = try store.database.snapshot().count("things", where: filter, language: language)
      #expect(count == expected.count, "\(filter)")
      query.order = []
      query.limit = 7
      let all = try ranked(expected, filter, language, store)
      #expect(try store.database.snapshot().findIDs(query).map(\.rawValue) == Array(all.prefix(7)))
    }
    #expect(sizes.count > 10)
  }

  /// Those whose text begins with something searched outside of any negation come first.
  private func ranked(
    _ ids: [UInt64], _ filter: Filter, _ language: String?, _ store: ThingStore
  ) throws -> [UInt64] {
    func searches(_ filter: Filter) -> [(FieldPath, start: String)] {
      switch filter {
      case .words(let path, let words, _): [(path, words.joined(separator: " "))]
      case .part(let path, let words, let endsWord):
        [(path, words.joined(separator: " ") + (endsWord ? " " : ""))]
      case .all(let filters), .any(let filters): filters.flatMap(searches)
      default: []
      }
    }
    let wanted = searches(filter)
    let first = ids.filter { id in
      let meaning = PlainMeaning(id: id, thing: store.things[id] ?? Thing(), language: language)
      return wanted.contains { path, start in
        meaning.texts(path).contains { ($0 + " ").hasPrefix(start) }
      }
    }
    return first + ids.filter { !first.contains($0) }
  }

  @Test(arguments: UInt64(0)..<6)
  func `sorts by any fields, with what is missing last`(seed: UInt64) throws {
    var store = try ThingStore(seed: seed &+ 50, edits: 700)
    let names = ["count", "weight", "ratio", "size"]
    for round in 0..<60 {
      let filter = round % 2 == 0 ? Filter.everything : .random(&store.random)
      var paths = [FieldPath(names[store.random.number(in: 0..<4)])]
      if store.random.oneIn(4) && paths[0].name != "ratio" { paths.append(FieldPath("weight")) }
      let isDescending = store.random.oneIn(2)
      var query = Query(entity: "things", filter: filter)
      query.order = [SortKey(paths, isDescending: isDescending)]
      query.limit = store.random.oneIn(4) ? nil : store.random.number(in: 0..<40)
      query.offset = store.random.number(in: 0..<10)
      let expected = store.matching(filter).sorted { left, right in
        let a = PlainMeaning(id: left, thing: store.things[left] ?? Thing()).sum(paths)
        let b = PlainMeaning(id: right, thing: store.things[right] ?? Thing()).sum(paths)
        if a == b { return left < right }
        guard let a else { return false }
        guard let b else { return true }
        return isDescending ? a > b : a < b
      }
      let page = expected.dropFirst(query.offset).prefix(query.limit ?? .max)
      #expect(
        try store.database.snapshot().findIDs(query).map(\.rawValue) == Array(page), "\(query)")
    }
  }

  @Test(arguments: UInt64(0)..<4)
  func `groups records, one with several values in each`(seed: UInt64) throws {
    let store = try ThingStore(seed: seed &+ 90, edits: 200)
    var query = Query(entity: "things")
    query.groups = [FieldPath("tags")]
    query.columns = [
      .count, .aggregate(.sum, FieldPath("weight")), .aggregate(.average, FieldPath("count")),
      .aggregate(.minimum, FieldPath("size")), .aggregate(.maximum, FieldPath("ratio")),
    ]
    let result = try store.database.snapshot().find(query)
    #expect(
      result.columns.map(\.title) == [
        "tags", "count", "sum.weight", "avg.count", "min.size", "max.ratio",
      ])
    let keys: [String?] =
      Thing.tagNames.sorted {
        $0.split(separator: "-").joined() < $1.split(separator: "-").joined()
      } + [nil]
    #expect(Set(result.rows.map { $0.values[0] }) == Set(keys.map { $0.map { .text($0) } }))
    for row in result.rows {
      let members = store.things.values.filter { thing in
        if case .text(let tag) = row.values[0] {
          thing.tags.contains(tag)
        } else {
          thing.tags.isEmpty
        }
      }
      #expect(row.values[1] == .integer(Int64(members.count)))
      #expect(row.values[2] == .integer(Int64(members.compactMap(\.weight).reduce(0, +))))
      let counts = members.compactMap(\.count)
      if case .real(let average) = row.values[3] {
        #expect(abs(average - Double(counts.reduce(0, +)) / Double(counts.count)) < 1e-9)
      } else {
        #expect(counts.isEmpty)
      }
      #expect(row.values[4] == members.compactMap(\.size).min().map { .integer(Int64($0)) })
      #expect(row.values[5] == members.compactMap(\.ratio).max().map { .real($0) })
    }
    #expect(result.rows.last?.values[0] == nil)
  }

  @Test func `shows the text of another language by which a record was found`() throws {
    let database = try Database.inMemory(entities: [Thing.self])
    var thing = Thing()
    thing.name = "bath"
    thing.nicks = [Translation(language: "de", text: "Zuber")]
    let made = thing
    try database.write { transaction throws(DatabaseError) in _ = try transaction.insert(made) }
    let result = try database.snapshot().find(
      Query(entity: "things", filter: .words(FieldPath("name"), ["zub"], isPhrase: false)))
    #expect(result.rows.map(\.match) == [Translation(language: "de", text: "Zuber")])
    // A name counts in the language that is asked for, and in no other.
    var query = Query(
      entity: "things", filter: .words(FieldPath("name"), ["bat"], isPhrase: false))
    #expect(try database.snapshot().find(query).rows.map(\.match) == [nil])
    for language in ["fr", "de"] {
      query.language = language
      #expect(try database.snapshot().find(query).rows.isEmpty)
    }
    query.filter = .words(FieldPath("name"), ["zub"], isPhrase: false)
    #expect(try database.snapshot().find(query).rows.count == 1)
  }

  @Test func `finds parts of words that no index keeps whole`() throws {
    // The 64 bytes that are kept end within the last word of most of these.
    let names =
      (56...70).map { "first \(String(repeating: "a", count: $0))bcd" }
      + ["\(String(repeating: "ø", count: 31))€bcd", "Nidoran\u{2640} bcd", "xbcdx", "bc d", "--"]
    let database = try Database.inMemory(entities: [Thing.self])
    try database.write { transaction throws(DatabaseError) in
      for name in names {
        var thing = Thing()
        thing.name = name
        try transaction.insert(thing)
      }
    }
    let plain = { (part: String, endsWord: Bool) in
      names.indices.filter { index in
        names[index].replacing("\u{2640}", with: "f").lowercased()
          .split(separator: " ").contains { endsWord ? $0.hasSuffix(part) : $0.contains(part) }
      }.map { UInt64($0 + 1) }
    }
    let parts = ["bcd", "abcd", "cd", "b", "€b", "ranf", "aaaa"]
    for part in parts + [56, 60, 61, 63, 64, 65].map({ String(repeating: "a", count: $0) }) {
      for endsWord in [false, true] {
        let filter = Filter.part(FieldPath("name"), [part], endsWord: endsWord)
        for filter in [filter, .not(.not(filter)), .all([filter, .present(FieldPath("name"))])] {
          var query = Query(entity: "things", filter: filter)
          query.order = [SortKey([FieldPath("id")])]
          let found = try database.snapshot().findIDs(query).map(\.rawValue)
          #expect(found == plain(part, endsWord), "\(part) \(endsWord)")
          let count = try database.snapshot().count("things", where: .not(filter))
          #expect(count == names.count - found.count, "\(part) \(endsWord)")
        }
      }
    }
  }

  @Test func `for a part of a word can be interrupted, and says how it is answered`() throws {
    let database = try Database.inMemory(entities: [Thing.self])
    try database.write { transaction throws(DatabaseError) in
      for number in 0..<1500 {
        var thing = Thing()
        thing.name = "word\(number)x"
        try transaction.insert(thing)
      }
    }
    let query = Query(
      entity: "things", filter: .part(FieldPath("name"), ["9x"], endsWord: true))
    #expect(try database.snapshot().findIDs(query).count == 150)
    #expect(throws: DatabaseError.store(.cancelled)) {
      try database.snapshot().interrupted { true }.findIDs(query)
    }
    let steps = try database.snapshot().explain(query)
    #expect(steps.first?.hasPrefix("words that end in '9x' of things/name: ") == true, "\(steps)")
    #expect(!steps.contains { $0.hasPrefix("test each") })
  }

  @Test func `about fields that are not there is an error`() throws {
    let snapshot = try Database.inMemory(entities: [Thing.self]).snapshot()
    #expect(throws: DatabaseError.noSuchField(entity: "things", field: "colour")) {
      try snapshot.find(Query(entity: "things", filter: .present(FieldPath("colour"))))
    }
    #expect(throws: DatabaseError.noSuchEntity("nothing")) {
      try snapshot.find(Query(entity: "nothing"))
    }
    #expect(throws: DatabaseError.invalidQuery("note is no number")) {
      try snapshot.count("things", where: .number([FieldPath("note")], .equal, Number(1)))
    }
  }
}
