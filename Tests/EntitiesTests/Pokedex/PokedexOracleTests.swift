import CUTF8Proc
import Entities
import Glibc
import Testing

@Suite struct `A Pokédex in a file` {
  @Test(arguments: PokedexTable.oracle.records.map { $0.cell("query") })
  func `answers as two other programs do`(query: String) throws {
    let row = try #require(PokedexTable.oracle.records.first { $0.cell("query") == query })
    let answer: [String]
    if row.cell("table") == "names" {
      answer = try names(row.cell("condition"))
    } else {
      answer = try #require(try PokedexAnswers(PokedexDatabase.snapshot()).answer(to: query))
    }
    #expect(answer.joined(separator: ",") == row.cell("answer"))
    #expect(answer.count == row.number("count"))
  }

  /// The numbers whose name fulfils a condition such as `language = fr and name prefix "É"`.
  private func names(_ condition: String) throws -> [String] {
    let parts = condition.split(separator: " ")
    let language = String(parts[2])
    let isFolded = parts[5] == "~prefix"
    var wanted = String(condition.split(separator: "\"")[1])
    if wanted.hasSuffix("\\u0301") { wanted = wanted.dropLast(6) + "\u{301}" }
    if parts[6].hasPrefix("NFC(") { wanted = mapped(wanted, UTF8PROC_COMPOSE) }
    if isFolded { wanted = folded(wanted) }
    var found: [String] = []
    try PokedexDatabase.snapshot().forEach(Pokemon.self) { id, pokemon in
      let name = pokemon.names.first { $0.language == language }?.text ?? ""
      let text = isFolded ? folded(name) : name
      if text.utf8.starts(with: wanted.utf8) { found.append(id.description) }
      return true
    }
    return found
  }

  /// Decomposed, without U+0300 to U+036F, composed and with its case folded.
  private func folded(_ text: String) -> String {
    let decomposed = mapped(text, UTF8PROC_DECOMPOSE)
    var bare = String.UnicodeScalarView()
    for scalar in decomposed.unicodeScalars where !(0x300...0x36F).contains(scalar.value) {
      bare.append(scalar)
    }
    return mapped(mapped(String(bare), UTF8PROC_COMPOSE), UTF8PROC_CASEFOLD)
  }

  private func mapped(_ text: String, _ option: utf8proc_option_t) -> String {
    var result: UnsafeMutablePointer<UInt8>?
    let bytes = Array(text.utf8)
    let options = utf8proc_option_t(UTF8PROC_STABLE.rawValue | option.rawValue)
    let count = utf8proc_map(bytes, bytes.count, &result, options)
    defer { free(result) }
    return String(decoding: UnsafeBufferPointer(start: result, count: max(0, count)), as: UTF8.self)
  }
}

/// The questions of the oracle as queries, and where they are none, as plain code over the records.
private struct PokedexAnswers {
  private let snapshot: DatabaseSnapshot

  init(_ snapshot: DatabaseSnapshot) { self.snapshot = snapshot }

  func answer(to query: String) throws -> [String]? {
    switch query {
    case "q01": try pokemon(.has(FieldPath("types"), ["fire", "flying"]))
    case "q33": try pokemon(.exactly(FieldPath("types"), ["flying"]))
    case "q35": try all().filter { $0.types == [.ground, .water] }.map { "\($0.number)" }
    case "q37": try pokemon(.range([FieldPath("speed")], from: Number(130), through: Number(150)))
    case "q39": try lightest()
    case "q41": try pokemon(.all([.flag(FieldPath("is_legendary")), has("types", "psychic")]))
    case "q43": try pokemon(.flag(FieldPath("is_baby")))
    case "q45":
      try pokemon(.fields([FieldPath("evolves_from")], .greater, [FieldPath("number")]))
    case "q47": try pokemon(has("abilities", "levitate"))
    case "q49": try pokemon(.has(FieldPath("egg_groups"), ["dragon", "monster"]))
    case "q51":
      try pokemon(.all([.not(.present(FieldPath("habitat"))), generation(.lessOrEqual, 3)]))
    case "q53": try pokemon(.number([FieldPath("takes", "ice")], .equal, Number(4)))
    case "q55":
      try ids("forms", .all([.text(FieldPath("kind"), "mega"), has("types", "dragon")]))
    case "q57":
      try snapshot.find(Form.self, where: .text(FieldPath("region"), "hisui"))
        .map { $0.value.species.description }
    case "q59":
      try snapshot.find(Form.self, where: .not(.present(FieldPath("abilities"))))
        .map(\.value.slug)
    case "q61": try factorCounts()
    case "q63": try ids("moves", .number([FieldPath("priority")], .greaterOrEqual, Number(3)))
    default: nil
    }
  }

  private func ids(_ entity: String, _ filter: Filter) throws -> [String] {
    try snapshot.findIDs(Query(entity: entity, filter: filter)).map(\.description)
  }

  private func pokemon(_ filter: Filter) throws -> [String] { try ids("pokemon", filter) }

  private func has(_ field: String, _ name: String) -> Filter { .has(FieldPath(field), [name]) }

  private func generation(_ comparison: Comparison, _ number: Int64) -> Filter {
    .number([FieldPath("generation")], comparison, Number(number))
  }

  private func all() throws -> [Pokemon] { try snapshot.find(Pokemon.self).map(\.value) }

  private func lightest() throws -> [String] {
    var query = Query(entity: "pokemon")
    query.order = [
      SortKey([FieldPath("weight_hg")]), SortKey([FieldPath("number")], isDescending: true),
    ]
    query.limit = 10
    return try snapshot.findIDs(query).map(\.description)
  }

  private func factorCounts() throws -> [String] {
    let chart = try TypeChart.bundled()
    let factors = PokemonType.allCases.flatMap { attack in
      PokemonType.allCases.map { chart.factor(of: attack, against: $0) }
    }
    return [0, 50, 100, 200].map { factor in "\(factors.count { $0 == factor })" }
  }
}
