/// What keeps queries from calling a field by its name.
enum SchemaNames {
  /// Words that always mean something else in the query language.
  static let reserved: Set = ["has", "is"]

  /// What is wrong with the names of a schema's fields, one sentence each.
  static func problems(of schema: Schema) -> [String] {
    var problems: [String] = []
    var owners: [String: String] = [:]
    for field in schema.fields {
      let name = field.name.lowercased()
      if reserved.contains(name) {
        problems.append("'\(field.name)' means something else in queries")
      }
      if let other = owners.updateValue(field.name, forKey: name) {
        problems.append("\(other) and \(field.name) differ in case alone")
      }
    }
    for field in schema.fields {
      for alias in field.aliases {
        if alias != alias.lowercased() || !SchemaRules.isName(alias) {
          problems.append("\(field.name): '\(alias)' is no alias: lower case, and as names are")
        } else if reserved.contains(alias) {
          problems.append("\(field.name): '\(alias)' means something else in queries")
        } else if let other = owners.updateValue(field.name, forKey: alias) {
          problems.append("'\(alias)' means \(other) and \(field.name)")
        }
      }
    }
    return problems
  }
}
