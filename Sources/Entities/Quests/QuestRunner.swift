internal import PageStore

/// Goes on with a run that is in a database, until it is done or stopped.
///
/// Workers compute chunks, and the thread that calls commits all that are ready: one transaction holds
/// what a chunk gave to the adventurer, the run and its results, so that each quest counts exactly
/// once, however the program ends. The results are the same for any number of workers and any size of chunks.
///
/// ```swift
/// let run = try QuestRunner.begin(plan, in: database)
/// let runner = try QuestRunner(run, in: database)
/// let isFinished = try runner.run(jobs: 2)
/// ```
public struct QuestRunner: Sendable {
  /// The entities that a database of runs has.
  public static let entities: [any Entity.Type] = [
    QuestRun.self, QuestInputs.self, QuestRunResult.self,
  ]

  /// The number of the run's record.
  public let id: EntityID
  /// The run as it was when this was made.
  public let record: QuestRun
  /// What its results follow from.
  public let plan: QuestPlan
  private let database: Database

  /// How far a run is.
  public struct Progress: Sendable {
    /// How many quests are done, of all adventurers, since the run began.
    public var done: Int
    /// How many there are at most.
    public var total: Int
    /// How many of them this program did.
    public var doneHere: Int
  }

  /// Makes the record of a run, with its roster and its enemies, in one transaction.
  ///
  /// - Throws: What `QuestPlan.check` does; `.database`.
  public static func begin(_ plan: QuestPlan, in database: Database) throws(QuestError) -> EntityID
  {
    try plan.check()
    return try QuestError.wrap {
      try database.write { (transaction: inout DatabaseTransaction) throws in
        let id = try transaction.insert(QuestRun(plan))
        try transaction.insert(QuestInputs(run: id, plan))
        for fighter in plan.roster { try transaction.insert(QuestRunResult(run: id, fighter)) }
        return id
      }
    }
  }

  /// The run of that number.
  ///
  /// - Throws: `.noSuchQuest`, `.settings` where it follows other rules; `.corruptRun`, `.database`.
  public init(_ id: EntityID, in database: Database) throws(QuestError) {
    self.id = id
    self.database = database
    let (record, inputs) = try QuestError.wrap {
      let snapshot = try database.snapshot()
      guard let record = try snapshot.get(QuestRun.self, id) else {
        throw DatabaseError.noSuchRecord(entity: QuestRun.schema.name, id: id)
      }
      return (record, try snapshot.find(QuestInputs.self, where: Self.belongs(to: id)).first)
    }
    self.record = record
    if record.rules != QuestRules.version {
      throw .differs(
        run: id, ["rules: version \(record.rules) instead of \(QuestRules.version)"])
    }
    guard let inputs, let plan = record.plan(inputs.value) else {
      throw .corruptRun(run: id, "its roster and enemies are not those it began with")
    }
    self.plan = plan
  }

  private static func belongs(to run: EntityID) -> Filter {
    .number([FieldPath("run")], .equal, Number(Int64(bitPattern: run.rawValue)))
  }

  /// The results of the run, by the adventurers' numbers.
  ///
  /// - Throws: `.corruptRun` where they are not those of the roster; `.database`.
  public func results() throws(QuestError) -> [Identified<QuestRunResult>] {
    var found = try QuestError.wrap {
      try database.snapshot().find(QuestRunResult.self, where: Self.belongs(to: id))
    }
    found.sort { $0.value.adventurer < $1.value.adventurer }
    guard found.map(\.value.adventurer.rawValue) == plan.roster.map(\.id) else {
      throw .corruptRun(run: id, "its results are not those of its roster")
    }
    return found
  }

  /// Goes on with the run.
  ///
  /// - Parameters:
  ///   - jobs: How many threads compute.
  ///   - chunkSize: How many quests a chunk has; nil to let it follow from their length.
  ///   - isPatient: Asked now and then; once it is false, what is under way is committed, and the
  ///     run stays unfinished.
  ///   - log: Takes the sections of a log, in an order that only the plan decides.
  ///   - progress: Told after every commit.
  /// - Returns: True where the run is finished.
  /// - Throws: `.overtaken`, `.adventurer`, `.differs`; `.database`.
  public func run(
    jobs: Int = 1, chunkSize: Int? = nil, isPatient: () -> Bool = { true },
    log: (([UInt8]) throws(QuestError) -> Void)? = nil, progress: (Progress) -> Void = { _ in }
  ) throws(QuestError) -> Bool {
    try plan.check()
    var committer = QuestCommitter(id, plan, try results(), database)
    if committer.isFinished { return true }
    // Campaigns are committed as they come, and a log must not depend on that.
    let jobs = plan.mode == .campaign && log != nil ? 1 : max(1, jobs)
    let computing = try QuestComputing(plan, keepsLog: log != nil)
    let list = QuestWorkList(
      plan, starts: committer.starts, window: 4 * jobs, chunkSize: chunkSize,
      keepsLog: log != nil)
    var threads: [BackgroundThread] = []
    defer {
      list.stop()
      for thread in threads { thread.join() }
    }
    do throws(StoreError) {
      for _ in 0..<jobs {
        threads.append(
          try BackgroundThread(path: database.store.path) {
            while let chunk = list.claim() {
              let start = ContinuousClock.now
              list.handIn(computing.compute(chunk), after: ContinuousClock.now - start)
            }
          })
      }
    } catch {
      if threads.isEmpty { throw .database(.store(error)) }
    }
    var order = 0
    let total = plan.quests * plan.roster.count
    while true {
      let results = list.take(after: order, isPatient: isPatient)
      if results.isEmpty { break }
      order += results.count
      let taken = try committer.commit(results, log)
      for (place, result) in taken where result.isDone { list.endQuests(of: place) }
      if !taken.isEmpty {
        progress(Progress(done: committer.done, total: total, doneHere: committer.doneHere))
      }
      list.settle(results)
    }
    return committer.isFinished
  }
}
