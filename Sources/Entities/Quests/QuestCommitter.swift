/// Puts what chunks gave into the database, each in one transaction.
struct QuestCommitter {
  private let run: EntityID
  private let plan: QuestPlan
  private let database: Database
  /// The results by the places in the roster, as they were committed.
  private var results: [Identified<QuestRunResult>]
  private(set) var doneHere = 0
  /// How many quests are done, of all adventurers.
  private(set) var done: Int
  /// How many adventurers have quests left.
  private var left: Int

  init(
    _ run: EntityID, _ plan: QuestPlan, _ results: [Identified<QuestRunResult>],
    _ database: Database
  ) {
    self.run = run
    self.plan = plan
    self.database = database
    self.results = results
    done = results.reduce(0) { $0 + $1.value.done }
    left = results.count { !$0.value.isDone }
  }

  var isFinished: Bool { left == 0 }

  /// Where each adventurer goes on.
  var starts: [QuestWorkList.Start] {
    zip(results, plan.roster).map { result, frozen in
      QuestWorkList.Start(
        first: result.value.done,
        fighter: plan.mode == .sample ? frozen : result.value.next(frozen),
        isDone: result.value.isDone)
    }
  }

  /// Commits what chunks gave, as far as it is wanted, in one transaction, and writes their logs
  /// before.
  ///
  /// - Returns: The results of the adventurers that have new ones, by their places in the roster.
  mutating func commit(
    _ chunks: [QuestChunkResult], _ log: (([UInt8]) throws(QuestError) -> Void)?
  ) throws(QuestError) -> [Int: QuestRunResult] {
    var taken: [Int: QuestRunResult] = [:]
    for chunk in chunks {
      let place = chunk.chunk.place
      var next = taken[place] ?? results[place].value
      if next.isDone { continue }
      add(chunk, to: &next)
      if let log {
        // A condition may have cut the chunk short.
        try log(QuestLogSection.prefix(of: chunk.log, before: UInt64(next.done)))
      }
      taken[place] = next
    }
    if taken.isEmpty { return taken }
    try store(taken)
    for (place, next) in taken {
      let gain = next.done - results[place].value.done
      doneHere += gain
      done += gain
      if next.isDone { left -= 1 }
      results[place].value = next
    }
    return taken
  }

  private func add(_ chunk: QuestChunkResult, to next: inout QuestRunResult) {
    precondition(next.done == chunk.chunk.first, "chunks of an adventurer come in their order")
    for part in chunk.parts {
      next.statistics.merge(part)
      next.done += Int(clamping: part.count)
      if isEnough(next.statistics) {
        next.isDone = true
        break
      }
    }
    if next.done == plan.quests || chunk.isEnough { next.isDone = true }
    if plan.mode == .campaign {
      next.level = chunk.fighter.level
      next.experience = chunk.fighter.experience
      next.totalHitPoints = chunk.fighter.totalHitPoints
    }
  }

  /// Whether an error is as small as was wanted; only ever asked of the first quests, in thousands.
  private func isEnough(_ statistics: QuestStatistics) -> Bool {
    guard case .error(let millionths)? = plan.until,
      statistics.count % QuestPlan.checkpoint == 0
    else { return false }
    let wanted = Double(millionths) / 1_000_000
    if plan.settings.goal != nil {
      let (low, high) = QuestEstimate.interval(statistics.wins, of: statistics.count)
      return (high - low) / 2 <= wanted
    }
    guard let mean = statistics.kills.mean, let error = statistics.kills.meanError else {
      return false
    }
    return error <= mean * wanted
  }

  private func store(_ taken: [Int: QuestRunResult]) throws(QuestError) {
    let (run, plan, results) = (run, plan, results)
    let isFinished = taken.values.count { $0.isDone } == left
    try QuestError.wrap {
      try database.write { (transaction: inout DatabaseTransaction) throws in
        guard var record = try transaction.get(QuestRun.self, run) else {
          throw QuestError.overtaken(run: run)
        }
        for (place, next) in taken.sorted(by: { $0.key < $1.key }) {
          let (before, id) = (results[place].value, results[place].id)
          guard try transaction.get(QuestRunResult.self, id) == before else {
            throw QuestError.overtaken(run: run)
          }
          try transaction.update(next, id: id)
          let wins = next.statistics.wins &- before.statistics.wins
          let losses = next.statistics.falls &- before.statistics.falls
          record.done = record.done.addingSaturating(next.done - before.done)
          record.wins = record.wins.addingSaturating(Int(clamping: wins))
          record.losses = record.losses.addingSaturating(Int(clamping: losses))
          guard var adventurer = try transaction.get(Adventurer.self, before.adventurer) else {
            throw QuestError.adventurer(
              id: before.adventurer, name: before.name,
              reason: "it was deleted since the run began")
          }
          if plan.mode == .campaign { try Self.update(&adventurer, from: before, to: next, run) }
          adventurer.count(wins, losses)
          adventurer.currentHitPoints = adventurer.totalHitPoints
          try transaction.update(adventurer, id: before.adventurer)
        }
        if isFinished { record.state = .finished }
        try transaction.update(record, id: run)
      }
    }
  }

  /// Gives an adventurer what a campaign brought, where nobody has changed it meanwhile.
  private static func update(
    _ adventurer: inout Adventurer, from before: QuestRunResult, to next: QuestRunResult,
    _ run: EntityID
  ) throws(QuestError) {
    guard adventurer.level == before.level, adventurer.experience == before.experience,
      adventurer.totalHitPoints == before.totalHitPoints
    else {
      throw .differs(
        run: run,
        [
          "roster: adventurer \(before.adventurer), \(before.name), has level \(adventurer.level) "
            + "and \(adventurer.experience) experience, and the run left it with level "
            + "\(before.level) and \(before.experience)"
        ])
    }
    adventurer.level = next.level
    adventurer.experience = next.experience
    adventurer.totalHitPoints = next.totalHitPoints
  }
}

extension Adventurer {
  /// Counts quests that were won and such that ended by a fall, as far as there are numbers.
  mutating func count(_ wins: UInt64, _ falls: UInt64) {
    self.wins = self.wins.addingSaturating(Int(clamping: wins))
    losses = losses.addingSaturating(Int(clamping: falls))
  }
}
