internal import PageStore

/// What there is to go on with.
public enum QuestResumption: Hashable, Sendable {
  /// This run has quests left.
  case unfinished(EntityID)
  /// This run, the newest, is finished.
  case finished(EntityID)
  /// There is no run at all.
  case nothing
}

extension QuestRunner {
  /// The newest run with quests left; where there is none, the newest run.
  ///
  /// - Throws: `.database`.
  public static func resumption(in database: Database) throws(QuestError) -> QuestResumption {
    try QuestError.wrap {
      let snapshot = try database.snapshot()
      guard try snapshot.entityNames().contains(QuestRun.schema.name) else { return .nothing }
      var query = Query(entity: QuestRun.schema.name)
      query.order = [SortKey([FieldPath("id")], isDescending: true)]
      query.limit = 1
      let newest = try snapshot.findIDs(query).first
      query.filter = .has(FieldPath("state"), [QuestRun.State.unfinished.rawValue])
      if let id = try snapshot.findIDs(query).first { return .unfinished(id) }
      return newest.map { .finished($0) } ?? .nothing
    }
  }

  /// What the roster of the run should be by now: in a campaign, as the quests so far left it.
  ///
  /// - Throws: `.corruptRun`, `.database`.
  public func currentRoster() throws(QuestError) -> [Fighter] {
    if plan.mode == .sample { return plan.roster }
    return zip(plan.roster, try results()).map { $1.value.next($0) }
  }

  /// Looks whether `other`, made from what is there now, is this run.
  ///
  /// - Throws: `.differs`, which names all that is another; `.corruptRun`, `.database`.
  public func check(_ other: QuestPlan) throws(QuestError) {
    var expected = plan
    expected.roster = try currentRoster()
    let differences = other.differences(from: expected)
    if !differences.isEmpty { throw .differs(run: id, differences) }
  }

  /// The quest `number` of the adventurer `adventurer`, as the run has computed it or would.
  ///
  /// In a campaign all quests before it are computed, since it goes on from them.
  ///
  /// - Throws: `.noSuchQuest`.
  public func quest(_ number: UInt64, of adventurer: EntityID) throws(QuestError) -> Quest {
    guard let frozen = plan.roster.first(where: { $0.id == adventurer.rawValue }) else {
      throw .noSuchQuest("run \(id) has no adventurer \(adventurer)")
    }
    if number >= UInt64(plan.quests) {
      throw .noSuchQuest("run \(id) has quests 0 to \(plan.quests - 1), and no \(number)")
    }
    var fighter = frozen
    if plan.mode == .campaign {
      if let done = try results().first(where: { $0.value.adventurer == adventurer })?.value,
        done.isDone, number >= UInt64(clamping: done.done)
      {
        throw .noSuchQuest(
          "run \(id) ended for adventurer \(adventurer) after \(done.done.counted("quest")), "
            + "and has no \(number)")
      }
      fighter = try fighterBefore(number, frozen)
    }
    return try Quest(
      seed: plan.seed, number: number, fighter: fighter, enemies: plan.table,
      settings: plan.settings)
  }

  private func fighterBefore(_ number: UInt64, _ frozen: Fighter) throws(QuestError) -> Fighter {
    var plan = plan
    plan.until = nil
    let computing = try QuestComputing(plan, keepsLog: false)
    var fighter = frozen
    var first = 0
    while first < Int(number) {
      let count = min(1 << 16, Int(number) - first)
      let chunk = QuestChunk(place: 0, first: first, count: count, order: 0, fighter: fighter)
      fighter = computing.compute(chunk).fighter
      first += count
    }
    return fighter
  }

  /// Computes the log of all quests that are done once more, in the order in which it was written.
  ///
  /// - Throws: What `log` does; `.corruptRun`, `.database`.
  public func repeatLog(_ log: ([UInt8]) throws(QuestError) -> Void) throws(QuestError) {
    let computing = try QuestComputing(plan, keepsLog: true)
    for (place, result) in try results().enumerated() {
      var fighter = plan.roster[place]
      var first = 0
      while first < result.value.done {
        let count = min(256, result.value.done - first)
        let chunk = QuestChunk(place: place, first: first, count: count, order: 0, fighter: fighter)
        let computed = computing.compute(chunk)
        try log(computed.log)
        fighter = computed.fighter
        first += count
      }
    }
  }
}
