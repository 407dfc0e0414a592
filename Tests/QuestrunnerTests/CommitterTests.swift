import PageStore
import Testing

@testable import Entities

@Suite struct `Results that come together` {
  private static func database() throws -> Database {
    let database = try Database.inMemory(entities: Pokedex.entities)
    try database.write { (transaction: inout DatabaseTransaction) throws in
      for pokemon in try BundledSpecies.few() {
        try transaction.insert(pokemon, id: pokemon.id)
      }
      for id in (1...5).map({ EntityID($0) }) {
        try transaction.insert(
          Adventurer.recruit(name: "Nr \(id)", profession: "Wizard", seed: 7, id: id), id: id)
      }
    }
    return database
  }

  private static func plan(_ database: Database, _ mode: QuestMode) throws -> QuestPlan {
    let snapshot = try database.snapshot()
    return QuestPlan(
      seed: 5, mode: mode, quests: 6,
      roster: try snapshot.find(Adventurer.self).map { Fighter($0.value, id: $0.id) },
      table: try EnemyTable(snapshot.find(Pokemon.self).map { EnemySpecies($0.value) }))
  }

  @Test(arguments: QuestMode.allCases)
  func `share a transaction, and are the same as one by one`(mode: QuestMode) throws {
    let (together, apart) = (try Self.database(), try Self.database())
    let plan = try Self.plan(together, mode)
    let id = try QuestRunner.begin(plan, in: together)
    let runner = try QuestRunner(id, in: together)
    var committer = QuestCommitter(id, plan, try runner.results(), together)
    let computing = try QuestComputing(plan, keepsLog: false)
    let before = try together.snapshot().transaction.rawValue
    var chunks: [QuestChunkResult] = []
    for place in plan.roster.indices {
      var fighter = plan.roster[place]
      // Two chunks of each adventurer, the second of which goes on from the first.
      for first in [0, 3] {
        let result = computing.compute(
          QuestChunk(place: place, first: first, count: 3, order: 0, fighter: fighter))
        fighter = result.fighter
        chunks.append(result)
      }
    }
    let taken = try committer.commit(chunks, nil)
    #expect(taken.keys.sorted() == Array(0..<5) && taken.values.allSatisfy { $0.done == 6 })
    #expect(committer.isFinished)
    #expect(try together.snapshot().transaction.rawValue == before + 1)

    let other = try QuestRunner.begin(plan, in: apart)
    #expect(try QuestRunner(other, in: apart).run(chunkSize: 1))
    for (one, two) in zip(try runner.results(), try QuestRunner(other, in: apart).results()) {
      #expect(one == two)
    }
    let run = try QuestRunner(id, in: together).record
    #expect(run == (try QuestRunner(other, in: apart).record) && run.state == .finished)
    #expect(
      try together.snapshot().find(Adventurer.self).map(\.value)
        == apart.snapshot().find(Adventurer.self).map(\.value))
  }

  @Test func `are none of another program's`() throws {
    let database = try Self.database()
    let plan = try Self.plan(database, .sample)
    let id = try QuestRunner.begin(plan, in: database)
    let runner = try QuestRunner(id, in: database)
    var committer = QuestCommitter(id, plan, try runner.results(), database)
    let computing = try QuestComputing(plan, keepsLog: false)
    let chunk = QuestChunk(place: 4, first: 0, count: 6, order: 0, fighter: plan.roster[4])
    #expect(try runner.run())
    let before = try database.snapshot().transaction
    #expect(throws: QuestError.overtaken(run: id)) {
      _ = try committer.commit([computing.compute(chunk)], nil)
    }
    #expect(try database.snapshot().transaction == before)
  }
}
