/// The entities of a database as of one change of its schemas, matched with the program's types.
final class SchemaSet: Sendable {
  let generation: UInt64
  let stored: [String: StoredSchema]
  private let layouts: [String: EntityLayout]
  private let typed: [ObjectIdentifier: EntityLayout]
  private let changed: Set<String>
  /// For each entity, who refers to it.
  let referrers: [String: [Referrer]]

  /// A field of an entity that refers to another entity.
  struct Referrer: Sendable {
    let layout: EntityLayout
    let field: FieldDefinition
    let rule: DeleteRule
  }

  init(_ catalog: StoredCatalog, program: [ProgramEntity]) {
    generation = catalog.generation
    stored = catalog.schemas
    var layouts: [String: EntityLayout] = [:]
    var typed: [ObjectIdentifier: EntityLayout] = [:]
    var changed = Set<String>()
    for (name, schema) in catalog.schemas {
      guard let entity = program.first(where: { $0.schema.name == name }) else {
        layouts[name] = EntityLayout(schema)
        continue
      }
      if SchemaDifference(stored: schema.schema, program: entity.schema).steps.isEmpty {
        let layout = EntityLayout(schema, derived: entity.derived)
        layouts[name] = layout
        typed[entity.type] = layout
      } else {
        // What the program computes reads fields by the numbers of another schema.
        layouts[name] = EntityLayout(schema, lost: entity.derived)
        changed.insert(name)
      }
    }
    self.layouts = layouts
    self.typed = typed
    self.changed = changed
    var referrers: [String: [Referrer]] = [:]
    for layout in layouts.values.sorted(by: { $0.name < $1.name }) {
      for field in layout.schema.fields {
        guard case .reference(let target, let rule) = field.kind else { continue }
        referrers[target, default: []].append(
          Referrer(layout: layout, field: field, rule: rule))
      }
    }
    self.referrers = referrers
  }

  /// The names of all entities, in order.
  var names: [String] { layouts.keys.sorted() }

  func layout(named name: String) throws(DatabaseError) -> EntityLayout {
    guard let layout = layouts[name] else { throw .noSuchEntity(name) }
    return layout
  }

  func layoutIfPresent(named name: String) -> EntityLayout? { layouts[name] }

  func layout(of type: any Entity.Type) throws(DatabaseError) -> EntityLayout {
    if let layout = typed[ObjectIdentifier(type)] { return layout }
    let name = type.schema.name
    if changed.contains(name) { throw .schemaChanged(entity: name) }
    throw .noSuchEntity(name)
  }
}

/// A type of the program, as a database needs it.
struct ProgramEntity: Sendable {
  let type: ObjectIdentifier
  let schema: Schema
  let derived: [DerivedField]

  init<E: Entity>(_ type: E.Type) {
    self.type = ObjectIdentifier(type)
    schema = type.schema
    derived = type.derivedFields
  }
}
