/// One quest that stands out, by its number, to be computed again.
public struct QuestExample: Hashable, Sendable {
  /// The number of the quest.
  public var quest: UInt64
  /// How it ended.
  public var result: QuestResult

  /// Whether one result is better than another: a win, then kills, experience, hit points, speed.
  static func isBetter(_ one: QuestResult, than other: QuestResult) -> Bool {
    if one.outcome != other.outcome { return one.outcome == .win || other.outcome == .fall }
    if one.kills != other.kills { return one.kills > other.kills }
    if one.experience != other.experience { return one.experience > other.experience }
    if one.hitPoints != other.hitPoints { return one.hitPoints > other.hitPoints }
    return one.tick < other.tick
  }

  /// Whether this one is better, or worse, than `other`; where neither is, the earlier one counts.
  func precedes(_ other: QuestExample, better: Bool) -> Bool {
    let one = better ? self : other
    let two = better ? other : self
    if Self.isBetter(one.result, than: two.result) { return true }
    if Self.isBetter(two.result, than: one.result) { return false }
    return quest < other.quest
  }

  func encode(to writer: inout ByteWriter) {
    writer.variable(quest)
    writer.byte(result.outcome.rawValue)
    for number in [
      result.tick, result.events, Int64(result.kills), Int64(result.level),
      Int64(result.hitPoints), Int64(result.totalHitPoints), Int64(result.experience),
      result.dealt, result.taken,
    ] {
      writer.variable(UInt64(bitPattern: number))
    }
  }

  /// The example that comes next, which nobody believes; nil where there is none.
  init?(untrusted reader: inout ByteReader) {
    quest = reader.variable()
    guard let outcome = QuestOutcome(rawValue: reader.byte()) else { return nil }
    var numbers: [Int64] = []
    for _ in 0..<9 { numbers.append(Int64(bitPattern: reader.variable())) }
    guard reader.damage == nil, numbers.allSatisfy({ $0 >= 0 }) else { return nil }
    result = QuestResult(
      outcome: outcome, tick: numbers[0], events: numbers[1], kills: Int(numbers[2]),
      level: Int(numbers[3]), hitPoints: Int(numbers[4]), totalHitPoints: Int(numbers[5]),
      experience: Int(numbers[6]), dealt: numbers[7], taken: numbers[8])
  }

  init(quest: UInt64, result: QuestResult) {
    self.quest = quest
    self.result = result
  }
}

/// How a run went on: the quests from the first to the last in 64 parts, with sums of each.
public struct QuestCurve: Hashable, Sendable {
  /// How many parts.
  public static let partCount = 64

  /// One part.
  public struct Part: Hashable, Sendable {
    /// How many quests.
    public var count: UInt64 = 0
    /// The sum of the levels at their ends.
    public var levels: UInt64 = 0
    /// The sum of the experience that they gave.
    public var experience: UInt64 = 0
    /// How many were won.
    public var wins: UInt64 = 0
  }

  /// The parts, the first quests first.
  public private(set) var parts = [Part](repeating: Part(), count: partCount)

  /// Nothing yet.
  public init() {}

  mutating func add(_ result: QuestResult, quest: UInt64, of quests: UInt64) {
    let (high, low) = min(quest, quests &- 1).multipliedFullWidth(by: UInt64(Self.partCount))
    let part = Int(quests.dividingFullWidth((high, low)).quotient)
    parts[part].count &+= 1
    parts[part].levels &+= UInt64(result.level)
    parts[part].experience &+= UInt64(result.experience)
    if result.outcome == .win { parts[part].wins &+= 1 }
  }

  mutating func merge(_ other: QuestCurve) {
    for index in parts.indices {
      parts[index].count &+= other.parts[index].count
      parts[index].levels &+= other.parts[index].levels
      parts[index].experience &+= other.parts[index].experience
      parts[index].wins &+= other.parts[index].wins
    }
  }

  func encode(to writer: inout ByteWriter) {
    for part in parts {
      for number in [part.count, part.levels, part.experience, part.wins] {
        writer.variable(number)
      }
    }
  }

  init?(untrusted reader: inout ByteReader) {
    for index in parts.indices {
      parts[index].count = reader.variable()
      parts[index].levels = reader.variable()
      parts[index].experience = reader.variable()
      parts[index].wins = reader.variable()
    }
    if reader.damage != nil { return nil }
  }

  /// True where the parts are such as `count` quests give.
  func isPossible(of count: UInt64) -> Bool {
    var left = count
    for part in parts {
      if part.count > left || part.wins > part.count { return false }
      left -= part.count
      let (levels, isOver) = part.count.multipliedReportingOverflow(
        by: UInt64(QuestRules.levels.upperBound))
      if isOver || part.levels > levels { return false }
    }
    return left == 0
  }
}
