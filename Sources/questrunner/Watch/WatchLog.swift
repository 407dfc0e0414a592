import Entities
import PageStore
import Terminal

/// What happened, line by line, the newest at the bottom.
extension WatchFrame {
  mutating func drawLog(_ part: ScreenRectangle) {
    let track = state.shown
    let title =
      state.scrolled > 0 ? "What happened, \(state.scrolled.counted("line")) ago" : "What happened"
    canvas.box(part, title: title, WatchTheme.quiet(abilities), abilities)
    let inner = part.inset(columns: 2, rows: 1)
    if inner.isEmpty { return }
    var row = inner.endRow
    if let outcome = track.outcome, state.scrolled == 0, inner.rows >= 8 {
      row -= drawEnd(outcome, track, inner)
    }
    // Where there is little room, tenths of seconds are enough.
    let dropped = inner.columns < 44 ? 2 : 0
    let timeWidth = max(8, WatchTheme.time(state.tick).count) - dropped
    for line in track.lines.dropLast(state.scrolled).reversed() {
      if row <= inner.row { break }
      let sign = WatchTheme.sign(line, abilities)
      let indent = timeWidth + (sign.isEmpty ? 1 : 3)
      let parts = Self.wrapped(line.text, columns: inner.columns - indent)
      row -= parts.count
      for (index, text) in parts.enumerated() where row + index >= inner.row {
        canvas.put(
          text, column: inner.column + indent, row: row + index,
          width: inner.columns - indent, WatchTheme.line(line, abilities),
          ellipsis: abilities.ellipsis)
      }
      if row < inner.row { break }
      let time = String(WatchTheme.time(line.tick).dropLast(dropped))
      canvas.put(
        time, column: inner.column + timeWidth - time.count, row: row, width: inner.columns,
        WatchTheme.quiet(abilities))
      canvas.put(
        sign, column: inner.column + timeWidth + 1, row: row, WatchTheme.line(line, abilities))
    }
  }

  /// How it ended, in a few lines at the bottom; returns how many.
  private mutating func drawEnd(
    _ outcome: QuestOutcome, _ track: WatchTrack, _ part: ScreenRectangle
  ) -> Int {
    let result = track.result
    let head: String
    switch outcome {
    case .win: head = "\(track.quest.fighter.name) wins!"
    case .fall: head = "\(track.quest.fighter.name) has fallen, and rests at home."
    case .timeout: head = "The time is over."
    }
    let levels = result.level - track.quest.fighter.level
    let lines = [
      "", head,
      "\(result.kills.counted("kill")), \(result.experience) experience"
        + (levels > 0 ? ", \(levels.counted("level")) up" : ""),
      "\(result.dealt) damage done, \(result.taken) taken, in \(WatchTheme.time(result.tick))",
    ]
    let top = part.endRow - lines.count
    for (index, text) in lines.enumerated() {
      canvas.put(
        text, column: part.column, row: top + index, width: part.columns,
        index == 1 ? WatchTheme.style(outcome, abilities) : .plain, ellipsis: abilities.ellipsis)
    }
    return lines.count
  }

  /// `text` in lines of at most so many columns, broken between words.
  private static func wrapped(_ text: String, columns: Int) -> [String] {
    if columns < 8 || ScreenGlyph.width(of: text) <= columns { return [text] }
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty,
        ScreenGlyph.width(of: line) + 1 + ScreenGlyph.width(of: String(word)) > columns
      {
        lines.append(line)
        line = "  "
      }
      line += (line.isEmpty || line == "  " ? "" : " ") + word
    }
    lines.append(line)
    return lines
  }
}
