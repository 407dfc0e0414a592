/// How a program's schema differs from the one in a database.
struct SchemaDifference {
  /// What a migration would have to do, in words; empty where nothing needs one.
  private(set) var differences: [String] = []
  /// True where fields differ only in what they are called besides and how they are shown.
  private(set) var isOnlyShown = false

  /// Compares the schema of the file with the program's.
  init(stored: Schema, program: Schema) {
    let storedFields = Dictionary(uniqueKeysWithValues: stored.fields.map { ($0.number, $0) })
    let programNumbers = Set(program.fields.map(\.number))
    for field in program.fields {
      guard let other = storedFields[field.number] else {
        differences.append("field \(field.number) '\(field.name)' is not in the file")
        continue
      }
      note(field, stored: other)
    }
    for field in stored.fields where !programNumbers.contains(field.number) {
      differences.append("field \(field.number) '\(field.name)' is only in the file")
    }
    isOnlyShown = differences.isEmpty && stored != program
  }

  private mutating func note(_ field: FieldDefinition, stored: FieldDefinition) {
    let name = "field \(field.number) '\(field.name)'"
    if field.name != stored.name { differences.append("\(name) is '\(stored.name)' in the file") }
    if field.kind != stored.kind {
      differences.append("\(name) is of another kind in the file")
    }
    if field.index != stored.index { differences.append("\(name) has another index in the file") }
    if field.searchedAs != stored.searchedAs {
      differences.append("\(name) is searched as another field in the file")
    }
    if Set(field.rules) != Set(stored.rules) {
      differences.append("\(name) has other rules in the file")
    }
  }
}
