import Entities
import PageStore
import Testing

@Suite struct `An observed query` {
  private let strong = Query(
    entity: "adventurers", filter: .number([FieldPath("level")], .greaterOrEqual, Number(10)))

  @Test(arguments: [Durability.immediate, .eventual(interval: .milliseconds(20))])
  func `has a new answer when another process commits`(durability: Durability) async throws {
    let dexdb = Dexdb()
    var options = StoreOptions()
    options.createsFile = false
    options.durability = durability
    let database = try Database(
      path: dexdb.database, entities: Pokedex.entities, options: options)
    var answers = database.observe(strong).makeAsyncIterator()
    #expect(try await answers.next()?.ids == [])
    // Commits that leave the answer as it is come between those that change it.
    for number in 1...3 {
      #expect(dexdb("add", "adventurers", "name=A\(number)", "class=Monk", "level=9").code == 0)
      #expect(dexdb("add", "adventurers", "name=B\(number)", "class=Monk", "level=10").code == 0)
      let ids = (1...number).map { EntityID(UInt64(2 * $0)) }
      #expect(try await answers.next()?.ids == ids)
    }
    #expect(dexdb("set", "adventurers", "2", "level=1").code == 0)
    #expect(try await answers.next()?.ids == [EntityID(4), EntityID(6)])
    #expect(dexdb("delete", "adventurers", "4", "--yes").code == 0)
    #expect(try await answers.next()?.ids == [EntityID(6)])
    try database.close()
  }

  @Test func `waits across a commit of another process, and ends with the database`() async throws {
    let dexdb = Dexdb()
    var options = StoreOptions()
    options.createsFile = false
    let database = try Database(
      path: dexdb.database, entities: Pokedex.entities, options: options)
    let query = strong
    let seen = Task {
      var counts: [Int] = []
      for try await answer in database.observe(query) { counts.append(answer.ids.count) }
      return counts
    }
    while database.observerCount == 0 { await Task.yield() }
    #expect(dexdb("add", "adventurers", "name=A", "class=Monk", "level=10").code == 0)
    while try await database.snapshot().count("adventurers", where: strong.filter) == 0 {
      await Task.yield()
    }
    // Somebody waits again once the answer of that commit was taken.
    try await Task.sleep(for: .milliseconds(50))
    while database.observerCount == 0 { await Task.yield() }
    try database.close()
    #expect(try await seen.value == [0, 1])
  }
}
