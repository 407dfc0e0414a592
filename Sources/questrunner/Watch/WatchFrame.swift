import Entities
import PageStore
import Terminal

/// Draws what `watch` shows.
struct WatchFrame {
  let state: WatchState
  /// Pictures by the adventurer's place, or by the enemy's place in the table.
  let pictures: any WatchPictures
  var canvas: ScreenCanvas

  static func canvas(_ state: WatchState, _ pictures: any WatchPictures) -> ScreenCanvas {
    var frame = WatchFrame(state: state, pictures: pictures)
    frame.draw()
    return frame.canvas
  }

  private init(state: WatchState, pictures: any WatchPictures) {
    self.state = state
    self.pictures = pictures
    canvas = ScreenCanvas(columns: state.columns, rows: state.rows)
  }

  var abilities: ScreenAbilities { state.abilities }

  /// From so many columns on, the log stands beside the fighters.
  private static let leastWide = 70

  private mutating func draw() {
    let (head, below) = canvas.bounds.split(rows: 1)
    drawHead(head)
    var (middle, foot) = below.split(rows: below.rows - 1)
    if state.tracks.count > 1 {
      let (party, rest) = middle.split(rows: 1)
      drawParty(party)
      middle = rest
    }
    drawFoot(foot)
    if middle.columns >= Self.leastWide {
      let (left, log) = middle.split(columns: min(52, max(36, middle.columns * 2 / 5)))
      drawFighters(left)
      drawLog(log)
    } else {
      let (top, log) = middle.split(rows: min(middle.rows / 2, 10 + 2 * foeCount))
      drawFighters(top)
      drawLog(log)
    }
  }

  var foeCount: Int { state.shown.quest.settings.foes }

  private mutating func drawFighters(_ part: ScreenRectangle) {
    // As tall as the picture that leaves room for the numbers, and the rest for the enemies.
    let wanted = max(10, min(16, (part.columns - 21) / 2) + 2)
    let most = part.rows - foeCount * 2 - 2
    let (top, bottom) = part.split(rows: max(min(wanted, most), min(7, part.rows / 2)))
    drawAdventurer(top)
    drawEnemies(bottom)
  }

  // MARK: The edges

  private mutating func drawHead(_ part: ScreenRectangle) {
    let style = WatchTheme.head(abilities)
    canvas.fill(part, style)
    let track = state.shown
    let clock = WatchTheme.time(state.tick)
    let mark: String
    if let outcome = track.outcome {
      mark = WatchTheme.text(outcome)
    } else if state.clock.isPaused {
      mark = abilities.isASCII || abilities.isAccessible ? "paused" : "❚❚ paused"
    } else {
      mark =
        (abilities.isASCII || abilities.isAccessible ? "speed " : "▶ ×") + state.clock.speedText
    }
    var bold = style
    bold.isBold = true
    let right = "\(mark)  \(clock) "
    canvas.put(right, endColumn: part.endColumn, row: part.row, bold)
    let room = part.columns - ScreenGlyph.width(of: right) - 2
    let taken = canvas.put(
      " \(track.quest.fighter.name)", column: 0, row: part.row, width: room, bold,
      ellipsis: abilities.ellipsis)
    let goal = track.quest.settings.goal.map { "to \($0.counted("kill"))" } ?? "to the fall"
    canvas.put(
      " on a quest \(goal) · seed \(track.quest.seed)", column: taken, row: part.row,
      width: taken < room - 1 ? room - taken : 0, style, ellipsis: abilities.ellipsis)
  }

  private static let keys = [
    ("space", "pause"), ("+ -", "speed"), (".", "step"), ("s", "skip"), ("q", "leave"),
  ]

  /// The keys that there is room for, the one that leaves always; a message goes before the others.
  private mutating func drawFoot(_ part: ScreenRectangle) {
    var keys = state.isOver ? [] : Array(Self.keys.dropLast())
    if state.tracks.count > 1 { keys.insert(("Tab", "next"), at: 0) }
    if state.shown.lines.count > 1 {
      keys.append((abilities.isASCII || abilities.isAccessible ? "Up Down" : "↑ ↓", "log"))
    }
    let width = { (key: (String, String)) in ScreenGlyph.width(of: key.0) + key.1.count + 3 }
    let last = ("q", "leave")
    let message = ScreenGlyph.width(of: state.message)
    var room = part.columns - 1 - width(last) - (message > 0 ? message + 1 : 0)
    let shown = keys.filter { key in
      room -= width(key)
      return room >= 0
    }
    var column = 1
    for (key, word) in shown + [last] {
      column += canvas.put(
        key, column: column, row: part.row, WatchTheme.strong(WatchTheme.gold, abilities))
      column += 1 + canvas.put(word, column: column + 1, row: part.row)
      column += 2
    }
    if message > 0 {
      let width = min(message, part.columns - column - 1)
      canvas.put(
        state.message, column: part.endColumn - width - 1, row: part.row, width: width,
        WatchTheme.quiet(abilities), ellipsis: abilities.ellipsis)
    }
  }

  /// All adventurers, each with a bar, as many as there is room for around the chosen one.
  private mutating func drawParty(_ part: ScreenRectangle) {
    let width = 24
    let count = max(1, part.columns / width)
    let first = min(max(0, state.chosen - count / 2), max(0, state.tracks.count - count))
    for (index, place) in (first..<min(first + count, state.tracks.count)).enumerated() {
      let track = state.tracks[place]
      let result = track.result
      let column = part.column + index * width
      let isChosen = place == state.chosen
      var style: ScreenStyle = isChosen ? .bold : WatchTheme.quiet(abilities)
      style.isUnderlined = isChosen
      canvas.put(
        "\(isChosen ? (abilities.isASCII ? ">" : "▸") : " ")\(place + 1) "
          + track.quest.fighter.name, column: column, row: part.row, width: 12, style,
        ellipsis: abilities.ellipsis)
      if let outcome = track.outcome {
        let text = ["win", "fall", "time"][Int(outcome.rawValue)]
        canvas.put(
          text, column: column + 13, row: part.row, WatchTheme.style(outcome, abilities))
      } else {
        canvas.bar(
          result.hitPoints, of: result.totalHitPoints, column: column + 13, row: part.row,
          columns: 5, WatchTheme.health(result.hitPoints, of: result.totalHitPoints), abilities)
      }
      canvas.put(
        "\(result.kills)", column: column + 19, row: part.row, width: 4,
        WatchTheme.quiet(abilities))
    }
  }
}

/// Where the pictures of fighters come from.
protocol WatchPictures {
  func adventurer(_ place: Int, columns: Int, rows: Int) -> ScreenPicture?
  func enemy(_ species: EnemySpecies, columns: Int, rows: Int) -> ScreenPicture?
}
