import CDexShim
import Entities
import PageStore
import Terminal

extension Command {
  static let watch = Command(
    name: "watch", operands: "[OPTIONS] QUERY…",
    summary: "Look on while adventurers are on a quest.",
    details: [
      "The quests go on in real time: a tick is a millisecond. Space pauses, + and - change the "
        + "speed, . lets one thing happen, s goes to the end, Tab shows the next adventurer, q "
        + "leaves.",
      "However it ends, each quest is computed to its end, and the result is kept once: level and "
        + "experience, a win or a loss. Where the program is killed, run --resume does that.",
      "Where the output is no terminal, everything that happens is a line. NO_COLOR is honoured, "
        + "and ACCESSIBLE=1 leaves out bars and boxes.",
    ],
    options: [
      OptionDefinition("--speed", value: "X", "so many times as fast, 0.001 to 1024; else 1"),
      OptionDefinition(
        "--no-delay", "write lines, and all of them at once instead of in real time"),
      OptionDefinition("--foes", value: "N", "how many enemies at once, 1 to 4; else 1"),
      OptionDefinition("--goal", value: "KILLS", "how many fallen enemies win a quest"),
      OptionDefinition("--limit", value: "TICKS", "the longest quest in ms; else 86400000, a day"),
      OptionDefinition("--enemies", value: "QUERY", "which Pokémon may appear; else all"),
      OptionDefinition("--bestiary", value: "FILE", "enemies of your own, as TSV"),
      Program.seedOption,
    ],
    examples: [
      CommandExample("questrunner watch ana", "Ana, until she falls"),
      CommandExample(
        "questrunner watch --foes 3 --goal 20 --speed 4 class:knight", "knights, faster"),
      CommandExample("questrunner watch --no-delay --seed 7 ana", "only the lines"),
    ]
  ) { context in
    try Watching(context).run()
  }
}

/// A run of one quest for each adventurer, of which the program shows what happens.
private struct Watching {
  let context: CommandContext
  let speed: Int

  /// As many as can be told apart on a screen.
  private static let mostAdventurers = 32

  init(_ context: CommandContext) throws {
    self.context = context
    speed = try context.watchSpeed()
    if context.arguments.operands.isEmpty {
      throw CommandFailure.usage(
        "who is to be watched?", "such as \(Program.name) watch ana, or '' for all")
    }
  }

  func run() throws {
    let database = try context.open(isReadOnly: false)
    let plan = try plan(database)
    try plan.check()
    let runner = try QuestRunner(try QuestRunner.begin(plan, in: database), in: database)
    var quests: [Quest] = []
    for fighter in runner.plan.roster {
      quests.append(try runner.quest(0, of: EntityID(fighter.id)))
    }
    dex_interrupt_catch()
    do {
      try show(quests, runner, database)
    } catch {
      // What cannot be shown is no reason not to keep it.
      try keep(runner)
      throw error
    }
    try keep(runner)
    context.note("seed \(runner.plan.seed); run \(runner.id) is kept")
    context.output.flush()
    dex_interrupt_end()
  }

  private func show(_ quests: [Quest], _ runner: QuestRunner, _ database: Database) throws {
    if !context.outputIsTerminal || context.arguments.has("--no-delay") {
      let lines = WatchLines(
        context: context, quests: quests,
        speed: context.arguments.has("--no-delay") ? nil : speed)
      return lines.run()
    }
    let pictures = StoredWatchPictures(quests, try database.snapshot())
    let state = try WatchScreen(context: context, pictures: pictures).run(quests, speed: speed) {
      try keep(runner)
      return "kept as run \(runner.id)"
    }
    for track in state.tracks {
      let (fighter, result) = (track.quest.fighter, track.quest.run())
      context.line(
        "\(fighter.name): \(WatchTheme.text(result.outcome)) after "
          + "\(WatchTheme.time(result.tick)), \(result.kills.counted("kill")), level \(result.level), "
          + "\(result.experience) experience")
    }
  }

  /// Commits the results; once, however often it is called.
  private func keep(_ runner: QuestRunner) throws {
    do throws(QuestError) {
      _ = try runner.run()
    } catch {
      guard case .differs(_, let differences) = error else { throw error }
      throw CommandFailure(
        "the quest cannot be kept, for another one came home first: "
          + differences.joined(separator: "; "),
        help: ["\(Program.name) replay \(runner.id):\(runner.plan.roster[0].id):0 tells of it"])
    }
  }

  private func plan(_ database: Database) throws -> QuestPlan {
    var arguments = context.arguments
    arguments.set("--adventurers", context.arguments.operands.joined(separator: " "))
    arguments.set("--quests", "1")
    arguments.set("--mode", QuestMode.campaign.rawValue)
    let whole = CommandContext(
      command: context.command, arguments: arguments, globals: context.globals)
    let plan = try RunPlanning(context: whole, database: database, base: nil).plan()
    if plan.roster.count > Self.mostAdventurers {
      throw CommandFailure.usage(
        "\(plan.roster.count) adventurers are more than can be watched",
        "narrow the query to \(Self.mostAdventurers) at most", "\(Program.name) run sends them all")
    }
    return plan
  }
}

extension CommandContext {
  /// The speed that was asked for, in thousandths.
  fileprivate func watchSpeed() throws -> Int {
    guard let text = arguments["--speed"] else { return WatchClock.usualSpeed }
    guard case .parts(let parts) = ExactDecimal.parts(text, over: 1_000),
      let speed = Int(exactly: parts), WatchClock.speedRange.contains(speed)
    else {
      throw CommandFailure.usage("--speed cannot be '\(text)'", "a number from 0.001 to 1024")
    }
    return speed
  }
}
