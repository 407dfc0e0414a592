import Testing

/// In which order commits become durable, visible and acknowledged: two leaders and their groups.
///
/// A commit appends a frame to a buffer of its process; the buffer is written to the log, the log
/// is synced, the group is published, the commits are acknowledged. Frames carry the durability
/// that their commit asked for. A crash may come at any moment: a killed process loses its buffer,
/// a power cut also what no sync covered.
struct PublicationModel: ProtocolModel {
  enum Repair: CaseIterable {
    case publicationOnlyRises
    case comparingAndPublishingAreOne
    case acknowledgementFollowsPublication
    case immediateWaitsForItsSync
    case eventualWaitsForImmediateBefore
    case publicationFollowsTheBuffer
    case syncCoversWhatWasWrittenBefore
    case failedSyncPoisons
  }

  static let lastFrame = 4

  private var immediate = SmallSet()
  private var appended = 0
  private var written = 0
  /// What is durable, and what the store believes to be.
  private var durable = 0
  private var knownDurable = 0
  private var hasSyncFailed = false
  private var published = 0
  /// The newest state that some reader may have seen.
  private var seen = 0
  private var acknowledged = SmallSet()
  private var leaders = [Leader(), Leader()]
  private var crash: Crash?

  private struct Leader: Hashable {
    enum Phase: Int { case idle, gathered, syncing, synced, compared }
    var phase = Phase.idle
    /// The last frame of the group.
    var target = 0
  }

  private enum Crash: Hashable {
    case killed
    case powerCut(recovered: Int)
  }

  static let start = Self()

  static var milestones: [(name: String, isReached: (Self) -> Bool)] {
    [
      ("overtaken leader", \.isOvertaken),
      ("two syncs at once", { $0.crash == nil && $0.leaders.allSatisfy { $0.phase == .syncing } }),
      ("published, not durable", { $0.published > $0.durable && $0.crash == nil }),
      ("eventual lost", { $0.crash == .powerCut(recovered: 1) && $0.seen == 2 }),
      ("all acknowledged", { $0.acknowledged == SmallSet(1, 2, 3, 4) }),
    ]
  }

  private var isOvertaken: Bool { leaders.contains { $0.target > 0 && $0.target < published } }

  func violation(under rules: Rules<Repair>) -> String? {
    let owed = immediate.within(0..<seen + 1)
    switch crash {
    case nil:
      if published < seen { return "publication went back" }
      if acknowledged.members.contains(where: { $0 > published }) {
        return "acknowledged before it was visible"
      }
    case .killed:
      if seen > written { return "a published state vanished with its process" }
    case .powerCut(let recovered):
      if owed.members.contains(where: { $0 > recovered }) { return "something seen is lost" }
      let kept = acknowledged.members.filter { immediate.contains($0) }
      if kept.contains(where: { $0 > recovered }) { return "something acknowledged is lost" }
    }
    return nil
  }

  func steps(under rules: Rules<Repair>) -> [Step<Self>] {
    guard crash == nil else { return [] }
    var steps: [Step<Self>] = []
    addCrashes(to: &steps)
    if hasSyncFailed && rules.keep(.failedSyncPoisons) { return steps }
    if appended < Self.lastFrame {
      add("append \(appended + 1), eventual", to: &steps) { $0.appended += 1 }
      add("append \(appended + 1), immediate", to: &steps) {
        $0.appended += 1
        $0.immediate.insert($0.appended)
      }
    }
    if written < appended { add("write the buffer", to: &steps) { $0.written = appended } }
    for index in leaders.indices { addLeaderSteps(to: &steps, index, rules) }
    addAcknowledgements(to: &steps, rules)
    return steps
  }

  private func add(
    _ name: String, to steps: inout [Step<Self>], _ change: (inout Self) -> Void
  ) {
    var next = self
    change(&next)
    next.seen = max(next.seen, next.published)
    // The leaders are alike, so their order is no part of the state.
    next.leaders.sort { ($0.phase.rawValue, $0.target) < ($1.phase.rawValue, $1.target) }
    steps.append(Step(name: name, state: next))
  }

  private func addCrashes(to steps: inout [Step<Self>]) {
    add("kill", to: &steps) { $0.end(by: .killed) }
    for recovered in durable...max(durable, written) {
      add("power cut", to: &steps) { $0.end(by: .powerCut(recovered: recovered)) }
    }
  }

  /// Forgets what a crash takes away.
  private mutating func end(by crash: Crash) {
    self.crash = crash
    leaders = []
    appended = 0
    published = 0
    knownDurable = 0
  }

  // MARK: Leaders

  private func addLeaderSteps(to steps: inout [Step<Self>], _ index: Int, _ rules: Rules<Repair>) {
    let leader = leaders[index]
    func add(_ name: String, _ change: (inout Self) -> Void) {
      self.add("leader \(index) \(name)", to: &steps, change)
    }
    switch leader.phase {
    case .idle:
      guard appended > published else { return }
      add("gathers to \(appended)") {
        $0.leaders[index] = Leader(phase: .gathered, target: appended)
      }
    case .gathered:
      if rules.keep(.publicationFollowsTheBuffer), written < leader.target { return }
      if needsSync(for: leader.target, rules) {
        guard written >= leader.target else { return }
        add("begins a sync to \(leader.target)") { $0.leaders[index].phase = .syncing }
      } else {
        add("needs no sync") { $0.leaders[index].phase = .synced }
      }
    case .syncing:
      add("ends its sync") {
        $0.leaders[index].phase = .synced
        let claim = rules.keep(.syncCoversWhatWasWrittenBefore) ? leader.target : written
        $0.knownDurable = max(knownDurable, claim)
        if !hasSyncFailed { $0.durable = max(durable, leader.target) }
      }
      if !hasSyncFailed {
        add("fails to sync") {
          $0.hasSyncFailed = true
          $0.leaders[index].phase = .gathered
        }
      }
    case .synced:
      if published < leader.target, !rules.keep(.comparingAndPublishingAreOne) {
        add("finds \(published) published") { $0.leaders[index].phase = .compared }
      } else if published < leader.target || !rules.keep(.publicationOnlyRises) {
        add("publishes \(leader.target)") { $0.publish(for: index) }
      } else {
        add("was overtaken") { $0.leaders[index] = Leader() }
      }
    case .compared:
      add("publishes \(leader.target)") { $0.publish(for: index) }
    }
  }

  private mutating func publish(for index: Int) {
    published = leaders[index].target
    leaders[index] = Leader()
  }

  /// Whether publishing `target` would show an `.immediate` frame that is not durable.
  private func needsSync(for target: Int, _ rules: Rules<Repair>) -> Bool {
    let shown = immediate.within(knownDurable + 1..<max(knownDurable, target) + 1)
    if !rules.keep(.immediateWaitsForItsSync) { return false }
    if !rules.keep(.eventualWaitsForImmediateBefore) { return shown.contains(target) }
    return !shown.isEmpty
  }

  private func addAcknowledgements(to steps: inout [Step<Self>], _ rules: Rules<Repair>) {
    for frame in 1..<appended + 1 where !acknowledged.contains(frame) {
      let isSafe = immediate.contains(frame) ? frame <= knownDurable : frame <= written
      let isVisible = frame <= published || !rules.keep(.acknowledgementFollowsPublication)
      let isDone = rules.keep(.immediateWaitsForItsSync) ? isSafe && isVisible : isVisible
      if isDone { add("acknowledge \(frame)", to: &steps) { $0.acknowledged.insert(frame) } }
    }
  }
}

@Suite struct `Publishing commits` {
  @Test func `loses and hides nothing that was seen or acknowledged`() {
    let result = Explorer.explore(from: PublicationModel.start, limit: 200_000)
    #expect(result.isComplete && result.violation == nil, "\(result)")
    #expect(result.missed == [])
  }

  @Test(arguments: PublicationModel.Repair.allCases)
  func `goes wrong without`(repair: PublicationModel.Repair) {
    let start = PublicationModel.start
    let result = Explorer.explore(from: start, without: [repair], limit: 200_000)
    #expect(result.violation != nil, "\(result)")
  }
}
