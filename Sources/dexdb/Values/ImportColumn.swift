import Entities

/// What a column of a file means.
final class ImportColumn {
  let name: String
  /// Nil is the number of the record.
  let field: FieldDefinition?
  /// True where the field holds the number of its own record.
  let isKey: Bool

  init(name: String, field: FieldDefinition?, isKey: Bool) {
    self.name = name
    self.field = field
    self.isKey = isKey
  }
}

/// The fields that hold the number of their own record.
enum RecordKeys {
  static func field(of entity: String) -> String? {
    ["pokemon": "number", "forms": "form_id", "moves": "number"][entity]
  }
}
