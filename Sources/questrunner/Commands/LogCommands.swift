import Entities
import PageStore
import Terminal

extension Command {
  static let replay = Command(
    name: "replay", operands: "RUN:ADVENTURER:QUEST",
    summary: "Compute one quest of a run again, and tell everything that happened.",
    examples: [
      CommandExample("questrunner replay 1:2:0", "of run 1, adventurer 2, the first quest")
    ]
  ) { context in
    try context.checkOperandCount(1...1)
    let text = context.arguments.operands[0]
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { UInt64($0) }
    guard parts.count == 3, let run = parts[0], let adventurer = parts[1], let number = parts[2]
    else {
      throw CommandFailure.usage(
        "'\(text)' is no quest", "the numbers of run, adventurer and quest: 1:2:0")
    }
    let database = try context.open(isReadOnly: true)
    let runner = try QuestRunner(EntityID(run), in: database)
    let quest = try runner.quest(number, of: EntityID(adventurer))
    context.note("seed \(quest.seed), quest \(number) of \(quest.fighter.name)")
    var walk = quest.walk()
    var narrator = QuestNarrator(quest.fighter, quest.enemies)
    repeat {
      for event in walk.events.events {
        if let line = narrator.line(event) { context.line(LogText.text(line)) }
      }
      walk.events.forget()
    } while walk.step() && context.output.isOpen
    for event in walk.events.events {
      if let line = narrator.line(event) { context.line(LogText.text(line)) }
    }
    context.line(LogText.text(walk.state.result))
  }

  static let log = Command(
    name: "log", operands: "FILE [QUERY…]",
    summary: "Tell what a log has.",
    details: [
      "QUERY chooses: adventurer=N, quest=N, name=TEXT, and kind= one of appears, hits, evaded, "
        + "waits, falls, levelUp, ends. All must hold."
    ],
    examples: [
      CommandExample("questrunner log a.qlog", "all"),
      CommandExample("questrunner log a.qlog quest=7 kind=falls", "who fell on quest 7"),
    ]
  ) { context in
    guard let path = context.arguments.operands.first else {
      throw CommandFailure.usage("a file is missing", "such as \(Program.name) log a.qlog")
    }
    let filter = try LogFilter(context.arguments.operands.dropFirst())
    var reader = try LogText.reader(path)
    while let section = try reader.next(), context.output.isOpen {
      if !filter.admits(section) { continue }
      context.line(
        "quest \(section.quest) of \(section.fighter.name), adventurer \(section.fighter.id), "
          + "level \(section.fighter.level)")
      var narrator = QuestNarrator(section.fighter, reader.plan.table)
      for event in section.events {
        if let line = narrator.line(event), filter.admits(line) {
          context.line(LogText.text(line))
        }
      }
    }
  }

  static let verify = Command(
    name: "verify", operands: "FILE",
    summary: "Compute all quests of a log again, and look whether it tells the truth.",
    examples: [CommandExample("questrunner verify a.qlog", "all of it")]
  ) { context in
    try context.checkOperandCount(1...1)
    let path = context.arguments.operands[0]
    var verifier = try QuestLogVerifier(try LogText.reader(path))
    do throws(QuestError) {
      while try verifier.next() {}
    } catch .falseLog(let text) {
      throw CommandFailure("\(path): \(text)", exitCode: .damaged)
    }
    let count = verifier.count
    context.line(
      "\(count == 1 ? "1 quest is" : "\(count) quests are") as the log has them, "
        + "seed \(verifier.plan.seed)")
  }
}

/// Chooses quests and events of a log.
private struct LogFilter {
  private var adventurer: UInt64?
  private var quest: UInt64?
  private var name: String?
  private var kind: QuestEvent.Kind?

  init(_ terms: some Sequence<String>) throws {
    for term in terms {
      let parts = term.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { throw Self.refusal(term) }
      switch parts[0] {
      case "adventurer": adventurer = UInt64(parts[1])
      case "quest": quest = UInt64(parts[1])
      case "name": name = parts[1].lowercased()
      case "kind": kind = QuestEvent.Kind.allCases.first { "\($0)" == parts[1] }
      default: throw Self.refusal(term)
      }
      let isRead =
        switch parts[0] {
        case "adventurer": adventurer != nil
        case "quest": quest != nil
        case "kind": kind != nil
        default: true
        }
      if !isRead { throw Self.refusal(term) }
    }
  }

  private static func refusal(_ term: String) -> CommandFailure {
    CommandFailure.usage(
      "'\(term)' chooses nothing", "adventurer=N, quest=N, name=TEXT or kind=hits")
  }

  func admits(_ section: QuestLogSection) -> Bool {
    (adventurer ?? section.fighter.id) == section.fighter.id
      && (quest ?? section.quest) == section.quest
      && (name ?? section.fighter.name.lowercased()) == section.fighter.name.lowercased()
  }

  func admits(_ line: QuestNarrator.Line) -> Bool { (kind ?? line.kind) == line.kind }
}

/// Quests as text.
enum LogText {
  static func reader(_ path: String) throws -> QuestLogReader {
    let file = try FileStream.reading(path)
    return try QuestLogReader { (count) throws(QuestError) in
      do throws(FileFailure) {
        return try file.read(count)
      } catch {
        throw .settings("\(error.path): \(error.reason)")
      }
    }
  }

  static func text(_ line: QuestNarrator.Line) -> String {
    let seconds = "\(line.tick / 1_000)"
    let rest = "\(1_000 + line.tick % 1_000)".dropFirst()
    let time = seconds + "." + rest
    return String(repeating: " ", count: max(0, 10 - time.count)) + time + "  " + line.text
  }

  static func text(_ result: QuestResult) -> String {
    "\(result.outcome) after \(WatchTheme.time(result.tick)): \(result.kills.counted("kill")), level \(result.level), "
      + "\(result.hitPoints) of \(result.totalHitPoints) hit points, "
      + "\(result.experience) experience, \(result.dealt) damage done, \(result.taken) taken"
  }
}
