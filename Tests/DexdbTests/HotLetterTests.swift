import Entities
import Terminal
import Testing

@testable import dexdb

@Suite struct `A letter that does something` {
  /// Presses keys with as many milliseconds before each; what ends the program, and the state.
  private static func pressed(
    _ keys: [(Int, ScreenKey)], waits: Int = 0, with names: [String] = []
  ) throws -> (BrowseState.Ending?, BrowseState) {
    var tester =
      names.isEmpty
      ? try BrowseTester.withPokedex() : try BrowseTester.withAdventurers(names).1
    var typed = BrowseKeys()
    var time = ContinuousClock.now
    for (pause, key) in keys {
      time += .milliseconds(pause)
      typed.append(key, at: time)
      let ending = try typed.handle(&tester.state, tester.source, now: time) { _, _ in
        Issue.record("something was to be done")
      }
      if let ending { return (ending, tester.state) }
      try tester.state.refresh(tester.source)
    }
    time += .milliseconds(waits)
    let ending = try typed.handle(&tester.state, tester.source, now: time) { _, _ in }
    return (ending, tester.state)
  }

  private static func typed(_ text: String, pause: Int = 120) -> [(Int, ScreenKey)] {
    text.map { (pause, .character($0)) }
  }

  @Test(arguments: ["quagsire", "gengar", "yanma", "torkoal", "snorlax"])
  func `begins a name that is typed at one go`(name: String) throws {
    let (ending, state) = try Self.pressed(Self.typed(name), waits: 1000)
    #expect(ending == nil && state.pages.isEmpty && !state.list.isGrid)
    #expect(state.list.line.text == name && state.list.isTyping)
    #expect(state.list.chosenRow?.name.lowercased() == name)
  }

  @Test(arguments: ["nina", "erika", "dylan", "Quinn", "quinn", "gus", "yves"])
  func `begins an adventurer's name that is typed at one go`(name: String) throws {
    let (ending, state) = try Self.pressed(
      Self.typed(name), waits: 1000, with: ["Someone", name])
    #expect(ending == nil && state.pages.isEmpty)
    #expect(state.list.line.text == name)
    #expect(state.list.chosenRow?.name == name)
  }

  @Test(arguments: ["Quinn", "QUINN", "QYBURN", "QQ"])
  func `begins a name also where all of it is capitals`(name: String) throws {
    let (ending, state) = try Self.pressed(Self.typed(name), waits: 1000, with: ["Someone", name])
    #expect(ending == nil && state.pages.isEmpty)
    #expect(state.list.line.text == name)
    #expect(state.list.chosenRow?.name == name)
  }

  @Test func `asks where it is a capital, and is answered by another no sooner than one reads`()
    throws
  {
    let slow = try Self.pressed(Self.typed("QY", pause: 400), with: ["Someone"]).1
    #expect(slow.pages.isEmpty && slow.list.line.text == "QY")
    var tester = try BrowseTester.withAdventurers(["Someone"]).1
    var keys = BrowseKeys()
    var effects: [BrowseState.Effect] = []
    let start = ContinuousClock.now
    keys.append(.character("Q"), at: start)
    keys.append(.character("Y"), at: start + .milliseconds(500))
    _ = try keys.handle(&tester.state, tester.source, now: start + .seconds(1)) { effect, _ in
      effects.append(effect)
    }
    #expect(effects == [.quest(EntityID(1))])
  }

  @Test func `goes behind a query as a word`() throws {
    let line = [(100, ScreenKey.character("/"))] + Self.typed("t:water") + [(100, .enter)]
    let (_, state) = try Self.pressed(line + Self.typed("quag"))
    #expect(state.list.line.text == "t:water quag")
    #expect(state.list.chosenRow?.name == "Quagsire")
  }

  @Test(arguments: ["gengar", "growlithe"])
  func `begins a name that is typed slowly where what follows does nothing else`(name: String)
    throws
  {
    let (_, state) = try Self.pressed(Self.typed(name, pause: 600), waits: 2000)
    #expect(state.list.line.text == name && !state.list.isGrid && state.pages.isEmpty)
  }

  @Test func `is a key where no word follows`() throws {
    #expect(try Self.pressed(Self.typed("q"), waits: 100).0 == nil)
    #expect(try Self.pressed(Self.typed("q"), waits: 250).0 == .init(command: nil))
    #expect(try Self.pressed(Self.typed("y"), waits: 250).0?.command?.contains("find") == true)
    #expect(try Self.pressed(Self.typed("qu", pause: 300)).0 == .init(command: nil))
    #expect(try Self.pressed(Self.typed("qq")).0 == .init(command: nil))
    #expect(try Self.pressed([(0, .character("q")), (10, .down)]).0 == .init(command: nil))
    let (_, twice) = try Self.pressed(Self.typed("gg"))
    #expect(twice.list.line.isEmpty && !twice.list.isGrid)
    let (_, slow) = try Self.pressed(Self.typed("ge", pause: 1000))
    #expect(slow.list.line.text == "e" && slow.list.isGrid)
    let (_, keys) = try Self.pressed(Self.typed("gt", pause: 300))
    guard case .types? = keys.pages.last else {
      Issue.record("no types")
      return
    }
    #expect(keys.list.isGrid)
    // A capital begins the name of who is recruited.
    let (_, form) = try Self.pressed(Self.typed("nBo"), with: ["Someone"])
    guard case .recruit(let recruit)? = form.pages.last else {
      Issue.record("no form")
      return
    }
    #expect(recruit.name.text == "Bo")
  }
}

@Suite(.serialized) struct `A name in a terminal` {
  @Test func `is searched for, and leaves nothing to the shell`() {
    let dexdb = Dexdb()
    #expect(dexdb("recruit", "name=Dylan", "class=Wizard").code == 0)
    let program = TerminalProgram(["-f", dexdb.database, "browse"])
    #expect(program.shows("Bulbasaur"))
    for name in ["quagsire", "gengar", "yanma"] {
      program.send(name)
      #expect(
        program.waits {
          $0.text.contains("Search: \(name)") && $0.text.lowercased().contains("1 of 1,025")
        })
      program.send("\r\u{1B}")
      #expect(program.shows("Bulbasaur"))
    }
    program.send("\t")
    #expect(program.shows("Dylan"))
    program.send("dylan")
    #expect(program.waits { $0.text.contains("Search: dylan") && $0.text.contains("Dylan") })
    program.send("\r\u{1B}q")
    #expect(program.wait() == 0)
    #expect(dexdb("count", "from:adv").text == "1\n")
  }
}
