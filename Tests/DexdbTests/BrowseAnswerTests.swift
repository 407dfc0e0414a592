import Entities
import Glibc
import PageStore
import Terminal
import Testing

@testable import dexdb

/// What is shown while a thread beside the screen finds the answer, whose part a test takes here.
@Suite struct `An answer that takes time` {
  private static let count = 200

  private static func tester(_ count: Int = count) throws -> (Database, BrowseTester) {
    let database = try Database.inMemory(entities: Pokedex.entities)
    try database.write { transaction throws(DatabaseError) in
      try transaction.fill { filler throws(DatabaseError) in
        for number in 1...count {
          try filler.insert(
            Adventurer(
              name: "Nr \(number)", profession: "Wizard", hitPoints: 80, multiplier: 300,
              defense: 50, evasion: 10, speed: 60), id: EntityID(UInt64(number)))
        }
      }
    }
    var tester = try BrowseTester(database)
    try tester.press(.tab)
    return (database, tester)
  }

  /// Types without an answer, as if it were on its way.
  private func type(_ text: String, _ tester: inout BrowseTester) throws {
    tester.source.isBeside = true
    for key in text { _ = try tester.state.handle(.character(key), tester.source) }
    try tester.state.refresh(tester.source)
  }

  @Test func `leaves what was shown, below what is typed, and is waited for by keys that mean it`()
    throws
  {
    var (_, tester) = try Self.tester()
    let names = tester.names
    // No index knows which of two fields is greater.
    try type("/wins>losses", &tester)
    #expect(tester.names == names && tester.state.list.isBehind)
    #expect(try tester.text().contains("Search: wins>losses"))
    #expect(try tester.text().contains("looking for it"))
    for key in [ScreenKey.down, .pageDown] {
      #expect(try tester.state.handle(key, tester.source) == .later)
      #expect(tester.state.list.selection == 0 && tester.state.pages.isEmpty)
    }
    #expect(try tester.state.handle(.enter, tester.source) == nil, "which leaves the line")
    #expect(try tester.state.handle(.enter, tester.source) == .later)
    #expect(tester.source.orders.work())
    try tester.state.refresh(tester.source)
    #expect(!tester.state.list.isBehind && tester.state.list.total == 0)
    #expect(!tester.state.isUnfinished)
  }

  @Test func `is given up by another line`() throws {
    var (_, tester) = try Self.tester()
    try type("/wins>losses", &tester)
    try tester.press(.control("u"))
    try type("hp<maxhp", &tester)
    #expect(tester.source.orders.work(), "the last line's")
    #expect(!tester.source.orders.work(), "and no other")
    try tester.state.refresh(tester.source)
    #expect(
      tester.state.list.query.filter
        == .fields(["current_hit_points"], .less, ["total_hit_points"]))
    #expect(!tester.state.list.isBehind)
  }

  @Test func `of an earlier commit is shown where writers are in a hurry`() throws {
    let (database, start) = try Self.tester()
    var tester = start
    try type("/wins>=losses", &tester)
    try database.write { transaction throws(DatabaseError) in
      try transaction.delete("adventurers", EntityID(1))
    }
    #expect(try tester.source.update())
    try tester.state.refresh(tester.source)
    #expect(tester.source.orders.work())
    try tester.state.refresh(tester.source)
    #expect(!tester.state.list.isBehind && tester.state.list.total == Self.count)
    #expect(tester.source.orders.work(), "asked anew")
    try tester.state.refresh(tester.source)
    #expect(tester.state.list.total == Self.count - 1 && !tester.state.isUnfinished)
  }

  @Test func `may still have a record that somebody has deleted`() throws {
    let (database, start) = try Self.tester()
    var tester = start
    tester.source.isBeside = true
    #expect(try tester.text().contains("Nr 1 "))
    try database.write { transaction throws(DatabaseError) in
      try transaction.delete("adventurers", EntityID(1))
    }
    #expect(try tester.source.update())
    try tester.state.refresh(tester.source)
    #expect(tester.state.layout.paneColumns > 0 && tester.state.list.chosen == EntityID(1))
    _ = try tester.canvas()
    #expect(try tester.state.handle(.enter, tester.source) == nil)
    #expect(tester.state.pages.isEmpty)
    #expect(tester.source.orders.work())
    try tester.state.refresh(tester.source)
    #expect(tester.state.list.chosen == EntityID(2))
  }

  @Test func `has its first rows and a count so far before it is complete`() throws {
    let (database, _) = try Self.tester()
    let query = Query(
      entity: "adventurers", filter: .fields(["wins"], .greaterOrEqual, ["losses"]))
    let progress = RecordProgress()
    let looked = Guarded(0)
    let snapshot = try database.snapshot().interrupted {
      looked.withLock { $0 += 1 }
      return looked.withLock { $0 } > 100
    }
    #expect(throws: DatabaseError.store(.cancelled)) {
      try snapshot.order(of: query, progress: progress)
    }
    #expect(progress.known.count == 100 && !progress.known.isCounted)
    #expect(progress.known.ids(at: 98..<100)?.map(\.rawValue) == [99, 100])
  }

  @Test func `of a sorted list has both ends first, and the middle where one goes there`() throws {
    let count = 2300
    var (_, tester) = try Self.tester(count)
    try type("/sort:-level", &tester)
    _ = try tester.state.handle(.enter, tester.source)
    #expect(tester.source.orders.work())
    try tester.state.refresh(tester.source)
    #expect(!tester.state.list.isBehind && tester.state.list.total == count)
    // All levels are the same, so that the numbers decide.
    _ = try tester.state.handle(.end, tester.source)
    try tester.state.refresh(tester.source)
    #expect(tester.state.list.chosen == EntityID(UInt64(count)))
    tester.state.list.select(1150)
    try tester.state.refresh(tester.source)
    #expect(tester.source.orders.work())
    try tester.state.refresh(tester.source)
    #expect(tester.state.list.chosen == EntityID(1151))
    #expect(!tester.state.isUnfinished)
  }

  @Test func `is found by a thread that wakes the screen`() throws {
    var (_, tester) = try Self.tester()
    tester.source.answerBeside()
    defer { tester.source.stop() }
    for key in "/wins>=losses" { _ = try tester.state.handle(.character(key), tester.source) }
    let start = ContinuousClock.now
    repeat {
      try tester.state.refresh(tester.source)
      usleep(1000)
    } while tester.state.isUnfinished && ContinuousClock.now - start < .seconds(60)
    #expect(tester.state.list.total == Self.count && !tester.state.isUnfinished)
  }
}

@Suite struct `Keys typed ahead` {
  @Test func `wait in their order, and Esc gives them up`() throws {
    let source = try BrowseSource(try BrowseTester.pokedex.get())
    // Nobody finds the answers.
    source.isBeside = true
    var keys = BrowseKeys()
    var state = BrowseState(columns: 80, rows: 24, abilities: ScreenAbilities(depth: .none))
    func handle() throws {
      #expect(try keys.handle(&state, source) { _, _ in Issue.record("nothing was asked") } == nil)
    }
    for key in [ScreenKey.down, .enter] { keys.append(key) }
    try handle()
    #expect(state.notice?.text.contains("Esc") == true)
    #expect(keys.waiting == [.down, .enter])
    keys.append(.escape)
    #expect(keys.waiting == [.escape])
    try handle()
    #expect(keys.waiting.isEmpty)
    for _ in 0..<100 { keys.append(.down) }
    try handle()
    #expect(keys.waiting.count == 32)
  }
}
