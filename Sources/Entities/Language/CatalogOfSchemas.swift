extension FieldCatalog {
  /// A catalog of the entities with these schemas.
  ///
  /// - Parameters:
  ///   - schemas: As a file holds them.
  ///   - derived: The fields that the program can compute, by the name of the entity.
  ///   - defaultEntity: The one that a query without `from:` asks; where it is not among them, such a
  ///     query is refused.
  ///   - languages: Those of translated names.
  ///   - misleadingNames: Names in the data that look like a field and its value.
  public init(
    schemas: [Schema], derived: (String) -> [DerivedField], defaultEntity: String,
    languages: [String] = [], misleadingNames: [String] = []
  ) {
    let entities = schemas.map { CatalogEntity($0, derived: derived($0.name)) }
    self.init(entities: entities, languages: languages, misleadingNames: misleadingNames)
    self.defaultEntity = entities.contains { $0.name == defaultEntity } ? defaultEntity : nil
  }
}

extension CatalogEntity {
  /// The entity of a schema; the number of a record is its field `id`.
  init(_ schema: Schema, derived: [DerivedField]) {
    var fields = schema.fields.map { CatalogField($0) } + derived.map { CatalogField($0) }
    if !fields.contains(where: { $0.name == "id" }) {
      fields.append(CatalogField("id", .number))
    }
    self.init(name: schema.name, fields: fields)
  }
}

extension CatalogField {
  /// A derived field; its texts are compared as a whole.
  init(_ field: DerivedField) {
    let kind: Kind =
      switch field.kind {
      case .flag: .flag
      case .integer, .decimal, .real, .reference: .number
      case .date: .date
      case .text, .translations: .whole
      case .vocabulary(let names): .name(names)
      case .names(let names): .names(names)
      case .bytes: .opaque
      }
    self.init(field.name, kind, aliases: field.aliases, argumentNames: field.arguments ?? [])
  }
}
