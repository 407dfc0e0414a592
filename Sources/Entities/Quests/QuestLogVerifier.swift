/// Computes the quests of a log again, one by one, and looks whether it tells the truth.
///
/// Each event is compared as it happens, so that a log which lies about its settings costs no more
/// time and memory than a few times its own length.
public struct QuestLogVerifier {
  private var reader: QuestLogReader
  /// What each adventurer must do next, by their numbers.
  private var wanted: [UInt64: Quest] = [:]
  /// How many quests are as the log has them.
  public private(set) var count = 0

  /// What the quests follow from.
  public var plan: QuestPlan { reader.plan }

  /// Begins with the first quest of `reader`.
  ///
  /// - Throws: `.settings`, `.adventurer`, `.database` where the bundled facts cannot be read.
  public init(_ reader: QuestLogReader) throws(QuestError) {
    self.reader = reader
    let plan = reader.plan
    // Preparing the enemies takes longer than a quest, and is shared by all with the same attacks.
    var prepared: [PokemonType?: Quest] = [:]
    for fighter in plan.roster {
      let quest: Quest
      if let other = prepared[fighter.attackType] {
        quest = try other.fought(by: fighter)
      } else {
        quest = try Quest(
          seed: plan.seed, number: 0, fighter: fighter, enemies: plan.table,
          settings: plan.settings)
      }
      prepared[fighter.attackType] = quest
      wanted[fighter.id] = quest
    }
  }

  /// Computes the next quest; false at the end of the log.
  ///
  /// - Throws: `.falseLog` with the quest that is another one; `.corruptLog`.
  public mutating func next() throws(QuestError) -> Bool {
    guard let section = try reader.next() else { return false }
    let id = section.fighter.id
    guard let quest = wanted[id] else { return true }
    let place = "quest \(section.quest) of adventurer \(id)"
    if section.quest != quest.number {
      throw .falseLog("\(place) stands where quest \(quest.number) should be")
    }
    guard section.fighter == quest.fighter, let result = Self.result(of: quest, section.events)
    else { throw .falseLog("\(place) is not what happened") }
    let following = quest.numbered(quest.number &+ 1)
    wanted[id] =
      plan.mode == .campaign
      ? try following.fought(by: quest.fighter.after(result)) : following
    count += 1
    return true
  }

  /// How `quest` ends, or nil where its events are others than `events`.
  private static func result(of quest: Quest, _ events: [QuestEvent]) -> QuestResult? {
    var walk = quest.walk()
    var compared = 0
    while true {
      let end = compared + walk.events.events.count
      guard end <= events.count, events[compared..<end] == walk.events.events[...] else {
        return nil
      }
      compared = end
      walk.events.forget()
      if !walk.step() { break }
    }
    return compared == events.count ? walk.state.result : nil
  }
}
