import Entities
import Glibc

// A drawer of seeds: a small tool on an entity of its own.

let usage = """
  usage: seeds FILE add NAME FAMILY MONTHS COUNT [YEAR]   MONTHS as in mar,apr
         seeds FILE list [QUERY]      such as: 'sow:mar/apr count<20 sort:-year'
         seeds FILE take NAME COUNT   notes that seeds were sown
         seeds FILE drop QUERY
  """

struct UsageError: Error {}

func number(_ text: String) throws -> Int {
  guard let number = Int(text) else { throw UsageError() }
  return number
}

func list(_ line: String, of database: Database) throws {
  let snapshot = try database.snapshot()
  let query = try database.query(line, of: Seed.schema.name)
  for id in try snapshot.findIDs(query) {
    guard let seed = try snapshot.get(Seed.self, id) else { continue }
    let year = seed.year.map { " (\($0))" } ?? ""
    let months = seed.months.joined(separator: ", ")
    print("\(seed.count) × \(seed.name)\(year), \(seed.family), sow in \(months)")
  }
}

func run(_ words: [String]) throws {
  guard words.count >= 2 else { throw UsageError() }
  let database = try Database(path: words[0], entities: [Seed.self])
  let rest = Array(words.dropFirst(2))
  switch (words[1], rest.count) {
  case ("add", 4...5):
    let seed = Seed(
      name: rest[0], family: rest[1], months: rest[2].split(separator: ",").map(String.init),
      count: try number(rest[3]), year: rest.count == 5 ? try number(rest[4]) : nil)
    _ = try database.write { (transaction) throws(DatabaseError) in try transaction.insert(seed) }
  case ("list", _):
    try list(rest.joined(separator: " "), of: database)
  case ("take", 2):
    let taken = try number(rest[1])
    try database.write { transaction in
      let found = try transaction.find(Seed.self, where: .text(FieldPath("name"), rest[0]))
      guard let seed = found.first else { throw NoSuchSeed(name: rest[0]) }
      // A count below zero breaks the schema's rule, and nothing has happened then.
      try transaction.update(Seed.self, seed.id) { $0.count -= taken }
    }
  case ("drop", 1...):
    let query = try database.query(rest.joined(separator: " "), of: Seed.schema.name)
    try database.write { (transaction) throws(DatabaseError) in
      for id in try transaction.findIDs(query) { _ = try transaction.delete(Seed.self, id) }
    }
  default:
    throw UsageError()
  }
  try database.close()
}

struct NoSuchSeed: Error, CustomStringConvertible {
  let name: String
  var description: String { "no seed is called '\(name)'" }
}

func complain(_ text: String) {
  let bytes = Array((text + "\n").utf8)
  _ = write(2, bytes, bytes.count)
}

do {
  try run(Array(CommandLine.arguments.dropFirst()))
} catch is UsageError {
  complain(usage)
  exit(2)
} catch let error as QueryError {
  complain("seeds: \(error.message)\n" + error.help.map { "help: \($0)" }.joined(separator: "\n"))
  exit(2)
} catch {
  complain("seeds: \(error)")
  exit(1)
}
