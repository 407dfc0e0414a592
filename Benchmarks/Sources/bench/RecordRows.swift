#if HAVE_PAGESTORE
  import Entities

  /// Those that read records beside ours.
  var recordPeers: [any Contestant.Type] { [SQLiteRecords.self] }

  extension Row {
    /// Records as values of a Swift type.
    static let records: [Row] = [
      Row(
        "record-get", .records, "records/s", better: .higher, .reads,
        "random records by number into a struct of 3 texts and 12 numbers, all of them read, warm; "
          + "SQLite by its C functions from a prepared statement"
      ) { (stage, contestant, _) in
        let engine = try stage.recordEngine(contestant)
        let numbers = stage.records.draws
        return try .rate(of: numbers.count) {
          var digest = Digest()
          try engine.read(numbers) { digest.fold($0, $1) }
          return digest
        }
      }
    ]
  }

  /// What records hold: the columns of a game's players.
  struct Player: Entity, Equatable {
    var name: String
    var profession: String
    var city: String?
    var level: Int
    var experience: Int
    var currentHitPoints: Int
    var totalHitPoints: Int
    var attack: Int
    var defense: Int
    var evasion: Int
    var speed: Int
    var wins: Int
    var losses: Int
    var created: Int
    var score: Double

    static let schema = Schema(
      name: "players",
      fields: [
        FieldDefinition(1, "name", .text), FieldDefinition(2, "profession", .text),
        FieldDefinition(3, "city", .text), FieldDefinition(4, "level", .integer),
        FieldDefinition(5, "experience", .integer),
        FieldDefinition(6, "current_hit_points", .integer),
        FieldDefinition(7, "total_hit_points", .integer), FieldDefinition(8, "attack", .integer),
        FieldDefinition(9, "defense", .integer), FieldDefinition(10, "evasion", .integer),
        FieldDefinition(11, "speed", .integer), FieldDefinition(12, "wins", .integer),
        FieldDefinition(13, "losses", .integer), FieldDefinition(14, "created", .date),
        FieldDefinition(15, "score", .real),
      ])

    init(from record: inout RecordReader) {
      name = record.text(1)
      profession = record.text(2)
      city = record.textIfPresent(3)
      level = record.integer(4)
      experience = record.integer(5)
      currentHitPoints = record.integer(6)
      totalHitPoints = record.integer(7)
      attack = record.integer(8)
      defense = record.integer(9)
      evasion = record.integer(10)
      speed = record.integer(11)
      wins = record.integer(12)
      losses = record.integer(13)
      created = record.integer(14)
      score = record.real(15)
    }

    func encode(to record: inout RecordWriter) {
      record.set(1, text: name)
      record.set(2, text: profession)
      record.set(3, text: city)
      for (place, number) in integers.enumerated() { record.set(4 + place, integer: number) }
      record.set(15, real: score)
    }

    /// The whole numbers in the order of their fields.
    var integers: [Int] {
      [
        level, experience, currentHitPoints, totalHitPoints, attack, defense, evasion, speed, wins,
        losses, created,
      ]
    }
  }

  extension Player {
    init(random: inout SplitMix64, names: [[String]], number: Int) {
      name = names[number].map(\.capitalizedWord).joined(separator: " ")
      profession =
        ["Knight", "Wizard", "Ranger", "Astronomer royal"].randomElement(using: &random)
        ?? ""
      city = number % 3 == 0 ? nil : names[number * 7 % names.count][0]
      level = .random(in: 1...200, using: &random)
      experience = .random(in: 0...5_000_000, using: &random)
      totalHitPoints = .random(in: 60...900, using: &random)
      currentHitPoints = .random(in: 0...totalHitPoints, using: &random)
      attack = .random(in: 205...435, using: &random)
      defense = .random(in: 40...110, using: &random)
      evasion = .random(in: 0...51, using: &random)
      speed = .random(in: 40...110, using: &random)
      wins = .random(in: 0...3_000, using: &random)
      losses = .random(in: 0...500, using: &random)
      created = 1_700_000_000_000 + .random(in: 0...50_000_000_000, using: &random)
      score = .random(in: 0...1, using: &random)
    }
  }

  extension String {
    fileprivate var capitalizedWord: String { prefix(1).uppercased() + dropFirst() }
  }

  /// The records that all read, and in which order.
  final class BenchRecords {
    let players: [Player]
    /// Numbers of records, from 1 on.
    let draws: [Int]

    init(_ rows: SearchRows, drawCount: Int) {
      var random = SplitMix64(seed: 50)
      players = (0..<rows.count / 4).map { number in
        Player(random: &random, names: rows.names, number: number)
      }
      let count = players.count
      draws = (0..<drawCount).map { _ in .random(in: 1...count, using: &random) }
    }
  }

  extension Digest {
    /// Folds texts and numbers of a record.
    mutating func fold(_ number: Int, _ player: Player) {
      var sum = player.level &+ 3 &* player.experience &+ 5 &* player.currentHitPoints
      sum = sum &* 7 &+ player.totalHitPoints &+ 11 &* player.attack &+ 13 &* player.defense
      sum = sum &* 17 &+ player.evasion &+ 19 &* player.speed &+ 23 &* player.wins
      sum = sum &* 29 &+ player.losses &+ 31 &* player.created
      sum ^= Int(bitPattern: UInt(player.score.bitPattern)) &+ player.profession.utf8.count
      sum = sum &* 37 &+ (player.city?.utf8.count ?? -1) &+ number
      var name = player.name
      name.withUTF8 { text in
        withUnsafeBytes(of: sum) { sum in
          guard let sum = sum.baseAddress, let text = text.baseAddress else { return }
          fold(sum, 8, text, player.name.utf8.count)
        }
      }
    }
  }

  /// Reads records.
  protocol RecordEngine: Contestant {
    init(_ players: [Player], path: String) throws

    /// Reads each record, numbers from 1 on, as a value.
    func read(_ numbers: [Int], _ body: (Int, Player) -> Void) throws
  }

  /// A database of this project.
  final class OurRecords: RecordEngine {
    static let name = "ours"
    static let checks = "all that could make a record's bytes mean something else"

    private let database: Database

    init(_ players: [Player], path: String) throws {
      database = try Database(path: path + "/records.dex", entities: [Player.self])
      try database.write { (transaction: inout DatabaseTransaction) throws(DatabaseError) in
        try transaction.fill { filler throws(DatabaseError) in
          for player in players { try filler.insert(player) }
        }
      }
      let snapshot = try database.snapshot()
      for (place, player) in players.enumerated() {
        guard try snapshot.get(Player.self, EntityID(UInt64(place + 1))) == player else {
          throw BenchError("a record of ours is not what was stored")
        }
      }
    }

    func read(_ numbers: [Int], _ body: (Int, Player) -> Void) throws {
      let snapshot = try database.snapshot()
      for number in numbers {
        guard let player = try snapshot.get(Player.self, EntityID(UInt64(number))) else {
          throw BenchError.missingRow(Self.name)
        }
        body(number, player)
      }
    }
  }
#else
  var recordPeers: [any Contestant.Type] { [] }

  extension Row {
    static let records: [Row] = []
  }
#endif
