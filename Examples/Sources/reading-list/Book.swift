import Entities

/// A book that somebody means to read.
struct Book {
  var title: String
  /// What kinds of book it is: a novel, poetry, a comic.
  var kinds: [String]
  var pageCount: Int?
  var isRead = false
}

extension Book: Entity {
  static let schema = Schema(
    name: "books",
    fields: [
      FieldDefinition(1, "title", .text, index: .words, rules: [.required, .notBlank, .unique]),
      FieldDefinition(2, "kinds", .names(nil), index: .terms),
      FieldDefinition(3, "pages", .integer, index: .numbers, rules: [.range(1, 100_000)]),
      FieldDefinition(4, "read", .flag, index: .terms, rules: [.required]),
    ])

  init(from record: inout RecordReader) {
    title = record.text(1)
    kinds = record.names(2)
    pageCount = record.integerIfPresent(3)
    isRead = record.flag(4)
  }

  func encode(to record: inout RecordWriter) {
    record.set(1, text: title)
    record.set(2, names: kinds)
    record.set(3, integer: pageCount)
    record.set(4, flag: isRead)
  }
}
