import Entities
import Glibc
import PageStore
import Testing

/// A file in a folder of its own, which goes with it.
private final class ScratchFile {
  let folder: String
  var path: String { folder + "/seeds.dex" }

  init() {
    var template = Array("/tmp/dex-observe-XXXXXX".utf8CString)
    folder = mkdtemp(&template).map { String(cString: $0) } ?? ""
  }

  deinit {
    for name in ["", "-log", "-lock"] { unlink(path + name) }
    rmdir(folder)
  }
}

@Suite struct `Observing a query` {
  private let many = Query(
    entity: "seeds", filter: .number([FieldPath("count")], .greaterOrEqual, Number(10)))

  private func insert(_ database: Database, _ name: String, _ count: Int) async throws {
    try await database.write { transaction throws(DatabaseError) in
      _ = try transaction.insert(Seed(name: name, count: count))
    }
  }

  @Test(arguments: [Durability.immediate, .eventual(interval: .milliseconds(20))])
  func `sees what another handle on the file commits`(durability: Durability) async throws {
    let file = ScratchFile()
    var options = StoreOptions()
    options.durability = durability
    let here = try Database(path: file.path, entities: [Seed.self], options: options)
    let there = try Database(path: file.path, entities: [Seed.self], options: options)
    var iterator = here.observe(many).makeAsyncIterator()
    #expect(try await iterator.next()?.ids == [])
    for number in 1...5 {
      try await insert(there, "seed \(number)", number * 10)
      #expect(try await iterator.next()?.ids.count == number)
    }
    try there.close()
    try here.close()
  }

  @Test func `says nothing of commits that leave the answer as it is, and never misses the last`()
    async throws
  {
    let database = try Database.inMemory(entities: [Seed.self])
    let query = many
    let seen = Task {
      var answers: [[EntityID]] = []
      for try await answer in database.observe(query) {
        answers.append(answer.ids)
        if answer.ids.count == 41 { break }
      }
      return answers
    }
    for number in 1...60 { try await insert(database, "seed \(number)", number / 20 * 10) }
    let answers = try await seen.value
    // Answers may be left out, but none comes twice, and all are states that there were.
    #expect(answers.last?.count == 41)
    #expect(answers == answers.sorted { $0.count < $1.count })
    #expect(Set(answers).count == answers.count)
  }

  @Test func `ends when its task is cancelled or the database closed`() async throws {
    let database = try Database.inMemory(entities: [Seed.self])
    let query = many
    let count = Task {
      var count = 0
      for try await _ in database.observe(query) { count += 1 }
      return count
    }
    let other = Task {
      var count = 0
      for try await _ in database.observe(query) { count += 1 }
      return count
    }
    try await insert(database, "a", 1)
    other.cancel()
    #expect(try await other.value <= 1)
    while database.observerCount == 0 { await Task.yield() }
    try database.close()
    #expect(try await count.value == 1)
  }

  @Test func `is over, and not an error, for one who asks after the database was closed`()
    async throws
  {
    let database = try Database.inMemory(entities: [Seed.self])
    var iterator = database.observe(many).makeAsyncIterator()
    #expect(try await iterator.next()?.ids == [])
    var untouched = database.observe(many).makeAsyncIterator()
    try database.close()
    for _ in 0..<2 {
      #expect(try await iterator.next() == nil)
      #expect(try await untouched.next() == nil)
    }
  }

  @Test func `ends with the first error`() async throws {
    let database = try Database.inMemory(entities: [Seed.self])
    var iterator = database.observe(Query(entity: "weeds")).makeAsyncIterator()
    await #expect(throws: DatabaseError.noSuchEntity("weeds")) { try await iterator.next() }
    #expect(try await iterator.next() == nil)
  }
}
