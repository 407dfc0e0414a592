#if HAVE_PAGESTORE
  import CQuests
  import Entities

  /// Those that go on quests beside ours.
  var questPeers: [any Contestant.Type] { [PlainQuests.self] }

  /// Those that run quests beside ours.
  var questRunPeers: [any Contestant.Type] { [UnstoredQuestRuns.self] }

  extension Row {
    /// Quests beside the same loop in C, and runs beside the same without a database.
    static let quests: [Row] = [
      loop("quests", foes: 1, isLogged: false),
      loop("quests-2-foes", foes: 2, isLogged: false),
      loop("quests-4-foes", foes: 4, isLogged: false),
      loop("quests-logged", foes: 1, isLogged: true),
      loop("quests-4-foes-logged", foes: 4, isLogged: true),
      Row(
        "quests-committed-2-threads", .questRuns, "quests/s", better: .higher, .reads,
        "ours: statistics committed durably in chunks; peer: the same statistics, no database"
      ) { (stage, contestant, _) in
        let count = stage.workload.scale.questRunCount
        return try stage.withQuestRun(contestant) { engine in
          try .rate(of: count) { try engine.run(count, jobs: 2) }
        }
      },
    ]

    private static let parts = 50

    private static func loop(_ name: String, foes: Int, isLogged: Bool) -> Row {
      Row(
        name, .quests, "quests/s", better: .higher, .reads,
        "to the fall, \(foes) at once\(isLogged ? ", 8 bytes an event into memory" : ""); "
          + "the fastest of \(parts) parts; peer: the loop in C at -O3"
      ) { (stage, contestant, _) in
        let quester = try stage.quester(contestant)
        let count = stage.workload.scale.questCount
        // A part is shorter than a turn on a processor that others want, too.
        var digest = Digest()
        var fastest = Double.infinity
        for part in 0..<parts {
          let first = part * count / parts
          let numbers = UInt64(first)..<UInt64(first + count / parts)
          let time = try timed {
            try quester.go(numbers, foes: foes, isLogged: isLogged, into: &digest)
          }
          fastest = min(fastest, time)
        }
        return Sample(figure: Double(count / parts) / fastest, digest: digest)
      }
    }
  }

  /// Who goes on quests, and what is met there: the species of the bundled Pokédex.
  struct QuestWorld {
    static let seed: UInt64 = 42
    let fighter: Fighter
    let enemies: EnemyTable

    init() throws {
      var adventurer = Adventurer(
        name: "Ana", profession: "Knight", hitPoints: 130, multiplier: 280, defense: 95, evasion: 8,
        speed: 55)
      adventurer.level = 5
      fighter = Fighter(adventurer, id: EntityID(1))
      let database = try Database.inMemory(entities: Pokedex.entities)
      try database.write { (transaction: inout DatabaseTransaction) throws(DatabaseError) in
        try Pokedex.fill(&transaction)
      }
      enemies = try EnemyTable(database.snapshot())
    }
  }

  /// Goes on quests one after the other, and folds how each ended and what happened.
  protocol QuestEngine: Contestant {
    init(_ world: QuestWorld) throws

    func go(_ numbers: Range<UInt64>, foes: Int, isLogged: Bool, into digest: inout Digest) throws
  }

  extension Digest {
    fileprivate mutating func fold(_ result: [Int64], _ events: UnsafeRawBufferPointer?) {
      result.withUnsafeBytes { result in
        guard let start = result.baseAddress else { return }
        fold(start, result.count, events?.baseAddress ?? start, events?.count ?? 0)
      }
    }
  }

  /// The quests of the library.
  final class OurQuests: QuestEngine {
    static let name = "ours"
    static let checks = "overflow where an enemy appears or falls"

    /// By their number of enemies.
    private let quests: [Int: Quest]

    init(_ world: QuestWorld) throws {
      var quests: [Int: Quest] = [:]
      for foes in QuestRules.foeCounts {
        quests[foes] = try Quest(
          seed: QuestWorld.seed, number: 0, fighter: world.fighter, enemies: world.enemies,
          settings: QuestSettings(foes: foes))
      }
      self.quests = quests
    }

    func go(_ numbers: Range<UInt64>, foes: Int, isLogged: Bool, into digest: inout Digest) throws {
      guard let quest = quests[foes] else { throw BenchError("no quests of \(foes) enemies") }
      var events = QuestEvents()
      for number in numbers {
        if isLogged {
          let result = quest.run(number, into: &events)
          events.events.withUnsafeBytes { digest.fold(result.numbers, $0) }
          events.removeAll()
        } else {
          digest.fold(quest.run(number).numbers, nil)
        }
      }
    }
  }

  extension QuestResult {
    fileprivate var numbers: [Int64] {
      [
        Int64(outcome.rawValue), tick, events, Int64(kills), Int64(level), Int64(hitPoints),
        Int64(totalHitPoints), Int64(experience), dealt, taken,
      ]
    }
  }

  /// The same loop in C.
  final class PlainQuests: QuestEngine {
    static let name = "c"
    static let checks = "nothing"

    private let kinds: [quest_kind]
    private let fighter: quest_fighter
    private var events = [UInt64](repeating: 0, count: 1 << 20)

    init(_ world: QuestWorld) throws {
      let chart = try TypeChart.bundled()
      let ours = world.fighter
      kinds = world.enemies.species.map { enemy in
        var kind = quest_kind()
        kind.hp = Int32(enemy.hp)
        kind.attack = Int32(enemy.attack)
        kind.defense = Int32(enemy.defense)
        kind.multiplier = Int32(enemy.multiplier)
        kind.base_experience = Int32(enemy.baseExperience)
        kind.interval = Int32(QuestRules.interval(speed: Int64(enemy.speed)))
        kind.evasion = UInt16(enemy.evasion * 256)
        let effects = enemy.types.map { QuestRules.effect(of: ours.attackType, on: $0, in: chart) }
        kind.effects = (
          UInt16(effects[0]), effects.count > 1 ? UInt16(effects[1]) : 100, 100, 100
        )
        return kind
      }
      fighter = quest_fighter(
        id: ours.id, level: Int64(ours.level), current_hit_points: Int64(ours.currentHitPoints),
        total_hit_points: Int64(ours.totalHitPoints), multiplier: Int64(ours.multiplier),
        defense: Int64(ours.defense), evasion: Int64(ours.evasion), speed: Int64(ours.speed))
    }

    func go(_ numbers: Range<UInt64>, foes: Int, isLogged: Bool, into digest: inout Digest) throws {
      try kinds.withUnsafeBufferPointer { kinds in
        guard let start = kinds.baseAddress else { throw BenchError("there are no enemies") }
        var world = quest_world(
          kinds: start, kind_count: UInt64(kinds.count), seed: QuestWorld.seed, foes: Int64(foes),
          goal: .max, limit: QuestRules.usualLimit)
        var fighter = fighter
        var result = quest_result()
        for number in numbers {
          if isLogged {
            let room = UInt64(events.count)
            let written = quest_run_logged(&world, &fighter, number, &result, &events, room)
            if written > room { throw BenchError("a quest has more events than there is room for") }
            events.withUnsafeBytes { events in
              digest.fold(result.numbers, .init(rebasing: events[..<(Int(written) * 8)]))
            }
          } else {
            quest_run(&world, &fighter, number, &result)
            digest.fold(result.numbers, nil)
          }
        }
      }
    }
  }

  extension quest_result {
    fileprivate var numbers: [Int64] {
      [
        outcome, tick, events, kills, level, hit_points, total_hit_points, experience, dealt, taken,
      ]
    }
  }
#else
  var questPeers: [any Contestant.Type] { [] }
  var questRunPeers: [any Contestant.Type] { [] }

  extension Row {
    static let quests: [Row] = []
  }
#endif
