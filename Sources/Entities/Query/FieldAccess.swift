/// Where the value of a path comes from.
enum FieldAccess: Sendable {
  /// The record's own number.
  case id
  case stored(FieldDefinition)
  case derived(DerivedField, argument: String?)

  var kind: FieldKind {
    switch self {
    case .id: .integer
    case .stored(let field): field.kind
    case .derived(let field, _): field.kind
    }
  }

  var unit: String? {
    switch self {
    case .id: nil
    case .stored(let field): field.unit
    case .derived(let field, _): field.unit
    }
  }

  /// The field of `path`, in an entity.
  ///
  /// - Throws: `.noSuchField`; `.schemaChanged` for a derived field of another schema than the
  ///   program's; `.invalidQuery` where an argument is missing or too many.
  static func resolve(
    _ path: FieldPath, in layout: EntityLayout
  ) throws(DatabaseError) -> FieldAccess {
    if let field = layout.field(named: path.name) {
      if path.argument != nil {
        throw .invalidQuery("\(path.name) takes nothing after a point")
      }
      return .stored(field)
    }
    if let field = layout.derived.first(where: { $0.name == path.name }) {
      return .derived(field, argument: try argument(path, of: field))
    }
    if path.name == "id" && path.argument == nil { return .id }
    if let field = layout.schema.field(named: path.name) { return .stored(field) }
    let name = path.name.lowercased()
    if let field = layout.derived.first(where: { $0.aliases.contains(name) }) {
      return .derived(field, argument: try argument(path, of: field))
    }
    if layout.lostNames.contains(path.name) || layout.lostNames.contains(name) {
      throw .schemaChanged(entity: layout.name)
    }
    throw .noSuchField(entity: layout.name, field: path.name)
  }

  private static func argument(
    _ path: FieldPath, of field: DerivedField
  ) throws(DatabaseError) -> String? {
    guard let arguments = field.arguments else {
      if path.argument != nil { throw .invalidQuery("\(path.name) takes nothing after a point") }
      return nil
    }
    guard let argument = path.argument else {
      throw .invalidQuery("\(path.name) needs a name after a point")
    }
    guard arguments.contains(argument) else {
      throw .invalidQuery("\(path.name) knows no '\(argument)'")
    }
    return argument
  }
}
