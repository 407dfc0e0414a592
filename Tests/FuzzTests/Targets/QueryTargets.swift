import Entities

extension FuzzTarget {
  /// The query language: a line is a complaint with a place, or a query that prints as itself.
  static let queries = [
    FuzzTarget(
      name: "query", longestInput: 512, dictionary: "query",
      seeds: { QuerySeeds.lines.map { Array($0.utf8) } },
      run: { bytes throws(FuzzFinding) in
        _ = try FuzzedQuery.read(String(decoding: bytes, as: UTF8.self))
      }),
    FuzzTarget(
      name: "query-run", longestInput: 256, limits: (64, 1024), dictionary: "query",
      seeds: { QuerySeeds.lines.map { Array($0.utf8) } },
      run: { bytes throws(FuzzFinding) in
        if let query = try FuzzedQuery.read(String(decoding: bytes, as: UTF8.self)) {
          try FuzzedAnswer.check(query)
        }
      }),
  ]
}

/// Lines that show every part of the language.
enum QuerySeeds {
  static let lines = [
    "", "pik", "#25", "25", "charizard OR blastoise", "type:fire/water -is:legendary",
    "(hp>=100 atk+def<=200) or spe:80..120", "hp:..50", "weight!=6.5", "takes.ice>=4",
    "name=\"mr. mime\" sort:-bst,name limit:10 offset:5", "lang:ja \"ピカ\"", "-(type=grass)",
    "group:type show:count,avg.bst,max.hp sort:-count", "from:moves power>100 sort:-power",
    "has:portrait is:final", "\"type: null\"", "ability:static/\"lightning rod\"",
    "from:adventurers level>=3 sort:-level", "from:adv profession:ranger", "birthday>=1990-05-17",
    "hp>def", "nidoran♀", "gen:1..3 and egg:monster", "-\"or\" and not", "show:name,t,takes.fire",
    "from:quests depth>3 group:leader show:count,sum.score", "id=7", "#7 or -#8",
    "name:\"a \\\" \\\\ b\"", "hp:0.125..1000000000000", "--type:ghost", "*saur*", "name:*chu",
    "*\"r mi\"* -slug:pi*", "gen:iv", "pi*chu", "/a$/", "((((((hp=1))))))",
  ]
}

/// What is asked of a line.
enum FuzzedQuery {
  static let catalog = FieldCatalog(
    schemas: Pokedex.entities.map { $0.schema },
    derived: { name in
      Pokedex.entities.first { $0.schema.name == name }?.derivedFields ?? []
    }, defaultEntity: "pokemon", languages: ["en", "ja", "ja-Latn"],
    misleadingNames: ["Type: Null"])

  /// The query that `line` is, or nil where it is none.
  static func read(_ line: String) throws(FuzzFinding) -> Query? {
    let query: Query
    do throws(QueryError) {
      query = try QueryParser.query(line, in: catalog)
    } catch {
      try check(error, line)
      return nil
    }
    let printed = QueryPrinter.text(of: query, in: catalog)
    do throws(QueryError) {
      let again = try QueryParser.query(printed, in: catalog)
      if again != query { throw QueryError("another query", line: printed, range: 0..<0, help: []) }
    } catch {
      throw FuzzFinding("\(line) prints as \(printed): \(error.message)")
    }
    return query
  }

  private static func check(_ error: QueryError, _ line: String) throws(FuzzFinding) {
    let count = line.unicodeScalars.count
    try FuzzFinding.unless(error.line == line, "the complaint is about another line")
    try FuzzFinding.unless(
      error.range.lowerBound >= 0 && error.range.upperBound <= count,
      "the place \(error.range) is not in the line, which has \(count)")
    try FuzzFinding.unless(
      !error.message.isEmpty && !error.help.isEmpty && error.help.allSatisfy { !$0.isEmpty },
      "no help with \(line)")
  }
}
