import Entities
import Terminal

/// The fighters: bars and numbers, and pictures where there is room.
extension WatchFrame {
  /// For so long, in milliseconds of the wall clock, what happened stands beside a fighter.
  private static let markTime = 700

  private func mark(_ slot: Int) -> WatchTrack.Mark? {
    guard let mark = state.shown.marks[slot] else { return nil }
    let age = state.tick - mark.tick
    return age <= Int64(max(1, Self.markTime * state.clock.speed / 1_000)) ? mark : nil
  }

  /// What has just happened to a fighter, in a word.
  private mutating func drawMark(_ slot: Int, endColumn: Int, row: Int) {
    guard let mark = mark(slot) else { return }
    switch mark.kind {
    case .hits:
      canvas.put(
        "-\(mark.number)", endColumn: endColumn, row: row,
        WatchTheme.strong(slot == 0 ? WatchTheme.red : WatchTheme.orange, abilities))
    case .evaded:
      canvas.put("evades", endColumn: endColumn, row: row, WatchTheme.quiet(abilities))
    case .waits: canvas.put("waits", endColumn: endColumn, row: row, WatchTheme.quiet(abilities))
    case .appears:
      canvas.put(
        "new", endColumn: endColumn, row: row, WatchTheme.strong(WatchTheme.blue, abilities))
    case .levelUp:
      canvas.put(
        "level up", endColumn: endColumn, row: row,
        WatchTheme.strong(WatchTheme.gold, abilities))
    case .falls:
      canvas.put(
        "falls", endColumn: endColumn, row: row, WatchTheme.strong(WatchTheme.red, abilities))
    case .wide, .ends: break
    }
  }

  /// A thin bar that fills until a fighter's turn.
  private mutating func drawTimer(_ slot: Int, column: Int, row: Int, columns: Int) {
    if state.shown.isOver || columns < 4 { return }
    let timer = state.shown.walk.timer(slot, at: state.tick)
    let waited = max(0, timer.of - max(0, timer.left))
    canvas.bar(
      Int(waited), of: Int(max(1, timer.of)), column: column, row: row, columns: columns,
      WatchTheme.blue, abilities)
  }

  // MARK: The adventurer

  mutating func drawAdventurer(_ part: ScreenRectangle) {
    let track = state.shown
    canvas.box(
      part, title: track.quest.fighter.name, WatchTheme.quiet(abilities),
      titleStyle: .bold, abilities)
    var inner = part.inset(columns: 2, rows: 1)
    if inner.isEmpty { return }
    // What is said needs 17 columns beside the picture.
    let rows = min(inner.rows, (inner.columns - 17) / 2, 16)
    if rows >= 6, abilities.hasPictures,
      let picture = pictures.adventurer(state.chosen, columns: rows * 2, rows: rows)
    {
      canvas.picture(picture, column: inner.column, row: inner.row)
      inner = inner.split(columns: picture.columns + 2).rest
    }
    var row = inner.row
    let end = inner.endRow
    let result = track.result
    let next = { row += 1 }
    let fighter = track.quest.fighter
    if end - row >= 8 {
      let type = fighter.attackType.map { " · \($0.name)" } ?? ""
      canvas.put(
        fighter.profession + type, column: inner.column, row: row, width: inner.columns,
        WatchTheme.quiet(abilities), ellipsis: abilities.ellipsis)
      next()
    }
    canvas.put("Level ", column: inner.column, row: row)
    canvas.put("\(result.level)", column: inner.column + 6, row: row, .bold)
    let experience = fighter.experience + result.experience
    let room = inner.columns - 7 - "\(result.level)".count
    for words in ["XP \(experience)", "XP \(experience / 1_000)k"] where words.count <= room {
      canvas.put(words, endColumn: inner.endColumn, row: row)
      break
    }
    next()
    if row >= end { return }
    drawHealth(
      result.hitPoints, result.totalHitPoints, slot: 0, column: inner.column, row: row, inner)
    row += 2
    for (name, value) in [
      ("Kills", Self.kills(result.kills, track.quest.settings.goal)),
      ("Damage done", "\(result.dealt)"), ("Damage taken", "\(result.taken)"),
    ] where row < end {
      if name == "Kills" || end - row > 0 {
        canvas.put(name, column: inner.column, row: row, WatchTheme.quiet(abilities))
        canvas.put(value, endColumn: inner.endColumn, row: row, .bold)
      }
      next()
    }
    if row < end { drawTurn(0, "turn", column: inner.column, row: row, inner) }
  }

  private static func kills(_ kills: Int, _ goal: Int?) -> String {
    goal.map { "\(kills) of \($0)" } ?? "\(kills)"
  }

  private mutating func drawTurn(
    _ slot: Int, _ word: String, column: Int, row: Int, _ part: ScreenRectangle
  ) {
    if state.shown.isOver || abilities.isAccessible { return }
    canvas.put(word, column: column, row: row, WatchTheme.quiet(abilities))
    drawTimer(
      slot, column: column + word.count + 1, row: row,
      columns: part.endColumn - column - word.count - 1)
  }

  /// Hit points as numbers, and below them as a bar.
  private mutating func drawHealth(
    _ value: Int, _ total: Int, slot: Int, column: Int, row: Int, _ part: ScreenRectangle
  ) {
    let color = WatchTheme.health(value, of: total)
    let taken = canvas.put(
      "\(value)", column: column, row: row, WatchTheme.strong(color, abilities))
    let rest = part.endColumn - column - taken
    // What has just happened needs 9 columns at most.
    let words = ["/\(total) HP", "/\(total)"].first { $0.count + 9 <= rest } ?? ""
    canvas.put(words, column: column + taken, row: row)
    drawMark(slot, endColumn: part.endColumn, row: row)
    if row + 1 < part.endRow {
      canvas.bar(
        value, of: total, column: column, row: row + 1, columns: part.endColumn - column, color,
        abilities)
    }
  }

  // MARK: The enemies

  mutating func drawEnemies(_ part: ScreenRectangle) {
    canvas.box(
      part, title: foeCount == 1 ? "The enemy" : "The enemies", WatchTheme.quiet(abilities),
      abilities)
    let inner = part.inset(columns: 2, rows: 1)
    if inner.isEmpty { return }
    let block = min(14, max(1, inner.rows / foeCount))
    for slot in 1...foeCount {
      let row = inner.row + (slot - 1) * block
      let place = ScreenRectangle(
        column: inner.column, row: row, columns: inner.columns,
        rows: min(block, inner.endRow - row))
      if !place.isEmpty { drawEnemy(slot, place) }
    }
  }

  private mutating func drawEnemy(_ slot: Int, _ part: ScreenRectangle) {
    let track = state.shown
    let enemy = track.walk.enemy(slot)
    let species = track.quest.enemies.species[enemy.place]
    var place = part
    let rows = min(part.rows - (foeCount > 1 ? 1 : 0), (part.columns - 30) / 2)
    if rows >= 4, abilities.hasPictures {
      if let picture = pictures.enemy(species, columns: rows * 2, rows: rows) {
        canvas.picture(picture, column: part.column, row: part.row)
      }
      // The room stays where there is no picture, so that what is beside it stands still.
      place = part.split(columns: rows * 2 + 2).rest
    }
    let total = enemy.totalHitPoints
    let value = min(max(0, enemy.hitPoints), total)
    let isNext = !track.isOver && track.walk.nextActor == slot
    let level = " Lv \(enemy.level)"
    let taken = canvas.put(
      foeCount > 1 ? "\(species.name) \(slot)" : species.name, column: place.column,
      row: place.row, width: max(4, place.columns - Self.typesWidth(species) - level.count),
      isNext ? WatchTheme.strong(WatchTheme.orange, abilities) : .bold,
      ellipsis: abilities.ellipsis)
    canvas.put(level, column: place.column + taken, row: place.row)
    drawTypes(species, endColumn: place.endColumn, row: place.row)
    if place.rows < 2 { return }
    drawEnemyHealth(slot, value, total, place)
    if place.rows >= 3 { drawTurn(slot, "turn", column: place.column, row: place.row + 2, place) }
  }

  /// A bar, the numbers and what has just happened, in one row.
  private mutating func drawEnemyHealth(
    _ slot: Int, _ value: Int, _ total: Int, _ part: ScreenRectangle
  ) {
    let row = part.row + 1
    let numbers = "\(value)/\(total)"
    let width = max(0, part.columns - 17)
    canvas.bar(
      value, of: total, column: part.column, row: row, columns: width,
      WatchTheme.health(value, of: total), abilities)
    let column = abilities.isAccessible ? part.column : part.column + width + 1
    canvas.put(
      numbers, column: column, row: row, width: 9,
      WatchTheme.strong(WatchTheme.health(value, of: total), abilities))
    drawMark(slot, endColumn: part.endColumn, row: row)
  }

  private static func typesWidth(_ species: EnemySpecies) -> Int {
    species.types.prefix(2).reduce(0) { $0 + $1.name.count + 1 }
  }

  private mutating func drawTypes(_ species: EnemySpecies, endColumn: Int, row: Int) {
    var end = endColumn
    for type in species.types.prefix(2).reversed() {
      let name = type.name
      canvas.put(
        name, endColumn: end, row: row, WatchTheme.plain(TypeColor.of(name), abilities))
      end -= name.count + 1
    }
  }
}
