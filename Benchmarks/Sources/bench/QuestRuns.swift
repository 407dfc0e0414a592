#if HAVE_PAGESTORE
  import Entities
  import Synchronization

  /// Goes on many quests on several threads, and folds the statistics of them all.
  protocol QuestRunEngine: Contestant {
    init(_ world: QuestWorld, path: String) throws

    func run(_ count: Int, jobs: Int) throws -> Digest
  }

  extension Digest {
    fileprivate init(_ statistics: QuestStatistics) {
      self.init()
      let count = statistics.count
      withUnsafeBytes(of: (statistics.digest, count)) { bytes in
        guard let start = bytes.baseAddress else { return }
        fold(start, bytes.count, start, 0)
      }
    }
  }

  /// A run of the library in a database on the disk, from its beginning to its end.
  final class OurQuestRuns: QuestRunEngine {
    static let name = "ours"
    static let checks = "as the store"

    private let world: QuestWorld
    private let database: Database

    init(_ world: QuestWorld, path: String) throws {
      self.world = world
      database = try Database(
        path: path + "/quests.dex", entities: [Adventurer.self] + QuestRunner.entities)
      try database.write { (transaction: inout DatabaseTransaction) throws(DatabaseError) in
        var adventurer = Adventurer(
          name: "Ana", profession: "Knight", hitPoints: 130, multiplier: 280, defense: 95,
          evasion: 8, speed: 55)
        adventurer.level = 5
        _ = try transaction.insert(adventurer)
      }
    }

    func run(_ count: Int, jobs: Int) throws -> Digest {
      let plan = QuestPlan(
        seed: QuestWorld.seed, quests: count, roster: [world.fighter], table: world.enemies)
      let runner = try QuestRunner(QuestRunner.begin(plan, in: database), in: database)
      guard try runner.run(jobs: jobs) else { throw BenchError("the run is not finished") }
      guard let result = try runner.results().first else { throw BenchError("no results") }
      return Digest(result.value.statistics)
    }
  }

  /// The same quests and statistics on threads of its own, kept nowhere.
  final class UnstoredQuestRuns: QuestRunEngine {
    static let name = "no-database"
    static let checks = "nothing"

    private let world: QuestWorld

    init(_ world: QuestWorld, path: String) { self.world = world }

    func run(_ count: Int, jobs: Int) throws -> Digest {
      let quest = try Quest(
        seed: QuestWorld.seed, number: 0, fighter: world.fighter, enemies: world.enemies)
      let shares = QuestShares()
      _ = try onThreads(jobs) { thread in
        var statistics = QuestStatistics()
        for number in UInt64(thread * count / jobs)..<UInt64((thread + 1) * count / jobs) {
          statistics.add(quest.run(number), quest: number, of: UInt64(count))
        }
        shares.add(statistics)
        return Digest()
      }
      return Digest(shares.sum)
    }
  }

  /// What threads computed, added up.
  private final class QuestShares: Sendable {
    private let whole = Mutex(QuestStatistics())

    var sum: QuestStatistics { whole.withLock { $0 } }

    func add(_ statistics: QuestStatistics) { whole.withLock { $0.merge(statistics) } }
  }
#endif
