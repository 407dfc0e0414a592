import Entities
import Terminal
import Testing

@testable import questrunner

/// Quests to look at, of adventurers and enemies that are made up.
enum WatchTestData {
  static let table: EnemyTable = {
    let species = [
      EnemySpecies(
        number: 3, name: "Rattle", hp: 45, attack: 60, defense: 49, speed: 45, types: [.grass],
        baseExperience: 64),
      EnemySpecies(
        number: 7, name: "Ember 火", hp: 39, attack: 70, defense: 43, speed: 65,
        types: [.fire, .flying], baseExperience: 62),
    ]
    guard let table = try? EnemyTable(species) else { preconditionFailure("no table") }
    return table
  }()

  static func quest(
    _ id: UInt64 = 1, name: String = "Ana", seed: UInt64 = 5, foes: Int = 2, goal: Int? = 6
  ) -> Quest {
    let adventurer = Adventurer(
      name: name, profession: "Wizard", hitPoints: 90, multiplier: 400, defense: 50, evasion: 20,
      speed: 70)
    guard
      let quest = try? Quest(
        seed: seed, number: 0, fighter: Fighter(adventurer, id: EntityID(id)), enemies: table,
        settings: QuestSettings(foes: foes, goal: goal))
    else { preconditionFailure("no quest") }
    return quest
  }

  static func state(
    _ quests: [Quest], columns: Int = 80, rows: Int = 24, speed: Int = 1_000,
    abilities: ScreenAbilities = ScreenAbilities(depth: .direct)
  ) -> WatchState {
    WatchState(
      quests, columns: columns, rows: rows, abilities: abilities, at: 0, speed: speed)
  }

  /// The whole log of a quest, as those who do not watch get it.
  static func lines(_ quest: Quest) -> [QuestNarrator.Line] {
    var events = QuestEvents()
    _ = quest.run(into: &events)
    var narrator = QuestNarrator(quest.fighter, quest.enemies)
    return events.events.compactMap { narrator.line($0) }
  }
}

/// No pictures at all.
struct NoWatchPictures: WatchPictures {
  func adventurer(_ place: Int, columns: Int, rows: Int) -> ScreenPicture? { nil }
  func enemy(_ species: EnemySpecies, columns: Int, rows: Int) -> ScreenPicture? { nil }
}

private let millisecond: Int64 = 1_000_000

@Suite struct `The clock of a watched quest` {
  @Test func `has absolute deadlines`() {
    var clock = WatchClock(at: 100, speed: 4_000)
    #expect(clock.moment(of: 8) == 100 + 2 * millisecond)
    #expect(clock.tick(at: 100 + 2 * millisecond) == 8)
    // Half a second at four times the speed are two seconds; then they go on half as fast.
    clock.change(isFaster: false, at: 100 + 500 * millisecond)
    #expect(clock.speed == 2_000)
    #expect(clock.moment(of: 3_000) == 100 + 1_000 * millisecond)
    clock.pause(at: 100 + 600 * millisecond)
    #expect(clock.moment(of: 3_000) == nil)
    #expect(clock.tick(at: 100 + 9_000 * millisecond) == 2_200)
    clock.goOn(at: 100 + 9_000 * millisecond)
    #expect(clock.moment(of: 3_000) == 100 + 9_400 * millisecond)
  }

  @Test(arguments: UInt64(0)..<32)
  func `does not drift, whatever is changed`(seed: UInt64) throws {
    var state = seed
    func draw(_ count: UInt64) -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) % count
    }
    var clock = WatchClock(at: 0)
    var now: Int64 = 0
    // The time of the quest in millionths of ticks, added up without rounding.
    var exact: Double = 0
    for _ in 0..<200 {
      let step = Int64(draw(50_000_000))
      if !clock.isPaused { exact += Double(step) * Double(clock.speed) / 1_000 }
      now += step
      switch draw(4) {
      case 0: clock.change(isFaster: true, at: now)
      case 1: clock.change(isFaster: false, at: now)
      case 2: clock.pause(at: now)
      default: clock.goOn(at: now)
      }
      #expect(abs(Double(clock.tick(at: now)) - exact / 1e6) < 1.001)
    }
    clock.goOn(at: now)
    let next = clock.tick(at: now) + 7
    let moment = try #require(clock.moment(of: next))
    #expect(clock.tick(at: moment) == next)
    #expect(clock.tick(at: moment - 1) < next)
  }

  @Test func `says its speed as people write it`() {
    #expect(WatchClock(at: 0, speed: 4_000).speedText == "4")
    #expect(WatchClock(at: 0, speed: 500).speedText == "0.5")
    #expect(WatchClock(at: 0, speed: 125).speedText == "0.125")
  }
}

@Suite struct `A watched quest` {
  @Test(arguments: [1, 3, 17, 400, 5_000] as [Int64])
  func `is the one that is computed, however often one looks`(milliseconds: Int64) {
    let quest = WatchTestData.quest()
    var state = WatchTestData.state([quest], speed: 8_000)
    var now: Int64 = 0
    while !state.isOver {
      now += milliseconds * millisecond
      state.advance(to: now)
    }
    #expect(state.shown.result == quest.run())
    #expect(state.shown.lines == WatchTestData.lines(quest))
    #expect(state.tick == quest.run().tick)
  }

  @Test func `has happened up to the tick that the clock shows, and no further`() {
    let quest = WatchTestData.quest()
    let lines = WatchTestData.lines(quest)
    var state = WatchTestData.state([quest])
    for tick in stride(from: 0, through: quest.run().tick + 500, by: 313) {
      state.advance(to: tick * millisecond)
      #expect(state.shown.lines == lines.filter { $0.tick <= tick })
    }
  }

  @Test func `stands, steps, goes on and ends by keys`() {
    let quest = WatchTestData.quest()
    let lines = WatchTestData.lines(quest)
    var state = WatchTestData.state([quest])
    #expect(state.handle(.character(" "), at: 0) == nil)
    state.advance(to: 60_000 * millisecond)
    #expect(state.tick == 0)
    #expect(state.deadline == nil)
    let ticks = Set(lines.map(\.tick)).sorted()
    for tick in ticks.dropFirst().prefix(5) {
      _ = state.handle(.character("."), at: 60_000 * millisecond)
      #expect(state.tick == tick)
      #expect(state.shown.lines == lines.filter { $0.tick <= tick })
    }
    _ = state.handle(.character("+"), at: 60_000 * millisecond)
    #expect(state.clock.speed == 2_000)
    _ = state.handle(.character(" "), at: 60_000 * millisecond)
    let next = ticks[6]
    #expect(state.deadline == 60_000 * millisecond + (next - ticks[5]) * millisecond / 2)
    _ = state.handle(.character("s"), at: 60_001 * millisecond)
    #expect(state.isOver)
    #expect(state.shown.result == quest.run())
    #expect(state.handle(.character("q"), at: 60_002 * millisecond) == .leave)
  }

  @Test func `goes on beside others, of which each can be shown`() {
    let quests = [
      WatchTestData.quest(1), WatchTestData.quest(2, name: "Borin"),
      WatchTestData.quest(3, name: "Zoë"),
    ]
    var state = WatchTestData.state(quests, speed: 64_000)
    #expect(state.shown.quest.fighter.name == "Ana")
    _ = state.handle(.tab, at: 0)
    #expect(state.shown.quest.fighter.name == "Borin")
    _ = state.handle(.backTab, at: 0)
    _ = state.handle(.backTab, at: 0)
    #expect(state.shown.quest.fighter.name == "Zoë")
    _ = state.handle(.character("2"), at: 0)
    #expect(state.shown.quest.fighter.name == "Borin")
    _ = state.handle(.character("9"), at: 0)
    #expect(state.chosen == 1)
    var now: Int64 = 0
    while !state.isOver {
      now += 20 * millisecond
      state.advance(to: now)
    }
    #expect(state.tracks.map(\.result) == quests.map { $0.run() })
    #expect(state.tick == quests.map { $0.run().tick }.max())
  }

  @Test func `lets one look back while it goes on`() {
    var state = WatchTestData.state([WatchTestData.quest()])
    state.advance(to: 20_000 * millisecond)
    _ = state.handle(.pageUp, at: 20_000 * millisecond)
    let before = state.shown.lines.dropLast(state.scrolled).last
    state.advance(to: 30_000 * millisecond)
    #expect(state.shown.lines.dropLast(state.scrolled).last == before)
    _ = state.handle(.end, at: 30_000 * millisecond)
    #expect(state.scrolled == 0)
  }
}

@Suite struct `The screen of a watched quest` {
  private static func text(_ state: WatchState) -> [String] {
    WatchFrame.canvas(state, NoWatchPictures()).lines
  }

  @Test(arguments: [
    ScreenAbilities(depth: .direct), ScreenAbilities(depth: .none, isASCII: true),
    ScreenAbilities(depth: .eight, isAccessible: true),
  ])
  func `fits any terminal`(abilities: ScreenAbilities) {
    let quests = [WatchTestData.quest(foes: 4), WatchTestData.quest(2, name: "名前 long enough")]
    for (columns, rows) in [(1, 1), (2, 3), (20, 5), (40, 12), (69, 10), (70, 8), (300, 100)] {
      var state = WatchTestData.state(
        quests, columns: columns, rows: rows, abilities: abilities)
      for time in [0, 9_000, 50_000] as [Int64] {
        state.advance(to: time * millisecond)
        #expect(Self.text(state).count == rows)
      }
      _ = state.handle(.character("s"), at: 50_000 * millisecond)
      #expect(Self.text(state).count == rows)
    }
  }

  @Test(arguments: [(80, 24), (120, 40), (60, 30)])
  func `shows numbers, and what happened`(columns: Int, rows: Int) {
    let quest = WatchTestData.quest()
    var state = WatchTestData.state([quest], columns: columns, rows: rows)
    state.advance(to: 12_000 * millisecond)
    let text = Self.text(state).joined(separator: "\n")
    let result = state.shown.result
    #expect(text.contains("Ana on a quest to 6 kills"))
    #expect(text.contains("seed 5"))
    #expect(text.contains("\(result.hitPoints)/\(result.totalHitPoints)"))
    #expect(text.contains("0:12.000"))
    for slot in 1...2 {
      let enemy = state.shown.walk.enemy(slot)
      #expect(text.contains("\(enemy.hitPoints)/\(enemy.totalHitPoints)"))
      #expect(text.contains("Lv \(enemy.level)"))
    }
    for line in state.shown.lines.suffix(2) {
      // The words may be broken over two lines.
      #expect(text.contains(line.text.split(separator: " ").prefix(3).joined(separator: " ")))
    }
  }

  @Test func `says how it ended`() {
    let quest = WatchTestData.quest(goal: nil)
    var state = WatchTestData.state([quest])
    _ = state.handle(.character("s"), at: 0)
    state.message = "kept as run 4"
    let text = Self.text(state).joined(separator: "\n")
    #expect(text.contains("Ana has fallen"))
    #expect(text.contains("\(quest.run().kills) kills"))
    #expect(text.contains("kept as run 4"))
  }

  @Test func `never shows what commands a terminal`() {
    let quest = WatchTestData.quest(name: "A\u{1B}[2Jna\u{202E}")
    let state = WatchTestData.state([quest, quest])
    for line in Self.text(state) {
      #expect(line.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202E })
    }
  }
}
