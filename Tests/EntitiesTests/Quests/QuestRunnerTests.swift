import Entities
import Synchronization
import Testing

/// A database with a few species and adventurers, for runs.
struct QuestDatabase {
  let database: Database
  let names = ["Ana", "Bo", "Cy"]

  init() throws {
    database = try Database.inMemory(entities: Pokedex.entities)
    let names = names
    try database.write { (transaction: inout DatabaseTransaction) throws in
      for (index, profession) in ["Wizard", "Knight", "Baker"].enumerated() {
        let id = EntityID(UInt64(index + 1))
        try transaction.insert(
          Adventurer.recruit(name: names[index], profession: profession, seed: 7, id: id), id: id)
      }
    }
  }

  func plan(
    _ mode: QuestMode = .sample, quests: Int = 100, until: QuestUntil? = nil, goal: Int? = 2,
    seed: UInt64 = 42
  ) throws -> QuestPlan {
    let found = try database.snapshot().find(Adventurer.self)
    return QuestPlan(
      seed: seed, mode: mode, quests: quests,
      settings: QuestSettings(foes: 2, goal: goal, limit: 30_000),
      until: until, roster: found.map { Fighter($0.value, id: $0.id) },
      table: QuestTestData.smallTable)
  }

  /// Everything that is in the database, as text.
  func dump() throws -> [String] {
    var lines: [String] = []
    let snapshot = try database.snapshot()
    for name in try snapshot.entityNames() {
      try snapshot.forEach(name) { id, record throws(DatabaseError) in
        let values = record.values.sorted { $0.key < $1.key }
        lines.append(
          "\(name) \(id) " + values.map { "\($0.key)=\($0.value)" }.joined(separator: " "))
        return true
      }
    }
    return lines
  }

  func adventurer(_ id: UInt64) throws -> Adventurer {
    try #require(try database.snapshot().get(Adventurer.self, EntityID(id)))
  }
}

@Suite struct `A run` {
  /// Runs a plan to its end, with a log where the mode allows more than one thread or not.
  private func finish(
    _ mode: QuestMode, _ until: QuestUntil?, goal: Int?, quests: Int, jobs: Int, chunk: Int?
  ) throws -> (dump: [String], log: [UInt8]) {
    let data = try QuestDatabase()
    let plan = try data.plan(mode, quests: quests, until: until, goal: goal)
    let runner = try QuestRunner(try QuestRunner.begin(plan, in: data.database), in: data.database)
    let log = Mutex(QuestLog.header(plan))
    #expect(
      try runner.run(jobs: jobs, chunkSize: chunk, log: { bytes in log.withLock { $0 += bytes } }))
    return (try data.dump(), log.withLock { $0 })
  }

  @Test(
    arguments: [
      (QuestMode.sample, nil, 6, 150), (.campaign, nil, 6, 40), (.campaign, .level(6), 6, 40),
      (.sample, .error(millionths: 25_000), 6, 2_200),
      (.sample, .error(millionths: 20_000), nil, 1_100),
    ] as [(QuestMode, QuestUntil?, Int?, Int)])
  func `gives the same bytes for any number of threads and any size of chunks`(
    mode: QuestMode, until: QuestUntil?, goal: Int?, quests: Int
  ) throws {
    let one = try finish(mode, until, goal: goal, quests: quests, jobs: 1, chunk: nil)
    #expect(one.dump.contains { $0.contains("state=") && $0.contains("finished") })
    for (jobs, chunk) in [(3, 7), (2, 1_000), (4, 33)] {
      let other = try finish(mode, until, goal: goal, quests: quests, jobs: jobs, chunk: chunk)
      #expect(other.dump == one.dump)
      #expect(other.log == one.log)
    }
  }

  @Test func `keeps wins and losses of a sample, and all of a campaign`() throws {
    for mode in QuestMode.allCases {
      let data = try QuestDatabase()
      let plan = try data.plan(mode, quests: 12)
      let id = try QuestRunner.begin(plan, in: data.database)
      #expect(try QuestRunner(id, in: data.database).run(jobs: 2, chunkSize: 5))
      for fighter in plan.roster {
        var next = fighter
        var wins = 0
        var losses = 0
        for number in 0..<12 {
          let result = try Quest(
            seed: 42, number: UInt64(number), fighter: next, enemies: plan.table,
            settings: plan.settings
          ).run()
          if result.outcome == .win { wins += 1 }
          if result.outcome == .fall { losses += 1 }
          if mode == .campaign { next = next.after(result) }
        }
        let adventurer = try data.adventurer(fighter.id)
        #expect(adventurer.wins == wins && adventurer.losses == losses)
        #expect(adventurer.level == next.level && adventurer.experience == next.experience)
        #expect(adventurer.totalHitPoints == next.totalHitPoints)
        #expect(adventurer.currentHitPoints == adventurer.totalHitPoints)
      }
    }
  }

  @Test(arguments: QuestMode.allCases)
  func `goes on where it was stopped, and counts each quest once`(mode: QuestMode) throws {
    let whole = try QuestDatabase()
    let all = try QuestRunner.begin(try whole.plan(mode, quests: 30), in: whole.database)
    #expect(try QuestRunner(all, in: whole.database).run(chunkSize: 30))

    let data = try QuestDatabase()
    let id = try QuestRunner.begin(try data.plan(mode, quests: 30), in: data.database)
    var rounds = 0
    while rounds < 100 {
      rounds += 1
      let runner = try QuestRunner(id, in: data.database)
      try runner.check(try data.plan(mode, quests: 30))
      let commits = Mutex(0)
      let isFinished = try runner.run(
        jobs: 2, chunkSize: 4, isPatient: { commits.withLock { $0 < 1 } },
        progress: { _ in commits.withLock { $0 += 1 } })
      if isFinished { break }
      #expect(try QuestRunner.resumption(in: data.database) == .unfinished(id))
    }
    #expect(rounds > 1 && rounds < 100)
    #expect(try QuestRunner.resumption(in: data.database) == .finished(id))
    #expect(try data.dump() == whole.dump())
  }

  @Test func `refuses to go on as another one, and says what differs`() throws {
    let data = try QuestDatabase()
    let id = try QuestRunner.begin(try data.plan(), in: data.database)
    let runner = try QuestRunner(id, in: data.database)
    func differences(_ change: (inout QuestPlan) throws -> Void) throws -> [String] {
      var plan = try data.plan()
      try change(&plan)
      do throws(QuestError) {
        try runner.check(plan)
        return []
      } catch {
        guard case .differs(id, let found) = error else { throw error }
        return found.map { String($0.prefix { $0 != ":" }) }
      }
    }
    #expect(try differences { _ in } == [])
    #expect(try differences { $0.seed = 43 } == ["seed"])
    #expect(try differences { $0.quests = 7 } == ["quests"])
    #expect(try differences { $0.settings.goal = nil } == ["goal"])
    #expect(try differences { $0.mode = .campaign } == ["mode"])
    #expect(try differences { $0.roster[1].defense += 1 } == ["roster"])
    #expect(try differences { $0.roster.removeLast() } == ["roster"])
    #expect(
      try differences { $0.table = try EnemyTable(Array($0.table.species.dropLast())) } == ["dex"])
  }

  @Test func `is not gone on with by two, nor over an adventurer who was changed`() throws {
    let data = try QuestDatabase()
    let id = try QuestRunner.begin(try data.plan(.campaign, quests: 5), in: data.database)
    try data.database.write { (transaction: inout DatabaseTransaction) throws in
      var bo = try #require(try transaction.get(Adventurer.self, EntityID(2)))
      bo.level = 9
      try transaction.update(bo, id: EntityID(2))
    }
    let before = try data.adventurer(2)
    #expect(throws: QuestError.self) { try QuestRunner(id, in: data.database).run(chunkSize: 2) }
    #expect(try data.adventurer(2) == before)
  }

  @Test func `is not begun on what the rules do not allow`() throws {
    let data = try QuestDatabase()
    func refusal(_ change: (inout QuestPlan) -> Void) throws -> QuestError? {
      var plan = try data.plan()
      change(&plan)
      do throws(QuestError) {
        _ = try QuestRunner.begin(plan, in: data.database)
        return nil
      } catch {
        return error
      }
    }
    let changes: [(inout QuestPlan) -> Void] = [
      { $0.quests = 0 }, { $0.settings.foes = 5 }, { $0.settings.goal = 0 },
      { $0.settings.limit = 0 }, { $0.roster = [] }, { $0.settings.goal = 1_000_000_000 },
      { $0.roster[0].speed = -1 }, { $0.roster.append($0.roster[2]) }, { $0.until = .level(1) },
      { $0.until = .level(5) }, { $0.until = .error(millionths: 0) },
    ]
    for change in changes { #expect(try refusal(change) != nil) }
    #expect(try data.database.snapshot().count("runs") == 0)
  }

  @Test func `replays what it ran, in campaigns too`() throws {
    let data = try QuestDatabase()
    let plan = try data.plan(.campaign, quests: 9)
    let id = try QuestRunner.begin(plan, in: data.database)
    let runner = try QuestRunner(id, in: data.database)
    #expect(try runner.run())
    for result in try runner.results() {
      var digests: UInt64 = 0
      for number in UInt64(0)..<9 {
        let quest = try runner.quest(number, of: result.value.adventurer)
        var one = QuestStatistics()
        one.add(quest.run(), quest: number, of: 9)
        digests &+= one.digest
      }
      #expect(digests == result.value.statistics.digest)
    }
    #expect(throws: QuestError.self) { try runner.quest(9, of: EntityID(1)) }
    #expect(throws: QuestError.self) { try runner.quest(0, of: EntityID(9)) }
  }
}
