internal import PageStore

/// A share of a run's quests, computed apart from the database that shall have them.
///
/// As a file, little-endian: `DEXQPART`; the version, 4 bytes; the number of the share from 1 and how
/// many shares there are, 4 each; the byte count of the plan, 4; the plan; for each adventurer the
/// byte count of its statistics, 4, and these; CRC-32C of all before, 4.
public struct QuestPart: Sendable {
  /// What the quests of the whole run follow from.
  public let plan: QuestPlan
  /// Which share it is, from 1.
  public let shard: Int
  /// How many shares there are.
  public let shards: Int
  /// By the places in the roster.
  let statistics: [QuestStatistics]

  /// How many shares there may be.
  public static let shardLimit = 1_000_000
  /// No file of a part is longer.
  public static let byteLimit = 1 << 28
  private static let version: UInt32 = 1
  /// The bytes with which the file of a part begins.
  public static let magic = Array("DEXQPART".utf8)
  /// The bytes before the plan.
  private static let headCount = 24

  /// The quests of one share: of each adventurer, as many as follow each other.
  static func quests(_ shard: Int, of shards: Int, total: Int) -> Range<Int> {
    // Shares of quests up to 10^12 times shares up to 10^6 fit.
    (total * (shard - 1) / shards)..<(total * shard / shards)
  }

  /// Computes a share.
  ///
  /// - Throws: `.settings` where the plan cannot be shared; what `QuestPlan.check` does.
  public init(_ plan: QuestPlan, shard: Int, of shards: Int) throws(QuestError) {
    try plan.check()
    if plan.mode != .sample || plan.until != nil {
      throw .settings("only a sample without a condition can be shared out")
    }
    guard (1...Self.shardLimit).contains(shards), (1...shards).contains(shard) else {
      throw .settings("shard \(shard)/\(shards): it must be from 1 to \(shards)")
    }
    self.plan = plan
    self.shard = shard
    self.shards = shards
    let computing = try QuestComputing(plan, keepsLog: false)
    let range = Self.quests(shard, of: shards, total: plan.quests)
    statistics = plan.roster.indices.map { place in
      let result = computing.compute(
        QuestChunk(
          place: place, first: range.lowerBound, count: range.count, order: 0,
          fighter: plan.roster[place]))
      var statistics = QuestStatistics()
      for part in result.parts { statistics.merge(part) }
      return statistics
    }
  }

  /// The part as a file.
  public var encoded: [UInt8] {
    let body = plan.encoded
    var bytes = Self.magic
    for number in [Self.version, UInt32(shard), UInt32(shards), UInt32(body.count)] {
      QuestLog.append(number, to: &bytes)
    }
    bytes += body
    for part in statistics {
      let encoded = part.encoded
      QuestLog.append(UInt32(encoded.count), to: &bytes)
      bytes += encoded
    }
    QuestLog.append(EmbeddedFacts.checksum(of: bytes[...]), to: &bytes)
    return bytes
  }

  /// The part that a file has, which nobody believes.
  ///
  /// - Throws: `.part`, in words.
  public init(untrusted bytes: [UInt8]) throws(QuestError) {
    guard bytes.count >= Self.headCount + 4, bytes.prefix(8) == Self.magic[...] else {
      throw .part("it is no part of a run")
    }
    let number = { (offset: Int) in Int(QuestLog.number(UInt32.self, bytes, at: offset)) }
    if number(8) > Int(Self.version) { throw .part("it is of a newer program") }
    let end = bytes.count - 4
    guard EmbeddedFacts.checksum(of: bytes[..<end]) == UInt32(number(end)) else {
      throw .part("it is damaged, or not whole")
    }
    (shard, shards) = (number(12), number(16))
    let planEnd = Self.headCount + number(20)
    guard (1...Self.shardLimit).contains(shards), (1...shards).contains(shard), planEnd <= end,
      let plan = QuestPlan(untrusted: Array(bytes[Self.headCount..<planEnd])),
      plan.mode == .sample, plan.until == nil
    else { throw .part("its plan cannot be read") }
    self.plan = plan
    let count = UInt64(Self.quests(shard, of: shards, total: plan.quests).count)
    var position = planEnd
    var statistics: [QuestStatistics] = []
    for _ in plan.roster {
      guard position + 4 <= end, case let size = number(position), position + 4 + size <= end,
        let part = QuestStatistics(untrusted: Array(bytes[(position + 4)..<(position + 4 + size)])),
        part.count == count
      else { throw .part("its results cannot be read") }
      statistics.append(part)
      position += 4 + size
    }
    if position != end { throw .part("there is something behind its results") }
    self.statistics = statistics
  }

  /// What keeps these from being a whole run, in words; nil where they are one.
  public static func problem(_ parts: [(name: String, part: QuestPart)]) -> String? {
    guard let first = parts.first else { return "there is no part" }
    var names: [Int: String] = [:]
    for (name, part) in parts {
      if part.shards != first.part.shards {
        return "\(name) is one of \(part.shards) parts, and \(first.name) one of "
          + "\(first.part.shards)"
      }
      let differences = part.plan.differences(from: first.part.plan)
      if !differences.isEmpty || part.plan.encoded != first.part.plan.encoded {
        return "\(name) does not belong to \(first.name): "
          + (differences.isEmpty ? "another query" : differences.joined(separator: "; "))
      }
      if let other = names[part.shard] {
        return "part \(part.shard)/\(part.shards) is there twice: \(other) and \(name)"
      }
      names[part.shard] = name
    }
    let missing = (1...first.part.shards).filter { names[$0] == nil }
    if missing.isEmpty { return nil }
    let shown = missing.prefix(20).map { "\($0)" }.joined(separator: ", ")
    return
      "\(missing.count) of \(first.part.shards) parts \(missing.count == 1 ? "is" : "are") missing: \(shown)"
      + (missing.count > 20 ? ", …" : "")
  }
}

extension QuestRunner {
  /// Keeps a run whose parts were computed elsewhere, all of it in one transaction.
  ///
  /// - Throws: `.part` where the parts are not a whole run, the database has it already, or an
  ///   adventurer is another one there; `.adventurer` where one is gone; `.database`.
  public static func merge(
    _ parts: [(name: String, part: QuestPart)], in database: Database
  ) throws(QuestError) -> EntityID {
    if let problem = QuestPart.problem(parts) { throw .part(problem) }
    let plan = parts[0].part.plan
    var run = QuestRun(plan)
    var results = plan.roster.map { QuestRunResult(run: EntityID(0), $0) }
    for (_, part) in parts.sorted(by: { $0.part.shard < $1.part.shard }) {
      for (place, statistics) in part.statistics.enumerated() {
        results[place].statistics.merge(statistics)
      }
    }
    for place in results.indices {
      results[place].done = plan.quests
      results[place].isDone = true
      // Shares of a run are a trillion quests of 65,536 adventurers at most.
      run.wins += Int(clamping: results[place].statistics.wins)
      run.losses += Int(clamping: results[place].statistics.falls)
      run.done += plan.quests
    }
    run.state = .finished
    return try QuestError.wrap {
      try database.write { (transaction: inout DatabaseTransaction) throws in
        for known in try transaction.find(QuestRun.self) where known.value.isOf(plan) {
          throw QuestError.part("run \(known.id) has these quests already")
        }
        let id = try transaction.insert(run)
        try transaction.insert(QuestInputs(run: id, plan))
        for (var result, frozen) in zip(results, plan.roster) {
          result.run = id
          try transaction.insert(result)
          guard var adventurer = try transaction.get(Adventurer.self, result.adventurer) else {
            throw QuestError.adventurer(
              id: result.adventurer, name: result.name, reason: "it was deleted since")
          }
          if Fighter(adventurer, id: result.adventurer).rested != frozen.rested {
            throw QuestError.part(
              "roster: adventurer \(frozen.id) is another one here than \(frozen.name), who went on "
                + "the quests, or has changed since")
          }
          adventurer.count(result.statistics.wins, result.statistics.falls)
          adventurer.currentHitPoints = adventurer.totalHitPoints
          try transaction.update(adventurer, id: result.adventurer)
        }
        return id
      }
    }
  }
}

extension QuestRun {
  /// True where the run's results are those of the plan.
  fileprivate func isOf(_ plan: QuestPlan) -> Bool {
    let other = QuestRun(plan)
    return seed == other.seed && mode == other.mode && quests == other.quests
      && settings == other.settings && until == other.until && rules == other.rules
      && rosterDigest == other.rosterDigest && dexDigest == other.dexDigest
  }
}
