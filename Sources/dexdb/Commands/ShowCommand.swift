import Entities
import Terminal

extension Command {
  static let pictureOption = OptionDefinition(
    "--portrait", value: "HOW", choices: PictureStyle.Choice.allCases.map(\.rawValue),
    PictureStyle.Choice.allCases.map(\.rawValue).joined(separator: ", "))

  static let show = Command(
    name: "show", operands: "[OPTIONS] NAME|ID",
    summary: "Show one Pokémon, form or adventurer with its portrait and all that is known.",
    details: [
      "Looks in Pokémon, forms and adventurers, in this order, for the whole name in any language, "
        + "the slug or the number, and then for a name that begins so. Match-ups follow the newest "
        + "chart and ignore abilities. On a terminal there is a page to look at, elsewhere a row "
        + "for each field; --format gives one record in that format."
    ],
    options: RowOutput.options + [
      OptionDefinition("--from", value: "ENTITY", "look in this entity alone"), pictureOption,
    ],
    examples: [
      Example("dexdb show pikachu", "by name"), Example("dexdb show 6", "by number"),
      Example("dexdb show ピカチュウ", "by a name in another language"),
      Example("dexdb show --from adv 1", "an adventurer"),
      Example("dexdb show --json charizard-mega-x", "a form, for another program"),
    ]
  ) { context in
    if context.arguments.operands.isEmpty {
      throw CommandFailure.usage("nobody to show", "such as \(Program.name) show pikachu")
    }
    let database = try context.openForReading()
    let entity = try context.arguments["--from"].map {
      try context.schema(startingWith: $0, in: database).name
    }
    let snapshot = try context.snapshot(of: database)
    let reading = try QueryReading(database)
    let found = try RecordLookup(snapshot: snapshot, reading: reading)
      .find(context.query, in: entity)
    let page = RecordPage(
      context: context, database: database, snapshot: snapshot, reading: reading, found: found)
    try page.write()
    if !found.others.isEmpty {
      context.afterwards =
        "there is also " + found.others.joined(separator: ", ")
        + ": \(Program.name) show --from adv …"
    }
  }
}

/// The page that shows one record.
struct RecordPage {
  let context: CommandContext
  let database: Database
  let snapshot: DatabaseSnapshot
  let reading: QueryReading
  let found: RecordLookup.Found

  func write() throws {
    let wantsPage =
      context.arguments["--format"] == nil && !context.arguments.has("--json")
      && !context.arguments.has("--csv")
    let wantsPicture = context.arguments["--portrait"].map { $0 != "none" && $0 != "auto" } ?? false
    if wantsPage && (context.outputIsTerminal || wantsPicture) {
      try writePage()
    } else {
      try writeRecord(asFields: wantsPage)
    }
  }

  // For machines

  private func writeRecord(asFields: Bool) throws {
    var query = Query(entity: found.entity, filter: .id(found.id.rawValue))
    let schema = try snapshot.schema(of: found.entity)
    let stored = schema.fields.filter { $0.kind != .bytes }.map { FieldPath($0.name) }
    let derived = database.derivedFields(of: found.entity).flatMap { field -> [FieldPath] in
      field.arguments.map { $0.map { FieldPath(field.name, $0) } } ?? [FieldPath(field.name)]
    }
    let hasKey = RecordKeys.field(of: found.entity) != nil
    query.columns = ((hasKey ? [] : [FieldPath("id")]) + stored + derived).map { .field($0) }
    let result = try snapshot.find(query)
    let output = try RowOutput(context)
    guard asFields, let row = result.rows.first else {
      output.write(result) { $0.title }
      return
    }
    let rows = zip(result.columns, row.values).map { column, value -> [OutputValue] in
      let output = ValueText.output(value, column.kind)
      return [.text(column.title), output]
    }
    output.write(
      [OutputColumn("field"), OutputColumn("value")],
      [[.text("entity"), .text(found.entity)]] + rows)
  }

  // For people

  private func writePage() throws {
    let text: [String]
    switch found.entity {
    case "pokemon", "forms":
      text = try PokemonPage(
        snapshot: snapshot, styling: context.styling, entity: found.entity, id: found.id,
        room: room
      ).lines()
    case "adventurers":
      text = try AdventurerPage(snapshot: snapshot, styling: context.styling, id: found.id).lines()
    default: text = try fieldLines()
    }
    try writeBeside(try portrait(), text)
  }

  /// The columns that text has beside a picture.
  private var room: Int { max(40, (context.terminalSize?.columns ?? 100) - 40) }

  private func fieldLines() throws -> [String] {
    let schema = try snapshot.schema(of: found.entity)
    let width = schema.fields.map { DisplayWidth.of($0.name) }.max() ?? 0
    return try [context.styling.bold("\(found.entity) \(found.id)")]
      + schema.fields.map { field in
        let value = try snapshot.value(FieldPath(field.name), of: found.entity, found.id)
        let shown = ValueText.shown(value, field.kind).shown
        return DisplayWidth.padded(field.name, to: width) + "  " + TerminalText.escaped(shown)
      }
  }

  private func portrait() throws -> Portrait? {
    if let stored = try PortraitStorage.stored(found.entity, found.id, in: snapshot) {
      return stored
    }
    guard found.entity == "pokemon" || found.entity == "forms" else { return nil }
    return try GeneratedPortrait.draw(found.entity, found.id, in: snapshot)
  }

  /// The picture at the left and the text at its right, or below where there is no room.
  private func writeBeside(_ portrait: Portrait?, _ text: [String]) throws {
    let choice =
      context.arguments["--portrait"].flatMap { PictureStyle.Choice(rawValue: $0) } ?? .auto
    var style = PictureStyle(
      choice, isTerminal: context.outputIsTerminal, environment: SystemCalls.environment)
    let isPlain = !context.styling.isColored || context.styling.isASCII
    if choice == .auto, isPlain, style != .none { style = .ascii }
    guard let portrait, style != .none else {
      for line in text { context.output.write(line + "\n") }
      return
    }
    let columns = min(36, context.terminalSize?.columns ?? 80)
    let picture = try PicturePrinter(
      style: style, columns: columns, rows: 24, library: .installed
    ).lines(of: portrait)
    let textWidth = text.map(Self.visibleWidth).max() ?? 0
    let isBeside = picture.columns + 2 + min(textWidth, 44) <= context.terminalSize?.columns ?? 100
    if !isBeside {
      for line in picture.lines { context.output.write(bytes: line + [10]) }
      for line in text { context.output.write(line + "\n") }
      return
    }
    let offset = max(0, (picture.lines.count - text.count) / 2)
    for index in 0..<max(picture.lines.count, text.count + offset) {
      let isPictured = index < picture.lines.count
      context.output.write(
        bytes: isPictured
          ? picture.lines[index] : Array(repeating: 32, count: picture.columns))
      let line = index >= offset && index - offset < text.count ? text[index - offset] : ""
      context.output.write(line.isEmpty ? "\n" : "  \(line)\n")
    }
  }

  /// The columns of a line of which some is coloured.
  private static func visibleWidth(_ line: String) -> Int {
    var width = 0
    var isCode = false
    for character in line {
      if character == "\u{1B}" { isCode = true }
      if !isCode { width += DisplayWidth.of(character) }
      if character == "m" { isCode = false }
    }
    return width
  }
}

/// The pictures that are drawn for Pokémon that have none of their own.
enum GeneratedPortrait {
  static func draw(
    _ entity: String, _ id: EntityID, in snapshot: DatabaseSnapshot
  ) throws -> Portrait? {
    if entity == "forms" {
      guard let form = try snapshot.get(Form.self, id),
        let species = try snapshot.get(Pokemon.self, form.species)
      else { return nil }
      return PokemonPortrait.draw(
        PokemonLikeness(
          number: species.number, slug: form.slug, types: form.types.map(\.name),
          shape: species.shape.name, color: species.color.name, height: form.height))
    }
    guard let species = try snapshot.get(Pokemon.self, id) else { return nil }
    var stage = 1
    if case .integer(let number)? = try snapshot.value(FieldPath("stage"), of: "pokemon", id) {
      stage = Int(number)
    }
    return PokemonPortrait.draw(
      PokemonLikeness(
        number: species.number, slug: species.slug, types: species.types.map(\.name),
        shape: species.shape.name, color: species.color.name, height: species.height,
        stage: stage))
  }
}
