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
    #expect(dexdb("set", "--where", "from:adv name=b1", "level=1").code == 0)
    #expect(try await answers.next()?.ids == [EntityID(4), EntityID(6)])
    #expect(dexdb("delete", "--where", "from:adv name=b2", "--yes").code == 0)
    #expect(try await answers.next()?.ids == [EntityID(6)])
    try database.close()
  }

  @Test func `wakes whoever waits for it when another process commits`() async throws {
    let dexdb = Dexdb()
    let database = try Database(path: dexdb.database, entities: Pokedex.entities)
    let query = strong
    let answers = Answers()
    let observing = Task {
      for try await answer in database.observe(query) { await answers.take(answer.ids.count) }
    }
    while database.observerCount == 0 { await Task.yield() }
    #expect(await answers.counts == [0])
    #expect(dexdb("add", "adventurers", "name=A", "class=Monk", "level=10").code == 0)
    // Long enough for any machine: only a test that fails waits for it.
    let end = ContinuousClock.now.advanced(by: .seconds(60))
    while await answers.counts.count < 2 && .now < end { await Task.yield() }
    #expect(await answers.counts == [0, 1])
    try database.close()
    try await observing.value
  }
}

/// How many records the answers had.
private actor Answers {
  private(set) var counts: [Int] = []

  func take(_ count: Int) { counts.append(count) }
}
