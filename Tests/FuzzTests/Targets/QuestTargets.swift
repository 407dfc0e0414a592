@testable import Entities

extension FuzzTarget {
  /// Parts of runs, logs of quests, and statistics as they are stored.
  static let quests = [
    FuzzTarget(
      name: "quest-part-raw", longestInput: 4096, limits: (16, 512),
      seeds: { [try FuzzedQuest.part().encoded] },
      run: { bytes throws(FuzzFinding) in try FuzzedQuestPart.read(bytes) }),
    FuzzTarget(
      name: "quest-part-sealed", longestInput: 4096, limits: (16, 512),
      seeds: { try FuzzedQuestPart.sealedSeeds() },
      run: { bytes throws(FuzzFinding) in
        try FuzzedQuestPart.read(FuzzedQuestPart.seal(bytes))
      }),
    FuzzTarget(
      name: "quest-log-raw", longestInput: 4096, limits: (16, 512),
      seeds: { [try FuzzedQuest.log()] },
      run: { bytes throws(FuzzFinding) in try FuzzedQuestLog.read(bytes) }),
    FuzzTarget(
      name: "quest-log-sealed", longestInput: 4096, limits: (16, 512),
      seeds: { try FuzzedQuestLog.sealedSeeds() },
      run: { bytes throws(FuzzFinding) in
        try FuzzedQuestLog.read(FuzzedQuestLog.seal(bytes))
      }),
    FuzzTarget(
      name: "quest-statistics", longestInput: 4096, limits: (16, 512),
      seeds: { try FuzzedStatistics.seeds() },
      run: { bytes throws(FuzzFinding) in try FuzzedStatistics.read(bytes) }),
  ]
}

/// A run of two adventurers, three quests each.
enum FuzzedQuest {
  static let roster = (1...2 as ClosedRange<UInt64>).map { id in
    var adventurer = Adventurer(
      name: "Ann \(id)", profession: "ranger", hitPoints: 40, multiplier: 256, defense: 50,
      evasion: 10, speed: 60)
    adventurer.level = 5
    return (adventurer, id)
  }

  static func plan(_ mode: QuestMode = .sample) throws(QuestError) -> QuestPlan {
    let table = try EnemyTable([
      EnemySpecies(
        number: 1, name: "rat", hp: 30, attack: 56, defense: 35, speed: 72, types: [.normal],
        baseExperience: 51),
      EnemySpecies(
        number: 2, name: "bat", hp: 40, attack: 45, defense: 35, speed: 55,
        types: [.poison, .flying], baseExperience: 49),
    ])
    return QuestPlan(
      seed: 7, mode: mode, quests: 3, settings: QuestSettings(foes: 2, goal: 3, limit: 60_000),
      roster: roster.map { Fighter($0.0, id: EntityID($0.1)) }, table: table)
  }

  static func part() throws(QuestError) -> QuestPart {
    try QuestPart(try plan(), shard: 1, of: 1)
  }

  static func log(_ mode: QuestMode = .sample) throws(QuestError) -> [UInt8] {
    let plan = try plan(mode)
    return QuestLog.header(plan) + (try sections(plan))
  }

  static func sections(_ plan: QuestPlan) throws(QuestError) -> [UInt8] {
    let computing = try QuestComputing(plan, keepsLog: true)
    return plan.roster.indices.flatMap { place in
      computing.compute(
        QuestChunk(
          place: place, first: 0, count: plan.quests, order: 0, fighter: plan.roster[place])
      ).log
    }
  }

  /// The bytes of a plan whose checksums fit: the byte count of the part before them and of the two
  /// lists stand in front.
  static func sealedPlan(_ feed: inout ByteFeed) -> [UInt8] {
    let numbers = feed.take(Int(feed.byte()))
    let roster = feed.take(feed.u16())
    let table = feed.take(feed.u16())
    var writer = ByteWriter()
    writer.bytes += numbers
    let fighters = QuestRoster.decode(untrusted: roster) ?? []
    // As a plan takes it: everybody is rested.
    writer.variable(QuestDigest.of(QuestRoster.encode(fighters.map(\.rested))))
    writer.variable(EnemyTable(untrusted: table)?.digest ?? 0)
    writer.byteArray(roster)
    writer.byteArray(table)
    return writer.bytes
  }

  /// What `sealedPlan` makes `plan` of.
  static func parts(of plan: QuestPlan) -> [UInt8] {
    let roster = QuestRoster.encode(plan.roster)
    let table = plan.table.encoded
    var digests = ByteWriter()
    digests.variable(plan.rosterDigest)
    digests.variable(plan.table.digest)
    var lists = ByteWriter()
    lists.byteArray(roster)
    lists.byteArray(table)
    let numbers = plan.encoded.dropLast(digests.bytes.count + lists.bytes.count)
    return [UInt8(numbers.count)] + numbers + FuzzedQuest.counted(roster)
      + FuzzedQuest.counted(table)
  }

  static func counted(_ bytes: [UInt8]) -> [UInt8] {
    [UInt8(bytes.count & 0xFF), UInt8(bytes.count >> 8)] + bytes
  }
}

/// Part files.
enum FuzzedQuestPart {
  static func sealedSeeds() throws(QuestError) -> [[UInt8]] {
    let part = try FuzzedQuest.part()
    var seed: [UInt8] = [1, 1] + FuzzedQuest.parts(of: part.plan)
    for statistics in part.statistics { seed += FuzzedQuest.counted(statistics.encoded) }
    return [seed]
  }

  /// A file of the share, the plan and the statistics that `bytes` say, with checksums that fit.
  static func seal(_ bytes: [UInt8]) -> [UInt8] {
    var feed = ByteFeed(bytes)
    let (shard, shards) = (UInt32(feed.byte()), UInt32(feed.byte()))
    let plan = FuzzedQuest.sealedPlan(&feed)
    var file = QuestPart.magic
    for number in [1, shard, shards, UInt32(plan.count)] { QuestLog.append(number, to: &file) }
    file += plan
    while !feed.isEmpty {
      let statistics = feed.take(feed.u16())
      QuestLog.append(UInt32(statistics.count), to: &file)
      file += statistics
    }
    QuestLog.append(EmbeddedFacts.checksum(of: file[...]), to: &file)
    return file
  }

  static func read(_ bytes: [UInt8]) throws(FuzzFinding) {
    let part: QuestPart
    do throws(QuestError) {
      part = try QuestPart(untrusted: bytes)
    } catch {
      return
    }
    let again: QuestPart
    do throws(QuestError) {
      again = try QuestPart(untrusted: part.encoded)
    } catch {
      throw FuzzFinding("a part is written as what cannot be read: \(error)")
    }
    try FuzzFinding.unless(
      again.encoded == part.encoded, "a part is written as what is read as another one")
    _ = QuestPart.problem([("a", part), ("b", part)])
    try FuzzedStatistics.report(part.statistics, part.plan)
    if part.shards == 1 { try merge(part) }
  }

  /// Keeps the part's run in a database that has its adventurers.
  private static func merge(_ part: QuestPart) throws(FuzzFinding) {
    do {
      let database = try FuzzedDatabase.make(Pokedex.entities)
      try database.write { transaction throws(DatabaseError) in
        for (adventurer, id) in FuzzedQuest.roster {
          var adventurer = adventurer
          adventurer.wins = 3
          _ = try transaction.insert(adventurer, id: EntityID(id))
        }
      }
      do throws(QuestError) {
        let run = try QuestRunner.merge([("part", part)], in: database)
        _ = try QuestRunner(run, in: database).results()
      } catch {
        // A run that is not kept, in words.
      }
      try database.close()
    } catch {
      throw FuzzFinding("\(error)")
    }
  }
}

/// Logs of quests.
enum FuzzedQuestLog {
  static func sealedSeeds() throws(QuestError) -> [[UInt8]] {
    try [QuestMode.sample, .campaign].map { mode throws(QuestError) in
      let plan = try FuzzedQuest.plan(mode)
      return FuzzedQuest.parts(of: plan) + (try FuzzedQuest.sections(plan))
    }
  }

  /// A log of the plan and the sections that `bytes` say, with checksums that fit.
  static func seal(_ bytes: [UInt8]) -> [UInt8] {
    var feed = ByteFeed(bytes)
    let plan = FuzzedQuest.sealedPlan(&feed)
    var file = QuestLog.magic
    for number in [QuestLog.version, UInt32(plan.count)] { QuestLog.append(number, to: &file) }
    file += plan
    QuestLog.append(EmbeddedFacts.checksum(of: file[...]), to: &file)
    var sections = LooseBytes(feed.rest())
    var offset = 0
    while offset + 64 <= sections.count {
      let end = offset + 60 + sections.u32(offset + 4) * 8
      guard end + 4 <= sections.count else { break }
      sections.setU32(end, Int(EmbeddedFacts.checksum(of: sections.slice(offset..<end))))
      offset = end + 4
    }
    return file + sections.bytes
  }

  static func read(_ bytes: [UInt8]) throws(FuzzFinding) {
    do throws(QuestError) {
      var reader = try reader(bytes)
      while let section = try reader.next() {
        var narrator = QuestNarrator(section.fighter, reader.plan.table)
        for event in section.events {
          if let line = narrator.line(event) { FuzzSink.read(Array(line.text.utf8).span.bytes) }
        }
      }
    } catch {
      // Where it is damaged, in words.
    }
    do throws(QuestError) {
      var verifier = try QuestLogVerifier(try reader(bytes))
      while try verifier.next() {}
    } catch {
      // What does not fit, in words.
    }
  }

  private static func reader(_ bytes: [UInt8]) throws(QuestError) -> QuestLogReader {
    var feed = ByteFeed(bytes)
    return try QuestLogReader { (count) throws(QuestError) in feed.take(count) }
  }
}
