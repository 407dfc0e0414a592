import Testing

/// Expected answers that two separate programs agreed on, asked in the language.
@Suite struct `The oracle` {
  private static let dexdb = Dexdb()

  static let queries: [(String, String)] = [
    ("q01", "t:fire t:flying"), ("q03", "lang:en \"char\""), ("q05", "lang:en \"fla\""),
    ("q07", "lang:en \"type\""), ("q09", "lang:en \"nidoran♀\""), ("q11", "lang:en \"flabe\""),
    ("q23", "lang:es \"codigo\""), ("q25", "lang:ja-Hrkt \"ピ\""), ("q27", "lang:ja ポリゴン"),
    ("q29", "lang:ko 이상해"), ("q31", "lang:zh-Hans \"皮\""), ("q33", "t=flying"),
    ("q37", "spe:130..150"), ("q41", "is_legendary:yes t:psychic"), ("q43", "is:baby"),
    ("q45", "evolves_from>number"), ("q47", "ability:levitate"), ("q49", "egg:dragon/monster"),
    ("q51", "-has:habitat gen<=3"), ("q53", "takes.ice=4"),
    ("q55", "from:forms kind:mega t:dragon"),
    ("q57", "from:forms region:hisui sort:form_id show:number"),
    ("q59", "from:forms -has:abilities sort:form_id show:slug"),
    ("q63", "from:moves priority>=3"),
  ]

  @Test(arguments: queries)
  func `gives its answer to`(name: String, query: String) throws {
    let row = try #require(
      PlainFacts.table("oracle", folder: "Data/expected").first { $0["query"] == name })
    let run = Self.dexdb("find", "--format", "tsv", query)
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.rows.map { $0[0] }.joined(separator: ",") == row["answer"], "\(query)")
    #expect("\(run.rows.count)" == row["count"])
  }
}
