import Entities
import PageStore
import Terminal

extension Command {
  static let portrait = Command(
    name: "portrait", operands: "set|get|clear|import|gallery …",
    summary: "Store, read and list portraits.",
    details: [
      "portrait set ID FILE|GALLERY-NAME   give somebody a portrait, from a PNG file or the gallery\n"
        + "portrait get ID                     write it as PNG; a drawn one where none is stored\n"
        + "portrait clear ID                   take it away\n"
        + "portrait import DIR                 PNG files named by number or slug, for Pokémon\n"
        + "portrait gallery [NAME]             list the gallery, or show one of it",
      "ID is a name, a slug or a number, as in show. PNG files have at most 4096 × 4096 pixels and "
        + "16 MiB.",
    ],
    options: RowOutput.options + [
      OptionDefinition("--from", value: "ENTITY", "look for ID in this entity alone"),
      pictureOption,
      CommandContext.dryRun,
    ],
    examples: [
      Example("dexdb portrait --from adv set ana ana.png", "an adventurer's, from a file"),
      Example("dexdb portrait get pikachu > pikachu.png", "as a file"),
      Example("dexdb portrait import my-sprites/", "many at once"),
      Example("dexdb portrait gallery", "what there is to choose from"),
    ]
  ) { context in
    let commands = PortraitCommands(context: context)
    let operands = context.arguments.operands
    switch operands.first {
    case "set" where operands.count == 3: try commands.set(operands[1], to: operands[2])
    case "get" where operands.count == 2: try commands.get(operands[1])
    case "clear" where operands.count == 2: try commands.clear(operands[1])
    case "import" where operands.count == 2: try commands.importFolder(operands[1])
    case "gallery" where operands.count <= 2: try commands.gallery(operands.dropFirst().first)
    default:
      let verbs = ["set", "get", "clear", "import", "gallery"]
      let near = operands.first.flatMap { verb in
        verbs.contains(verb) ? nil : NearestName.of(verb, among: verbs)
      }
      throw CommandFailure.usage(
        operands.first.map { "'portrait \($0)' is not written so" } ?? "portrait what?",
        help: (near.map { ["did you mean 'portrait \($0)'?"] } ?? [])
          + ["\(Program.name) portrait --help shows how"])
    }
  }
}

/// What can be done with portraits.
private struct PortraitCommands {
  let context: CommandContext

  private func lookUp(
    _ name: String, _ database: Database
  ) throws -> (DatabaseSnapshot, RecordLookup.Found) {
    let entity = try context.arguments["--from"].map {
      try context.schema(startingWith: $0, in: database).name
    }
    let snapshot = try database.snapshot()
    let lookup = RecordLookup(snapshot: snapshot, reading: try QueryReading(database))
    return (snapshot, try lookup.find(name, in: entity))
  }

  func set(_ name: String, to source: String) throws {
    let database = try context.openForWriting()
    let (_, found) = try lookUp(name, database)
    let choice = try PortraitStorage.choice(source, in: database, context)
    try context.change(database) { transaction in
      try PortraitStorage.set(choice, of: found.entity, found.id, in: &transaction)
    }
    context.note(context.outcome("\(found.entity) \(found.id) has a new portrait"))
  }

  func get(_ name: String) throws {
    if context.outputIsTerminal {
      throw CommandFailure.usage(
        "a PNG file is nothing for a terminal", "write > FILE behind it, or use show")
    }
    let (snapshot, found) = try lookUp(name, try context.openForReading())
    let portrait =
      try PortraitStorage.stored(found.entity, found.id, in: snapshot)
      ?? GeneratedPortrait.draw(found.entity, found.id, in: snapshot)
    guard let portrait else {
      throw CommandFailure("\(found.entity) \(found.id) has no portrait")
    }
    context.output.write(bytes: try PNGCoding.encode(portrait))
  }

  func clear(_ name: String) throws {
    let database = try context.openForWriting()
    let (_, found) = try lookUp(name, database)
    let wasThere = try context.change(database) { transaction in
      try PortraitStorage.clear(found.entity, found.id, in: &transaction)
    }
    guard wasThere else {
      throw CommandFailure("\(found.entity) \(found.id) has no stored portrait")
    }
    context.note(context.outcome("\(found.entity) \(found.id) has no stored portrait any more"))
  }

  /// Stores every PNG file of a folder that is named by a number or a slug, in one transaction.
  func importFolder(_ path: String) throws {
    try context.checkOtherFile(path)
    let names = try SystemCalls.names(in: path).filter {
      $0.lowercased().hasSuffix(".png") && SystemCalls.isRegularFile("\(path)/\($0)")
    }
    if names.isEmpty { throw CommandFailure("no PNG files in \(path)") }
    let database = try context.openForWriting()
    var strangers: [String] = []
    let count = try context.change(database) { transaction in
      var count = 0
      for name in names {
        try context.checkInterruption()
        guard let id = try species(String(name.dropLast(4)), in: transaction) else {
          strangers.append(name)
          continue
        }
        let portrait = try PortraitStorage.file("\(path)/\(name)", context)
        try PortraitStorage.set(
          try PortraitStorage.insert(portrait, in: &transaction), of: Pokemon.schema.name, id,
          in: &transaction)
        count += 1
      }
      return count
    }
    context.note(context.outcome("stored \(count.counted("portrait"))"))
    if !strangers.isEmpty {
      context.note(
        "left out \(strangers.count) named for nobody: "
          + strangers.prefix(8).joined(separator: ", "))
    }
    if count == 0 { throw CommandFailure("no file is named by the number or slug of a Pokémon") }
  }

  private func species(
    _ stem: String, in transaction: borrowing DatabaseTransaction
  ) throws -> EntityID? {
    if stem.utf8.allSatisfy({ (48...57).contains($0) }), let number = UInt64(stem) {
      let isThere = try transaction.contains(Pokemon.schema.name, EntityID(number))
      return isThere ? EntityID(number) : nil
    }
    let found = try transaction.find(
      Pokemon.self, where: .text(FieldPath("slug"), stem.lowercased()), limit: 1)
    return found.first?.id
  }

  func gallery(_ name: String?) throws {
    let database = try context.openForReading()
    let snapshot = try database.snapshot()
    guard let name else {
      var rows: [[OutputValue]] = []
      for picture in try snapshot.find(
        StoredPortrait.self, where: .present(FieldPath("name")))
      {
        let name = picture.value.name ?? ""
        rows.append([
          .text(name),
          PortraitGallery.profession(ofPortraitNamed: name).map { .text($0) } ?? .absent,
          .number("\(picture.value.width)"), .number("\(picture.value.height)"),
        ])
      }
      try RowOutput(context).write(
        [
          OutputColumn("name"), OutputColumn("profession"),
          OutputColumn("width", isNumeric: true), OutputColumn("height", isNumeric: true),
        ], rows)
      return
    }
    guard let id = try PortraitStorage.named(name, in: snapshot),
      let stored = try snapshot.get(StoredPortrait.self, id)
    else {
      throw CommandFailure(
        "no portrait '\(name)' in the gallery",
        help: [
          NearestName.of(name, among: PortraitGallery.names).map { "did you mean '\($0)'?" }
            ?? "\(Program.name) portrait gallery lists it"
        ])
    }
    let portrait = try PortraitCoding.decode(untrusted: stored.pixels)
    let choice =
      context.arguments["--portrait"].flatMap { PictureStyle.Choice(rawValue: $0) } ?? .auto
    var style = PictureStyle(
      choice, isTerminal: context.outputIsTerminal, environment: SystemCalls.environment)
    if style == .none, !context.outputIsTerminal, choice == .auto {
      context.output.write(bytes: try PNGCoding.encode(portrait))
      return
    }
    let isPlain = !context.styling.isColored || context.styling.isASCII
    if choice == .auto, isPlain, style != .none { style = .ascii }
    let columns = min(48, context.terminalSize?.columns ?? 80)
    context.output.write(
      bytes: try PicturePrinter(style: style, columns: columns, library: .installed)
        .bytes(of: portrait))
  }
}
