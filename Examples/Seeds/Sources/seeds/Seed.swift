import Entities

/// A kind of seed that a gardener has in a drawer.
struct Seed: Entity {
  var name: String
  var family: String
  /// The months in which it may be sown.
  var months: [String]
  var count: Int
  /// The year in which the seeds were gathered, where it is known.
  var year: Int?

  static let monthNames = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  static let schema = Schema(
    name: "seeds",
    fields: [
      FieldDefinition(1, "name", .text, index: .words, rules: [.required, .notBlank, .unique]),
      FieldDefinition(2, "family", .text, index: .terms, rules: [.required, .notBlank]),
      FieldDefinition(3, "months", .names(monthNames), aliases: ["sow"], index: .terms),
      FieldDefinition(4, "count", .integer, index: .numbers, rules: [.required, .range(0, 100_000)]),
      FieldDefinition(5, "year", .integer, index: .numbers),
    ])

  init(name: String, family: String, months: [String], count: Int, year: Int?) {
    self.name = name
    self.family = family
    self.months = months
    self.count = count
    self.year = year
  }

  init(from record: inout RecordReader) {
    name = record.text(1)
    family = record.text(2)
    months = record.names(3)
    count = record.integer(4)
    year = record.integerIfPresent(5)
  }

  func encode(to record: inout RecordWriter) {
    record.set(1, text: name)
    record.set(2, text: family)
    record.set(3, names: months)
    record.set(4, integer: count)
    record.set(5, integer: year)
  }
}
