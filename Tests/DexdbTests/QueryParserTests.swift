import Entities
import Testing

private let types = FieldPath("types")

private func number(_ name: String, _ comparison: Comparison, _ value: Int64) -> Filter {
  .number([FieldPath(name)], comparison, Number(value))
}

private func word(_ words: String..., phrase: Bool = false) -> Filter {
  .words(FieldPath("name"), words, isPhrase: phrase)
}

@Suite struct `A query` {
  static let filters: [(String, Filter)] = [
    ("", .everything),
    ("pik", word("pik")),
    ("mr mime", .all([word("mr"), word("mime")])),
    ("\"type: null\"", word("type", "null", phrase: true)),
    ("ty\"pe: null\"", word("type", "null", phrase: true)),
    ("#25", number("number", .equal, 25)),
    ("25", .any([word("25"), number("number", .equal, 25)])),
    ("\"25\"", word("25", phrase: true)),
    ("ho-oh", word("ho", "oh")),
    ("farfetch'd", word("farfetchd")),
    ("t:fire t:flying", .all([.has(types, ["fire"]), .has(types, ["flying"])])),
    ("t=water", .exactly(types, ["water"])),
    ("T!=Water", .not(.exactly(types, ["water"]))),
    ("t:water -t:flying", .all([.has(types, ["water"]), .not(.has(types, ["flying"]))])),
    ("t:ghost/steel/ghost", .has(types, ["ghost", "steel"])),
    (
      "(t:fire OR t:dragon) spe>=100",
      .all([
        .any([.has(types, ["fire"]), .has(types, ["dragon"])]),
        number("speed", .greaterOrEqual, 100),
      ])
    ),
    (
      "gen:1 is:legendary",
      .all([number("generation", .equal, 1), .flag(FieldPath("is:legendary"))])
    ),
    ("is:baby", .flag(FieldPath("is:baby"))),
    ("has:evolution", .flag(FieldPath("has:evolution"))),
    ("-has:habitat", .not(.present(FieldPath("habitat")))),
    (
      "bst:525..540",
      .range([FieldPath("total")], from: Number(525), through: Number(540))
    ),
    ("spe:..30", .range([FieldPath("speed")], from: nil, through: Number(30))),
    ("def=130..", .range([FieldPath("defense")], from: Number(130), through: nil)),
    ("hp!=10..20", .any([number("hp", .less, 10), number("hp", .greater, 20)])),
    ("atk>spa", .fields([FieldPath("attack")], .greater, [FieldPath("special_attack")])),
    (
      "hp+def+spd>=300",
      .number(
        ["hp", "defense", "special_defense"].map { FieldPath($0) }, .greaterOrEqual, Number(300))
    ),
    ("weak:ice", .has(FieldPath("weak"), ["ice"])),
    ("takes.ice>=4", .number([FieldPath("takes", "ice")], .greaterOrEqual, Number(4))),
    ("takes.Ice:0.25", .number([FieldPath("takes", "ice")], .equal, Number(1, over: 4))),
    ("height>1.50", .number([FieldPath("height")], .greater, Number(3, over: 2))),
    ("hp>-5", number("hp", .greater, -5)),
    ("family:eevee", .text(FieldPath("family"), "eevee")),
    ("family:\"Mr. Mime\"", .text(FieldPath("family"), "mr mime")),
    ("ability:\"Lightning Rod\"", .has(FieldPath("abilities"), ["lightning-rod"])),
    ("habitat:\"Waters Edge\"", .text(FieldPath("habitat"), "waters-edge")),
    ("color!=red", .not(.text(FieldPath("color"), "red"))),
    ("name:mime", word("mime")),
    ("n:\"mr mi\"", word("mr", "mi", phrase: true)),
    ("name=pikachu", .text(FieldPath("name"), "pikachu")),
    ("or", word("or")),
    ("or or or", .any([word("or"), word("or")])),
    ("pik or", .all([word("pik"), word("or")])),
    ("pik oR char", .any([word("pik"), word("char")])),
    ("pik AND char", .all([word("pik"), word("char")])),
    ("pik limit:5 or sort:name char", .any([word("pik"), word("char")])),
    ("\"or\"", word("or", phrase: true)),
    ("a b or c d", .any([.all([word("a"), word("b")]), .all([word("c"), word("d")])])),
    ("--a", .not(.not(word("a")))),
    ("-(a or b)", .not(.any([word("a"), word("b")]))),
    ("not", word("not")),
    ("not or a", .any([word("not"), word("a")])),
    ("is_baby:no", .all([.present(FieldPath("is_baby")), .not(.flag(FieldPath("is_baby")))])),
  ]

  @Test(arguments: filters)
  func `means its filter`(line: String, filter: Filter) throws {
    #expect(try parse(line).filter == filter)
  }

  @Test func `asks the entity that any start names`() throws {
    for name in ["adv", "adventurer", "ADVENTURERS"] {
      let query = try parse("level>=3 hp<maxhp from:\(name) sort:-level")
      #expect(query.entity == "adventurers")
      #expect(
        query.filter
          == .all([
            number("level", .greaterOrEqual, 3),
            .fields(
              [FieldPath("current_hit_points")], .less, [FieldPath("total_hit_points")]),
          ]))
      #expect(query.order == [SortKey([FieldPath("level")], isDescending: true)])
    }
    #expect(
      try parse("from:adv class:wiz is:alive (name:ana or name:bo)").filter
        == .all([
          .words(FieldPath("profession"), ["wiz"], isPhrase: false),
          .flag(FieldPath("is:alive")), .any([word("ana"), word("bo")]),
        ]))
  }

  @Test func `compares dates by days`() throws {
    // 2025-01-31 began 20,119 days after 1970.
    let start = Int64(20_119) * 86_400_000
    #expect(
      try parse("from:adv created:2025-01-31").filter
        == .range(
          [FieldPath("created")], from: Number(start), through: Number(start + 86_399_999)))
    #expect(
      try parse("from:adv created>2025-01-31").filter
        == number("created", .greater, start + 86_399_999))
  }

  @Test func `sorts, pages, shows and groups`() throws {
    let query = try parse("bst:525..540 sort:-bst,name limit:10 offset:5 show:name,type,takes.ice")
    #expect(
      query.order == [
        SortKey([FieldPath("total")], isDescending: true), SortKey([FieldPath("name")]),
      ])
    #expect(query.limit == 10)
    #expect(query.offset == 5)
    #expect(
      query.columns
        == [
          .field(FieldPath("name")), .field(types), .field(FieldPath("takes", "ice")),
        ])
    #expect(
      try parse("sort:-hp+def+spd").order
        == [
          SortKey(
            ["hp", "defense", "special_defense"].map { FieldPath($0) }, isDescending: true)
        ])
    #expect(try parse("lang:JA pik").language == "ja")

    let grouped = try parse("gen:1 group:type show:count,avg.bst,max.spe order:-count")
    #expect(grouped.groups == [types])
    #expect(
      grouped.columns
        == [
          .count, .aggregate(.average, FieldPath("total")),
          .aggregate(.maximum, FieldPath("speed")),
        ])
    #expect(grouped.order == [SortKey(.count, isDescending: true)])
  }

  @Test func `nests thirty-two deep and no deeper`() {
    #expect(
      complaint(String(repeating: "(", count: 32) + "a" + String(repeating: ")", count: 32)) == nil)
    #expect(
      complaint(String(repeating: "-(", count: 16) + "a" + String(repeating: ")", count: 16)) == nil
    )
    let deep = complaint(String(repeating: "-", count: 33) + "a")
    #expect(deep?.range == 32..<33)
    #expect(complaint(String(repeating: "(", count: 1_000_000)) != nil)
  }
}
