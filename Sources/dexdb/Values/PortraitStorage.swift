import Entities
import Terminal

/// The pictures that records refer to.
///
/// A picture with a name belongs to the gallery and stays; one without belongs to a single record
/// and goes with it.
enum PortraitStorage {
  /// The picture that somebody has named.
  enum Choice {
    case stored(EntityID)
    case read(Portrait)
  }

  /// The picture of the gallery's name, or in the PNG file, that `source` is.
  ///
  /// A file may be a pipe that somebody has yet to write to, so it is read before a transaction
  /// begins, and nobody else has to wait for it.
  static func choice(
    _ source: String?, in database: Database, _ context: CommandContext
  ) throws -> Choice? {
    guard let source else { return nil }
    if let picture = try named(source, in: try database.snapshot()) { return .stored(picture) }
    return .read(try file(source, context))
  }

  /// Gives a record the picture.
  static func set(
    _ choice: Choice?, of entity: String, _ id: EntityID,
    in transaction: inout DatabaseTransaction
  ) throws {
    switch choice {
    case .stored(let picture)?: try set(picture, of: entity, id, in: &transaction)
    case .read(let portrait)?:
      try set(try insert(portrait, in: &transaction), of: entity, id, in: &transaction)
    case nil: break
    }
  }

  static func set(
    _ picture: EntityID, of entity: String, _ id: EntityID,
    in transaction: inout DatabaseTransaction
  ) throws {
    try checkHasPortraits(entity, in: transaction)
    try clear(entity, id, in: &transaction)
    try transaction.set(
      ["portrait": .integer(Int64(picture.rawValue))], of: entity, id)
  }

  /// Takes the picture of a record away; false where it has none.
  @discardableResult
  static func clear(
    _ entity: String, _ id: EntityID, in transaction: inout DatabaseTransaction
  ) throws -> Bool {
    guard try transaction.schema(of: entity).field(named: "portrait") != nil,
      let old = try reference(entity, id, in: transaction)
    else { return false }
    try transaction.set(["portrait": nil], of: entity, id)
    if try transaction.get(StoredPortrait.self, old)?.name == nil {
      try transaction.delete(StoredPortrait.self, old)
    }
    return true
  }

  /// The number of the picture that a record refers to.
  static func reference(
    _ entity: String, _ id: EntityID, in source: borrowing some DatabaseReading & ~Copyable
  ) throws -> EntityID? {
    guard case .integer(let number)? = try source.value(FieldPath("portrait"), of: entity, id)
    else { return nil }
    return UInt64(exactly: number).map { EntityID($0) }
  }

  private static func checkHasPortraits(
    _ entity: String, in transaction: borrowing DatabaseTransaction
  ) throws {
    if case .reference("portraits", _)? = try transaction.schema(of: entity)
      .field(named: "portrait")?.kind
    {
      return
    }
    throw CommandFailure("\(entity) have no portraits", help: ["pokemon and adventurers have"])
  }

  /// The picture of the gallery that has the name.
  static func named(
    _ name: String, in source: borrowing some DatabaseReading & ~Copyable
  ) throws -> EntityID? {
    if name.isEmpty || name.contains("/") { return nil }
    let found = try source.find(
      StoredPortrait.self, where: .text(FieldPath("name"), name), limit: 2)
    return found.first { $0.value.name?.lowercased() == name.lowercased() }?.id
  }

  /// The picture in a PNG file.
  static func file(_ path: String, _ context: CommandContext) throws -> Portrait {
    try context.checkOtherFile(path)
    do {
      let bytes = try SystemCalls.bytes(of: path, maximum: Portrait.maximumByteCount)
      return try PNGCoding.decode(untrusted: bytes)
    } catch let error as PortraitError {
      throw CommandFailure("\(path): \(PortraitProse.text(of: error))")
    } catch let failure as FileFailure {
      throw CommandFailure(
        "\(path): \(failure.reason)",
        help: ["a PNG file, or a name that '\(Program.name) portrait gallery' lists"])
    }
  }

  static func insert(
    _ picture: Portrait, in transaction: inout DatabaseTransaction
  ) throws -> EntityID {
    try transaction.insert(
      StoredPortrait(
        width: picture.width, height: picture.height,
        pixels: try PortraitCoding.encode(picture)))
  }

  /// The picture of a record that somebody stored, or nil.
  static func stored(
    _ entity: String, _ id: EntityID, in source: borrowing some DatabaseReading & ~Copyable
  ) throws -> Portrait? {
    guard let number = try reference(entity, id, in: source),
      let stored = try source.get(StoredPortrait.self, number)
    else { return nil }
    return try PortraitCoding.decode(untrusted: stored.pixels)
  }

  /// Gives an adventurer a picture of the gallery that suits the profession.
  static func setSuitable(
    profession: String, number: EntityID, in transaction: inout DatabaseTransaction
  ) throws {
    let suiting = PortraitGallery.names(ofProfession: profession)
    var choices: [EntityID] = []
    for name in suiting.isEmpty ? PortraitGallery.names : suiting {
      if let picture = try named(name, in: transaction) { choices.append(picture) }
    }
    if choices.isEmpty { return }
    try set(
      choices[Int(number.rawValue % UInt64(choices.count))], of: Adventurer.schema.name, number,
      in: &transaction)
  }
}
