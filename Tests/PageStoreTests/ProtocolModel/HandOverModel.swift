import Testing

/// The right to write between two processes, and recovery beside a reader in a third.
///
/// The tree is one page, new in each state. The holder may die at any step: its memory is gone,
/// the log, the main file and the lock file stay. Every page written carries a stamp of its own, so
/// a reader can tell the page that it pinned from any other.
struct HandOverModel: ProtocolModel {
  enum Repair: CaseIterable {
    case mapCarriesPending
    case pendingEndsAtRecovery
    case freeMayBeSeen
    case recoveryWritesBeyondTheEnd
    case recoveryTakesANewNumber
    case idleHolderWatches
    case poisonedHolderReleases
    case waiterPolls
  }

  static let pageLimit = 6

  private struct Root: Hashable {
    var number = 1
    var page = 0
    var stamp = 1
  }

  private struct Pending: Hashable {
    var page: Int
    var birth: Int
    var end: Int
  }

  private enum Process: Hashable { case content, waiting, awake }

  private enum Stage: Hashable {
    case idle, committed, handing, checkpointed, poisoned
    case recovering(Int)
  }

  /// What only the holder of the right knows.
  private struct Holder: Hashable {
    var process: Int
    var stage = Stage.idle
    var tip: Root
    var pending: [Pending]
  }

  private struct Reader: Hashable {
    enum Phase { case idle, loaded, stored, pinned }
    var phase = Phase.idle
    var root = Root()
  }

  // The main file, the log, the lock file.
  private var content = Row(1)
  private var pageCount = 1
  private var durable = Root()
  private var durablePending: [Pending] = []
  private var logged = 1
  private var published = Root()
  private var slot = 0
  private var isClean = true

  private var processes = [Process.content, .content]
  private var holder: Holder?
  private var reader = Reader()
  private var lastStamp = 1
  private var deathCount = 0

  private let writeLimit: Int
  private let deathLimit: Int

  /// A store at rest; `writeLimit` bounds the pages ever written, but for those of recovery.
  init(writeLimit: Int, deathLimit: Int) {
    self.writeLimit = writeLimit
    self.deathLimit = deathLimit
  }

  static var milestones: [(name: String, isReached: (Self) -> Bool)] {
    [
      ("recovery beside a pin that is not durable", \.recoversBesidePin),
      ("a second recovery", { $0.deathCount == 2 && $0.holder?.stage == .recovering(2) }),
      ("reuse of a page", { $0.pageCount < $0.lastStamp }),
      ("pages pending across a hand-over", { $0.isClean && !$0.durablePending.isEmpty }),
      ("a waiter beside a poisoned holder", { $0.isWaiting && $0.holder?.stage == .poisoned }),
    ]
  }

  private var recoversBesidePin: Bool {
    holder?.stage == .recovering(2) && reader.phase == .pinned
      && reader.root.number < durable.number
  }

  var isWaiting: Bool { processes.contains { $0 != .content } }

  func violation(under rules: Rules<Repair>) -> String? {
    if content[durable.page] != durable.stamp { return "the durable state is overwritten" }
    if content[published.page] != published.stamp { return "the published state is overwritten" }
    if reader.phase == .pinned, content[reader.root.page] != reader.root.stamp {
      return "a reader's page changed under it"
    }
    return nil
  }

  func steps(under rules: Rules<Repair>) -> [Step<Self>] {
    var steps: [Step<Self>] = []
    for process in 0..<2 { addWaitingSteps(to: &steps, process, rules) }
    if let holder { addHolderSteps(to: &steps, holder, rules) }
    addReaderSteps(to: &steps)
    return steps
  }

  private func add(
    _ name: String, isObligatory: Bool = false, to steps: inout [Step<Self>],
    _ change: (inout Self) -> Void
  ) {
    var next = self
    change(&next)
    // The two processes are alike, so which of them holds or waits is no part of the state.
    if next.holder?.process == 1
      || next.holder == nil && next.processes[1] == .awake && next.processes[0] != .awake
    {
      next.holder?.process = 0
      next.processes.swapAt(0, 1)
    }
    steps.append(Step(name: name, state: next, isObligatory: isObligatory))
  }

  // MARK: Taking the right

  private func addWaitingSteps(
    to steps: inout [Step<Self>], _ process: Int, _ rules: Rules<Repair>
  ) {
    guard holder?.process != process else { return }
    switch processes[process] {
    case .content:
      add("\(process) wants the right", to: &steps) {
        $0.processes[process] = holder == nil ? .awake : .waiting
      }
    case .waiting:
      guard holder == nil, rules.keep(.waiterPolls) else { return }
      add("\(process) wakes by itself", isObligatory: true, to: &steps) {
        $0.processes[process] = .awake
      }
    case .awake where holder != nil:
      add("\(process) waits", isObligatory: true, to: &steps) { $0.processes[process] = .waiting }
    case .awake:
      add("\(process) takes the right", isObligatory: true, to: &steps) {
        $0.processes[process] = .content
        $0.takeRight(process, rules)
      }
    }
  }

  private mutating func takeRight(_ process: Int, _ rules: Rules<Repair>) {
    if isClean {
      let pending = rules.keep(.mapCarriesPending) ? durablePending : []
      holder = Holder(process: process, tip: durable, pending: pending)
    } else {
      let highest = max(logged, durable.number)
      let number =
        rules.keep(.recoveryTakesANewNumber) ? max(highest, published.number) + 1 : highest
      var pending = durablePending
      for index in pending.indices where rules.keep(.pendingEndsAtRecovery) {
        pending[index].end = number
      }
      for page in 0..<pageCount where rules.keep(.freeMayBeSeen) && isFree(page, beside: pending) {
        pending.append(Pending(page: page, birth: durable.number + 1, end: number))
      }
      let free = (0..<pageCount).first { isFree($0, beside: durablePending) }
      let page = rules.keep(.recoveryWritesBeyondTheEnd) ? pageCount : free ?? pageCount
      pending.append(Pending(page: durable.page, birth: durable.number, end: number))
      pending.removeAll { $0.page == page }
      pending.sort { $0.page < $1.page }
      let tip = Root(number: number, page: page, stamp: 0)
      holder = Holder(process: process, stage: .recovering(0), tip: tip, pending: pending)
    }
    isClean = false
  }

  /// Whether the durable map calls `page` free, when `pending` are the pages that wait in it.
  private func isFree(_ page: Int, beside pending: [Pending]) -> Bool {
    page != durable.page && !pending.contains { $0.page == page }
  }

  // MARK: Holding it

  private func addHolderSteps(
    to steps: inout [Step<Self>], _ holder: Holder, _ rules: Rules<Repair>
  ) {
    let isFlagged = processes[1 - holder.process] == .waiting
    func add(_ name: String, isObligatory: Bool = true, _ change: (inout Self) -> Void) {
      self.add("\(holder.process) \(name)", isObligatory: isObligatory, to: &steps, change)
    }
    func move(_ stage: Stage) -> (inout Self) -> Void { { $0.holder?.stage = stage } }
    if deathCount < deathLimit {
      add("dies", isObligatory: false) {
        $0.holder = nil
        $0.deathCount += 1
      }
    }
    switch holder.stage {
    case .idle:
      if let page = nextPage(for: holder), lastStamp < writeLimit {
        add("commits to page \(page)", isObligatory: false) { $0.commit(to: page) }
      }
      if isFlagged, rules.keep(.idleHolderWatches) { add("sees the flag", move(.handing)) }
      if deathCount < deathLimit {
        add("is poisoned", isObligatory: false) {
          $0.holder?.stage = .poisoned
          $0.deathCount += 1
        }
      }
    case .committed:
      add("publishes \(holder.tip.number)") {
        $0.published = holder.tip
        $0.holder?.stage = isFlagged ? .handing : .idle
      }
    case .handing:
      add("checkpoints \(holder.tip.number)") {
        $0.durable = holder.tip
        $0.durablePending = holder.pending
        $0.holder?.stage = .checkpointed
      }
    case .checkpointed:
      add("hands over") { $0.release(isClean: true) }
    case .poisoned:
      if rules.keep(.poisonedHolderReleases) { add("gives up") { $0.release(isClean: false) } }
    case .recovering(0):
      add("recovers into page \(holder.tip.page)") {
        $0.write(to: holder.tip.page)
        $0.holder?.stage = .recovering(1)
      }
    case .recovering(1):
      add("checkpoints \(holder.tip.number)") {
        $0.durable = holder.tip
        $0.durablePending = holder.pending
        $0.holder?.stage = .recovering(2)
      }
    case .recovering:
      add("publishes \(holder.tip.number)") {
        $0.published = holder.tip
        $0.holder?.stage = .idle
      }
    }
  }

  private mutating func release(isClean: Bool) {
    self.isClean = isClean
    holder = nil
    for process in 0..<2 where processes[process] == .waiting { processes[process] = .awake }
  }

  /// The lowest page that no living state sees, or a new one at the end of the file.
  private func nextPage(for holder: Holder) -> Int? {
    let living = SmallSet(durable.number, published.number, holder.tip.number, slot)
    let seen = holder.pending.filter { !living.within($0.birth..<max($0.birth, $0.end)).isEmpty }
    return (0..<Self.pageLimit).first { page in
      page <= pageCount && page != holder.tip.page && !seen.contains { $0.page == page }
    }
  }

  private mutating func write(to page: Int) {
    lastStamp += 1
    content[page] = lastStamp
    pageCount = max(pageCount, page + 1)
    holder?.tip.stamp = lastStamp
  }

  private mutating func commit(to page: Int) {
    guard var holder else { return }
    let old = holder.tip
    holder.tip = Root(number: old.number + 1, page: page, stamp: 0)
    holder.pending.removeAll { $0.page == page }
    holder.pending.append(Pending(page: old.page, birth: old.number, end: old.number + 1))
    holder.pending.sort { $0.page < $1.page }
    holder.stage = .committed
    logged = holder.tip.number
    self.holder = holder
    write(to: page)
  }

  // MARK: The reader

  private func addReaderSteps(to steps: inout [Step<Self>]) {
    switch reader.phase {
    case .idle:
      add("reader loads \(published.number)", to: &steps) {
        $0.reader = Reader(phase: .loaded, root: published)
      }
    case .loaded:
      add("reader stores \(reader.root.number)", to: &steps) {
        $0.slot = reader.root.number
        $0.reader.phase = .stored
      }
    case .stored where published.number == reader.root.number:
      add("reader pins", to: &steps) { $0.reader.phase = .pinned }
    case .stored, .pinned:
      add("reader leaves", to: &steps) {
        $0.slot = 0
        $0.reader = Reader()
      }
    }
  }
}

@Suite struct `Handing over the right to write` {
  @Test(arguments: [(5, 1), (3, 2)])
  func `harms no living state, and wakes who waits`(writes: Int, deaths: Int) {
    let start = HandOverModel(writeLimit: writes, deathLimit: deaths)
    let result = Explorer.explore(from: start, limit: 200_000)
    #expect(result.isComplete && result.violation == nil, "\(result)")
    #expect(
      result.missed.allSatisfy { deaths == 1 ? $0 == "a second recovery" : $0 == "reuse of a page" }
    )
  }

  @Test(arguments: HandOverModel.Repair.allCases)
  func `goes wrong without`(repair: HandOverModel.Repair) {
    let start = HandOverModel(writeLimit: 5, deathLimit: 1)
    let result = Explorer.explore(from: start, without: [repair], limit: 200_000)
    #expect(result.violation != nil, "\(result)")
  }
}
