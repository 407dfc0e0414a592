import Entities
import Testing

/// A line that is no query, part of what the help says, and a query that somebody writes who follows it.
struct Hint: CustomTestStringConvertible {
  var line: String
  var help: String
  var followed: String
  var place: String

  init(_ line: String, at place: String, help: String, followed: String) {
    self.line = line
    self.place = place
    self.help = help
    self.followed = followed
  }

  var testDescription: String { line }
}

@Suite struct `A hint` {
  static let hints = [
    Hint(
      "group:type having:count>5", at: "having", help: "sort:-count limit:5",
      followed: "group:type sort:-count limit:5"),
    Hint("hp-def>50", at: "hp-def", help: "such as hp+def", followed: "hp+def>50"),
    Hint("hp-def>50", at: "hp-def", help: "write hp>def", followed: "hp>def"),
    Hint("show:hp+atk", at: "hp+atk", help: "each by itself: hp,atk", followed: "show:hp,atk"),
    Hint("show:hp+atk", at: "hp+atk", help: "sort:hp+atk", followed: "sort:hp+atk"),
    Hint(
      "group:type show:avg.hp+atk", at: "avg.hp+atk", help: "avg.hp,avg.atk",
      followed: "group:type show:avg.hp,avg.atk"),
    Hint(
      "group:hp+atk", at: "hp+atk", help: "each by itself: hp,atk", followed: "group:hp,atk"),
    Hint(
      "group:type sort:hp+atk", at: "hp+atk", help: "hp,atk",
      followed: "group:hp,atk sort:hp,atk"),
    Hint("show:*", at: "*", help: "leave it out", followed: ""),
    Hint("t:fire > o", at: ">", help: "such as hp>100", followed: "hp>100"),
    Hint("fire > 5", at: ">", help: "such as hp>5", followed: "hp>5"),
    Hint(
      "from:adv t:fire", at: "t", help: "write from:pokemon in the place of from:adv",
      followed: "from:pokemon t:fire"),
    Hint("order:bst dir:desc", at: "dir", help: "write sort:-bst", followed: "sort:-bst"),
    Hint("order:-bst dir:asc", at: "dir", help: "write sort:bst", followed: "sort:bst"),
    Hint("a:levitate", at: "a", help: "write ability:levitate", followed: "ability:levitate"),
    Hint("c:red", at: "c", help: "write color:red", followed: "color:red"),
    Hint("move:surf", at: "move", help: "from:moves surf", followed: "from:moves surf"),
    Hint("where:hp>5", at: "where", help: "such as hp>100", followed: "hp>100"),
    Hint("orderby:-hp", at: "orderby", help: "write sort:-hp", followed: "sort:-hp"),
    Hint("spec:5", at: "spec", help: "did you mean 'spe'?", followed: "spe:5"),
    Hint("legend:yes", at: "legend", help: "'is_legendary'", followed: "is_legendary:yes"),
    Hint(
      "group:type sum.hp", at: "sum.hp", help: "write show:sum.hp",
      followed: "group:type show:sum.hp"),
    Hint("pi*chu", at: "*", help: "write pi* *chu", followed: "pi* *chu"),
    Hint("name:pi*chu", at: "*", help: "write name:pi* name:*chu", followed: "name:pi* name:*chu"),
    Hint("*a*b*", at: "*", help: "write *a* *b*", followed: "*a* *b*"),
    Hint("*99*7", at: "*", help: "write *99* *7", followed: "*99* *7"),
    Hint("a*b*c", at: "*", help: "write a* *b* *c", followed: "a* *b* *c"),
    Hint("**saur", at: "*", help: "write *saur", followed: "*saur"),
    Hint("-*a*b*", at: "*", help: "write -(*a* *b*)", followed: "-(*a* *b*)"),
    Hint(
      "-name:a*b", at: "*", help: "write -(name:a* name:*b)", followed: "-(name:a* name:*b)"),
    Hint("*saur*,*chu*", at: ",", help: "both: *saur* *chu*", followed: "*saur* *chu*"),
    Hint("*saur*,*chu*", at: ",", help: "either: (*saur* OR *chu*)", followed: "(*saur* OR *chu*)"),
    Hint("name:a*|*b", at: "|", help: "(name:a* OR name:*b)", followed: "(name:a* OR name:*b)"),
    Hint("name!*saur*", at: "!", help: "write -name:*saur*", followed: "-name:*saur*"),
    Hint("name!*a*b", at: "!", help: "write -(name:*a* name:*b)", followed: "-(name:*a* name:*b)"),
    Hint("name!=*a*b", at: "*", help: "write -(name:*a* name:*b)", followed: "-(name:*a* name:*b)"),
    Hint("name!=%saur%", at: "%", help: "write -name:*saur*", followed: "-name:*saur*"),
    Hint("name<>*saur*", at: "<>", help: "write -name:*saur*", followed: "-name:*saur*"),
    Hint("name==*saur*", at: "==", help: "write name:*saur*", followed: "name:*saur*"),
    Hint("name!saur", at: "!", help: "write name!=saur", followed: "name!=saur"),
    Hint("%chu%", at: "%", help: "write *chu*", followed: "*chu*"),
    Hint("name:%chu", at: "%", help: "write name:*chu*", followed: "name:*chu*"),
    Hint("name:chu$", at: "$", help: "write name:*chu", followed: "name:*chu"),
    Hint("^pik", at: "^", help: "write \"pik\"", followed: "\"pik\""),
    Hint("pika?hu", at: "?", help: "write *pika*", followed: "*pika*"),
    Hint("/saur$/", at: "/saur$/", help: "write *saur*", followed: "*saur*"),
    Hint("name:/saur/", at: "/saur/", help: "write name:*saur*", followed: "name:*saur*"),
    Hint("name=pik*", at: "pik*", help: "write name:pik*", followed: "name:pik*"),
    Hint("name!=*chu", at: "*chu", help: "write -name:*chu", followed: "-name:*chu"),
    Hint("t:fi*", at: "*", help: "write t:fighting or t:fire", followed: "t:fire OR t:fighting"),
    Hint("t:fire*", at: "*", help: "write t:fire", followed: "t:fire"),
    Hint("t:water/%ice", at: "%", help: "write t:ice", followed: "t:water/ice"),
    Hint("family:eev*", at: "*", help: "write a whole value", followed: "family:eevee"),
    Hint("*", at: "*", help: "leave it out", followed: ""),
    Hint("pik \"?\"*", at: "\"?\"*", help: "a letter or a digit", followed: "pik"),
  ]

  @Test(arguments: hints) func `works when it is followed`(hint: Hint) throws {
    let error = try #require(complaint(hint.line))
    let help = error.help.joined(separator: "\n")
    #expect(help.contains(hint.help), "\(help)")
    var place = String.UnicodeScalarView()
    place.append(contentsOf: Array(hint.line.unicodeScalars)[error.range])
    #expect(String(place) == hint.place)
    #expect(complaint(hint.followed) == nil)
  }

  @Test(arguments: 1...9) func `is not needed for a generation in Roman numerals`(number: Int) {
    let numeral = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"][number - 1]
    for (roman, plain) in [
      ("gen:\(numeral)", "gen:\(number)"), ("g<\(numeral.lowercased())", "g<\(number)"),
      ("gen:..\(numeral)", "gen:..\(number)"),
    ] {
      #expect(throws: Never.self) { try parse(roman) == parse(plain) }
      #expect((try? parse(roman)) == (try? parse(plain)), "\(roman)")
    }
    #expect(complaint("hp:\(numeral)") != nil)
    #expect(complaint("gen:X") != nil)
  }

  @Test func `names the entity of whose records the user may mean to lose some`() {
    let dexdb = Dexdb()
    #expect(dexdb("recruit", "name=Tmp", "class=Wizard").code == 0)
    let refused = dexdb("delete", "--yes", "name:tmp")
    #expect(refused.code == 2)
    #expect(refused.errors.contains("help: add from:adventurers\n"), "\(refused.errors)")
    let only = dexdb("delete", "--yes", "level:1")
    #expect(only.errors.contains("add from:adventurers") && !only.errors.contains("fits"))
    #expect(dexdb("delete", "--yes", "from:adventurers", "name:tmp").code == 0)
    #expect(dexdb("count").text == "1025\n")
  }

  @Test func `is not needed for a pattern with a minus on the command line`() {
    let dexdb = Dexdb()
    let all = Int(dexdb("count").text.dropLast())
    let some = Int(dexdb("count", "*saur*").text.dropLast())
    let others = dexdb("count", "-*saur*")
    #expect(others.code == 0, "\(others.errors)")
    #expect(
      some != 0 && all.flatMap { all in some.map { all - $0 } } == Int(others.text.dropLast()))
    #expect(dexdb("count", "gen:1", "-*saur*").code == 0)
  }

  @Test func `says how an adventurer is recruited`() {
    let dexdb = Dexdb()
    let refused = dexdb("recruit", "Bob Ross", "Wizard", "level=2")
    #expect(refused.code == 2)
    let call = "dexdb recruit 'name=Bob Ross' class=Wizard level=2\n"
    #expect(refused.errors.contains(call), "\(refused.errors)")
    #expect(dexdb("recruit", "name=Bob Ross", "class=Wizard", "level=2").code == 0)
    #expect(dexdb("count", "from:adv", "class:wizard").text == "1\n")
    #expect(dexdb("recruit", "Bob").errors.contains("recruit name=Bob class="))
  }
}
