import Entities
import Terminal

/// So many records are read at a time.
private let rowsPerRead = 512

extension Command {
  static let exporting = Command(
    name: "export", operands: "[OPTIONS] [QUERY…]",
    summary: "Write records with all that is stored of them, so that import reads them again.",
    options: [
      OptionDefinition(
        "--format", value: "F", choices: ["tsv", "csv", "json", "jsonl"],
        "tsv, csv, json or jsonl; else by the file's name, or tsv"),
      OptionDefinition(
        "--output", short: "-o", value: "FILE",
        "a file instead of standard output; an old one is replaced"),
      OptionDefinition("--no-header", "leave out the names of the fields"),
    ],
    examples: [
      Example("dexdb export from:adventurers > adventurers.tsv", "the whole roster"),
      Example("dexdb export --format jsonl -o fire.jsonl t:fire", "some Pokémon as JSON Lines"),
    ]
  ) { context in
    let path = context.arguments["--output"]
    if let path {
      try context.checkOtherFile(path)
      context.catchSignals()
    }
    let database = try context.openForReading()
    var query = try QueryReading(database).query(context.query)
    if !query.groups.isEmpty {
      throw CommandFailure.usage("groups cannot be exported", "use find with group:")
    }
    let snapshot = try context.snapshot(of: database)
    if query.columns.isEmpty {
      let schema = try snapshot.schema(of: query.entity)
      let hasKey = RecordKeys.field(of: query.entity) != nil
      query.columns =
        (hasKey ? [] : [.field(FieldPath("id"))])
        + schema.fields.map { .field(FieldPath($0.name)) }
    }
    // The records are read while they are written, so that few are in memory at a time.
    let ids = try snapshot.findIDs(query)
    let columns = try snapshot.find(query, ids: []).columns
    let format =
      context.arguments["--format"].flatMap { OutputFormat(rawValue: $0) }
      ?? (path ?? context.session?.outputFile?.path).flatMap { OutputFormat(ofFile: $0) } ?? .tsv
    var writer = RowWriter(
      format,
      columns: columns.map {
        OutputColumn($0.title, isNumeric: ValueText.isNumeric($0.kind))
      },
      hasHeader: !context.arguments.has("--no-header"),
      isTerminal: context.outputIsTerminal && path == nil)
    let kinds = columns.map(\.kind)
    let file = try path.map { try OutputFile($0) }
    do {
      var text = writer.head()
      for start in stride(from: 0, to: ids.count, by: rowsPerRead) {
        let part = Array(ids[start..<min(start + rowsPerRead, ids.count)])
        for row in try snapshot.find(query, ids: part).rows {
          text += writer.row(zip(row.values, kinds).map { ValueText.output($0, $1) })
        }
        try context.checkInterruption()
        try file?.write(text) ?? context.output.write(text)
        text = ""
      }
      text += writer.tail()
      try file?.write(text) ?? context.output.write(text)
      try file?.close()
    } catch {
      file?.abandon()
      throw error
    }
    if let path { context.note("wrote \(ids.count) of \(query.entity) to \(path)") }
  }
}
