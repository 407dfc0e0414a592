import Entities

/// A catalog written out by hand, with the entities that the language's page speaks of.
enum QueryTestCatalog {
  static let types = [
    "normal", "fighting", "flying", "poison", "ground", "rock", "bug", "ghost", "steel", "fire",
    "water", "grass", "electric", "psychic", "ice", "dragon", "dark", "fairy",
  ]

  static let pokemon = CatalogEntity(
    name: "pokemon",
    fields: [
      CatalogField("number", .number), CatalogField("name", .text),
      CatalogField("types", .names(types)), CatalogField("generation", .category(1...9)),
      CatalogField("hp", .number), CatalogField("attack", .number),
      CatalogField("defense", .number), CatalogField("special_attack", .number),
      CatalogField("special_defense", .number), CatalogField("speed", .number),
      CatalogField("bst", .number, aliases: ["total"]), CatalogField("height", .number),
      CatalogField("weight", .number), CatalogField("stage", .number),
      CatalogField("family", .whole), CatalogField("abilities", .names(nil)),
      CatalogField("egg_groups", .names(["monster", "dragon", "water1", "no-eggs"])),
      CatalogField("color", .name(["red", "blue", "green"])),
      CatalogField("habitat", .name(["cave", "forest", "waters-edge"])),
      CatalogField("weak", .names(types)), CatalogField("resists", .names(types)),
      CatalogField("immune", .names(types)),
      CatalogField("takes", .number, argumentNames: types),
      CatalogField("is_baby", .flag), CatalogField("sprite", .opaque),
    ]
      + ["legendary", "mythical", "final", "mono", "dual"].map { CatalogField("is:" + $0, .flag) }
      + ["portrait", "evolution"].map { CatalogField("has:" + $0, .flag) })

  static let adventurers = CatalogEntity(
    name: "adventurers",
    fields: [
      CatalogField("id", .number), CatalogField("name", .text),
      CatalogField("profession", .text), CatalogField("level", .number),
      CatalogField("experience", .number), CatalogField("hp", .number),
      CatalogField("maxhp", .number), CatalogField("atk", .number),
      CatalogField("created", .date),
    ] + ["alive", "fallen", "hurt"].map { CatalogField("is:" + $0, .flag) })

  static let forms = CatalogEntity(
    name: "forms",
    fields: [
      CatalogField("form_id", .number, aliases: ["id"]), CatalogField("number", .number),
      CatalogField("name", .text), CatalogField("types", .names(types)),
    ])

  static let catalog = FieldCatalog(
    entities: [pokemon, adventurers, forms], languages: ["en", "ja", "ja-Latn"],
    misleadingNames: ["Type: Null"])
}

func parse(_ line: String) throws(QueryError) -> Query {
  try QueryParser.query(line, in: QueryTestCatalog.catalog)
}

/// The complaint about `line`, or nil where it is a query.
func complaint(_ line: String) -> QueryError? {
  do throws(QueryError) {
    _ = try parse(line)
    return nil
  } catch {
    return error
  }
}
