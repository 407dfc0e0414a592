import Entities
import Terminal

extension Command {
  static let find = Command(
    name: "find", aliases: ["search"], operands: "[OPTIONS] [QUERY…]",
    summary: "Find records; without a query, all Pokémon.",
    details: [
      "See '\(Program.name) help queries' for the language. Operands are joined by spaces."
    ],
    options: RowOutput.options + [
      OptionDefinition("--wide", "all columns"),
      OptionDefinition("--quiet", short: "-q", "write nothing; exit code 1 where nothing is found"),
      OptionDefinition("--timer", "say how long it took"),
    ],
    examples: [
      Example("dexdb find pik", "names with a word that begins so"),
      Example("dexdb find t:fire t:flying", "both types"),
      Example("dexdb find 'bst>=600 -is:legendary sort:-spe limit:5'", "the fastest of the strong"),
      Example("dexdb find --json family:eevee", "for another program"),
      Example("dexdb find 'from:adv is:alive sort:-level'", "adventurers"),
    ]
  ) { context in
    let start = ContinuousClock.now
    let database = try context.openForReading()
    let reading = try QueryReading(database)
    var query = try reading.query(context.query)
    if context.arguments.has("--quiet") {
      query.limit = min(query.limit ?? 1, 1)
      if try context.snapshot(of: database).findIDs(query).isEmpty {
        throw CommandFailure.silent(.failed)
      }
      return
    }
    var output = try RowOutput(context)
    if query.columns.isEmpty && query.groups.isEmpty {
      output.mayLeaveOutColumns = !context.arguments.has("--wide")
      query.columns = reading.usualColumns(
        of: query.entity, isWide: context.arguments.has("--wide"))
    }
    try context.write(query, reading, output, of: try context.snapshot(of: database))
    context.noteTime(since: start)
  }

  static let count = Command(
    name: "count", operands: "[OPTIONS] [QUERY…]", summary: "Count records.",
    options: [OptionDefinition("--timer", "say how long it took")],
    examples: [
      Example("dexdb count t:water", "how many are of that type"),
      Example("dexdb count -is:final gen:1", "who of the first still evolves"),
      Example("dexdb find gen:1 group:type", "counts by type, with find"),
    ]
  ) { context in
    let start = ContinuousClock.now
    let database = try context.openForReading()
    let query = try QueryReading(database).query(context.query)
    let count: Int
    if query.limit == nil && query.offset == 0 && query.groups.isEmpty {
      count = try context.snapshot(of: database).count(
        query.entity, where: query.filter, language: query.language)
    } else {
      count = try context.snapshot(of: database).find(query).rows.count
    }
    context.output.write("\(count)\n")
    context.noteTime(since: start)
  }

  static let explain = Command(
    name: "explain", operands: "[QUERY…]", summary: "Say how a query is answered.",
    details: ["The first line is the query as it was understood, then a step a line."],
    examples: [Example("dexdb explain 't:fire spe>=100 sort:-bst limit:5'", "which indexes help")]
  ) { context in
    let database = try context.openForReading()
    let reading = try QueryReading(database)
    let query = try reading.query(context.query)
    // Without an entity that is taken for granted, the text always says which one is asked.
    var catalog = reading.catalog
    catalog.defaultEntity = nil
    context.output.write(context.safe(QueryPrinter.text(of: query, in: catalog)) + "\n")
    for line in try context.snapshot(of: database).explain(query) {
      context.output.write("  " + context.safe(line) + "\n")
    }
  }
}
