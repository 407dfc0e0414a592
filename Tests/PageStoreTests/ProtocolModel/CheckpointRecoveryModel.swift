/// The part of the checkpoint model that runs when no process does: crashes, opening, recovery.
extension CheckpointModel {
  // MARK: Crashes

  func addCrashes(to steps: inout [Step<Self>]) {
    guard crashCount < crashLimit else { return }
    add("kill", to: &steps) { $0.forgetProcess() }
    let unsynced = (0..<4).filter { unsyncedFrames[$0 * 4] != 0 }
    for kept in 0..<1 << unsynced.count {
      for meta in MetaFate.allCases where unsyncedMeta != nil || meta == .lost {
        add("power cut, meta \(meta)", to: &steps) {
          for (index, place) in unsynced.enumerated() {
            if kept & 1 << index != 0 { $0.keepFrame(at: place) } else { $0.dropFrame(at: place) }
          }
          $0.loseMeta(meta)
          $0.dataWritten = dataSynced
          $0.forgetProcess()
        }
      }
    }
  }

  private enum MetaFate: CaseIterable {
    case lost, torn, kept
  }

  private mutating func loseMeta(_ fate: MetaFate) {
    guard let unsyncedMeta else { return }
    if fate != .lost { metas[unsyncedMeta.index] = fate == .kept ? unsyncedMeta.meta : nil }
    self.unsyncedMeta = nil
  }

  private mutating func forgetProcess() {
    phase = .crashed
    crashCount += 1
    checkpoint = .none
    captured = nil
    largeCommit = 0
    durable = 0
    logged = 0
    tip = Meta(number: 0, commits: tip.commits, epoch: 0, place: 0)
  }

  // MARK: A closed store

  func addClosedSteps(to steps: inout [Step<Self>], _ rules: Rules<Repair>) {
    guard let opened = opened(under: rules) else { return }
    // A large commit has no frame: what shows it before its mirror is durable may rot away.
    var framed = SmallSet()
    for commit in opened.tip.commits.members where !largeCommits.contains(commit) {
      framed.insert(commit)
    }
    if !acknowledged.isSuperset(of: framed) {
      add("open read-only and look", to: &steps) {
        if rules.keep(.lookingSyncsFirst) {
          $0.syncLog()
          $0.syncMeta()
        }
        $0.acknowledged.formUnion(framed)
      }
    }
    if !hasRotted, unsyncedMeta == nil, metas[0] != nil, metas[1] != nil {
      for index in 0..<2 {
        add("meta \(index) rots", to: &steps) {
          $0.metas[index] = nil
          $0.hasRotted = true
        }
      }
    }
    if unsyncedFrames != Row() || unsyncedMeta != nil || dataWritten != dataSynced {
      // The same closed store, with the power cut behind it.
      var closed = self
      closed.crashCount = min(crashCount, crashLimit - 1)
      closed.addCrashes(to: &steps)
    }
    add("open", to: &steps) {
      $0.tip = opened.tip
      if rules.keep(.openingRewritesMetas) || opened.tip != opened.durable {
        $0.captured = opened.recovered
        $0.phase = .recovering(step: 0)
      } else {
        $0.run(from: opened.tip)
      }
    }
  }

  // MARK: Opening

  struct Opened {
    /// The index of the meta page that was believed.
    var meta: Int
    var durable: Meta
    /// The durable state and the frames behind it.
    var tip: Meta
    /// The state that recovery writes.
    var recovered: Meta
  }

  /// What opening finds, or nil when it refuses.
  func opened(under rules: Rules<Repair>) -> Opened? {
    var visible = metas
    if let unsyncedMeta { visible[unsyncedMeta.index] = unsyncedMeta.meta }
    let numbers = visible.map { $0?.number ?? 0 }
    let index = numbers[0] >= numbers[1] ? 0 : 1
    guard let durable = visible[index] else { return nil }

    var tip = durable
    while true {
      let frame = frame(at: tip.place)
      guard frame[0] == tip.number + 1 else { break }
      if rules.keep(.framesCarryEpoch), frame[2] != tip.epoch { break }
      tip.number += 1
      tip.commits.insert(frame[1])
      tip.place = (tip.place + 1) % 4
      if tip.place % 2 == 0 { tip.epoch += 1 }
    }

    var highest = (number: tip.number, epoch: visible.map { $0?.epoch ?? 0 }.max() ?? 0)
    for frame in (0..<4).map({ self.frame(at: $0) }) where frame[0] != 0 {
      // A later frame of this log that was written when the missing one was durable proves damage.
      let isOfThisLog = frame[2] >= durable.epoch && frame[0] > tip.number
      if isOfThisLog, frame[3] > tip.number { return nil }
      highest = (max(highest.number, frame[0]), max(highest.epoch, frame[2]))
    }
    let number =
      rules.keep(.recoveryNumbersAboveTheLog) ? highest.number + 1 : tip.number
    let recovered = Meta(
      number: number, commits: tip.commits, epoch: highest.epoch + 1, place: 0)
    return Opened(meta: index, durable: durable, tip: tip, recovered: recovered)
  }

  // MARK: Recovery

  func addRecoverySteps(
    to steps: inout [Step<Self>], _ step: Int, _ rules: Rules<Repair>
  ) {
    guard let captured else { return }
    add("recovery \(step)", to: &steps) {
      $0.phase = .recovering(step: step + 1)
      switch step {
      case 0:
        if rules.keep(.recoverySyncsTheLog) { $0.syncLog() }
        $0.dataWritten = captured.number
        $0.dataSynced = captured.number
      case 1:
        let believed = opened(under: rules)?.meta ?? 0
        let first = rules.keep(.recoverySparesTheMetaItReads) ? 1 - believed : 0
        $0.unsyncedMeta = UnsyncedMeta(index: first, meta: captured)
      case 2:
        $0.syncMeta()
        $0.unsyncedMeta = UnsyncedMeta(index: $0.metas[0] == captured ? 1 : 0, meta: captured)
      default:
        $0.syncMeta()
        $0.run(from: captured)
      }
    }
  }

  private mutating func run(from state: Meta) {
    phase = .running
    tip = state
    durable = state.number
    logged = state.number
    captured = nil
    unsyncedFrames = Row()
  }
}
