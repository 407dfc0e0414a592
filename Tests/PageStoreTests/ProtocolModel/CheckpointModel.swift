import Testing

/// What a crash leaves behind: a log of two halves, a main file, two meta pages, and recovery.
///
/// Each half of the log has room for two frames. Whatever was written is visible at once, and
/// durable after a sync: a power cut keeps any of the unsynced writes, and may tear a meta page.
/// A killed process leaves what is visible. One synced meta page may rot while the store is closed.
struct CheckpointModel: ProtocolModel {
  enum Repair: CaseIterable {
    case halvesWaitForBothMetas
    case metaFollowsLogSync
    case metaFollowsDataSync
    case framesCarryEpoch
    case recoveryNumbersAboveTheLog
    case largeCommitWaitsForMirror
    case largeCommitKeepsTheRight
    case openingRewritesMetas
    case lookingSyncsFirst
    case recoverySparesTheMetaItReads
    case recoverySyncsTheLog
  }

  /// A durable state, and where the log goes on behind it.
  struct Meta: Hashable {
    var number: Int
    /// The commits that the state contains.
    var commits: SmallSet
    var epoch: Int
    var place: Int
  }

  enum Phase: Hashable {
    case running
    case crashed
    case recovering(step: Int)
  }

  enum Checkpoint: Int, Hashable {
    case none, captured, logSynced, dataWritten, dataSynced, writtenA, syncedA, writtenB
  }

  // The disk. A frame is four numbers of a row: its transaction, its commit, its epoch, and the
  // newest transaction known durable when it was written. A transaction of 0 means no frame.
  var frames = Row()
  var unsyncedFrames = Row()
  var metas: [Meta?]
  /// The meta page that was written and not synced, and by what.
  var unsyncedMeta: UnsyncedMeta?
  /// The newest state whose pages are in the main file, and the newest whose pages are synced.
  var dataWritten = 1
  var dataSynced = 1

  struct UnsyncedMeta: Hashable {
    var index: Int
    var meta: Meta
  }

  // The process.
  var phase = Phase.running
  var tip: Meta
  var durable = 1
  var checkpoint = Checkpoint.none
  var captured: Meta?
  /// The commit that the running checkpoint is to make durable without a frame, or 0.
  var largeCommit = 0
  /// The newest transaction whose frame was synced.
  var logged = 1

  // What really happened.
  var lastCommit = 0
  var largeCommits = SmallSet()
  var acknowledged = SmallSet()
  var crashCount = 0
  var hasRotted = false

  let commitLimit: Int
  let crashLimit: Int

  /// An open store whose first `frameCount` (0 or 1) commits stand in the log alone.
  init(frameCount: Int, commitLimit: Int, crashLimit: Int) {
    let first = Meta(number: 1, commits: SmallSet(), epoch: 1, place: 0)
    metas = [first, first]
    tip = first
    self.commitLimit = commitLimit
    self.crashLimit = crashLimit
    for _ in 0..<frameCount {
      append()
      syncLog()
      acknowledged.insert(lastCommit)
    }
  }

  static var milestones: [(name: String, isReached: (Self) -> Bool)] {
    [
      ("a half is used again", { $0.frames[0] > 2 && $0.tip.epoch == 3 && $0.crashCount == 0 }),
      ("meta A is torn", { $0.phase == .crashed && $0.metas[0] == nil }),
      ("meta B is torn", { $0.phase == .crashed && $0.metas[1] == nil }),
      ("large commit acknowledged", { $0.largeCommit != 0 && $0.checkpoint == .none }),
      ("runs after two crashes", { $0.phase == .running && $0.crashCount == 2 }),
    ]
  }

  func add(_ name: String, to steps: inout [Step<Self>], _ change: (inout Self) -> Void) {
    var next = self
    change(&next)
    steps.append(Step(name: name, state: next))
  }

  func steps(under rules: Rules<Repair>) -> [Step<Self>] {
    var steps: [Step<Self>] = []
    switch phase {
    case .running:
      addCommits(to: &steps, rules)
      addCheckpointSteps(to: &steps, rules)
      addCrashes(to: &steps)
    case .crashed:
      addClosedSteps(to: &steps, rules)
    case .recovering(let step):
      addRecoverySteps(to: &steps, step, rules)
      addCrashes(to: &steps)
    }
    return steps
  }

  func violation(under rules: Rules<Repair>) -> String? {
    guard phase == .crashed else { return nil }
    guard let opened = opened(under: rules) else { return "the store doesn't open" }
    if opened.durable.number > dataWritten { return "a meta page names pages that are lost" }
    let content = opened.tip.commits
    if !content.isSuperset(of: acknowledged) { return "something acknowledged or seen is lost" }
    // The commits of the branch are numbered in order, so a prefix is what lies below its end.
    let end = (content.members.last ?? 0) + 1
    if content != tip.commits.within(0..<end) { return "the content is no prefix" }
    return nil
  }

  // MARK: Commits

  private func addCommits(to steps: inout [Step<Self>], _ rules: Rules<Repair>) {
    let isHeld = largeCommit != 0 && checkpoint != .none && rules.keep(.largeCommitKeepsTheRight)
    if lastCommit < commitLimit, !isHeld {
      if tip.place % 2 == 1 || isFree(half: tip.place / 2) {
        add("append", to: &steps) { $0.append() }
      }
      if checkpoint == .none {
        add("large commit", to: &steps) {
          $0.commit()
          $0.largeCommit = $0.lastCommit
          $0.largeCommits.insert($0.lastCommit)
          $0.captured = $0.tip
          $0.checkpoint = .captured
        }
      }
    }
    if unsyncedFrames != Row() {
      add("sync log, acknowledge", to: &steps) {
        $0.syncLog()
        let isLarge = largeCommit != 0 && checkpoint != .none
        for commit in tip.commits.members where !isLarge || commit != largeCommit {
          $0.acknowledged.insert(commit)
        }
      }
    }
  }

  /// Whether no frame of `half`, left by its last use in this log, is needed to recover.
  private func isFree(half: Int) -> Bool {
    (half * 2..<half * 2 + 2).allSatisfy {
      frame(at: $0)[0] <= durable || frame(at: $0)[2] + 2 != tip.epoch
    }
  }

  private mutating func commit() {
    lastCommit += 1
    tip.number += 1
    tip.commits.insert(lastCommit)
  }

  private mutating func append() {
    commit()
    let place = tip.place
    for (index, value) in [tip.number, lastCommit, tip.epoch, logged].enumerated() {
      unsyncedFrames[place * 4 + index] = value
    }
    tip.place = (place + 1) % 4
    if tip.place % 2 == 0 { tip.epoch += 1 }
  }

  mutating func syncLog() {
    for place in 0..<4 where unsyncedFrames[place * 4] != 0 {
      logged = max(logged, unsyncedFrames[place * 4])
      keepFrame(at: place)
    }
  }

  mutating func keepFrame(at place: Int) {
    for index in place * 4..<place * 4 + 4 { frames[index] = unsyncedFrames[index] }
    dropFrame(at: place)
  }

  mutating func dropFrame(at place: Int) {
    for index in place * 4..<place * 4 + 4 { unsyncedFrames[index] = 0 }
  }

  /// The frame that a read finds at `place`.
  func frame(at place: Int) -> [Int] {
    let row = unsyncedFrames[place * 4] != 0 ? unsyncedFrames : frames
    return (place * 4..<place * 4 + 4).map { row[$0] }
  }

  // MARK: The checkpoint

  private func addCheckpointSteps(to steps: inout [Step<Self>], _ rules: Rules<Repair>) {
    guard checkpoint != .none, let captured else {
      guard tip.number > durable else { return }
      return add("capture", to: &steps) {
        $0.captured = tip
        $0.checkpoint = .captured
      }
    }
    add("checkpoint after \(checkpoint)", to: &steps) {
      $0.checkpoint = Checkpoint(rawValue: checkpoint.rawValue + 1) ?? .none
      switch checkpoint {
      case .none: break
      case .captured: if rules.keep(.metaFollowsLogSync) { $0.syncLog() }
      case .logSynced: $0.dataWritten = captured.number
      case .dataWritten: if rules.keep(.metaFollowsDataSync) { $0.dataSynced = captured.number }
      case .dataSynced: $0.unsyncedMeta = UnsyncedMeta(index: 0, meta: captured)
      case .writtenA:
        $0.syncMeta()
        if !rules.keep(.halvesWaitForBothMetas) { $0.durable = captured.number }
        if !rules.keep(.largeCommitWaitsForMirror) { $0.acknowledged.insertIfAny(largeCommit) }
      case .syncedA: $0.unsyncedMeta = UnsyncedMeta(index: 1, meta: captured)
      case .writtenB:
        $0.syncMeta()
        $0.durable = captured.number
        $0.captured = nil
        $0.acknowledged.insertIfAny(largeCommit)
      }
    }
  }

  mutating func syncMeta() {
    if let unsyncedMeta { metas[unsyncedMeta.index] = unsyncedMeta.meta }
    unsyncedMeta = nil
    dataSynced = dataWritten
  }
}

extension SmallSet {
  fileprivate mutating func insertIfAny(_ member: Int) {
    if member != 0 { insert(member) }
  }
}

@Suite struct `A crash` {
  /// Enough crashes to meet what an older one left, then enough commits to use a half again.
  static let starts = [
    CheckpointModel(frameCount: 0, commitLimit: 2, crashLimit: 2),
    CheckpointModel(frameCount: 1, commitLimit: 5, crashLimit: 1),
  ]

  @Test func `loses nothing acknowledged, wherever it falls`() {
    var missed: [Set<String>] = []
    for start in Self.starts {
      let result = Explorer.explore(from: start, limit: 200_000)
      #expect(result.isComplete && result.violation == nil, "\(result)")
      missed.append(Set(result.missed))
    }
    #expect(missed[0].intersection(missed[1]) == [])
  }

  /// These guard each other here, so only both together are missed.
  static let epochs: Set<CheckpointModel.Repair> = [.framesCarryEpoch, .recoveryNumbersAboveTheLog]

  @Test(
    arguments: CheckpointModel.Repair.allCases.filter { !epochs.contains($0) }.map { [$0] } + [
      epochs
    ]
  )
  func `goes wrong without`(repairs: Set<CheckpointModel.Repair>) {
    let isOfEpochs = repairs == Self.epochs
    let longer = CheckpointModel(frameCount: 0, commitLimit: 3, crashLimit: 2)
    let isFound = (isOfEpochs ? [longer] : Self.starts).contains { start in
      Explorer.explore(from: start, without: repairs, limit: 200_000).violation != nil
    }
    #expect(isFound)
  }
}
