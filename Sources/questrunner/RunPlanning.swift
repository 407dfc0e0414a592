import Entities
import Terminal

/// Makes the plan of a run out of the options, and out of the run that is to be gone on with.
struct RunPlanning {
  let context: CommandContext
  let database: Database
  /// What counts where an option is not given.
  let base: QuestPlan?

  /// Marks the name of a bestiary, which cannot be asked for again.
  private static let bestiaryMark = "bestiary "

  func plan() throws -> QuestPlan {
    let until = try until()
    let isLevel = if case .level? = until { true } else { false }
    let mode =
      context.arguments["--mode"].flatMap { QuestMode(rawValue: $0) } ?? base?.mode
      ?? (isLevel ? .campaign : .sample)
    guard let quests = try quests() else {
      throw CommandFailure.usage("--quests is missing", "such as --quests 1000")
    }
    guard let adventurers = context.arguments["--adventurers"] ?? base?.adventurers else {
      throw CommandFailure.usage(
        "--adventurers is missing", "such as --adventurers name:ana, or '' for all of them")
    }
    let roster = try roster(adventurers)
    let (table, enemies) = try enemies()
    return QuestPlan(
      seed: try context.seed() ?? base?.seed ?? UInt64.random(in: 0..<1 << 32), mode: mode,
      quests: quests, settings: try settings(), until: until, adventurers: adventurers,
      enemies: enemies, roster: roster, table: table)
  }

  private func quests() throws -> Int? {
    try context.number("--quests", 1...QuestPlan.questLimit) ?? base?.quests
  }

  private func settings() throws -> QuestSettings {
    var settings = base?.settings ?? QuestSettings()
    if let foes = try context.number("--foes", QuestRules.foeCounts) { settings.foes = foes }
    if let goal = try context.number("--goal", 1...1_000_000_000) { settings.goal = goal }
    if let limit = try context.number("--limit", 1...Int(QuestSettings.greatestLimit)) {
      settings.limit = Int64(limit)
    }
    return settings
  }

  private func until() throws -> QuestUntil? {
    let level = context.arguments["--until"]
    let error = context.arguments["--until-error"]
    if level != nil, error != nil {
      throw CommandFailure.usage("--until and --until-error contradict each other", "choose one")
    }
    if let level {
      guard level.hasPrefix("level="), let number = Int(level.dropFirst(6)),
        QuestRules.levels.contains(number)
      else {
        throw CommandFailure.usage(
          "--until cannot be '\(level)'", "such as --until level=5, up to level=200")
      }
      return .level(number)
    }
    guard let error else { return base?.until }
    let text = error.hasSuffix("%") ? String(error.dropLast()) : error
    guard error.hasSuffix("%"),
      case .parts(let millionths) = ExactDecimal.parts(text, over: 10_000),
      (1..<1_000_000).contains(millionths)
    else {
      throw CommandFailure.usage(
        "--until-error cannot be '\(error)'", "such as --until-error 0.5%, in steps of 0.0001%")
    }
    return .error(millionths: Int(millionths))
  }

  private func records<E: Entity>(_ type: E.Type, _ text: String) throws -> [Identified<E>] {
    let entity = type.schema.name
    let query = try QueryReading(database, about: entity).query(text)
    if query.entity != entity {
      throw CommandFailure.usage(
        "the query asks for \(query.entity), and \(entity) are wanted",
        "leave out from: in '\(text)'")
    }
    if !query.groups.isEmpty || !query.columns.isEmpty {
      throw CommandFailure.usage(
        "'\(text)' asks for a table, and \(entity) are wanted", "leave out group: and show:")
    }
    let snapshot = try database.snapshot()
    return try snapshot.findIDs(query).compactMap { id in
      try snapshot.get(type, id).map { Identified(id: id, value: $0) }
    }
  }

  private func roster(_ text: String) throws -> [Fighter] {
    let found = try records(Adventurer.self, text)
    if found.isEmpty, !text.isEmpty { throw CommandFailure.noAdventurer(answers: "'\(text)'") }
    return found.map { Fighter($0.value, id: $0.id) }
  }

  private func enemies() throws -> (EnemyTable, String) {
    let query = context.arguments["--enemies"]
    if let path = context.arguments["--bestiary"] {
      if query != nil {
        throw CommandFailure.usage("--enemies and --bestiary contradict each other", "choose one")
      }
      let bytes = try SystemCalls.bytes(of: path, maximum: QuestBestiary.byteLimit)
      do throws(QuestError) {
        return (try QuestBestiary.table(bytes), Self.bestiaryMark + path)
      } catch .noEnemies {
        throw CommandFailure(
          "\(path) has no enemies", help: ["below the names of the columns, a line for each"])
      } catch {
        let failure = CommandFailure(error)
        throw CommandFailure("\(path), \(failure.message)", help: failure.help)
      }
    }
    if query == nil, let base, base.enemies.hasPrefix(Self.bestiaryMark) {
      return (base.table, base.enemies)
    }
    let text = query ?? base?.enemies ?? ""
    return (try EnemyTable(records(Pokemon.self, text).map { EnemySpecies($0.value) }), text)
  }
}
