internal import PageStore

/// Reads a log quest by quest, believing nothing that it says.
public struct QuestLogReader {
  /// What the quests follow from.
  public let plan: QuestPlan
  private let fighters: [UInt64: Fighter]
  private let read: (Int) throws(QuestError) -> [UInt8]
  /// How far it was read, in bytes.
  public private(set) var offset: Int

  /// Reads the header.
  ///
  /// - Parameter read: Gives the next bytes, as many as are asked for; fewer only at the end.
  /// - Throws: `.corruptLog`, `.newerLog`, and what `read` throws.
  public init(_ read: @escaping (Int) throws(QuestError) -> [UInt8]) throws(QuestError) {
    self.read = read
    var bytes = try read(16)
    guard bytes.count == 16, Array(bytes[..<8]) == QuestLog.magic else {
      throw .corruptLog(offset: 0, "it is no log of quests")
    }
    let version = QuestLog.number(UInt32.self, bytes, at: 8)
    if version > QuestLog.version { throw .newerLog(version: Int(version)) }
    let count = Int(QuestLog.number(UInt32.self, bytes, at: 12))
    guard version > 0, count <= QuestLog.planLimit else {
      throw .corruptLog(offset: 8, "its header makes no sense")
    }
    bytes += try read(count + 4)
    guard bytes.count == count + 20 else {
      throw .corruptLog(offset: bytes.count, "it ends within its header")
    }
    let checksum = QuestLog.number(UInt32.self, bytes, at: count + 16)
    guard checksum == EmbeddedFacts.checksum(of: bytes[..<(count + 16)]),
      let plan = QuestPlan(untrusted: Array(bytes[16..<(count + 16)]))
    else { throw .corruptLog(offset: 16, "its plan cannot be read") }
    self.plan = plan
    fighters = Dictionary(plan.roster.map { ($0.id, $0) }) { first, _ in first }
    offset = bytes.count
  }

  /// The next quest; nil at the end.
  ///
  /// - Throws: `.corruptLog`, with the place and what is wrong.
  public mutating func next() throws(QuestError) -> QuestLogSection? {
    var section: QuestLogSection?
    while true {
      let start = offset
      guard let (part, goesOn) = try part() else {
        if section == nil { return nil }
        throw .corruptLog(offset: offset, "it ends within a quest")
      }
      if var whole = section {
        guard whole.fighter == part.fighter, whole.quest == part.quest else {
          throw .corruptLog(offset: start, "a quest is not gone on with")
        }
        whole.events += part.events
        section = whole
      } else {
        section = part
      }
      if !goesOn { return section }
    }
  }

  private mutating func part() throws(QuestError) -> (QuestLogSection, goesOn: Bool)? {
    let start = offset
    var bytes = try read(QuestLog.sectionHead)
    if bytes.isEmpty { return nil }
    guard bytes.count == QuestLog.sectionHead, Array(bytes[..<4]) == QuestLog.mark else {
      throw .corruptLog(offset: start, "no quest begins here")
    }
    let count = Int(QuestLog.number(UInt32.self, bytes, at: 4))
    guard (1...QuestLog.eventsInSection).contains(count) else {
      throw .corruptLog(offset: start + 4, "\(count.counted("event")) in a section")
    }
    bytes += try read(count * 8 + 4)
    let end = QuestLog.sectionHead + count * 8
    guard bytes.count == end + 4 else {
      throw .corruptLog(offset: start + bytes.count, "it ends within a quest")
    }
    let checksum = QuestLog.number(UInt32.self, bytes, at: end)
    guard checksum == EmbeddedFacts.checksum(of: bytes[..<end]) else {
      throw .corruptLog(offset: start, "the checksum of a quest is wrong")
    }
    offset += bytes.count
    let id = QuestLog.number(UInt64.self, bytes, at: 8)
    guard var fighter = fighters[id] else {
      throw .corruptLog(offset: start + 8, "adventurer \(id) is not in its roster")
    }
    let numbers = (0..<4).map {
      Int(QuestLog.number(Int64.self, bytes, at: 24 + 8 * $0))
    }
    fighter.level = numbers[0]
    fighter.experience = numbers[1]
    fighter.currentHitPoints = numbers[2]
    fighter.totalHitPoints = numbers[3]
    if let problem = fighter.problem { throw .corruptLog(offset: start + 24, problem) }
    let events = (0..<count).map {
      QuestEvent(
        rawValue: QuestLog.number(UInt64.self, bytes, at: QuestLog.sectionHead + 8 * $0))
    }
    let section = QuestLogSection(
      fighter: fighter, quest: QuestLog.number(UInt64.self, bytes, at: 16), events: events)
    return (section, QuestLog.number(UInt32.self, bytes, at: 56) == 1)
  }
}
