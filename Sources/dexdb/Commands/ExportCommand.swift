import Entities
import Terminal

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
    let result = try snapshot.find(query)
    let format =
      context.arguments["--format"].flatMap { OutputFormat(rawValue: $0) }
      ?? (path ?? context.session?.outputFile?.path).flatMap { OutputFormat(ofFile: $0) } ?? .tsv
    var writer = RowWriter(
      format,
      columns: result.columns.map {
        OutputColumn($0.title, isNumeric: ValueText.isNumeric($0.kind))
      },
      hasHeader: !context.arguments.has("--no-header"),
      isTerminal: context.outputIsTerminal && path == nil)
    let kinds = result.columns.map(\.kind)
    let file = try path.map { try OutputFile($0) }
    do {
      var text = writer.head()
      for row in result.rows {
        text += writer.row(zip(row.values, kinds).map { ValueText.output($0, $1) })
        if text.utf8.count <= 1 << 16 { continue }
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
    if let path { context.note("wrote \(result.rows.count) of \(query.entity) to \(path)") }
  }
}
