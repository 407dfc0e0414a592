/// The record of a run: what its results follow from, and how far it is.
///
/// The roster and the enemies are frozen in a record of their own, so that every quest of it can be
/// computed again, whatever becomes of the adventurers and the Pokédex.
public struct QuestRun: Hashable, Sendable {
  /// How far a run is.
  public enum State: String, CaseIterable, Hashable, Sendable {
    /// There are quests left.
    case unfinished
    /// All that the plan wanted is done.
    case finished
  }

  /// How far it is.
  public var state: State
  /// How quests follow each other.
  public var mode: QuestMode
  /// What decides all draws.
  public var seed: UInt64
  /// The version of the rules.
  public var rules: Int
  /// How many quests each adventurer goes on.
  public var quests: Int
  /// What each quest is like.
  public var settings: QuestSettings
  /// When to end before.
  public var until: QuestUntil?
  /// The query that the roster answered.
  public var adventurers: String
  /// The query that the enemies answered, or the name of a bestiary.
  public var enemies: String
  /// Stands for the roster, in hexadecimal digits.
  public var rosterDigest: String
  /// Stands for the enemies, in hexadecimal digits.
  public var dexDigest: String
  /// How many quests are done, of all adventurers.
  public var done: Int
  /// How many of them were won.
  public var wins: Int
  /// How many of them ended by a fall.
  public var losses: Int

  /// A run of which nothing is done yet.
  init(_ plan: QuestPlan) {
    state = .unfinished
    mode = plan.mode
    seed = plan.seed
    rules = QuestRules.version
    quests = plan.quests
    settings = plan.settings
    until = plan.until
    adventurers = plan.adventurers
    enemies = plan.enemies
    rosterDigest = QuestDigest.text(plan.rosterDigest)
    dexDigest = QuestDigest.text(plan.table.digest)
    done = 0
    wins = 0
    losses = 0
  }

  /// The plan, with what was frozen; nil where that is not what the run began with.
  func plan(_ frozen: QuestInputs) -> QuestPlan? {
    guard let roster = QuestRoster.decode(untrusted: frozen.roster),
      let table = EnemyTable(untrusted: frozen.dex)
    else { return nil }
    let plan = QuestPlan(
      seed: seed, mode: mode, quests: quests, settings: settings, until: until,
      adventurers: adventurers, enemies: enemies, roster: roster, table: table)
    let digests = [QuestDigest.text(plan.rosterDigest), QuestDigest.text(table.digest)]
    return digests == [rosterDigest, dexDigest] ? plan : nil
  }
}

/// The roster and the enemies of a run as they were when it began.
struct QuestInputs: Entity {
  var run: EntityID
  var roster: [UInt8]
  var dex: [UInt8]

  init(run: EntityID, _ plan: QuestPlan) {
    self.run = run
    roster = QuestRoster.encode(plan.roster)
    dex = plan.table.encoded
  }

  static let schema = Schema(
    name: "inputs",
    fields: [
      FieldDefinition(
        1, "run", .reference(entity: "runs", onDelete: .cascade), index: .terms,
        rules: [.required]),
      FieldDefinition(2, "roster", .bytes, rules: [.required]),
      FieldDefinition(3, "dex", .bytes, rules: [.required]),
    ])

  init(from record: inout RecordReader) {
    run = record.reference(1)
    roster = record.bytes(2)
    dex = record.bytes(3)
  }

  func encode(to record: inout RecordWriter) {
    record.set(1, reference: run)
    record.set(2, bytes: roster)
    record.set(3, bytes: dex)
  }
}

extension QuestRun: Entity {
  /// What a record holds.
  public static let schema = Schema(
    name: "runs",
    fields: [
      FieldDefinition(
        1, "state", .vocabulary(State.allCases.map(\.rawValue)), index: .terms, rules: [.required]),
      FieldDefinition(
        2, "mode", .vocabulary(QuestMode.allCases.map(\.rawValue)), index: .terms,
        rules: [.required]),
      // A text: integers of records have a sign.
      FieldDefinition(3, "seed", .text, index: .terms, rules: [.required, .byteCount(20)]),
      FieldDefinition(
        4, "rules", .integer, index: .numbers, rules: [.required, .range(1, 65_535)]),
      FieldDefinition(
        5, "quests", .integer, index: .numbers,
        rules: [.required, .range(1, Int64(QuestPlan.questLimit))]),
      FieldDefinition(6, "foes", .integer, index: .numbers, rules: [.required, .range(1, 4)]),
      FieldDefinition(7, "goal", .integer, index: .numbers, rules: [.range(1, .max)]),
      FieldDefinition(
        8, "limit", .integer, unit: "ms", index: .numbers,
        rules: [.required, .range(1, QuestSettings.greatestLimit)]),
      FieldDefinition(9, "until_level", .integer, index: .numbers, rules: [.range(1, 200)]),
      FieldDefinition(
        10, "until_error", .decimal(denominator: 10_000), unit: "%", index: .numbers,
        rules: [.range(1, 999_999)]),
      FieldDefinition(11, "adventurers", .text, rules: [.byteCount(65_535)]),
      FieldDefinition(12, "enemies", .text, rules: [.byteCount(65_535)]),
      FieldDefinition(13, "roster_digest", .text, rules: [.required, .byteCount(16)]),
      FieldDefinition(14, "dex_digest", .text, rules: [.required, .byteCount(16)]),
      FieldDefinition(15, "done", .integer, index: .numbers, rules: [.required, .range(0, .max)]),
      FieldDefinition(16, "wins", .integer, index: .numbers, rules: [.required, .range(0, .max)]),
      FieldDefinition(
        17, "losses", .integer, index: .numbers, rules: [.required, .range(0, .max)]),
    ])

  /// Takes the values of a record.
  public init(from record: inout RecordReader) throws(DatabaseError) {
    state = record.ordinal(1) == 1 ? .finished : .unfinished
    mode = record.ordinal(2) == 1 ? .campaign : .sample
    guard let seed = UInt64(record.text(3)) else {
      throw .corruptCatalog("the seed of a run is no number")
    }
    self.seed = seed
    rules = record.integer(4)
    quests = record.integer(5)
    settings = QuestSettings(
      foes: record.integer(6), goal: record.integerIfPresent(7), limit: Int64(record.integer(8)))
    until = record.integerIfPresent(9).map { QuestUntil.level($0) }
    if let error = record.integerIfPresent(10) { until = .error(millionths: error) }
    adventurers = record.textIfPresent(11) ?? ""
    enemies = record.textIfPresent(12) ?? ""
    rosterDigest = record.text(13)
    dexDigest = record.text(14)
    done = record.integer(15)
    wins = record.integer(16)
    losses = record.integer(17)
  }

  /// Gives the values to a record.
  public func encode(to record: inout RecordWriter) {
    record.set(1, name: state.rawValue)
    record.set(2, name: mode.rawValue)
    record.set(3, text: String(seed))
    record.set(4, integer: rules)
    record.set(5, integer: quests)
    record.set(6, integer: settings.foes)
    record.set(7, integer: settings.goal)
    record.set(8, integer: Int(settings.limit))
    if case .level(let level)? = until { record.set(9, integer: level) }
    if case .error(let millionths)? = until { record.set(10, integer: millionths) }
    record.set(11, text: adventurers.isEmpty ? nil : adventurers)
    record.set(12, text: enemies.isEmpty ? nil : enemies)
    record.set(13, text: rosterDigest)
    record.set(14, text: dexDigest)
    record.set(15, integer: done)
    record.set(16, integer: wins)
    record.set(17, integer: losses)
  }
}
