import Testing

@testable import dexdb

@Suite struct `Walking from record to record` {
  @Test func `goes to the neighbours of what is shown, and back step by step`() throws {
    var tester = try BrowseTester.withPokedex(query: "family:eevee")
    // The first link is Eevee itself; Jolteon is the third.
    try tester.press(.enter, .tab, .tab, .tab, .enter)
    #expect(try tester.lines()[0].contains("#135 Jolteon"))
    try tester.press(.right)
    #expect(try tester.lines()[0].contains("#136 Flareon"))
    // The next of the family, as the list has it.
    try tester.press(.right)
    #expect(try tester.lines()[0].contains("#196 Espeon"))
    try tester.press(.left, .left, .left)
    #expect(try tester.lines()[0].contains("#134 Vaporeon"))
    try tester.press(.escape)
    #expect(try tester.lines()[0].contains("#133 Eevee"))
    try tester.press(.escape)
    #expect(tester.state.pages.isEmpty && tester.chosenName == "Eevee")
  }

  @Test func `goes by number where the list does not have it`() throws {
    var tester = try BrowseTester.withPokedex(query: "eevee")
    try tester.press(.enter, .right)
    #expect(try tester.text().contains("this is the last one"))
    try tester.press(.left)
    #expect(try tester.text().contains("this is the first one"))
    try tester.press(.tab, .tab, .tab, .enter, .right)
    #expect(try tester.lines()[0].contains("#136 Flareon"))
    try tester.press(.right, .left, .left, .left)
    #expect(try tester.lines()[0].contains("#134 Vaporeon"))
    try tester.press(.escape)
    #expect(try tester.lines()[0].contains("#133 Eevee"))
  }

  @Test func `goes from form to form`() throws {
    var tester = try BrowseTester.withPokedex(query: "charizard")
    try tester.press(.enter, .backTab, .backTab, .backTab, .enter)
    #expect(try tester.lines()[0].contains("Mega Charizard X"))
    try tester.press(.right)
    #expect(try tester.lines()[0].contains("Mega Charizard Y"))
    try tester.press(.escape)
    #expect(try tester.lines()[0].contains("#6 Charizard"))
  }
}
