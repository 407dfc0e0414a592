import Entities
import Terminal

extension Command {
  static let add = Command(
    name: "add", aliases: ["recruit"], operands: "[OPTIONS] [ENTITY] field=value…",
    summary: "Add a record; an adventurer's numbers are rolled by the rule of the profession.",
    details: [
      "The entity is adventurers unless another is named. What is given stands, and the rest of an "
        + "adventurer is drawn from the seed, which is shown and can be given. portrait= takes a "
        + "PNG file or a name of the gallery; without it, an adventurer gets one that suits the "
        + "profession.",
      "The new record's number goes to standard output.",
    ],
    options: [
      OptionDefinition("--seed", value: "N", "what the numbers of an adventurer are drawn from"),
      OptionDefinition("--id", value: "N", "the record's number; else the next one"),
      OptionDefinition(
        "--new-profession", "take a profession as it is written, though a known one is near"),
      CommandContext.dryRun,
    ],
    examples: [
      Example("dexdb recruit name=Ana class=Wizard", "a wizard with rolled numbers"),
      Example(
        "dexdb add adventurers name=Bo class=Knight level=3 portrait=bo.png", "with a picture"),
    ]
  ) { context in
    try Adding(context).run()
  }
}

/// Adds one record.
private struct Adding {
  private let context: CommandContext
  private let database: Database
  private let schema: Schema
  private let assignments: Assignments

  init(_ context: CommandContext) throws {
    self.context = context
    var operands = context.arguments.operands[...]
    if operands.isEmpty {
      throw CommandFailure.usage(
        "nothing to add", "such as \(Program.name) recruit name=Ana class=Wizard")
    }
    var entity = "adventurers"
    if let first = operands.first, !first.contains("=") {
      entity = first
      operands = operands.dropFirst()
    }
    database = try context.openForWriting()
    let catalog = try QueryReading(database).catalog
    if catalog.entities(startingWith: entity).isEmpty {
      throw Self.bareWords(context, entity)
    }
    schema = try context.schema(startingWith: entity, in: database)
    let name = schema.name
    guard let known = catalog.entities.first(where: { $0.name == name }) else {
      throw CommandFailure("no entity '\(name)'")
    }
    assignments = try Assignments(operands, schema: schema, entity: known)
  }

  /// Complains about `recruit Bob Wizard`.
  private static func bareWords(_ context: CommandContext, _ word: String) -> CommandFailure {
    var words = context.arguments.operands.filter { !$0.contains("=") }
    let known = Profession.allCases.map(\.rawValue)
    let profession = words.firstIndex { word in
      known.contains { $0.lowercased() == word.lowercased() }
    }.map { words.remove(at: $0) }
    let name = "name=" + (words.isEmpty ? "Ana" : words.joined(separator: " "))
    let others = context.arguments.operands.filter { $0.contains("=") }
    let call = [name, "class=" + (profession ?? known.first ?? "Wizard")] + others
    let line = call.map { ShellWord.quoted($0) }.joined(separator: " ")
    return .usage(
      "'\(word)' is neither an entity nor field=value",
      "for an adventurer, write \(Program.name) recruit \(line)",
      "\(Program.name) schema lists the entities")
  }

  func run() throws {
    let id = try context.number("--id")
    let seed = try context.seed() ?? UInt64.random(in: 0..<1 << 32)
    let isRecruit = schema.name == Adventurer.schema.name
    let added: EntityID
    do {
      added = try add(isRecruit: isRecruit, seed: seed, id: id)
    } catch let error as DatabaseError {
      throw error.withoutRecord
    }
    context.output.write("\(added)\n")
    let what =
      isRecruit ? "recruited adventurer \(added), seed \(seed)" : "added \(schema.name) \(added)"
    context.note(context.outcome(what))
  }

  private func add(isRecruit: Bool, seed: UInt64, id: UInt64?) throws -> EntityID {
    let picture = try PortraitStorage.choice(assignments.portrait, in: database, context)
    return try context.change(database) { transaction in
      let id =
        isRecruit
        ? try recruit(&transaction, seed: seed, id: id.map { EntityID($0) })
        : try insert(&transaction, id: id.map { EntityID($0) })
      try PortraitStorage.set(picture, of: schema.name, id, in: &transaction)
      return id
    }
  }

  private var record: Record { Record(assignments.values.compactMapValues { $0 }) }

  private func insert(
    _ transaction: inout DatabaseTransaction, id: EntityID?
  ) throws -> EntityID {
    try transaction.insert(schema.name, record, id: id)
  }

  private func recruit(
    _ transaction: inout DatabaseTransaction, seed: UInt64, id: EntityID?
  ) throws -> EntityID {
    guard case .text(let name)?? = assignments.values["name"] else {
      throw CommandFailure.usage("the name is missing", "add name=Ana")
    }
    guard case .text(let profession)?? = assignments.values["profession"] else {
      throw CommandFailure.usage(
        "the profession is missing",
        "add class= and any words; \(Profession.allCases.map(\.rawValue).joined(separator: ", ")) have rules of their own"
      )
    }
    if !context.arguments.has("--new-profession"), let near = Profession.near(profession) {
      throw CommandFailure.usage(
        "no profession '\(profession)' has rules",
        help: [
          "did you mean '\(near.rawValue)'?",
          "--new-profession takes '\(profession)' as it is, a trade of its own",
        ])
    }
    // The numbers are drawn from the record's number too, which only inserting tells.
    var adventurer = Adventurer.recruit(
      name: name, profession: profession, seed: seed, id: id ?? EntityID(0))
    adventurer.created = Int(SystemCalls.now())
    let number: EntityID
    if let id {
      try transaction.insert(adventurer, id: id)
      number = id
    } else {
      number = try transaction.insert(adventurer)
      let created = adventurer.created
      adventurer = Adventurer.recruit(
        name: name, profession: profession, seed: seed, id: number)
      adventurer.created = created
      try transaction.update(adventurer, id: number)
    }
    var values = assignments.values
    if let points = values["total_hit_points"], values["current_hit_points"] == nil {
      values["current_hit_points"] = points
    }
    try transaction.set(values, of: schema.name, number)
    if assignments.portrait == nil {
      try PortraitStorage.setSuitable(
        profession: profession, number: number, in: &transaction)
    }
    return number
  }
}

extension CommandContext {
  /// The number that an option gives, where it is there.
  fileprivate func number(_ option: String) throws -> UInt64? {
    guard let text = arguments[option] else { return nil }
    guard let number = UInt64(text) else {
      throw CommandFailure.usage("\(option) cannot be '\(text)'", "write digits")
    }
    return number
  }

  /// What the numbers of adventurers are to be drawn from.
  func seed() throws -> UInt64? { try number("--seed") }
}
