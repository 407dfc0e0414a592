import Glibc

/// A database that rows share: how it was loaded, and how it is opened.
///
/// Rows that change a database have one of their own.
enum Fixture: String {
  case sorted
  case random
  case wide
  case durable
  case eventual
  case published
  case publishedWrites
}

/// The workload, and the databases of all engines over which rows are measured.
final class Stage {
  let workload: Workload
  /// What is folded of rows that are read while time is taken.
  var folding = Folding.everyByte
  private let folder: Folder
  private var opened: [String: any Engine] = [:]
  private var loaded: [String: Folder] = [:]
  private var searchers: [String: any Contestant] = [:]
  private var reports: [String: ProcessReport] = [:]
  private var programs: [String: any ProgramContestant] = [:]
  lazy var searchRows = SearchRows(count: workload.scale.rowCount)

  init(workload: Workload, folder: Folder) {
    self.workload = workload
    self.folder = folder
  }

  /// The open database `fixture` of the engine, loaded if this is its first use.
  func database(_ kind: any Engine.Type, _ fixture: Fixture) throws -> any Engine {
    let name = "\(kind.name)-\(fixture)"
    if let database = opened[name] { return database }
    let place = try closedDatabase(kind, fixture)
    let database = try kind.init(
      path: place.path, durability: fixture == .eventual ? .eventual : .immediate)
    opened[name] = database
    return database
  }

  /// The programs of that kind, in a folder of their own, made if this is their first use.
  func program(_ contestant: any Contestant.Type) throws -> any ProgramContestant {
    guard let kind = contestant as? any ProgramContestant.Type else {
      throw BenchError("\(contestant) is no program")
    }
    if let program = programs[kind.name] { return program }
    let roster = folder.path + "/adventurers.tsv"
    if access(roster, F_OK) != 0 {
      try FileBytes.write(Roster.text(count: workload.scale.adventurerCount), to: roster)
    }
    let made = try kind.init(
      path: try folder.emptied("programs-" + kind.name).path, roster: roster,
      questCount: workload.scale.questRunCount)
    programs[kind.name] = made
    return made
  }

  /// The filters or names of that kind over the rows of searches, made if this is their first use.
  func searcher<Searcher>(_ kind: any Contestant.Type, as: Searcher.Type) throws -> Searcher {
    let name = "\(kind)"
    if let searcher = searchers[name] as? Searcher { return searcher }
    guard let maker = kind as? any SearchContestant.Type else {
      throw BenchError("\(kind) answers no searches")
    }
    let made = try maker.init(searchRows, path: folder.emptied(name).path)
    searchers[name] = made
    guard let searcher = made as? Searcher else {
      throw BenchError("\(kind) answers no \(Searcher.self)")
    }
    return searcher
  }

  #if HAVE_PAGESTORE
    private lazy var pictures = Result { try Pictures() }
    private var decoders: [String: any PictureDecoder] = [:]

    /// The decoder of that kind over the pictures, made if this is its first use.
    func decoder(_ kind: any PictureDecoder.Type) throws -> any PictureDecoder {
      if let decoder = decoders[kind.name] { return decoder }
      let made = try kind.init(pictures.get(), path: folder.emptied("pictures-" + kind.name).path)
      decoders[kind.name] = made
      return made
    }

    private lazy var questWorld = Result { try QuestWorld() }
    private var questers: [String: any QuestEngine] = [:]

    /// The one of that kind that goes on quests, made if this is its first use.
    func quester(_ contestant: any Contestant.Type) throws -> any QuestEngine {
      guard let kind = contestant as? any QuestEngine.Type else {
        throw BenchError("\(contestant) goes on no quests")
      }
      if let quester = questers[kind.name] { return quester }
      let made = try kind.init(questWorld.get())
      questers[kind.name] = made
      return made
    }

    /// A run of quests of that kind, in an empty folder.
    func withQuestRun<Result>(
      _ contestant: any Contestant.Type, _ body: (any QuestRunEngine) throws -> Result
    ) throws -> Result {
      guard let kind = contestant as? any QuestRunEngine.Type else {
        throw BenchError("\(contestant) runs no quests")
      }
      let place = try folder.emptied("quests-" + kind.name)
      let result = try body(kind.init(questWorld.get(), path: place.path))
      try place.remove()
      return result
    }

    private(set) lazy var records = BenchRecords(searchRows, drawCount: workload.scale.getCount)
    private var recordEngines: [String: any RecordEngine] = [:]

    /// The reader of that kind over the records, made if this is its first use.
    func recordEngine(_ contestant: any Contestant.Type) throws -> any RecordEngine {
      guard let kind = contestant as? any RecordEngine.Type else {
        throw BenchError("\(contestant) reads no records")
      }
      if let engine = recordEngines[kind.name] { return engine }
      let path = try folder.emptied("records-" + kind.name).path
      let made = try kind.init(records.players, path: path)
      recordEngines[kind.name] = made
      return made
    }
  #endif

  /// What a process of its own says of the database, once for each round: several rows show parts
  /// of it.
  func report(
    _ kind: any Engine.Type, _ fixture: Fixture, round: Int, limit: Int?
  ) throws -> ProcessReport {
    let name = "\(kind.name)-\(fixture)-\(round)"
    if let report = reports[name] { return report }
    let isWide = fixture == .wide
    let report = try ProcessReport.measured(
      kind, try closedDatabase(kind, fixture),
      rowCount: isWide ? workload.scale.wideRowCount : workload.scale.rowCount,
      valueByteCount: isWide ? Workload.wideValueByteCount : Workload.valueByteCount, limit: limit)
    reports[name] = report
    return report
  }

  /// The folder of the database `fixture`, at rest.
  func closedDatabase(_ kind: any Engine.Type, _ fixture: Fixture) throws -> Folder {
    let name = "\(kind.name)-\(fixture)"
    try opened.removeValue(forKey: name)?.close()
    if let place = loaded[name] { return place }
    let place = try folder.emptied(name)
    let database = try kind.init(path: place.path, durability: .immediate)
    switch fixture {
    case .sorted, .durable, .eventual: try database.load(workload.ascending, ascending: true)
    case .random: try database.load(workload.shuffled, ascending: false)
    case .wide: try database.load(workload.wideAscending, ascending: true)
    case .published, .publishedWrites: try database.load(workload.published, ascending: false)
    }
    try database.settle()
    try database.close()
    loaded[name] = place
    return place
  }

  /// Hands `body` a new, empty database and its folder, which is removed afterwards.
  func withNewDatabase<Result>(
    _ kind: any Engine.Type, _ body: (any Engine, Folder) throws -> Result
  ) throws -> Result {
    let place = try folder.emptied("\(kind.name)-new")
    let result = try body(kind.init(path: place.path, durability: .immediate), place)
    try place.remove()
    return result
  }

  /// Times deleting `keys` in one durable transaction from a new database of `rows`, which is settled
  /// before; the rest is read back whole, untimed.
  func deleting(
    _ keys: Keys, of rows: Rows, ascending: Bool, _ kind: any Engine.Type
  ) throws -> Sample {
    try withNewDatabase(kind) { (database, _) in
      try database.load(rows, ascending: ascending)
      try database.settle()
      sync()
      let sample = try Sample.rate(of: keys.count) {
        try database.deletes(keys)
      } check: {
        try database.scan(.everyByte)
      }
      try database.close()
      return sample
    }
  }

  /// Closes all databases.
  func close() throws {
    for database in opened.values { try database.close() }
    opened = [:]
  }
}
