/// What became of one adventurer in one run, as far as it is.
public struct QuestRunResult: Hashable, Sendable {
  /// The run.
  public var run: EntityID
  /// The number of the adventurer's record, who may be gone since.
  public var adventurer: EntityID
  /// What the adventurer was called.
  public var name: String
  /// True where no quest is left.
  public var isDone: Bool
  /// How many quests are done: always the first ones.
  public var done: Int
  /// The level from which the next quest goes on.
  public var level: Int
  /// The experience, likewise.
  public var experience: Int
  /// The hit points of the rested adventurer, likewise.
  public var totalHitPoints: Int
  /// What is known of the quests.
  public var statistics: QuestStatistics

  init(run: EntityID, _ fighter: Fighter) {
    self.run = run
    adventurer = EntityID(fighter.id)
    name = fighter.name
    isDone = false
    done = 0
    level = fighter.level
    experience = fighter.experience
    totalHitPoints = fighter.totalHitPoints
    statistics = QuestStatistics()
  }

  /// The fighter as the next quest finds it.
  func next(_ frozen: Fighter) -> Fighter {
    var fighter = frozen
    fighter.level = level
    fighter.experience = experience
    fighter.totalHitPoints = totalHitPoints
    fighter.currentHitPoints = totalHitPoints
    return fighter
  }
}

extension QuestRunResult: Entity {
  /// What a record holds.
  public static let schema = Schema(
    name: "results",
    fields: [
      FieldDefinition(
        1, "run", .reference(entity: "runs", onDelete: .cascade), index: .terms,
        rules: [.required]),
      FieldDefinition(
        2, "adventurer", .integer, index: .numbers,
        rules: [.required, .range(0, Int64(EntityID.limit.rawValue))]),
      FieldDefinition(3, "name", .text, index: .words, rules: [.required, .byteCount(255)]),
      FieldDefinition(4, "is_done", .flag, index: .terms, rules: [.required]),
      FieldDefinition(5, "done", .integer, index: .numbers, rules: [.required, .range(0, .max)]),
      FieldDefinition(6, "wins", .integer, index: .numbers, rules: [.required, .range(0, .max)]),
      FieldDefinition(7, "losses", .integer, index: .numbers, rules: [.required, .range(0, .max)]),
      FieldDefinition(
        8, "timeouts", .integer, index: .numbers, rules: [.required, .range(0, .max)]),
      FieldDefinition(9, "level", .integer, index: .numbers, rules: [.required, .range(1, 200)]),
      FieldDefinition(
        10, "experience", .integer, index: .numbers, rules: [.required, .range(0, .max)]),
      FieldDefinition(
        11, "total_hit_points", .integer, index: .numbers, rules: [.required, .range(1, .max)]),
      FieldDefinition(12, "digest", .text, rules: [.required, .byteCount(16)]),
      FieldDefinition(13, "statistics", .bytes, rules: [.required]),
    ])

  /// Takes the values of a record.
  public init(from record: inout RecordReader) throws(DatabaseError) {
    run = record.reference(1)
    adventurer = EntityID(UInt64(clamping: record.integer(2)))
    name = record.text(3)
    isDone = record.flag(4)
    done = record.integer(5)
    level = record.integer(9)
    experience = record.integer(10)
    totalHitPoints = record.integer(11)
    guard let statistics = QuestStatistics(untrusted: record.bytes(13)),
      statistics.count == UInt64(clamping: done)
    else { throw .corruptCatalog("a record of results: its statistics cannot be read") }
    self.statistics = statistics
  }

  /// Gives the values to a record.
  public func encode(to record: inout RecordWriter) {
    record.set(1, reference: run)
    record.set(2, integer: Int(adventurer.rawValue))
    record.set(3, text: name)
    record.set(4, flag: isDone)
    record.set(5, integer: done)
    record.set(6, integer: Int(clamping: statistics.wins))
    record.set(7, integer: Int(clamping: statistics.falls))
    record.set(8, integer: Int(clamping: statistics.timeouts))
    record.set(9, integer: level)
    record.set(10, integer: experience)
    record.set(11, integer: totalHitPoints)
    record.set(12, text: QuestDigest.text(statistics.digest))
    record.set(13, bytes: statistics.encoded)
  }
}
