/// Gathers events where an array would be asked for room at each of them, and hands them on together.
struct QuestStage: QuestSink {
  private var staged = InlineArray<256, QuestEvent>(repeating: QuestEvent(rawValue: 0))
  private var count = 0
  private var last: Int64
  private var events: QuestEvents

  /// Takes the events so far, which `give` brings back.
  init(taking events: inout QuestEvents) {
    last = events.last
    self.events = QuestEvents()
    swap(&events, &self.events)
  }

  /// Gives back all events.
  mutating func give(to events: inout QuestEvents) {
    flush()
    swap(&events, &self.events)
  }

  @inline(never)
  private mutating func flush() {
    // Safe: the events are alive, and copied.
    unsafe staged.span.extracting(0..<count).withUnsafeBufferPointer {
      unsafe events.append($0, last: last)
    }
    count = 0
  }

  @inline(__always)
  mutating func take(
    _ kind: QuestEvent.Kind, tick: Int64, actor: Int, target: Int, _ first: Int64, _ second: Int64
  ) {
    if QuestEvent.isWide(first, second) { widen(first, second) }
    stage(QuestEvent(kind, ticks: tick &- last, actor: actor, target: target, first, second))
    last = tick
  }

  @inline(never)
  private mutating func widen(_ first: Int64, _ second: Int64) { stage(.wide(first, second)) }

  @inline(__always)
  private mutating func stage(_ event: QuestEvent) {
    // The mask changes nothing, and shows that there is room.
    staged[count & 255] = event
    count &+= 1
    if count == 256 { flush() }
  }
}
