import Entities
import Terminal

extension Command {
  static let compare = Command(
    name: "compare", operands: "[OPTIONS] A B",
    summary: "Send two adventurers on the same quests, and tell how they differ.",
    details: [
      "A and B are queries that find one adventurer each. Both meet the same enemies, and draw the "
        + "same numbers, so that the difference is known from few quests. Nothing is kept.",
      "With --with, A is compared to what A would be with other fields: level, hp, multiplier, "
        + "defense, evasion in percent, speed or class.",
    ],
    options: [
      OptionDefinition("--with", value: "FIELD=V,…", "compare A to A with these fields changed"),
      OptionDefinition("--quests", value: "N", "how many quests each goes on; else 10000"),
      OptionDefinition("--foes", value: "N", "how many enemies at once, 1 to 4; else 1"),
      OptionDefinition("--goal", value: "KILLS", "how many fallen enemies win a quest"),
      OptionDefinition("--limit", value: "TICKS", "the longest quest in ms; else 86400000, a day"),
      OptionDefinition("--enemies", value: "QUERY", "which Pokémon may appear; else all"),
      OptionDefinition("--bestiary", value: "FILE", "enemies of your own, as TSV"),
      OptionDefinition("--json", "one object, for programs"),
      Program.seedOption,
    ],
    examples: [
      CommandExample("questrunner compare --goal 10 ana borin", "who wins more often"),
      CommandExample("questrunner compare --with level=5,speed=90 ana", "what would it bring"),
    ]
  ) { context in
    try Comparing(context: context).run()
  }
}

/// Finds both adventurers, and compares them.
private struct Comparing {
  let context: CommandContext

  /// As many as take some seconds.
  private static let mostQuests = 100_000_000
  private static let usualQuests = "10000"

  func run() throws {
    let changes = context.arguments["--with"]
    let wanted = changes == nil ? 2 : 1
    try context.checkOperandCount(wanted...wanted)
    let operands = context.arguments.operands
    let database = try context.open(isReadOnly: true)
    let plan = try plan(operands[0], database)
    let one = plan.roster[0]
    let other: Fighter
    var names = (one.name, one.name)
    if let changes {
      other = try FighterChange.apply(changes, to: one)
      names.1 = "\(one.name) with \(changes)"
    } else {
      other = try self.plan(operands[1], database).roster[0]
      names.1 = other.name
      if names.0 == names.1 { names = ("\(one.name) #\(one.id)", "\(other.name) #\(other.id)") }
    }
    let comparison = try QuestComparison(
      one, other, names: names, seed: plan.seed, quests: UInt64(plan.quests), enemies: plan.table,
      settings: plan.settings)
    let text = ComparisonText(
      comparison: comparison, settings: plan.settings, seed: plan.seed, styling: context.styling)
    context.output.write(context.arguments.has("--json") ? text.json() : text.text())
  }

  /// What would be a run of one adventurer.
  private func plan(_ query: String, _ database: Database) throws -> QuestPlan {
    _ = try context.number("--quests", 1...Self.mostQuests)
    var arguments = context.arguments
    arguments.set("--adventurers", query)
    if !arguments.has("--quests") { arguments.set("--quests", Self.usualQuests) }
    let whole = CommandContext(
      command: context.command, arguments: arguments, globals: context.globals)
    let plan = try RunPlanning(context: whole, database: database, base: nil).plan()
    if plan.roster.count > 1 {
      throw CommandFailure.usage(
        "'\(query)' finds \(plan.roster.count) adventurers, and one is wanted",
        "name one, such as name:ana or '#\(plan.roster[0].id)'")
    }
    try plan.check()
    return plan
  }
}

/// Changes fields of a fighter, as they are typed.
enum FighterChange {
  private static let fields = ["level", "hp", "multiplier", "defense", "evasion", "speed", "class"]

  static func apply(_ changes: String, to fighter: Fighter) throws -> Fighter {
    var changed = fighter
    var fields: Set<String> = []
    for change in changes.split(separator: ",", omittingEmptySubsequences: false) {
      let parts = change.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else {
        throw CommandFailure.usage("--with cannot be '\(change)'", "such as --with level=5")
      }
      if !fields.insert(parts[0]).inserted {
        throw CommandFailure.usage("--with has '\(parts[0])' twice", "give it once")
      }
      try set(parts[0], parts[1], &changed)
    }
    if let problem = changed.problem {
      throw CommandFailure.usage("--with \(changes): \(problem)", "choose another value")
    }
    return changed
  }

  private static func set(_ field: String, _ text: String, _ fighter: inout Fighter) throws {
    switch field {
    case "level": fighter.level = try number(field, text)
    case "hp", "total_hit_points":
      fighter.totalHitPoints = try number(field, text)
      fighter.currentHitPoints = fighter.totalHitPoints
    case "defense": fighter.defense = try number(field, text)
    case "speed": fighter.speed = try number(field, text)
    case "multiplier": fighter.multiplier = try parts(field, text, over: 256)
    case "evasion": fighter.evasion = try parts(field, text, over: 100_000) * 256 / 10_000_000
    case "class", "profession": fighter.profession = text
    default:
      throw CommandFailure.usage(
        "--with has no field '\(field)'", "one of " + fields.joined(separator: ", "))
    }
  }

  private static func number(_ field: String, _ text: String) throws -> Int {
    guard let number = Int(text) else {
      throw CommandFailure.usage("\(field) cannot be '\(text)'", "a whole number")
    }
    return number
  }

  private static func parts(_ field: String, _ text: String, over denominator: Int64) throws -> Int
  {
    switch ExactDecimal.parts(text, over: denominator) {
    case .parts(let parts):
      if let parts = Int(exactly: parts), parts.magnitude < 1 << 50 { return parts }
    case .between(let step):
      throw CommandFailure.usage("\(field) cannot be '\(text)'", "it goes in steps of \(step)")
    case .notANumber, .outOfRange: break
    }
    throw CommandFailure.usage("\(field) cannot be '\(text)'", "a number such as 1.5")
  }
}
