import Terminal
import Testing

@testable import dexdb

/// What is typed and what is read at the size that most terminals have.
@Suite struct `Browsing at the usual size` {
  @Test func `begins a word of its own behind a term`() throws {
    var tester = try BrowseTester.withPokedex()
    try tester.press(.character("/"))
    try tester.type("sort:bst")
    try tester.press(.enter, .character("c"))
    try tester.type("har")
    #expect(tester.state.list.line.text == "sort:bst char")
    try tester.press(.escape, .escape)
    try tester.type("pi")
    try tester.press(.enter)
    try tester.type("ka")
    #expect(tester.state.list.line.text == "pika")
  }

  @Test func `names relatives in whole words at the usual size`() throws {
    var tester = try BrowseTester.withPokedex()
    try tester.press(.character("/"))
    try tester.type("family:eevee sort:number")
    try tester.press(.enter, .enter, .pageDown)
    let text = try tester.text()
    for name in ["Eevee", "Vaporeon", "Jolteon", "Flareon", "Espeon"] {
      #expect(text.contains("\(name)  "), "\(name)")
    }
  }
}
