import Testing

@testable import Entities

@Suite struct `A verifier of logs` {
  private static func plan(limit: Int64, goal: Int?) throws -> QuestPlan {
    // Hardly ever hit, and never for long: the quest goes on to its limit.
    let fighter = Adventurer(
      name: "Ann", profession: "ranger", hitPoints: 2_000_000_000, multiplier: 1, defense: 65_535,
      evasion: 128, speed: 10_000)
    let rat = EnemySpecies(
      number: 1, name: "rat", hp: 65_535, attack: 1, defense: 65_535, speed: 0, types: [.normal])
    return QuestPlan(
      seed: 3, quests: 2, settings: QuestSettings(foes: 1, goal: goal, limit: limit),
      roster: [Fighter(fighter, id: EntityID(1))], table: try EnemyTable([rat]))
  }

  private static func sections(_ plan: QuestPlan) throws -> [UInt8] {
    let computing = try QuestComputing(plan, keepsLog: true)
    return computing.compute(
      QuestChunk(place: 0, first: 0, count: 2, order: 0, fighter: plan.roster[0])
    ).log
  }

  private static func verifier(_ bytes: [UInt8]) throws -> QuestLogVerifier {
    var position = 0
    let reader = try QuestLogReader { (count) throws(QuestError) in
      let end = min(bytes.count, position + count)
      defer { position = end }
      return Array(bytes[position..<end])
    }
    return try QuestLogVerifier(reader)
  }

  @Test func `counts the quests that are as the log has them`() throws {
    let plan = try Self.plan(limit: 5_000, goal: nil)
    var verifier = try Self.verifier(QuestLog.header(plan) + Self.sections(plan))
    while try verifier.next() {}
    #expect(verifier.count == 2)
  }

  @Test func `refuses a short log of a quest that goes on for years at once`() throws {
    let short = try Self.plan(limit: 5_000, goal: nil)
    let long = try Self.plan(limit: QuestSettings.greatestLimit, goal: nil)
    var verifier = try Self.verifier(QuestLog.header(long) + Self.sections(short))
    #expect(throws: QuestError.falseLog("quest 0 of adventurer 1 is not what happened")) {
      try verifier.next()
    }
  }

  @Test func `refuses events behind the end, and quests that are not the next`() throws {
    let plan = try Self.plan(limit: 5_000, goal: nil)
    let sections = try Self.sections(plan)
    let second = Array(sections[QuestLogSection.prefix(of: sections, before: 1).count...])
    var verifier = try Self.verifier(QuestLog.header(plan) + second)
    #expect(
      throws: QuestError.falseLog("quest 1 of adventurer 1 stands where quest 0 should be")
    ) {
      try verifier.next()
    }
    let shorter = try Self.plan(limit: 4_000, goal: nil)
    verifier = try Self.verifier(QuestLog.header(shorter) + sections)
    #expect(throws: QuestError.falseLog("quest 0 of adventurer 1 is not what happened")) {
      try verifier.next()
    }
  }
}
