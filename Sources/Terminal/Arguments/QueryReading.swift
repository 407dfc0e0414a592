package import Entities
internal import PageStore

/// Reads queries against what a database holds.
package struct QueryReading {
  package private(set) var catalog: FieldCatalog
  /// What the query that was read last calls its columns.
  private let names = Guarded<[Column: String]>([:])

  /// The languages of the names in the bundled Pokédex.
  package static let languages = [
    "de", "en", "es", "es-419", "fr", "it", "ja", "ja-Hrkt", "ja-Latn", "ko", "zh-Hans", "zh-Hant",
  ]

  /// Reads queries about `entity` where they name none.
  package init(_ database: Database, about entity: String = "pokemon") throws {
    catalog = FieldCatalog(
      schemas: try database.schemas(), derived: database.derivedFields, defaultEntity: entity,
      languages: Self.languages, misleadingNames: ["Type: Null"])
    let abilities = Guarded(KnownAbilities())
    catalog.namesInstead = { entity, field, value in
      do {
        return try Self.namesInstead(of: value, in: field, of: entity, database, abilities)
      } catch {
        // A damaged file is told of by the query itself.
        return nil
      }
    }
  }

  /// What could be meant by an ability that nobody has, or the family of nobody.
  private static func namesInstead(
    of value: String, in field: String, of entity: String, _ database: Database,
    _ abilities: Guarded<KnownAbilities>
  ) throws -> [String]? {
    switch field {
    case "abilities": return try abilitiesInstead(of: value, database, abilities)
    case "family" where entity == Pokemon.schema.name:
      return try familiesInstead(of: value, database)
    default: return nil
    }
  }

  /// The abilities of all records as of one commit, which are wanted at each key of a line.
  private struct KnownAbilities {
    var transaction: TransactionNumber?
    var names: [String] = []
  }

  /// How many different abilities are looked through for one that was meant.
  private static let mostAbilities = 20_000

  private static func abilitiesInstead(
    of value: String, _ database: Database, _ known: Guarded<KnownAbilities>
  ) throws -> [String]? {
    let snapshot = try database.snapshot()
    let entities = try snapshot.entityNames()
    let holders = ["pokemon", "forms"].filter { entities.contains($0) }
    for entity in holders where try snapshot.count(entity, where: .has("abilities", [value])) > 0 {
      return nil
    }
    let names = try known.withLock { known throws in
      if known.transaction == snapshot.transaction { return known.names }
      var names: Set<String> = []
      for entity in holders {
        names.formUnion(
          try snapshot.values(of: "abilities", in: entity, limit: mostAbilities) ?? [])
      }
      known = KnownAbilities(transaction: snapshot.transaction, names: names.sorted())
      return known.names
    }
    return names.isEmpty ? nil : names
  }

  private static func familiesInstead(
    of value: String, _ database: Database
  ) throws -> [String]? {
    let snapshot = try database.snapshot()
    do throws(DatabaseError) {
      _ = try snapshot.count(Pokemon.schema.name, where: .text("family", value))
      return nil
    } catch {
      guard case .invalidQuery = error else { throw error }
    }
    var names: [String] = []
    try snapshot.forEach(Pokemon.self) { _, species throws(DatabaseError) in
      names.append(species.slug)
      return true
    }
    return names
  }

  package func query(_ text: String) throws -> Query {
    let query = try QueryParser.query(text, in: catalog)
    let columns = query.columns.isEmpty ? query.groups.map { .field($0) } : query.columns
    let written = zip(columns, QueryParser.columnNames(text))
    names.withLock { $0 = Dictionary(written.map { ($0, $1) }) { first, _ in first } }
    return query
  }

  /// True where `text`, which can be read, says itself which entity it asks.
  package func namesEntity(_ text: String) -> Bool {
    var strict = catalog
    strict.defaultEntity = nil
    do {
      _ = try QueryParser.query(text, in: strict)
      return true
    } catch {
      return false
    }
  }

  /// The entities of which `text`, which names none, can be asked.
  package func entities(fitting text: String) -> [String] {
    var catalog = catalog
    return catalog.entities.map(\.name).filter { name in
      catalog.defaultEntity = name
      do {
        _ = try QueryParser.query(text, in: catalog)
        return true
      } catch {
        return false
      }
    }
  }

  /// The columns that are shown of an entity where the query names none.
  package func usualColumns(of entity: String, isWide: Bool) -> [Column] {
    guard let known = catalog.entities.first(where: { $0.name == entity }) else { return [] }
    var columns: [Column] = []
    if !isWide, let names = Self.usualNames[entity] {
      columns = names.compactMap { name in
        known.field(named: name).map { Column.field(FieldPath($0.name)) }
      }
    }
    if !columns.isEmpty { return columns }
    let stored = known.fields.filter { field in
      field.kind != .opaque && field.argumentNames.isEmpty && !field.name.contains(":")
        && field.name != "id"
    }
    let isNumbered = ["pokemon", "forms", "moves"].contains(entity)
    return (isNumbered ? [] : [.field(FieldPath("id"))])
      + stored.map { Column.field(FieldPath($0.name)) }
  }

  private static let usualNames = [
    "pokemon": [
      "number", "name", "types", "hp", "attack", "defense", "special_attack", "special_defense",
      "speed", "bst",
    ],
    "forms": [
      "form_id", "name", "types", "hp", "attack", "defense", "special_attack", "special_defense",
      "speed", "bst",
    ],
    "moves": ["id", "name", "type", "category", "power", "accuracy", "pp", "priority"],
    "adventurers": [
      "id", "name", "profession", "level", "experience", "current_hit_points", "total_hit_points",
      "multiplier", "defense", "evasion", "speed", "wins", "losses",
    ],
    "portraits": ["id", "name", "width", "height"],
  ]

  /// What a column is called on a screen: as the query says, or else by a short name to save room.
  package func title(_ column: ResultColumn, of entity: String) -> String {
    if let name = names.withLock({ $0[column.column] }) {
      return column.unit.map { "\(name) \($0)" } ?? name
    }
    guard case .field(let path) = column.column, path.argument == nil, path.name != "id",
      let known = catalog.entities.first(where: { $0.name == entity }),
      let field = known.field(named: path.name)
    else { return column.title }
    let short = ["current_hit_points": "hp", "total_hit_points": "maxhp", "multiplier": "atk"]
    let name = short[path.name] ?? (path.name == "number" ? "no" : field.displayName)
    return column.unit.map { "\(name) \($0)" } ?? name
  }
}
