internal import PageStore

/// Hands out the chunks of a run to those who compute, and takes back what they computed.
///
/// No more chunks are out at once than the window is wide, so that memory does not grow with the run;
/// whoever has claimed one may always hand it in.
final class QuestWorkList: Sendable {
  private struct State {
    /// The next adventurer of the roster, and that one's next quest.
    var place = 0
    var first = 0
    var order = 0
    /// Campaigns that are under way and that nobody computes at the moment.
    var waiting: [QuestChunk] = []
    /// Chunks that are claimed and not settled, and their quests.
    var outstanding = 0
    var outstandingQuests = 0
    /// Campaigns of which a chunk is being computed.
    var computing = 0
    /// What was handed in, by the order of the chunks.
    var finished: [Int: QuestChunkResult] = [:]
    var isStopped = false
    /// Adventurers who need no more quests.
    var enough: Set<Int> = []
    /// Quests of what was handed in and the time that they took, for the size of chunks.
    var quests = 0
    var time = Duration.zero
    var lastSize = 8
  }

  private let state: Guarded<State>
  private let bell = WaitWord()
  private let plan: QuestPlan
  private let starts: [Start]
  private let window: Int
  private let chunkSize: Int?

  /// Where an adventurer goes on.
  struct Start: Sendable {
    var first: Int
    var fighter: Fighter
    var isDone: Bool
  }

  /// How long a chunk should take: long beside a commit, and short for who waits for an end; shorter
  /// where its log is in memory.
  private let wantedTime: Duration
  private static let questLimit = 1 << 17
  /// How many chunks may be out where they are shorter than they should be, since adventurers go on
  /// few quests.
  private static let chunkLimit = 1024

  init(
    _ plan: QuestPlan, starts: [Start], window: Int, chunkSize: Int?, keepsLog: Bool
  ) {
    self.plan = plan
    self.starts = starts
    self.window = window
    self.chunkSize = chunkSize
    wantedTime = .milliseconds(keepsLog ? 10 : 100)
    state = Guarded(State())
  }

  /// The next chunk, or nil where there is none left.
  ///
  /// Waits where too many are out.
  func claim() -> QuestChunk? {
    while true {
      let heard = bell.value
      let (chunk, isOver) = state.withLock { state -> (QuestChunk?, Bool) in
        if state.isStopped { return (nil, true) }
        if isFull(state) { return (nil, false) }
        guard let chunk = next(&state) else { return (nil, state.computing == 0) }
        state.outstanding += 1
        state.outstandingQuests += chunk.count
        if plan.mode == .campaign { state.computing += 1 }
        return (chunk, false)
      }
      if let chunk { return chunk }
      if isOver { return nil }
      bell.wait(while: heard, nanoseconds: 100_000_000)
    }
  }

  /// Whether as much is out as whole chunks of the window would be.
  private func isFull(_ state: borrowing State) -> Bool {
    if state.outstanding < window { return false }
    return chunkSize != nil || state.outstanding >= Self.chunkLimit
      || state.outstandingQuests >= window * state.lastSize
  }

  private func next(_ state: inout State) -> QuestChunk? {
    if var chunk = state.waiting.popLast() {
      chunk.order = state.order
      state.order += 1
      return chunk
    }
    while state.place < starts.count {
      let start = starts[state.place]
      let first = max(state.first, start.first)
      if start.isDone || first >= plan.quests || state.enough.contains(state.place) {
        state.place += 1
        state.first = 0
        continue
      }
      let chunk = QuestChunk(
        place: state.place, first: first, count: min(size(&state), plan.quests - first),
        order: state.order, fighter: start.fighter)
      state.order += 1
      if plan.mode == .sample {
        state.first = first + chunk.count
      } else {
        state.place += 1
        state.first = 0
      }
      return chunk
    }
    return nil
  }

  /// How many quests the next chunk has, which changes no result.
  private func size(_ state: inout State) -> Int {
    if let chunkSize { return max(1, chunkSize) }
    var size = state.lastSize * 8
    if state.time > .zero {
      let wanted = Double(state.quests) * (wantedTime / state.time)
      size = min(size, Int(min(wanted, Double(Self.questLimit))))
    }
    state.lastSize = max(8, size)
    return max(1, min(size, Self.questLimit))
  }

  /// Takes what a chunk gave, for the one who commits.
  func handIn(_ result: QuestChunkResult, after time: Duration) {
    state.withLock { state in
      state.finished[result.chunk.order] = result
      state.quests += result.count
      state.time += time
      if plan.mode == .campaign {
        state.computing -= 1
        let first = result.chunk.first + result.count
        if !result.isEnough, first < plan.quests {
          state.waiting.append(
            QuestChunk(
              place: result.chunk.place, first: first,
              count: min(size(&state), plan.quests - first), order: 0, fighter: result.fighter))
        }
      }
    }
    ring()
  }

  /// All that can be committed next, in the order of the chunks, or nothing where all is committed,
  /// or was stopped.
  ///
  /// Waits for it, and asks `isPatient` meanwhile: once it is false, no more chunks are handed out.
  ///
  /// - Parameters:
  ///   - order: How many chunks were taken so far.
  ///   - isPatient: False once no more shall be begun.
  /// - Returns: Results whose order follows those taken so far; of campaigns, any.
  func take(after order: Int, isPatient: () -> Bool) -> [QuestChunkResult] {
    while true {
      let heard = bell.value
      if !isPatient() { stop() }
      let (results, isOver) = state.withLock { state -> ([QuestChunkResult], Bool) in
        let results = takeFinished(&state, after: order)
        if !results.isEmpty || state.outstanding > 0 { return (results, false) }
        return ([], state.isStopped || (state.place >= starts.count && state.waiting.isEmpty))
      }
      if !results.isEmpty || isOver { return results }
      bell.wait(while: heard, nanoseconds: 100_000_000)
    }
  }

  private func takeFinished(_ state: inout State, after order: Int) -> [QuestChunkResult] {
    if plan.mode == .campaign {
      defer { state.finished = [:] }
      return state.finished.values.sorted { $0.chunk.order < $1.chunk.order }
    }
    var results: [QuestChunkResult] = []
    while let result = state.finished.removeValue(forKey: order + results.count) {
      results.append(result)
    }
    return results
  }

  /// Chunks that were taken are committed, or needed no more.
  func settle(_ results: [QuestChunkResult]) {
    state.withLock { state in
      state.outstanding -= results.count
      for result in results { state.outstandingQuests -= result.chunk.count }
    }
    ring()
  }

  /// Hands out no more chunks of an adventurer.
  func endQuests(of place: Int) { state.withLock { _ = $0.enough.insert(place) } }

  /// Hands out no more chunks.
  func stop() {
    let isNew = state.withLock { state in
      defer { state.isStopped = true }
      return !state.isStopped
    }
    if isNew { ring() }
  }

  private func ring() {
    bell.ring()
    bell.wakeAll()
  }
}
