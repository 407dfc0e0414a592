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
    var outstanding = 0
    /// Campaigns of which a chunk is being computed.
    var computing = 0
    var finished: [QuestChunkResult] = []
    var isStopped = false
    /// Adventurers who need no more quests.
    var enough: Set<Int> = []
    /// Quests and events of what was handed in, for the size of chunks.
    var quests = 0
    var events: UInt64 = 0
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

  /// How many events a chunk should have, which take some tenths of a second.
  private static let eventsInChunk: UInt64 = 16_000_000
  private static let questsInChunk = 1 << 17

  init(_ plan: QuestPlan, starts: [Start], window: Int, chunkSize: Int?) {
    self.plan = plan
    self.starts = starts
    self.window = window
    self.chunkSize = chunkSize
    state = Guarded(State())
  }

  /// The next chunk; waits where too many are out. Nil where there is none left.
  func claim() -> QuestChunk? {
    while true {
      let heard = bell.value
      let (chunk, isOver) = state.withLock { state -> (QuestChunk?, Bool) in
        if state.isStopped { return (nil, true) }
        if state.outstanding >= window { return (nil, false) }
        guard let chunk = next(&state) else { return (nil, state.computing == 0) }
        state.outstanding += 1
        if plan.mode == .campaign { state.computing += 1 }
        return (chunk, false)
      }
      if let chunk { return chunk }
      if isOver { return nil }
      bell.wait(while: heard, nanoseconds: 100_000_000)
    }
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
        place: state.place, first: first, count: min(size(state), plan.quests - first),
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

  private func size(_ state: State) -> Int {
    if let chunkSize { return max(1, chunkSize) }
    if state.quests == 0 { return 64 }
    let mean = max(1, state.events / UInt64(state.quests))
    return min(Self.questsInChunk, max(1, Int(clamping: Self.eventsInChunk / mean)))
  }

  /// Takes what a chunk gave, for the one who commits.
  func handIn(_ result: QuestChunkResult) {
    state.withLock { state in
      state.finished.append(result)
      state.quests += result.count
      for part in result.parts { state.events &+= UInt64(clamping: part.events) }
      if plan.mode == .campaign {
        state.computing -= 1
        let first = result.chunk.first + result.count
        if !result.isEnough, first < plan.quests {
          state.waiting.append(
            QuestChunk(
              place: result.chunk.place, first: first,
              count: min(size(state), plan.quests - first), order: 0, fighter: result.fighter))
        }
      }
    }
    ring()
  }

  /// What is to be committed next; waits for it. Nil where all is committed, or was stopped.
  ///
  /// - Parameter isPatient: Asked while waiting; once it is false, no more chunks are handed out.
  func take(order: Int, isPatient: () -> Bool) -> QuestChunkResult? {
    while true {
      let heard = bell.value
      if !isPatient() { stop() }
      let (result, isOver) = state.withLock { state -> (QuestChunkResult?, Bool) in
        let index =
          plan.mode == .campaign
          ? (state.finished.isEmpty ? nil : 0)
          : state.finished.firstIndex { $0.chunk.order == order }
        if let index { return (state.finished.remove(at: index), false) }
        if state.outstanding > 0 { return (nil, false) }
        return (nil, state.isStopped || (state.place >= starts.count && state.waiting.isEmpty))
      }
      if result != nil || isOver { return result }
      bell.wait(while: heard, nanoseconds: 100_000_000)
    }
  }

  /// A chunk that was taken is committed, or needed no more.
  func settle() {
    state.withLock { $0.outstanding -= 1 }
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
