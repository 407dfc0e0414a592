import Entities
import PageStore
import Terminal

extension Command {
  static let browse = Command(
    name: "browse", operands: "[QUERY…]",
    summary: "Look through the Pokédex and the adventurers on the whole screen.",
    details: [
      "Type to search: the list follows each key. g shows portraits in a grid, t puts types "
        + "together, Enter opens what is chosen, Tab changes to the adventurers, ? shows all keys.",
      "A word that is typed at one go is searched for, also where its first letter is a key; and so "
        + "is what is pasted.",
      "y leaves and prints the command that shows the same, also where the output is no terminal. "
        + "ACCESSIBLE=1 draws plain lines for readers of screens; NO_COLOR is honoured.",
    ],
    examples: [
      Example("dexdb browse", "everything"),
      Example("dexdb browse t:fire sort:-bst", "begin with a query"),
      Example("dexdb browse from:adv is:hurt", "begin with adventurers"),
    ]
  ) { context in
    var browsing = try Browsing(context)
    try browsing.run()
  }
}

/// The loop of `browse`: keys to the state, the state to the screen, and what the state asks for.
private struct Browsing {
  private let context: CommandContext
  private let realm: BrowseState.Realm
  private var source: BrowseSource
  private var watch: BrowseWatch

  /// How long a frame may make pictures before it shows what it has.
  private static let pictureTime = Duration.milliseconds(8)
  /// The same for the first frame after a key.
  private static let firstPictureTime = Duration.milliseconds(4)
  /// How long a key may wait for an answer before it is shown without one.
  private static let answerTime = Duration.milliseconds(4)
  /// How often an answer that comes bit by bit is looked at, in milliseconds.
  private static let tick = 30

  init(_ context: CommandContext) throws {
    self.context = context
    source = try BrowseSource(try context.openForReading(), file: context.namedDatabase)
    // A line that is no query is said before the screen is opened.
    realm = try source.realm(of: context.query)
    source.answerBeside()
    watch = BrowseWatch(source.database)
  }

  mutating func run() throws {
    let isAccessible = SystemCalls.environment("ACCESSIBLE").map { !$0.isEmpty && $0 != "0" }
    let isUncolored = SystemCalls.environment("NO_COLOR").map { !$0.isEmpty }
    let wishes = Screen.Wishes(
      isColored: context.isColorWanted && isUncolored != true,
      isASCII: context.styling.isASCII, isAccessible: isAccessible ?? false)
    let screen: Screen
    do {
      screen = try Screen(wishes, environment: SystemCalls.environment)
    } catch {
      throw Self.failure(error)
    }
    let command: String?
    do {
      defer {
        watch.stop()
        source.stop()
        screen.close()
      }
      command = try loop(screen)
    }
    if let command { context.output.write(command + "\n") }
  }

  private static func failure(_ failure: ScreenFailure) -> CommandFailure {
    switch failure {
    case .noTerminal:
      CommandFailure("browse needs a terminal", help: ["\(Program.name) find lists records"])
    case .unfit(let name):
      CommandFailure(
        name.isEmpty
          ? "TERM does not say which terminal this is"
          : "the terminal '\(name)' cannot show a screen",
        help: ["\(Program.name) find lists records"])
    case .system(let code):
      CommandFailure("the terminal cannot be used: \(SystemCalls.text(ofError: code))")
    }
  }

  /// Goes on with the file that has taken the place of the one that was shown.
  private mutating func reopen(_ state: inout BrowseState) {
    do {
      let other = try BrowseSource(try context.openForReading(), file: context.namedDatabase)
      source.stop()
      source = other
    } catch {
      return state.complain(
        "another file has taken the place of the database: \(CommandFailure(error).message)")
    }
    source.answerBeside()
    watch.stop()
    watch = BrowseWatch(source.database)
    state.forgetAnswers()
    state.say("another file has taken the place of the database, and is shown now")
  }

  private mutating func loop(_ screen: Screen) throws -> String? {
    var state = BrowseState(
      columns: screen.columns, rows: screen.rows, abilities: screen.abilities,
      query: context.query, realm: realm)
    // Said before somebody has filled in a form, or answered a question.
    do { try BrowseWriting(context: context).check() } catch {
      state.refusal = Self.text(of: error)
    }
    do { _ = try QuestStart(context: context).program() } catch {
      state.questRefusal = Self.text(of: error)
    }
    var keys = BrowseKeys()
    var isDrawn = false
    // When what was typed is shown, if not what it leads to.
    var deadline = ContinuousClock.now
    while true {
      switch screen.next(milliseconds: wait(keys, state, isDrawn: isDrawn, deadline)) {
      case .key(let key):
        if isDrawn { deadline = ContinuousClock.now + Self.answerTime }
        isDrawn = false
        keys.append(key)
        if let ending = try handle(&keys, &state, screen) { return ending.command }
      case .resized:
        isDrawn = false
        state.columns = screen.columns
        state.rows = screen.rows
      case .woken:
        if context.session == nil, watch.isReplaced {
          reopen(&state)
          keys.forgetLetter()
          isDrawn = false
        } else if context.session == nil, watch.isRemoved {
          state.complain("the database has been removed; what is shown is what it held")
          isDrawn = false
        } else if try source.update() {
          isDrawn = false
        }
        state.dropMissing(source)
        fallthrough
      case .nothing:
        let wasUnfinished = state.isUnfinished
        try state.refresh(source)
        if let ending = try handle(&keys, &state, screen) { return ending.command }
        if isDrawn, !wasUnfinished, !source.pictures.isIncomplete { continue }
        if state.list.isBehind, state.pages.isEmpty, !isDrawn, ContinuousClock.now < deadline {
          continue
        }
        source.pictures.beginFrame(isDrawn ? Self.pictureTime : Self.firstPictureTime)
        screen.show(try BrowseFrame.canvas(state, source))
        isDrawn = true
      case .ended: return nil
      }
    }
  }

  /// How long to wait for what happens next, in milliseconds; nil for ever.
  ///
  /// Keys that wait are all heard before anything is drawn.
  private func wait(
    _ keys: BrowseKeys, _ state: BrowseState, isDrawn: Bool, _ deadline: ContinuousClock.Instant
  ) -> Int? {
    if isDrawn {
      if source.pictures.isIncomplete { return 0 }
      let tick = state.isUnfinished ? Self.tick : nil
      guard let left = keys.timeLeft() else { return tick }
      return min(tick ?? .max, Self.milliseconds(left) + 1)
    }
    if !state.list.isBehind || !state.pages.isEmpty { return 0 }
    return max(0, Self.milliseconds(deadline - ContinuousClock.now))
  }

  private static func milliseconds(_ duration: Duration) -> Int {
    let parts = duration.components
    return Int(parts.seconds) * 1000 + Int(parts.attoseconds / 1_000_000_000_000_000)
  }

  /// Handles the keys whose list is there; the end of the program, where one asks for that.
  private func handle(
    _ keys: inout BrowseKeys, _ state: inout BrowseState, _ screen: Screen
  ) throws -> BrowseState.Ending? {
    try keys.handle(&state, source) { perform($0, &$1, screen) }
  }

  private func perform(_ effect: BrowseState.Effect, _ state: inout BrowseState, _ screen: Screen) {
    do {
      switch effect {
      case .leave, .later: break
      case .save(let form):
        let id = try BrowseWriting(context: context).save(form)
        _ = try source.update()
        try state.finish(form, id, source)
      case .delete(let id):
        try BrowseWriting(context: context).delete(id)
        _ = try source.update()
        state.dropMissing(source)
        state.say("deleted adventurer \(id)")
      case .quest(let id):
        try QuestStart(context: context).run(id, screen)
        _ = try source.update()
      }
    } catch {
      state.complain(Self.text(of: error))
    }
  }

  private static func text(of error: any Error) -> String {
    let failure = CommandFailure(error)
    return ([failure.message] + failure.help.prefix(1)).joined(separator: ": ")
  }
}

extension BrowseState {
  /// Shows the adventurer that was saved.
  mutating func finish(_ form: AdventurerForm, _ id: EntityID, _ source: BrowseSource) throws {
    pages.removeLast()
    let name = form.name.text
    if form.isRecruit {
      // A search could hide the one who has just come.
      list.setLine("")
      try refresh(source)
      list.choose(id)
      say("recruited \(name), number \(id), seed \(form.seed.text)")
    } else {
      say("saved \(name)")
    }
  }

  /// Leaves the pages of records that are not there any more.
  mutating func dropMissing(_ source: BrowseSource) {
    while case .details(let page)? = pages.last {
      do {
        _ = try source.details(of: page.record)
        return
      } catch {
        pages.removeLast()
        complain("the record that was shown is not there any more")
      }
    }
  }
}
