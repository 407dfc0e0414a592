import Entities

let path = CommandLine.arguments.dropFirst().first ?? "guild.dex"

// What a program of last year left.
let old = try Database(path: path, entities: [OldHero.self])
try old.write { transaction in
  try transaction.insert(OldHero(name: "Éowyn", rank: "boss"))
}
try old.close()

// What a newer program would make of it; nothing is changed.
let trial = try Database.tryMigrations(
  path: path, entities: [Guild.self, Hero.self], migrations: migrations)
print(trial.pending, trial.failure == nil ? "would do" : "would fail")

let database = try Database(
  path: path, entities: [Guild.self, Hero.self], migrations: migrations)

let shield = try database.write { transaction in
  let shield = try transaction.insert(Guild(name: "The Shield"))
  try transaction.insert(
    Hero(name: "Brienne", rank: "knight", skills: ["sword", "shield"], height: 191, guild: shield))
  try transaction.insert(Hero(name: "Hodor", skills: ["lifting"], height: 213))
  return shield
}

// All that hold, the tallest first, ten of them at most.
let found = try database.snapshot().find(
  Hero.self, where: .all([.present("height"), .not(.has("skills", ["sword"]))]),
  order: [SortKey(["height"], isDescending: true)], limit: 10)
print(found.map { "\($0.id) \($0.value.name)" })

// The same in the language of the shell, which a program's users may type.
let typed = try database.query("is:tall sort:-size limit:10", of: "heroes")
let snapshot = try database.snapshot()
print(try snapshot.find(typed).ids)

// A field that refers to a record, and what its rule forbids.
do {
  try database.write { transaction in
    _ = try transaction.delete(Guild.self, shield)
  }
} catch DatabaseError.restricted(_, _, let entity, let id, let field) {
  print("still the \(field) of number \(id) in \(entity)")
}

// A rule that a value breaks changes nothing.
do {
  try database.write { transaction in
    try transaction.update(Hero.self, EntityID(1)) { hero in hero.height = 20 }
  }
} catch DatabaseError.invalid(_, _, let field, .outOfRange(let least, let most)) {
  print("\(field) is from \(least) to \(most) hundredths")
}

// How many of each rank, and how tall on average.
var query = Query(entity: "heroes")
query.groups = ["rank"]
query.columns = [.count, .aggregate(.average, "height")]
for row in try snapshot.find(query).rows {
  guard case .integer(let count) = row.values[1] else { continue }
  print(row.values[0].map { "\($0)" } ?? "no rank", count, row.values[2] ?? .text("unknown"))
}

// An answer, and a new one whenever a commit of any process changes it.
let observation = Task {
  var answers: [Int] = []
  for try await answer in database.observe(Query(entity: "heroes", filter: .flag("is:tall"))) {
    answers.append(answer.rows.count)
    if answers.count == 2 { break }
    try await database.write { transaction in
      try transaction.update(Hero.self, EntityID(1)) { hero in hero.height = 205 }
    }
  }
  return answers
}
print(try await observation.value)

// Without types: what another program's file holds.
for schema in try database.schemas() {
  print(schema.name, schema.fields.map(\.name))
}
if let record = try database.snapshot().record("heroes", EntityID(1)) {
  print(record["rank"] ?? .text("none"), record["height"] ?? .integer(0))
}
try database.close()
