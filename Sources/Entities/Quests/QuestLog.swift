/// The quests of a run in a file: a header with all that they follow from, and a section for each.
///
/// All numbers are little-endian. The header: `DEXQLOG` and a zero byte; the version, 4 bytes; the
/// byte count of the plan, 4; the plan; CRC-32C of all before, 4. A section: `QSEC`; how many events,
/// 4; the number of the adventurer and of the quest, 8 each; level, experience, hit points and total
/// hit points at the beginning, 8 each; 1 where the quest goes on in the next section, else 0, 4; the
/// events, 8 each; CRC-32C of the section, 4.
public enum QuestLog {
  /// The version that this program writes.
  public static let version: UInt32 = 1
  /// The bytes with which a log begins.
  public static let magic = Array("DEXQLOG\0".utf8)
  static let mark = Array("QSEC".utf8)
  /// No plan is longer, so that no file makes a reader ask for much memory.
  static let planLimit = 1 << 26
  /// A quest with more events has several sections.
  static let eventsInSection = 1 << 16
  /// The bytes of a section before its events.
  static let sectionHead = 60

  /// The header of the log of a run.
  public static func header(_ plan: QuestPlan) -> [UInt8] {
    let body = plan.encoded
    var bytes = magic
    append(version, to: &bytes)
    append(UInt32(body.count), to: &bytes)
    bytes += body
    append(EmbeddedFacts.checksum(of: bytes[...]), to: &bytes)
    return bytes
  }

  static func append<Value: FixedWidthInteger>(_ value: Value, to bytes: inout [UInt8]) {
    // Safe: the bytes of a number are alive as long as they are copied.
    unsafe withUnsafeBytes(of: value.littleEndian) { unsafe bytes.append(contentsOf: $0) }
  }

  /// The number at `offset`, which must be there.
  static func number<Value: FixedWidthInteger>(
    _ type: Value.Type, _ bytes: [UInt8], at offset: Int
  ) -> Value {
    var value: Value = 0
    for index in 0..<(Value.bitWidth / 8) {
      value |= Value(truncatingIfNeeded: bytes[offset + index]) << Value(index * 8)
    }
    return value
  }
}

/// One quest of a log.
public struct QuestLogSection: Hashable, Sendable {
  /// The adventurer as the quest began.
  public var fighter: Fighter
  /// The number of the quest.
  public var quest: UInt64
  /// Everything that happened.
  public var events: [QuestEvent]

  /// Appends the sections of a quest.
  static func append(
    _ events: QuestEvents, of fighter: Fighter, quest: UInt64, to bytes: inout [UInt8]
  ) {
    var position = 0
    repeat {
      let start = bytes.count
      let end = min(events.events.count, position + QuestLog.eventsInSection)
      bytes += QuestLog.mark
      QuestLog.append(UInt32(end - position), to: &bytes)
      QuestLog.append(fighter.id, to: &bytes)
      QuestLog.append(quest, to: &bytes)
      for number in [
        fighter.level, fighter.experience, fighter.currentHitPoints, fighter.totalHitPoints,
      ] {
        QuestLog.append(Int64(number), to: &bytes)
      }
      QuestLog.append(UInt32(end < events.events.count ? 1 : 0), to: &bytes)
      // Safe: the events are alive, and 8 bytes each, in the order of all machines that there are.
      unsafe events.events[position..<end].withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
      QuestLog.append(EmbeddedFacts.checksum(of: bytes[start...]), to: &bytes)
      position = end
    } while position < events.events.count
  }

  /// The sections of the quests before `quest`.
  static func prefix(of bytes: [UInt8], before quest: UInt64) -> [UInt8] {
    var position = 0
    while position < bytes.count {
      let number = QuestLog.number(UInt64.self, bytes, at: position + 16)
      if number >= quest { return Array(bytes[..<position]) }
      let count = Int(QuestLog.number(UInt32.self, bytes, at: position + 4))
      position += QuestLog.sectionHead + count * 8 + 4
    }
    return bytes
  }
}

extension QuestPlan {
  /// The plan as bytes.
  var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.variable(UInt64(QuestRules.version))
    writer.variable(seed)
    writer.byte(mode == .sample ? 0 : 1)
    writer.variable(UInt64(quests))
    writer.variable(UInt64(settings.foes))
    writer.variable(UInt64(settings.goal ?? 0))
    writer.variable(UInt64(settings.limit))
    switch until {
    case nil: writer.byte(0)
    case .level(let level):
      writer.byte(1)
      writer.variable(UInt64(level))
    case .error(let millionths):
      writer.byte(2)
      writer.variable(UInt64(millionths))
    }
    writer.text(adventurers)
    writer.text(enemies)
    writer.variable(rosterDigest)
    writer.variable(table.digest)
    writer.byteArray(QuestRoster.encode(roster))
    writer.byteArray(table.encoded)
    return writer.bytes
  }

  /// The plan that `bytes` say, which nobody believes; nil where they say none of these rules.
  init?(untrusted bytes: [UInt8]) {
    var reader = ByteReader(untrusted: bytes.rawSpan)
    guard reader.variable() == UInt64(QuestRules.version) else { return nil }
    let seed = reader.variable()
    let mode: QuestMode = reader.byte() == 0 ? .sample : .campaign
    let quests = Int(truncatingIfNeeded: reader.variable())
    let foes = Int(truncatingIfNeeded: reader.variable())
    let goal = Int(truncatingIfNeeded: reader.variable())
    let limit = Int64(truncatingIfNeeded: reader.variable())
    var until: QuestUntil?
    switch reader.byte() {
    case 0: break
    case 1: until = .level(Int(truncatingIfNeeded: reader.variable()))
    case 2: until = .error(millionths: Int(truncatingIfNeeded: reader.variable()))
    default: return nil
    }
    let adventurers = reader.text()
    let enemies = reader.text()
    let digests = [reader.variable(), reader.variable()]
    let roster = QuestRoster.decode(untrusted: reader.byteArray())
    let table = EnemyTable(untrusted: reader.byteArray())
    guard reader.damage == nil, reader.remaining == 0, let roster, let table else { return nil }
    self.init(
      seed: seed, mode: mode, quests: quests,
      settings: QuestSettings(foes: foes, goal: goal == 0 ? nil : goal, limit: limit),
      until: until, adventurers: adventurers, enemies: enemies, roster: roster, table: table)
    guard digests == [rosterDigest, table.digest] else { return nil }
    do {
      try check()
    } catch {
      return nil
    }
  }
}
