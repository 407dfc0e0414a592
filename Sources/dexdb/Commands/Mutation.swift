import Entities
import Terminal

/// What commands that change records have in common.
extension CommandContext {
  static let dryRun = OptionDefinition("--dry-run", "say what would happen, and change nothing")
  static let selection = [
    OptionDefinition("--where", value: "QUERY", "which records; must contain from:"),
    OptionDefinition("--all", "every record of the entity"),
    dryRun,
  ]
  static let yes = OptionDefinition("--yes", "do not ask")

  /// Ends a transaction without a trace.
  private struct Undo: Error {}

  /// Runs `body` in one transaction; with `--dry-run`, takes back what it did.
  func change<Result>(
    _ database: Database, _ body: (inout DatabaseTransaction) throws -> Result
  ) throws -> Result {
    var result: Result?
    let isDry = arguments.has("--dry-run")
    do {
      try database.write { (transaction: inout DatabaseTransaction) throws in
        result = try body(&transaction)
        if isDry { throw Undo() }
      }
    } catch is Undo {}
    guard let result else { throw CommandFailure("nothing was done") }
    return result
  }

  /// `did`, or what would have been done.
  func outcome(_ did: String) -> String {
    arguments.has("--dry-run") ? "dry run, nothing is changed: \(did)" : did
  }

  /// The records that `--where` chooses.
  func selectedRecords(
    _ reading: QueryReading, in database: Database, or operands: String? = nil
  ) throws -> Query {
    guard let text = arguments["--where"] ?? operands else {
      throw CommandFailure.usage(
        "--where is missing", "such as \(Program.name) \(command.name) --where 'from:adv name=ana'")
    }
    if arguments.all("--where").count > 1 {
      throw CommandFailure.usage("--where stands twice", "write both as one query")
    }
    let query = try reading.query(text)
    if !reading.namesEntity(text) {
      throw CommandFailure.usage(
        "the query does not say which entity is changed",
        help: additions(reading.entities(fitting: text)))
    }
    if !query.groups.isEmpty || !query.columns.isEmpty {
      throw CommandFailure.usage("--where only chooses records", "leave out show: and group:")
    }
    if query.filter == .everything, !arguments.has("--all"), try isEverything(query, in: database) {
      throw CommandFailure.usage(
        "the query chooses every record of \(query.entity)", "add --all if that is what you want")
    }
    return query
  }

  /// True where `query`, which has no filter, leaves no record out by its limit.
  private func isEverything(_ query: Query, in database: Database) throws -> Bool {
    guard let limit = query.limit else { return query.offset == 0 }
    let count = try database.snapshot().count(query.entity)
    return query.offset == 0 && limit >= count
  }

  /// What to add to a query that fits those entities; first that whose records are the user's own.
  private func additions(_ names: [String]) -> [String] {
    let own = names.first { $0 == Adventurer.schema.name } ?? names.first
    guard let own else { return ["add from: and one of the entities"] }
    let others = names.filter { $0 != own }
    return ["add from:\(own)"]
      + (others.isEmpty
        ? [] : ["or, as it fits these too, from: and \(others.joined(separator: ", "))"])
  }

  /// Asks before something that cannot be taken back; without a terminal, `--yes` must have said it.
  ///
  /// `words` are those of the command line that would do it unasked.
  func confirm(_ question: String, unasked words: [String]) throws {
    if arguments.has("--yes") || arguments.has("--dry-run") { return }
    guard SystemCalls.isTerminal(0), SystemCalls.isTerminal(2) else {
      let file = namedDatabase.map { ["-f", $0] } ?? []
      let line = ([Program.name] + file + [command.name, "--yes"] + words)
        .map { ShellWord.quoted($0) }
      throw CommandFailure.usage(
        "nobody is there to be asked: \(question)",
        "write \(line.joined(separator: " ")) to do so unasked")
    }
    _ = SystemCalls.write(Array("\(TerminalText.escaped(question)) [y/N] ".utf8), to: 2)
    var lines = InputLines(0)
    let answer = try lines.next()?.lowercased() ?? ""
    if answer != "y" && answer != "yes" {
      throw CommandFailure("nothing was changed")
    }
  }

  /// The names of the first few of some records, or their numbers where they have none.
  func names(of ids: [EntityID], _ entity: String, in database: Database) throws -> String {
    let snapshot = try database.snapshot()
    let hasNames = try snapshot.schema(of: entity).field(named: "name") != nil
    let most = 10
    var names: [String] = []
    for id in ids.prefix(most) {
      if hasNames, case .text(let name)? = try snapshot.value(FieldPath("name"), of: entity, id) {
        names.append(DisplayWidth.truncated(name, to: 40))
      } else {
        names.append("number \(id)")
      }
    }
    if ids.count > most { names.append("and \(ids.count - most) more") }
    return names.joined(separator: ", ")
  }
}
