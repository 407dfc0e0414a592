import Entities

/// A guild of heroes, as its first program kept it.
struct OldHero: Entity {
  static let schema = Schema(
    name: "heroes",
    fields: [
      FieldDefinition(1, "name", .text, index: .words, rules: [.required, .notBlank]),
      FieldDefinition(2, "rank", .text),
    ])
  var name = ""
  var rank: String?

  func encode(to record: inout RecordWriter) {
    record.set(1, text: name)
    record.set(2, text: rank)
  }
}
extension OldHero {
  init(from record: inout RecordReader) {
    self.init(name: record.text(1), rank: record.textIfPresent(2))
  }
}

/// A guild.
struct Guild: Entity {
  static let schema = Schema(
    name: "guilds",
    fields: [
      FieldDefinition(1, "name", .text, index: .words, rules: [.required, .notBlank, .unique])
    ])
  var name = ""

  func encode(to record: inout RecordWriter) { record.set(1, text: name) }
}
extension Guild {
  init(from record: inout RecordReader) { self.init(name: record.text(1)) }
}

struct Hero: Entity {
  static let schema = Schema(
    name: "heroes",
    fields: [
      FieldDefinition(1, "name", .text, index: .words, rules: [.required, .notBlank]),
      FieldDefinition(2, "rank", .vocabulary(["squire", "knight", "captain"]), index: .terms),
      FieldDefinition(3, "skills", .names(nil), index: .terms),
      FieldDefinition(
        4, "height", .decimal(denominator: 100), aliases: ["size"], unit: "m", index: .numbers,
        rules: [.range(30, 300)]),
      FieldDefinition(5, "guild", .reference(entity: "guilds", onDelete: .restrict), index: .terms),
    ])

  /// Computed when somebody asks, and rewritten to what the index knows.
  static let derivedFields = [
    DerivedField(
      "is:tall", .flag,
      rewrite: { test, _ throws(DatabaseError) in
        test == .flag ? .number(["height"], .greater, Number(2)) : nil
      },
      compute: { row, _ throws(DatabaseError) in
        .flag((row.record.integerIfPresent(4) ?? 0) > 200)
      })
  ]

  var name = ""
  var rank: String?
  var skills: [String] = []
  /// In centimetres.
  var height: Int?
  var guild: EntityID?

  func encode(to record: inout RecordWriter) {
    record.set(1, text: name)
    record.set(2, name: rank)
    record.set(3, names: skills)
    record.set(4, integer: height)
    record.set(5, reference: guild)
  }
}
extension Hero {
  init(from record: inout RecordReader) {
    self.init(
      name: record.text(1), rank: record.nameIfPresent(2), skills: record.names(3),
      height: record.integerIfPresent(4), guild: record.referenceIfPresent(5))
  }
}

let migrations = [
  Migration("ranks, skills and guilds") { editor throws(DatabaseError) in
    try editor.createEntity(Guild.schema)
    try editor.retypeField(
      "heroes", "rank", to: .vocabulary(["squire", "knight", "captain"]), index: .terms
    ) { value throws(DatabaseError) in
      // What the old program let anybody type.
      value == .text("boss") ? .text("captain") : value
    }
    try editor.addField("heroes", FieldDefinition(3, "skills", .names(nil), index: .terms))
    try editor.addField(
      "heroes",
      FieldDefinition(
        4, "height", .decimal(denominator: 100), aliases: ["size"], unit: "m", index: .numbers,
        rules: [.range(30, 300)]))
    try editor.addField(
      "heroes",
      FieldDefinition(5, "guild", .reference(entity: "guilds", onDelete: .restrict), index: .terms))
  }
]
