/// What is known of many quests: integer sums and histograms, which merge in any order.
public struct QuestStatistics: Hashable, Sendable {
  /// How many were won.
  public private(set) var wins: UInt64 = 0
  /// How many ended by a fall.
  public private(set) var falls: UInt64 = 0
  /// How many went on to the limit.
  public private(set) var timeouts: UInt64 = 0
  /// Fallen enemies.
  public private(set) var kills = QuestMeasure()
  /// The level at the end.
  public private(set) var level = QuestMeasure()
  /// The experience that was won.
  public private(set) var experience = QuestMeasure()
  /// The length in ticks.
  public private(set) var ticks = QuestMeasure()
  /// The damage done.
  public private(set) var dealt = QuestMeasure()
  /// The damage taken.
  public private(set) var taken = QuestMeasure()
  /// How many times somebody acted.
  public private(set) var events: UInt128 = 0
  /// A number that stands for all results, in any order.
  public private(set) var digest: UInt64 = 0
  /// The best quest; nil where there is none yet.
  public private(set) var best: QuestExample?
  /// The worst quest; nil where there is none yet.
  public private(set) var worst: QuestExample?
  /// The first quest of each bin of the histogram of kills.
  public private(set) var examples: [Int: QuestExample] = [:]
  /// How levels and experience went on from the first quests to the last.
  public private(set) var curve = QuestCurve()

  /// Nothing yet.
  public init() {}

  /// How many quests.
  public var count: UInt64 { kills.count }

  /// A quest in the middle: one of the bin in which the median of the kills is.
  public var median: QuestExample? {
    kills.histogram.bin(atThousandth: 500).flatMap { examples[$0] }
  }

  /// Takes the result of quest `number` out of `quests`.
  public mutating func add(_ result: QuestResult, quest number: UInt64, of quests: UInt64) {
    switch result.outcome {
    case .win: wins &+= 1
    case .fall: falls &+= 1
    case .timeout: timeouts &+= 1
    }
    kills.add(Int64(result.kills))
    level.add(Int64(result.level))
    experience.add(Int64(result.experience))
    ticks.add(result.tick)
    dealt.add(result.dealt)
    taken.add(result.taken)
    events &+= UInt128(truncatingIfNeeded: result.events)
    digest &+= SplitMix.mix(result.digest ^ (number &* SplitMix.step))
    curve.add(result, quest: number, of: quests)
    let bin = QuestHistogram.bin(of: Int64(result.kills))
    // Quests come in ascending order, so that the first one of a bin is the least.
    if kills.histogram.counts[bin] == 1 {
      examples[bin] = QuestExample(quest: number, result: result)
    }
    if best.map({ QuestExample.isBetter(result, than: $0.result) }) ?? true {
      best = QuestExample(quest: number, result: result)
    }
    if worst.map({ QuestExample.isBetter($0.result, than: result) }) ?? true {
      worst = QuestExample(quest: number, result: result)
    }
  }

  /// Adds what others know of other quests of the same adventurer.
  public mutating func merge(_ other: QuestStatistics) {
    wins &+= other.wins
    falls &+= other.falls
    timeouts &+= other.timeouts
    kills.merge(other.kills)
    level.merge(other.level)
    experience.merge(other.experience)
    ticks.merge(other.ticks)
    dealt.merge(other.dealt)
    taken.merge(other.taken)
    events &+= other.events
    digest &+= other.digest
    curve.merge(other.curve)
    for (bin, example) in other.examples {
      if let own = examples[bin], own.quest <= example.quest { continue }
      examples[bin] = example
    }
    if let example = other.best, best.map({ example.precedes($0, better: true) }) ?? true {
      best = example
    }
    if let example = other.worst, worst.map({ example.precedes($0, better: false) }) ?? true {
      worst = example
    }
  }

  /// All of it as bytes, the same for the same quests however they were merged.
  var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.byte(Self.version)
    for number in [wins, falls, timeouts, digest] { writer.variable(number) }
    for measure in [kills, level, experience, ticks, dealt, taken] { measure.encode(to: &writer) }
    writer.variable(UInt64(truncatingIfNeeded: events))
    writer.variable(UInt64(truncatingIfNeeded: events >> 64))
    curve.encode(to: &writer)
    for example in [best, worst] {
      writer.byte(example == nil ? 0 : 1)
      example?.encode(to: &writer)
    }
    writer.variable(UInt64(examples.count))
    for (bin, example) in examples.sorted(by: { $0.key < $1.key }) {
      writer.variable(UInt64(bin))
      example.encode(to: &writer)
    }
    return writer.bytes
  }

  private static let version: UInt8 = 1

  /// The statistics that `bytes` say, which nobody believes; nil where they say none.
  init?(untrusted bytes: [UInt8]) {
    if bytes.isEmpty { return }
    var reader = ByteReader(untrusted: bytes.rawSpan)
    guard reader.byte() == Self.version else { return nil }
    wins = reader.variable()
    falls = reader.variable()
    timeouts = reader.variable()
    digest = reader.variable()
    var measures: [QuestMeasure] = []
    for _ in 0..<6 {
      guard let measure = QuestMeasure(untrusted: &reader) else { return nil }
      measures.append(measure)
    }
    kills = measures[0]
    level = measures[1]
    experience = measures[2]
    ticks = measures[3]
    dealt = measures[4]
    taken = measures[5]
    let low = reader.variable()
    events = UInt128(low) | UInt128(reader.variable()) << 64
    guard let curve = QuestCurve(untrusted: &reader) else { return nil }
    self.curve = curve
    if reader.byte() == 1 { best = QuestExample(untrusted: &reader) }
    if reader.byte() == 1 { worst = QuestExample(untrusted: &reader) }
    for _ in 0..<reader.length() {
      let bin = reader.variable()
      guard bin < UInt64(QuestHistogram.binLimit), let example = QuestExample(untrusted: &reader)
      else { return nil }
      examples[Int(bin)] = example
    }
    if reader.damage != nil || reader.remaining > 0 || !isConsistent { return nil }
  }

  /// True where the numbers are such as quests give.
  private var isConsistent: Bool {
    let limit = UInt64(QuestPlan.questLimit)
    guard wins <= limit, falls <= limit, timeouts <= limit,
      wins + falls + timeouts == kills.count
    else { return false }
    return [level, experience, ticks, dealt, taken].allSatisfy { $0.count == kills.count }
      && curve.isPossible(of: kills.count)
  }
}
