import Entities
import Testing

@Suite struct `A log of quests` {
  private struct Pieces {
    let bytes: [UInt8]
    var position = 0
    mutating func read(_ count: Int) -> [UInt8] {
      let end = min(bytes.count, position + count)
      defer { position = end }
      return Array(bytes[position..<end])
    }
  }

  private func sections(_ bytes: [UInt8]) throws -> [QuestLogSection] {
    var pieces = Pieces(bytes: bytes)
    var reader = try QuestLogReader { count in pieces.read(count) }
    var found: [QuestLogSection] = []
    while let section = try reader.next() { found.append(section) }
    return found
  }

  private func log(_ mode: QuestMode) throws -> (plan: QuestPlan, bytes: [UInt8]) {
    let data = try QuestDatabase()
    let plan = try data.plan(mode, quests: 3, goal: 4)
    let runner = try QuestRunner(try QuestRunner.begin(plan, in: data.database), in: data.database)
    var bytes = QuestLog.header(plan)
    #expect(try runner.run(log: { bytes += $0 }))
    var again = QuestLog.header(plan)
    try runner.repeatLog { again += $0 }
    #expect(again == bytes)
    return (plan, bytes)
  }

  @Test(arguments: QuestMode.allCases) func `has what happens`(mode: QuestMode) throws {
    let (plan, bytes) = try log(mode)
    let found = try sections(bytes)
    #expect(found.count == 9)
    for section in found {
      let quest = try Quest(
        seed: plan.seed, number: section.quest, fighter: section.fighter, enemies: plan.table,
        settings: plan.settings)
      var events = QuestEvents()
      _ = quest.run(into: &events)
      #expect(events.events == section.events)
      var narrator = QuestNarrator(section.fighter, plan.table)
      let lines = section.events.compactMap { narrator.line($0)?.text }
      #expect(lines.contains { $0.hasPrefix(section.fighter.name + " hits ") })
      #expect(lines.last?.hasPrefix("the quest ends: ") == true)
    }
  }

  @Test func `is refused wherever a byte of it is another one, or where it is cut`() throws {
    let (_, bytes) = try log(.sample)
    var random = QuestRandom(seed: 1, adventurer: 2, quest: 3)
    for _ in 0..<200 {
      var wrong = bytes
      let place = random.draw(0...bytes.count - 1)
      wrong[place] ^= UInt8(random.draw(1...255))
      #expect(throws: QuestError.self) { try sections(wrong) }
      let cut = random.draw(0...bytes.count - 1)
      if let count = try? sections(Array(bytes[..<cut])).count { #expect(count < 9) }
    }
    #expect(throws: QuestError.self) { try sections([]) }
  }

  @Test func `is told without a trap, whatever events it claims`() throws {
    let fighter = try QuestDatabase().plan().roster[0]
    var narrator = QuestNarrator(fighter, QuestTestData.smallTable)
    var random = QuestRandom(seed: 4, adventurer: 5, quest: 6)
    var count = 0
    for _ in 0..<20_000 where narrator.line(QuestEvent(rawValue: random.next())) != nil {
      count += 1
    }
    #expect(count > 10_000)
  }
}
