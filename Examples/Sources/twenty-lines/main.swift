import Entities

struct Tune: Entity {
  static let schema = Schema(
    name: "tunes",
    fields: [
      FieldDefinition(1, "title", .text, index: .words, rules: [.required, .notBlank]),
      FieldDefinition(2, "moods", .names(nil), index: .terms),
    ])
  var title = ""
  var moods: [String] = []

  func encode(to record: inout RecordWriter) {
    record.set(1, text: title)
    record.set(2, names: moods)
  }
}
extension Tune {
  init(from record: inout RecordReader) {
    self.init(title: record.text(1), moods: record.names(2))
  }
}

let database = try Database(path: "tunes.dex", entities: [Tune.self])
try database.write { transaction in
  try transaction.insert(Tune(title: "Für Elise", moods: ["calm"]))
  try transaction.insert(Tune(title: "The Fury", moods: ["loud", "fast"]))
}
let calm = try database.snapshot().find(
  Tune.self, where: .all([.search("title", "fu"), .has("moods", ["calm"])]))
print(calm.map(\.value.title))  // ["Für Elise"]
try database.close()
