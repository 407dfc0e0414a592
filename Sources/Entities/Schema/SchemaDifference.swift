/// How one schema of an entity differs from another one.
struct SchemaDifference {
  /// What a migration would have to do; empty where nothing needs one.
  private(set) var steps: [Step] = []
  /// True where fields differ only in what they are called besides and how they are shown.
  private(set) var isOnlyShown = false

  /// A difference that a migration makes good.
  enum Step: Equatable {
    case add(FieldDefinition)
    case drop(FieldDefinition)
    case rename(FieldDefinition, from: String)
    case retype(FieldDefinition)
    case reindex(FieldDefinition)
    case searchAs(FieldDefinition)
    case rules(FieldDefinition)
  }

  /// Compares the schema of the file with the program's.
  init(stored: Schema, program: Schema) {
    let storedFields = Dictionary(uniqueKeysWithValues: stored.fields.map { ($0.number, $0) })
    let programNumbers = Set(program.fields.map(\.number))
    for field in program.fields {
      guard let other = storedFields[field.number] else {
        steps.append(.add(field))
        continue
      }
      note(field, stored: other)
    }
    for field in stored.fields where !programNumbers.contains(field.number) {
      steps.append(.drop(field))
    }
    isOnlyShown = steps.isEmpty && stored != program
  }

  private mutating func note(_ field: FieldDefinition, stored: FieldDefinition) {
    if field.name != stored.name { steps.append(.rename(field, from: stored.name)) }
    if field.kind != stored.kind { steps.append(.retype(field)) }
    if field.index != stored.index { steps.append(.reindex(field)) }
    if field.searchedAs != stored.searchedAs { steps.append(.searchAs(field)) }
    if Set(field.rules) != Set(stored.rules) { steps.append(.rules(field)) }
  }

  /// The differences as what is wrong with a file.
  var complaints: [String] {
    steps.map { step in
      switch step {
      case .add(let field): "\(field.title) is not in the file"
      case .drop(let field): "\(field.title) is only in the file"
      case .rename(let field, let old): "\(field.title) is called '\(old)' in the file"
      case .retype(let field): "\(field.title) is of another kind in the file"
      case .reindex(let field): "\(field.title) has another index in the file"
      case .searchAs(let field): "\(field.title) is searched as another field in the file"
      case .rules(let field): "\(field.title) has other rules in the file"
      }
    }
  }

  /// The differences as what is done to a file.
  var changes: [String] {
    steps.map { step in
      switch step {
      case .add(let field): "adds \(field.title)"
      case .drop(let field): "drops \(field.title)"
      case .rename(let field, let old): "renames '\(old)' to '\(field.name)'"
      case .retype(let field): "changes the kind of \(field.title)"
      case .reindex(let field): "changes the index of \(field.title)"
      case .searchAs(let field): "changes what \(field.title) is searched as"
      case .rules(let field): "changes the rules of \(field.title)"
      }
    }
  }
}

extension FieldDefinition {
  fileprivate var title: String { "field \(number) '\(name)'" }
}
