import Entities
import Terminal

extension Command {
  static let set = Command(
    name: "set", operands: "[OPTIONS] --where QUERY field=value…",
    summary: "Change fields of the records that a query chooses, all in one transaction.",
    details: ["field= alone makes a field absent. --where takes one argument: put it in quotes."],
    options: CommandContext.selection,
    examples: [
      Example("dexdb set --where 'from:adv name=ana' level=2", "one adventurer"),
      Example("dexdb set --dry-run --where from:adv --all speed=70", "see who it would be"),
    ]
  ) { context in
    if context.arguments.operands.isEmpty {
      throw CommandFailure.usage("nothing to set", "add field=value")
    }
    let database = try context.openForWriting()
    let reading = try QueryReading(database)
    let query = try context.selectedRecords(reading, in: database)
    let schema = try context.schema(startingWith: query.entity, in: database)
    guard let entity = reading.catalog.entities.first(where: { $0.name == query.entity }) else {
      throw CommandFailure("no entity '\(query.entity)'")
    }
    let assignments = try Assignments(
      context.arguments.operands, schema: schema, entity: entity)
    let picture = try PortraitStorage.choice(assignments.portrait, in: database, context)
    let ids = try context.change(database) { transaction in
      let ids = try transaction.findIDs(query)
      var progress = Progress("set", unit: "records", total: ids.count)
      defer { progress.finish() }
      for (index, id) in ids.enumerated() {
        try context.checkInterruption()
        progress.note(index)
        if !assignments.values.isEmpty {
          try transaction.set(assignments.values, of: query.entity, id)
        }
        try PortraitStorage.set(picture, of: query.entity, id, in: &transaction)
      }
      return ids
    }
    var text = "changed \(ids.count) of \(query.entity)"
    // What is changed may be the name.
    if context.arguments.has("--dry-run"), !ids.isEmpty {
      text += ": " + (try context.names(of: ids, query.entity, in: database))
    }
    context.note(context.outcome(text))
  }

  static let delete = Command(
    name: "delete", operands: "[OPTIONS] --where QUERY|QUERY…",
    summary: "Delete the records that a query chooses, all in one transaction.",
    details: [
      "Says how many and which these are, and asks; where there is no terminal to ask at, --yes must "
        + "be given."
    ],
    options: CommandContext.selection + [CommandContext.yes],
    examples: [
      Example("dexdb delete --where 'from:adv is:fallen'", "the fallen"),
      Example("dexdb delete --yes --where 'from:adv name=bo'", "without being asked"),
    ]
  ) { context in
    let operands = context.query
    if context.arguments.has("--where") { try context.checkOperandCount(0...0) }
    let database = try context.openForWriting()
    let query = try context.selectedRecords(
      try QueryReading(database), in: database, or: operands.isEmpty ? nil : operands)
    let found = try database.snapshot().findIDs(query)
    if found.isEmpty {
      context.note("nothing to delete")
      return
    }
    let names = try context.names(of: found, query.entity, in: database)
    let all = context.arguments.has("--all") ? ["--all"] : []
    try context.confirm(
      "delete \(found.count) of \(query.entity) (\(names))?",
      unasked: all + ["--where", context.arguments["--where"] ?? operands])
    let count = try context.change(database) { transaction in
      let ids = try transaction.findIDs(query)
      // Others may have written while the user thought about it.
      if Set(ids) != Set(found) {
        throw CommandFailure(
          "other records than those asked about would be deleted, so none was",
          help: ["another program changed \(query.entity) meanwhile: try again"])
      }
      var progress = Progress("delete", unit: "records", total: ids.count)
      defer { progress.finish() }
      for (index, id) in ids.enumerated() {
        try context.checkInterruption()
        progress.note(index)
        try PortraitStorage.clear(query.entity, id, in: &transaction)
        try transaction.delete(query.entity, id)
      }
      return ids.count
    }
    let did = context.arguments.has("--dry-run") ? "would delete" : "deleted"
    context.note(context.outcome("\(did) \(count) of \(query.entity): \(names)"))
  }
}
