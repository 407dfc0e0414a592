import Entities
import Testing

/// A line, what its complaint says, what it points at, and what the help must contain.
struct Complaint: CustomTestStringConvertible {
  var line: String
  var message: String
  var place: String
  var help: String

  init(_ line: String, _ message: String, at place: String, help: String) {
    self.line = line
    self.message = message
    self.place = place
    self.help = help
  }

  var testDescription: String { line }
}

@Suite struct `What is no query` {
  static let complaints = [
    Complaint("ピカ t:fier", "no type 'fier'", at: "fier", help: "did you mean 'fire'?"),
    Complaint(
      "level>3", "no field 'level' in pokemon", at: "level",
      help: "'level' belongs to adventurers: add from:adventurers"),
    Complaint(
      "t:fire,flying", "',' does not separate values", at: ",",
      help: "both types: t:fire/flying\neither: (t:fire OR t:flying)"),
    Complaint(
      "type:null", "no type 'null'", at: "null", help: "for the Pokémon write \"type: null\""),
    Complaint("(t:fire or t:water spe>90", "'(' is not closed", at: "(", help: "add ')'"),
    Complaint(
      "bst:600..500", "the range ends before it begins", at: "600..500",
      help: "write bst:500..600"),
    Complaint("\"mr. mi", "the quote is not closed", at: "\"", help: "end it with another \""),
    Complaint("sort:-bts", "no field 'bts' in pokemon", at: "bts", help: "did you mean 'bst'?"),
    Complaint("- t:fire", "a space after '-'", at: "-", help: "write -t:fire"),
    Complaint(
      "is:legendry", "nothing is called 'is:legendry' in pokemon", at: "legendry",
      help: "did you mean 'is:legendary'?"),
    Complaint("hp>", "nothing after 'hp>'", at: "hp>", help: "such as hp>100"),
    Complaint(
      "spe>fast", "'fast' is neither a number nor a field", at: "fast", help: "such as spe>=100"),
    Complaint("group:bts", "no field 'bts' in pokemon", at: "bts", help: "did you mean 'bst'?"),
    Complaint("hp > 100", "a space before '>'", at: ">", help: "write hp>100"),
    Complaint("hp >100", "a space before '>'", at: ">", help: "write hp>100"),
    Complaint("hp> 100", "a space after '>'", at: ">", help: "write hp>100"),
    Complaint("t: fire", "a space after ':'", at: ":", help: "write t:fire"),
    Complaint("type: null", "a space after ':'", at: ":", help: "write \"type: null\""),
    Complaint("hp==5", "'==' is no operator", at: "==", help: "write hp=5"),
    Complaint("hp=>5", "'=>' is no operator", at: "=>", help: "write hp>=5"),
    Complaint("hp=<5", "'=<' is no operator", at: "=<", help: "write hp<=5"),
    Complaint("hp<>5", "'<>' is no operator", at: "<>", help: "write hp!=5"),
    Complaint(
      "100<150", "a field stands before '<', not a number", at: "100", help: "such as hp>100"),
    Complaint("100<hp", "a field stands before '<', not a number", at: "100", help: "write hp>100"),
    Complaint("hp>50<100", "a second operator", at: "<", help: "write hp>50 hp<100"),
    Complaint(
      "t:fire,t:water", "',' does not separate terms", at: ",",
      help: "both: t:fire t:water\neither: (t:fire OR t:water)"),
    Complaint(
      "t:fire||hp>5", "'||' does not separate terms", at: "||", help: "either: (t:fire OR hp>5)"),
    Complaint("t:fire&&hp>5", "'&&' does not separate terms", at: "&&", help: "both: t:fire hp>5"),
    Complaint("t:fire || hp>5", "'||' is no operator", at: "||", help: "write OR between"),
    Complaint("t:fire && hp>5", "'&&' is no operator", at: "&&", help: "leave it out"),
    Complaint("hp~5", "'~' is no operator", at: "~", help: "write hp:5"),
    Complaint("hp!5", "'!' is no operator", at: "!", help: "write hp!=5"),
    Complaint("hp:100-200", "neither a number nor a field", at: "100-200", help: "hp:100..200"),
    Complaint("gen:x", "neither a number nor a field", at: "x", help: "such as gen>=2"),
    Complaint("is:", "nothing after 'is:'", at: "is:", help: "such as is:mono"),
    Complaint(
      "group:type,gen,t", "'t' stands twice in 'group'", at: "t", help: "leave one of them out"),
    Complaint(">5", "a field is missing before '>'", at: ">", help: "such as hp>5"),
    Complaint("not t:fire", "'not' does not negate", at: "not", help: "write -t:fire"),
    Complaint("!t:fire", "'!' does not negate", at: "!", help: "write -t:fire"),
    Complaint(
      "t:(fire OR water)", "a value cannot be in parentheses", at: "(",
      help: "write (t:fire OR t:water)"),
    Complaint("\"a\\n\"", "no escape '\\n'", at: "\\n", help: "write \\\" for a quote"),
    Complaint("a)", "')' without '('", at: ")", help: "leave it out"),
    Complaint("a ()", "nothing between '(' and ')'", at: "()", help: "leave them out"),
    Complaint("(", "'(' is not closed", at: "(", help: "add ')'"),
    Complaint("a -", "nothing after '-'", at: "-", help: "stands before"),
    Complaint("...", "nothing to search for", at: "...", help: "a letter or a digit"),
    Complaint(
      "hp:fire/water", "'/' does not separate values", at: "/", help: "either: (hp:fire OR"),
    Complaint("name>5", "'name' is no number", at: ">", help: "write name:5"),
    Complaint("t>5", "'t' is no number", at: ">", help: "write t:5"),
    Complaint("t:fire/", "a name is missing beside '/'", at: "fire/", help: "such as"),
    Complaint("gen:12", "no generation 12", at: "12", help: "from 1 to 9"),
    Complaint("hp>99999999999999999999", "out of range", at: "99999999999999999999", help: "18"),
    Complaint("#99999999999999999999", "out of range", at: "#99999999999999999999", help: "18"),
    Complaint("hp>1..5", "a range does not go with '>'", at: ">", help: "write hp:1..5"),
    Complaint("hp:..", "a range needs an end", at: "..", help: "hp:100.."),
    Complaint("hp:1..x", "'x' is no number", at: "x", help: "hp:1..100"),
    Complaint("hp:1...5", "'.5' is no number", at: ".5", help: "hp:1..100"),
    Complaint("limit:many", "'many' is no count", at: "many", help: "limit:10"),
    Complaint("limit:-1", "'-1' is no count", at: "-1", help: "limit:10"),
    Complaint("limit:1 limit:2", "'limit' stands twice", at: "limit:2", help: "leave one"),
    Complaint("limit=1", "'limit' is followed by ':'", at: "=", help: "write limit:1"),
    Complaint("limit: 1", "a space after ':'", at: ":", help: "write limit:1"),
    Complaint("-limit:1", "'limit' cannot be negated", at: "limit:1", help: "without '-'"),
    Complaint("(a limit:1)", "'limit' stands in parentheses", at: "limit:1", help: "outside"),
    Complaint("sort:", "nothing after 'sort:'", at: "sort:", help: "such as sort:"),
    Complaint("sort:hp,", "a field is missing in 'sort'", at: ",", help: "such as sort:"),
    Complaint("sort:name+hp", "'name' is no number", at: "name", help: "only numbers"),
    Complaint("sort:-count", "is known of groups only", at: "count", help: "add group:"),
    Complaint(
      "group:type show:name", "'name' differs within a group", at: "name", help: "avg.name"),
    Complaint("show:avg.name", "'name' is no number", at: "name", help: "avg."),
    Complaint("takes>1", "'takes' needs a name after a point", at: "takes", help: "takes.bug"),
    Complaint("takes.icy>1", "no 'icy' for 'takes'", at: "icy", help: "did you mean 'ice'?"),
    Complaint("hp.ice>1", "'hp' takes nothing after a point", at: ".ice", help: "write hp"),
    Complaint("hp+>1", "a field is missing beside '+'", at: "hp+", help: "such as hp+def"),
    Complaint("1hp>1", "'1hp' is no name of a field", at: "1hp", help: "a name is a letter"),
    Complaint(
      "from:portraits pixels:1", "'pixels' cannot be compared", at: "pixels", help: "has:pixels"),
    Complaint("gen!=0", "no generation 0", at: "0", help: "from 1 to 9"),
    Complaint("egg:watr-1", "no egg 'watr-1'", at: "watr-1", help: "did you mean 'water-1'?"),
    Complaint("is_baby:maybe", "'maybe' is neither yes nor no", at: "maybe", help: "is_baby:yes"),
    Complaint("from:people", "no entity 'people'", at: "people", help: "one of pokemon"),
    Complaint("lang:xx", "no language 'xx'", at: "xx", help: "one of en, ja"),
    Complaint("name:a,b", "',' does not separate", at: ",", help: "either: (name:a OR name:b)"),
    Complaint("name:a:b", "a second operator", at: ":", help: "write name:\"a:b\""),
  ]

  @Test(arguments: complaints)
  func `gets an answer that says what to write`(expected: Complaint) throws {
    let error = try #require(complaint(expected.line))
    #expect(error.message.contains(expected.message))
    let scalars = Array(expected.line.unicodeScalars)[error.range]
    var place = String.UnicodeScalarView()
    place.append(contentsOf: scalars)
    #expect(String(place) == expected.place)
    let help = error.help.joined(separator: "\n")
    #expect(help.contains(expected.help))
    #expect(error.line == expected.line)
  }

  /// Fields that are called as short names of others are.
  private static let things = FieldCatalog(
    schemas: [
      Schema(
        name: "things",
        fields: [
          FieldDefinition(1, "n", .integer), FieldDefinition(2, "t", .text),
          FieldDefinition(3, "types", .names(nil)),
        ])
    ], derived: { _ in [] }, defaultEntity: "things")

  @Test func `speaks of the fields that an entity has`() throws {
    let error = #expect(throws: QueryError.self) {
      try QueryParser.query("foo:1", in: Self.things)
    }
    #expect(error?.help == ["the fields are n, t, type, id"])
    let query = try QueryParser.query("fu", in: Self.things)
    #expect(query.filter == .words(FieldPath("t"), ["fu"], isPhrase: false))
    let flags = try #require(complaint("is:fire")?.help.first)
    #expect(flags == "one of is:mono, is:dual, is:baby, is:mythical, is:legendary, is:final")
    let fields = try #require(complaint("hp>1 foo:1")?.help.first).split(separator: ", ")
    #expect(Set(fields).count == fields.count)
  }

  @Test func `knows which abilities and families there are`() {
    let dexdb = Dexdb()
    for (query, help) in [
      ("ability:levtate", "did you mean 'levitate'?"), ("family:evee", "did you mean 'eevee'?"),
      ("t:ice ability=sturdy/zzz", "no ability 'zzz'"), ("-family!=99999", "no family of '99999'"),
    ] {
      let run = dexdb("count", query)
      #expect(run.code == 2 && run.errors.contains(help), "\(query): \(run.errors)")
    }
    #expect(dexdb("count", "from:forms ability:levitate").code == 0)
    #expect(dexdb("count", "family:133").text == dexdb("count", "family:イーブイ").text)
  }
}
